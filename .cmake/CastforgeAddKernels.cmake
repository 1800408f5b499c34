# Own formats and rules, from a consumer's build:
#
#   castforge_add_kernels(TARGET <target> SPECS <file or folder>... [ISAS <name>...])
#
# Generates castforge's kernels anew from the specs that castforge ships plus SPECS (a type, a rounding or an
# op-set each, or folders of them; specs/README.md is the field reference), compiles them with the shipped
# runtime into a static library of the consumer's own, and links <target> with it instead of
# castforge::castforge. castforge::Type then has the added types, and `castforge@1` admits them.
#
#   find_package(castforge REQUIRED)
#   add_executable(app main.cpp)
#   castforge_add_kernels(TARGET app SPECS float8e3m4.json)
#
# The generator runs while CMake configures, since the list of files it writes depends on the specs; an edit of
# a spec configures again. One library serves all targets of a folder that name the same SPECS and ISAS.
# The program castforge-gen is the installed one, the one that CASTFORGE_GEN_PROGRAM names (cross builds), or,
# with add_subdirectory, one that is built on the spot for this machine.
#
# Two castforge libraries in one program would define the same names twice: link one program's objects and
# libraries with one of them.
include_guard(DIRECTORY)
include("${CMAKE_CURRENT_LIST_DIR}/CastforgeLibrary.cmake")

set(CASTFORGE_GEN_PROGRAM "" CACHE FILEPATH "castforge-gen to use in castforge_add_kernels; empty: find or build it")
mark_as_advanced(CASTFORGE_GEN_PROGRAM)

# Sets `out` to a castforge-gen that runs on this machine.
function(_castforge_generator_program out data_dir)
  if(CASTFORGE_GEN_PROGRAM)
    set(${out} "${CASTFORGE_GEN_PROGRAM}" PARENT_SCOPE)
    return()
  endif()
  if(NOT EXISTS "${data_dir}/generator")
    find_program(program castforge-gen NO_CACHE NO_DEFAULT_PATH PATHS "${data_dir}/../../bin")
    find_program(program castforge-gen NO_CACHE REQUIRED)
    set(${out} "${program}" PARENT_SCOPE)
    return()
  endif()

  set(build "${CMAKE_BINARY_DIR}/castforge-generator")
  set(program "${build}/bin/castforge-gen")
  message(STATUS "castforge: building the generator in ${build}")
  set(settings -DCASTFORGE_BUILD_RUNTIME=OFF -DCASTFORGE_BUILD_TOOLS=OFF -DCASTFORGE_BUILD_TESTS=OFF
    -DCASTFORGE_FETCH_DEPS=${CASTFORGE_FETCH_DEPS} "-DCASTFORGE_DEPS_DIR=${CASTFORGE_DEPS_DIR}"
    "-DCMAKE_PREFIX_PATH=${CMAKE_PREFIX_PATH}")
  if(NOT CMAKE_CROSSCOMPILING)
    list(APPEND settings "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}")
  endif()
  foreach(command IN ITEMS configure build)
    if(command STREQUAL "configure")
      set(line "${CMAKE_COMMAND}" -S "${data_dir}" -B "${build}" -G "${CMAKE_GENERATOR}" "${settings}")
    else()
      set(line "${CMAKE_COMMAND}" --build "${build}" --target castforge-gen)
    endif()
    execute_process(COMMAND ${line} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(failed)
      message(FATAL_ERROR "castforge: castforge-gen could not be built (${command}):\n${output}")
    endif()
  endforeach()
  set(${out} "${program}" PARENT_SCOPE)
endfunction()

function(castforge_add_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET" "SPECS;ISAS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "castforge_add_kernels: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_TARGET OR NOT arg_SPECS)
    message(FATAL_ERROR "castforge_add_kernels(TARGET <target> SPECS <file or folder>...): both are needed")
  endif()
  if(NOT TARGET ${arg_TARGET})
    message(FATAL_ERROR "castforge_add_kernels: there is no target \"${arg_TARGET}\"")
  endif()
  if(NOT arg_ISAS)
    if(CASTFORGE_ISAS)
      set(arg_ISAS ${CASTFORGE_ISAS})
    else()
      castforge_default_isas(arg_ISAS)
    endif()
  endif()

  # specs/, templates/ and runtime/ lie beside this module's folder, in the source tree and where it is installed.
  get_filename_component(data_dir "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/.." ABSOLUTE)
  set(spec_options --specs "${data_dir}/specs")
  foreach(spec IN LISTS arg_SPECS)
    get_filename_component(spec "${spec}" ABSOLUTE)
    if(NOT EXISTS "${spec}")
      message(FATAL_ERROR "castforge_add_kernels: there is no ${spec}")
    endif()
    list(APPEND spec_options --specs "${spec}")
    if(IS_DIRECTORY "${spec}")
      file(GLOB_RECURSE files CONFIGURE_DEPENDS "${spec}/*.json")
    else()
      set(files "${spec}")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  endforeach()

  string(SHA256 key "${spec_options};${arg_ISAS}")
  string(SUBSTRING ${key} 0 8 key)
  set(library castforge_kernels_${key})
  if(NOT TARGET ${library})
    _castforge_generator_program(program "${data_dir}")
    set(generated "${CMAKE_CURRENT_BINARY_DIR}/${library}/generated")
    message(STATUS "castforge: generating kernels for ${arg_TARGET}")
    execute_process(COMMAND "${program}" generate ${spec_options} --out "${generated}"
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE error)
    if(failed)
      message(FATAL_ERROR "castforge_add_kernels: castforge-gen generate failed (${failed}):\n${error}")
    endif()
    castforge_add_library(${library} TYPE STATIC RUNTIME "${data_dir}/runtime" GENERATED "${generated}"
      ISAS ${arg_ISAS})
  endif()

  target_link_libraries(${arg_TARGET} PRIVATE ${library})
  # Whatever else the target's own folder links it with, castforge::castforge is not among it.
  get_target_property(folder ${arg_TARGET} SOURCE_DIR)
  if(folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    cmake_language(EVAL CODE "cmake_language(DEFER CALL _castforge_unlink_shipped_kernels ${arg_TARGET})")
  else()
    _castforge_unlink_shipped_kernels(${arg_TARGET})
  endif()
endfunction()

function(_castforge_unlink_shipped_kernels target)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  list(REMOVE_ITEM libraries castforge::castforge castforge)
  set_target_properties(${target} PROPERTIES LINK_LIBRARIES "${libraries}")
endfunction()
