#!/usr/bin/env python3
"""Mutants of the runtime: one token of a source file is changed, what is made of the file is built again, and the
default tests that are responsible for it have to fail.

    mutate.py BUILD                    all mutants of the sample, held against survivors.tsv
    mutate.py BUILD --files simd/      those of files whose path contains this
    mutate.py BUILD --self-test        two mutants: one has to be noticed, one must not be
    mutate.py BUILD --list             says which there are

BUILD is a build folder with Makefiles in which everything is built, configured with CMAKE_EXPORT_COMPILE_COMMANDS=ON.
Nothing in it or in the source tree is changed: objects and programs of mutants are made in a folder of their own.
Results that were found before (--results FILE, a line per mutant) are not found again.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import queue
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from targets import TARGETS, SELF_TEST  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
SURVIVORS = Path(__file__).parent / "survivors.tsv"

# What a token becomes. Binary operators have a space on both sides, which angle brackets and references do not.
OPERATORS = {" <= ": " < ", " >= ": " > ", " < ": " <= ", " > ": " >= ", " == ": " != ", " != ": " == ",
             " && ": " || ", " || ": " && ", " + ": " - ", " - ": " + ", " * ": " + ", " / ": " * ", " % ": " / ",
             " << ": " >> ", " >> ": " << ", " & ": " | ", " | ": " & ", " += ": " -= ", " -= ": " += "}
TOKEN = re.compile("|".join(re.escape(op) for op in sorted(OPERATORS, key=len, reverse=True)) +
                   r"|\b(?:true|false)\b|(?<![\w.'\"])(?:0x[0-9A-Fa-f']+|\d+)(?=u?l?l?\b)")
SKIPPED = re.compile(r"^\s*(#|//|using |template |static_assert|namespace |friend |[*/])")


class Mutant:
    def __init__(self, path, line_number, line, start, end, text):
        self.path, self.line_number = path, line_number
        self.start, self.end, self.text = start, end, text
        self.line = line.strip()
        self.change = f"{line[start:end].strip()} -> {text.strip()}"
        column = start - (len(line) - len(line.lstrip()))
        self.key = (path, self.line, f"{self.change} at {column}")

    def order(self):
        return hashlib.sha256("\t".join(self.key).encode()).hexdigest()

    def apply(self, lines):
        changed = list(lines)
        line = changed[self.line_number]
        changed[self.line_number] = line[:self.start] + self.text + line[self.end:]
        return "\n".join(changed)


def blanked(line):
    """Strings, characters and comments as blanks."""
    line = re.sub(r'"(?:\\.|[^"\\])*"', lambda m: " " * len(m.group()), line)
    line = re.sub(r"'(?:\\.|[^'\\])'", lambda m: " " * len(m.group()), line)
    return re.sub(r"//.*|/\*.*?\*/", lambda m: " " * len(m.group()), line)


def changes_of(token):
    if token in OPERATORS:
        return [OPERATORS[token]]
    if token == "true" or token == "false":
        return ["false" if token == "true" else "true"]
    number = int(token.replace("'", ""), 0)
    shown = (lambda n: f"0x{n:X}") if token.startswith("0x") else str
    return [shown(number + 1)] + ([shown(number - 1)] if number > 0 else [])


def elsewhere(lines):
    """The numbers of lines that only other processors compile."""
    found, conditions = set(), []
    for number, line in enumerate(lines):
        words = line.split(None, 1)
        directive, condition = (words[0], words[-1]) if words and words[0].startswith("#") else ("", "")
        if directive.startswith("#if"):
            conditions.append([condition])
        elif directive in ("#elif", "#else"):
            conditions[-1].append(condition if directive == "#elif" else "else of " + conditions[-1][0])
        elif directive == "#endif":
            conditions.pop()
        for branches in conditions:
            if "NEON" in branches[-1] or "__aarch64__" in branches[-1] or branches[-1] == "else of defined(__SSE2__)":
                found.add(number)
    return found


def mutants_of(path):
    found, seen = [], {}
    lines = (ROOT / path).read_text().split("\n")
    others = elsewhere(lines)
    for number, line in enumerate(lines):
        if SKIPPED.match(line) or number in others:
            continue
        for match in TOKEN.finditer(blanked(line)):
            for text in changes_of(match.group()):
                mutant = Mutant(path, number, line, match.start(), match.end(), text)
                seen[mutant.key] = seen.get(mutant.key, 0) + 1
                if seen[mutant.key] == 1:  # of lines that are repeated the first
                    found.append(mutant)
    return lines, found


def sample(path, count):
    """So many mutants of a file, the same ones as long as their lines are."""
    lines, found = mutants_of(path)
    return lines, sorted(found, key=Mutant.order)[:count]


def included(path):
    """The line of a batch for a source."""
    return f'#include "{path}"\n'


class Commands:
    """How the build makes objects and programs."""

    def __init__(self, build):
        self.build = build
        self.entries = json.loads((build / "compile_commands.json").read_text())

    def entry_of(self, source, target):
        """Of a source, or of the batch that includes it (.cmake/Batches.cmake)."""
        own = [entry for entry in self.entries if f"/{target}.dir/" in entry["command"]]
        for entry in own:
            if entry["file"] == str(ROOT / source):
                return entry
        for entry in own:
            if "/batches/" in entry["file"] and included(ROOT / source) in Path(entry["file"]).read_text():
                return entry
        raise SystemExit(f"mutate.py: {target} does not compile {source}")

    def compile(self, source, target):
        """The folder and command for a source in a target, without object, precompiled headers and what reports need;
        the file that is compiled."""
        entry = self.entry_of(source, target)
        words = shlex.split(entry["command"])
        kept, skip = [], 0
        for index, word in enumerate(words):
            if skip:
                skip -= 1
            elif word in ("-o", "-c", "-include", "-MT", "-MF"):
                skip = 1
            elif word not in ("-Winvalid-pch", "-MD", "-Werror", "-fschedule-insns", "-fsched-pressure") and \
                    not word.endswith("ccache") and not re.fullmatch(r"-O[0-9]", word):
                kept.append(word)
        return entry["directory"], kept + ["-O1", "-w"], Path(entry["file"])

    def own(self, file):
        """Is it of this build, and not of another one in a folder of it?"""
        return not any((folder / "CMakeCache.txt").exists() for folder in file.parents if self.build in folder.parents)

    def link(self, program, objects, output, own_objects=True):
        """The command that links a test program, with `objects` before its own: all, none, or those of some targets."""
        commands = next(command for command in self.build.glob(f"**/CMakeFiles/{program}.dir/link.txt")
                        if self.own(command))
        words = shlex.split(commands.read_text())
        at = words.index("-o")
        head, tail = words[:at], words[at + 2:]
        if own_objects is not True:
            kept = [f"/{target}.dir/" for target in own_objects or []]
            head = [word for word in head if not word.endswith(".o") or any(part in word for part in kept)]
        return commands.parents[2], head + objects + ["-o", str(output)] + tail


def limits():
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 30, 2 << 30))  # tests make files of 1 GiB and a byte, of holes
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))


def run(command, folder, timeout=None, environment=None):
    """True, False, or None when the time was over."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limits,
                                   env=environment)
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None, ""
        output.seek(0)
        return process.returncode == 0, output.read()[-4000:].decode(errors="replace")


class Workshop:
    """Builds and tests mutants in a folder of its own."""

    def __init__(self, commands, folder):
        self.commands, self.folder = commands, folder
        folder.mkdir(parents=True, exist_ok=True)
        self.scratch = folder / "scratch"
        self.baseline = {}

    def source_of(self, path, text):
        """The changed file, where the compiler finds it before the real one; the folders to look in."""
        shutil.rmtree(self.folder / "changed", ignore_errors=True)
        changed = self.folder / "changed" / path
        changed.parent.mkdir(parents=True)
        if path.endswith(".hpp"):
            # Headers find each other by "simd/..." or "loops/...", from runtime/ or runtime/include/.
            changed.write_text(text)
        else:
            # A source finds those beside it by their names.
            for other in (ROOT / path).parent.iterdir():
                if other.suffix == ".hpp":
                    (changed.parent / other.name).symlink_to(other)
            changed.write_text(text)
        base = self.folder / "changed/runtime"
        return changed, [f"-I{base / 'include'}", f"-I{base}"]

    def builds(self, step, path, text):
        """The program of a step with the changed file in it, or None where it does not compile."""
        changed, folders = self.source_of(path, text)
        program = self.folder / "program"
        source = changed if path.endswith(".cpp") else ROOT / step["source"]
        made_like = step.get("like", step.get("source", path))
        directory, command, compiled = self.commands.compile(made_like, step["target"])
        if compiled != ROOT / made_like:  # a batch, whose object takes the place of the whole of it
            batch = self.folder / "changed_batch.cpp"
            batch.write_text(compiled.read_text().replace(included(ROOT / made_like), included(source)))
            source = batch
        result = self.folder / "changed.o"
        command = [command[0]] + folders + command[1:] + ["-c", str(source), "-o", str(result)]
        if path.endswith(".cpp"):
            command += ["-I", str((ROOT / path).parent)]
        built, output = run(command, directory, 600)
        if not built:
            return None, output
        directory, command = self.commands.link(step["program"], [str(result)], program, step.get("own_objects", True))
        built, output = run(command, directory, 600)
        return (program, "") if built else (None, output)

    def passes(self, step, program, timeout):
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir()
        environment = dict(os.environ, TMPDIR=str(self.scratch), **step.get("environment", {}))
        tester = str(program)
        if "tester" in step:
            tester = str(self.commands.build / "bin" / step["tester"])
            environment["CASTFORGE_TRIED_PROGRAM"] = str(program)
        passed, _ = run([tester, "--abort"] + step.get("arguments", []), self.scratch, timeout, environment)
        return passed

    def timeout(self, step, path, lines):
        """Ten times what the program needs as it is."""
        name = json.dumps(step, sort_keys=True)
        if name not in self.baseline:
            program, output = self.builds(step, path, "\n".join(lines))
            if program is None:
                raise SystemExit(f"mutate.py: {path} as it is does not build for {step['target']}:\n{output}")
            start = time.monotonic()
            if not self.passes(step, program, 600):
                raise SystemExit(f"mutate.py: {step['program']} fails with {path} as it is")
            self.baseline[name] = 10 * (time.monotonic() - start) + 20
        return self.baseline[name]

    def outcome(self, mutant, lines, steps):
        text = mutant.apply(lines)
        compiled = False
        for step in steps:
            timeout = self.timeout(step, mutant.path, lines)
            program, _ = self.builds(step, mutant.path, text)
            if program is None:
                return "does not compile"
            compiled = True
            if not self.passes(step, program, timeout):
                return "noticed by " + step.get("name", step["program"])
        return "survives" if compiled else "does not compile"


def listed(path):
    if not path.exists():
        return {}
    rows = [line.split("\t") for line in path.read_text().split("\n")[1:] if line]
    return {tuple(row[:3]): row[3:] for row in rows}


def self_test(workshop):
    """Does the tool notice what it has to, and nothing else?"""
    path, steps, noticed, same = SELF_TEST
    lines, found = mutants_of(path)
    wanted = {noticed: "noticed", same: "survives"}
    chosen = [mutant for mutant in found if mutant.key[1:] in wanted]
    if len(chosen) != 2:
        raise SystemExit(f"mutate.py: {path} no longer has the two lines of the self-test")
    wrong = 0
    for mutant in chosen:
        outcome = workshop.outcome(mutant, lines, steps)
        print(*mutant.key, outcome, sep="\t", flush=True)
        wrong += not outcome.startswith(wanted[mutant.key[1:]])
    return wrong == 0


class Results:
    """What became of mutants, in a file that grows by a line each."""

    def __init__(self, path):
        self.path, self.lock = path, threading.Lock()
        self.known = {}
        if path and path.exists():
            rows = [line.split("\t") for line in path.read_text().split("\n") if line]
            self.known = {tuple(row[:3]): row[3] for row in rows}

    def add(self, mutant, outcome):
        with self.lock:
            self.known[mutant.key] = outcome
            if self.path:
                with self.path.open("a") as file:
                    file.write("\t".join(mutant.key) + "\t" + outcome + "\n")


def examine(work, commands, folder, jobs, results):
    """(mutant, outcome) of all, in their order."""
    free = queue.Queue()
    for number in range(jobs):
        free.put(Workshop(commands, folder / str(number)))

    def one(mutant, lines, steps):
        if mutant.key in results.known:
            return results.known[mutant.key]
        workshop = free.get()
        try:
            outcome = workshop.outcome(mutant, lines, steps)
        finally:
            free.put(workshop)
        results.add(mutant, outcome)
        return outcome

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [(mutant, pool.submit(one, mutant, lines, steps)) for lines, mutants, steps in work
                   for mutant in mutants]
        for mutant, future in futures:
            yield mutant, future.result()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--files", default="", help="only files whose path contains this")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time")
    parser.add_argument("--results", type=Path, help="kept from run to run")
    options = parser.parse_args()
    work = [(*sample(path, count), steps) for path, count, steps in TARGETS if options.files in path]
    everything = [mutant for _, mutants, _ in work for mutant in mutants]
    if options.list:
        for mutant in everything:
            print(*mutant.key, sep="\t")
        return 0

    commands = Commands(options.build.resolve())
    known = {key: rest for key, rest in listed(SURVIVORS).items() if options.files in key[0]}
    counts, problems = {}, 0
    with tempfile.TemporaryDirectory(prefix="castforge-mutants-") as folder:
        if options.self_test:
            return 0 if self_test(Workshop(commands, Path(folder) / "0")) else 1
        for done, (mutant, outcome) in enumerate(
                examine(work, commands, Path(folder), options.jobs, Results(options.results)), 1):
            kind = outcome.split(" by ")[0]
            if outcome == "survives" and mutant.key in known:
                kind = "the same results"
            elif outcome == "survives" or mutant.key in known:
                problems += 1
                print(f"{mutant.path}:{mutant.line_number + 1}: {mutant.change}: {outcome}: {mutant.line}", flush=True)
            counts[kind] = counts.get(kind, 0) + 1
            if sys.stderr.isatty():
                print(f"\r{done}/{len(everything)} {counts} ", end="", file=sys.stderr, flush=True)
    for key in known.keys() - {mutant.key for mutant in everything}:
        problems += 1
        print("survivors.tsv has a mutant that is not in the sample:", *key)
    print(f"{len(everything)} mutants of {len(work)} files:",
          ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())), f"({problems} problems)")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
