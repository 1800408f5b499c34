# cmake -D GEN=<castforge-gen> -D RESULTS=<program of opsets/results.cpp, with the default library> -D SOURCE_DIR=...
#   -D WORK_DIR=... -P opsets.cmake; see CMakeLists.txt for the rest.
#
# ieee754@2019, p3109@4.0 in all rounding modes and a format of the shelf: compiled in the tree (CASTFORGE_OPSETS, the
# first of them), added to an installed library that lacks them by castforge_add_kernels, and loaded as tables. The same
# results. One instruction set: the others have tests of their own.
cmake_minimum_required(VERSION 3.25)
set(specs ieee754@2019 p3109@4.0 shelf/binary8p3ue)

function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Configures, builds and installs the library with the op-sets named, and builds the project of opsets/ with it.
function(build name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OPSETS;SPECS")
  set(settings -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX}" -DCMAKE_BUILD_TYPE=Release
    "-DCASTFORGE_GEN_PROGRAM=${GEN}" "-DCASTFORGE_DEPS_DIR=${DEPS_DIR}" "-DCASTFORGE_FETCH_DEPS=${FETCH_DEPS}")
  string(REPLACE ";" "\\;" opsets "${arg_OPSETS}")
  string(REPLACE ";" "\\;" added "${arg_SPECS}")
  set(dir "${WORK_DIR}/${name}")
  run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${dir}/library" ${settings} -DCASTFORGE_ISAS=portable
    "-DCASTFORGE_OPSETS=${opsets}" -DCASTFORGE_BUILD_TOOLS=OFF -DCASTFORGE_BUILD_GENERATOR=OFF
    -DCASTFORGE_BUILD_TESTS=OFF)
  run("${CMAKE_COMMAND}" --build "${dir}/library" --parallel 2)
  run("${CMAKE_COMMAND}" --install "${dir}/library" --prefix "${dir}/prefix")
  run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/opsets" -B "${dir}/project" ${settings}
    "-DCMAKE_PREFIX_PATH=${dir}/prefix" "-DSPECS=${added}")
  run("${CMAKE_COMMAND}" --build "${dir}/project" --parallel 2)
endfunction()

function(results out)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${code}\n${text}")
  endif()
  string(REGEX MATCHALL "[^\n]+" lines "${text}")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
build(beside OPSETS p3109@4.0 SPECS ${specs})
build(tree OPSETS ieee754@2019)
run("${GEN}" tables ${specs} -o "${WORK_DIR}/opsets.cft")
results(added "${WORK_DIR}/beside/project/results" code)
results(tree "${WORK_DIR}/tree/project/results" code)
results(loaded "${RESULTS}" data "${WORK_DIR}/opsets.cft")

if(NOT added STREQUAL loaded)
  list(JOIN added "\n" added)
  list(JOIN loaded "\n" loaded)
  message(FATAL_ERROR "compiled beside an installed library:\n${added}\nloaded:\n${loaded}")
endif()
foreach(line IN LISTS tree)
  if(NOT line IN_LIST added)
    message(FATAL_ERROR "compiled in the tree, and not the same beside an installed library: ${line}")
  endif()
endforeach()
list(LENGTH added all)
list(LENGTH tree in_tree)
if(all LESS 110 OR in_tree LESS 40)
  message(FATAL_ERROR "only ${all} conversions were compared, ${in_tree} of them with the tree")
endif()
file(REMOVE_RECURSE "${WORK_DIR}")
message(STATUS "${all} conversions, the same results compiled and loaded, ${in_tree} in the tree too")
