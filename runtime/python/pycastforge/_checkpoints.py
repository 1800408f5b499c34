"""Whole checkpoints, on this machine; `pycastforge.distributed` has the same for many."""

import dataclasses
import json
import os
from collections.abc import Mapping

from . import _core
from ._errors import BadFile


@dataclasses.dataclass(frozen=True)
class Shard:
    """What became of one file of weights."""

    name: str
    outcome: str
    """"converted", "skipped" (it was done before) or "failed"."""
    message: str
    """Of a shard that failed: what is wrong, and where."""
    seconds: float
    bytes_read: int
    bytes_written: int


def _opset_name(value) -> str:
    if isinstance(value, _core.OpSet):
        return value.name
    raise TypeError(f"plan: expected what JSON can hold, or an OpSet, found {value!r}")


def plan_text(plan) -> tuple[str, str]:
    """A plan as JSON, and what complaints call it: from a mapping, or from a file."""
    if isinstance(plan, Mapping):
        return json.dumps(plan, indent=2, default=_opset_name), "plan"
    path = os.fspath(plan)
    with open(path, encoding="utf-8") as file:
        return file.read(), os.fsdecode(path)


def convert_part(source, target, plan: tuple[str, str], part: int, parts: int, threads: int, verify: bool):
    """Converts one of so many parts of a checkpoint; the same as `castforge convert --shard PART/PARTS`."""
    text, name = plan
    return [Shard(*row) for row in _core._convert_part(source, target, text, name, part, parts, threads, verify)]


def finish(source, target, shards: list[Shard], parts: int, verify: bool) -> list[Shard]:
    """What comes after the last part: complaints, or index and manifest."""
    failed = [shard for shard in shards if shard.outcome == "failed"]
    if failed:
        raise BadFile(f"{len(failed)} of {len(shards)} shards failed: " + "; ".join(s.message for s in failed))
    if parts > 1:  # a single part finishes by itself
        _core._finish(source, target, verify)
    return sorted(shards, key=lambda shard: shard.name)


def convert(source, target, plan, *, threads: int = 1, verify: bool = False) -> list[Shard]:
    """Converts a checkpoint: a folder of safetensors files, one such file, an ONNX model, or a list of such files.

    source, target: paths; the target is a folder, made where there is none.
    plan: a mapping, or the path of a JSON file; `castforge convert --help` explains it.
    threads: how many read, convert and write.
    verify: everything is read back and computed again with another instruction set.

    Interrupted or killed, the same call goes on where it was. Returns the shards. Raises BadFile for a plan that does
    not fit and, when all others are done, for shards that failed; OSError for what the system refuses.

    >>> import numpy as np, os, tempfile, pycastforge as cf
    >>> folder = tempfile.mkdtemp()
    >>> source, target = os.path.join(folder, "model.safetensors"), os.path.join(folder, "fp8")
    >>> cf.save_safetensors({"w": np.ones((4, 8), np.float32), "norm": np.ones(8, np.float32)}, source)
    >>> plan = {"opset": "onnx@28", "default": {"to": "float8e4m3fn"}, "rules": [{"tensors": ["*norm*"], "keep": True}]}
    >>> [shard.outcome for shard in cf.convert(source, target, plan, verify=True)]
    ['converted']
    >>> f = cf.open_safetensors(os.path.join(target, "model.safetensors"))
    >>> f.about("w"), f.about("norm")
    (('F8_E4M3', (4, 8)), ('F32', (8,)))
    """
    text = plan_text(plan)
    parts = max(1, len(_core._shards(source)))
    shards = []
    for part in range(parts):  # one by one, so that Python sees an interrupt between two of them
        shards += convert_part(source, target, text, part, parts, threads, verify)
    return finish(source, target, shards, parts, verify)
