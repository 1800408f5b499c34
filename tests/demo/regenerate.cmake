# cmake -D GEN=<castforge-gen> -D SPECS=<dir> -D OUT=<dir> -D COMMITTED=<dir> -P regenerate.cmake
#
# Generates everything from SPECS into an empty OUT; fails unless OUT and COMMITTED then hold the same files with
# the same bytes.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${OUT}")
execute_process(COMMAND "${GEN}" generate --specs "${SPECS}" --out "${OUT}"
  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "[^\n]+\n?$" summary "${output}")  # above it stands a line per file
string(STRIP "${summary}" summary)
message(STATUS "${summary}")

file(GLOB_RECURSE generated RELATIVE "${OUT}" "${OUT}/*")
file(GLOB_RECURSE committed RELATIVE "${COMMITTED}" "${COMMITTED}/*")
list(LENGTH generated count)
if(count EQUAL 0)
  message(FATAL_ERROR "${OUT} is empty")
endif()
if(NOT generated STREQUAL committed)
  set(extra ${generated})
  list(REMOVE_ITEM extra ${committed})
  set(orphans ${committed})
  list(REMOVE_ITEM orphans ${generated})
  message(FATAL_ERROR "${COMMITTED} lacks: ${extra}\nand should not hold: ${orphans}")
endif()
foreach(file IN LISTS generated)
  file(SHA256 "${OUT}/${file}" a)
  file(SHA256 "${COMMITTED}/${file}" b)
  if(NOT a STREQUAL b)
    message(FATAL_ERROR "${OUT}/${file} and ${COMMITTED}/${file} differ")
  endif()
endforeach()
message(STATUS "${count} files, the same byte for byte as ${COMMITTED}")
