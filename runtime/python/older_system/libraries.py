"""Libraries to link with in place of this machine's, so that the result runs on systems of older C and C++ libraries.

    python libraries.py FOLDER --compiler g++

A shared library keeps every version of its functions that was ever published, and a program that is linked with it
takes the newest. FOLDER gets, for each library below, one of the same name that has the same functions but none newer
than the limits, and no code: the linker reads only names from it, and the dynamic loader finds the true library. What
a system of the limits lacks is linked in: of the C++ library from its static archive, where a member that is needed
at all is taken whole and stays hidden by the module's version script; of the C library by missing.cpp.

The limits are those of manylinux_2_28 (the file policy/manylinux-policy.json of auditwheel).
"""

import argparse
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

MANYLINUX_2_28 = {"GLIBC": "2.28", "GLIBCXX": "3.4.24", "CXXABI": "1.3.11", "GCC": "7.0.0"}

# Functions of the C library that lay in a library of their own before GLIBC 2.34, where that one's name must be noted.
APART = {
    "libpthread.so.0": re.compile(r"_*(pthread|sem)_"),
    "libdl.so.2": re.compile(r"dl(open|sym|vsym|close|error|info|addr)"),
}
# How the assembler is told of each kind of symbol: its section, the section's flags, its type.
KINDS = {
    "FUNC": (".text", '"ax",%progbits', "function"),
    "OBJECT": (".bss", '"aw",%nobits', "object"),
    "TLS": (".tbss", '"awT",%nobits', "tls_object"),
}


def number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def exported(library: Path):
    """Name, kind and version of every symbol that a shared library defines in a version, older ones too."""
    command = ["readelf", "--wide", "--dyn-syms", str(library)]
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        fields = line.split()
        if len(fields) == 8 and fields[6] != "UND" and "@" in fields[7]:
            name, _, version = fields[7].partition("@")
            yield name, fields[3], version.lstrip("@")


def newest_within(library: Path) -> dict[str, tuple[str, str]]:
    """Kind and version of every symbol that a system of the limits has, in the version which a linker there takes."""
    chosen: dict[str, tuple[str, str]] = {}
    for name, kind, version in exported(library):
        family, _, digits = version.rpartition("_")
        if family not in MANYLINUX_2_28 or not re.fullmatch(r"\d+(\.\d+)*", digits):
            continue
        if number(digits) > number(MANYLINUX_2_28[family]):
            continue
        if name not in chosen or number(chosen[name][1].rpartition("_")[2]) < number(digits):
            chosen[name] = kind, version
    return chosen


def write_library(compiler: str, path: Path, soname: str, symbols: dict[str, tuple[str, str]]) -> None:
    """A shared library that has these symbols and nothing behind them."""
    lines = []
    for index, (name, (kind, version)) in enumerate(sorted(symbols.items())):
        section, flags, elf_type = KINDS.get(kind, KINDS["FUNC"])  # also IFUNC: chosen at load time, called like others
        lines.append(
            f"  .section {section},{flags}\n  .globl s{index}\n  .type s{index}, %{elf_type}\n"
            f"s{index}: .skip 8\n  .symver s{index}, {name}@@{version}, remove\n"
        )
    source, script = path.with_suffix(".s"), path.with_suffix(".map")
    source.write_text("".join(lines))
    versions = sorted({version for _, version in symbols.values()})
    script.write_text("".join(f"{version} {{ }};\n" for version in versions))
    link = [compiler, "-shared", "-nostdlib", f"-Wl,-soname,{soname}", f"-Wl,--version-script={script}"]
    subprocess.run([*link, "-x", "assembler", str(source), "-o", str(path)], check=True)
    source.unlink()
    script.unlink()


def found(compiler: str, name: str) -> Path:
    path = Path(subprocess.run([compiler, f"-print-file-name={name}"], check=True, capture_output=True,
                               text=True).stdout.strip())
    if not path.is_absolute():
        raise SystemExit(f"libraries.py: {compiler} knows no {name}; expected a GNU compiler for Linux with the "
                         "GNU C library and the static libstdc++.a")
    return path.resolve()


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--compiler", default="g++")
    given = parser.parse_args(arguments)
    folder: Path = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)

    def write(name: str, soname: str, symbols: dict[str, tuple[str, str]]) -> Path:
        write_library(given.compiler, folder / name, soname, symbols)
        return folder / name

    c_library = found(given.compiler, "libc.so.6")
    parts: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for name, symbol in newest_within(c_library).items():
        owner = next((library for library, names in APART.items() if names.match(name)), c_library.name)
        parts[owner][name] = symbol
    c_names = [write(f"{soname.partition('.')[0]}_names.so", soname, symbols) for soname, symbols in parts.items()]
    for loader in sorted(c_library.parent.glob("ld-linux*.so.*")):
        c_names.append(write(f"{loader.name.partition('.')[0]}_names.so", loader.name, newest_within(loader)))
    m_names, gcc_names, cxx_names = (
        write(f"{soname.partition('.')[0]}_names.so", soname, newest_within(found(given.compiler, soname)))
        for soname in ("libm.so.6", "libgcc_s.so.1", "libstdc++.so.6")
    )

    # What the linker looks for is a text that says where to look on, as the C library's own libc.so is one. No file has
    # the name of a true library: the loader must never take it for one.
    names = " ".join(f'"{path}"' for path in c_names)
    nonshared = found(given.compiler, "libc_nonshared.a")
    (folder / "libc.so").write_text(f'GROUP ( AS_NEEDED ( {names} ) "{nonshared}" )\n')
    archive = found(given.compiler, "libstdc++.a")
    (folder / "libstdc++.so").write_text(f'INPUT ( "{cxx_names}" "{archive}" )\n')
    (folder / "libm.so").write_text(f'INPUT ( "{m_names}" )\n')
    (folder / "libgcc_s.so").write_text(f'GROUP ( "{gcc_names}" -lgcc )\n')
    for name in ("pthread", "dl", "rt"):
        (folder / f"lib{name}.so").write_text("INPUT ( -lc )\n")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"libraries.py: {error}") from None
