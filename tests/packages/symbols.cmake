# cmake -D LIBRARY=... -D CXX=... -D NM=... -D SYMBOLS=... -D WORK_DIR=... -P symbols.cmake: what the shared library
# exports is what .cmake/libcastforge.symbols.in lists. A static library is made a shared object first.
cmake_minimum_required(VERSION 3.25)

if(LIBRARY MATCHES "\\.a$")
  set(object "${WORK_DIR}/all_of_it.so")
  execute_process(COMMAND "${CXX}" -shared -o "${object}" -Wl,--whole-archive "${LIBRARY}" -Wl,--no-whole-archive
    COMMAND_ERROR_IS_FATAL ANY)
  set(LIBRARY "${object}")
endif()
execute_process(COMMAND "${NM}" --dynamic --defined-only --format=posix "${LIBRARY}" OUTPUT_VARIABLE table
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" lines "${table}")
set(exported "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE " .*" "" name "${line}")
  if(NOT name MATCHES "^_ZZ?N?K?St")  # instances of templates of the standard library
    list(APPEND exported "${name}")
  endif()
endforeach()
file(STRINGS "${SYMBOLS}" listed REGEX "^ [_c].*@Base ")
list(TRANSFORM listed REPLACE "^ ([^@]+)@.*" "\\1")
set(missing ${listed})
list(REMOVE_ITEM missing ${exported})
list(REMOVE_ITEM exported ${listed})
if(missing OR exported)
  list(JOIN missing "\n  " missing)
  list(JOIN exported "\n  " exported)
  message(FATAL_ERROR "${SYMBOLS} and the library differ.\nListed and not exported:\n  ${missing}\n"
    "Exported and not listed:\n  ${exported}")
endif()
list(LENGTH listed count)
message(STATUS "${count} symbols, as listed")
