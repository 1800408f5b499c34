#!/usr/bin/env python3
"""What every lowering costs beside the next one that its kernels have, measured.

    plans.py ISA FIRST_TREE NEXT_TREE --first RATES... --next RATES... --processor NAME [--tsv FILE]

FIRST_TREE is generated/, NEXT_TREE what `castforge-gen generate --next-plan-on ISA` writes; RATES what kernel_rates
prints of a library of each, for ISA alone, as often as one likes: the best counts. One row for two lowerings that
follow each other with different programs: how many kernels have both, the geometric mean of the time by the next one
over that by the first, and the least, with its kernel. --tsv replaces the rows of ISA on that processor in FILE.
"""
import argparse
import collections
import math
import pathlib
import re
import sys

KERNEL = re.compile(r"//   kernel   (\w+) ")
PLAN = re.compile(r"//   plan     (\S+) .* runs on (.*)")
CONTINUED = "\n//            "
HEADING = "processor\tset\tlowering\tnext\tkernels\ttime by next over time\tleast\tkernel of least"


def columns_of(file, *names):
    try:
        heading, *rows = [line.split("\t") for line in pathlib.Path(file).read_text().splitlines()] or [[]]
    except OSError as error:
        sys.exit(f"plans.py: {file}: {error.strerror}")
    for name in names:
        if name not in heading:
            sys.exit(f"plans.py: {file}: expected a column {name}, found {', '.join(heading) or 'an empty file'}")
    return [[row[heading.index(name)] for name in names] for row in rows]


def programs_of(tree):
    """The names of each kernel's plans, and the hashes of their programs, as MANIFEST.tsv has them."""
    return {kernel: (names, programs) for kernel, names, programs in
            columns_of(pathlib.Path(tree, "MANIFEST.tsv"), "kernel", "plans", "programs")}


def plans_on(isa, tree):
    """Of each kernel the plan that runs on an instruction set, and the hash of its program."""
    hashes = {kernel: dict(zip(names.split(","), programs.split(",")))
              for kernel, (names, programs) in programs_of(tree).items()}
    plans = {}
    for file in sorted(pathlib.Path(tree, "kernels").rglob("*.hpp")):
        kernel = None
        for line in file.read_text().replace(CONTINUED, " ").splitlines():
            if found := KERNEL.match(line):
                kernel = found.group(1)
            elif (found := PLAN.match(line)) and isa in found.group(2).split():
                plans[kernel] = found.group(1), hashes[kernel][found.group(1)]
    return plans


def best_rates(isa, files, tree):
    known = programs_of(tree)
    best = {}
    for file in files:
        for kernel, programs, rate in columns_of(file, "kernel", "programs", isa):
            if kernel in known and known[kernel][1] != programs:
                sys.exit(f"plans.py: {file}: {kernel} has the programs {programs}, in {tree} {known[kernel][1]}; "
                         "measure a library of that tree")
            best[kernel] = max(float(rate), best.get(kernel, 0))
    return best


def rows_of(processor, isa, first_tree, next_tree, first_rates, next_rates):
    first, following = plans_on(isa, first_tree), plans_on(isa, next_tree)
    before, after = best_rates(isa, first_rates, first_tree), best_rates(isa, next_rates, next_tree)
    gains = collections.defaultdict(list)
    for kernel in first.keys() & following.keys() & before.keys() & after.keys():
        (one, program), (other, other_program) = first[kernel], following[kernel]
        if program != other_program:
            gains[one, other].append((before[kernel] / after[kernel], kernel))
    for (one, other), list_ in sorted(gains.items()):
        mean = math.exp(sum(math.log(gain) for gain, _ in list_) / len(list_))
        least, kernel = min(list_)
        yield f"{processor}\t{isa}\t{one}\t{other}\t{len(list_)}\t{mean:.2f}\t{least:.2f}\t{kernel}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("isa")
    parser.add_argument("first_tree")
    parser.add_argument("next_tree")
    parser.add_argument("--first", nargs="+", required=True, metavar="RATES")
    parser.add_argument("--next", nargs="+", required=True, metavar="RATES")
    parser.add_argument("--processor", required=True, help="its name in the first column, as in zen4")
    parser.add_argument("--tsv", type=pathlib.Path)
    a = parser.parse_args()
    rows = list(rows_of(a.processor, a.isa, a.first_tree, a.next_tree, a.first, a.next))
    if not rows:
        sys.exit(f"plans.py: no kernel has two plans on {a.isa} in {a.first_tree} and {a.next_tree}")
    if not a.tsv:
        print("\n".join([HEADING, *rows]))
        return
    kept = a.tsv.read_text().splitlines() if a.tsv.exists() else [HEADING]
    kept = [line for line in kept if not line.startswith(f"{a.processor}\t{a.isa}\t")]
    a.tsv.write_text("\n".join(kept + rows) + "\n")


if __name__ == "__main__":
    main()
