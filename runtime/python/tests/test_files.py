"""Files, opened by those who made the formats."""

import os

import numpy as np
import pytest
from conftest import ANY, NUMBERS, codes, has_numpy, random_packed

import pycastforge as cf

HELD = [t for t in NUMBERS if "safetensors" in t.aliases]


def tensors(rng):
    """A tensor of every type that the format has."""
    return {t.name: random_packed(rng, t, (2, 4)) for t in HELD}


def test_safetensors_there_and_back(tmp_path):
    given = tensors(np.random.default_rng(1))
    cf.save_safetensors(given, tmp_path / "x.safetensors", metadata={"by": "ä\n"})
    f = cf.open_safetensors(tmp_path / "x.safetensors")
    assert set(f) == set(given) and len(f) == len(given) and "nothing" not in f and f.metadata == {"by": "ä\n"}
    for name, x in given.items():
        assert f.about(name) == (cf.dtype(name).aliases["safetensors"][0], (2, 4))
        got = f.get(name, layout="packed")
        assert got.dtype == x.dtype and got.shape == x.shape
        np.testing.assert_array_equal(got.data, x.data)
        if has_numpy(x.dtype):
            np.testing.assert_array_equal(codes(f.get(name, layout="bytes")), codes(x))
    with pytest.raises(KeyError, match="nothing"):
        f["nothing"]


def test_safetensors_that_cannot_be(tmp_path):
    x = np.ones(4, np.float32)
    with pytest.raises(cf.BadFile, match="__metadata__"):
        cf.save_safetensors({"__metadata__": x, "b": x}, tmp_path / "m.safetensors")
    assert not (tmp_path / "m.safetensors").exists()
    with pytest.raises(TypeError, match="tensors must be a mapping of names to arrays, not PosixPath"):
        cf.save_safetensors(tmp_path / "m.safetensors", {"b": x})
    cf.save_safetensors({"a": x}, tmp_path / "x.safetensors")
    f = cf.open_safetensors(tmp_path / "x.safetensors")
    with open(tmp_path / "x.safetensors", "r+b") as file:
        file.truncate(file.seek(0, 2) - 4)
    with pytest.raises(cf.BadFile, match="expected 16 bytes of elements, found 12"):
        f["a"]


def test_safetensors_opens_ours(tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    all_types = tensors(np.random.default_rng(2)).values()
    given = {x.dtype.name: x.unpack() for x in all_types if "ml_dtypes" not in x.dtype.aliases}  # it has no others
    cf.save_safetensors(given, tmp_path / "x.safetensors")
    got = safetensors.load_file(tmp_path / "x.safetensors")
    assert set(got) == set(given)
    for name, x in given.items():
        assert got[name].dtype == x.dtype
        np.testing.assert_array_equal(codes(got[name]), codes(x))


def test_we_open_safetensors(tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    given = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.ones((), np.int64), "c": np.empty((0, 2))}
    safetensors.save_file(given, tmp_path / "x.safetensors", metadata={"k": "v"})
    f = cf.open_safetensors(tmp_path / "x.safetensors")
    assert f.metadata == {"k": "v"}
    for name, x in given.items():
        np.testing.assert_array_equal(f[name], x)


def test_torch_opens_ours(tmp_path):
    torch = pytest.importorskip("torch", exc_type=ImportError)
    safetensors = pytest.importorskip("safetensors.torch")
    given = tensors(np.random.default_rng(3))
    given = {n: x for n, x in given.items() if n not in ("float6e2m3", "float6e3m2")}  # torch has none
    cf.save_safetensors(given, tmp_path / "x.safetensors")
    got = safetensors.load_file(tmp_path / "x.safetensors")
    f = cf.open_safetensors(tmp_path / "x.safetensors", framework="torch")
    for name, x in given.items():
        bytes_of = got[name].contiguous().view(torch.uint8).numpy().ravel()
        np.testing.assert_array_equal(bytes_of, x.data)
        ours = f[name]
        assert ours.dtype == got[name].dtype and ours.shape == got[name].shape
        assert torch.equal(ours.view(torch.uint8), got[name].view(torch.uint8))


def test_safetensors_errors(tmp_path):
    path = tmp_path / "x.safetensors"
    with pytest.raises(FileNotFoundError, match="x.safetensors: cannot open: No such file"):
        cf.open_safetensors(path)
    with pytest.raises(IsADirectoryError):
        cf.open_safetensors(tmp_path)
    with pytest.raises(FileNotFoundError):
        cf.save_safetensors({"x": np.zeros(2)}, tmp_path / "none" / "x.safetensors")
    path.write_bytes(b"\x08\0\0\0\0\0\0\0nonsense")
    with pytest.raises(cf.BadFile, match="byte 8"):
        cf.open_safetensors(path)
    with pytest.raises(cf.BadFile, match="whole bytes"):
        cf.save_safetensors({"x": random_packed(np.random.default_rng(1), cf.dtype("float4e2m1"), (3,))}, path)
    with pytest.raises(cf.BadFile, match="cannot hold int4"):
        cf.save_safetensors({"x": cf.cast(np.zeros(2, np.float32), "int4")}, path)
    with pytest.raises(TypeError, match="name of a tensor: expected a str, found None"):
        cf.save_safetensors({None: np.zeros(2)}, path)
    with pytest.raises(TypeError, match="metadata: expected a str, found None"):
        cf.save_safetensors({"x": np.zeros(2)}, path, metadata={"a": None})
    with pytest.raises(cf.BadArray, match="strides"):
        cf.save_safetensors({"x": np.zeros((4, 4))[:, 0]}, path)
    assert path.read_bytes().endswith(b"nonsense")  # as it was
    cf.save_safetensors({"x": np.zeros(2)}, path)
    with pytest.raises(ValueError, match="framework"):
        cf.open_safetensors(path, framework="tensorflow")


@pytest.mark.parametrize("dtype", [t for t in NUMBERS if "onnx_enum" in t.aliases], ids=str)
def test_onnx_there_and_back(dtype):
    onnx = pytest.importorskip("onnx")
    from onnx import numpy_helper

    x = random_packed(np.random.default_rng(4), dtype, (3, 4))
    if dtype.name in ("float6e2m3", "float6e3m2") and not hasattr(onnx.TensorProto, dtype.aliases["onnx"][0]):
        pytest.skip("this onnx has no float6")
    message = cf.to_onnx(x, "w")
    assert message.name == "w" and list(message.dims) == [3, 4]
    back = cf.from_onnx(message, layout="packed")
    assert back.dtype == dtype
    np.testing.assert_array_equal(back.data, x.data)
    if has_numpy(dtype):
        theirs = numpy_helper.to_array(message)
        np.testing.assert_array_equal(codes(theirs), codes(x))
        again = numpy_helper.from_array(x.unpack(), "w")
        np.testing.assert_array_equal(cf.from_onnx(again, layout="packed").data, x.data)


def test_onnx_typed_fields_and_strings():
    onnx = pytest.importorskip("onnx")
    made = onnx.helper.make_tensor("x", onnx.TensorProto.BFLOAT16, [3], [1.0, -2.5, 3.0])
    assert cf.from_onnx(made).astype(np.float32).tolist() == [1, -2.5, 3]
    made = onnx.helper.make_tensor("x", onnx.TensorProto.STRING, [2], [b"1.5", b"INF"])
    texts = cf.from_onnx(made)
    assert texts.tolist() == ["1.5", "INF"]
    assert cf.parse_text(texts, "float32").tolist() == [1.5, np.inf]
    with pytest.raises(cf.BadFile):
        cf.from_onnx(b"\xff\xff")


def test_a_signal_handler_stays(tmp_path):
    """Files are written with the temporary file swept on signals; Python's own handlers stay what they are."""
    import signal

    hits = []
    before = signal.signal(signal.SIGINT, lambda *_: hits.append(1))
    try:
        cf.save_safetensors({"x": np.zeros(3)}, tmp_path / "x.safetensors")
        signal.raise_signal(signal.SIGINT)
        assert hits == [1]
    finally:
        signal.signal(signal.SIGINT, before)


def test_names_that_are_no_utf8(tmp_path):
    """File names are bytes; what is in files has to be UTF-8."""
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    os.mkdir(folder)
    x = np.ones((2, 4), np.float32)
    for use, error in [
        (lambda: cf.open_safetensors(folder + "/x.safetensors"), FileNotFoundError),
        (lambda: cf.load(folder + "/x.json"), FileNotFoundError),
        (lambda: cf.load(folder + "/x.cft"), FileNotFoundError),
        (lambda: cf.load(folder), cf.BadFile),
        (lambda: cf.convert(folder, folder, {}), (OSError, cf.BadFile)),
    ]:
        with pytest.raises(error):
            use()
    cf.save_safetensors({"x": x}, folder + "/x.safetensors")
    with pytest.raises(KeyError, match="no tensor"):
        cf.open_safetensors(folder + "/x.safetensors")["y"]
    with open(folder + "/plan.json", "w") as file:
        file.write('{"opset": "onnx@28", "default": {"to": "float8e4m3fn"}}')
    shards = cf.convert(folder + "/x.safetensors", folder + "/out", folder + "/plan.json")
    assert [shard.outcome for shard in shards] == ["converted"]
    for name in ("x.cft", "x.json"):
        with open(f"{folder}/{name}", "w") as file:
            file.write("[]")
        with pytest.raises(cf.BadFile):
            cf.load(f"{folder}/{name}")


def test_onnx_texts_that_are_no_utf8():
    with pytest.raises(cf.BadFile, match="the name is no UTF-8"):
        cf.from_onnx(bytes.fromhex("0801 1001 4201ff 4a04 00000000"))
    with pytest.raises(cf.BadFile, match="a string is no UTF-8"):
        cf.from_onnx(bytes.fromhex("0801 1008 3201ff"))


def test_names_of_tensors_are_texts(tmp_path):
    with pytest.raises(TypeError, match="name of a tensor: expected a str, found 1"):
        cf.save_safetensors({1: np.ones(4)}, tmp_path / "x.safetensors")
