#!/usr/bin/env python3
"""What each instruction set costs: code and data in its objects and, with --compile, processor time to compile them.

    isa_cost.py BUILD [--compile] [--tools aarch64-linux-gnu-]

BUILD is a built tree, configured with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON; the size of the library is that of the
stripped shared one (-DBUILD_SHARED_LIBS=ON, and -DCASTFORGE_BUILD_TESTS=OFF, as tests have it export more). --compile
runs every compiler command of the kernels once more, one after the other, into a folder that it removes.
"""
import argparse
import collections
import json
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import tempfile

SECTIONS = {"code": ".text", "constants": ".rodata", "pointers": ".data.rel.ro"}


class Run:
    """One run of the compiler."""

    def __init__(self, entry):
        self.folder = entry["directory"]
        self.source = pathlib.Path(entry["file"]).stem
        self.words = shlex.split(entry["command"])
        self.object_at = self.words.index("-o") + 1
        self.object = pathlib.Path(self.folder, self.words[self.object_at])

    def seconds(self, folder):
        """Processor seconds that it takes, which other programs on the machine hardly change."""
        words = self.words.copy()
        words[self.object_at] = str(pathlib.Path(folder, "object.o"))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(words, check=True, cwd=self.folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def runs_by_isa(build):
    """The compiler runs for kernels, by instruction set."""
    file = build / "compile_commands.json"
    if not file.exists():
        sys.exit(f"isa_cost.py: {file} is missing: configure with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    found = collections.defaultdict(list)
    for entry in json.loads(file.read_text()):
        run = Run(entry)
        isa = re.search(r"castforge_isa_(\w+?)(_headers)?\.dir/", str(run.object))  # _headers: the precompiled ones
        if isa:
            found[isa.group(1)].append(run)
    return found


def section_bytes(tools, objects):
    """Bytes of each of SECTIONS, also of those that carry a function's name after it."""
    listing = subprocess.run([tools + "size", "-A", *map(str, objects)], check=True, capture_output=True,
                             text=True).stdout
    total = collections.Counter()
    for name, size in re.findall(r"^(\.\S+)\s+(\d+)\s+\d+$", listing, re.MULTILINE):
        for kind, section in SECTIONS.items():
            if name == section or name.startswith(section + "."):
                total[kind] += int(size)
    return total


def stripped_bytes(tools, build, folder):
    libraries = [file for file in build.rglob("libcastforge.so*") if not file.is_symlink()]
    if not libraries:
        return None
    copy = pathlib.Path(folder, "library")
    subprocess.run([tools + "strip", "-o", str(copy), str(libraries[0])], check=True)
    return copy.stat().st_size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="build folder")
    parser.add_argument("--compile", action="store_true", help="measure compile time too")
    parser.add_argument("--tools", default="", help="prefix of size and strip, for another machine's objects")
    options = parser.parse_args()
    isas = runs_by_isa(options.build)
    missing = [str(run.object) for runs in isas.values() for run in runs if not run.object.exists()]
    if missing or not isas:
        sys.exit(f"isa_cost.py: not built: {missing[0] if missing else options.build}")

    with tempfile.TemporaryDirectory() as folder:
        library = stripped_bytes(options.tools, options.build, folder)
        print(f"shared library, stripped: {library / 1024:.0f} KiB" if library else "no shared library in this build")
        columns = ["instruction set", "objects", *(f"{kind} ({section}), KiB" for kind, section in SECTIONS.items())]
        columns += ["compile, s", "slowest object"] if options.compile else []
        print("\n| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|")
        for isa, runs in isas.items():
            total = section_bytes(options.tools, [run.object for run in runs if run.object.suffix != ".gch"])
            cells = [isa, str(len(runs)), *(f"{total[kind] / 1024:.0f}" for kind in SECTIONS)]
            if options.compile:
                seconds = {run.source: run.seconds(folder) for run in runs}
                slowest = max(seconds, key=seconds.get)
                cells += [f"{sum(seconds.values()):.0f}", f"{slowest}, {seconds[slowest]:.1f} s"]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
