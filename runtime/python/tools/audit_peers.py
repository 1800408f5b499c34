"""Writes AUDIT.md, in the folder above: casts of other packages against the rules, as they are installed here.

    python runtime/python/tools/audit_peers.py

A package that cannot be imported has no rows, and the page says so.
"""

import ctypes
import importlib
import importlib.metadata
import pathlib

import numpy as np

import pycastforge as cf

OPSET = "onnx@25"
PAIRS = [
    ("float32", "float8e4m3fn", {"saturate": 1}),
    ("float32", "float8e4m3fn", {"saturate": 0}),
    ("float32", "float8e5m2", {"saturate": 0}),
    ("float64", "float8e4m3fn", {"saturate": 0}),
    ("float32", "float16", {}),
    ("float32", "bfloat16", {}),
    ("float64", "bfloat16", {}),
    ("bfloat16", "float8e4m3fn", {"saturate": 1}),
    ("float16", "float8e5m2", {"saturate": 1}),
    ("float8e4m3fn", "float32", {}),
    ("float8e5m2", "bfloat16", {}),
    ("float32", "float4e2m1", {}),
    ("float32", "float8e8m0", {"saturate": 0, "round_mode": "nearest"}),
    ("float32", "int8", {}),
    ("float32", "int4", {}),
    ("int32", "float16", {}),
]


def of_ml_dtypes(src, dst, _):
    """numpy's astype, with the types of ml_dtypes."""
    return (lambda x: x.astype(dst.numpy)), "numpy"


def of_torch(src, dst, _):
    """Tensor.to."""
    import torch

    if src.packing or dst.packing:
        return None
    target = getattr(torch, dst.aliases["torch"][0])
    return (lambda x: x.to(target)), "torch"


def of_onnxruntime(src, dst, attributes):
    """A session with one Cast, of the newest opset that it runs; sources that share bytes are left out."""
    import onnx
    import onnxruntime

    numbers = [int(t.aliases["onnx_enum"][0]) for t in (src, dst)]
    value = onnx.helper.make_tensor_value_info
    node = onnx.helper.make_node("Cast", ["x"], ["y"], to=numbers[1], **attributes)
    graph = onnx.helper.make_graph([node], "g", [value("x", numbers[0], [None])], [value("y", numbers[1], [None])])
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = None
    for opset in (25, 24, 23, 21):
        model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=10)
        try:
            session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
            break
        except Exception:  # that opset, this type or this pair is one it lacks
            continue
    if session is None or src.packing:
        return None

    def call(x):
        binding = session.io_binding()
        words = x.view(f"u{x.itemsize}")
        given = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(words, numbers[0])
        binding.bind_ortvalue_input("x", given)
        binding.bind_output("y", "cpu")
        session.run_with_iobinding(binding)
        y = binding.get_outputs()[0]
        size = (x.size * dst.bits + 7) // 8
        data = np.frombuffer((ctypes.c_uint8 * size).from_address(y.data_ptr()), np.uint8).copy()
        return cf.Packed(data, (x.size,), dst)

    return call, "numpy"


def of_numkong(src, dst, _):
    """numkong.astype of a numpy array, whose type it reads itself."""
    import numkong

    names = {"float8e4m3fn": "e4m3", "float8e5m2": "e5m2", "bfloat16": "bf16"}
    if src.packing or dst.packing:
        return None

    def call(x):
        made = numkong.astype(x, names.get(dst.name, dst.name))
        words = (ctypes.c_uint8 * (x.size * dst.bits // 8)).from_address(made.data_ptr)
        return np.frombuffer(words, np.uint8).copy().view(dst.numpy)

    return call, "numpy"


PEERS = {"ml_dtypes": of_ml_dtypes, "torch": of_torch, "onnxruntime": of_onnxruntime, "numkong": of_numkong}


def example(report: cf.Audit, kind: str) -> str:
    """The first range of a kind."""
    r = next((r for r in report.ranges if r.kind == kind), None)
    if r is None:
        return ""
    return f"{r.values[0]:.9g}: {r.found_values[0]:.9g}, not {r.expected_values[0]:.9g}"


def main() -> None:
    versions, rows, missing = [], [], []
    for package, make in PEERS.items():
        try:
            importlib.import_module(package)
        except ImportError:
            missing.append(package)
            continue
        versions.append(f"{package} {importlib.metadata.version(package)}")
        for src, dst, attributes in PAIRS:
            made = make(cf.dtype(src), cf.dtype(dst), attributes)
            words = " ".join(f"{name}={value}" for name, value in attributes.items())
            head = f"| {package} | {src} to {dst} | {words} |"
            if made is None:
                rows.append(f"{head} | | it has no such cast | |")
                continue
            try:
                report = cf.audit(made[0], src, dst, opset=OPSET, family=made[1], **attributes)
            except Exception as error:
                rows.append(f"{head} | | {type(error).__name__}: {str(error).splitlines()[0][:60]} | |")
                continue
            tried = f"{'all' if report.complete else 'representative'} {report.tried}"
            kinds = report.kinds.most_common()
            if not kinds:
                rows.append(f"{head} {tried} | 0 | | |")
            for kind, count in kinds:
                rows.append(f"{head} {tried} | {count} | {kind} | {example(report, kind)} |")
            print(package, src, dst, words, dict(report.kinds), flush=True)
    absent = " Not installed when this was written: " + ", ".join(missing) + "." if missing else ""
    page = f"""# Casts of other packages against the rules

Written by `tools/audit_peers.py`, not by hand: {", ".join(versions)};
rules: {OPSET}, castforge {cf.__version__} ({cf.manifest_hash}).{absent}

Of sources of up to 16 bits all codes are tried; of wider ones those at which roundings and special cases differ
("representative"). A difference is a source whose result is not the op-set's. Not every difference is a mistake: a
package may promise something else, no saturation for example, or say nothing of NaN's bits. `pycastforge.audit` lists
all ranges.

| package | cast | attributes | codes tried | differ | how | for example |
|---|---|---|---|---|---|---|
""" + "\n".join(rows) + "\n"
    (pathlib.Path(__file__).parents[1] / "AUDIT.md").write_text(page)


if __name__ == "__main__":
    main()
