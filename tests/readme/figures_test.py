#!/usr/bin/env python3
"""Are the figures of verification in README.md and .docs/systems.md, and of kernels that run as on a lesser set or as
another one, those of the committed tables?

    figures_test.py REPOSITORY            say which are not
    figures_test.py REPOSITORY --write    write them
"""
import csv
import pathlib
import re
import sys

BOTH = ("README.md", ".docs/systems.md")
# What is counted, how the pages say it, which pages do.
PLACES = {
    "kernels": (r"plans of (\d+) kernels|(\d+), on five instruction sets", BOTH),
    "plans": (r"all (\d+) plans", BOTH),
    "exhaustive": (r"(\d+) were compared at every code|(\d+) at every code", BOTH),
    "smt": (r"(\d+), all of 32-bit and 64-bit sources|(\d+) by z3", BOTH),
    "both": (r"(\d+) plans are both|(\d+) of them both", BOTH),
    "swept": (r"[Aa]ll (\d+) kernels with 32-bit sources|(\d+) with 32-bit sources at all", BOTH),
    "sum, exhaustive": (r"so (\d+) \+", BOTH[1:]),
    "sum, smt": (r"so \d+ \+ (\d+) -", BOTH[1:]),
    "sum, both": (r"so \d+ \+ \d+ - (\d+)", BOTH[1:]),
    "sum": (r"so \d+ \+ \d+ - \d+ = (\d+)", BOTH[1:]),
    "up to 16 bits": (r"\| up to 16 \| (\d+)", BOTH[1:]),
    "up to 16 bits, exhaustive": (r"\| up to 16 \| \d+ \| (\d+)", BOTH[1:]),
    "32 bits": (r"\| 32 \| (\d+)", BOTH[1:]),
    "32 bits, exhaustive": (r"\| 32 \| \d+ \| (\d+)", BOTH[1:]),
    "32 bits, smt": (r"\| 32 \| \d+ \| [^|]+ \| (\d+)", BOTH[1:]),
    "32 bits, both": (r"\| 32 \| \d+ \| [^|]+ \| \d+ \| (\d+)", BOTH[1:]),
    "64 bits": (r"\| 64 \| (\d+)", BOTH[1:]),
    "64 bits, smt": (r"\| 64 \| \d+ \| \| (\d+)", BOTH[1:]),
    "intel": (r"so that (\d+) kernels are faster by|by measurement, (\d+) of",
              (".docs/performance.md", ".github/CHANGELOG.md")),
    "shared functions": (r"(\d+) of \d+ kernels run the compiled function", (".github/CHANGELOG.md",)),
    "runtime mutants": (r"(\d+) mutants of the runtime|mutants of plans, (\d+) of the runtime", BOTH),
    "runtime survivors": (r"mutants of the runtime (\d+) change no result", BOTH[1:]),
    "operations": (r"(\d+) operations with one 32-bit operand", BOTH),
    "codes of operations": (r"(\d+) codes in all", BOTH[1:]),
    "operations, whole": (r"2\^32 codes for (\d+) of them", BOTH[1:]),
    "operations, less": (r"fewer for the other (\d+)", BOTH[1:]),
    "fuzz targets": (r"sanitizers: (\d+) targets|(\d+) fuzz targets", BOTH),
    "fuzz minutes": (r"(\d+) minutes of processor time", BOTH),
    "fuzz inputs": (r"(\d+) million inputs", BOTH),
}


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def by_bits(kernels):
    """Of how many plans of sources of each width what is said."""
    figures = {}
    for row in kernels:
        bits = int(re.search(r" in (\d+)", row["meaning_text"]).group(1))  # of the source's storage
        width = "up to 16 bits" if bits <= 16 else f"{bits} bits"
        for mark in row["verified"].split(","):
            for what in ("", ", exhaustive", ", smt"):
                if what[2:] in mark:
                    figures[width + what] = figures.get(width + what, 0) + 1
            if "+" in mark:
                figures[f"{width}, both"] = figures.get(f"{width}, both", 0) + 1
    return figures


def runtime_mutants(repository):
    """How many are tried, by the table of what is changed."""
    folder = str(repository / "tests/mutation/runtime")
    sys.path.insert(0, folder)
    import targets
    return sum(count for _, count, _ in targets.TARGETS)


def counted(repository):
    kernels = rows(repository / "generated/MANIFEST.tsv")
    marks = [mark for row in kernels for mark in row["verified"].split(",")]
    swept = {row["kernel"] for row in rows(repository / "tests/evidence/exhaustive.tsv")}
    table = (repository / "generated/tables/kernels.cpp").read_text(encoding="utf-8")
    fuzzed = rows(repository / "tests/fuzz/hours.tsv")
    operations = [int(row["codes"]) for row in rows(repository / "tests/unit/operations/swept.tsv")]
    exhaustive, smt = sum("exhaustive" in mark for mark in marks), sum("smt" in mark for mark in marks)
    both = sum("+" in mark for mark in marks)
    return by_bits(kernels) | {
        "kernels": len(kernels), "plans": len(marks), "exhaustive": exhaustive, "smt": smt, "both": both,
        "sum, exhaustive": exhaustive, "sum, smt": smt, "sum, both": both, "sum": exhaustive + smt - both,
        "swept": len(swept), "shared functions": sum(row["function"] != row["kernel"] for row in kernels),
        "runtime mutants": runtime_mutants(repository),
        "runtime survivors": len(rows(repository / "tests/mutation/runtime/survivors.tsv")),
        "operations": len(operations), "codes of operations": sum(operations),
        "operations, whole": operations.count(1 << 32), "operations, less": len(operations) - operations.count(1 << 32),
        "intel": table.count("on::intel}"), "fuzz targets": len(fuzzed),
        "fuzz minutes": sum(int(row["seconds"]) for row in fuzzed) // 60,
        "fuzz inputs": sum(int(row["inputs"]) for row in fuzzed) // 1000000}


def place(text, pattern):
    """Where the figure stands: its group that took part, or None."""
    match = re.search(pattern.replace(" ", r"\s+"), text)
    return next((match.span(group + 1) for group, found in enumerate(match.groups()) if found), None) if match else None


def main(repository, write=False):
    wrong = []
    expected = counted(repository)
    for what, (pattern, files) in PLACES.items():
        for file in files:
            text = (repository / file).read_text(encoding="utf-8")
            span = place(text, pattern)
            if span and int(text[slice(*span)]) == expected[what]:
                continue
            if span and write:
                (repository / file).write_text(text[:span[0]] + str(expected[what]) + text[span[1]:], encoding="utf-8")
                continue
            found = text[slice(*span)] if span else "nothing"
            wrong.append(f"{file}: {what}: expected {expected[what]}, found {found}")
    if expected["sum"] != expected["plans"]:  # the pages say that of all plans
        wrong.append(f"{expected['sum']} of {expected['plans']} plans are verified at every code")
    return "\n".join(wrong)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:] == ["--write"]) or 0)
