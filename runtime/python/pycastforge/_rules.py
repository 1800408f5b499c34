"""What kernels do, as far as the library and the manifest beside this file tell."""

import functools
import importlib.resources

from . import _core


@functools.cache
def _manifest() -> dict[str, str]:
    """From the name of a kernel to what it means, in the words of the specs."""
    lines = importlib.resources.files(__package__).joinpath("MANIFEST.tsv").read_text("utf-8").splitlines()
    columns = lines[0].split("\t")
    name, meaning = columns.index("kernel"), columns.index("meaning_text")
    rows = (line.split("\t") for line in lines[1:])
    return {row[name]: row[meaning] for row in rows}


def meaning(kernel: "_core.Kernel") -> str:
    """The rule of a kernel as one line: formats, rounding, and what becomes of everything special."""
    return _manifest()[kernel.name]


def explain(src, dst, *, opset: str | None = None, **attributes: str | int) -> str:
    """What a cast between two types does, and by which op-set: types, rule, attributes, kernel.

    Raises what `kernel` raises. `castforge-gen explain`, of the sources, adds the lines of the specs and their
    citations.

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
    lines = [f"{kernel.src} -> {kernel.dst} under {kernel.opset}{given}", "", "types"]
    lines += [f"  {kind}: {kind.doc}" for kind in dict.fromkeys([kernel.src, kernel.dst])]
    formats, *properties = meaning(kernel).split(" | ")
    lines += ["", "formats", f"  {formats}", "", "rule", *(f"  {word}" for word in properties)]
    lines += ["", "op-set", f"  {rules.name}: {rules.doc}"]
    for name, about in rules.attributes.items():
        values = ", ".join(str(value) for value in about["values"])
        lines.append(f"  {name}: {values} (default {about['default']}). {about['doc']}")
    lines += ["", "kernel", f"  {kernel.name} {kernel.meaning_hash}, here on {kernel.isa}"]
    return "\n".join(lines)
