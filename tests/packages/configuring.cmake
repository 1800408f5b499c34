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
file(READ "${WORK_DIR}/configuring/absolute folders/build/castforge/cmake_install.cmake" installs)
if(NOT installs MATCHES "share/doc/castforge\"" OR installs MATCHES "share/doc/p\"")
  message(SEND_ERROR "the licence of a subproject is not in a folder of its own")
endif()

expect("the generator alone" "" "project(p LANGUAGES CXX)\n${subproject}" -DCASTFORGE_INSTALL=ON
  -DCASTFORGE_BUILD_RUNTIME=OFF -DCASTFORGE_BUILD_GENERATOR=ON -DCASTFORGE_BUILD_TOOLS=ON)
file(READ "${WORK_DIR}/configuring/the generator alone/build/castforge/cmake_install.cmake" installs)
foreach(installed IN ITEMS bin/castforge-gen /specs /templates /evidence man1 /LICENSE)
  if(NOT installs MATCHES "${installed}\"")
    message(SEND_ERROR "the generator alone: ${installed} is not installed")
  endif()
endforeach()
if(installs MATCHES "/include\"|\\.a\"|Targets\\.cmake")
  message(SEND_ERROR "the generator alone is installed with files of the library")
endif()

expect("names with commas" "separated by semicolons"
  "project(p LANGUAGES CXX)\nset(CASTFORGE_ISAS portable,avx2 CACHE STRING \"\")\n${subproject}")
expect("a generator that is not there" "CASTFORGE_GEN_PROGRAM names /nowhere/castforge-gen, which is not there"
  "project(p LANGUAGES CXX)\n${subproject}" -DCASTFORGE_OPSETS=pypto -DCASTFORGE_GEN_PROGRAM=/nowhere/castforge-gen)
expect("a target regen" "" "project(p LANGUAGES CXX)\nadd_custom_target(regen)\n${subproject}"
  -DCASTFORGE_BUILD_GENERATOR=ON -DCASTFORGE_ISAS=portable)
expect("old policies" "" "cmake_policy(SET CMP0057 OLD)\nproject(p LANGUAGES CXX)\nfind_package(castforge REQUIRED)")
# What the project around it asks of arithmetic, of warnings and of exceptions is for its own code.
expect("fast arithmetic" "" "project(p LANGUAGES CXX)\n${subproject}" -DCASTFORGE_ISAS=portable
  "-DCMAKE_CXX_FLAGS=-ffast-math -fno-exceptions" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
file(STRINGS "${WORK_DIR}/configuring/fast arithmetic/build/compile_commands.json" commands REGEX "\"command\"")
list(LENGTH commands count)
set(exact ${commands})
list(FILTER exact INCLUDE REGEX " -ffast-math .* -fno-fast-math ")
list(FILTER exact INCLUDE REGEX " -Wno-error ")
list(LENGTH exact exact_count)
set(throwing ${commands})
list(FILTER throwing INCLUDE REGEX "/add_kernels\\.cpp")
if(count EQUAL 0 OR NOT exact_count EQUAL count OR NOT throwing MATCHES " -fno-exceptions .* -fexceptions ")
  message(SEND_ERROR "fast arithmetic: of ${count} commands ${exact_count} undo it")
endif()
