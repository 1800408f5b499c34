#!/usr/bin/env python3
"""Measures castforge beside what one would use instead: NumPy with ml_dtypes, onnxruntime, PyTorch.

Each peer is used where it is installed and named as missing where not. Peers convert one tensor into another on one
thread, without allocating where their interface allows it. All take turns with memcpy of as many bytes as the
conversion reads and writes; printed are G elements/s and, in brackets, the rate over memcpy's.

    compare.py path/to/libcastforge.so [--pair float32:float16]... [--size N]... [--opset onnx@25]

The library must be a shared one: cmake -DBUILD_SHARED_LIBS=ON. Needs NumPy for the buffers.
"""
import argparse
import ctypes
import statistics
import sys
import time

PAIRS = ("float32:float16 float16:float32 float32:bfloat16 bfloat16:float32 float32:float8e4m3fn "
         "float8e4m3fn:float32 float32:float8e5m2 float16:float8e4m3fn bfloat16:float8e4m3fn float8e4m3fn:bfloat16 "
         "float32:int8 float32:uint8 int8:float32 int32:float32 float32:int32 float64:float32 float32:float64 "
         "int64:int32 int32:int64 int64:float32 float32:int64 uint8:bool bool:float32 float32:bool int32:int8 "
         "uint8:float16 int4:float32 uint4:float32 float32:int4 float32:uint4 int8:int4 int4:int8 float4e2m1:float32 "
         "float32:float4e2m1").split()

# type: (NumPy or ml_dtypes name, bytes, TensorProto.DataType, torch name)
TYPES = {
    "bool": ("bool", 1, 9, "bool"),
    "int8": ("int8", 1, 3, "int8"), "uint8": ("uint8", 1, 2, "uint8"),
    "int16": ("int16", 2, 5, "int16"), "uint16": ("uint16", 2, 4, None),
    "int32": ("int32", 4, 6, "int32"), "uint32": ("uint32", 4, 12, None),
    "int64": ("int64", 8, 7, "int64"), "uint64": ("uint64", 8, 13, None),
    "float16": ("float16", 2, 10, "float16"), "bfloat16": ("bfloat16", 2, 16, "bfloat16"),
    "float32": ("float32", 4, 1, "float32"), "float64": ("float64", 8, 11, "float64"),
    "float8e4m3fn": ("float8_e4m3fn", 1, 17, "float8_e4m3fn"),
    "float8e4m3fnuz": ("float8_e4m3fnuz", 1, 18, "float8_e4m3fnuz"),
    "float8e5m2": ("float8_e5m2", 1, 19, "float8_e5m2"),
    "float8e5m2fnuz": ("float8_e5m2fnuz", 1, 20, "float8_e5m2fnuz"),
    # A byte each in NumPy, packed for the others, who use half of the same buffers.
    "int4": ("int4", 1, 22, None), "uint4": ("uint4", 1, 21, None), "float4e2m1": ("float4_e2m1fn", 1, 23, None),
}
# Version of the op-set and of the file format that brought a type to onnxruntime; else 19 and 9.
SINCE = {"int4": (21, 10), "uint4": (21, 10), "float4e2m1": (23, 11)}


class Unavailable(Exception):
    """A peer is not installed, or does not offer a pair; the message says which."""


class Castforge:
    """The library under measurement, through its C interface."""

    name = "castforge"

    class _Kernel(ctypes.Structure):
        _fields_ = [("opaque", ctypes.c_uint64 * 64)]  # larger than the real one

    def __init__(self, path, opset):
        self.library = ctypes.CDLL(path)
        self.library.castforge_status_string.restype = ctypes.c_char_p
        self.library.castforge_active_isa.restype = ctypes.c_char_p
        self.library.castforge_run.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
        self.opset = opset.encode()

    def version(self):
        self.library.castforge_version.restype = ctypes.c_char_p
        return f"{self.library.castforge_version().decode()} on {self.library.castforge_active_isa().decode()}"

    def _check(self, status, what):
        if status != 0:
            raise Unavailable(f"castforge: {what}: {self.library.castforge_status_string(status).decode()}")

    def _type(self, name):
        number = ctypes.c_uint16()
        self._check(self.library.castforge_find_type(name.encode(), ctypes.byref(number)), name)
        return number

    def prepare(self, src, dst, source, target):
        kernel = self._Kernel()
        self._check(self.library.castforge_find_kernel(self.opset, self._type(src), self._type(dst), None,
                                                       ctypes.byref(kernel)), f"{src}:{dst}")
        run, at = self.library.castforge_run, ctypes.byref(kernel)
        from_address, to_address, count = source.ctypes.data, target.ctypes.data, source.size
        self._check(run(at, from_address, to_address, count), f"{src}:{dst}")
        return lambda: run(at, from_address, to_address, count)


class NumPy:
    name = "NumPy+ml_dtypes"

    def __init__(self):
        try:
            import ml_dtypes
        except ImportError as error:
            raise Unavailable("ml_dtypes is not installed") from error
        self.ml_dtypes = ml_dtypes

    def version(self):
        return f"{numpy.__version__} + {self.ml_dtypes.__version__}"

    def prepare(self, src, dst, source, target):
        def run():
            with numpy.errstate(all="ignore"):
                numpy.copyto(target, source, casting="unsafe")
        return run


class OnnxRuntime:
    name = "onnxruntime"

    def __init__(self):
        try:
            import onnxruntime
        except ImportError as error:
            raise Unavailable("onnxruntime is not installed") from error
        self.onnxruntime = onnxruntime

    def version(self):
        return self.onnxruntime.__version__

    @staticmethod
    def _field(number, payload):
        if isinstance(payload, int):
            return OnnxRuntime._varint(number << 3) + OnnxRuntime._varint(payload)
        return OnnxRuntime._varint(number << 3 | 2) + OnnxRuntime._varint(len(payload)) + payload

    @staticmethod
    def _varint(value):
        out = bytearray()
        while value >= 0x80:
            out.append(value & 0x7F | 0x80)
            value >>= 7
        return bytes(out + bytes([value]))

    def _model(self, src, dst):
        """A ModelProto of one Cast node, in Protocol Buffers' wire format."""
        f = self._field
        opset, file_format = max(SINCE.get(src, (19, 9)), SINCE.get(dst, (19, 9)))
        attribute = f(1, b"to") + f(3, TYPES[dst][2]) + f(20, 2)
        node = f(1, b"x") + f(2, b"y") + f(4, b"Cast") + f(5, attribute)

        def value(name, kind):
            shape = f(1, f(2, b"n"))
            return f(1, name) + f(2, f(1, f(1, TYPES[kind][2]) + f(2, shape)))
        graph = f(1, node) + f(2, b"g") + f(11, value(b"x", src)) + f(12, value(b"y", dst))
        return f(1, file_format) + f(8, f(1, b"") + f(2, opset)) + f(7, graph)

    def prepare(self, src, dst, source, target):
        ort = self.onnxruntime
        options = ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            session = ort.InferenceSession(self._model(src, dst), options, providers=["CPUExecutionProvider"])
            binding = session.io_binding()
            for bind, name, kind, array in ((binding.bind_input, "x", src, source),
                                            (binding.bind_output, "y", dst, target)):
                bind(name, "cpu", 0, TYPES[kind][2], array.shape, array.ctypes.data)
            session.run_with_iobinding(binding)
        except Exception as error:  # its exceptions have no common base class
            raise Unavailable(f"onnxruntime: {src}:{dst}: {str(error).splitlines()[0]}") from error
        return lambda: session.run_with_iobinding(binding)


class PyTorch:
    name = "PyTorch"

    def __init__(self):
        try:
            import torch
        except ImportError as error:
            raise Unavailable("PyTorch is not installed") from error
        torch.set_num_threads(1)
        self.torch = torch

    def version(self):
        return self.torch.__version__

    def _tensor(self, kind, array):
        if TYPES[kind][3] is None:
            raise Unavailable(f"PyTorch: no {kind}")
        raw = self.torch.from_numpy(array.view(numpy.uint8))  # the same memory
        return raw.view(getattr(self.torch, TYPES[kind][3]))

    def prepare(self, src, dst, source, target):
        from_tensor, to_tensor = self._tensor(src, source), self._tensor(dst, target)
        to_tensor.copy_(from_tensor)
        return lambda: to_tensor.copy_(from_tensor)


def dtype(name):
    numpy_name = TYPES[name][0]
    if hasattr(numpy, numpy_name) or numpy_name == "bool":
        return numpy.dtype(numpy_name)
    try:
        import ml_dtypes
        return numpy.dtype(getattr(ml_dtypes, numpy_name))
    except ImportError:
        # Without ml_dtypes the codes are enough for everybody else.
        return numpy.dtype(f"uint{8 * TYPES[name][1]}")


def sample(name, count):
    """Normally distributed numbers; codes of that distribution for types that NumPy does not compute with."""
    generator = numpy.random.default_rng(7)
    kind = dtype(name)
    if name == "bool":
        return generator.integers(0, 2, count).astype(bool)
    if name in ("int4", "uint4"):
        return generator.integers(0, 8, count, dtype=numpy.uint8).astype(kind)
    if name.startswith(("int", "uint")):
        return generator.integers(0, 256, count * kind.itemsize, dtype=numpy.uint8).view(kind)
    if kind.kind == "u":
        return generator.integers(0, 256, count * kind.itemsize, dtype=numpy.uint8).view(kind) & kind.type(0x3F)
    part = generator.standard_normal(min(count, 1 << 18)).astype(kind)
    return numpy.resize(part, count)


def seconds_in_turns(runs, budget):
    """Median seconds of one call of each, taking turns."""
    calls = []
    for run in runs:
        run()
        start = time.perf_counter()
        run()
        calls.append(max(1, int(100e-6 / max(time.perf_counter() - start, 1e-9))))
    samples = [[] for _ in runs]
    start = time.perf_counter()
    while len(samples[0]) < 3 or (time.perf_counter() - start < budget and len(samples[0]) < 101):
        for run, count, list_of in zip(runs, calls, samples):
            begin = time.perf_counter()
            for _ in range(count):
                run()
            list_of.append((time.perf_counter() - begin) / count)
    return [statistics.median(list_of) for list_of in samples]


def compare(pair, size, peers):
    src, dst = pair.split(":")
    elements = sample(src, size)
    half = size * (elements.itemsize + dtype(dst).itemsize) // 2
    # memcpy uses the same memory as the peers: in a cache, more of it would be another measurement.
    source_bytes = numpy.ones(max(elements.nbytes, half), numpy.uint8)
    target_bytes = numpy.ones(max(size * dtype(dst).itemsize, half), numpy.uint8)
    source = source_bytes[:elements.nbytes].view(elements.dtype)
    source[:] = elements
    target = target_bytes[:size * dtype(dst).itemsize].view(dtype(dst))
    runs, missing = [lambda: ctypes.memmove(target_bytes.ctypes.data, source_bytes.ctypes.data, half)], {}
    names = []
    for peer in peers:
        try:
            runs.append(peer.prepare(src, dst, source, target))
            names.append(peer.name)
        except Unavailable as reason:
            missing[peer.name] = str(reason)
    seconds = seconds_in_turns(runs, 0.2 if size < 1 << 22 else 1.5)
    return seconds[0], half, dict(zip(names, seconds[1:])), missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", help="shared library castforge")
    parser.add_argument("--pair", action="append", help="SRC:DST; several times")
    parser.add_argument("--size", action="append", type=int, help="elements; several times (65536 and 67108864)")
    parser.add_argument("--opset", default="onnx@25")
    options = parser.parse_args()
    pairs = options.pair or PAIRS
    for pair in pairs:
        if len(pair.split(":")) != 2 or not all(name in TYPES for name in pair.split(":")):
            parser.error(f"--pair {pair}: expected SRC:DST, each one of {', '.join(TYPES)}")
    try:
        peers = [Castforge(options.library, options.opset)]
    except OSError as error:
        sys.exit(f"compare.py: {error}")
    for make in (NumPy, OnnxRuntime, PyTorch):
        try:
            peers.append(make())
        except Unavailable as reason:
            print(f"# {make.name} left out: {reason}")
    for peer in peers:
        print(f"# {peer.name} {peer.version()}")
    for size in options.size or (1 << 16, 1 << 26):
        print(f"\n## {size} elements\n\n| pair | memcpy GB/s | " + " | ".join(peer.name for peer in peers) + " |")
        print("|---|---" + "|---" * len(peers) + "|")
        notes = []
        for pair in pairs:
            memcpy, half, seconds, missing = compare(pair, size, peers)
            rates = {p: f"{size / seconds[p] / 1e9:.2f} ({memcpy / seconds[p]:.2f})" for p in seconds}
            cells = [rates.get(p.name, "-") for p in peers]
            print(f"| {pair} | {2 * half / memcpy / 1e9:.0f} | " + " | ".join(cells) + " |", flush=True)
            notes += missing.values()
        for note in dict.fromkeys(notes):
            print(f"# not offered: {note}")


if __name__ == "__main__":
    try:
        import numpy
    except ImportError:
        sys.exit("compare.py: needs NumPy, also for the buffers of the other peers")
    main()
