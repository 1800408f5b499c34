"""Does a module need nothing that the systems of libraries.py lack?

    python check.py MODULE

A linker lets a shared object refer to names that no library has: they would be missed when it is loaded.
"""

import re
import subprocess
import sys

from libraries import MANYLINUX_2_28, number

OF_THE_INTERPRETER = re.compile(r"_?Py")  # who loads the module brings them
OF_A_LIBRARY = re.compile(r"@(?P<family>\w+)_(?P<digits>\d[\d.]*)")


def refused(symbol: str) -> bool:
    """Whether such a system may lack this name, as readelf writes it."""
    if OF_THE_INTERPRETER.match(symbol):
        return False
    version = OF_A_LIBRARY.search(symbol)
    if version is None:
        return True
    limit = MANYLINUX_2_28.get(version["family"])
    return limit is not None and number(version["digits"]) > number(limit)


def main(module: str) -> int:
    command = ["readelf", "--wide", "--dyn-syms", module]
    reader = subprocess.run(command, capture_output=True, text=True)
    rows = [line.split() for line in reader.stdout.splitlines()] if reader.returncode == 0 else []
    # Weak ones may be absent.
    needed = [row[7] for row in rows if len(row) >= 8 and row[6] == "UND" and row[4] == "GLOBAL"]
    if not needed:
        print(f"{module}: expected a module, found no name that it needs", file=sys.stderr)
        return 1
    missing = [symbol for symbol in needed if refused(symbol)]
    for symbol in missing:
        print(f"{module}: needs {symbol}, which systems of manylinux_2_28 may lack", file=sys.stderr)
    if missing:
        print("expected a definition in older_system/missing.cpp or an older version; -DPYCASTFORGE_OLDER_SYSTEMS=OFF "
              "builds for systems as new as this one", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
