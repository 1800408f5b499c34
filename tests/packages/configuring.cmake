# cmake -D SOURCE_DIR=... -D PREFIX=... ... -P configuring.cmake: what configuring refuses, and why, and what it makes
# of folders. PREFIX: an installation; STATIC: whether that of a static library. Nothing is compiled.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${WORK_DIR}/configuring")

# `text` is a project; `pattern` is in what CMake says where it has to fail, empty where it must not.
function(expect what pattern text)
  set(project "${WORK_DIR}/configuring/${what}")
  file(WRITE "${project}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)\n${text}\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${project}" -B "${project}/build" -G "${GENERATOR}"
    "-DCMAKE_PREFIX_PATH=${PREFIX}" "-DCASTFORGE_DEPS_DIR=${DEPS_DIR}" "-DCMAKE_CXX_COMPILER=${CXX}" ${ARGN}
    RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(pattern AND NOT (failed AND output MATCHES "${pattern}"))
    message(SEND_ERROR "${what}: expected an error with \"${pattern}\", found:\n${output}")
  elseif(NOT pattern AND failed)
    message(SEND_ERROR "${what}: expected no error, found:\n${output}")
  endif()
endfunction()

set(subproject "add_subdirectory(\"${SOURCE_DIR}\" castforge)")
# What links castforge inherits its compile features, which CMake knows of enabled languages alone: shared ones, too.
foreach(shared IN ITEMS OFF ON)
  expect("C and a subproject, shared ${shared}" "castforge is C\\+\\+, which a project that adds.*LANGUAGES C CXX"
    "project(p LANGUAGES C)\n${subproject}" -DBUILD_SHARED_LIBS=${shared})
endforeach()
if(STATIC)
  expect("C and a package" "static castforge is linked by the C\\+\\+ compiler.*LANGUAGES C CXX"
    "project(p LANGUAGES C)\nfind_package(castforge REQUIRED)")
  expect("programs alone" "" "project(p LANGUAGES NONE)\nfind_package(castforge REQUIRED COMPONENTS tools)")
endif()
set(other neon64)
if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "arm64|aarch64")
  set(other avx2)
endif()
expect("instruction sets of another processor" "names \"${other}\", which [^ ]+ does not have"
  "project(p LANGUAGES CXX)\nset(CASTFORGE_ISAS portable ${other} CACHE STRING \"\")\n${subproject}")
expect("absolute folders" "" "project(p LANGUAGES CXX)\n${subproject}" -DCASTFORGE_INSTALL=ON
  -DCASTFORGE_ISAS=portable -DCMAKE_INSTALL_LIBDIR=/one/lib -DCMAKE_INSTALL_INCLUDEDIR=/two/include)
set(written "${WORK_DIR}/configuring/absolute folders/build/castforge/castforge.pc")
file(STRINGS "${written}" lines REGEX "^(libdir|includedir)=")
if(NOT lines STREQUAL "includedir=/two/include;libdir=/one/lib")
  message(SEND_ERROR "${written}: expected /two/include and /one/lib, found ${lines}")
endif()
if(EXISTS "${WORK_DIR}/configuring/absolute folders/build/CPackConfig.cmake")
  message(SEND_ERROR "a subproject writes the packages of the project around it")
endif()
