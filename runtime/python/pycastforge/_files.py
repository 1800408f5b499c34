"""Tensors in files and messages: what the library reads and writes, as functions of Python."""

from collections.abc import Mapping

from . import _core
from ._errors import UnknownType


def save_safetensors(tensors: Mapping, path, *, metadata: Mapping[str, str] | None = None) -> None:
    """Writes arrays of any family, or Packed, to a safetensors file, which appears whole or not at all.

    Every array must be contiguous. Types that share bytes must fill whole ones. Raises BadFile for what the format
    cannot hold, OSError for what the system refuses.

    >>> import numpy as np, os, tempfile, pycastforge as cf
    >>> path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
    >>> x = cf.cast(np.linspace(-2, 2, 6, dtype=np.float32).reshape(2, 3), "float4e2m1")
    >>> cf.save_safetensors({"w": x}, path, metadata={"made by": "me"})
    >>> f = cf.open_safetensors(path)
    >>> f.about("w"), f.metadata
    (('F4', (2, 3)), {'made by': 'me'})
    >>> cf.cast(f["w"], "float32")
    array([[-2. , -1. , -0.5],
           [ 0.5,  1. ,  2. ]], dtype=float32)
    """
    if not isinstance(tensors, Mapping):
        raise TypeError(f"save_safetensors: tensors must be a mapping of names to arrays, not {type(tensors).__name__}")
    _core._save_safetensors(dict(tensors), path, None if metadata is None else dict(metadata))


def from_onnx(tensor, *, framework: str = "numpy", layout: str | None = None):
    """The elements of an ONNX TensorProto: an array of numpy or torch, a Packed where those have no such type.

    `tensor` is the message, or its bytes as serialized; the package onnx is not needed for the latter. Strings become
    an array of numpy strings. Elements kept in another file are refused. Raises BadFile, TypeError.

    >>> import pycastforge as cf
    >>> cf.from_onnx(bytes.fromhex("0802 1001 4a08 0000803f 000000c0"))
    array([ 1., -2.], dtype=float32)
    """
    if not isinstance(tensor, bytes) and not hasattr(tensor, "SerializeToString"):
        raise TypeError(f"from_onnx: expected a TensorProto or its bytes, found {type(tensor).__name__}")
    message = tensor if isinstance(tensor, bytes) else tensor.SerializeToString()
    return _core._read_tensor_proto(message, framework, layout)[1]


def to_onnx(x, name: str = "", *, copy: bool = False):
    """An onnx.TensorProto of an array or Packed; takes the package onnx. `copy` is as for cast()."""
    from onnx import TensorProto

    elements, dtype, shape = _core._elements(x, copy)
    if "onnx_enum" not in dtype.aliases:
        raise UnknownType(f"ONNX has no tensors of {dtype.name}")
    return TensorProto(dims=shape, data_type=int(dtype.aliases["onnx_enum"][0]), raw_data=elements, name=name)
