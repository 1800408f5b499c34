#!/usr/bin/env python3
"""What the loop of every kernel of an instruction set costs, counted in its machine code: there need be no such
machine.

    loops.py ISA OBJECT... [--tsv FILE] [--objdump PROGRAM] [--mca llvm-mca]

For each kernel the instructions of its loop over blocks, for one element. With --mca (LLVM 19 or later) also the cycles
that it expects of two processors, and the part of the processor that is busiest. Exits with 1 where a loop calls a
function. Loops may be unrolled: each block prefetches its own source.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

ITERATIONS = 100
CACHE_LINE = 64  # kCacheLine of runtime/loops/blocks.hpp


class Architecture(NamedTuple):
    triple: str
    processors: tuple  # as llvm-mca calls them
    comment: str  # what begins one in a disassembly
    prefetch: str  # what the mnemonic begins with
    branch: re.Pattern  # to an address
    call: re.Pattern


AARCH64 = Architecture("aarch64", ("neoverse-v2", "apple-m4"), "//", "prfm", re.compile(r"b\.|cbn?z$|tbn?z$"),
                       re.compile(r"blr?$"))
X86 = Architecture("x86_64", ("znver4", "sapphirerapids"), "#", "prefetch", re.compile(r"j"), re.compile(r"call"))

# Architecture and bits of a vector.
ISAS = {"neon64": (AARCH64, 128), "sse4_2": (X86, 128), "avx2": (X86, 256), "avx512": (X86, 512),
        "avx512vbmi": (X86, 512)}

# Where prefers_shuffles() of runtime/simd says so; loops_test.py compares.
PREFERS_SHUFFLES = {"sse4_2", "avx2"}

FUNCTION = re.compile(r"[0-9a-f]+ <(.*)>:$")
KERNEL = re.compile(r"simd::detail::convert_blocks<.*::to_(\w+)::from_(\w+?)__(\w+)>")
INSTRUCTION = re.compile(r" *([0-9a-f]+):\s+((?:(?:bnd|notrack|data16|cs) )*\S+)\s*(.*)")


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


class Cost(NamedTuple):
    """Of one pass through a loop, however many blocks that are."""
    cycles: float
    busiest: str


def functions(architecture, objdump, objects):
    """Names and code of the functions of object files."""
    command = [objdump, "-d", "--no-show-raw-insn", "-C", *objects]
    text = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    name, code = "", []
    for line in text.splitlines():
        if match := FUNCTION.match(line):
            yield name, code
            name, code = match[1], []
        elif match := INSTRUCTION.match(line):
            operands = match[3].split(architecture.comment)[0].split("<")[0].strip()
            code.append(Instruction(int(match[1], 16), match[2].split(" ")[-1], operands))
    yield name, code


def loop_of(architecture, code):
    """The shortest loop around a prefetch, which the loop over blocks has; [] where there is none."""
    at = {instruction.address: i for i, instruction in enumerate(code)}
    prefetches = [i for i, one in enumerate(code) if one.mnemonic.startswith(architecture.prefetch)]
    loops = []
    for end, instruction in enumerate(code):
        if not architecture.branch.match(instruction.mnemonic):
            continue
        begin = at.get(instruction.target(), end)
        if any(begin <= prefetch < end for prefetch in prefetches):
            loops.append(code[begin:end + 1])
    return min(loops, key=len, default=[])


def loops_of(architecture, objdump, objects):
    found = []
    for name, code in functions(architecture, objdump, objects):
        if match := KERNEL.search(name):
            destination, source, rule = match.groups()
            kernel = f"{source}_to_{destination}__{rule}"
            found.append(Loop(kernel, source, destination, loop_of(architecture, code)))
    return found


def storage_bits():
    types = pathlib.Path(__file__).resolve().parents[2] / "specs/types"
    specs = [json.loads(file.read_text(encoding="utf-8")) for file in types.glob("*.json")]
    return {spec["name"]: spec["storage_bits"] for spec in specs if "storage_bits" in spec}


def elements(source_bits, destination_bits, isa):
    """How many elements a block has (runtime/loops: Block in loop.hpp, Nibbles in nibbles.hpp)."""
    vector_bits = ISAS[isa][1]
    if {source_bits, destination_bits} <= {1, 2, 4}:
        return vector_bits // min(source_bits, destination_bits) * (2 if source_bits == destination_bits else 1)
    source, destination = (next(width for width in (8, 16, 32, 64) if bits <= width)
                           for bits in (source_bits, destination_bits))
    packs_pairs = destination_bits == 2 and source <= 32 and isa in PREFERS_SHUFFLES
    vectors = (2 if source == destination else 1) * (2 if packs_pairs else 1)
    return vector_bits // min(source, destination) * vectors


def blocks(architecture, body, block_bytes):
    """How many blocks one pass through a loop handles: each prefetches every line of its source, of `block_bytes`."""
    prefetches = sum(one.mnemonic.startswith(architecture.prefetch) for one in body)
    lines = -(-block_bytes // CACHE_LINE)
    if prefetches == 0 or prefetches % lines != 0:
        raise ValueError(f"{prefetches} prefetches in a loop over blocks of {lines} lines")
    return prefetches // lines


def assembly(architecture, number, body):
    """A loop as llvm-mca reads it: where branches go to and what symbols there are does not matter."""
    yield f"# LLVM-MCA-BEGIN {number}"
    for instruction in body:
        operands = instruction.operands
        if architecture.branch.match(instruction.mnemonic):
            operands = ", ".join(operands.split(", ")[:-1] + ["."])
        elif instruction.mnemonic == "adrp":
            operands = operands.split(",")[0] + ", ."
        yield f"{instruction.mnemonic} {operands}"
    yield f"# LLVM-MCA-END {number}"


def costs(mca, architecture, processor, loops):
    """What one pass through each loop costs."""
    lines = (line for number, loop in enumerate(loops) for line in assembly(architecture, number, loop.body))
    command = [mca, f"-mtriple={architecture.triple}", f"-mcpu={processor}", f"-iterations={ITERATIONS}", "-json"]
    out = subprocess.run(command, input="\n".join(lines) + "\n", stdout=subprocess.PIPE, check=True, text=True).stdout
    report = json.loads(out)
    resources = report["TargetInfo"]["Resources"]
    for region, loop in zip(report["CodeRegions"], loops):
        # The rows after those of the instructions are sums.
        whole = [use for use in region["ResourcePressureView"]["ResourcePressureInfo"]
                 if use["InstructionIndex"] == len(loop.body)]
        busiest = max(whole, key=lambda use: use["ResourceUsage"], default=None)
        name = resources[busiest["ResourceIndex"]].split(".")[0] if busiest else "-"
        yield Cost(region["SummaryView"]["TotalCycles"] / ITERATIONS, name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("isa", choices=ISAS)
    parser.add_argument("objects", nargs="+")
    parser.add_argument("--tsv", type=argparse.FileType("w"), default=sys.stdout)
    parser.add_argument("--objdump", default="objdump")
    parser.add_argument("--mca")
    arguments = parser.parse_args()

    architecture = ISAS[arguments.isa][0]
    loops = [loop for loop in loops_of(architecture, arguments.objdump, arguments.objects) if loop.body]
    if not loops:
        sys.exit("no kernel with a vector loop in these objects")
    calling = [loop.kernel for loop in loops if any(architecture.call.match(i.mnemonic) for i in loop.body)]
    loops = [loop for loop in loops if loop.kernel not in calling]
    bits = storage_bits()
    processors = architecture.processors if arguments.mca else ()
    by_processor = [list(costs(arguments.mca, architecture, processor, loops)) for processor in processors]
    columns = [column for processor in processors for column in (processor, "busiest")]
    print("kernel", "instructions", *columns, sep="\t", file=arguments.tsv)
    rows = []
    for loop, *passes in zip(loops, *by_processor):
        block = elements(bits[loop.source], bits[loop.destination], arguments.isa)
        count = block * blocks(architecture, loop.body, block * bits[loop.source] // 8)
        figures = [text for cost in passes for text in (f"{cost.cycles / count:.3f}", cost.busiest)]
        rows.append((loop.kernel, len(loop.body) / count, figures))
    for kernel, instructions, figures in sorted(rows, key=lambda row: (-row[1], row[0])):
        print(kernel, f"{instructions:.3f}", *figures, sep="\t", file=arguments.tsv)
    if calling:
        sys.exit("functions are called in the loops of " + ", ".join(sorted(calling)))


if __name__ == "__main__":
    main()
