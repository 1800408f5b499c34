#!/usr/bin/env bash
# How long it takes from saving a format's JSON to a converted file. Needs a finished build.
#
#   tests/add_format/times.sh out BUILD    a project of its own, with castforge_add_kernels on an installed library
#   tests/add_format/times.sh in BUILD     this tree: until the format's exhaustive tests are green and a file is
#                                          converted; specs/ and generated/ are as before afterwards, the build has to
#                                          catch up
set -euo pipefail
way=$1 build=$(realpath "$2") source=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gen=$build/bin/castforge-gen
jobs=${JOBS:-2}
TIMEFORMAT="  %R s, of processors %U s"
new_type() { "$gen" new-type ue5m3 --bits 8 --exponent 5 --mantissa 3 --nan top --unsigned --out "$1" >/dev/null; }
step() {
  echo "$1"
  shift
  time "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}
printf '\000\000\200\077\000\000\360\103' >"$work/x.raw" # float32 1 and 480

if [ "$way" = out ]; then
  cmake --install "$build" --prefix "$work/castforge" >/dev/null
  mkdir "$work/app"
  new_type "$work/app"
  cat >"$work/app/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES CXX)
find_package(castforge REQUIRED)
castforge_add_kernels(MODULE mykernels SPECS ue5m3.json)
CMAKE
  castforge=("$work/castforge/bin/castforge" --kernels "$work/app/build/libmykernels.so")
  all() {
    step "configure and generate" cmake -S "$work/app" -B "$work/app/build" -DCMAKE_BUILD_TYPE=Release \
      "-DCMAKE_PREFIX_PATH=$work/castforge" "-DCASTFORGE_DEPS_DIR=$build/deps"
    step "compile" cmake --build "$work/app/build" -j "$jobs"
    step "convert" "${castforge[@]}" cast "$work/x.raw" "$work/y.raw" --from float32 --to ue5m3 --opset castforge@1
  }
else
  restore() {
    rm -f "$source/specs/types/ue5m3.json"
    "$gen" generate --specs "$source/specs" --out "$source/generated" >/dev/null
    rm -rf "$work"
  }
  [ ! -e "$source/specs/types/ue5m3.json" ] || { echo "specs/types/ue5m3.json is there already"; exit 2; }
  trap restore EXIT
  new_type "$source/specs/types"
  castforge=("$build/bin/castforge")
  all() {
    step "generate" "$gen" generate --specs "$source/specs" --out "$source/generated"
    step "compile" cmake --build "$build" -j "$jobs" --target castforge_program exhaustive
    step "exhaustive tests of the format" check_format
    step "convert" "${castforge[@]}" cast "$work/x.raw" "$work/y.raw" --from float32 --to ue5m3 --opset castforge@1
  }
  # As a destination, and as the source of every other type.
  check_format() {
    "$build/bin/exhaustive" --dst ue5m3
    local folder dst
    for folder in "$source"/generated/kernels/*/; do
      dst=$(basename "$folder")
      [ "$dst" = ue5m3 ] || "$build/bin/exhaustive" --dst "$dst" --src ue5m3
    done
  }
fi
TIMEFORMAT="  %R s, of processors %U s"
echo "from saving the JSON to a converted file:"
time all
od -An -tx1 "$work/y.raw"
