#!/usr/bin/env python3
"""Does loop_shape find each way of breaking the rule in the functions of loop_examples.cpp, and nothing else?

    check_loop_examples.py objdump object isa registers
"""
import re
import sys

sys.dont_write_bytecode = True

import loop_shape  # noqa: E402  (after the line above: the source folder stays as it is)

FOUND = {
    "vectors": "",
    "branch": "branch in the loop",
    "call": "call in the loop",
    "elements": "branch in the loop",
    "one_element": "single element in the loop",
    "elements_afterwards": "loop besides the one over blocks",
    "half_vectors": "no whole vector",
}

# Blocks and those that may follow: a loop entered in its middle, at 2; a loop of two blocks inside one of four.
ROTATED = {0: {2}, 1: {2}, 2: {1, 3}, 3: set()}
NESTED = {0: {1}, 1: {2}, 2: {3, 4}, 3: {2}, 4: {1, 5}, 5: set()}


def main(objdump, example_object, isa, registers):
    assert loop_shape.straight_loop(2, ROTATED) == [2, 1]
    assert loop_shape.straight_loop(1, NESTED) == []
    assert loop_shape.natural_loops(NESTED) == {1: {1, 2, 3, 4}, 2: {2, 3}}
    wrong, unseen = [], set(FOUND)
    for function in loop_shape.disassemble(objdump, [example_object]):
        match = re.match(rf"castforge::isa_{isa}::examples::(\w+)\([^)]*\)$", function.name)
        if not match:
            continue
        unseen.remove(match[1])
        faults = loop_shape.faults(function, registers)
        expected = FOUND[match[1]]
        if not all(expected and fault.startswith(expected) for fault in faults) or bool(faults) != bool(expected):
            wrong.append(f"{match[1]}: expected {expected or 'nothing'!r}, found {faults}")
    wrong += [f"{name}: not in {example_object}" for name in sorted(unseen)]
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
