#!/usr/bin/env python3
"""Are the figures of verification in README.md and .docs/systems.md those of the committed tables?

    figures_test.py REPOSITORY
"""
import csv
import pathlib
import re
import sys

PLACES = {
    "plans": (r"all (\d+) plans", ("README.md", ".docs/systems.md")),
    "exhaustive": (r"(\d+) were compared at every code|(\d+) at every code", ("README.md", ".docs/systems.md")),
    "smt": (r"(\d+), all of 32-bit and 64-bit sources|(\d+) by z3", ("README.md", ".docs/systems.md")),
    "swept": (r"all (\d+) kernels with 32-bit sources", (".docs/systems.md",)),
    "fuzz targets": (r"sanitizers: (\d+) targets", (".docs/systems.md",)),
    "fuzz minutes": (r"(\d+) minutes of processor time", (".docs/systems.md",)),
    "fuzz inputs": (r"(\d+) million inputs", (".docs/systems.md",)),
}


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def counted(repository):
    marks = [mark for row in rows(repository / "generated/MANIFEST.tsv") for mark in row["verified"].split(",")]
    swept = {row["kernel"] for row in rows(repository / "tests/evidence/exhaustive.tsv")}
    fuzzed = rows(repository / "tests/fuzz/hours.tsv")
    return {"plans": len(marks), "exhaustive": sum("exhaustive" in mark for mark in marks),
            "smt": sum("smt" in mark for mark in marks), "swept": len(swept), "fuzz targets": len(fuzzed),
            "fuzz minutes": sum(int(row["seconds"]) for row in fuzzed) // 60,
            "fuzz inputs": sum(int(row["inputs"]) for row in fuzzed) // 1000000}


def main(repository):
    wrong = []
    expected = counted(repository)
    for what, (pattern, files) in PLACES.items():
        for file in files:
            text = re.sub(r"\s+", " ", (repository / file).read_text(encoding="utf-8"))
            match = re.search(pattern, text)
            found = next((int(group) for group in match.groups() if group), None) if match else None
            if found != expected[what]:
                wrong.append(f"{file}: {what}: expected {expected[what]}, found {found}")
    return "\n".join(wrong)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])) or 0)
