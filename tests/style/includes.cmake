# cmake -D SOURCE_DIR=... -P includes.cmake: what a folder of runtime/ includes. Operations know of no loop and of
# nothing in the library; the library, which is compiled once, of nothing that depends on the instruction set. None of
# them knows of the generator or of JSON.
cmake_minimum_required(VERSION 3.25)

file(GLOB generator RELATIVE "${SOURCE_DIR}/generator" LIST_DIRECTORIES true "${SOURCE_DIR}/generator/*")
list(FILTER generator EXCLUDE REGEX "\\.")
string(REPLACE ";" "|" generator "${generator}")

set(count 0)
function(check folder forbidden)
  file(GLOB_RECURSE files "${SOURCE_DIR}/runtime/${folder}/*.hpp" "${SOURCE_DIR}/runtime/${folder}/*.cpp")
  if(NOT files)
    message(FATAL_ERROR "no files in runtime/${folder}")
  endif()
  foreach(file IN LISTS files)
    file(STRINGS "${file}" found REGEX "^#include (\"(${forbidden}|${generator})/|<nlohmann/)")
    foreach(line IN LISTS found)
      message("${file}: ${line}")
      math(EXPR count "${count} + 1")
    endforeach()
  endforeach()
  set(count ${count} PARENT_SCOPE)
endfunction()

check(simd "src|loops|module|cli")
check(src "simd|loops|cli")
check(loops "module|cli")
if(count)
  message(FATAL_ERROR "${count} includes that must not be")
endif()
