# Own formats and rules, from a consumer's build:
#
#   castforge_add_kernels(TARGET <target> SPECS <file or folder>...)
#   castforge_add_kernels(MODULE <name> SPECS <file or folder>...)
#
# Generates what the library castforge::castforge lacks of SPECS (a type, a rounding or an op-set each, or folders of
# them, or names of shipped ones that the library lacks: shelf/binary8p3ue, ieee754@2019; specs/FIELDS.md is the field
# reference), compiles it for the library's instruction sets, and adds it to the
# library's own: lookups see both. castforge::Type then has the added types, and `castforge@1` admits them.
#
#   find_package(castforge REQUIRED)
#   add_executable(app main.cpp)
#   castforge_add_kernels(TARGET app SPECS float8e3m4.json)     # app has the kernels, before main() runs
#   castforge_add_kernels(MODULE mykernels SPECS float8e3m4.json)  # libmykernels.so, for castforge --kernels
#
# The generator runs while CMake configures, since the list of files it writes depends on the specs; an edit of
# a spec configures again. The targets of a folder that name the same SPECS share what is compiled.
# The program castforge-gen is the installed one, the one that CASTFORGE_GEN_PROGRAM names (cross builds), or,
# with add_subdirectory, one that is built on the spot for this machine.
include_guard(DIRECTORY)
include("${CMAKE_CURRENT_LIST_DIR}/CastforgeLibrary.cmake")

set(CASTFORGE_GEN_PROGRAM "" CACHE FILEPATH "castforge-gen to use in castforge_add_kernels; empty: find or build it")
mark_as_advanced(CASTFORGE_GEN_PROGRAM)

# Sets `out` to a castforge-gen that runs on this machine.
function(_castforge_generator_program out data_dir)
  if(CASTFORGE_GEN_PROGRAM)
    if(NOT EXISTS "${CASTFORGE_GEN_PROGRAM}")
      message(FATAL_ERROR "castforge: CASTFORGE_GEN_PROGRAM names ${CASTFORGE_GEN_PROGRAM}, which is not there; it is "
        "the program castforge-gen of this machine, with its path")
    endif()
    set(${out} "${CASTFORGE_GEN_PROGRAM}" PARENT_SCOPE)
    return()
  endif()
  if(NOT EXISTS "${data_dir}/generator")
    if(TARGET castforge::castforge-gen)
      get_target_property(program castforge::castforge-gen LOCATION)
      set(${out} "${program}" PARENT_SCOPE)
      return()
    endif()
    find_program(program castforge-gen NO_CACHE NO_DEFAULT_PATH PATHS "${data_dir}/../../bin")
    find_program(program castforge-gen NO_CACHE)
    if(NOT program)
      message(FATAL_ERROR "castforge_add_kernels needs the program castforge-gen, found neither in "
        "${data_dir}/../../bin nor on the PATH. Install the component tools (Debian package castforge-tools), or name "
        "the program in CASTFORGE_GEN_PROGRAM.")
    endif()
    set(${out} "${program}" PARENT_SCOPE)
    return()
  endif()

  set(build "${CMAKE_BINARY_DIR}/castforge-generator")
  set(program "${build}/bin/castforge-gen")
  message(STATUS "castforge: building the generator in ${build}")
  # What says where dependencies are holds for the generator, too; what says how to compile, on the same machine.
  set(passed CASTFORGE_FETCH_DEPS CASTFORGE_DEPS_DIR CMAKE_PREFIX_PATH)
  list(TRANSFORM _castforge_dependencies APPEND _ROOT OUTPUT_VARIABLE roots)
  list(APPEND passed ${roots})
  if(NOT CMAKE_CROSSCOMPILING)
    list(APPEND passed CMAKE_CXX_COMPILER CMAKE_TOOLCHAIN_FILE CMAKE_MAKE_PROGRAM)
  endif()
  # In a file, as on a command line lists would come apart. It holds again when this project is configured again.
  set(settings "")
  foreach(variable IN LISTS passed)
    if(DEFINED ${variable} AND NOT "${${variable}}" STREQUAL "")
      string(APPEND settings "set(${variable} [==[${${variable}}]==] CACHE STRING \"\" FORCE)\n")
    elseif(NOT variable MATCHES "^CMAKE_(CXX_COMPILER|TOOLCHAIN_FILE|MAKE_PROGRAM)$")
      string(APPEND settings "unset(${variable} CACHE)\n")
    endif()
  endforeach()
  file(WRITE "${build}/settings.cmake" "${settings}")
  set(config "")
  get_property(has_configs GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(has_configs)
    set(config --config Release)
    set(program "${build}/bin/Release/castforge-gen")
  endif()
  foreach(command IN ITEMS configure build)
    if(command STREQUAL "configure")
      set(line "${CMAKE_COMMAND}" -S "${data_dir}" -B "${build}" -G "${CMAKE_GENERATOR}" -C "${build}/settings.cmake"
        -DCASTFORGE_BUILD_RUNTIME=OFF -DCASTFORGE_BUILD_TOOLS=OFF -DCASTFORGE_BUILD_TESTS=OFF)
    else()
      set(line "${CMAKE_COMMAND}" --build "${build}" --target castforge-gen ${config})
    endif()
    execute_process(COMMAND ${line} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(failed)
      message(FATAL_ERROR "castforge: castforge-gen could not be built (${command}):\n${output}")
    endif()
  endforeach()
  set(${out} "${program}" PARENT_SCOPE)
endfunction()

# Sets `out` to a generated tree of the named op-sets and families alone, which is written while CMake configures.
function(castforge_generate_opsets out)
  get_filename_component(data_dir "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/.." ABSOLUTE)
  _castforge_generator_program(program "${data_dir}")
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/generated")
  list(JOIN ARGN "," opsets)
  file(GLOB_RECURSE specs CONFIGURE_DEPENDS "${data_dir}/specs/*.json")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${specs})
  message(STATUS "castforge: generating the kernels of ${opsets}")
  execute_process(COMMAND "${program}" generate --opsets "${opsets}" --out "${generated}"
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE error)
  if(failed)
    message(FATAL_ERROR "CASTFORGE_OPSETS is \"${ARGN}\": castforge-gen generate failed (${failed}):\n${error}")
  endif()
  set(${out} "${generated}" PARENT_SCOPE)
endfunction()

# Sets `out` to the static library with the kernels of SPECS, which is made where there is none yet, and `key_out` to
# the name of its module.
function(_castforge_kernels_of out key_out)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SPECS")
  # specs/, templates/ and runtime/ lie beside this module's folder, in the source tree and where it is installed.
  get_filename_component(data_dir "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/.." ABSOLUTE)
  get_target_property(isas castforge::castforge CASTFORGE_ISAS)
  get_target_property(manifest castforge::castforge CASTFORGE_MANIFEST)
  if(NOT manifest)
    set(manifest "${data_dir}/MANIFEST.tsv")
  endif()
  set(spec_options "")
  if(EXISTS "${data_dir}/specs")  # else the program was installed apart, with its own
    set(spec_options --specs "${data_dir}/specs")
  endif()
  get_target_property(opsets castforge::castforge CASTFORGE_OPSETS)
  if(opsets)
    list(JOIN opsets "," opsets)
    list(APPEND spec_options --opsets "${opsets}")
  endif()
  foreach(spec IN LISTS arg_SPECS)
    if(spec MATCHES "^(shelf/[a-z][a-z0-9_]*|[a-z][a-z0-9-]*@[0-9.-]+)$" AND NOT EXISTS
       "${CMAKE_CURRENT_SOURCE_DIR}/${spec}")
      list(APPEND spec_options --specs "${spec}")  # a shipped spec by its name
      continue()
    endif()
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

  string(SHA256 key "${spec_options}")
  string(SUBSTRING ${key} 0 8 key)
  set(library castforge_kernels_${key})
  if(NOT TARGET ${library})
    _castforge_generator_program(program "${data_dir}")
    set(generated "${CMAKE_CURRENT_BINARY_DIR}/${library}/generated")
    message(STATUS "castforge: generating the kernels that the library lacks")
    execute_process(COMMAND "${program}" generate --beside "${manifest}" ${spec_options} --out "${generated}"
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE error)
    if(failed)
      message(FATAL_ERROR "castforge_add_kernels: castforge-gen generate failed (${failed}):\n${error}")
    endif()
    castforge_add_module(${library} NAME added_${key} RUNTIME "${data_dir}/runtime" GENERATED "${generated}"
      ISAS ${isas})
    target_link_libraries(${library} INTERFACE castforge::castforge)

    add_library(${library}_start OBJECT "${data_dir}/runtime/module/at_start.cpp")
    target_compile_definitions(${library}_start PRIVATE CASTFORGE_MODULE=added_${key})
    target_link_libraries(${library}_start PRIVATE castforge::castforge)
    set_target_properties(${library}_start PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  set(${out} ${library} PARENT_SCOPE)
  set(${key_out} added_${key} PARENT_SCOPE)
endfunction()

function(castforge_add_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;MODULE" "SPECS")
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CXX" IN_LIST languages)
    message(FATAL_ERROR "castforge_add_kernels: kernels are C++, which this project has to know, too: "
      "project(${PROJECT_NAME} LANGUAGES C CXX)")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "castforge_add_kernels: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if((arg_TARGET AND arg_MODULE) OR NOT (arg_TARGET OR arg_MODULE) OR NOT arg_SPECS)
    message(FATAL_ERROR "castforge_add_kernels(TARGET <target> | MODULE <name> SPECS <file or folder>...): "
      "a target or the name of a shared object, and specs are needed")
  endif()
  if(arg_TARGET AND NOT TARGET ${arg_TARGET})
    message(FATAL_ERROR "castforge_add_kernels: there is no target \"${arg_TARGET}\"")
  endif()
  _castforge_kernels_of(library module SPECS ${arg_SPECS})
  get_target_property(generated ${library} BINARY_DIR)
  set(generated "${generated}/${library}/generated")

  if(arg_MODULE)
    get_filename_component(data_dir "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/.." ABSOLUTE)
    add_library(${arg_MODULE} MODULE "${data_dir}/runtime/module/shared_object.cpp")
    target_compile_definitions(${arg_MODULE} PRIVATE CASTFORGE_MODULE=${module})
    target_compile_features(${arg_MODULE} PRIVATE cxx_std_20)
    target_include_directories(${arg_MODULE} PRIVATE
      $<TARGET_PROPERTY:castforge::castforge,INTERFACE_INCLUDE_DIRECTORIES>)
    # All that it needs is its own: the program that opens it has the library.
    target_link_libraries(${arg_MODULE} PRIVATE $<TARGET_FILE:${library}>)
    add_dependencies(${arg_MODULE} ${library})
    return()
  endif()

  get_target_property(other ${arg_TARGET} CASTFORGE_KERNELS)
  if(other STREQUAL library)
    return()
  elseif(other)
    message(FATAL_ERROR "castforge_add_kernels: ${arg_TARGET} has other kernels already; name all SPECS in one call")
  endif()
  set_target_properties(${arg_TARGET} PROPERTIES CASTFORGE_KERNELS ${library})
  # castforge/types.hpp with the added types.
  target_include_directories(${arg_TARGET} BEFORE PRIVATE "${generated}/include")
  target_link_libraries(${arg_TARGET} PRIVATE ${library})
  # An object that nothing refers to is not taken out of a static library, and those of an object library are its own
  # sources alone: it goes to those who link either.
  get_target_property(type ${arg_TARGET} TYPE)
  set(whose PRIVATE)
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    set(whose INTERFACE)
  endif()
  target_sources(${arg_TARGET} ${whose} $<TARGET_OBJECTS:${library}_start>)
  # The library's tables refer to what was added: a shared object with it stays in memory after dlclose().
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(${arg_TARGET} ${whose}
      $<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>>:LINKER:-z,nodelete>)
  endif()
endfunction()
