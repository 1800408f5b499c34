# Reading the standard library's headers is half of what g++ does for a source of the programs and tests. They are
# compiled once, and sources read the result: a quarter to a third less processor time.
#
#   castforge_precompile_headers(<name> HEADERS <header>... [LIBRARIES <library>...] [PIC])
#   castforge_use_precompiled_headers(<name> <target> [<regex>])      # sources whose paths match
#
# A source is compiled with the options of its headers, so there are two forms: for sources of castforge_runs_once() and
# for all others. PIC: for sources of static libraries that are position independent. With clang, sanitizers,
# CMAKE_DISABLE_PRECOMPILE_HEADERS or CMAKE_POSITION_INDEPENDENT_CODE (which would make programs' sources differ from
# their headers) a source has the headers that it includes, and no others.
include_guard(GLOBAL)

set(CASTFORGE_PRECOMPILES OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CONFIGURATION_TYPES AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS
   AND NOT CASTFORGE_SANITIZE AND NOT CMAKE_POSITION_INDEPENDENT_CODE)
  set(CASTFORGE_PRECOMPILES ON)
endif()

function(castforge_precompile_headers name)
  if(NOT CASTFORGE_PRECOMPILES)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "PIC" "" "HEADERS;LIBRARIES")
  # Targets of their own: with Makefiles a source that is added to a target with headers compiles all of it again.
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp" CONTENT "// Has precompiled headers.\n")
  foreach(form IN ITEMS "" _once)
    set(target ${name}${form})
    add_library(${target} OBJECT "${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp")
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ${arg_PIC})
    if(form)
      target_compile_options(${target} PRIVATE ${CASTFORGE_ONCE_OPTIONS})
    endif()
    target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
    set_property(GLOBAL PROPERTY ${target} "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx")
  endforeach()
endfunction()

function(castforge_use_precompiled_headers name target)
  if(NOT CASTFORGE_PRECOMPILES)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "${ARGV2}.*\\.cpp$")
  foreach(source IN LISTS sources)
    get_source_file_property(options "${source}" COMPILE_OPTIONS)
    set(form "")
    if(options MATCHES "-Og")
      set(form _once)
    endif()
    get_property(header GLOBAL PROPERTY ${name}${form})
    if(NOT options MATCHES "-include")  # as a source of another target of this folder
      # Once precompiled they are no system headers to g++ 12, which takes std::string's own + for out of bounds (GCC
      # bug 105329); builds without precompiled headers still look for that in the sources.
      set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_OPTIONS -Winvalid-pch -include "${header}"
        -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
      set_property(SOURCE "${source}" APPEND PROPERTY OBJECT_DEPENDS "${header}.gch")
    endif()
  endforeach()
  add_dependencies(${target} ${name} ${name}_once)
endfunction()
