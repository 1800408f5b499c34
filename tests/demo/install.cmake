# cmake -D BUILD=<dir> -D PREFIX=<dir> -P install.cmake: what was built for the demo can be installed, and runs there.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${PREFIX}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(program IN ITEMS castforge castforge-gen)
  execute_process(COMMAND "${PREFIX}/bin/${program}" list opsets OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB_RECURSE files "${PREFIX}/*")
list(LENGTH files count)
message(STATUS "${count} files in ${PREFIX}")
