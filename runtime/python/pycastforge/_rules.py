"""What kernels do, as far as the library and the specs beside this file tell."""

import functools
import importlib.resources
import json

from . import _core


@functools.cache
def _roundings() -> dict[int, str]:
    """From the carry table of a rounding mode to its name; specs/FIELDS.md of the sources describes the table."""
    names = {}
    for path in importlib.resources.files(__package__).joinpath("specs", "roundings").iterdir():
        spec = json.loads(path.read_text("utf-8"))
        digits = spec["carry"].replace(" ", "")
        names[sum(int(digit) << place for place, digit in enumerate(digits))] = spec["name"]
    return names


def meaning(kernel: "_core.Kernel") -> str:
    """The rule of a kernel as one line: rounding, and what becomes of everything special."""
    rule = kernel.rule
    carry = rule.pop("carry", None)
    words = [f"{name} {word}" for name, word in rule.items()]
    if "bits" not in rule:
        mode = ["exact"] if carry is None else [_roundings().get(carry), f"0x{carry:04X}"]
        words.insert(0, " ".join(["round", *filter(None, mode)]))
    return " | ".join(words)


def explain(src, dst=None, *, opset: str | _core.OpSet | None = None, **attributes: str | int) -> str:
    """What a cast between two types does, and by which op-set: types, rule, attributes, kernel.

    Takes what `kernel` takes, and raises what that raises. `castforge-gen explain`, of the sources, adds the lines of
    the specs and their citations.

    >>> import pycastforge as cf
    >>> print(cf.explain("float32", "float8e4m3fn", opset="onnx@23", saturate=False))
    float32 -> float8e4m3fn under onnx@23, saturate=0
    ...
    rule
      round nearest_even 0xC8C8
      overflow nan
    ...
    """
    kernel = _core.kernel(src, dst, opset=opset, **attributes)
    rules = _core._find_opset(kernel.opset, "cast")
    values = {name: int(value) if isinstance(value, bool) else value for name, value in attributes.items()}
    given = "".join(f", {name}={value}" for name, value in values.items())
    if dst is None:
        given = f", {src}"
    lines = [f"{kernel.src} -> {kernel.dst} under {kernel.opset}{given}", "", "types"]
    lines += [f"  {kind}: {kind.doc}" for kind in dict.fromkeys([kernel.src, kernel.dst])]
    lines += ["", "rule", *(f"  {word}" for word in meaning(kernel).split(" | "))]
    lines += ["", "op-set", f"  {rules.name}: {rules.doc}"]
    for name, about in rules.attributes.items():
        values = ", ".join(str(value) for value in about["values"])
        lines.append(f"  {name}: {values} (default {about['default']}). {about['doc']}")
    lines += ["", "kernel", f"  {kernel.name} {kernel.meaning_hash}, here on {kernel.isa}"]
    return "\n".join(lines)
