#!/usr/bin/env python3
"""Runs the fuzz targets of a build until each has had its hours, and keeps a record of them.

    hours.py BUILD [--until HOURS] [--slice SECONDS] [--timeout SECONDS] [--jobs N] [--record FILE]

Takes the commands of the tests fuzz.* of BUILD (the preset `fuzz`), always the target with the least processor time
first, in slices. After each slice the record has its processor time and its number of inputs, so that it goes on where
it was stopped. A slice that finds something is not counted; its target is left out from then on, and the exit status
is 1.
"""
import argparse
import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
from typing import NamedTuple

COLUMNS = ("target", "seconds", "inputs", "tool")
HERE = pathlib.Path(__file__).resolve().parent


class Total(NamedTuple):
    seconds: float = 0.0  # of processor time
    inputs: int = 0


def commands(build):
    """The command of each target, by its name."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True,
                            text=True).stdout
    tests = {test["name"].removeprefix("fuzz."): test["command"] for test in json.loads(listed)["tests"]
             if test["name"].startswith("fuzz.")}
    if not tests:
        raise SystemExit(f"{build} has no tests fuzz.*: expected the build folder of the preset fuzz")
    return tests


def compiler(build):
    """Name and version of the compiler that the cache of the build names."""
    cache = (pathlib.Path(build) / "CMakeCache.txt").read_text(encoding="utf-8")
    program = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.M).group(1)
    version = subprocess.run([program, "-dumpversion"], check=True, capture_output=True, text=True).stdout.strip()
    return f"{pathlib.Path(program).name} {version}"


def read(path):
    """The totals of a record; none where there is no such file."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["target"]: Total(float(row["seconds"]), int(row["inputs"])) for row in rows}


def write(path, totals, tool):
    lines = ["\t".join(COLUMNS)]
    lines += [f"{name}\t{total.seconds:.0f}\t{total.inputs}\t{tool}" for name, total in sorted(totals.items())]
    new = path.with_name(path.name + ".new")
    new.write_text("\n".join(lines) + "\n", encoding="utf-8")
    new.replace(path)


def limited(command, seconds, timeout):
    """The command with a slice's time, and another limit of one input if there is one."""
    flags = {"-max_total_time=": seconds} | ({"-timeout=": timeout} if timeout else {})
    return [next((f"{flag}{value}" for flag, value in flags.items() if part.startswith(flag)), part)
            for part in command]


def run(command):
    """Processor time and inputs of one slice, and what it wrote if it found something."""
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        text = log.read()
    inputs = re.search(r"^stat::number_of_executed_units:\s*(\d+)", text, re.M)
    if process.returncode or not inputs:
        return None, text
    return Total(used.ru_utime + used.ru_stime, int(inputs.group(1))), ""


class Runs:
    """What the workers share: totals, and which targets are running or have found something."""

    def __init__(self, options):
        self.options, self.lock, self.failed, self.running = options, threading.Lock(), set(), set()
        self.commands, self.tool = commands(options.build), compiler(options.build)
        recorded = read(options.record)
        self.totals = {name: recorded.get(name, Total()) for name in self.commands}

    def next(self):
        with self.lock:
            left = [name for name in self.commands if name not in self.running | self.failed
                    and self.totals[name].seconds < 3600 * self.options.until]
            name = min(left, key=lambda candidate: self.totals[candidate].seconds, default=None)
            if name is not None:
                self.running.add(name)
            return name

    def done(self, name, spent, text):
        with self.lock:
            self.running.discard(name)
            if spent is None:
                self.failed.add(name)
                print(f"{name} found something:\n{text[-4000:]}", file=sys.stderr, flush=True)
                return
            before = self.totals[name]
            self.totals[name] = Total(before.seconds + spent.seconds, before.inputs + spent.inputs)
            write(self.options.record, self.totals, self.tool)
            minutes = self.totals[name].seconds / 60
            print(f"{name}: {minutes:.1f} minutes, {self.totals[name].inputs} inputs", flush=True)

    def work(self):
        while (name := self.next()) is not None:
            self.done(name, *run(limited(self.commands[name], self.options.slice, self.options.timeout)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="build folder of the preset fuzz, with its programs")
    parser.add_argument("--until", type=float, default=1, metavar="HOURS", help="processor time of each target (1)")
    parser.add_argument("--slice", type=int, default=300, metavar="SECONDS", help="how long one run lasts (300)")
    parser.add_argument("--timeout", type=int, metavar="SECONDS",
                        help="by the clock, for one input; more than the tests' own 10 where others use the machine")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="runs at a time")
    parser.add_argument("--record", type=pathlib.Path, default=HERE / "hours.tsv", metavar="FILE",
                        help="the table of what was done (tests/fuzz/hours.tsv)")
    runs = Runs(parser.parse_args())
    workers = [threading.Thread(target=runs.work, daemon=True) for _ in range(max(1, runs.options.jobs))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return bool(runs.failed)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped; the record has every slice that ended")
