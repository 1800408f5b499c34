"""Writes a linker script that puts similar functions next to each other.

    python link_order.py OUTPUT ARCHIVE...

Deflate, which compresses wheels, finds again what lies at most 32 KiB back, and thousands of kernels differ from some
other one in a few instructions only: in a good order they take a quarter less. Each function must be in a section of
its own (-ffunction-sections); the order changes nothing else. Similarity is estimated from minima of hashes of all
runs of ten bytes, before the linker has filled in addresses.
"""

import struct
import sys
from pathlib import Path

import numpy as np

RUN = 10  # bytes that are compared as one
SAMPLES = 192
FIRST_LINES = "SECTIONS\n{\n  .text.ordered :\n  {\n"
LAST_LINES = "  }\n}\nINSERT BEFORE .text;\n"


def members(archive: Path):
    """The files in an archive of `ar`."""
    data = archive.read_bytes()
    if not data.startswith(b"!<arch>\n"):
        raise SystemExit(f"{archive}: no archive of object files")
    at = 8
    while at + 60 <= len(data):
        name, size = data[at : at + 16], int(data[at + 48 : at + 58])
        at += 60
        if not name.startswith((b"/ ", b"// ", b"/SYM64/")):
            yield data[at : at + size]
        at += size + size % 2


def functions(elf: bytes):
    """Name and content of every section of code that has a function's name, of a 64-bit little-endian object file."""
    if elf[:6] != b"\x7fELF\x02\x01":
        return
    (table,) = struct.unpack_from("<Q", elf, 40)
    entry_size, count, names = struct.unpack_from("<HHH", elf, 58)
    headers = [struct.unpack_from("<IIQQQQ", elf, table + i * entry_size) for i in range(count)]
    strings = headers[names][4]
    for name, kind, flags, _, offset, size in headers:
        if kind != 1 or flags & 4 == 0 or size == 0:  # SHT_PROGBITS, SHF_EXECINSTR
            continue
        start = strings + name
        text = elf[start : elf.index(b"\0", start)].decode()
        if text.startswith(".text._Z"):
            yield text, elf[offset : offset + size]


def sketch(code: bytes, factors: np.ndarray) -> np.ndarray:
    """Of two functions, about as many entries are equal as runs of bytes are."""
    data = np.frombuffer(code, np.uint8).astype(np.uint64)
    if len(data) < RUN:
        return np.zeros(len(factors), np.uint16)
    runs = np.zeros(len(data) - RUN + 1, np.uint64)
    for i in range(RUN):
        runs = runs << np.uint64(8) | data[i : i + len(runs)]
    runs = np.unique(runs)
    mixed = (runs ^ runs >> np.uint64(29))[:, None] * factors
    return (mixed >> np.uint64(20)).min(axis=0).astype(np.uint16)


def in_order(sketches: np.ndarray):
    """Indexes, each followed by that of the rest which is most like it."""
    left = np.arange(len(sketches))
    here = 0
    while True:
        yield left[here]
        now = sketches[left[here]]
        left = np.delete(left, here)
        if len(left) == 0:
            return
        here = int((sketches[left] == now).sum(axis=1).argmax())


def main(output: Path, archives: list[Path]) -> None:
    found = {}
    for archive in archives:
        for member in members(archive):
            for name, code in functions(member):
                found.setdefault(name, code)  # functions that several files share by name are the same
    names = sorted(found)
    factors = np.random.default_rng(1).integers(1, 2**63, SAMPLES, dtype=np.uint64) | np.uint64(1)
    sketches = np.array([sketch(found[name], factors) for name in names])
    lines = [f"    *({names[i]})\n" for i in in_order(sketches)]
    output.write_text(FIRST_LINES + "".join(lines) + LAST_LINES)


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
