"""The version of the package, for the build: that of castforge, which CMake knows."""

import pathlib
import re


def dynamic_metadata(settings, project):
    # In the tree, and in the source archive.
    files = [pathlib.Path("../../.cmake/Version.cmake"), pathlib.Path("castforge/.cmake/Version.cmake")]
    for file in files:
        if file.is_file():
            return {"version": re.search(r"CASTFORGE_VERSION ([0-9.]+)", file.read_text("utf-8"))[1]}
    raise RuntimeError(f"expected castforge's version in one of {[str(file) for file in files]}, found none")
