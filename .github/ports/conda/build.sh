#!/usr/bin/env bash
set -euo pipefail
# CMAKE_ARGS comes from conda's compiler packages.
cmake -S . -B build-conda ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" \
  -DCMAKE_INSTALL_LIBDIR=lib -DBUILD_SHARED_LIBS=ON -DCASTFORGE_BUILD_TESTS=OFF -DCASTFORGE_BUILD_GENERATOR=OFF \
  -DCASTFORGE_BUILD_HDF5=OFF -DCASTFORGE_FETCH_DEPS=OFF -DCASTFORGE_REPRODUCIBLE=ON
cmake --build build-conda --parallel "${CPU_COUNT:-2}"
cmake --install build-conda
