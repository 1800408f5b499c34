"""Whatever the arguments: a result, or a TypeError or ValueError that says something."""

import copy
import gc
import math
import weakref

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pycastforge as cf

ARRAYS = [
    np.arange(4, dtype=np.float32),
    np.zeros((2, 3), np.float16),
    np.zeros((), np.int8),
    np.zeros((0, 5), np.uint64),
    np.arange(6.0)[::2],
    np.arange(6, dtype=">i4"),
    np.array(["1.5", "nan", "x"]),
    np.array([1, "a", None], dtype=object),
    np.zeros(3, "V3"),
    np.zeros(2, np.complex128),
    np.array(["2026-01-01"], dtype="datetime64[D]"),
    np.zeros(2, [("a", "f4"), ("b", "i2")]),
    cf.cast(np.arange(5, dtype=np.float32), "float4e2m1"),
]
WORDS = ["", "float32", "float8e4m3fn", "float4e2m1", "string", "onnx@25", "onnx@999", "portable", "bytes", "\0"]
WORDS.append("a" * 300)
NUMBERS = [0, 1, -1, 2, 255, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 2**200, 0.5, -0.0, 1e308, math.inf, math.nan]
OTHERS = [None, True, b"\x00\x01", bytearray(3), memoryview(b"abc"), (), [], {}, [1, [2]], {"a": 1}, object(), len]
anything = st.one_of(
    st.sampled_from(range(len(ARRAYS))).map(ARRAYS.__getitem__),
    st.sampled_from(WORDS),
    st.sampled_from(NUMBERS),
    st.sampled_from(range(len(OTHERS))).map(OTHERS.__getitem__),
    st.text(max_size=8),
    st.integers(),
)
CALLS = {
    "cast": ["opset", "out", "threads", "stats", "copy", "layout", "saturate", "round_mode", "isa"],
    "bitcast": ["opset", "out", "copy"],
    "kernel": ["opset", "saturate", "isa"],
    "dtype": [],
    "info": [],
    "explain": ["opset", "saturate"],
    "load": [],
    "Format": ["exponent_bits", "mantissa_bits", "bias", "nan", "infinity", "signed", "subnormals", "name"],
    "quantization_error": ["opset"],
    "Packed": ["shape", "dtype"],
    "arange": ["step", "dtype", "opset"],
    "format_text": ["opset"],
    "parse_text": ["opset"],
    "from_onnx": [],
    "to_onnx": ["name"],
    "open_safetensors": [],
}


@pytest.mark.parametrize("name", CALLS)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_the_arguments(name, data):
    arguments = data.draw(st.lists(anything, max_size=3))
    if data.draw(st.booleans()):  # so that what follows is looked at
        arguments[:2] = [ARRAYS[0], "float16"] if name != "Packed" else [b"\x21\x43", "float4e2m1"]
    keywords = data.draw(st.dictionaries(st.sampled_from([*CALLS[name], "no_such_word"]), anything, max_size=3))
    try:
        getattr(cf, name)(*arguments, **keywords)
    except (TypeError, ValueError) as error:
        assert str(error)
    except OSError as error:  # a file that is not there
        assert name in ("load", "open_safetensors") and str(error)


@pytest.mark.parametrize("opens", ["load", "open_safetensors"])
def test_no_file_has_a_zero_byte_in_its_name(opens):
    with pytest.raises(ValueError, match="a zero byte in a file name"):
        getattr(cf, opens)("\0")


def test_a_packed_whose_data_have_shrunk():
    data = bytearray(1 << 16)
    packed = cf.Packed(data, (1 << 17,), "int4")
    del data[16:]
    for use in (lambda: cf.cast(packed, "float32"), lambda: cf.cast(np.ones(1 << 17, np.float32), "int4", out=packed)):
        with pytest.raises(cf.BadArray, match="had 65536 bytes when it was made, and have 16 now"):
            use()


def test_the_data_of_a_packed_stay_while_they_are_read():
    data = bytearray(b"\x11" * 64)

    class Shrinks:  # asked for its memory when that of x is held
        refusals = 0

        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **options):
            try:
                del data[16:]
            except BufferError:
                self.refusals += 1
                raise

    out = Shrinks()
    with pytest.raises((TypeError, ValueError, BufferError)):
        cf.cast(cf.Packed(data, (128,), "int4"), "float32", out=out)
    assert out.refusals > 0 and len(data) == 64


def test_instances_that_were_never_made():
    class Mine(cf.Packed):
        def __init__(self):
            pass  # forgets super().__init__()

    with pytest.raises(TypeError, match="super"):
        cf.cast(Mine(), "float32")
    with pytest.raises(TypeError, match="super"):
        cf.Kernel.__new__(cf.Kernel)(ARRAYS[0])
    with pytest.raises(TypeError, match="super"):
        cf.cast(ARRAYS[0], "float16", stats=cf.Stats.__new__(cf.Stats))
    with pytest.raises(TypeError, match="super"):
        copy.copy(cf.Packed.__new__(cf.Packed))
    for opset in (type("Mine", (cf.OpSet,), {"__init__": lambda self: None})(), cf.OpSet.__new__(cf.OpSet)):
        for use in (
            lambda: cf.cast(ARRAYS[0], "int8", opset=opset),
            lambda: cf.kernel("float32", "int8", opset=opset),
            lambda: cf.arange(0, 1, 1, to="int8", opset=opset),
        ):
            with pytest.raises(TypeError, match="super"):
                use()
    with pytest.raises(TypeError, match="expected a Packed"):
        cf.Packed.__reduce__(object())
    with pytest.raises(TypeError, match="super"):
        cf.dtype(cf.Type.__new__(cf.Type))
    with pytest.raises(TypeError, match="super"):
        cf.dtype("int8") == cf.Type.__new__(cf.Type)


def test_what_names_a_type():
    class Named:
        __castforge_type__ = "int8"

    with pytest.raises(cf.UnknownType, match="__castforge_type__: expected a pycastforge.Type, found 'int8'"):
        cf.dtype(Named())
    assert cf.dtype(np.int64(1)) == cf.dtype(1) == cf.dtype("float32")
    assert cf.cast(ARRAYS[0], np.uint8(10)).dtype == np.float16
    with pytest.raises(cf.UnknownType, match="expected a type"):
        cf.dtype(np.float32(1))


def test_a_type_that_an_object_no_longer_names():
    class Named:
        pass

    by_instance, by_class = Named(), Named
    for name in ("float32", "int8"):
        by_instance.dtype = by_class.dtype = np.dtype(name)
        assert cf.dtype(by_instance).name == cf.dtype(by_class).name == name
    for name in ("int8", "int4"):
        by_instance.__castforge_type__ = cf.dtype(name)
        assert cf.dtype(by_instance).name == name
    gone = weakref.ref(by_instance)
    del by_instance
    gc.collect()
    assert gone() is None


def test_long_texts_are_cut_between_characters():
    for start in ("", "a", "aa"):
        word = start + "é" * 100
        with pytest.raises(ValueError, match=r"found '.*é\.\.\.$"):
            cf.cast(ARRAYS[0], "int4", layout=word)
        with pytest.raises(TypeError, match=r"unexpected keyword '.*é\.\.\.$"):
            cf.bitcast(ARRAYS[0], "int32", **{word: 1})


@pytest.mark.parametrize(
    "call",
    [
        lambda many: cf.cast(ARRAYS[0], "int4", threads=many),
        lambda many: cf.cast(ARRAYS[0], "float8e4m3fn", saturate=many),
        lambda many: cf.Packed(np.zeros(3, np.uint8), many, "int4"),
        lambda many: cf.arange(0, many, 1, to="int4"),
        lambda many: cf.arange(0, many, 1, to="int32", opset="onnx-range"),
    ],
)
def test_integers_of_many_digits(call):
    with pytest.raises(ValueError, match="an int of many digits"):
        call(10**5000)


def test_op_sets_are_equal_by_name():
    assert cf.opsets() == cf.opsets() and cf.opsets()[0] != cf.opsets()[1] and cf.opsets()[0] != "castforge@1"
    assert len({*cf.opsets(), *cf.opsets()}) == len(cf.opsets())


def test_a_mask_is_not_lost():
    masked = np.ma.array([1, 2], mask=[0, 1], dtype=np.float32)
    with pytest.raises(cf.BadArray, match="masked array"):
        cf.cast(masked, "float16")
    assert cf.cast(masked.filled(0), "float16").tolist() == [1, 0]
    assert cf.cast(np.array([[1, 2]], np.float32).view(np.matrix), "float16").tolist() == [[1, 2]]


def test_what_a_kernel_does_not_take():
    kernel, x = cf.kernel("float32", "float16"), np.ones(4, np.float32)
    with pytest.raises(TypeError, match="opset"):
        kernel(x, opset="onnx@23")
    out = np.zeros(4, np.float16)
    with pytest.raises(TypeError, match="out was given twice"):
        kernel(x, out, out=np.zeros(4, np.float16))
    assert not out.any()


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: cf.arange(0, 1, 1), "arange.. missing 1 required keyword-only argument: 'to'"),
        (lambda: cf.arange(0, 1, 1, "int8", to="int8"), "arange.. takes 3 positional arguments but 4"),
        (lambda: cf.arange(0, None, 1, to="int8"), "stop: .*None"),
        (lambda: cf.arange(0, 1, 1, to=None), "expected the name of a type.*None"),
        (lambda: cf.dtype(), "dtype.. missing 1 required positional argument: 'name'"),
        (lambda: cf.format_text(), "format_text.. missing 1 required positional argument: 'x'"),
        (lambda: cf.format_text(None), "x: .*None"),
        (lambda: cf.format_text(ARRAYS[0], copy=1), "copy: expected True or False, found 1"),
        (lambda: cf.info(1), "info.. takes 0 positional arguments but 1 was given"),
        (lambda: cf.kernel(), "kernel.. missing 1 required positional argument: 'src'"),
        (lambda: cf.kernel(None), "kernel.. needs two types"),
        (lambda: cf.load(b"x"), "load: expected a str or an os.PathLike of one, found b'x'"),
        (lambda: cf.open_safetensors("x", framwork="torch"), "unexpected keyword argument 'framwork'"),
        (lambda: cf.open_safetensors(None), "expected str, bytes or os.PathLike"),
        (lambda: cf.parse_text(["1"]), "parse_text.. missing 1 required positional argument: 'to'"),
        (lambda: cf.parse_text(None, "int8"), "strings: expected a str, found None"),
    ],
)
def test_what_is_missing_is_named(call, words):
    with pytest.raises(TypeError, match=words) as raised:
        call()
    assert "incompatible function arguments" not in str(raised.value)


def test_messages_name_what_the_package_has(tmp_path):
    for call, words in [
        (lambda: cf.dtype("flot"), r"pycastforge\.dtypes\(\) shows all"),
        (lambda: cf.cast(ARRAYS[0], "int8", opset="onx"), r"pycastforge\.opsets\(\) shows all"),
    ]:
        with pytest.raises((TypeError, ValueError), match=words) as raised:
            call()
        assert "`castforge" not in str(raised.value)
    (tmp_path / "x.txt").write_text("")
    with pytest.raises(cf.BadFile, match=r"^load: expected a file named \*\.json"):
        cf.load(tmp_path / "x.txt")
    plan = {"opset": "castforge@1", "default": {"to": "flot"}}
    cf.save_safetensors({"w": ARRAYS[0]}, tmp_path / "model.safetensors")
    with pytest.raises(cf.BadFile, match=r"pycastforge\.dtypes\(\) shows all"):
        cf.convert(tmp_path, tmp_path / "out", plan)


def test_extents_that_no_array_has():
    assert cf.Packed(np.zeros(2, np.uint8), np.int64(3), "int4").shape == (3,)
    for shape in (2**63, (2**64,), (1, -(2**70)), (2.5,), "12"):
        with pytest.raises(cf.BadArray, match="is no number of elements"):
            cf.Packed(np.zeros(1, np.uint8), shape, "int4")
