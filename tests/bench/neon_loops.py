#!/usr/bin/env python3
"""What the loop of every NEON kernel costs, counted in its machine code: there need be no such machine.

    neon_loops.py OBJECT... [--tsv FILE] [--objdump aarch64-linux-gnu-objdump] [--mca llvm-mca]

For each kernel the instructions of its loop over blocks, for one element, and the cycles that llvm-mca (LLVM 19 or
later) expects of two processors. Exits with 1 where a loop calls a function.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

PROCESSORS = ("neoverse-v2", "apple-m4")
ITERATIONS = 100
VECTOR_BITS = 128

FUNCTION = re.compile(r"[0-9a-f]+ <(.*)>:$")
KERNEL = re.compile(r"simd::run<.*::to_(\w+)::from_(\w+?)__(\w+)>")
INSTRUCTION = re.compile(r" *([0-9a-f]+):\s+(\S+)\s*(.*?)(?:\s*//.*)?$")
BRANCH = re.compile(r"b\.|cbn?z$|tbn?z$")


class Instruction(NamedTuple):
    address: int
    mnemonic: str
    operands: str

    def target(self):
        return int(self.operands.split(" ")[-1], 16)


class Loop(NamedTuple):
    kernel: str
    source: str
    destination: str
    body: list  # of Instruction


def functions(objdump, objects):
    """Names and code of the functions of object files."""
    command = [objdump, "-d", "--no-show-raw-insn", "-C", *objects]
    text = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    name, code = "", []
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            yield name, code
            name, code = match[1], []
        elif match := INSTRUCTION.match(line):
            code.append(Instruction(int(match[1], 16), match[2], match[3].split("<")[0].strip()))
    yield name, code


def loop_of(code):
    """The shortest loop around a prefetch, which the loop over blocks has; [] where there is none."""
    at = {instruction.address: i for i, instruction in enumerate(code)}
    prefetches = [i for i, instruction in enumerate(code) if instruction.mnemonic.startswith("prfm")]
    loops = []
    for end, instruction in enumerate(code):
        begin = at.get(instruction.target(), end) if BRANCH.match(instruction.mnemonic) else end
        if any(begin <= prefetch < end for prefetch in prefetches):
            loops.append(code[begin:end + 1])
    return min(loops, key=len, default=[])


def loops_of(objdump, objects):
    found = []
    for name, code in functions(objdump, objects):
        if match := KERNEL.search(name):
            destination, source, rule = match.groups()
            found.append(Loop(f"{source}_to_{destination}__{rule}", source, destination, loop_of(code)))
    return found


def storage_bits():
    types = pathlib.Path(__file__).resolve().parents[2] / "specs/types"
    specs = [json.loads(file.read_text(encoding="utf-8")) for file in types.glob("*.json")]
    return {spec["name"]: spec["storage_bits"] for spec in specs if "storage_bits" in spec}


def elements(source_bits, destination_bits):
    """How many elements one pass handles (runtime/simd/loop.hpp, Block and Planes)."""
    if {source_bits, destination_bits} <= {2, 4}:
        return 8 // min(source_bits, destination_bits) * VECTOR_BITS // 8
    source, destination = (next(width for width in (8, 16, 32, 64) if bits <= width)
                           for bits in (source_bits, destination_bits))
    return VECTOR_BITS // min(source, destination) * (2 if source == destination else 1)


def assembly(number, body):
    """A loop as llvm-mca reads it: where branches go to and what symbols there are does not matter."""
    yield f"# LLVM-MCA-BEGIN {number}"
    for instruction in body:
        operands = instruction.operands
        if BRANCH.match(instruction.mnemonic):
            operands = ", ".join(operands.split(", ")[:-1] + ["."])
        elif instruction.mnemonic == "adrp":
            operands = operands.split(",")[0] + ", ."
        yield f"{instruction.mnemonic} {operands}"
    yield f"# LLVM-MCA-END {number}"


def cycles(mca, processor, loops):
    """Cycles of one pass through each loop."""
    text = "\n".join(line for number, loop in enumerate(loops) for line in assembly(number, loop.body)) + "\n"
    command = [mca, "-mtriple=aarch64", f"-mcpu={processor}", f"-iterations={ITERATIONS}", "-resource-pressure=false",
               "-instruction-info=false"]
    out = subprocess.run(command, input=text, stdout=subprocess.PIPE, check=True, text=True).stdout
    return [int(total) / ITERATIONS for total in re.findall(r"^Total Cycles:\s+(\d+)", out, re.MULTILINE)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("objects", nargs="+")
    parser.add_argument("--tsv", type=argparse.FileType("w"), default=sys.stdout)
    parser.add_argument("--objdump", default="aarch64-linux-gnu-objdump")
    parser.add_argument("--mca", default="llvm-mca")
    arguments = parser.parse_args()

    loops = [loop for loop in loops_of(arguments.objdump, arguments.objects) if loop.body]
    if not loops:
        sys.exit("no kernel with a vector loop in these objects")
    calling = [loop.kernel for loop in loops if any(i.mnemonic in ("bl", "blr") for i in loop.body)]
    loops = [loop for loop in loops if loop.kernel not in calling]
    bits = storage_bits()
    costs = [cycles(arguments.mca, processor, loops) for processor in PROCESSORS]
    rows = []
    for loop, *passes in zip(loops, *costs):
        count = elements(bits[loop.source], bits[loop.destination])
        rows.append((loop.kernel, len(loop.body) / count, *(cycle / count for cycle in passes)))
    print("kernel", "instructions", *PROCESSORS, sep="\t", file=arguments.tsv)
    for kernel, *figures in sorted(rows, key=lambda row: (-row[1], row[0])):
        print(kernel, *(f"{figure:.3f}" for figure in figures), sep="\t", file=arguments.tsv)
    if calling:
        sys.exit("functions are called in the loops of " + ", ".join(sorted(calling)))


if __name__ == "__main__":
    main()
