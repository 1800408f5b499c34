#!/usr/bin/env python3
"""Does every command that a page shows name what there is? Of the two programs their subcommands and options, of CMake
its presets and targets, of Python and shells the scripts. The commands are not run; other tests run some.

    commands_test.py REPOSITORY CASTFORGE CASTFORGE_GEN
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

COMMAND = re.compile(r"(?:build/bin/)?castforge(?:-gen)?|cmake|ctest|build/bin/\S+|python3|\.ci/run")


def pages(repository):
    for page in sorted(repository.rglob("*.md")):
        top = page.relative_to(repository).parts[0]
        if top not in ("build", "generated", ".git", ".dev"):
            yield page


def blocks(text):
    """The fenced blocks of a page: language, lines."""
    for block in re.finditer(r"^ *```(\w*)[^`\n]*\n(.*?)^ *```", text, re.S | re.M):
        yield block[1], block[2].replace("\\\n", " ").splitlines()


def commands(text):
    """Lines of shell blocks, continued ones joined; in blocks of no language those behind a prompt or, where there is
    none, all; and code within sentences that begins like a command."""
    for language, lines in blocks(text):
        prompted = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        if language in ("sh", ""):
            yield from prompted or lines
    prose = re.sub(r"```.*?```", "", text, flags=re.S)
    for code in re.findall(r"`([^`]+)`", prose):
        code = " ".join(code.split())
        if re.match(rf"(?:{COMMAND.pattern}) ", code):
            yield code


def parts(line):
    """The words of each command of a line."""
    try:
        lexer = shlex.shlex(line, posix=True, punctuation_chars=";|&<>()")
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:  # a quotation that goes on
        return
    one = []
    for word in words + [";"]:
        if set(word) <= set(";|&()"):
            if one:
                yield one
            one = []
        else:
            one.append(word)


class Checker:
    def __init__(self, repository, programs, targets):
        self.repository, self.programs, self.targets = repository, programs, targets
        presets = json.loads((repository / "CMakePresets.json").read_text(encoding="utf-8"))
        self.presets = {kind: {preset["name"] for preset in presets[kind + "Presets"]}
                        for kind in ("configure", "build", "test", "workflow")}
        self.help = {}
        self.checked = 0

    def help_of(self, program, words):
        """The help of the program's subcommand, and of the program."""
        command = next((word for word in words if re.fullmatch(r"[a-z][a-z-]*", word)), "")
        if (program, command) not in self.help:
            texts = [subprocess.run([self.programs[program], *given, "--help"], capture_output=True, text=True)
                     for given in ([command] if command else [], [])]
            known = re.search(rf"^Usage: \S+ {command}".rstrip() + r"\b", texts[0].stdout, re.M)
            self.help[program, command] = texts[0].stdout + texts[-1].stdout if known else None
        return command, self.help[program, command]

    def problems(self, words):
        while words and re.fullmatch(r"\w+=.*", words[0]) or words[:1] in (["nice"], ["time"], ["env"]):
            words = words[1:]
        if not words or not COMMAND.fullmatch(words[0]):
            return
        self.checked += 1
        name, rest = words[0].rsplit("/", 1)[-1], words[1:]
        options = [word.split("=")[0] for word in rest if word.startswith("--") and word != "--"]
        if name in self.programs:
            command, text = self.help_of(name, rest)
            if text is None:
                yield f"{name} has no command {command}"
                return
            for option in options:
                # An op-set's attributes are options too, which its kernels name.
                if option not in ("--help", "--version") and not re.search(rf"(?<![\w-]){option}\b", text):
                    yield f"{name} {command} has no option {option}"
        elif words[0].startswith("build/bin/"):
            if not self.targets.fullmatch(name):
                yield f"no target builds {words[0]}"
        elif name in ("cmake", "ctest"):
            kind = ("test" if name == "ctest" else "workflow" if "--workflow" in rest else
                    "build" if "--build" in rest else "configure")
            for at, word in enumerate(rest[:-1]):
                if word == "--preset" and rest[at + 1].islower() and rest[at + 1] not in self.presets[kind]:
                    yield f"no {kind} preset {rest[at + 1]}"
                if word == "--target" and kind == "build":
                    for target in rest[at + 1:]:
                        if target.startswith("-"):
                            break
                        if target.islower() and not self.targets.fullmatch(target):
                            yield f"no target {target}"
        elif rest and rest[0].endswith(".py") and "/" in rest[0] and not (self.repository / rest[0]).is_file():
            yield f"no file {rest[0]}"


def targets_of(repository):
    """A pattern of what may be a target: each word of CMake's files, with anything for the variables in it."""
    words = {"all", "install", "test"}
    for file in [*repository.glob("*/**/CMakeLists.txt"), *repository.glob(".cmake/*.cmake"),
                 repository / "CMakeLists.txt"]:
        if file.relative_to(repository).parts[0] != "build":
            code = re.sub(r"#.*", "", file.read_text(encoding="utf-8"))
            words |= set(re.findall(r"[\w${}-]{3,}", code))
    known = [re.split(r"\$\{\w+\}", word) for word in words if not word.startswith("-")]
    return re.compile("|".join(r"\w+".join(map(re.escape, one)) for one in known if len("".join(one)) >= 3))


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    repository = pathlib.Path(sys.argv[1])
    checker = Checker(repository, {"castforge": sys.argv[2], "castforge-gen": sys.argv[3]}, targets_of(repository))
    wrong = 0
    for page in pages(repository):
        for line in commands(page.read_text(encoding="utf-8")):
            for words in parts(line):
                for problem in checker.problems(words):
                    wrong += 1
                    print(f"{page.relative_to(repository)}: {problem}: {' '.join(words)}")
    print(f"{checker.checked} commands checked, {wrong} wrong")
    sys.exit(1 if wrong != 0 or checker.checked < 100 else 0)


main()
