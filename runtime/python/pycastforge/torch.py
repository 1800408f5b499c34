"""torch.ops.castforge.cast: castforge's casts as an operator of torch, under torch.compile too.

For tensors in the memory of the processor; gradients do not flow through it.

    import pycastforge.torch as cft
    y = cft.cast(x, torch.float8_e4m3fn, saturate=False)
    y = torch.ops.castforge.cast(x, "float8_e4m3fn", "onnx@23", "saturate=0")
"""

import re

import torch

from . import _core
from ._errors import UnknownType
from ._families import torch_result


def _attributes(given: str) -> dict[str, str | int]:
    """From "saturate=0 round_mode=down", as an operator's arguments can be, to keywords."""
    attributes: dict[str, str | int] = {}
    for text in given.split():
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"attributes: expected NAME=VALUE, found {text!r}")
        attributes[name] = int(value) if re.fullmatch("-?[0-9]{1,20}", value) else value
    return attributes


def _no_tensors(dtype) -> UnknownType:
    return UnknownType(f"torch has no tensors of {dtype.name}; pycastforge.cast gives a Packed")


@torch.library.custom_op("castforge::cast", mutates_args=(), device_types="cpu")
def _cast(x: torch.Tensor, to: str, opset: str = "", attributes: str = "") -> torch.Tensor:
    result = _core.cast(x.detach(), to, opset=opset or None, copy=True, **_attributes(attributes))
    if isinstance(result, _core.Packed):
        raise _no_tensors(result.dtype)
    return result


@_cast.register_fake
def _(x, to, opset="", attributes=""):
    result = torch_result(x.shape, _core.dtype(to), x.device)
    if result is None:
        raise _no_tensors(_core.dtype(to))
    return result


@torch.compiler.assume_constant_result
def _name(to) -> str:
    return _core.dtype(to).name


def cast(x: torch.Tensor, to, *, opset: str | _core.OpSet | None = None, **attributes: str | int) -> torch.Tensor:
    """pycastforge.cast as an operator that torch.compile keeps in its graph. Strides other than C order are copied.
    In a function that is compiled, name the op-set; elsewhere one of opsets() will do, too.

    >>> import torch, pycastforge.torch as cft
    >>> cft.cast(torch.tensor([1.0, 480.0]), torch.float8_e4m3fn).float()
    tensor([  1., 448.])
    """
    given = [f"{name}={int(value) if isinstance(value, bool) else value}" for name, value in attributes.items()]
    rules = opset.name if isinstance(opset, _core.OpSet) else opset or ""
    return torch.ops.castforge.cast(x, _name(to), rules, " ".join(given))
