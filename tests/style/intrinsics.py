"""intrinsics.py SOURCE_DIR: lines of the runtime that name an intrinsic.

They stand in the files of targets in runtime/simd, and number at most MOST there: what xsimd has is xsimd's. Beside
them two files of the library read the control register and end streams."""
import pathlib
import re
import sys

MOST = 250
TARGETS = {f"simd/{name}.hpp" for name in ("sse4_2", "avx2", "avx512", "avx512vbmi", "neon64")}
OTHERS = {"src/float_guard.hpp", "src/streaming.cpp"}
INTRINSIC = re.compile(r"\b_mm(256|512)?_\w|\bv[a-z0-9]\w*_[usfp](8|16|32|64)(_x4)?\b")


def lines_of(path):
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    return sum(1 for line in text.splitlines() if INTRINSIC.search(line))


def main():
    runtime = pathlib.Path(sys.argv[1]) / "runtime"
    counts = {path.relative_to(runtime).as_posix(): lines_of(path)
              for pattern in ("*.hpp", "*.cpp") for path in runtime.rglob(pattern)}
    counts = {path: count for path, count in counts.items() if count}
    if not TARGETS <= counts.keys():
        sys.exit(f"no intrinsic in {', '.join(sorted(TARGETS - counts.keys()))}: expected some in each target's file")
    elsewhere = sorted(counts.keys() - TARGETS - OTHERS)
    if elsewhere:
        sys.exit(f"intrinsics outside the files of targets in runtime/simd: {', '.join(elsewhere)}")
    total = sum(counts[path] for path in TARGETS)
    print(f"{total} lines with intrinsics")
    if total > MOST:
        sys.exit(f"{total} lines with intrinsics, {MOST} at most: see which of them xsimd has")


if __name__ == "__main__":
    main()
