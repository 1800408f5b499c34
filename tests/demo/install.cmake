# cmake -D BUILD=<dir> -D CONFIG=<configuration> -D ROOT=<dir> -D PROGRAMS=<dir> -P install.cmake
#
# What was built for the demo can be installed, as if ROOT were /, and runs from PROGRAMS.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${ROOT}")
execute_process(COMMAND "${CMAKE_COMMAND}" -E env "DESTDIR=${ROOT}" "${CMAKE_COMMAND}" --install "${BUILD}"
  --config "${CONFIG}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(program IN ITEMS castforge castforge-gen)
  execute_process(COMMAND "${PROGRAMS}/${program}" list opsets OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB_RECURSE files "${ROOT}/*")
list(LENGTH files count)
message(STATUS "${count} files in ${ROOT}")
