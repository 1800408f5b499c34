# cmake -D WAY=<install | find_package | add_subdirectory | hdf5 | pkg_config | pkg_config_hdf5 | add_kernels> ...
#   -P run.cmake
# See CMakeLists.txt in this folder for the other variables.
cmake_minimum_required(VERSION 3.25)
set(prefix "${WORK_DIR}/moved prefix")  # a space, as in a user's home
set(project "${CMAKE_CURRENT_LIST_DIR}/project")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(WAY STREQUAL "install")
  file(REMOVE_RECURSE "${prefix}" "${WORK_DIR}/first prefix")
  run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/first prefix" --config "${CONFIG}")
  file(RENAME "${WORK_DIR}/first prefix" "${prefix}")
  run("${prefix}/bin/castforge" info)
  run("${prefix}/bin/castforge" --load shelf/ue5m3 --load shelf/binary4p1uf list types)

elseif(WAY STREQUAL "pkg_config")
  set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
  execute_process(COMMAND "${PKG_CONFIG}" --cflags --libs castforge OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  set(ENV{LD_LIBRARY_PATH} "${prefix}/${LIBDIR}")
  run("${CXX}" -std=c++20 "${project}/main.cpp" -o "${WORK_DIR}/pkg_config_cpp" ${flags})
  run("${WORK_DIR}/pkg_config_cpp")
  run("${CC}" -std=c99 -Wall -Wextra -Werror "${project}/main.c" -o "${WORK_DIR}/pkg_config_c" ${flags})
  run("${WORK_DIR}/pkg_config_c")

elseif(WAY STREQUAL "pkg_config_hdf5")
  set(ENV{PKG_CONFIG_PATH} "${prefix}/${LIBDIR}/pkgconfig")
  set(ENV{LD_LIBRARY_PATH} "${prefix}/${LIBDIR}")
  execute_process(COMMAND "${PKG_CONFIG}" --cflags --libs castforge-hdf5 OUTPUT_VARIABLE flags
    COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run("${CC}" -std=c99 -Wall -Wextra -Werror "${prefix}/share/doc/castforge/hdf5/examples/float8.c"
    -o "${WORK_DIR}/pkg_config_hdf5" ${flags})
  run("${WORK_DIR}/pkg_config_hdf5" "${WORK_DIR}/pkg_config.h5")
  execute_process(COMMAND "${PKG_CONFIG}" --variable=module castforge-hdf5 OUTPUT_VARIABLE module
    COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(module UNIX_COMMAND "${module}")  # a space has a backslash
  if(NOT EXISTS "${module}")
    message(FATAL_ERROR "castforge-hdf5.pc: there is no module ${module}")
  endif()

else()
  set(build "${WORK_DIR}/${WAY}")
  file(REMOVE_RECURSE "${build}")
  # One instruction set where the library is compiled once more: how it is found is the question here. Kernels that are
  # added to an installed one have all of that one's.
  run("${CMAKE_COMMAND}" -S "${project}" -B "${build}" -G "${GENERATOR}" "-DWAY=${WAY}" "-DCMAKE_PREFIX_PATH=${prefix}"
    "-DCASTFORGE_SOURCE_DIR=${SOURCE_DIR}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_C_COMPILER=${CC}"
    -DCMAKE_BUILD_TYPE=Release -DCASTFORGE_ISAS=portable "-DCASTFORGE_DEPS_DIR=${DEPS_DIR}"
    "-DCASTFORGE_FETCH_DEPS=${FETCH_DEPS}")
  run("${CMAKE_COMMAND}" --build "${build}" --parallel 2)
  run("${build}/consumer_cpp")
  run("${build}/consumer_c")
  if(WAY STREQUAL "hdf5")
    run("${build}/consumer_hdf5" "${build}/float8.h5")
  endif()
  if(WAY STREQUAL "add_kernels")
    run("${build}/consumer_of_objects")
    include("${CMAKE_CURRENT_LIST_DIR}/added_kernels.cmake")
  endif()
endif()
