"""Formats of one's own: loaded from a file, or made of their parts; and what a format does to numbers."""

import dataclasses
import importlib.resources
import json
import math
import os
import re
import threading
from collections.abc import Iterator
from typing import Any, Literal

import numpy

from . import _core
from ._errors import BadFile


def _specs() -> str:
    return os.fspath(importlib.resources.files(__package__).joinpath("specs"))


def load(path: str | os.PathLike) -> "list[_core.Type]":
    """Adds what a file describes to the library: formats, rounding modes, op-sets; the types that came with it.

    A spec (.json; specs/FIELDS.md of the sources describes it), or tables that `castforge-gen tables` made of one
    (.cft). Afterwards they are known to cast(), dtype(), opsets() and all others, as if they had been built in; for
    types that the default op-set lacks, cast() uses castforge@1. Loading twice changes nothing, and later changes to
    the file have no effect. A spec takes a tenth of a second or a few, one of many formats, as p3109@4.0, a second or
    two; a .cft file made of it next to nothing. Threads may load.

    Raises BadFile, with file, line and what was expected, and nothing of the file stays; OSError where it cannot be
    read.

    >>> import pathlib, tempfile, pycastforge as cf
    >>> path = pathlib.Path(tempfile.mkdtemp(), "half8.json")
    >>> _ = path.write_text('''{"name": "float8e5m2_half", "id": 2900, "kind": "float", "signed": true,
    ...     "exponent_bits": 5, "mantissa_bits": 2, "exponent_bias": 15, "subnormals": true, "infinity": true,
    ...     "nan": "ieee", "storage_bits": 8}''')
    >>> cf.load(path)
    [pycastforge.dtype('float8e5m2_half')]
    """
    if isinstance(os.fspath(path), bytes):
        raise TypeError(f"load: expected a str or an os.PathLike of one, found {path!r}")
    with _lock:
        return _core._load(os.fsencode(path), _specs())


_KINDS = {"signed": bool, "subnormals": bool, "infinity": bool, "nan": str, "name": str}  # the other parts are int
_EXPECTED = {bool: "True or False", int: "an int", str: "a str"}
# As specs/FIELDS.md has them. What is computed from a part, or written into a spec, takes time and memory by its size.
_RANGES = {"exponent_bits": (1, 11), "mantissa_bits": (0, 52), "bias": (-1022, 1075), "storage_bits": (1, 64)}


def _check_range(part: str, value: int) -> None:
    least, most = _RANGES[part]
    if not least <= value <= most:
        found = value if value.bit_length() <= 64 else "one of more than 64 bits"  # Python refuses to print large ones
        raise BadFile(f"{part}: expected a number from {least} to {most}, found {found}")


def _default_storage(bits: int) -> int:
    return bits if bits < 8 else next((word for word in (8, 16, 32, 64) if bits <= word), bits)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Format:
    """A floating-point format made of its parts, loaded as soon as it is made; a type wherever a type is named.

    exponent_bits: 1 to 11. mantissa_bits: 0 to 52, without the hidden bit.
    bias: a normal number with exponent field e is a multiple of 2**(e - bias); 2**(exponent_bits - 1) - 1 without it.
    signed: whether there is a sign bit.
    subnormals: whether exponent field 0 holds them.
    nan: "ieee" (exponent all ones, fraction not 0), "top" (the largest magnitude alone), "negative_zero" (the code that
    would be -0), "none".
    infinity: whether there is one, right below the NaN codes; without it, as IEEE 754 for nan="ieee", and none else.
    storage_bits: bits of an element in memory; without it those of the code, dense below 8, in words from there on.
    name: without it, one that says all of the above; dataclasses.replace() makes another then.

    Raises BadFile for parts that make no format, with the key and what was expected; TypeError, with the same, for
    parts of another type.

    >>> import numpy as np, pycastforge as cf
    >>> fmt = cf.Format(exponent_bits=4, mantissa_bits=3, bias=11, nan="negative_zero")
    >>> y = cf.cast(np.array([1.0, 0.3, 100], np.float32), fmt)
    >>> y
    Packed(custom8e4m3b11_nan_negative_zero, shape=(3,))
    >>> cf.cast(y, "float32")
    array([ 1.    ,  0.3125, 30.    ], dtype=float32)
    """

    exponent_bits: int
    mantissa_bits: int
    bias: int | None = None
    signed: bool = True
    subnormals: bool = True
    infinity: bool | None = None
    nan: Literal["ieee", "top", "negative_zero", "none"] = "ieee"
    storage_bits: int | None = None
    name: str | None = None

    def __post_init__(self):
        for field in dataclasses.fields(self):
            value, kind = getattr(self, field.name), _KINDS.get(field.name, int)
            by_default = value is None and field.default is None
            if not by_default and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
                raise TypeError(f"{field.name}: expected {_EXPECTED[kind]}, found {value!r}")
            if not by_default and field.name in _RANGES:
                _check_range(field.name, value)
        if self.bias is None:
            object.__setattr__(self, "bias", 2 ** (self.exponent_bits - 1) - 1)
        if self.infinity is None:
            object.__setattr__(self, "infinity", self.nan == "ieee")
        if self.storage_bits is None:
            object.__setattr__(self, "storage_bits", _default_storage(self.bits))
        # A name that says the parts of another format comes from dataclasses.replace, which hands all fields on.
        other = _made.get(self.name)
        if self.name is None or (other is not None and other.name == other._descriptive_name()):
            object.__setattr__(self, "name", self._descriptive_name())
        _load_format(self)

    def __reduce__(self):
        return _format_of, (dataclasses.asdict(self),)  # which loads it in the process that reads it

    @property
    def bits(self) -> int:
        """Bits of a code."""
        return int(self.signed) + self.exponent_bits + self.mantissa_bits

    @property
    def dtype(self) -> "_core.Type":
        """The loaded type."""
        return _core.dtype(self.name)

    @property
    def __castforge_type__(self) -> "_core.Type":
        return self.dtype

    def spec(self) -> dict[str, Any]:
        """What a spec file says of it, but its number: for `castforge-gen`, `castforge --load` and load().

        >>> import pycastforge as cf
        >>> cf.Format(exponent_bits=3, mantissa_bits=4).spec()["exponent_bias"]
        3
        """
        return {
            "name": self.name,
            "kind": "float",
            "signed": self.signed,
            "exponent_bits": self.exponent_bits,
            "mantissa_bits": self.mantissa_bits,
            "exponent_bias": self.bias,
            "subnormals": self.subnormals,
            "infinity": self.infinity,
            "nan": self.nan,
            "storage_bits": self.storage_bits,
        }

    def _descriptive_name(self) -> str:
        bias = f"b{self.bias}" if self.bias >= 0 else f"bm{-self.bias}"
        sign = "" if self.signed else "u"
        name = f"custom{sign}{self.bits}e{self.exponent_bits}m{self.mantissa_bits}{bias}_nan_{self.nan}"
        if self.infinity != (self.nan == "ieee"):
            name += "_inf" if self.infinity else "_finite"
        if not self.subnormals:
            name += "_normal"
        if self.storage_bits != _default_storage(self.bits):
            name += f"_in{self.storage_bits}"
        return name


def _format_of(parts: dict[str, Any]) -> Format:
    return Format(**parts)


_lock = threading.RLock()  # whoever loads; a signal's handler may load or fork in between
# A child would wait for ever for a thread that it does not have.
os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)
_loaded: dict[str, dict[str, Any]] = {}
_made: dict[str, "Format"] = {}


def type_of_pickle(name: str, made: Format | None):
    """What pickles of types call, as functions of the extension module cannot be pickled. Formats that were made of
    their parts are made again in a process that has not loaded them."""
    return _core.dtype(name) if made is None else made.dtype


def _pickled(name: str) -> tuple:
    return type_of_pickle, (name, _made.get(name))


def _load_format(made: Format) -> None:
    spec = made.spec()
    with _lock:
        if _loaded.get(made.name) == spec:
            return
        called = f"Format {json.dumps(made.name)}"
        try:
            _core._load_text(called, json.dumps({**spec, "id": _core._free_id()}), _specs())
        except BadFile as error:
            # Whoever gave parts knows of no file: only what follows "FILE:1:20: error: /" is about them.
            message = re.sub(rf"^{re.escape(called)}(:\d+:\d+: error)?: (/(: )?)?", "", str(error), flags=re.M)
            raise BadFile(message.replace("exponent_bias", "bias")) from None
        _loaded[made.name] = spec
        _made[made.name] = made


@dataclasses.dataclass(frozen=True, kw_only=True)
class QuantizationError:
    """What a format does to the numbers of an array; made by quantization_error(). Errors are over the finite numbers
    that stay finite; relative ones over those that are not zero."""

    format: "_core.Type"
    elements: int
    nan: int
    infinite: int
    saturated: int
    """Finite numbers that, rounded, are out of the range of the format, and became another finite one."""
    nonfinite: int
    """Finite numbers that became an infinity or NaN."""
    flushed: int
    """Numbers other than zero that became zero, but for those out of the range that wrap to it: they are saturated."""
    inexact: int
    amax: float
    """The largest magnitude before the cast."""
    max_absolute: float
    mean_absolute: float
    root_mean_square: float
    max_relative: float
    mean_relative: float
    signal_to_noise_db: float
    """10 log10 of the sum of squares over that of the errors' squares."""

    def __str__(self) -> str:
        width = max(len(field.name) for field in dataclasses.fields(self))
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return "\n".join(
            f"{name:<{width}}  {value:.6g}" if isinstance(value, float) else f"{name:<{width}}  {value}"
            for name, value in values.items()
        )


class _Mean:
    """The power mean of magnitudes that come in pieces: never beyond the largest, however large or small they are."""

    def __init__(self, power: int):
        self.power, self.value, self.count = power, 0.0, 0

    def add(self, magnitudes: numpy.ndarray) -> None:
        if not magnitudes.size:
            return
        count = self.count + magnitudes.size
        largest = max(self.value, float(magnitudes.max()))
        if 0 < largest < math.inf:
            ours = (self.value / largest) ** self.power * (self.count / count)
            theirs = float(((magnitudes / largest) ** self.power).mean()) * (magnitudes.size / count)
            self.value = largest * (ours + theirs) ** (1 / self.power)
        else:
            self.value = largest
        self.count = count


_PIECE = 1 << 20  # elements that are in memory as float64 at once; whole bytes of any width


def quantization_error(
    x, format, *, opset: str | _core.OpSet | None = None, **attributes: str | int
) -> QuantizationError:
    """Casts x to a format and back and counts what that did: absolute and relative errors, saturated, flushed.

    x: an array as for cast(); of any strides. format: a type, or a Format. Computed in float64, in pieces.

    >>> import numpy as np, pycastforge as cf
    >>> error = cf.quantization_error(np.array([1.0, 0.3, 1000, 1e-9], np.float32), "float8e4m3fn")
    >>> error.saturated, error.flushed, round(error.max_absolute)
    (1, 1, 552)
    """
    dtype = _core.dtype(format)
    stats = _core.Stats()
    mean, mean_relative, error_rms, value_rms = _Mean(1), _Mean(1), _Mean(2), _Mean(2)
    worst = worst_relative = 0.0
    for piece in _pieces(x):
        cast = _core.cast(piece, dtype, opset=opset, stats=stats, layout="packed", **attributes)
        before, after = (_core.cast(some, "float64") for some in (piece, cast))
        both = numpy.isfinite(before) & numpy.isfinite(after)
        before, after = before[both], after[both]
        error = numpy.abs(after - before)
        some = before != 0
        with numpy.errstate(over="ignore"):
            relative = error[some] / numpy.abs(before[some])
        mean.add(error)
        mean_relative.add(relative)
        error_rms.add(error)
        value_rms.add(numpy.abs(before))
        worst = max(worst, float(error.max(initial=0)))
        worst_relative = max(worst_relative, float(relative.max(initial=0)))
    noise = error_rms.value / value_rms.value if value_rms.value else math.inf if error_rms.value else 0.0
    return QuantizationError(
        format=dtype,
        elements=stats.elements,
        nan=stats.nan,
        infinite=stats.infinite,
        saturated=stats.saturated,
        nonfinite=stats.nonfinite,
        flushed=stats.underflowed,
        inexact=stats.inexact,
        amax=stats.amax,
        max_absolute=worst,
        mean_absolute=mean.value,
        root_mean_square=error_rms.value,
        max_relative=worst_relative,
        mean_relative=mean_relative.value,
        signal_to_noise_db=-20 * math.log10(noise) if noise else math.inf,
    )


def _pieces(x) -> Iterator[_core.Packed]:
    """The elements of any array, each piece beginning with a byte."""
    elements, dtype, shape = _core._elements(x, True)
    data = numpy.frombuffer(elements, numpy.uint8)
    count = math.prod(shape)
    for at in range(0, count, _PIECE):
        length = min(_PIECE, count - at)
        first = at * dtype.bits // 8
        yield _core.Packed(data[first : first + (length * dtype.bits + 7) // 8], (length,), dtype)
