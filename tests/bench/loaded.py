"""How fast loaded formats are, beside what Python packages do to formats like them, in one run.

    python3 tests/bench/loaded.py build/bin/castforge [--format shelf/ue5m3]... [--size N] [--isa NAME]...

G elements a second on one thread: castforge from the program's own measurement (`castforge --load FORMAT bench`), on
each instruction set; then PyTorch, ml_dtypes and gfloat from numpy arrays. They do not have every format: PyTorch is
measured with float8_e4m3fn, ml_dtypes with float8_e4m3 and gfloat with the OCP e4m3 format, all of 8 bits with as many
exponent and fraction bits as ue5m3 and float8e4m3 have, or one less. Packages that are not installed have no column.
Last, the rate from the loaded format over that of the compiled kernel from float8e4m3fn, in the same run.
"""

import argparse
import importlib
import json
import subprocess
import tempfile
import time

import numpy as np

WIDE = ("float32", "bfloat16", "float16")
COMPILED = "float8e4m3fn"


def optional(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


torch, ml_dtypes, gfloat = map(optional, ["torch", "ml_dtypes", "gfloat"])


def program_rates(program, form, pairs, size, isas):
    """Elements a second by pair and instruction set."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        words = [word for pair in pairs for word in ("--pair", ":".join(pair))]
        command = [program, "--load", form, "bench", *words, "--opset", "castforge@1", "--size", str(size)]
        command += ["--isa", isas, "--json", file.name]
        subprocess.run(command, check=True, capture_output=True)
        runs = json.load(open(file.name))["benchmarks"]
    rates = {}
    for run in runs:
        parts = run["name"].split("/")
        if parts[0] == "cast":
            rates[parts[1], parts[3]] = run["items_per_second"]
    return rates


def best_rate(function, size, rounds=7):
    """Elements a second of the fastest of several rounds; the first one warms up."""
    best = float("inf")
    for _ in range(rounds + 1):
        started = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - started)
    return size / best


def peer_rates(src, to_wide, size):
    """By package, for the direction from `src` to 8 bits or back."""
    x = np.random.default_rng(1).standard_normal(size, np.float32)
    rates = {}
    if torch:
        torch.set_num_threads(1)
        wide = torch.from_numpy(x).to(getattr(torch, src))
        narrow = wide.to(torch.float8_e4m3fn)
        a, b = (narrow, torch.empty_like(wide)) if to_wide else (wide, torch.empty_like(narrow))
        rates["torch"] = best_rate(lambda: b.copy_(a), size)
    if ml_dtypes:
        wide = x.astype(getattr(ml_dtypes, src) if src == "bfloat16" else src)
        narrow = wide.astype(ml_dtypes.float8_e4m3)
        a, to = (narrow, wide.dtype) if to_wide else (wide, narrow.dtype)
        rates["ml_dtypes"] = best_rate(lambda: a.astype(to), size)
    if gfloat and src == "float32":  # it works on arrays of float32 and float64
        formats = importlib.import_module("gfloat.formats")
        info = formats.format_info_ocp_e4m3
        codes = gfloat.encode_ndarray(info, gfloat.round_ndarray(info, x, sat=True))
        if to_wide:
            rates["gfloat"] = best_rate(lambda: gfloat.decode_ndarray(info, codes), size, rounds=2)
        else:
            rates["gfloat"] = best_rate(
                lambda: gfloat.encode_ndarray(info, gfloat.round_ndarray(info, x, sat=True)), size, rounds=2
            )
    return rates


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the program castforge")
    parser.add_argument("--format", action="append", help="what --load takes (shelf/ue5m3 and shelf/float8e4m3)")
    parser.add_argument("--size", type=int, default=1 << 18, help="elements (default 256 Ki)")
    parser.add_argument("--isa", default="portable,avx2,avx512,avx512vbmi", help="instruction sets, by commas")
    options = parser.parse_args()
    isas = options.isa.split(",")
    peers = [name for name, module in (("torch", torch), ("ml_dtypes", ml_dtypes), ("gfloat", gfloat)) if module]
    print(f"{options.size} elements, G elements/s")
    for package in peers:
        print(f"{package} {getattr(importlib.import_module(package), '__version__', '')}")
    print(f"{'pair':26}" + "".join(f"{name:>12}" for name in isas + peers))
    measured = {(src, to_wide): peer_rates(src, to_wide, options.size) for src in WIDE for to_wide in (False, True)}
    for form in options.format or ["shelf/ue5m3", "shelf/float8e4m3"]:
        name = form.removeprefix("shelf/").removesuffix(".json").split("/")[-1]
        pairs = [(src, name) for src in WIDE] + [(name, src) for src in WIDE]
        compiled = [(COMPILED, dst) for dst in WIDE]
        rates = program_rates(options.program, form, pairs + compiled, options.size, options.isa)
        for src, dst in pairs:
            to_wide = src == name
            row = [rates.get((f"{src}:{dst}", isa)) for isa in isas]
            row += [measured[dst if to_wide else src, to_wide].get(package) for package in peers]
            cells = "".join(f"{'-':>12}" if rate is None else f"{rate / 1e9:12.4f}" for rate in row)
            print(f"{src + ' to ' + dst:26}{cells}")
        for dst in WIDE:
            both = [(rates.get((f"{name}:{dst}", isa)), rates.get((f"{COMPILED}:{dst}", isa))) for isa in isas]
            cells = "".join(f"{'-':>12}" if None in pair else f"{pair[0] / pair[1]:12.2f}" for pair in both)
            print(f"{'share, to ' + dst:26}{cells}")


if __name__ == "__main__":
    main()
