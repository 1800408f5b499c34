# Where the libraries that castforge is built with come from.
#
#   castforge_require(xsimd | json | cli11 | xxhash | zlib | mustache | catch2 | benchmark)  an error without it
#   castforge_look_for_z3()                                                            sets CASTFORGE_Z3, never an error
#   castforge_look_for_peer(eigen | highway | onednn | xnnpack)                        a target only where it is found
#
# Each is looked for in this order:
#   1. what is installed (CMAKE_PREFIX_PATH, <name>_ROOT, the system), if its version suffices;
#   2. the package archive of this machine's system, unpacked below the build tree without root;
#   3. the upstream release.
# With CASTFORGE_FETCH_DEPS=OFF only the first is tried. The result is a target castforge_dep::<name>; when cross
# compiling, one of the target machine.
# Header-only libraries are found by their headers and the version macros in them: xsimd's CMake package,
# for one, asks for a library (xtl) that its headers do not need.
include_guard(DIRECTORY)
include(FetchContent)

option(CASTFORGE_FETCH_DEPS "Download dependencies that are not installed" ON)
set(CASTFORGE_DEPS_DIR "${CMAKE_BINARY_DIR}/deps" CACHE PATH "Where downloaded dependencies are unpacked")
mark_as_advanced(CASTFORGE_DEPS_DIR)

# Packages without machine code run on any release; libraries and programs must fit this one's C++ library.
# (Cache variables: the functions are called from folders that do not see this file's scope.)
set(_castforge_any_suite own own-backports stable testing unstable CACHE INTERNAL "")
set(_castforge_same_suite own own-backports CACHE INTERNAL "")

# ---- what is needed -------------------------------------------------------------------------------------------
# kind HEADERS: HEADER is the file to include; VERSION_FILES may define the macros <VERSION_MACRO>_MAJOR, ...
# kind CONFIG: PACKAGE is the CMake package, TARGETS what it must define; MODULE: CMake itself knows how to find it;
# UPSTREAM_TARGETS: what the upstream build defines, where that differs.
# LICENSE (SPDX identifier) and PART_OF (what it is compiled into or linked with: library, the programs, tests) go into
# the bill of materials (Sbom.cmake).
set(_castforge_dependencies xsimd json cli11 xxhash zlib mustache catch2 benchmark CACHE INTERNAL "")
set(_castforge_recipe_flags HEADERS CONFIG MODULE CACHE INTERNAL "")
set(_castforge_recipe_single VERSION DEB HEADER VERSION_MACRO PACKAGE URL SHA256 LICENSE CACHE INTERNAL "")
set(_castforge_recipe_multiple VERSION_FILES TARGETS UPSTREAM_TARGETS OPTIONS PART_OF CACHE INTERNAL "")
set(_castforge_dep_xsimd HEADERS VERSION 13.2.0 DEB libxsimd-dev HEADER xsimd/xsimd.hpp
  VERSION_FILES xsimd/config/xsimd_config.hpp VERSION_MACRO XSIMD_VERSION
  URL https://github.com/xtensor-stack/xsimd/archive/refs/tags/13.2.0.tar.gz
  SHA256 edd8cd3d548c185adc70321c53c36df41abe64c1fe2c67bc6d93c3ecda82447a
  LICENSE BSD-3-Clause PART_OF library
  CACHE INTERNAL "")
set(_castforge_dep_json HEADERS VERSION 3.9.0 DEB nlohmann-json3-dev HEADER nlohmann/json.hpp
  VERSION_FILES nlohmann/detail/abi_macros.hpp nlohmann/json.hpp VERSION_MACRO NLOHMANN_JSON_VERSION
  URL https://github.com/nlohmann/json/archive/refs/tags/v3.11.3.tar.gz
  SHA256 0d8ef5af7f9794e3263480193c491549b2ba6cc74bb018906202ada498a79406
  LICENSE MIT PART_OF castforge castforge-gen tests
  CACHE INTERNAL "")
set(_castforge_dep_cli11 HEADERS VERSION 2.1.0 DEB libcli11-dev HEADER CLI/CLI.hpp
  VERSION_FILES CLI/Version.hpp CLI/CLI.hpp VERSION_MACRO CLI11_VERSION
  URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.2.tar.gz
  SHA256 f2d893a65c3b1324c50d4e682c0cdc021dd0477ae2c048544f39eed6654b699a
  LICENSE BSD-3-Clause PART_OF castforge castforge-gen tests
  CACHE INTERNAL "")
set(_castforge_dep_xxhash HEADERS VERSION 0.8.0 DEB libxxhash-dev HEADER xxhash.h
  VERSION_FILES xxhash.h VERSION_MACRO XXH_VERSION
  URL https://github.com/Cyan4973/xxHash/archive/refs/tags/v0.8.2.tar.gz
  SHA256 baee0c6afd4f03165de7a4e67988d16f0f2b257b51d0e3cb91909302a26a79c4
  LICENSE BSD-2-Clause PART_OF castforge
  CACHE INTERNAL "")
set(_castforge_dep_zlib CONFIG MODULE VERSION 1.2.9 DEB zlib1g-dev PACKAGE ZLIB TARGETS ZLIB::ZLIB
  URL https://github.com/madler/zlib/releases/download/v1.3.1/zlib-1.3.1.tar.gz
  SHA256 9a93b2b7dfdac77ceba5a558a580e74667dd6fede4585b91eefb60f03b72df23
  UPSTREAM_TARGETS zlibstatic OPTIONS ZLIB_BUILD_EXAMPLES=OFF
  LICENSE Zlib PART_OF castforge
  CACHE INTERNAL "")
set(_castforge_dep_mustache HEADERS VERSION 4.1 DEB libkainjow-mustache-dev HEADER kainjow/mustache.hpp
  URL https://github.com/kainjow/Mustache/archive/refs/tags/v4.1.tar.gz
  SHA256 acd66359feb4318b421f9574cfc5a511133a77d916d0b13c7caa3783c0bfe167
  LICENSE BSL-1.0 PART_OF castforge-gen
  CACHE INTERNAL "")
set(_castforge_dep_catch2 CONFIG VERSION 3.0.1 DEB libcatch2-dev PACKAGE Catch2 TARGETS Catch2::Catch2WithMain
  URL https://github.com/catchorg/Catch2/archive/refs/tags/v3.7.1.tar.gz
  SHA256 c991b247a1a0d7bb9c39aa35faf0fe9e19764213f28ffba3109388e62ee0269c
  LICENSE BSL-1.0 PART_OF tests
  CACHE INTERNAL "")
set(_castforge_dep_benchmark CONFIG VERSION 1.6.0 DEB libbenchmark-dev PACKAGE benchmark TARGETS benchmark::benchmark
  URL https://github.com/google/benchmark/archive/refs/tags/v1.8.3.tar.gz
  SHA256 6bc180a57d23d4d9515519f92b0c83d61b05b5bab188961f36ac7b06b0d9e9ce
  OPTIONS BENCHMARK_ENABLE_TESTING=OFF BENCHMARK_ENABLE_INSTALL=OFF BENCHMARK_ENABLE_WERROR=OFF
  LICENSE Apache-2.0 PART_OF tests
  CACHE INTERNAL "")

# Libraries that tests/bench/peers measures: what they need to be linked, and the packages that hold it. Any version.
set(_castforge_peer_eigen HEADER Eigen/Core DEBS libeigen3-dev CACHE INTERNAL "")
set(_castforge_peer_highway HEADER hwy/highway.h LIBRARIES hwy DEBS libhwy-dev CACHE INTERNAL "")
set(_castforge_peer_onednn HEADER dnnl.hpp LIBRARIES dnnl OpenCL DEBS libdnnl-dev ocl-icd-opencl-dev ocl-icd-libopencl1
  CACHE INTERNAL "")
set(_castforge_peer_xnnpack HEADER xnnpack.h LIBRARIES XNNPACK pthreadpool cpuinfo
  DEBS libxnnpack-dev libpthreadpool-dev libcpuinfo-dev CACHE INTERNAL "")

# ---- finding --------------------------------------------------------------------------------------------------
# Reads <macro>_MAJOR, _MINOR and _PATCH (or _RELEASE) from the first of the files that has them; "unknown" otherwise.
function(_castforge_header_version out include_dir macro)
  set(${out} unknown PARENT_SCOPE)
  foreach(file IN LISTS ARGN)
    if(NOT EXISTS "${include_dir}/${file}")
      continue()
    endif()
    set(parts "")
    foreach(part MAJOR MINOR "(PATCH|RELEASE)")
      file(STRINGS "${include_dir}/${file}" line LIMIT_COUNT 1 REGEX "^#[ \t]*define[ \t]+${macro}_${part}[ \t]+[0-9]+")
      if(line MATCHES "[ \t]([0-9]+)")
        list(APPEND parts ${CMAKE_MATCH_1})
      endif()
    endforeach()
    list(LENGTH parts count)
    if(count EQUAL 3)
      list(JOIN parts . version)
      set(${out} ${version} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Looks in `where` ("system" or a prefix) and makes the target if the version suffices; `out` says whether,
# `out`_seen what was found instead.
function(_castforge_find out name where)
  cmake_parse_arguments(PARSE_ARGV 3 dep "${_castforge_recipe_flags}" "${_castforge_recipe_single}"
    "${_castforge_recipe_multiple}")
  set(${out} FALSE PARENT_SCOPE)
  set(${out}_seen "" PARENT_SCOPE)

  if(dep_CONFIG)
    if(where STREQUAL "system")
      set(places "")
      if(CMAKE_CROSSCOMPILING AND NOT CMAKE_SYSROOT AND NOT CMAKE_FIND_ROOT_PATH)
        set(places NO_CMAKE_SYSTEM_PATH NO_SYSTEM_ENVIRONMENT_PATH)  # those hold the build machine's libraries
      endif()
      find_package(${dep_PACKAGE} ${dep_VERSION} QUIET GLOBAL ${places})
      if(NOT ${dep_PACKAGE}_FOUND AND ${dep_PACKAGE}_CONSIDERED_VERSIONS)
        set(${out}_seen "${dep_PACKAGE} ${${dep_PACKAGE}_CONSIDERED_VERSIONS}" PARENT_SCOPE)
      endif()
    elseif(dep_MODULE)
      set(${dep_PACKAGE}_ROOT "${where}")
      find_package(${dep_PACKAGE} ${dep_VERSION} QUIET GLOBAL MODULE)
    else()
      find_package(${dep_PACKAGE} ${dep_VERSION} QUIET GLOBAL CONFIG NO_DEFAULT_PATH
        PATHS "${where}" "${where}/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
    endif()
    if(NOT ${dep_PACKAGE}_FOUND)
      unset(${dep_PACKAGE}_DIR CACHE)
      unset(${dep_PACKAGE}_INCLUDE_DIR CACHE)
      return()
    endif()
    add_library(castforge_dep::${name} INTERFACE IMPORTED GLOBAL)
    target_link_libraries(castforge_dep::${name} INTERFACE ${dep_TARGETS})
    set(version ${${dep_PACKAGE}_VERSION})
    if(NOT version)
      set(version ${${dep_PACKAGE}_VERSION_STRING})  # FindZLIB of CMake before 3.26
    endif()
    set(place ${${dep_PACKAGE}_DIR})
    if(dep_MODULE)
      set(place ${${dep_PACKAGE}_INCLUDE_DIRS})
    endif()
  else()
    unset(place)
    if(where STREQUAL "system")
      find_path(place ${dep_HEADER} NO_CACHE HINTS ${${name}_ROOT} ENV ${name}_ROOT PATH_SUFFIXES include)
    else()
      find_path(place ${dep_HEADER} NO_CACHE NO_DEFAULT_PATH PATHS "${where}/include" "${where}")
    endif()
    if(NOT place)
      return()
    endif()
    string(REGEX REPLACE "/$" "" place "${place}")
    set(version "")
    if(dep_VERSION_MACRO)
      _castforge_header_version(version "${place}" ${dep_VERSION_MACRO} ${dep_VERSION_FILES})
      if(version STREQUAL "unknown" OR version VERSION_LESS dep_VERSION)
        set(${out}_seen "${place}/${dep_HEADER}, version ${version}" PARENT_SCOPE)
        return()
      endif()
    endif()
    add_library(castforge_dep::${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(castforge_dep::${name} SYSTEM INTERFACE "${place}")
  endif()

  string(STRIP "${name} ${version}" found)
  message(STATUS "castforge: ${found} in ${place}")
  set_property(GLOBAL PROPERTY castforge_found_version_${name} "${version}")
  set(${out} TRUE PARENT_SCOPE)
endfunction()

# The package archive's name of the machine that libraries must fit, where it is not this one; empty otherwise.
function(_castforge_foreign_architecture out)
  set(${out} "" PARENT_SCOPE)
  if(CMAKE_CROSSCOMPILING)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
      set(${out} arm64 PARENT_SCOPE)
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
      set(${out} amd64 PARENT_SCOPE)
    else()
      set(${out} "${CMAKE_SYSTEM_PROCESSOR}" PARENT_SCOPE)  # where the names differ, the archive has nothing by it
    endif()
  endif()
endfunction()

# Unpacks Debian packages into `prefix`, those of `architecture` unless that is empty; tries the suites in turn.
function(_castforge_unpack out name prefix architecture package)
  set(${out} FALSE PARENT_SCOPE)
  if(NOT CMAKE_HOST_SYSTEM_NAME STREQUAL "Linux")
    set(${out}_log "not a Linux system" PARENT_SCOPE)
    return()
  endif()
  set(log "")
  foreach(suite IN LISTS ARGN)
    message(STATUS "castforge: ${name} is not installed; asking the system's package archive (${suite})")
    execute_process(
      COMMAND "${CMAKE_COMMAND}" -E env "ARCHITECTURE=${architecture}"
        sh "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/fetch_packages.sh" "${prefix}" ${suite} "${CASTFORGE_DEPS_DIR}/lists"
        "${package}"
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE error ERROR_STRIP_TRAILING_WHITESPACE)
    if(NOT failed)
      set(${out} TRUE PARENT_SCOPE)
      return()
    endif()
    string(REPLACE "\n" "\n      " error "${error}")
    string(APPEND log "\n      ${error}")
    if(failed EQUAL 2)  # no archive on this system, or none that can be reached, whatever the suite
      break()
    endif()
  endforeach()
  set(${out}_log "${log}" PARENT_SCOPE)
endfunction()

# Downloads the upstream release to `archive`, or ends with what to do instead. FetchContent alone would try for a
# minute and a half where there is no network, and then say what CMake did.
function(_castforge_download archive name)
  cmake_parse_arguments(PARSE_ARGV 2 dep "${_castforge_recipe_flags}" "${_castforge_recipe_single}"
    "${_castforge_recipe_multiple}")
  if(EXISTS "${archive}")
    return()
  endif()
  message(STATUS "castforge: ${name} from ${dep_URL}")
  foreach(attempt RANGE 1)  # a connection may break
    file(DOWNLOAD ${dep_URL} "${archive}.part" TIMEOUT 600 INACTIVITY_TIMEOUT 20 STATUS status)
    list(POP_FRONT status failed)
    string(REPLACE "\"" "" status "${status}")
    if(failed EQUAL 28)  # a time limit: another attempt would take as long
      break()
    elseif(failed)
      continue()
    endif()
    file(SHA256 "${archive}.part" hash)
    if(hash STREQUAL dep_SHA256)
      file(RENAME "${archive}.part" "${archive}")
      return()
    endif()
    set(status "another file than the release, with the SHA-256 ${hash}")
  endforeach()
  file(REMOVE "${archive}.part")
  string(TOUPPER ${name} upper)
  message(FATAL_ERROR "castforge needs ${name} ${dep_VERSION} or newer, and cannot download it: ${status}.\n"
    "Install it (Debian package ${dep_DEB}), or name what is on this machine: its prefix in CMAKE_PREFIX_PATH, the "
    "folder of its sources in FETCHCONTENT_SOURCE_DIR_CASTFORGE_${upper}, or the folder deps of another build tree of "
    "the same generator in CASTFORGE_DEPS_DIR.")
endfunction()

# The upstream release: headers are taken as they lie, libraries are built.
function(_castforge_upstream name)
  cmake_parse_arguments(PARSE_ARGV 1 dep "${_castforge_recipe_flags}" "${_castforge_recipe_single}"
    "${_castforge_recipe_multiple}")
  foreach(setting IN LISTS dep_OPTIONS)
    string(REGEX MATCH "^([^=]+)=(.*)$" matched "${setting}")
    set(${CMAKE_MATCH_1} "${CMAKE_MATCH_2}" CACHE INTERNAL "")
  endforeach()
  set(FETCHCONTENT_BASE_DIR "${CASTFORGE_DEPS_DIR}/upstream")
  set(CMAKE_COMPILE_WARNING_AS_ERROR OFF)  # its warnings are not ours
  set(source_subdir "")
  if(dep_HEADERS)
    set(source_subdir SOURCE_SUBDIR headers-only)  # names no folder on purpose: nothing to add_subdirectory
  endif()
  string(TOUPPER "FETCHCONTENT_SOURCE_DIR_CASTFORGE_${name}" unpacked_by_user)
  string(SUBSTRING ${dep_SHA256} 0 12 hash)
  set(url "${FETCHCONTENT_BASE_DIR}/${name}-${hash}.tar.gz")
  if(EXISTS "${FETCHCONTENT_BASE_DIR}/castforge_${name}-src" AND NOT EXISTS "${url}")
    set(url ${dep_URL})  # FetchContent has unpacked it, and knows whether that was this release
  elseif(NOT ${unpacked_by_user})
    _castforge_download("${url}" ${name} ${ARGN})
  endif()
  FetchContent_Declare(castforge_${name} URL "${url}" URL_HASH SHA256=${dep_SHA256} ${source_subdir}
    DOWNLOAD_EXTRACT_TIMESTAMP FALSE)
  FetchContent_MakeAvailable(castforge_${name})
  FetchContent_GetProperties(castforge_${name} SOURCE_DIR source BINARY_DIR binary)
  if(dep_CONFIG)
    string(REGEX MATCH "[0-9]+(\\.[0-9]+)+" version "${dep_URL}")
    set_property(GLOBAL PROPERTY castforge_found_version_${name} "${version}")
    add_library(castforge_dep::${name} INTERFACE IMPORTED GLOBAL)
    if(dep_UPSTREAM_TARGETS)
      target_link_libraries(castforge_dep::${name} INTERFACE ${dep_UPSTREAM_TARGETS})
      target_include_directories(castforge_dep::${name} SYSTEM INTERFACE "${source}" "${binary}")
    else()
      target_link_libraries(castforge_dep::${name} INTERFACE ${dep_TARGETS})
    endif()
    return()
  endif()
  # A release may keep its one header at the top: give it the folder that `#include` spells.
  get_filename_component(file ${dep_HEADER} NAME)
  if(EXISTS "${source}/${file}" AND NOT EXISTS "${source}/include/${dep_HEADER}")
    configure_file("${source}/${file}" "${source}/include/${dep_HEADER}" COPYONLY)
  endif()
  _castforge_find(found ${name} "${source}" ${_castforge_dep_${name}})
  if(NOT found)
    message(FATAL_ERROR "castforge: ${dep_URL} holds no ${dep_HEADER} of version ${dep_VERSION} or newer")
  endif()
endfunction()

function(castforge_require name)
  if(TARGET castforge_dep::${name})
    return()
  endif()
  set(recipe ${_castforge_dep_${name}})
  list(GET recipe 0 kind)
  cmake_parse_arguments(dep "${_castforge_recipe_flags}" "${_castforge_recipe_single}" "${_castforge_recipe_multiple}"
    ${recipe})

  _castforge_find(found ${name} system ${recipe})
  if(found)
    return()
  endif()
  set(seen "${found_seen}")
  if(seen)
    message(STATUS "castforge: ${name}: ${seen} is older than ${dep_VERSION}, not used")
  endif()

  set(prefix "${CASTFORGE_DEPS_DIR}/${name}")
  set(architecture "")
  if(kind STREQUAL "CONFIG")
    _castforge_foreign_architecture(architecture)
  endif()
  if(architecture)
    string(APPEND prefix "-${architecture}")
  endif()
  _castforge_find(found ${name} "${prefix}/usr" ${recipe})  # unpacked by an earlier run
  if(found)
    return()
  endif()

  string(TOUPPER "FETCHCONTENT_SOURCE_DIR_CASTFORGE_${name}" unpacked_by_user)
  if(${unpacked_by_user})
    _castforge_upstream(${name} ${recipe})
    return()
  endif()
  if(NOT CASTFORGE_FETCH_DEPS OR FETCHCONTENT_FULLY_DISCONNECTED)
    set(why "CASTFORGE_FETCH_DEPS is OFF")
    set(instead ", or set CASTFORGE_FETCH_DEPS=ON")
    if(CASTFORGE_FETCH_DEPS)
      set(why "FETCHCONTENT_FULLY_DISCONNECTED is ON")
      set(instead ", or the folder of its sources in ${unpacked_by_user}")
    endif()
    if(seen)
      set(seen " Found only ${seen}.")
    endif()
    message(FATAL_ERROR "castforge needs ${name} ${dep_VERSION} or newer, and ${why}.${seen}\n"
      "Install it (Debian package ${dep_DEB}), name its prefix in CMAKE_PREFIX_PATH${instead}.")
  endif()

  if(CASTFORGE_UPSTREAM_${name})  # an earlier run found it nowhere else
    _castforge_upstream(${name} ${recipe})
    return()
  endif()
  if(kind STREQUAL "HEADERS")
    set(suites ${_castforge_any_suite})
  else()
    set(suites ${_castforge_same_suite})
  endif()
  _castforge_unpack(unpacked ${name} "${prefix}" "${architecture}" "${dep_DEB}>=${dep_VERSION}" ${suites})
  if(unpacked)
    _castforge_find(found ${name} "${prefix}/usr" ${recipe})
    if(found)
      return()
    endif()
  else()
    message(STATUS "castforge: no ${name} ${dep_VERSION} or newer in the package archive:${unpacked_log}")
  endif()
  _castforge_upstream(${name} ${recipe})
  set(CASTFORGE_UPSTREAM_${name} TRUE CACHE INTERNAL "")
endfunction()

# The SMT solver of `castforge-gen verify --level smt` and of the tests that use it.
function(castforge_look_for_z3)
  if(CMAKE_CROSSCOMPILING)
    return()  # it would have to run where the tests run
  endif()
  set(prefix "${CASTFORGE_DEPS_DIR}/z3")
  find_program(CASTFORGE_Z3 z3 PATHS "${prefix}/usr/bin" DOC "Z3 program, for proofs; optional")
  if(NOT CASTFORGE_Z3 AND CASTFORGE_FETCH_DEPS AND NOT CASTFORGE_Z3_SOUGHT)
    _castforge_unpack(unpacked z3 "${prefix}" "" z3 own)
    set(CASTFORGE_Z3_SOUGHT TRUE CACHE INTERNAL "")
    find_program(CASTFORGE_Z3 z3 NO_DEFAULT_PATH PATHS "${prefix}/usr/bin")
  endif()
  if(CASTFORGE_Z3)
    message(STATUS "castforge: z3 in ${CASTFORGE_Z3}")
  else()
    message(STATUS "castforge: no z3: proofs by SMT are not run")
  endif()
endfunction()

# Looks for header and libraries of a peer, at `places` (arguments of find_path and find_library).
function(_castforge_find_peer out name)
  cmake_parse_arguments(dep "" "HEADER" "LIBRARIES;DEBS" ${_castforge_peer_${name}})
  set(${out} FALSE PARENT_SCOPE)
  unset(include)
  find_path(include ${dep_HEADER} NO_CACHE PATH_SUFFIXES eigen3 ${ARGN})
  set(libraries "")
  foreach(library IN LISTS dep_LIBRARIES)
    unset(file)
    find_library(file ${library} NO_CACHE PATH_SUFFIXES "${CMAKE_LIBRARY_ARCHITECTURE}" ${ARGN})
    list(APPEND libraries "${file}")
  endforeach()
  if(NOT include OR libraries MATCHES "NOTFOUND")
    return()
  endif()
  string(REGEX REPLACE "/$" "" include "${include}")
  message(STATUS "castforge: ${name} in ${include}")
  add_library(castforge_dep::${name} INTERFACE IMPORTED GLOBAL)
  target_include_directories(castforge_dep::${name} SYSTEM INTERFACE "${include}")
  target_link_libraries(castforge_dep::${name} INTERFACE ${libraries})
  set(${out} TRUE PARENT_SCOPE)
endfunction()

# Makes castforge_dep::<name> from what is installed or in the package archive; elsewhere says what is missing.
function(castforge_look_for_peer name)
  cmake_parse_arguments(dep "" "HEADER" "LIBRARIES;DEBS" ${_castforge_peer_${name}})
  _castforge_find_peer(found ${name})
  set(prefix "${CASTFORGE_DEPS_DIR}/${name}")
  set(there NO_DEFAULT_PATH PATHS "${prefix}/usr/include" "${prefix}/usr/lib")
  if(NOT found)
    _castforge_find_peer(found ${name} ${there})  # unpacked by an earlier run
  endif()
  if(NOT found AND CASTFORGE_FETCH_DEPS AND NOT CMAKE_CROSSCOMPILING)
    foreach(package IN LISTS dep_DEBS)
      _castforge_unpack(unpacked ${name} "${prefix}" "" ${package} own)
    endforeach()
    _castforge_find_peer(found ${name} ${there})
  endif()
  if(NOT found)
    list(JOIN dep_DEBS " " packages)
    message(STATUS "castforge: no ${name} (Debian packages ${packages}): not measured")
  endif()
endfunction()
