"""format.py SOURCE_DIR CLANG_FORMAT: hand-written sources are as .clang-format says.

In a copy that is formatted: `clang-format --dry-run` also reports the comment at the end of `namespace a::inline b`,
which it leaves as it is, and one process for all files takes a tenth of the time of one for each.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

root, clang_format = pathlib.Path(sys.argv[1]), sys.argv[2]
folders = ("generator", "runtime", "tests")
sources = [file.relative_to(root) for folder in folders for ending in ("cpp", "hpp")
           for file in sorted((root / folder).rglob("*." + ending))]
styles = [root / ".clang-format", *(file for folder in folders for file in (root / folder).rglob(".clang-format"))]
failed = not sources
with tempfile.TemporaryDirectory() as folder:
    for file in sources + [style.relative_to(root) for style in styles]:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / file, folder / file)
    subprocess.run([clang_format, "-i", *sources], cwd=folder, check=True)
    for source in sources:
        if (folder / source).read_bytes() != (root / source).read_bytes():
            print(f"{source}: not as {clang_format} -i has it")
            failed = True
sys.exit(failed)
