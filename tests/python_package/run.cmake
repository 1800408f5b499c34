# cmake -D PYTHON=... -D BUILD_DIR=... -D PACKAGE_DIR=... -D WORK_DIR=... -D CXX=... -D PROGRAM=... -P run.cmake
# See CMakeLists.txt in this folder.
cmake_minimum_required(VERSION 3.25)
set(venv "${WORK_DIR}/venv")
set(python "${venv}/bin/python")

function(run what)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "python_package: ${what} failed (${result}). Without the package index, configure with "
      "-DCASTFORGE_TEST_PYTHON=OFF to leave this test out.")
  endif()
endfunction()

set(ENV{CXX} "${CXX}")
set(ENV{CASTFORGE_PROGRAM} "${PROGRAM}")
set(ENV{PYTHONDONTWRITEBYTECODE} 1)  # the source tree stays as it is
set(ENV{HYPOTHESIS_STORAGE_DIRECTORY} "${WORK_DIR}/hypothesis")
set(ENV{PIP_DISABLE_PIP_VERSION_CHECK} 1)

if(NOT EXISTS "${python}")
  run("making a virtual environment" "${PYTHON}" -m venv "${venv}")
endif()
run("installing packages" "${python}" -m pip install --quiet "scikit-build-core>=1.1" "nanobind>=3.0" "numpy>=2.0"
  auditwheel build distributed hypothesis "ml_dtypes>=0.6" "onnx>=1.23" pytest "safetensors>=0.8")
# The source archive has all that a build needs: CMake would name a missing file.
file(REMOVE_RECURSE "${WORK_DIR}/archive")
run("making the source archive" "${python}" -m build --sdist --no-isolation --outdir "${WORK_DIR}/archive"
  "${PACKAGE_DIR}")
file(GLOB archive "${WORK_DIR}/archive/*.tar.gz")
file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${WORK_DIR}/archive")
file(GLOB unpacked LIST_DIRECTORIES ON "${WORK_DIR}/archive/pycastforge-*[0-9]")
# CMake takes a folder that is not there for an empty one.
get_filename_component(source "${PACKAGE_DIR}/../.." ABSOLUTE)
foreach(folder IN ITEMS .cmake generated generator specs templates runtime/cli runtime/include runtime/loops
    runtime/module runtime/simd runtime/src)
  file(GLOB_RECURSE files RELATIVE "${source}" "${source}/${folder}/*")
  foreach(file IN LISTS files)
    if(NOT EXISTS "${unpacked}/castforge/${file}")
      message(SEND_ERROR "python_package: the source archive lacks ${file}")
    endif()
  endforeach()
endforeach()
run("configuring the source archive" "${CMAKE_COMMAND}" -S "${unpacked}" -B "${WORK_DIR}/archive/build"
  "-DPython_EXECUTABLE=${python}" -DSKBUILD_SABI_COMPONENT= "-DCASTFORGE_DEPS_DIR=${BUILD_DIR}/deps"
  -DCMAKE_BUILD_TYPE=Release)

file(REMOVE_RECURSE "${WORK_DIR}/dist")
run("building the wheel" "${python}" -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir "${WORK_DIR}/dist"
  --config-settings "cmake.define.CASTFORGE_PREBUILT=${BUILD_DIR}"
  --config-settings "cmake.define.PYCASTFORGE_OLDER_SYSTEMS=ON" --config-settings "build-dir=${WORK_DIR}/wheel"
  "${PACKAGE_DIR}")
file(GLOB wheel "${WORK_DIR}/dist/pycastforge-*.whl")
file(ARCHIVE_EXTRACT INPUT "${wheel}" DESTINATION "${WORK_DIR}/wheel_contents")
foreach(name IN ITEMS LICENSE THIRD_PARTY_LICENSES)
  file(GLOB license "${WORK_DIR}/wheel_contents/*.dist-info/licenses/${name}")
  if(NOT license)
    message(SEND_ERROR "python_package: the wheel lacks ${name}")
  endif()
endforeach()
execute_process(COMMAND "${python}" -m auditwheel show "${wheel}" OUTPUT_VARIABLE systems ERROR_VARIABLE systems)
if(NOT systems MATCHES "consistent with[^\"]*\"manylinux_2_([0-9]+)_" OR CMAKE_MATCH_1 GREATER 28)
  message(FATAL_ERROR "python_package: expected a wheel for manylinux_2_28 or older, found:\n${systems}")
endif()
run("installing the wheel" "${python}" -m pip install --quiet --no-deps --force-reinstall "${wheel}")
run("pytest" "${CMAKE_COMMAND}" -E chdir "${WORK_DIR}" "${python}" -m pytest -c "${PACKAGE_DIR}/pyproject.toml"
  -p no:cacheprovider -rs "${PACKAGE_DIR}/tests")
