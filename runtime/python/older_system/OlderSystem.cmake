# pycastforge_link_for_older_systems(TARGET): links a module so that it runs on every system since manylinux_2_28, with
# a compiler for a newer one; ../WHEELS.md says how.
#
# PYCASTFORGE_OLDER_SYSTEMS: ON demands it, OFF leaves it, AUTO (the default) does it where it can be done and says so
# where not.
set(PYCASTFORGE_OLDER_SYSTEMS AUTO CACHE STRING "Link so that systems since manylinux_2_28 can run the module")
set_property(CACHE PYCASTFORGE_OLDER_SYSTEMS PROPERTY STRINGS AUTO ON OFF)

function(pycastforge_link_for_older_systems target)
  if(NOT PYCASTFORGE_OLDER_SYSTEMS)
    return()
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/older_system")
  set(tool "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/libraries.py")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${tool}")
  file(REMOVE_RECURSE "${folder}")
  set(problem "")
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|aarch64|arm64)$")
    set(problem "it is made for Linux on x86-64 and AArch64, this is ${CMAKE_SYSTEM_NAME} on ${CMAKE_SYSTEM_PROCESSOR}")
  else()
    execute_process(COMMAND "${Python_EXECUTABLE}" "${tool}" "${folder}" --compiler "${CMAKE_CXX_COMPILER}"
      RESULT_VARIABLE result ERROR_VARIABLE problem OUTPUT_QUIET)
    string(STRIP "${problem}" problem)
    if(result EQUAL 0)
      set(problem "")
    elseif(problem STREQUAL "")
      set(problem "${result}")
    endif()
  endif()
  if(problem STREQUAL "")
    message(STATUS "pycastforge: the module runs on every system since manylinux_2_28")
    target_sources(${target} PRIVATE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/missing.cpp")
    target_link_options(${target} PRIVATE "-L${folder}")  # a link directory would be looked in at run time, too
    add_custom_command(TARGET ${target} POST_BUILD VERBATIM
      COMMAND "${Python_EXECUTABLE}" -B "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/check.py" "$<TARGET_FILE:${target}>")
  elseif(PYCASTFORGE_OLDER_SYSTEMS STREQUAL "AUTO")
    message(STATUS "pycastforge: the module runs on systems as new as this one only: ${problem}")
  else()
    message(FATAL_ERROR "pycastforge: PYCASTFORGE_OLDER_SYSTEMS is ${PYCASTFORGE_OLDER_SYSTEMS} and cannot be: "
      "${problem}")
  endif()
endfunction()
