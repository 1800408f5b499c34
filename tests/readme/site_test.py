#!/usr/bin/env python3
"""Does .docs/check_site.py find a link whose file or anchor is missing, and nothing else, wherever the site lies?

    site_test.py REPOSITORY
"""
import pathlib
import subprocess
import sys
import tempfile

GOOD = ("other.html", "other.html#there", "#here", "other.html#a%20b", "https://example.org/none#none")
ENOUGH = 100  # a site with fewer links than the program expects is no whole one
BROKEN = ("none.html", "other.html#none", "#none")


def check(program, folder, links):
    """The broken links that the program names in `folder`/site, whichever of its paths it is given."""
    site = folder / "site"
    site.mkdir(exist_ok=True)
    text = "".join(f'<a href="{link}">x</a>\n' for link in links)
    (site / "index.html").write_text(f'<p id="here">{text}</p>', encoding="utf-8")
    (site / "other.html").write_text('<p id="there"><a name="a b"></a></p>', encoding="utf-8")
    (folder / "warnings").write_text("a warning of something else\n", encoding="utf-8")
    found = []
    for path in (site, "site", "site/../site"):
        run = subprocess.run([sys.executable, "-B", program, path, "warnings"], cwd=folder, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, encoding="utf-8", check=False)
        found.append((run.returncode, [line.split(": ")[-1] for line in run.stderr.splitlines()]))
    return found


def main():
    program = pathlib.Path(sys.argv[1]).resolve() / ".docs/check_site.py"
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        for links, expected in [((), (0, []))] + [((link,), (1, [link])) for link in BROKEN]:
            for found in check(program, pathlib.Path(name), GOOD * ENOUGH + links):
                if found != expected:
                    print(f"site_test: {links}: expected {expected}, found {found}", file=sys.stderr)
                    wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
