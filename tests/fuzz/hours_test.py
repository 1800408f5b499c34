#!/usr/bin/env python3
"""hours.py with targets that only say that they ran: turns, the record, going on, a finding."""
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# Twenty milliseconds of processor time or more; one that is called bad fails.
TARGET = """import sys, time
while time.process_time() < 0.02: pass
assert "-max_total_time=7" in sys.argv and "-timeout=90" in sys.argv, sys.argv
if sys.argv[1] == "bad": sys.exit("found: an input")
print("stat::number_of_executed_units: 5")
"""


def build(folder, names):
    """What hours.py reads of a build folder."""
    (folder / "target.py").write_text(TARGET, encoding="utf-8")
    (folder / "CMakeCache.txt").write_text("CMAKE_CXX_COMPILER:STRING=c++\n", encoding="utf-8")
    tests = [f'add_test("fuzz.{name}" "{sys.executable}" "{folder}/target.py" "{name}" "-max_total_time=60" '
             '"-timeout=10")'
             for name in names]
    (folder / "CTestTestfile.cmake").write_text("\n".join(tests) + "\n", encoding="utf-8")


def hours(folder, until_seconds):
    return subprocess.run([sys.executable, HERE / "hours.py", folder, "--slice", "7", "--timeout", "90", "--jobs",
                           "2", "--record", folder / "record.tsv", "--until", str(until_seconds / 3600)],
                          capture_output=True, text=True)


def inputs(folder):
    lines = (folder / "record.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "target\tseconds\tinputs\ttool", lines[0]
    return {line.split("\t")[0]: int(line.split("\t")[2]) for line in lines[1:]}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        build(folder, ["first", "second"])
        done = hours(folder, 0.01)
        assert done.returncode == 0, done.stderr
        assert inputs(folder) == {"first": 5, "second": 5}, inputs(folder)

        # The record has whole seconds: these had less than half of one. It goes on where one has not enough.
        text = (folder / "record.tsv").read_text(encoding="utf-8").replace("first\t0\t5", "first\t3600\t5")
        (folder / "record.tsv").write_text(text, encoding="utf-8")
        done = hours(folder, 0.01)
        assert done.returncode == 0, done.stderr
        assert inputs(folder) == {"first": 5, "second": 10}, inputs(folder)

        build(folder, ["bad", "first"])
        (folder / "record.tsv").unlink()
        done = hours(folder, 0.01)
        assert done.returncode == 1 and "bad found something" in done.stderr, done
        assert "found: an input" in done.stderr, done.stderr
        assert inputs(folder) == {"bad": 0, "first": 5}, inputs(folder)

        (folder / "CTestTestfile.cmake").write_text("", encoding="utf-8")
        done = hours(folder, 1)
        assert done.returncode != 0 and "expected the build folder of the preset fuzz" in done.stderr, done


if __name__ == "__main__":
    main()
