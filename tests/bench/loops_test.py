#!/usr/bin/env python3
"""Does loops.py find the loops, and count their elements?

    loops_test.py ISA OBJECTS.TXT OBJDUMP [COUNTS.TSV]

With COUNTS.TSV, what loops.py counted in objects of the same compiler: has no loop become longer?
"""
import contextlib
import io
import pathlib
import re
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True

import loops  # noqa: E402  (after the line above: the source folder stays as it is)


def code(*lines):
    return [loops.Instruction(4 * i, *line) for i, line in enumerate(lines)]


class Loops(unittest.TestCase):
    isa = objects = objdump = recorded = None

    def test_the_shortest_loop_around_a_prefetch_counts(self):
        body = [("prefetcht0", "(%rax)"), ("add", "$1,%rax"), ("jne", "4")]
        found = loops.loop_of(loops.X86, code(("nop", ""), *body, ("jne", "0"), ("ret", "")))
        self.assertEqual([one.mnemonic for one in found], ["prefetcht0", "add", "jne"])
        body = [("prfm", "pldl1keep, [x0]"), ("cbnz", "x1, 4")]
        found = loops.loop_of(loops.AARCH64, code(("nop", ""), *body, ("ret", "")))
        self.assertEqual([one.mnemonic for one in found], ["prfm", "cbnz"])
        self.assertEqual(loops.loop_of(loops.X86, code(("add", "$1,%rax"), ("jne", "0"))), [])

    def test_blocks_of_an_unrolled_loop(self):
        body = code(("prefetcht0", "(%rdi,%rcx,1)"), ("prefetcht0", "(%rdi,%rax,1)"), ("jne", "0"))
        self.assertEqual(loops.blocks(loops.X86, body, 128), 1)
        self.assertEqual(loops.blocks(loops.X86, body, 16), 2)  # less than a line is prefetched, too
        with self.assertRaises(ValueError):
            loops.blocks(loops.X86, body, 192)

    def test_elements_of_a_block(self):
        self.assertEqual(loops.elements(32, 8, "avx2"), 32)  # a vector of the narrower
        self.assertEqual(loops.elements(32, 32, "avx2"), 16)  # two vectors
        self.assertEqual(loops.elements(4, 2, "avx2"), 128)  # two vectors of source, one of results
        self.assertEqual(loops.elements(4, 4, "avx2"), 128)  # two of each
        self.assertEqual(loops.elements(1, 4, "avx2"), 256)  # a vector of source, four of results
        self.assertEqual(loops.elements(6, 16, "avx512vbmi"), 64)  # elements of 6 bits take a byte in a vector
        self.assertEqual(loops.elements(16, 2, "avx2"), 64)  # twice a vector of bytes: pairs are packed
        self.assertEqual(loops.elements(16, 2, "avx512"), 64)  # one vector of bytes

    def test_instruction_sets_that_pack_pairs(self):
        headers = pathlib.Path(__file__).resolve().parents[2] / "runtime/simd"
        forms = {isa: (headers / f"{isa}.hpp").read_text(encoding="utf-8") for isa in loops.ISAS}
        found = {isa for isa, text in forms.items()
                 if re.search(r"\bprefers_shuffles\(\w+\) \{ return true; \}", text)}
        self.assertEqual(found, loops.PREFERS_SHUFFLES)

    def counted(self):
        with open(self.objects, encoding="utf-8") as lines:
            objects = [line.strip() for line in lines if re.search(r"units_\d+\.cpp\.o$", line.strip())]
        self.assertTrue(objects)
        out = io.StringIO()
        with mock.patch.object(sys, "argv", ["loops.py", self.isa, *objects, "--objdump", self.objdump]), \
                contextlib.redirect_stdout(out):
            loops.main()
        return dict(line.split("\t") for line in out.getvalue().splitlines())

    def test_the_kernels_of_an_instruction_set(self):
        rows = self.counted()
        self.assertEqual(rows["kernel"], "instructions")
        to_nearest = [float(count) for kernel, count in rows.items() if kernel.startswith("float32_to_float16__rne")]
        self.assertTrue(to_nearest)
        for count in to_nearest:
            self.assertTrue(2 / 32 < count < 20, count)  # a load and a store of the widest vectors at least
        counts = [float(count) for count in list(rows.values())[1:]]
        self.assertEqual(counts, sorted(counts, reverse=True))

    def test_no_loop_has_become_longer(self):
        if self.recorded is None:
            self.skipTest("the counts that are kept are of another compiler")
        rows = self.counted()
        with open(self.recorded, encoding="utf-8") as lines:
            before = dict(line.split("\t")[:2] for line in lines)
        both = [kernel for kernel in rows if kernel in before and kernel != "kernel"]
        self.assertTrue(both)
        longer = [f"{kernel}: {rows[kernel]} instructions for an element, {before[kernel]} before"
                  for kernel in both if float(rows[kernel]) > 1.03 * float(before[kernel]) + 0.001]
        self.assertEqual(longer, [], "where that is meant, record the counts anew: loops.py --tsv, README.md")
        self.assertLessEqual(sum(float(rows[kernel]) for kernel in both),
                             1.001 * sum(float(before[kernel]) for kernel in both), "all loops together")


if __name__ == "__main__":
    Loops.isa, Loops.objects, Loops.objdump = sys.argv[1:4]
    Loops.recorded = sys.argv[4] if len(sys.argv) > 4 else None
    unittest.main(argv=sys.argv[:1])
