#!/usr/bin/env python3
"""Is the loop of every kernel of one instruction set nothing but vector code: no branch besides its end, no call, no
loop over elements? Names each kernel whose loop is not, its function and the instruction.

    check_loops.py objdump objects.txt isa registers MANIFEST.tsv castforge
"""
import csv
import json
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True

import loop_shape  # noqa: E402  (after the line above: the source folder stays as it is)


def kernels_of(manifest):
    """Those with a function of their own; the others run the function of one of them."""
    with open(manifest, encoding="utf-8", newline="") as lines:
        return {row["function"] for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)}


def constant_kernels(manifest):
    """Those whose codes all have one result: their loops read no source, so nothing is prefetched, and only store."""
    found = set()
    with open(manifest, encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            text = (pathlib.Path(manifest).parent / row["file"]).read_text(encoding="utf-8")
            destination = row["kernel"].split("__")[0].split("_to_")[1]
            struct = f"struct from_{row['kernel'].replace(f'_to_{destination}', '', 1)} {{"
            if "return lane::fill<" in text.partition(struct)[2].partition("\n};")[0]:
                found.add(row["kernel"])
    return found


def types_by_element(castforge):
    """The types whose storage width has no vector loop: their kernels take one element after the other."""
    command = [castforge, "list", "types", "--json"]
    listed = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    return {entry["name"] for entry in json.loads(listed.stdout) if entry["loop"] == "scalar"}


def function_with_loop(function, functions):
    """The function itself, or the one it hands its buffers to: kernels that copy share one."""
    if loop_shape.prefetches(function.code):
        return function
    for instruction in function.code:
        callee = functions.get((function.file, instruction.symbol))
        if callee and loop_shape.prefetches(callee.code):
            return callee
    return function


def main(objdump, objects_file, isa, registers, manifest, castforge):
    with open(objects_file, encoding="utf-8") as lines:
        objects = [line.strip() for line in lines if line.strip().endswith((".o", ".obj"))]
    functions = {(f.file, f.name): f for f in loop_shape.disassemble(objdump, objects)}
    is_kernel = re.compile(rf"void castforge::isa_{isa}::simd::run<castforge::isa_{isa}::"
                           r"to_(\w+)::from_(\w+?)__(\w+)>\([^)]*\)$")
    by_element, constant = types_by_element(castforge), constant_kernels(manifest)
    missing, wrong, vector_loops = kernels_of(manifest), [], 0
    for function in functions.values():
        match = is_kernel.match(function.name)
        if not match:
            continue
        destination, source, rule = match.groups()
        kernel = f"{source}_to_{destination}__{rule}"
        missing.remove(kernel)
        if source in by_element or destination in by_element or kernel in constant:
            continue
        vector_loops += 1
        looping = function_with_loop(function, functions)
        wrong += [f"{kernel}: {fault}\n    in {looping.name}\n    of {looping.file}"
                  for fault in loop_shape.faults(looping, registers)]
    wrong += [f"{kernel}: no function of it in the objects" for kernel in sorted(missing)]
    if wrong:
        sys.exit("\n".join(wrong))
    if vector_loops == 0:
        sys.exit("no kernel has a vector loop")
    print(f"{isa}: the loops of {vector_loops} kernels are vector code without a branch or a call")


if __name__ == "__main__":
    main(*sys.argv[1:])
