# cmake -D NM=<nm> -D ISA=<name> -D OBJECTS=<file, one object per line> -P check_symbols.cmake
#
# Every symbol that an object of one instruction set defines must carry that instruction set's name: the linker
# keeps one copy of an inline function, and if AVX-512 code happened to be that copy, a program would die on a
# machine without it. `8isa_avx2` is how the inline namespace is spelled in a mangled name.
cmake_minimum_required(VERSION 3.25)
string(LENGTH "isa_${ISA}" length)
set(own "${length}isa_${ISA}")
file(STRINGS "${OBJECTS}" objects)
list(LENGTH objects object_count)
if(object_count EQUAL 0)
  message(FATAL_ERROR "${OBJECTS} lists no object")
endif()

set(count 0)
set(strays "")
list(FILTER objects EXCLUDE REGEX "\\.gch$")  # the precompiled header
foreach(object IN LISTS objects)
  execute_process(COMMAND "${NM}" --defined-only --extern-only --format=posix "${object}"
    OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "\\;" symbols "${symbols}")
  string(REPLACE "\n" ";" symbols "${symbols}")
  foreach(line IN LISTS symbols)
    if(line STREQUAL "")
      continue()
    endif()
    math(EXPR count "${count} + 1")
    if(NOT line MATCHES "^[^ ]*${own}")
      get_filename_component(file "${object}" NAME)
      string(APPEND strays "\n  ${file}: ${line}")
    endif()
  endforeach()
endforeach()
if(count EQUAL 0)
  message(FATAL_ERROR "the objects of ${ISA} define no symbol at all")
endif()
if(strays)
  message(FATAL_ERROR "symbols without isa_${ISA} in their name:${strays}")
endif()
message(STATUS "${ISA}: ${count} symbols in ${object_count} objects, all named after it")
