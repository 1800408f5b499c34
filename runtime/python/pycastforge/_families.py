"""What families of arrays other than numpy's do each in their own way. Nothing is imported before it is needed."""

import functools
import sys

import numpy

from ._errors import BadArray, UnknownType


def _family(x) -> str:
    """The package whose class of arrays it is or derives from, for those that differ from the array API standard."""
    bases = [(str(base.__module__), base.__name__) for base in type(x).__mro__]
    if ("torch", "Tensor") in bases:
        return "torch"
    return "jax" if any(module.partition(".")[0] in ("jax", "jaxlib") for module, _ in bases) else ""


@functools.cache
def _jax_has(dtype) -> bool:
    """Whether jax has such elements."""
    try:
        sys.modules["jax"].numpy.asarray(numpy.empty(0, dtype.numpy))
    except Exception:  # of a class that differs by version
        return False
    return True


def _jax_array(x):
    """An array of jax of one of numpy."""
    made = sys.modules["jax"].numpy.asarray(x)
    if made.dtype != x.dtype:  # x64 can be switched at any time
        raise UnknownType(
            f"jax makes {made.dtype} of {x.dtype} while x64 is off; set jax_enable_x64, or cast numpy.asarray(x)"
        )
    return made


def without_dlpack(x, what: str):
    """An array of numpy for one whose type DLPack lacks; its own complaint where there is none."""
    if _family(x) == "jax":
        return numpy.asarray(x)  # int4, say: as ml_dtypes
    try:
        x.__dlpack__()
    except Exception as error:
        raise BadArray(f"{what}: {type(x).__module__}.{type(x).__name__} does not give its memory: {error}") from error
    raise BadArray(f"{what}: {type(x).__module__}.{type(x).__name__} offers its memory in a form that is not read here")


def contiguous(x, what: str):
    """A copy in C order."""
    if _family(x) == "torch":
        return x.resolve_neg().contiguous()
    if _family(x) == "jax":
        return x  # always in C order
    namespace = getattr(x, "__array_namespace__", None)
    if namespace is not None:
        return namespace().asarray(x, copy=True)
    try:
        return numpy.array(numpy.from_dlpack(x), order="C")
    except Exception as error:
        raise BadArray(f"{what}: {type(x).__module__}.{type(x).__name__} gives elements with gaps between them, and "
                       f"numpy, which would copy them, says: {error}") from error


def empty_bytes(like, count: int):
    """A new array of that many bytes, like `like`; numpy's where the family's arrays cannot be written."""
    like = getattr(like, "data", like) if type(like).__name__ == "Packed" else like
    if _family(like) == "torch":
        torch = sys.modules["torch"]
        return torch.empty(count, dtype=torch.uint8)
    return numpy.empty(count, numpy.uint8)


def empty(like, shape: tuple, dtype):
    """A new array like `like`, and a function that makes what the caller gets of it, or None; None where the family
    has no such elements.

    The family's own dtype decides: one that packs elements has them in pairs along the last dimension.
    """
    if type(like).__name__ == "Packed":
        like = like.data
    if _family(like) == "torch":
        made = torch_result(shape, dtype)
        return None if made is None else (made, None)
    if not dtype.aliases.keys() & {"numpy", "ml_dtypes"}:
        return None
    is_jax = _family(like) == "jax"
    if is_jax and not _jax_has(dtype):
        return None
    made = numpy.empty(shape, dtype.numpy)
    if is_jax:
        return made, _jax_array
    namespace = getattr(like, "__array_namespace__", None)
    return made, namespace().from_dlpack if namespace else None


def torch_result(shape: tuple, dtype, device="cpu"):
    """A new tensor of a type, None where torch has none; its packed types have their elements in groups along the last
    dimension."""
    import torch

    for name in dtype.aliases.get("torch", []):
        made = getattr(torch, name, None)
        if made is None:
            continue
        if dtype.packing is None:
            return torch.empty(shape, dtype=made, device=device)
        together = 8 // dtype.bits
        if name.endswith(f"_x{together}"):
            if not shape or shape[-1] % together:
                raise BadArray(
                    f"torch.{name} has elements in groups of {together} along the last dimension; shape {shape} does "
                    'not fill them. layout="packed" gives a Packed'
                )
            return torch.empty((*shape[:-1], shape[-1] // together), dtype=made, device=device)
    return None
