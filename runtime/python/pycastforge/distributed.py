"""Checkpoints on many machines, by any executor of concurrent.futures.

All machines see source and target under the same paths, and have this package.

    import dask.distributed, pycastforge.distributed
    with dask.distributed.Client(address) as client:
        pycastforge.distributed.convert("in/", "out/", "plan.json", executor=client.get_executor())

Where Ray runs already, RayExecutor() is one.
"""

import concurrent.futures
import os
import sys

from . import _checkpoints, _core
from ._checkpoints import Shard
from ._errors import Error


def convert(
    source,
    target,
    plan,
    *,
    executor: concurrent.futures.Executor,
    retries: int = 2,
    progress: bool = True,
    threads: int = 1,
    verify: bool = False,
) -> list[Shard]:
    """As pycastforge.convert, each file of weights a task of its own.

    retries: how often a task is started again whose worker died or could not reach its files. Tasks begin where a dead
        one left off, and give the same bytes.
    progress: a line on the terminal, where there is one.

    Raises what pycastforge.convert raises, and the last error of a task that failed more often.
    """
    text = _checkpoints.plan_text(plan)
    source, target = os.fspath(source), os.fspath(target)
    parts = max(1, len(_core._shards(source)))
    line = _Line(parts) if progress and sys.stderr.isatty() else None
    left = dict.fromkeys(range(parts), retries)
    running = {}

    def start(part: int) -> None:
        arguments = (source, target, text, part, parts, threads, verify)
        running[executor.submit(_checkpoints.convert_part, *arguments)] = part

    shards: list[Shard] = []
    try:
        for part in range(parts):
            start(part)
        while running:
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                part = running.pop(future)
                try:
                    shards += future.result()
                except Error:
                    raise  # the plan, not the machine
                except Exception:
                    if left[part] <= 0:
                        raise
                    left[part] -= 1
                    start(part)
            if line:
                line.show(parts - len(running))
    finally:
        for future in running:
            future.cancel()
        if line:
            line.clear()
    return _checkpoints.finish(source, target, shards, parts, verify)


class RayExecutor(concurrent.futures.Executor):
    """Runs callables as tasks of Ray, which ray.init() has started or joined; Ray repeats those whose worker dies.

    max_retries: how often it does.
    """

    def __init__(self, max_retries: int = 3) -> None:
        import ray

        self._call = ray.remote(max_retries=max_retries)(_call)

    def submit(self, function, /, *arguments, **named) -> concurrent.futures.Future:
        return self._call.remote(function, arguments, named).future()


def _call(function, arguments, named):
    return function(*arguments, **named)


class _Line:
    """How many parts are done, on the terminal."""

    def __init__(self, parts: int) -> None:
        self.parts = parts

    def show(self, done: int) -> None:
        print(f"\r\033[K{done} of {self.parts} parts", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
