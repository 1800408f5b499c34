# cmake -D SOURCE_DIR=... -D WORK_DIR=... -P bill_of_materials.cmake: the bill of materials, without a build, and the
# licences of what it lists.
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

file(READ "${SOURCE_DIR}/.cmake/third_party_licenses.txt" licenses)
include("${SOURCE_DIR}/.cmake/Dependencies.cmake")
set(known nanobind robin-map)  # of the Python package's build alone
foreach(name IN LISTS _castforge_dependencies)
  cmake_parse_arguments(dep "${_castforge_recipe_flags}" "${_castforge_recipe_single}" "${_castforge_recipe_multiple}"
    ${_castforge_dep_${name}})
  if(NOT dep_PART_OF STREQUAL "tests")
    list(APPEND known ${name})
    string(FIND "${licenses}" "\n${name} (${dep_LICENSE}), in " at)
    if(at EQUAL -1)
      message(SEND_ERROR "third_party_licenses.txt: expected the text of ${name} (${dep_LICENSE}), which is part of "
        "what is built, found none")
    endif()
  endif()
endforeach()
string(REGEX MATCHALL "\n[a-z0-9-]+ \\([^)]+\\), in " headings "${licenses}")
foreach(heading IN LISTS headings)
  string(REGEX REPLACE "^\n([a-z0-9-]+) .*" "\\1" name "${heading}")
  if(NOT name IN_LIST known)
    message(SEND_ERROR "third_party_licenses.txt has ${name}, which is no dependency")
  endif()
endforeach()
