"""uses.py SOURCE_DIR: do the tables of folders in generator/README.md and runtime/cli/README.md say what each includes?

That is folders beside it by their names and others by their paths, where the library's public headers are
runtime/include. Folders beside each other do not include each other in a circle."""
import pathlib
import re
import sys

ROW = re.compile(r"\| \[?`(\w+)/`.*\|([^|]*)\|$")
INCLUDE = re.compile(r'#include (?:"(.*)/[^/]*"|<castforge/)')


def stated(page):
    """By folder: the line of its row, and what that names."""
    rows = {}
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if row := ROW.match(line):
            rows[row[1]] = number, set(re.findall(r"[\w/]+", row[2]))
    return rows


def named(source, base, other):
    """What the table in `base` calls the folder that an include names."""
    for root in (base, "runtime", "generator"):
        if (source / root / other).is_dir():
            path = f"{root}/{other}"
            return path[len(base) + 1:] if path.startswith(base + "/") else path
    return other


def included(source, base, folder):
    """By what the folder includes: the first file and line that does."""
    found = {}
    for path in sorted((source / base / folder).iterdir()):
        if path.suffix not in (".cpp", ".hpp"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if include := INCLUDE.match(line):
                other = named(source, base, include[1] or "include")
                found.setdefault(other, f"{base}/{folder}/{path.name}:{number}")
    found.pop(folder, None)
    return found


def in_a_circle(includes):
    """Without those that include none of the others, or that none of them includes."""
    left = {folder: set(others) for folder, others in includes.items()}
    while ends := {folder for folder, others in left.items()
                   if not others & left.keys() or not any(folder in by for by in left.values())}:
        for folder in ends:
            del left[folder]
    return sorted(left)


def problems_of(source, base):
    page = f"{base}/README.md"
    rows = stated(source / page)
    folders = sorted(path.name for path in (source / base).iterdir() if path.is_dir())
    if folders != sorted(rows):
        return [f"the table of {page} has {', '.join(sorted(rows))}; folders are {', '.join(folders)}"]
    includes = {folder: included(source, base, folder) for folder in folders}
    problems = []
    for folder, (number, uses) in rows.items():
        for other in sorted(includes[folder].keys() - uses):
            problems.append(f"{includes[folder][other]}: includes {other}, which the table's row of {folder} lacks")
        for other in sorted(uses - includes[folder].keys()):
            problems.append(f"{page}:{number}: {folder} includes nothing of {other}")
    circle = in_a_circle(includes)
    for folder in circle:
        for other in circle:
            if other in includes[folder]:
                problems.append(f"{includes[folder][other]}: {folder} includes {other}, and they form a circle")
    return problems


if problems := [one for base in ("generator", "runtime/cli") for one in problems_of(pathlib.Path(sys.argv[1]), base)]:
    sys.exit("\n".join(problems))
