"""The same results as the command line program."""

import subprocess

import numpy as np
import pytest
from conftest import ANY, NUMBERS, random_packed

import pycastforge as cf

TENSORS = 200  # of each type
TARGETS = 5


@pytest.mark.parametrize("src", NUMBERS, ids=str)
def test_random_tensors(src, program, tmp_path):
    """Tensors of any shape, each cast by itself; the program casts them one behind the other."""
    rng = np.random.default_rng(src.bits * 1000 + len(src.name))
    for dst in rng.permutation(len(NUMBERS))[:TARGETS]:
        dst = NUMBERS[dst]
        shapes = [tuple(rng.integers(0, 9, rng.integers(0, 4))) for _ in range(TENSORS // TARGETS)]
        tensors = [random_packed(rng, src, shape) for shape in shapes]
        results = [cf.cast(x, dst, opset=ANY, layout="packed") for x in tensors]
        x, expected = joined(src, tensors), joined(dst, results)
        (tmp_path / "x.raw").write_bytes(x.data.tobytes())
        arguments = ["--from", src.name, "--to", dst.name, "--opset", ANY, "--count", str(x.size)]
        subprocess.run([program, "cast", tmp_path / "x.raw", tmp_path / "y.raw", *arguments], check=True)
        assert (tmp_path / "y.raw").read_bytes() == expected.data.tobytes(), f"{src} -> {dst}"


def joined(dtype, tensors) -> cf.Packed:
    """Elements of several tensors one behind the other; bits of an int, as types may share bytes in either order."""
    count = sum(x.size for x in tensors)
    order = "little" if dtype.packing != "high_first" else "big"
    parts = [
        np.unpackbits(x.data, bitorder=order)[: x.size * dtype.bits] if dtype.packing else x.data for x in tensors
    ]
    bits = np.concatenate(parts)
    return cf.Packed(np.packbits(bits, bitorder=order) if dtype.packing else bits, (count,), dtype)


def test_attributes_and_ranges(program, tmp_path):
    x = np.array([1, 480, 0.3, np.nan, -np.inf], np.float32)
    x.tofile(tmp_path / "x.raw")
    subprocess.run(
        [program, "cast", tmp_path / "x.raw", tmp_path / "y.raw", "--from", "float32", "--to", "float8e4m3fn"]
        + ["--opset", "onnx@23", "--saturate", "0"],
        check=True,
    )
    y = cf.cast(x, "float8e4m3fn", opset="onnx@23", saturate=False)
    assert (tmp_path / "y.raw").read_bytes() == y.tobytes()
    subprocess.run(
        [program, "range", tmp_path / "r.npy", "--start", "1", "--stop", "2.5", "--step", "0.5", "--to", "float16"],
        check=True,
    )
    np.testing.assert_array_equal(np.load(tmp_path / "r.npy"), cf.arange(1, 2.5, 0.5, to="float16"))


def test_same_library(program):
    said = subprocess.run([program, "info"], check=True, capture_output=True, text=True).stdout
    assert cf.manifest_hash in said
