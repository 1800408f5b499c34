#!/usr/bin/env python3
"""Does `castforge bench` write valid entries, and does heatmap.py draw them? Says nothing about speed.

    smoke_test.py path/to/castforge
"""
import json
import math
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.dont_write_bytecode = True

import bench_json  # noqa: E402  (after the line above: the source folder stays as it is)

HERE = os.path.dirname(os.path.abspath(__file__))


def require(condition, message):
    if not condition:
        sys.exit(f"smoke_test.py: {message}")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    require(done.returncode == 0, f"{command} exited with {done.returncode}: {done.stderr}")
    return done.stdout


def check_entries(path, pairs, isas, size):
    context, measurements = bench_json.read(path)
    for key in ("date", "num_cpus", "caches", "cpu_name", "castforge_version"):
        require(key in context, f"no {key} in the context")
    expected = {f"cast/{pair}/onnx@28/{isa}/{size}" for pair in pairs for isa in isas}
    require({m.name for m in measurements} == expected, f"names are {[m.name for m in measurements]}, not {expected}")
    for m in measurements:
        for value in (m.items_per_second, m.bytes_per_second, m.memcpy_ratio, m.copy_loop_ratio):
            require(math.isfinite(value) and value > 0, f"{m.name}: {value} is no rate")
    return measurements


def main():
    castforge = sys.argv[1]
    usable = [isa for isa in json.loads(run(castforge, "info", "--json"))["isas"] if isa["usable"]]
    isas = [isa["name"] for isa in usable]
    with tempfile.TemporaryDirectory() as folder:
        json_path, svg_path = os.path.join(folder, "out.json"), os.path.join(folder, "out.svg")
        run(castforge, "bench", "--pair", "float32:float8e4m3fn", "--size", "16384", "--json", json_path)
        (one,) = check_entries(json_path, ["float32:float8e4m3fn"], [isa["name"] for isa in usable if isa["active"]],
                               16384)
        # Both rates tell the same time: 16384 elements of four bytes to one.
        require(abs(one.bytes_per_second / one.items_per_second / 5 - 1) < 1e-6, "bytes and elements disagree")

        pairs = ["float32:float8e4m3fn", "int4:float16", "bool:int64"]
        run(castforge, "bench", *[word for pair in pairs for word in ("--pair", pair)], "--size", "1Ki", "--isa", "all",
            "--json", json_path)
        check_entries(json_path, pairs, isas, 1024)
        run(sys.executable, "-B", os.path.join(HERE, "heatmap.py"), json_path, svg_path)
        root = ElementTree.parse(svg_path).getroot()
        require(root.tag.endswith("svg"), f"the root is {root.tag}")
        titles = [element.text for element in root.iter() if element.tag.endswith("title")]
        require(len(titles) == len(pairs) * len(isas), f"{len(titles)} fields, not one per pair and instruction set")
        # The slowest kind of data of each pair, over normal numbers.
        run(castforge, "bench", "--pair", pairs[0], "--size", "1Ki", "--isa", "all", "--data", "normal,zero,subnormal",
            "--json", json_path)
        _, measurements = bench_json.read(json_path)
        kinds = {m.data for m in measurements}
        require(kinds == {"normal", "zero", "subnormal"}, f"measured were {kinds}")
        run(sys.executable, "-B", os.path.join(HERE, "heatmap.py"), json_path, svg_path, "--ratio", "normal_ratio")
        titles = [element.text for element in ElementTree.parse(svg_path).getroot().iter()
                  if element.tag.endswith("title")]
        require(len(titles) == len(isas), f"{len(titles)} fields, not one per instruction set")
        for isa, title in zip(isas, titles):
            least = min(m.normal_ratio for m in measurements if m.isa == isa)
            require(f": {least:.3f} of the same with normal numbers" in title, f"{title}: not the least, {least}")
    wrong = subprocess.run([castforge, "bench", "--pair", "float32"], capture_output=True, text=True, check=False)
    require(wrong.returncode == 2 and "SRC:DST" in wrong.stderr, f"a bad pair gives {wrong.returncode}: {wrong.stderr}")


if __name__ == "__main__":
    main()
