"""Tensors of torch, and the operator."""

import numpy as np
import pytest
from conftest import ANY, NUMBERS, random_packed

import pycastforge as cf

torch = pytest.importorskip("torch", exc_type=ImportError)
import pycastforge.torch as cft  # noqa: E402

WORDS = [t for t in NUMBERS if "torch" in t.aliases and t.packing is None]


def tensor(dtype, shape=(3, 5)):
    """A tensor of random bits, and the same as numpy has it."""
    x = random_packed(np.random.default_rng(dtype.bits), dtype, shape).unpack()
    words = x.view(f"i{x.itemsize}" if dtype.kind != "bool" else bool)
    return torch.from_numpy(words).view(getattr(torch, dtype.aliases["torch"][0])), x


@pytest.mark.parametrize("src", WORDS, ids=str)
def test_same_as_numpy(src):
    t, x = tensor(src)
    for dst in WORDS:
        got = cf.cast(t, dst, opset=ANY)
        assert isinstance(got, torch.Tensor) and got.shape == t.shape
        assert got.dtype == getattr(torch, dst.aliases["torch"][0])
        want = cf.cast(x, dst, opset=ANY)
        assert torch.equal(got.view(torch.uint8), torch.from_numpy(want.view(np.uint8)))
        out = torch.empty_like(got)
        assert cf.cast(t, getattr(torch, dst.aliases["torch"][0]), opset=ANY, out=out) is out
        assert torch.equal(out.view(torch.uint8), got.view(torch.uint8))


def test_without_a_copy():
    t = torch.zeros(8)
    cf.cast(np.arange(8, dtype=np.float32), "float32", opset=ANY, out=t)
    assert t.tolist() == list(range(8))


def test_packed_pairs():
    t = torch.tensor([[1.0, 2, 3, -6]])
    y = cf.cast(t, "float4e2m1")
    assert y.dtype == torch.float4_e2m1fn_x2 and y.shape == (1, 2)
    assert torch.equal(cf.cast(y, torch.float32), t)
    with pytest.raises(cf.BadArray, match="groups of 2"):
        cf.cast(torch.zeros(3), "float4e2m1")
    packed = cf.cast(torch.zeros(3), "int4", layout="packed")
    assert isinstance(packed, cf.Packed) and isinstance(packed.data, torch.Tensor)
    packed = cf.cast(t, "int4")  # torch packs no integers
    assert isinstance(packed, cf.Packed) and packed.shape == (1, 4)
    with pytest.raises(cf.UnknownType, match="layout"):
        cf.cast(t, "int4", layout="bytes")


def test_refused_with_the_reason():
    with pytest.raises(cf.BadArray, match="strides"):
        cf.cast(torch.zeros(4, 4).T, "bfloat16")
    assert cf.cast(torch.zeros(4, 4).T, "bfloat16", copy=True).shape == (4, 4)
    with pytest.raises(cf.BadArray, match="grad"):
        cf.cast(torch.zeros(4, requires_grad=True), "bfloat16")
    with pytest.raises(cf.BadArray, match="does not give its memory"):
        cf.cast(torch.zeros(4, device="meta"), "bfloat16")
    with pytest.raises(cf.UnknownType):
        cf.cast(torch.zeros(4, dtype=torch.complex64), "bfloat16")


def test_numbers_that_torch_has_yet_to_negate():
    x = torch.tensor([1 + 1j, 2 - 3j]).conj().imag
    assert x.is_neg()
    with pytest.raises(cf.BadArray, match="x.resolve_neg"):
        cf.cast(x, "float64")
    assert cf.cast(x, "float64", copy=True).tolist() == cft.cast(x, "float64").tolist() == [-1, 3]
    out = torch.zeros(2, dtype=torch.complex64).conj().imag
    with pytest.raises(cf.BadArray, match="out has torch's negative bit"):
        cf.cast(torch.ones(2), "float32", opset=ANY, out=out)


def test_classes_that_derive_from_tensors():
    class Mine(torch.Tensor):
        pass

    x = torch.arange(6.0).reshape(2, 3)
    assert torch.equal(cf.cast(x.as_subclass(Mine), "bfloat16"), x.to(torch.bfloat16))
    assert torch.equal(cf.cast(x.as_subclass(Mine).T, "int8", copy=True), x.T.to(torch.int8))

    class Exports:
        def __dlpack__(self, **options):
            return np.ones(3).__dlpack__(**options)

        def __dlpack_device__(self):
            return np.ones(3).__dlpack_device__()

    Exports.__module__ = "torchlike.arrays"
    assert cf.cast(Exports(), "int8").tolist() == [1, 1, 1]


def test_the_device_stays():
    assert cft.cast(torch.ones(3, device="meta"), "bfloat16").device.type == "meta"


def test_operator():
    t = torch.tensor([1.0, 480.0, 0.3])
    y = torch.ops.castforge.cast(t, "float8_e4m3fn", "onnx@23", "saturate=0")
    assert y.dtype == torch.float8_e4m3fn and torch.isnan(y.float()[1])
    again = cft.cast(t, torch.float8_e4m3fn, saturate=False, opset="onnx@23")
    assert torch.equal(again.view(torch.uint8), y.view(torch.uint8))
    (rules,) = [opset for opset in cf.opsets() if opset.name == "onnx@23"]
    again = cft.cast(t, torch.float8_e4m3fn, saturate=False, opset=rules)
    assert torch.equal(again.view(torch.uint8), y.view(torch.uint8))
    with pytest.raises(Exception, match="did you mean"):
        cft.cast(t, "float8_e4m3f")
    with pytest.raises(Exception, match="saturate .*: expected a whole number"):
        torch.ops.castforge.cast(t, "float8_e4m3fn", "onnx@23", "saturate=²")
    with pytest.raises(Exception, match="saturat"):
        cft.cast(t, torch.int8, satura=1)
    torch.library.opcheck(torch.ops.castforge.cast, (t, "bfloat16"), test_utils=["test_schema", "test_faketensor"])


def test_fake_and_compiled():
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        y = cft.cast(torch.empty(2, 6), "float4e2m1")
        assert y.shape == (2, 3) and y.dtype == torch.float4_e2m1fn_x2

    def f(x):
        return cft.cast(x * 2, torch.float8_e5m2, saturate=False).float() + 1

    x = torch.randn(64)
    compiled = torch.compile(f, backend="aot_eager", fullgraph=True)
    assert torch.equal(compiled(x), f(x))


def test_audit_gives_tensors():
    report = cf.audit(lambda t: t.to(torch.bfloat16), "float16", "bfloat16", family="torch")
    assert report.complete and set(report.kinds) <= {"another NaN"}
