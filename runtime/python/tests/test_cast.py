"""cast, bitcast, kernel: results, arrays of every kind, errors."""

import itertools
import re
import threading

import hypothesis.extra.numpy as hnp
import ml_dtypes
import numpy as np
import pytest
from conftest import ANY, NUMBERS, codes, has_numpy, random_packed
from hypothesis import given, settings
from hypothesis import strategies as st

import pycastforge as cf
import pycastforge.numpy as cfn

DTYPES = [t for t in NUMBERS if has_numpy(t)]


@pytest.mark.parametrize("dtype", [t for t in DTYPES if t.bits <= 16], ids=str)
def test_every_number_is_what_ml_dtypes_says(dtype):
    words = np.arange(2 if dtype.kind == "bool" else 1 << dtype.bits, dtype=f"u{dtype.numpy.itemsize}")
    x = words.view(dtype.numpy)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(cf.cast(x, "float64", opset=ANY), x.astype(np.float64))


def test_rounded_once_and_nan_stays_nan():
    x = np.array([1 + 2**-4 + 2**-40, np.nan, 480], np.float64)
    y = cf.cast(x, "float8e4m3fn", saturate=False).astype(np.float64)
    same = cf.cast(x, "float8e4m3fn", saturate=np.bool_(False)).astype(np.float64)
    np.testing.assert_array_equal(same, y)
    assert y[0] == 1.125 and np.isnan(y[1]) and np.isnan(y[2])


@pytest.mark.parametrize("src", NUMBERS, ids=str)
@pytest.mark.parametrize("dst", NUMBERS, ids=str)
def test_kernel_cast_and_layouts_agree(src, dst):
    rng = np.random.default_rng(hash((src, dst)) & 0xFFFF)
    x = random_packed(rng, src, (3, 7))
    want = cf.cast(x, dst, opset=ANY, layout="packed")
    assert want.shape == (3, 7) and want.dtype == dst
    np.testing.assert_array_equal(cf.kernel(src, dst, opset=ANY)(x, layout="packed").data, want.data)
    out = cf.Packed(np.full_like(want.data, 255), (3, 7), dst)
    assert cf.cast(x, dst, opset=ANY, out=out) is out
    np.testing.assert_array_equal(out.data, want.data)
    if has_numpy(dst):
        got = cf.cast(x, dst, opset=ANY, layout="bytes")
        assert got.dtype == dst.numpy and got.shape == (3, 7)
        np.testing.assert_array_equal(codes(got), codes(want))
        into = np.empty((3, 7), dst.numpy)
        assert cf.cast(x, dst, opset=ANY, out=into) is into
        np.testing.assert_array_equal(codes(into), codes(want))
    if has_numpy(src):
        np.testing.assert_array_equal(cf.cast(x.unpack(), dst, opset=ANY, layout="packed").data, want.data)


arrays = hnp.arrays(
    st.sampled_from([np.float32, np.float64, np.float16, np.int8, np.uint16, np.int64, np.bool_]),
    hnp.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=7),
)


@settings(max_examples=300, deadline=None)
@given(arrays, st.sampled_from(DTYPES), st.data())
def test_shapes_and_strides(x, dtype, data):
    if x.ndim:
        x = x.transpose(data.draw(st.permutations(range(x.ndim))))
        index = data.draw(hnp.basic_indices(x.shape, allow_newaxis=True, allow_ellipsis=True))
        x = np.asarray(x[index])
    want = cf.cast(np.array(x, order="C", copy=True), dtype, opset=ANY, layout="bytes")
    assert want.shape == x.shape
    got = cf.cast(x, dtype, opset=ANY, layout="bytes", copy=True)
    np.testing.assert_array_equal(codes(got), codes(want))
    if x.flags.c_contiguous or x.size == 0:
        np.testing.assert_array_equal(codes(cf.cast(x, dtype, opset=ANY, layout="bytes")), codes(want))
    else:
        with pytest.raises(cf.BadArray, match="strides"):
            cf.cast(x, dtype, opset=ANY)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(NUMBERS), st.lists(st.integers(0, 9), max_size=4), st.integers(0, 2**32))
def test_packing_there_and_back(dtype, shape, seed):
    x = random_packed(np.random.default_rng(seed), dtype, tuple(shape))
    if not has_numpy(dtype):
        return
    back = cf.Packed.from_unpacked(x.unpack())
    assert back.dtype == dtype and back.shape == tuple(shape)
    again = back.unpack()
    np.testing.assert_array_equal(codes(again), codes(x))


class OnlyDlpack:
    """An array of numpy whose memory is all that it gives."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **keywords):
        return self.x.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


def test_strides_of_what_is_no_array_of_its_family():
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    for y in (x[:, ::2], x.T):
        assert cf.cast(OnlyDlpack(y), "float16", copy=True).tolist() == y.tolist()
        with pytest.raises(cf.BadArray, match="strides"):
            cf.cast(OnlyDlpack(y), "float16")
    assert cf.quantization_error(OnlyDlpack(x.T), "int4").elements == 12


def test_scalars_empty_and_read_only():
    assert cf.cast(np.float32(2.5), "int8").shape == ()
    assert cf.cast(np.array(2.5), "int8") == 2
    assert cf.cast(np.empty((0, 3), np.float32), "bfloat16").shape == (0, 3)
    x = np.ones(4, np.float32)
    x.flags.writeable = False
    assert cf.cast(x, "int8").tolist() == [1, 1, 1, 1]
    with pytest.raises(cf.BadArray, match="out cannot be written"):
        cf.cast(x, "float32", out=x, opset=ANY)


def test_out():
    x = np.arange(6, dtype=np.float32)
    assert cf.cast(x, "int32", out=x.view(np.int32)).tolist() == [0, 1, 2, 3, 4, 5]  # in place
    x = np.arange(6, dtype=np.float32)
    for bad, message in [
        (np.empty(5, np.int8), "extent"),
        (np.empty((2, 3), np.int8), "rank"),
        (x.view(np.int8)[:6], "overlap"),
        (np.empty(12, np.int8)[::2], "strides"),
    ]:
        with pytest.raises(cf.BadArray, match=message):
            cf.cast(x, "int8", out=bad)
        with pytest.raises(cf.BadArray):
            cf.kernel("float32", "int8")(x, bad)
    with pytest.raises(cf.PairNotAdmitted, match="expected elements of int8, found uint8"):
        cf.cast(x, "int8", out=np.empty(6, np.uint8))
    both = np.zeros(9, ml_dtypes.int4)
    with pytest.raises(cf.BadArray, match="overlap"):
        cf.cast(both[:8], "uint4", out=both[1:].view(ml_dtypes.uint4), opset=ANY)


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda x: cf.cast(x, "float8e4m3f"), cf.UnknownType, "did you mean float8e4m3fn"),
        (lambda x: cf.cast(x, 99), cf.UnknownType, "number 99"),
        (lambda x: cf.cast(x, 10**5000), cf.UnknownType, "number of more than 64 bits"),
        (lambda x: cf.cast(x, True), cf.UnknownType, "expected a type"),
        (lambda x: cf.dtype(None), cf.UnknownType, "expected the name of a type.*None"),
        (lambda x: cf.dtype("\ud800"), cf.UnknownType, r"unknown type '\\ud800'"),
        (lambda x: cf.quantization_error(x, None), cf.UnknownType, "expected the name of a type.*None"),
        (lambda x: cf.cast(x, "int8", opset="onxx@23"), cf.UnknownOpset, "onnx"),
        (lambda x: cf.cast(x, "int8", opset="onnx@99"), cf.UnknownOpset, "newest"),
        (lambda x: cf.cast(x, "float6e2m3", opset="onnx@23"), cf.PairNotAdmitted, "float6e2m3"),
        (lambda x: cf.cast(x, "int8", opset="openvino-range@4"), cf.WrongOperation, "range"),
        (lambda x: cf.cast(x, "int8", satura=1), cf.UnknownAttribute, "it has saturate"),
        (lambda x: cf.cast(x, "int8", saturate="yes"), cf.BadAttribute, "saturate"),
        (lambda x: cf.cast(x, "int8", saturate=1.5), cf.BadAttribute, "expected a str, a bool or an int"),
        (lambda x: cf.cast(x, "float8e8m0", round_mode="sideways"), cf.BadAttribute, "nearest"),
        (lambda x: cf.cast([1.0], "int8"), cf.NotAnArray, "found list"),
        (lambda x: cf.cast(1.0, "int8"), cf.NotAnArray, "found float"),
        (lambda x: cf.cast(x.astype(">f4"), "int8"), cf.UnknownType, "other order"),
        (lambda x: cf.cast(x.astype(complex), "int8"), cf.UnknownType, "complex128"),
        (lambda x: cf.cast(np.array(["1"]), "int8"), cf.UnknownType, "parse_text"),
        (lambda x: cf.cast(x, "string"), cf.PairNotAdmitted, "format_text"),
        (lambda x: cf.cast(x, "int8", threads=0), ValueError, "from 1 to"),
        (lambda x: cf.cast(x, "int8", threads=-1), ValueError, "from 1 to"),
        (lambda x: cf.cast(x, "int8", threads=2**70), ValueError, "32 bits"),
        (lambda x: cf.cast(x, "int8", threads="2"), TypeError, "threads: expected an int"),
        (lambda x: cf.cast(x, "int8", threads=True), TypeError, "threads: expected an int"),
        (lambda x: cf.cast(x, "int8", x=x), TypeError, "x was given twice"),
        (lambda x: cf.cast(x, "int8", to="int8"), TypeError, "to was given twice"),
        (lambda x: cf.cast(x, "int8", copy=1), TypeError, "copy"),
        (lambda x: cf.cast(x, "int4", layout="loose"), ValueError, "layout"),
        (lambda x: cf.cast(x, "int8", stats=1), TypeError, "Stats"),
        (lambda x: cf.cast(x), TypeError, "needs a type"),
        (lambda x: cf.cast(), TypeError, "needs an array"),
        (lambda x: cf.cast(x, "int8", "onnx"), TypeError, "by position"),
        (lambda x: cf.bitcast(x, "int8"), cf.PairNotAdmitted, "from float32 it admits"),
        (lambda x: cf.bitcast(x, "string"), cf.PairNotAdmitted, "onnx-bitcast@26 does not admit string"),
        (lambda x: cf.bitcast(x, "int32", saturate=1), TypeError, "saturate"),
        (lambda x: cf.kernel("float32", "int8")(x.astype(np.float64)), cf.PairNotAdmitted, "this kernel reads float32"),
        (lambda x: cf.Packed(np.zeros(3, np.uint8), (4,), "int4"), cf.BadArray, "fill 2 bytes, found 3"),
        (lambda x: cf.Packed(x, (4,), "int4"), cf.BadArray, "array of bytes"),
        (lambda x: cf.Packed(np.zeros(3, np.uint8), (-4,), "int4"), cf.BadArray, "negative"),
        (lambda x: cf.Packed(np.zeros(3, np.uint8), (2**40, 2**40), "int4"), cf.BadArray, "more elements"),
        (lambda x: cf.Packed.from_unpacked(x, "int4"), cf.UnknownType, "cast\\(\\) converts"),
        (lambda x: cf.cast(x, "uint1", opset=ANY, layout="bytes"), cf.UnknownType, "have no uint1"),
        (lambda x: cf.arange(0, 1, np.ones(2), to="float32"), cf.BadRange, "expected one number"),
        (lambda x: cf.arange(0, 1, True, to="float32"), cf.BadRange, "expected a number"),
        (lambda x: cf.arange(0, np.nan, 1, to="float32"), cf.BadRange, "stop"),
        (lambda x: cf.parse_text([1], "int8"), cf.NotAnArray, "expected a str, found 1"),
        (lambda x: cf.parse_text(x, "int8"), cf.NotAnArray, "expected texts"),
        (lambda x: cf.parse_text(["1\0"], "int8"), cf.BadNumber, "element 0"),
        (lambda x: cf.parse_text([b"1", b"2\0"], "int8"), cf.BadNumber, "element 1"),
        (lambda x: cf.parse_text(["\ud800"], "int8"), ValueError, "UTF-8"),
        (lambda x: cf.parse_text("x", "int8"), cf.BadNumber, "not a number"),
    ],
)
def test_errors(call, error, message):
    with pytest.raises(error, match=message) as caught:
        call(np.arange(4, dtype=np.float32))
    assert isinstance(caught.value, (TypeError, ValueError))


def test_errors_name_the_element():
    with pytest.raises(cf.BadNumber) as caught:
        cf.parse_text([["1", "2"], ["3", "four"]], "int8")
    assert caught.value.index == 3


@pytest.mark.parametrize("size", [1, 16383, 16384, 1_000_003])
def test_threads_give_the_same(size):
    x = np.random.default_rng(size).standard_normal(size, np.float32)
    for dtype in ["float8e4m3fn", "float4e2m1", "float6e3m2", "int64"]:
        want = cf.cast(x, dtype, opset=ANY, layout="packed").data
        np.testing.assert_array_equal(cf.cast(x, dtype, opset=ANY, layout="packed", threads=3).data, want)
        np.testing.assert_array_equal(cf.kernel("float32", dtype, opset=ANY)(x, layout="packed", threads=3).data, want)


def test_many_threads_of_python():
    x = np.random.default_rng(1).standard_normal(50_000, np.float32)
    want = cf.cast(x, "bfloat16")
    wrong = []

    def work():
        for _ in range(50):
            if not np.array_equal(cf.cast(x, "bfloat16").view(np.uint16), want.view(np.uint16)):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_buffers_of_python():
    assert cf.cast(b"\x01\x02", "float32").tolist() == [1, 2]
    out = bytearray(2)
    assert cf.cast(np.array([3, 4], np.float32), "uint8", out=out) is out and out == b"\x03\x04"
    with pytest.raises(cf.BadArray, match="cannot be written"):
        cf.cast(np.array([3, 4], np.float32), "uint8", out=b"12")


def test_names_of_types():
    for dtype in NUMBERS:
        for name in dtype.aliases.get("ml_dtypes", []):
            assert cf.dtype(getattr(ml_dtypes, name)) is dtype
            assert cf.dtype(np.dtype(getattr(ml_dtypes, name))) is dtype
        for number in dtype.aliases.get("onnx_enum", []):
            assert cf.dtype(int(number)) is dtype
        for name in dtype.aliases.get("safetensors", []):
            assert cf.dtype(name) is dtype
    assert cf.dtype(np.float32).name == cf.dtype("<f4").name == "float32"


def test_pickles():
    import pickle

    dtype = cf.dtype("int4")
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    packed = cf.cast(np.arange(5, dtype=np.float32), "int4")
    again = pickle.loads(pickle.dumps(packed))
    assert again.shape == (5,) and again.data.tolist() == packed.data.tolist()


def test_stats():
    stats = cf.Stats()
    x = np.array([1, 500, -1000, np.inf, np.nan, 1e-30, 0, 0.3, -0.0], np.float32)
    cf.cast(x, "float8e4m3fn", stats=stats)
    counts = (stats.elements, stats.nan, stats.infinite, stats.saturated, stats.underflowed, stats.inexact)
    assert counts == (9, 1, 1, 2, 1, 2)
    assert stats.amax == 1000 and 0 < stats.largest_error_ulp <= 0.5
    cf.cast(x, "float4e2m1", stats=stats)
    assert stats.elements == 18

    def count(values, dtype, to, **attributes):
        one = cf.Stats()
        cf.cast(np.array(values, dtype), to, stats=one, **attributes)
        return one.saturated, one.nonfinite, one.inexact

    # Overflow is decided on the rounded number, ties and directions among it.
    assert count([456, -464, 448], np.float32, "float8e4m3fn") == (0, 0, 2)
    assert count([464.1, -480], np.float64, "float8e4m3fn") == (2, 0, 0)
    assert count([456, 464.1, -480], np.float32, "float8e4m3fn", saturate=False) == (0, 2, 1)
    assert count([65519.9, 65520, -65520], np.float64, "float16") == (0, 2, 1)
    assert count([247.9, 248], np.float64, "float8e4m3fnuz") == (1, 0, 1)
    assert count([1.9 * 2.0**127, 2.0**128], np.float64, "float8e8m0", round_mode="down") == (1, 0, 1)
    assert count([1.1 * 2.0**127, 2.0**127], np.float64, "float8e8m0", round_mode="up") == (1, 0, 0)
    assert count([0, -1], np.float64, "float8e8m0", saturate=False) == (0, 2, 0)
    assert count([127.9, 128, -128.9, -129], np.float32, "int8") == (2, 0, 2)  # toward zero; wraps
    assert count([255.9, -0.9, -1, 256], np.float32, "uint8") == (2, 0, 2)
    assert count([7.4, 7.5, -8.5, -8.6], np.float32, "int4") == (2, 0, 2)  # to nearest, ties to even
    assert count([2.0**63, -(2.0**63), 2.0**63 - 1024, -(2.0**63) - 2048], np.float64, "int64") == (2, 0, 0)
    assert count([2.0**64, 2.0**64 - 2048, -1], np.float64, "uint64") == (2, 0, 0)
    assert count([2**63 - 1, -(2**63)], np.int64, "int64") == (0, 0, 0)
    assert count([2**63 - 1, 2**63, 2**63 + 500, 2**64 - 1], np.uint64, "int64") == (3, 0, 0)
    assert count([np.finfo(np.float64).max], np.float64, "float64") == (0, 0, 0)
    toward_zero = {"opset": "pypto@8.5.0", "mode": "CAST_TRUNC"}
    assert count([65535, 65536], np.float32, "float16", **toward_zero) == (0, 1, 1)
    with pytest.raises(cf.BadArray, match="in place"):
        cf.cast(x, "int32", out=x.view(np.int32), stats=stats)


def test_kernel_says_what_it_is():
    k = cf.kernel("float32", "float8e4m3fn", opset="onnx@22", saturate=False)
    assert k.opset == "onnx@21" and k.src.name == "float32" and k.dst.name == "float8e4m3fn"
    assert k.isa in [isa["name"] for isa in cf.info()["isas"] if isa["active"]]
    assert "sha256:" in k.meaning_hash
    assert cf.kernel("float32", "float8e4m3fn").meaning_hash != k.meaning_hash


def test_a_kernel_without_truth_table_lacks_that_attribute():
    import inspect

    k = cf.kernel("float32", "float8e4m3fn")
    assert not hasattr(k, "truth_table") and hasattr(cf.kernel("float16", "float8e4m3fn"), "truth_table")
    assert "name" in dict(inspect.getmembers(k))
    for error in (AttributeError, ValueError, cf.BadArray, cf.NoTruthTable):
        with pytest.raises(error, match="float32 has 32 bits; tables are for sources to 16"):
            k.truth_table  # noqa: B018
    assert cf.NoTruthTable.__module__ == "pycastforge"


def test_an_opset_is_as_good_as_its_name():
    x = np.array([1000.0, -1.5], np.float32)
    by_name = {opset.name: opset for opset in cf.opsets()}
    old = by_name["onnx@6"]
    assert cf.cast(x, "int8", opset=old).tolist() == cf.cast(x, "int8", opset="onnx@6").tolist()
    assert cf.cast(np.zeros(1 << 15, np.float32), "int8", opset=old).size == 1 << 15
    assert cf.kernel("float32", "int8", opset=old).opset == "onnx@6"
    assert cf.bitcast(x, "int32", opset=by_name["onnx-bitcast@26"]).tolist() == x.view(np.int32).tolist()
    assert cf.arange(0, 3, 1, to="int32", opset=by_name["onnx-range@27"]).tolist() == [0, 1, 2]
    assert "onnx@6" in cf.explain("float32", "int8", opset=old)
    # What the rules before 13 do not have is refused, so none of these falls back to the newest.
    for refused in (
        lambda: cf.cast(x, "float8e4m3fn", opset=old),
        lambda: cfn.astype(x, "float8_e4m3fn", opset=old),
        lambda: cf.quantization_error(x, "float8e4m3fn", opset=old),
        lambda: cf.format_text(x, opset=old),
        lambda: cf.parse_text(["2"], "int8", opset=old),
    ):
        with pytest.raises(cf.PairNotAdmitted, match="onnx@6"):
            refused()
    with pytest.raises(TypeError, match=r"opset: expected a str, a pycastforge.OpSet or None, found 28"):
        cf.cast(x, "int8", opset=28)


def test_kernels_by_what_a_system_calls_them():
    name = "Convert<binary32, Binary8p3se, (NearestTiesToEven, SatNone)>"
    k = cf.kernel(name)
    same = cf.kernel("float32", "binary8p3se", opset="p3109", rounding="NearestTiesToEven", saturation="SatNone")
    assert k.opset == "p3109@4.0" and k.name == same.name and k.isa == same.isa
    assert cf.kernel(" Convert<binary32,Binary8p3se,(NearestTiesToEven,SatNone)>").name == k.name
    x = np.array([1, 1e9, -0.0, np.nan], np.float32)
    assert k(x).data.tolist() == same(x).data.tolist() == [0x40, 0x7F, 0, 0x80]
    text = cf.explain(name)
    assert text.startswith(f"float32 -> binary8p3se under p3109@4.0, {name}") and k.meaning_hash in text
    writes = {s.name: s.notation for s in cf.opsets() if s.notation}
    assert writes["p3109@4.0"] == "Convert<{src}, {dst}, ({rounding}, {saturation})>"
    assert not next(s for s in cf.opsets() if s.name == "onnx@28").notation


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: cf.kernel("Convert<binary32>"), cf.UnknownOpset, "p3109@4.0 writes Convert<{src}"),
        (lambda: cf.kernel("float30"), cf.UnknownOpset, "no op-set writes a conversion as"),
        (lambda: cf.kernel("float32"), TypeError, "needs two types, src and dst"),
        (lambda: cf.kernel("F8_E4M3", opset="onnx"), TypeError, "needs two types, src and dst"),
        (lambda: cf.explain("float32"), TypeError, "needs two types, src and dst"),
        (
            lambda: cf.kernel("Convert<binary32, Binary8p3se, (Nearest, SatNone)>"),
            cf.BadAttribute,
            "NearestTiesToEven",
        ),
        (
            lambda: cf.kernel("Convert<binary32, Binary8, (NearestTiesToEven, SatNone)>"),
            cf.UnknownType,
            "Binary8",
        ),
        (
            lambda: cf.kernel("Convert<binary32, Binary8p3se, (NearestTiesToEven, SatNone)>", opset="p3109"),
            TypeError,
            "names its op-set",
        ),
        (lambda: cf.kernel(np.float32), TypeError, "two types"),
        (lambda: cf.explain("Convert<>"), cf.UnknownOpset, "Convert<>"),
    ],
)
def test_what_a_system_does_not_call_a_conversion(call, error, words):
    with pytest.raises(error, match=re.escape(words)):
        call()


def test_opsets():
    names = [s.name for s in cf.opsets()]
    assert {"onnx@23", "pypto@8.5.0", "openvino-range@4"} <= set(names)
    onnx = next(s for s in cf.opsets() if s.name == "onnx@23")
    assert onnx.attributes["saturate"]["default"] == 1 and onnx.admits("float32", "float8e4m3fn")
    assert not onnx.admits("float32", "uint1")


def test_explain_knows_every_kernel():
    from pycastforge import _rules

    admitted = 0
    for opset in cf.opsets():
        if opset.operation == "cast":
            for src in opset.types:
                if src.bits and opset.admits(src, "float32"):
                    assert "round" in _rules.meaning(cf.kernel(src, "float32", opset=opset.name))
                    admitted += 1
    assert admitted > 200


def test_kernels_of_a_pair_that_differ_have_other_rules():
    kernels = {}
    for opset in cf.opsets():
        if opset.operation != "cast":
            continue
        choices = [[(name, value) for value in about["values"]] for name, about in opset.attributes.items()]
        types = [kind for kind in opset.types if kind.bits]
        for src, dst in itertools.product(types, types):
            if opset.admits(src, dst):
                for chosen in itertools.product(*choices):
                    kernel = cf.kernel(src, dst, opset=opset.name, **dict(chosen))
                    kernels[kernel.name] = (kernel.src, kernel.dst, *sorted(kernel.rule.items()))
    assert len(kernels) > 1000
    assert len(set(kernels.values())) == len(kernels)


def test_astype_of_either_byte_order():
    for order in "<>":
        assert cfn.astype(np.array([1.5, -2], order + "f4"), "float16").tolist() == [1.5, -2]


def test_texts():
    x = np.array([[1.5, -np.inf], [np.nan, 0.1]], np.float32)
    texts = cf.format_text(x)
    assert texts.shape == x.shape
    np.testing.assert_array_equal(cf.parse_text(texts, "float32"), x)
    assert cf.parse_text(np.array([b"7"]), "int4").unpack().tolist() == [7]
    assert cf.parse_text([[b"7", "-8"]], "int4").unpack().tolist() == [[7, -8]]
    assert cf.format_text(np.empty((0, 2), np.float32)).shape == (0, 2)
    assert cf.parse_text([], "int8").shape == (0,)


def test_ranges():
    assert cf.arange(1, 2.5, 0.5, to="float16").tolist() == [1, 1.5, 2]
    x = cf.arange(np.int32(0), np.int32(10), np.int32(3), to="int32", opset="onnx-range@11")
    assert x.tolist() == [0, 3, 6, 9] and x.dtype == np.int32


@pytest.mark.parametrize("opset", ["onnx-range@11", "onnx-range@27"])
def test_numbers_of_python_are_of_the_type_that_onnx_demands(opset):
    for to in ("int16", "int32", "int64", "float32", "float64"):
        x = cf.arange(0, 10, 3, to=to, opset=opset)
        assert x.tolist() == [0, 3, 6, 9] and x.dtype == to
    one = cf.arange(0.1, np.float32(0.75), 0.2, to="float32", opset=opset)
    same = cf.arange(np.float32(0.1), np.float32(0.75), np.float32(0.2), to="float32", opset=opset)
    assert one.tobytes() == same.tobytes() and one.size == 4
    # Each is rounded once: a tie of float32, whose 17 digits are above it; odd numbers between two float64.
    assert cf.arange(1 + 2**-24, 2, 1, to="float32", opset=opset).tolist() == [1]
    assert cf.arange(2**60 + 2**36 + 1, 2**62, 2**62, to="float32", opset=opset).tolist() == [2**60 + 2**37]
    assert cf.arange(2**63 - 3, 2**63 - 1, 1, to="int64", opset=opset).tolist() == [2**63 - 3, 2**63 - 2]
    for number in (0.5, 3.0, 2**31, -(2**31) - 1, np.inf):
        with pytest.raises(cf.BadRange, match="stop: expected an integer from -2147483648 to 2147483647 \\(int32\\)"):
            cf.arange(0, number, 1, to="int32", opset=opset)
    with pytest.raises(cf.BadRange, match="the stop is infinite"):
        cf.arange(0, 1e39, 1, to="float32", opset=opset)
    with pytest.raises(cf.PairNotAdmitted, match="the stop is float64"):
        cf.arange(0, np.float64(1), 1, to="float32", opset=opset)
    with pytest.raises(cf.PairNotAdmitted, match="the start int64"):
        cf.arange(np.int64(0), 1, 1, to="int32", opset=opset)
    for to in ("uint8", "int4", "bool", "string"):
        with pytest.raises(cf.PairNotAdmitted, match=f"{to}.* it admits numbers of type"):
            cf.arange(0, 1, 1, to=to, opset=opset)


def test_numbers_of_python_are_int64_or_float64_elsewhere():
    assert cf.arange(250, 260.0, 1, to="uint8").tolist() == [250, 251, 252, 253, 254, 255, 0, 1, 2, 3]
    assert cf.arange(1.2, 5.6, 1.9, to="int32").tolist() == [1, 2, 3, 4]
    assert cf.arange(2**53 + 1, 2**53 + 4, 1, to="int64").size == 3
    assert cf.arange(2**53 + 1, 2**53 + 4, 1.0, to="float64").size == 4  # of float64, 2**53 is nearest to the start


def test_kernels_keep_the_limits_of_their_op_set():
    kernel = cf.kernel("float32", "float16", opset="pypto@8.5.0")
    for shape in ((), (1,) * 5, (0,)):
        x = np.ones(shape, np.float32)
        for use in (kernel, lambda x: cf.cast(x, "float16", opset="pypto@8.5.0")):
            with pytest.raises(cf.BadArray, match="pypto@8.5.0 does not admit"):
                use(x)
    assert kernel(np.ones((2, 2), np.float32)).shape == (2, 2)


def test_threads_count_together():
    stats = cf.Stats()
    x = np.full(1 << 14, 0.3, np.float32)

    def work():
        for _ in range(200):
            cf.cast(x, "float8e4m3fn", stats=stats)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stats.elements == stats.inexact == 800 * x.size


def test_what_stats_show_is_of_one_moment():
    stats = cf.Stats()
    x = np.full(1 << 14, 0.3, np.float32)

    def work():
        for _ in range(1000):
            cf.cast(x, "float8e4m3fn", stats=stats)

    thread = threading.Thread(target=work)
    thread.start()
    while thread.is_alive():
        shown = dict(re.findall(r"(\w+)=(\d+)", repr(stats)))
        assert shown["elements"] == shown["inexact"]
    thread.join()
