"""Anybody's cast against the rules: which sources it treats otherwise."""

import ctypes
import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator

import numpy

from . import _core, _rules
from ._errors import BadArray, UnknownType

_BLOCK = 1 << 22


@dataclasses.dataclass(frozen=True)
class Difference:
    """Neighbouring sources, of those tried, with results of one kind other than the rule's. Codes are bit patterns."""

    kind: str
    first: int
    last: int
    count: int
    values: tuple[float, float]
    """Of the first and the last source, as float64."""
    expected: tuple[int, int]
    found: tuple[int, int]
    expected_values: tuple[float, float]
    found_values: tuple[float, float]


@dataclasses.dataclass
class Audit:
    """What `audit` found. `print` shows it as a table."""

    src: str
    dst: str
    opset: str
    attributes: dict
    kernel: str
    rule: str
    """The row by which the kernel was made."""
    citation: str
    """What the op-set says of itself."""
    tried: int = 0
    complete: bool = False
    """Every source code was tried, so that ranges are exact."""
    differences: int = 0
    kinds: Counter = dataclasses.field(default_factory=Counter)
    """Number of differing sources by kind."""
    ranges: list[Difference] = dataclasses.field(default_factory=list)
    more_ranges: int = 0
    """Ranges that were counted but not kept."""

    def __str__(self) -> str:
        given = "".join(f" {name}={value}" for name, value in self.attributes.items())
        codes = "all" if self.complete else "representative"
        lines = [
            f"{self.src} -> {self.dst} under {self.opset}{given}: {self.differences} of {self.tried} source codes "
            f"differ ({codes} codes tried)",
            f"  rule     {self.rule}",
            f"  op-set   {self.citation}",
        ]
        lines += [f"  {count:>10} {kind}" for kind, count in self.kinds.most_common()]
        digits = (_core.dtype(self.src).bits + 3) // 4
        wide = (_core.dtype(self.dst).bits + 3) // 4
        for r in self.ranges:
            lines.append(
                f"  {r.first:0{digits}X}..{r.last:0{digits}X} ({_number(r.values[0])} .. {_number(r.values[1])}), "
                f"{r.count} codes: {r.kind}; first {_number(r.found_values[0])} ({r.found[0]:0{wide}X}), "
                f"expected {_number(r.expected_values[0])} ({r.expected[0]:0{wide}X})"
            )
        if self.more_ranges:
            lines.append(f"  and {self.more_ranges} more ranges")
        return "\n".join(lines)


def _number(value: float) -> str:
    return f"{value:.9g}"


def _unsigned(bits: int) -> numpy.dtype:
    """The word that holds an element, as a dtype."""
    return numpy.dtype(f"u{max(8, 1 << (bits - 1).bit_length()) // 8}")


def _blocks(src, exhaustive: bool) -> tuple[Iterator[numpy.ndarray], bool]:
    """Rising source codes in blocks, and whether they are all."""
    codes, complete = _core._representative_codes(src)
    if src.kind == "bool":
        return iter([numpy.arange(2, dtype=numpy.uint64)]), True  # other bytes are no value of anybody's bool
    if complete:
        return iter([numpy.arange(1 << src.bits, dtype=numpy.uint64)]), True
    if not exhaustive:
        codes = numpy.unique(codes)
        return (codes[i : i + _BLOCK] for i in range(0, len(codes), _BLOCK)), False
    if src.bits > 32:
        raise ValueError(f"exhaustive: {src.name} has 2^{src.bits} codes; expected a source of at most 32 bits")
    starts = range(0, 1 << src.bits, _BLOCK)
    return (numpy.arange(i, i + _BLOCK, dtype=numpy.uint64) for i in starts), True


def _as_array(codes: numpy.ndarray, dtype) -> numpy.ndarray:
    return codes.astype(_unsigned(dtype.bits)).view(dtype.numpy)


def _codes_of(result, dst, count: int) -> numpy.ndarray:
    """The codes of what an audited function returned."""
    elements, found, shape = _core._elements(result, True)
    if found != dst:
        raise UnknownType(f"the function returned {found.name}, expected {dst.name}")
    if shape != (count,):
        raise BadArray(f"the function returned shape {shape}, expected {(count,)}")
    data = numpy.frombuffer(elements, numpy.uint8)
    array = _core.Packed(data, shape, dst).unpack()
    return array.view(_unsigned(dst.bits))


def _symbol(name: str, dst) -> Callable:
    """A function `void f(const void* src, void* dst, size_t count)` of a shared library, as one over arrays."""
    library, _, symbol = name.rpartition(":")
    if not library or not symbol:
        raise ValueError(f'expected "LIBRARY:FUNCTION", found {name!r}')
    try:
        function = getattr(ctypes.CDLL(library), symbol)
    except AttributeError as error:
        raise ValueError(f"{library} has no function {symbol}: {error}") from error
    function.argtypes, function.restype = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t], None

    def call(x):
        source, _, shape = _core._elements(x, False)
        room = numpy.zeros((x.size * dst.bits + 7) // 8, numpy.uint8)
        function(source, room.ctypes.data, x.size)
        return _core.Packed(room, shape, dst)

    return call


def _float64(codes: numpy.ndarray, dtype) -> numpy.ndarray:
    return _core.cast(_as_array(codes, dtype), "float64")


def _kinds_of(expected: numpy.ndarray, found: numpy.ndarray) -> numpy.ndarray:
    """The kind of each difference, from both results as float64."""
    nan, found_nan = numpy.isnan(expected), numpy.isnan(found)
    infinite = numpy.isinf(expected) != numpy.isinf(found)
    cases = [
        (nan & found_nan, "another NaN"),
        (nan, "a number, not NaN"),
        (found_nan, "NaN, not a number"),
        (infinite & numpy.isinf(expected), "finite, not infinite"),
        (infinite, "infinite, not finite"),
        ((expected == 0) & (found == 0), "another sign of zero"),
    ]
    return numpy.select([case for case, _ in cases], [kind for _, kind in cases], "another number")


def audit(
    function: Callable | str,
    src,
    dst,
    *,
    opset: str | _core.OpSet | None = None,
    exhaustive: bool = False,
    family: str = "numpy",
    most_ranges: int = 1000,
    **attributes: str | int,
) -> Audit:
    """Runs somebody's cast over source codes and reports where it differs from the rules of an op-set.

    function: called with an array of one dimension, of type `src`, that it must not change; returns an array of type
        `dst`, of any family, or a Packed. Or "libm.so:symbol", a C function
        `void f(const void* src, void* dst, size_t count)` over elements as kernels read and write them.
    exhaustive: all 2^32 codes of a source of 32 bits. Sources of up to 16 bits are always tried completely; wider ones
        otherwise at every class of sign, exponent, kept bits and rounding.
    family: "numpy" (types of ml_dtypes too) or "torch": what the function is given.
    most_ranges: how many ranges are kept; the others are counted.

    Raises what `kernel` raises, and NotAnArray, UnknownType or BadArray for a function that returns something else.

    >>> import ml_dtypes, pycastforge as cf
    >>> report = cf.audit(lambda x: x.astype(ml_dtypes.float8_e4m3fn), "bfloat16", "float8e4m3fn", saturate=False)
    >>> report.complete, report.tried, report.differences
    (True, 65536, 0)
    >>> report = cf.audit(lambda x: x.astype(ml_dtypes.float8_e4m3fn), "bfloat16", "float8e4m3fn")  # saturates
    >>> list(report.kinds), report.ranges[0].values
    (['NaN, not a number'], (466.0, inf))
    """
    kernel = _core.kernel(src, dst, opset=opset, **attributes)
    src, dst = kernel.src, kernel.dst
    if family not in ("numpy", "torch"):
        raise ValueError(f'family: expected "numpy" or "torch", found {family!r}')
    call = _symbol(function, dst) if isinstance(function, str) else function
    blocks, complete = _blocks(src, exhaustive)
    report = Audit(
        src=src.name,
        dst=dst.name,
        opset=kernel.opset,
        attributes=attributes,
        kernel=kernel.name,
        rule=_rules.meaning(kernel),
        citation=_core._find_opset(kernel.opset, "cast").doc,
        complete=complete,
    )
    for codes in blocks:
        source = _as_array(codes, src)
        given = source.copy()
        if family == "torch":
            given = _to_torch(given, src)
        with numpy.errstate(all="ignore"):
            found = _codes_of(call(given), dst, len(codes))
        expected = _codes_of(kernel(source), dst, len(codes))
        report.tried += len(codes)
        _compare(report, src, dst, codes, expected, found, most_ranges)
    return report


def _to_torch(array: numpy.ndarray, dtype):
    import torch

    words = torch.from_numpy(array.view(f"i{array.itemsize}" if dtype.kind != "bool" else "u1"))
    return words.view(getattr(torch, dtype.aliases["torch"][0]))


def _compare(report, src, dst, codes, expected, found, most_ranges: int) -> None:
    """Adds the differences of a block."""
    at = numpy.flatnonzero(expected != found)
    if len(at) == 0:
        return
    expected_values, found_values = _float64(expected[at], dst), _float64(found[at], dst)
    kinds = _kinds_of(expected_values, found_values)
    report.differences += len(at)
    names, counts = numpy.unique(kinds, return_counts=True)
    report.kinds.update(dict(zip(names.tolist(), counts.tolist())))
    ends = numpy.flatnonzero((at[1:] != at[:-1] + 1) | (kinds[1:] != kinds[:-1]))
    starts = numpy.concatenate([[0], ends + 1])
    ends = numpy.concatenate([ends, [len(at) - 1]])
    kept = max(0, most_ranges - len(report.ranges))
    report.more_ranges += max(0, len(starts) - kept)
    for start, end in zip(starts[:kept].tolist(), ends[:kept].tolist()):
        pair = [start, end]
        both = codes[at[pair]]
        report.ranges.append(
            Difference(
                kind=str(kinds[start]),
                first=int(both[0]),
                last=int(both[1]),
                count=end - start + 1,
                values=tuple(_float64(both, src).tolist()),
                expected=tuple(expected[at[pair]].tolist()),
                found=tuple(found[at[pair]].tolist()),
                expected_values=tuple(expected_values[pair].tolist()),
                found_values=tuple(found_values[pair].tolist()),
            )
        )
