#!/usr/bin/env bash
# Are builds in two folders the same, byte for byte? Copies the tree to two folders whose names differ in length, builds
# in both, and compares. Not one of the default tests: it compiles everything it compares twice.
#   reproducible.sh            the static library with portable kernels only
#   reproducible.sh packages   the Debian packages, every instruction set and both programs
#   WORK   where to work; default a new folder in the temporary one, removed afterwards
#   JOBS   jobs of each build, default all processors
# Exit 0: identical; 1: not, and both are kept.
set -euo pipefail
what=${1:-library}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=${WORK:-$(mktemp -d)}
export SOURCE_DATE_EPOCH=1700000000
export CCACHE_DISABLE=1

case $what in
  library)
    options=(-DCASTFORGE_ISAS=portable -DCASTFORGE_BUILD_GENERATOR=OFF -DCASTFORGE_BUILD_TOOLS=OFF
      -DCASTFORGE_BUILD_TESTS=OFF -DCMAKE_BUILD_TYPE=Release)
    results="runtime/libcastforge.a" ;;
  packages)
    options=(--preset package)
    results="*.deb" ;;
  *) echo "usage: $0 [library | packages]" >&2; exit 2 ;;
esac

for folder in first a_second_with_a_longer_name; do
  source=$work/$folder
  mkdir -p "$source"
  git -C "$root" ls-files -z --cached --others --exclude-standard |
    (cd "$root" && tar --null --files-from=- --ignore-failed-read -cf -) | tar -C "$source" -xf -
  (
    cd "$source"
    cmake -B build "${options[@]}" -DCASTFORGE_REPRODUCIBLE=ON -DCASTFORGE_DEPS_DIR="$root/build/deps" >configure.log
    cmake --build build -j "${JOBS:-$(nproc)}" >build.log
    if [ "$what" = packages ]; then (cd build && cpack -G DEB >cpack.log); fi
  )
  (cd "$source/build" && sha256sum $results) | tee "$work/$folder.sums"
done

if ! cmp "$work/first.sums" "$work/a_second_with_a_longer_name.sums"; then
  echo "reproducible: the builds in $work differ" >&2
  exit 1
fi
echo "reproducible: identical"
[ -n "${WORK:-}" ] || rm -rf "$work"
