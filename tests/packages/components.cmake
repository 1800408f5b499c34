# cmake -D BUILD_DIR=... -D COMPONENTS=... ... -P components.cmake: installs each component by itself. Together they are
# the whole installation, no file belongs to two but the licence and the bill of materials, and the development
# component works without the tools.
cmake_minimum_required(VERSION 3.25)
include("${SOURCE_DIR}/.cmake/Version.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/check_bill.cmake")

function(install_to prefix)
  file(REMOVE_RECURSE "${prefix}")
  execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}" --config "${CONFIG}" ${ARGN}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

install_to("${WORK_DIR}/all")
file(STRINGS "${BUILD_DIR}/install_manifest.txt" manifest)
if(NOT "${WORK_DIR}/all/share/doc/castforge/castforge.spdx.json" IN_LIST manifest)
  message(SEND_ERROR "install_manifest.txt, by which to remove an installation, lacks the bill of materials")
endif()
file(GLOB_RECURSE all RELATIVE "${WORK_DIR}/all" "${WORK_DIR}/all/*")
set(together "")
foreach(component IN LISTS COMPONENTS)
  set(prefix "${WORK_DIR}/${component}")
  install_to("${prefix}" --component ${component})
  file(GLOB_RECURSE files RELATIVE "${prefix}" "${prefix}/*")
  list(LENGTH files count)
  message(STATUS "${component}: ${count} files")
  foreach(file IN LISTS files)
    if(file IN_LIST together AND NOT file MATCHES "/(LICENSE|castforge\\.spdx\\.json)$")
      message(SEND_ERROR "${file} belongs to ${component} and to another component")
    endif()
  endforeach()
  list(APPEND together ${files})
  check_bill("${prefix}/share/doc/castforge/castforge.spdx.json")
endforeach()
list(REMOVE_DUPLICATES together)
list(SORT together)
list(SORT all)
if(NOT all STREQUAL together)
  list(REMOVE_ITEM all ${together})
  message(SEND_ERROR "in no component: ${all}")
endif()

# find_package with nothing but what a program needs to be compiled and linked; asking for more is refused.
set(prefix "${WORK_DIR}/without tools")
install_to("${prefix}" --component development)
if("runtime" IN_LIST COMPONENTS)
  execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}" --component runtime
    --config "${CONFIG}" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endif()
set(says_tools "component tools .* is not in this installation")
set(says_hdf5 "component hdf5 is not in this installation: castforge was built without HDF5")
set(says_hdf6 "no component hdf6; there are tools and hdf5")
foreach(asked IN ITEMS "" tools hdf5 hdf6)
  set(project "${WORK_DIR}/without tools project")
  file(REMOVE_RECURSE "${project}")
  file(WRITE "${project}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\n"
    "find_package(castforge ${CASTFORGE_VERSION} REQUIRED COMPONENTS ${asked})\n"
    "get_target_property(x castforge::castforge TYPE)\n")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${project}" -B "${project}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}" RESULT_VARIABLE failed OUTPUT_VARIABLE output
    ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  if(asked AND NOT (failed AND output MATCHES "${says_${asked}}"))
    message(SEND_ERROR "find_package(... COMPONENTS ${asked}) without ${asked}: no error that says so:\n${output}")
  elseif(NOT asked AND failed)
    message(SEND_ERROR "find_package(castforge) without the tools:\n${output}")
  endif()
endforeach()
