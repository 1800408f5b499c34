#!/usr/bin/env python3
"""Formats that nobody has thought of: random spec files, each given to `castforge-gen verify` with its pairs.

What the loader refuses counts as refused; every other format must plan, and every plan must agree with the exact
semantics. A format that does not stays in WORK_DIR, and the command that shows it is printed.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

OTHERS = ["float64", "float32", "float16", "bfloat16", "float8e4m3fn", "float8e8m0", "float4e2m1",
          "int64", "int32", "int16", "int8", "int4", "uint64", "uint32", "uint16", "uint8", "bool"]
REFUSED = 1  # exit code of the generator: a spec file that is not valid


def storage(choose, bits):
    unit = next(u for u in (8, 16, 32, 64) if bits <= u)
    if choose.random() < 0.3 and bits <= 16:
        return {"storage_bits": bits}  # dense, or a whole unit
    return {"storage_bits": unit, "storage_align": "high"} if choose.random() < 0.2 else {"storage_bits": unit}


def floating(choose):
    signed = choose.random() < 0.75
    exponent = choose.randint(1, 6) if choose.random() < 0.85 else choose.randint(7, 11)
    fraction = choose.randint(0, 8) if choose.random() < 0.85 else choose.randint(9, 30)
    bias = (1 << (exponent - 1)) - 1 + (choose.randint(-24, 24) if choose.random() < 0.5 else 0)
    return {"kind": "float", "signed": signed, "exponent_bits": exponent, "mantissa_bits": fraction,
            "exponent_bias": bias, "subnormals": choose.random() < 0.75, "infinity": choose.random() < 0.5,
            "nan": choose.choice(["none", "top", "ieee", "negative_zero"]),
            **storage(choose, signed + exponent + fraction)}


def integer(choose):
    bits = choose.randint(2, 32)
    return {"kind": "integer", "signed": choose.random() < 0.5, "bits": bits, **storage(choose, bits)}


def type_number(number):
    choose = random.Random(number)
    return {"name": "made", "id": 1000, **(floating if choose.random() < 0.85 else integer)(choose)}


def try_format(generator, work, number):
    """'verified' or 'refused', or what is wrong."""
    spec = work / f"{number}.json"
    spec.write_text(json.dumps(type_number(number)) + "\n")
    command = [generator, "verify", "--specs", str(spec), "--pair", "made:made"]
    for other in OTHERS:
        command += ["--pair", f"made:{other}", "--pair", f"{other}:made"]
    result = subprocess.run(command, capture_output=True, text=True)
    refused = result.returncode == REFUSED and str(spec) in result.stderr  # it says which file
    if result.returncode != 0 and not refused:
        return (f"format {number}: exit code {result.returncode}\n{spec.read_text()}{' '.join(command)}\n"
                f"{result.stdout[-2000:]}{result.stderr[-2000:]}")
    spec.unlink()
    return "refused" if refused else "verified"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("generator", metavar="CASTFORGE_GEN", help="the program castforge-gen")
    parser.add_argument("work", metavar="WORK_DIR", type=pathlib.Path, help="a folder for the spec files")
    parser.add_argument("count", metavar="COUNT", type=int, help="how many formats")
    parser.add_argument("first", metavar="FIRST", type=int, nargs="?", default=0,
                        help="number of the first one: the same number makes the same file")
    given = parser.parse_args()
    if shutil.which(given.generator) is None:
        parser.error(f"{given.generator} is no program")
    generator, work, count, first = given.generator, given.work, given.count, given.first
    work.mkdir(parents=True, exist_ok=True)
    seen = {"verified": 0, "refused": 0, "wrong": 0}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for said in pool.map(lambda number: try_format(generator, work, number), range(first, first + count)):
            if said not in seen:
                print(said, flush=True)
                said = "wrong"
            seen[said] += 1
            if sys.stdout.isatty():
                print(f"\r{sum(seen.values())} of {count}", end="\r", flush=True)
    print(", ".join(f"{number} {what}" for what, number in seen.items()))
    sys.exit(1 if seen["wrong"] != 0 or seen["verified"] == 0 else 0)


main()
