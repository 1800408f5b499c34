# cmake -D SOURCE_DIR=... -D WORK_DIR=... -P bill_of_materials.cmake: the bill of materials, without a build.
cmake_minimum_required(VERSION 3.25)
include("${SOURCE_DIR}/.cmake/Version.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/check_bill.cmake")

set(ENV{SOURCE_DATE_EPOCH} 1700000000)
foreach(file IN ITEMS first second)
  execute_process(COMMAND "${CMAKE_COMMAND}" -D "OUTPUT=${WORK_DIR}/${file}.spdx.json"
    -P "${SOURCE_DIR}/.cmake/Sbom.cmake" COMMAND_ERROR_IS_FATAL ANY)
  file(READ "${WORK_DIR}/${file}.spdx.json" ${file})
endforeach()
check_bill("${WORK_DIR}/first.spdx.json")
if(NOT first STREQUAL second)
  message(SEND_ERROR "two bills of materials at one SOURCE_DATE_EPOCH differ")
endif()
