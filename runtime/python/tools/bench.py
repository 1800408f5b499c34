"""How fast casts are from Python, beside other packages, in one run.

    python runtime/python/tools/bench.py [--size N] [--program build/bin/castforge]

G elements a second into a result that is there already (ml_dtypes, numkong and onnxruntime make a new one), one thread,
the best call of several rounds in turns; with --program also what the program itself measures, in the column C++. Then
nanoseconds of a call with 16 elements. Packages that are not installed have no column.
"""

import argparse
import importlib
import json
import subprocess
import tempfile
import time

import ml_dtypes
import numpy as np

import pycastforge as cf

PAIRS = [
    ("float32", "float8e4m3fn"),
    ("bfloat16", "float8e4m3fn"),
    ("float8e4m3fn", "float32"),
    ("float8e4m3fn", "bfloat16"),
    ("float32", "bfloat16"),
    ("bfloat16", "float32"),
    ("float32", "float16"),
    ("float32", "int8"),
    ("float32", "float4e2m1"),
    ("float32", "int4"),
]


def optional(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


torch, onnx, onnxruntime, numkong = map(optional, ["torch", "onnx", "onnxruntime", "numkong"])
NUMKONG = {"float8e4m3fn": "e4m3", "float8e5m2": "e5m2", "bfloat16": "bf16"}


def peers(src, dst, size):
    """By package: a function of one call."""
    rng = np.random.default_rng(1)
    x = cf.cast(rng.standard_normal(size, np.float32), src, layout="bytes")
    out = cf.cast(x, dst)
    kernel = cf.kernel(src, dst)
    yield "castforge", lambda: kernel(x, out)
    names = (cf.dtype(src).aliases, cf.dtype(dst).aliases)
    if torch and all(cf.dtype(t).packing is None for t in (src, dst)):
        torch.set_num_threads(1)
        a = torch.from_numpy(x.view(f"i{x.itemsize}")).view(getattr(torch, names[0]["torch"][0]))
        b = torch.empty(size, dtype=getattr(torch, names[1]["torch"][0]))
        yield "torch", lambda: b.copy_(a)
    to = cf.dtype(dst).numpy
    yield "ml_dtypes", lambda: x.astype(to)
    if numkong and not any(cf.dtype(t).packing for t in (src, dst)):
        yield "numkong", lambda: numkong.astype(x, NUMKONG.get(dst, dst))
    if onnxruntime and onnx:
        run = onnxruntime_cast(names[0], names[1], x)
        if run:
            yield "onnxruntime", run


def onnxruntime_cast(src, dst, x):
    """A session with one Cast between constant-size tensors in its own memory; None where it has none."""
    number = int(dst["onnx_enum"][0])
    node = onnx.helper.make_node("Cast", ["x"], ["y"], to=number)
    value = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        [node], "g", [value("x", int(src["onnx_enum"][0]), [x.size])], [value("y", number, [x.size])]
    )
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 21)], ir_version=10)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
        binding = session.io_binding()
        words, kind = x.view(f"u{x.itemsize}"), int(src["onnx_enum"][0])
        given = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(words, kind)
        binding.bind_ortvalue_input("x", given)
        binding.bind_output("y", "cpu")
        session.run_with_iobinding(binding)
    except Exception:  # a type, or a pair, that it lacks
        return None
    return lambda: session.run_with_iobinding(binding)


def best_seconds(functions, rounds, batches, calls):
    """The shortest time of a call of each, measured in turns: so many batches of so many calls."""
    best = dict.fromkeys(functions, float("inf"))
    for _ in range(rounds):
        for name, function in functions.items():
            for _ in range(batches):
                started = time.perf_counter()
                for _ in range(calls):
                    function()
                best[name] = min(best[name], (time.perf_counter() - started) / calls)
    return best


def program_rates(program, size):
    """Elements a second by pair, as the program measures itself."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        pairs = [word for pair in PAIRS for word in ("--pair", ":".join(pair))]
        command = [program, "bench", *pairs, "--size", str(size), "--json", file.name]
        subprocess.run(command, check=True, capture_output=True)
        runs = json.load(open(file.name))["benchmarks"]
    rates = {}
    for run in runs:
        parts = run["name"].split("/")
        if parts[0] == "cast":
            rates[parts[1]] = run["items_per_second"]
    return rates


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1 << 20, help="elements (default 1 Mi)")
    parser.add_argument("--program", help="the program castforge, for the column C++")
    options = parser.parse_args()
    rates = program_rates(options.program, options.size) if options.program else {}
    columns = ["castforge", "C++", "torch", "ml_dtypes", "numkong", "onnxruntime"]
    print(f"{options.size} elements, G elements/s, {next(i['name'] for i in cf.info()['isas'] if i['active'])}")
    print(f"{'pair':28}" + "".join(f"{name:>13}" for name in columns))
    for src, dst in PAIRS:
        functions = dict(peers(src, dst, options.size))
        seconds = best_seconds(functions, rounds=15, batches=8, calls=max(1, (1 << 18) // options.size))
        row = {name: options.size / value / 1e9 for name, value in seconds.items()}
        if f"{src}:{dst}" in rates:
            row["C++"] = rates[f"{src}:{dst}"] / 1e9
        cells = "".join(f"{row[name]:13.2f}" if name in row else f"{'-':>13}" for name in columns)
        print(f"{src + ' ' + dst:28}{cells}", flush=True)

    print("\n16 elements, ns a call")
    x, out = np.ones(16, np.float32), np.empty(16, ml_dtypes.bfloat16)
    kernel = cf.kernel("float32", "bfloat16")
    calls = {
        "kernel(x, out)": lambda: kernel(x, out),
        "cast(x, 'bfloat16', out=out)": lambda: cf.cast(x, "bfloat16", out=out),
        "cast(x, 'bfloat16')": lambda: cf.cast(x, "bfloat16"),
        "x.astype(ml_dtypes.bfloat16)": lambda: x.astype(ml_dtypes.bfloat16),
    }
    if torch:
        t, u = torch.ones(16), torch.empty(16, dtype=torch.bfloat16)
        calls["torch: u.copy_(t)"] = lambda: u.copy_(t)
        calls["cast(t, 'bfloat16', out=u)"] = lambda: cf.cast(t, "bfloat16", out=u)
    for name, seconds in best_seconds(calls, rounds=20, batches=10, calls=500).items():
        print(f"{name:32}{seconds * 1e9:8.0f}")


if __name__ == "__main__":
    main()
