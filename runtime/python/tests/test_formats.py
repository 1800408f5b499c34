"""load, Format, quantization_error: formats that the library does not have."""

import dataclasses
import json
import math
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from conftest import ANY

import pycastforge as cf


def spec(name, id, **others):
    return {
        "name": name,
        "id": id,
        "kind": "float",
        "signed": True,
        "exponent_bits": 4,
        "mantissa_bits": 3,
        "exponent_bias": 7,
        "subnormals": True,
        "infinity": False,
        "nan": "top",
        "storage_bits": 8,
        **others,
    }


def write(path, contents):
    path.write_text(json.dumps(contents), "utf-8")
    return path


def test_a_format_with_the_parts_of_a_shipped_one_has_its_codes():
    same = cf.Format(exponent_bits=4, mantissa_bits=3, nan="top")
    x = np.random.default_rng(1).integers(0, 1 << 32, 100_000, dtype=np.uint32).view(np.float32)
    for saturate in [0, 1]:
        want = cf.cast(x, "float8e4m3fn", opset=ANY, saturate=saturate)
        got = cf.cast(x, same, saturate=saturate)
        np.testing.assert_array_equal(got.data, want.view(np.uint8))
    codes = cf.Packed(np.arange(256, dtype=np.uint8), (256,), same)
    want = cf.cast(np.arange(256, dtype=np.uint8).view(want.dtype), "float32", opset=ANY)
    np.testing.assert_array_equal(cf.cast(codes, "float32").view(np.uint32), want.view(np.uint32))


@pytest.mark.parametrize("nan", ["ieee", "top", "negative_zero", "none"])
@pytest.mark.parametrize("parts", [(4, 3, 11, True), (5, 2, None, True), (5, 3, 15, False), (3, 2, 3, True)])
def test_values_are_what_the_parts_say(nan, parts):
    exponent_bits, mantissa_bits, bias, signed = parts
    if nan == "negative_zero" and not signed:
        return
    fmt = cf.Format(exponent_bits=exponent_bits, mantissa_bits=mantissa_bits, bias=bias, nan=nan, signed=signed)
    codes = np.arange(1 << fmt.bits, dtype=np.uint8)
    packed = cf.Packed.from_unpacked(codes, fmt)
    got = cf.cast(packed, "float64")
    magnitudes = 1 << (exponent_bits + mantissa_bits)
    for code in codes.tolist():
        magnitude = code % magnitudes
        field, fraction = magnitude >> mantissa_bits, magnitude % (1 << mantissa_bits)
        value = math.ldexp(fraction + ((field > 0) << mantissa_bits), max(field, 1) - fmt.bias - mantissa_bits)
        value = -value if code >= magnitudes else value
        top = field == (1 << exponent_bits) - 1
        is_nan = {
            "ieee": top and fraction != 0,
            "top": magnitude == magnitudes - 1,
            "negative_zero": code == magnitudes,
            "none": False,
        }[nan]
        if is_nan:
            assert math.isnan(got[code])
        elif nan == "ieee" and top:
            assert got[code] == math.copysign(math.inf, value)
        else:
            assert got[code] == value and math.copysign(1, got[code]) == math.copysign(1, value)


def test_the_same_format_twice_and_another_of_its_name():
    first = cf.Format(exponent_bits=2, mantissa_bits=5, name="twice")
    assert cf.Format(exponent_bits=2, mantissa_bits=5, name="twice") == first
    assert cf.dtype(first) is cf.dtype("twice") is first.dtype
    with pytest.raises(cf.BadFile, match="twice"):
        cf.Format(exponent_bits=3, mantissa_bits=4, name="twice")
    assert cf.cast(np.float32([1]), "twice").dtype is first.dtype


@pytest.mark.parametrize(
    "parts, words",
    [
        (dict(exponent_bits=0, mantissa_bits=3), "exponent_bits"),
        (dict(exponent_bits=12, mantissa_bits=3), "exponent_bits"),
        (dict(exponent_bits=4, mantissa_bits=-1), "mantissa_bits"),
        (dict(exponent_bits=4, mantissa_bits=3, nan="quiet"), '^nan: "nan" must be one of ieee, .*"quiet"'),
        (dict(exponent_bits=4, mantissa_bits=3, storage_bits=65), "storage_bits"),
        (dict(exponent_bits=4, mantissa_bits=3, storage_bits=7), "^storage_bits: sign 1 . exponent 4"),
        (dict(exponent_bits=1, mantissa_bits=0, nan="none", infinity=True), "^fewer than two finite"),
        (dict(exponent_bits=4, mantissa_bits=3, storage_bits=0), "storage_bits"),
        (dict(exponent_bits=4, mantissa_bits=3, bias=-1023), "bias: expected a number from -1022 to 1075, found -1023"),
        (dict(exponent_bits=4, mantissa_bits=3, bias=1076), "bias: expected a number from -1022 to 1075, found 1076"),
        (dict(exponent_bits=4, mantissa_bits=3, bias=-(10**5000)), "bias: .*, found one of more than 64 bits"),
        (dict(exponent_bits=4, mantissa_bits=3, bias=1075), "^bias: not exactly representable"),
        (dict(exponent_bits=20000, mantissa_bits=3), "exponent_bits: expected a number from 1 to 11, found 20000"),
        (dict(exponent_bits=10**10, mantissa_bits=3), "exponent_bits: .*, found 10000000000"),
        (dict(exponent_bits=4, mantissa_bits=10**5000), "mantissa_bits: expected a number from 0 to 52"),
        (dict(exponent_bits=4, mantissa_bits=3, storage_bits=10**5000), "storage_bits: expected a number from 1 to 64"),
        (dict(exponent_bits=4, mantissa_bits=3, signed=False, nan="negative_zero"), "nan"),
        (dict(exponent_bits=4, mantissa_bits=3, name="No Name"), "name"),
        (dict(exponent_bits=4, mantissa_bits=3, name="float32"), "float32"),
    ],
)
def test_parts_that_make_no_format(parts, words):
    types = len(cf.dtypes())
    with pytest.raises(cf.BadFile, match=words) as raised:
        cf.Format(**parts)
    assert "/pycastforge-" not in str(raised.value)  # of no file that the caller has not seen
    assert len(cf.dtypes()) == types


@pytest.mark.parametrize(
    "part, value, expected",
    [
        ("exponent_bits", "4", "an int, found '4'"),
        ("exponent_bits", None, "an int, found None"),
        ("mantissa_bits", True, "an int, found True"),
        ("bias", "x", "an int, found 'x'"),
        ("bias", 1.5, "an int, found 1.5"),
        ("storage_bits", "8", "an int, found '8'"),
        ("signed", "yes", "True or False, found 'yes'"),
        ("subnormals", 1, "True or False, found 1"),
        ("infinity", "no", "True or False, found 'no'"),
        ("nan", 3, "a str, found 3"),
        ("name", 5, "a str, found 5"),
    ],
)
def test_parts_of_another_type(part, value, expected):
    types = len(cf.dtypes())
    with pytest.raises(TypeError, match=f"{part}: expected {expected}"):
        cf.Format(**{"exponent_bits": 4, "mantissa_bits": 3, part: value})
    with pytest.raises(TypeError):
        cf.Format(4, 3)
    assert len(cf.dtypes()) == types


def test_as_many_formats_as_there_may_be():
    script = (
        "import pycastforge as cf\n"
        "for i in range(64): cf.Format(exponent_bits=4, mantissa_bits=3, bias=i, name=f'many{i}')\n"
        "try: cf.Format(exponent_bits=4, mantissa_bits=3, bias=64, name='many64')\n"
        "except cf.BadFile as error: print(error)\n"
        "print(cf.dtype('many63'))\n"
        "print('many64' in {t.name for t in cf.dtypes()})\n"
    )
    result = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    message, known, refused = result.stdout.splitlines()
    assert message == "these kernels cannot be added: with many64 there would be more than 64 loaded types"
    assert (known, refused) == ("many63", "False")


def test_load_a_spec_and_its_tables(tmp_path, program):
    path = write(tmp_path / "py_e3m4.json", spec("py_e3m4", 2901, exponent_bits=3, mantissa_bits=4, exponent_bias=3))
    assert [t.name for t in cf.load(path)] == ["py_e3m4"]
    assert cf.load(path) == []  # it is there already
    x = np.random.default_rng(2).normal(size=1000).astype(np.float32)
    got = cf.cast(x, "py_e3m4")
    x.tofile(tmp_path / "x.raw")
    command = [program, "--load", path, "cast", tmp_path / "x.raw", tmp_path / "y.raw", "--from", "float32"]
    subprocess.run([*command, "--to", "py_e3m4"], check=True)
    assert got.data.tobytes() == (tmp_path / "y.raw").read_bytes()
    assert "py_e3m4" in cf.explain("float32", "py_e3m4")
    assert cf.kernel("py_e3m4", "float64").truth_table.shape == (256,)


@pytest.mark.parametrize(
    "name, contents, words",
    [
        ("x.json", "{", "x.json:1"),
        ("x.json", json.dumps(spec("py_bad", 2902, exponent_bits=99)), "exponent_bits"),
        ("x.json", json.dumps(spec("float32", 2903)), "float32"),
        ("x.json", json.dumps(spec("py_id", 1)), "id"),
        ("x.cft", "no tables", "x.cft"),
        ("x.txt", "", r"\.json"),
    ],
)
def test_files_that_cannot_be_loaded(tmp_path, name, contents, words):
    types = len(cf.dtypes())
    path = tmp_path / name
    path.write_text(contents)
    with pytest.raises(cf.BadFile, match=words):
        cf.load(path)
    assert len(cf.dtypes()) == types


def test_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such file"):
        cf.load(tmp_path / "missing.json")
    (tmp_path / "folder.cft").mkdir()
    with pytest.raises(OSError, match="regular files") as raised:
        cf.load(tmp_path / "folder.cft")
    assert raised.value.errno is None  # the system was not asked


def test_formats_of_a_process_and_its_children(tmp_path):
    code = """
import os, time, numpy as np, pycastforge as cf

def make(bias):
    made = cf.Format(exponent_bits=5, mantissa_bits=2, bias=bias, name="mine")
    smallest = cf.Packed(np.array([4], np.uint8), 1, made)
    assert cf.cast(smallest, "float64")[0] == 2.0 ** (1 - bias)

cf.Format(exponent_bits=4, mantissa_bits=3)
for bias in range(10, 14):
    if os.fork() == 0:
        make(bias)
        time.sleep(1)
        cf.Format(exponent_bits=4, mantissa_bits=3, bias=6)  # beside those whose parent has ended
        os.write(1, b"made\\n")
        os._exit(0)
make(18)
if len(os.sys.argv) > 1:
    for _ in range(4):
        assert os.wait()[1] == 0
"""
    for wait in ([], ["wait"]):
        command = [sys.executable, "-c", code, *wait]
        environment = {**os.environ, "TMPDIR": str(tmp_path)}
        result = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
        assert result.stdout.split() == ["made"] * 4, result.stderr
    assert not list(tmp_path.iterdir())


def test_a_child_that_is_made_while_a_thread_loads():
    code = """
import os, threading, pycastforge as cf
loads = threading.Thread(target=cf.load, args=("shelf/binary8p3ue",))
loads.start()
if os.fork() == 0:
    cf.Format(exponent_bits=4, mantissa_bits=3)
    os._exit(0)
loads.join()
assert os.wait()[1] == 0
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_loaded_specs_are_not_read_again(tmp_path, monkeypatch):
    first = write(tmp_path / "first.json", spec("py_first", 2930))
    monkeypatch.chdir(tmp_path)
    assert [t.name for t in cf.load("first.json")] == ["py_first"]
    monkeypatch.chdir("/")
    assert cf.load(first) == []
    write(first, spec("py_second", 2931, exponent_bias=8))  # another spec under the same name
    assert [t.name for t in cf.load(first)] == ["py_second"]
    assert cf.load(first) == []
    write(first, spec("py_second", 2931, exponent_bias=9))
    with pytest.raises(cf.BadFile, match='first.json:1:1: error: /: type "py_second" is already defined'):
        cf.load(first)
    first.write_text("{")
    assert cf.Format(exponent_bits=4, mantissa_bits=3, bias=21).dtype.bits == 8
    first.unlink()
    third = spec("py_third", 2932, exponent_bias=10)
    assert [t.name for t in cf.load(write(tmp_path / "third.json", third))] == ["py_third"]


def test_a_number_that_is_taken(tmp_path):
    last = write(tmp_path / "last.json", spec("py_last", 32767))
    taken = write(tmp_path / "taken.json", spec("py_taken", 32767))
    code = """
import sys, pycastforge as cf
cf.load(sys.argv[1])
cf.Format(exponent_bits=4, mantissa_bits=3)
try: cf.load(sys.argv[2])
except cf.BadFile as error: print(error)
"""
    result = subprocess.run([sys.executable, "-c", code, last, taken], check=True, capture_output=True, text=True)
    assert '32767 is the number of type "py_last"' in result.stdout and result.stdout.endswith("1000 is free\n")


def test_replaced_parts():
    made = cf.Format(exponent_bits=4, mantissa_bits=3, bias=7)
    other = dataclasses.replace(made, bias=9)
    assert (other.bias, other.name) == (9, "custom8e4m3b9_nan_ieee")
    assert dataclasses.replace(other, bias=7) == made
    named = dataclasses.replace(made, bias=9, name="py_replaced")
    assert named.name == "py_replaced" and dataclasses.replace(named) == named


def test_pickles_make_the_format_where_they_are_read(tmp_path):
    made = cf.Format(exponent_bits=4, mantissa_bits=3, bias=9)
    packed = cf.cast(np.array([1, 0.25], np.float32), made)
    for number, value in enumerate((made, made.dtype, packed)):
        path = tmp_path / f"{number}.pickle"
        path.write_bytes(pickle.dumps(value))
        code = f"""
import pickle, numpy as np, pycastforge as cf
value = pickle.load(open({str(path)!r}, "rb"))
x = value if isinstance(value, cf.Packed) else cf.cast(np.array([1, 0.25], np.float32), value)
assert cf.cast(x, "float32").tolist() == [1, 0.25]
"""
        subprocess.run([sys.executable, "-c", code], check=True)
    assert pickle.loads(pickle.dumps(made)) == made
    assert pickle.loads(pickle.dumps(cf.dtype("int4"))) is cf.dtype("int4")


def test_threads_load_and_cast(tmp_path):
    paths = [write(tmp_path / f"{i}.json", spec(f"py_thread{i}", 2910 + i, exponent_bias=i)) for i in range(8)]
    problems = []

    def work(path):
        try:
            name = json.loads(path.read_text())["name"]
            assert [t.name for t in cf.load(path)] in ([], [name])  # none that another thread loads meanwhile
            assert cf.cast(np.float32([0, 1]), name).data[0] == 0
        except Exception as error:  # noqa: BLE001
            problems.append(error)

    threads = [threading.Thread(target=work, args=(path,)) for path in paths * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


def test_quantization_error_is_what_numpy_says():
    fmt = cf.Format(exponent_bits=3, mantissa_bits=4, nan="negative_zero")
    x = np.concatenate([np.random.default_rng(3).normal(size=5000), [0, -0.0, 1e9, -1e9, 1e-9, np.nan, np.inf]])
    x = x.astype(np.float32)
    error = cf.quantization_error(x, fmt)
    y = cf.cast(cf.cast(x, fmt), "float64")
    both = np.isfinite(x) & np.isfinite(y)
    want = np.abs(x[both].astype(np.float64) - y[both])
    assert error.format is fmt.dtype and error.elements == x.size and error.nan == 1 and error.infinite == 1
    assert error.saturated == 2 + int((np.abs(x[:5000]) > 30).sum())
    assert error.nonfinite == 0
    assert error.flushed == int(((x != 0) & (y == 0)).sum())
    assert error.max_absolute == want.max() and math.isclose(error.mean_absolute, want.mean())
    assert math.isclose(error.root_mean_square, math.sqrt((want**2).mean()))
    assert "saturated" in str(error)
    lost = cf.quantization_error(np.float32([456, 480, 1]), "float8e4m3fn", saturate=False)
    assert (lost.saturated, lost.nonfinite, lost.inexact) == (0, 1, 1)


def test_quantization_error_of_nothing_but_noise():
    assert cf.quantization_error(np.zeros(4, np.float32), "float8e8m0").signal_to_noise_db == -math.inf
    assert cf.quantization_error(np.zeros(4, np.float32), "float16").signal_to_noise_db == math.inf


def test_quantization_error_of_numbers_whose_squares_are_none():
    for scale in (2.0**664, 2.0**-664):
        error = cf.quantization_error(np.array([1.03, 2.0, 0.0]) * scale, cf.Format(exponent_bits=11, mantissa_bits=4))
        assert math.isclose(error.root_mean_square, error.max_absolute / math.sqrt(3))
        assert math.isclose(error.mean_absolute, error.max_absolute / 3)
        assert math.isclose(error.signal_to_noise_db, 20 * math.log10(math.hypot(1.03, 2) * scale / error.max_absolute))


def test_quantization_error_at_the_ends_of_float64():
    wide = cf.Format(exponent_bits=11, mantissa_bits=4)
    large = cf.quantization_error(np.array([1.5e308, 1e308] * 4), wide)
    assert 10 < large.signal_to_noise_db < 60 and math.isfinite(large.root_mean_square)
    up = cf.Format(exponent_bits=2, mantissa_bits=0, bias=0, signed=False, subnormals=False, nan="none")  # 1 to 8
    pieces = np.full((1 << 20) + 8, 1.0)
    pieces[0] = 5e-324  # a relative error that is infinite, in the first piece of two
    error = cf.quantization_error(pieces, up, opset="castforge@1")
    assert not math.isnan(error.mean_relative) and error.mean_relative == error.max_relative
    tiny = cf.quantization_error(np.full((1 << 20) + 8, 5e-324), "float32", opset="castforge@1")
    assert tiny.mean_absolute == tiny.root_mean_square == tiny.max_absolute == 5e-324


@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (7, 3)])
def test_quantization_error_of_any_shape(shape):
    error = cf.quantization_error(np.ones(shape, np.float32), "float8e5m2")
    assert error.elements == math.prod(shape) and error.max_absolute == 0
    assert error.signal_to_noise_db == math.inf
    assert cf.quantization_error(np.ones((4, 6), np.float32).T[::2], "float4e2m1").elements == 12
    assert cf.quantization_error(cf.Packed(np.zeros(3, np.uint8), (5,), "int4"), "float8e5m2").elements == 5


def opset(name, operation, **others):
    return {"opset": name, "version": 1, "operation": operation, "rules": [], **others}


def test_a_newer_version_of_the_default_serves_arrays_of_any_size(tmp_path):
    rule = {"id": "cut", "src": ["float32"], "dst": ["float8e4m3fn"], "set": {"round": "toward_zero"}, "basis": "test"}
    newer = {"opset": "onnx", "version": 29, "valid_through": 29, "extends": 28, "rules": [rule]}
    (tmp_path / "newer.json").write_text(json.dumps(newer))
    script = """if True:
        import sys, numpy as np, pycastforge as cf
        few, many = np.full(3, 1.1, np.float32), np.full(1 << 20, 1.1, np.float32)
        assert cf.cast(few, "float8e4m3fn")[0] == 1.125
        cf.load(sys.argv[1])
        assert cf.cast(few, "float8e4m3fn")[0] == cf.cast(many, "float8e4m3fn")[0] == 1
    """
    subprocess.run([sys.executable, "-c", script, tmp_path / "newer.json"], check=True)


def test_text_bits_and_ranges_of_a_loaded_format(tmp_path):
    fmt = cf.Format(exponent_bits=3, mantissa_bits=4, nan="top", name="py_like")
    y = cf.parse_text(["1.5", "-2", "nan", "0"], fmt)
    assert y.dtype is fmt.dtype and y.data.tolist() == [0x38, 0xC0, 0x7F, 0]
    assert cf.format_text(y).tolist() == ["1.5", "-2", "NaN", "0"]
    rule = {"id": "bits", "src": "any", "dst": "any", "set": {"bits": "kept"}, "basis": "this test"}
    types = {"add": ["py_like", "uint8"]}
    pairs = {"py_like": ["uint8"], "uint8": ["py_like"]}
    cf.load(write(tmp_path / "b.json", opset("py-bits", "bitcast", types=types, pairs=pairs, rules=[rule])))
    bits = cf.bitcast(y, "uint8", opset="py-bits")
    assert bits.tolist() == y.data.tolist()
    assert cf.bitcast(bits, fmt, opset="py-bits").data.tolist() == y.data.tolist()
    cf.load(
        write(
            tmp_path / "r.json",
            {"opset": "py-range", "version": 1, "extends": "onnx-range@27", "types": {"add": ["py_like"]}, "rules": []},
        )
    )
    start, stop, step = (cf.cast(np.array(number, np.float32), fmt) for number in (0, 3, 0.5))
    steps = cf.arange(start, stop, step, to=fmt, opset="py-range")
    assert cf.cast(steps, "float32").tolist() == [0, 0.5, 1, 1.5, 2, 2.5]
    names = {s.name: s.operation for s in cf.opsets()}
    assert names["py-bits@1"] == "bitcast" and names["py-range@1"] == "range"


def test_a_plan_with_a_loaded_format(tmp_path):
    cf.load(write(tmp_path / "t.json", spec("py_named", 2905, aliases={"safetensors": "F8_PY"})))
    x = np.array([[1, 448, -0.3]], np.float32)
    (tmp_path / "in").mkdir()
    cf.save_safetensors({"w": x}, tmp_path / "in/model.safetensors")
    plan = {"opset": ANY, "default": {"to": "py_named"}}
    cf.convert(tmp_path / "in", tmp_path / "out", plan, verify=True)
    got = cf.open_safetensors(tmp_path / "out/model.safetensors")["w"]
    assert got.dtype.name == "py_named"
    assert got.data.tolist() == cf.cast(x, "py_named").data.tolist()


def test_a_loaded_format_that_ml_dtypes_has():
    import ml_dtypes

    cf.load("shelf/float8e3m4")
    assert cf.dtype("float8e3m4").numpy == ml_dtypes.float8_e3m4
    assert cf.dtype(ml_dtypes.float8_e3m4).name == "float8e3m4"
    x = np.random.default_rng(4).normal(size=1000).astype(np.float32)
    y = cf.cast(x, "float8e3m4", saturate=0)
    np.testing.assert_array_equal(y.view(np.uint8), x.astype(ml_dtypes.float8_e3m4).view(np.uint8))
    np.testing.assert_array_equal(cf.cast(y, "float32"), y.astype(np.float32))


def test_five_lines():
    script = (
        "import numpy as np, pycastforge as cf\n"
        "fmt = cf.Format(exponent_bits=4, mantissa_bits=3, bias=11, nan='negative_zero')\n"
        "x = np.random.default_rng().normal(size=1000).astype(np.float32)\n"
        "y = cf.cast(x, fmt)\n"
        "print(cf.quantization_error(x, fmt))\n"
    )
    result = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert "max_relative" in result.stdout
