#!/usr/bin/env python3
"""Draws benchmark JSON as SVG: one matrix of source by destination per instruction set and size.

The colour of a field is the rate over memcpy's (red: a tenth or less, white: a third, green: as fast or faster), on a
logarithmic scale; the number in it is the same ratio in percent. Fields of pairs without measurement are grey. What
several threads did (`bench --threads`) is left out, and of several kinds of data (`bench --data`) all but the first.

`--ratio normal_ratio` draws instead what speed depends on: the least rate with any of the kinds of data over that with
normal numbers (`bench --data normal,...`).

    heatmap.py out.json matrix.svg [--ratio copy_loop_ratio] [--isa avx512vbmi,avx2] [--size 262144]
"""
import argparse
import math
import sys
from html import escape

import bench_json

ORDER = ("bool uint1 int2 uint2 int4 uint4 int8 uint8 int16 uint16 int32 uint32 int64 uint64 "
         "float4e2m1 float6e2m3 float6e3m2 float8e8m0 float8e4m3fn float8e4m3fnuz float8e5m2 float8e5m2fnuz "
         "float16 bfloat16 float32 float64").split()
RATIOS = {"memcpy_ratio": "memcpy", "copy_loop_ratio": "a plain vector copy loop",
          "normal_ratio": "the same with normal numbers"}
CELL, LEFT, TOP, GAP = 26, 110, 132, 36
RED, WHITE, GREEN = (178, 24, 43), (247, 247, 247), (27, 120, 55)


def colour(ratio):
    """From red at 0.1 over white at about a third to green at 1."""
    place = min(max(math.log10(max(ratio, 1e-9)) + 1, 0.0), 1.0) * 2 - 1
    end = GREEN if place > 0 else RED
    mixed = [round(w + (e - w) * abs(place)) for w, e in zip(WHITE, end)]
    return "#%02x%02x%02x" % tuple(mixed)


def size_text(size):
    for unit, factor in (("Mi", 1 << 20), ("Ki", 1 << 10)):
        if size >= factor and size % factor == 0:
            return f"{size // factor} {unit}"
    return str(size)


def ordered(names):
    known = {name: place for place, name in enumerate(ORDER)}
    return sorted(names, key=lambda name: (known.get(name, len(ORDER)), name))


def matrix(x, y, title, sources, destinations, fields, measurements, versus):
    """SVG lines of one matrix whose upper left corner is at (x, y)."""
    out = [f'<g transform="translate({x},{y})">', f'<text class="title" x="0" y="14">{escape(title)}</text>',
           f'<text class="axis" x="{LEFT}" y="30">source down, destination across</text>']
    for column, dst in enumerate(destinations):
        at = LEFT + column * CELL + CELL * 0.65
        out.append(f'<text class="name" transform="translate({at},{TOP - 6}) rotate(-90)">{escape(dst)}</text>')
    for row, src in enumerate(sources):
        top = TOP + row * CELL
        out.append(f'<text class="name" text-anchor="end" x="{LEFT - 6}" y="{top + CELL * 0.65}">{escape(src)}</text>')
        for column, dst in enumerate(destinations):
            left = LEFT + column * CELL
            ratio = fields.get((src, dst))
            if ratio is None:
                out.append(f'<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="#cccccc"/>')
                continue
            m = measurements[src, dst]
            tip = f"{src} to {dst}: {ratio:.3f} of {versus}, {m.items_per_second / 1e9:.2f} G elements/s, {m.data}"
            dark = ratio < 0.16 or ratio > 0.75
            out.append(f'<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}" fill="{colour(ratio)}">'
                       f'<title>{escape(tip)}</title></rect>'
                       f'<text class="{"light" if dark else "dark"}" x="{left + CELL / 2}" y="{top + CELL * 0.62}">'
                       f'{round(100 * ratio)}</text>')
    out.append("</g>")
    return out


def one_per_pair(measurements, ratio_name):
    """Of each pair the slowest kind of data where kinds are compared, else the first."""
    chosen = {}
    for m in measurements:
        pair = m.src, m.dst
        if pair not in chosen or (ratio_name == "normal_ratio" and m.normal_ratio < chosen[pair].normal_ratio):
            chosen[pair] = m
    return chosen


def draw(context, measurements, ratio_name):
    sizes = sorted({m.size for m in measurements})
    isas = list(dict.fromkeys(m.isa for m in measurements))
    sources = ordered({m.src for m in measurements})
    destinations = ordered({m.dst for m in measurements})
    width = LEFT + len(destinations) * CELL + GAP
    height = TOP + len(sources) * CELL + GAP
    versus = RATIOS[ratio_name]
    body = []
    for row, isa in enumerate(isas):
        for column, size in enumerate(sizes):
            chosen = one_per_pair([m for m in measurements if m.isa == isa and m.size == size], ratio_name)
            if not chosen:
                continue
            fields = {pair: getattr(m, ratio_name) for pair, m in chosen.items()}
            mean = math.exp(sum(math.log(max(r, 1e-9)) for r in fields.values()) / len(fields))
            title = f"{isa}, {size_text(size)} elements: geometric mean {mean:.2f}, least {min(fields.values()):.3f}"
            body += matrix(GAP + column * width, 60 + row * height, title, sources, destinations, fields, chosen,
                           versus)
    total_width, total_height = GAP + len(sizes) * width, 60 + len(isas) * height
    opsets = ", ".join(sorted({m.opset for m in measurements}))
    head = (f"castforge {context.get('castforge_version', '')}: rate over that of {versus}, in percent; {opsets}; "
            f"{context.get('cpu_name', 'unknown processor')}; {context.get('date', '')}")
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total_width}" height="{total_height}" '
        f'viewBox="0 0 {total_width} {total_height}">',
        "<style>text{font-family:sans-serif;font-size:11px;fill:#222}.title{font-size:14px;font-weight:bold}"
        ".axis{fill:#666}.dark,.light{font-size:10px;text-anchor:middle}.light{fill:#fff}</style>",
        f'<rect width="{total_width}" height="{total_height}" fill="#fff"/>',
        f'<text class="title" x="{GAP}" y="30">{escape(head)}</text>', *body, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", help="what `castforge bench --json` wrote")
    parser.add_argument("svg", help="file to write")
    parser.add_argument("--ratio", choices=tuple(RATIOS), default="memcpy_ratio")
    parser.add_argument("--isa", help="draw these instruction sets only, separated by commas")
    parser.add_argument("--size", type=int, help="draw this number of elements only")
    options = parser.parse_args()
    try:
        context, measurements = bench_json.read(options.json)
        isas = options.isa.split(",") if options.isa else None
        measurements = [m for m in measurements
                        if (isas is None or m.isa in isas) and options.size in (None, m.size) and m.threads == 1]
        if options.ratio == "normal_ratio":
            measurements = [m for m in measurements if m.normal_ratio is not None]
        if not measurements:
            raise bench_json.BadFile(
                f"{options.json}: no measurements, or none of the instruction sets, size and ratio asked for")
        with open(options.svg, "w", encoding="utf-8") as file:
            file.write(draw(context, measurements, options.ratio))
    except (OSError, bench_json.BadFile) as error:
        sys.exit(f"heatmap.py: {error}")


if __name__ == "__main__":
    main()
