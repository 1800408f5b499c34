"""What keeps a function's loop over blocks from being one run of vector code, read from a disassembly of x86.

The loop over blocks is where the source is prefetched (runtime/loops/blocks.hpp). What moves the tail is outside it.
"""
import re
import subprocess
from typing import NamedTuple

FILE = re.compile(r"(.*):\s+file format \S+$")
FUNCTION = re.compile(r"[0-9a-f]+ <(.*)>:$")
INSTRUCTION = re.compile(r" *([0-9a-f]+):\s+(?:(?:bnd|notrack|data16|cs) )*([a-z]\w*)\s*([^#<]*)(?:#[^<]*)?(?:<(.*)>)?")
COMMA = re.compile(r",\s*(?![^(]*\))")

VECTOR = re.compile(r"%([xyz]mm|k[0-7])")
GENERAL_REGISTER = re.compile(r"%(?![xyz]mm|k[0-7])\w+$")
# Single elements into and out of vectors; strings that the processor moves.
MOVES_ELEMENT = re.compile(r"v?p(extr|insr)[bwdq]$|v?(extract|insert)ps$|rep")
MOVES_TO_GENERAL_REGISTER = re.compile(r"v?mov[dq]$")
TOUCHES_NO_MEMORY = re.compile(r"prefetch|lea|nop|j|call")


class Instruction(NamedTuple):
    address: int
    mnemonic: str
    operands: tuple  # the destination last
    symbol: str  # what a jump or call goes to, or whose address is taken

    def __str__(self):
        return f"{self.address:x}: {self.mnemonic} {','.join(self.operands)}".rstrip()

    def jumps(self):
        return self.mnemonic.startswith("j")

    def ends_function(self):
        return self.mnemonic.startswith(("ret", "ud2"))

    def calls(self):
        return self.mnemonic.startswith("call")

    def target(self):
        """Address of a direct jump, else None."""
        match = re.match(r"(?:0x)?([0-9a-f]+)$", self.operands[0])
        return int(match[1], 16) if match else None

    def moves_element(self):
        if MOVES_ELEMENT.match(self.mnemonic):
            return True
        if any(VECTOR.search(operand) for operand in self.operands):
            return bool(MOVES_TO_GENERAL_REGISTER.match(self.mnemonic) and GENERAL_REGISTER.match(self.operands[-1]))
        if TOUCHES_NO_MEMORY.match(self.mnemonic) or not any("(" in operand for operand in self.operands):
            return False
        # Masks of lanes are stored from general registers.
        return not (self.mnemonic.startswith("mov") and "(" in self.operands[-1])


class Function(NamedTuple):
    file: str
    name: str
    code: list  # of Instruction


def disassemble(objdump, objects):
    """The functions of object files; `objdump` is that of GNU or LLVM."""
    command = [objdump, "-d", "--no-show-raw-insn", "-C", *objects]
    text = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    functions, file = [], ""
    for line in text.splitlines():
        if match := INSTRUCTION.match(line):
            operands = tuple(COMMA.split(match[3].strip())) if match[3].strip() else ()
            functions[-1].code.append(Instruction(int(match[1], 16), match[2], operands, match[4] or ""))
        elif match := FUNCTION.match(line):
            functions.append(Function(file, match[1], []))
        elif match := FILE.match(line):
            file = match[1]
    return functions


def flow(code):
    """The basic blocks: start -> code, and start -> starts of those that may follow."""
    at = {instruction.address: i for i, instruction in enumerate(code)}
    starts = {0, len(code)}
    for i, instruction in enumerate(code):
        if instruction.jumps():
            starts |= {i + 1, at.get(instruction.target(), 0)}
        elif instruction.ends_function():
            starts.add(i + 1)
    starts = sorted(starts)
    bodies = {start: code[start:end] for start, end in zip(starts, starts[1:])}
    following = {}
    for start, end in zip(starts, starts[1:]):
        last = code[end - 1]
        following[start] = set()
        if last.jumps() and last.target() in at:
            following[start].add(at[last.target()])
        if end in bodies and not last.ends_function() and not last.mnemonic.startswith("jmp"):
            following[start].add(end)
    return bodies, following


def straight_from(start, following):
    """The blocks from `start` to the first one that branches."""
    path = [start]
    while len(following[path[-1]]) == 1:
        (successor,) = following[path[-1]]
        if successor in path:
            break
        path.append(successor)
    return path


def straight_loop(start, following):
    """The blocks of a loop through `start` that has no branch but its end; [] where there is none."""
    path = straight_from(start, following)
    for successor in following[path[-1]]:
        way_back = straight_from(successor, following)
        if start in way_back:
            return path + [block for block in way_back[:way_back.index(start)] if block not in path]
    return []


def natural_loops(following):
    """header -> blocks of the loops that are entered at one block only."""
    preceding = {block: {p for p in following if block in following[p]} for block in following}
    reached, waiting = {0}, [0]
    while waiting:
        new = following[waiting.pop()] - reached
        reached |= new
        waiting += new
    dominators = {block: set(reached) for block in reached} | {0: {0}}
    changed = True
    while changed:
        changed = False
        for block in sorted(reached - {0}):
            found = {block}.union(set.intersection(*(dominators[p] for p in preceding[block] & reached)))
            changed |= found != dominators[block]
            dominators[block] = found
    loops = {}
    for block in reached:
        for header in following[block] & dominators[block]:
            loop, waiting = loops.setdefault(header, {header}), [block]
            while waiting:
                if (member := waiting.pop()) not in loop:
                    loop.add(member)
                    waiting += preceding[member] & reached
    return loops


def prefetches(code):
    return any(instruction.mnemonic.startswith("prefetch") for instruction in code)


def faults(function, registers):
    """What breaks the rule, one line each. `registers`: what those of whole vectors are called, ymm or zmm."""
    bodies, following = flow(function.code)
    prefetching = {start for start, body in bodies.items() if prefetches(body)}
    # What a compiler puts before an unrolled loop or makes of the tail prefetches too, and is no loop.
    loops = [loop for start in sorted(prefetching) if (loop := straight_loop(start, following))]
    if not loops:
        ends = {bodies[straight_from(start, following)[-1]][-1] for start in prefetching}
        return [f"branch in the loop: {end}" for end in sorted(ends)] or ["no loop that prefetches its source"]
    found = []
    for loop in loops:
        body = [instruction for block in loop for instruction in bodies[block]]
        found += [f"call in the loop: {i}" for i in body if i.calls()]
        found += [f"single element in the loop: {i}" for i in body if i.moves_element()]
        if not any(f"%{registers}" in operand for i in body for operand in i.operands):
            found.append(f"no whole vector ({registers}) in the loop: {body[0]}")
    for header, loop in natural_loops(following).items():
        if not loop & prefetching:
            found.append(f"loop besides the one over blocks: {bodies[header][0]}")
    return found
