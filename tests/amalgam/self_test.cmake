# cmake -D COMPILER=... -D STANDARD=c99|c++17 -D SOURCE=... -D PROGRAM=... [-D FLAGS=...] [-D RUNNER=...]
#   [-D EXPECTED=isa] -P self_test.cmake
# Compiles the self-test of an amalgam without a warning and runs it; EXPECTED: an instruction set that must be tested.
if(NOT EXPECTED)
  set(EXPECTED portable)
endif()
set(language c)
if(STANDARD MATCHES "^c[+][+]")
  set(language c++)
endif()
execute_process(COMMAND "${COMPILER}" -x ${language} -std=${STANDARD} -pedantic -Wall -Wextra -Werror -O2 ${FLAGS}
  -DCASTS_SELF_TEST "${SOURCE}" -o "${PROGRAM}" RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${SOURCE} does not compile as ${STANDARD}")
endif()
execute_process(COMMAND ${RUNNER} "${PROGRAM}" RESULT_VARIABLE failed OUTPUT_VARIABLE output)
message("${output}")
if(failed OR NOT output MATCHES "${EXPECTED}: ok" OR NOT output MATCHES "[1-9][0-9]+ elements checked")
  message(FATAL_ERROR "the self-test failed: ${failed}")
endif()
