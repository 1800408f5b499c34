"""check_site.py FOLDER WARNINGS: every local link of the HTML pages in FOLDER leads to a file and an anchor that exist,
and among Doxygen's WARNINGS is no reference that it could not resolve."""

import pathlib
import re
import sys
import urllib.parse


def main() -> int:
    root = pathlib.Path(sys.argv[1]).resolve()  # as targets are
    pages = {page: page.read_text(encoding="utf-8", errors="replace") for page in root.rglob("*.html")}
    if not (root / "index.html").exists():
        print(f"check_site: no index.html in {root}", file=sys.stderr)
        return 1
    anchors = {page: set(re.findall(r'\b(?:id|name)="([^"]+)"', text)) for page, text in pages.items()}
    broken = []
    links = 0
    for page, text in pages.items():
        if "source" in page.relative_to(root).parts:
            continue
        for link in re.findall(r'\b(?:href|src)="([^"]+)"', text):
            link = link.replace("&amp;", "&")
            if re.match(r"[a-z]+:", link):
                continue
            links += 1
            path, _, anchor = urllib.parse.unquote(link).partition("#")
            target = page if not path else (page.parent / path).resolve()
            if not target.exists() or (anchor and target in anchors and anchor not in anchors[target]):
                broken.append(f"{page.name}: {link}")
    warnings = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
    broken += [line for line in warnings if "unable to resolve" in line]
    for line in sorted(set(broken)):
        print(f"check_site: broken link in {line}", file=sys.stderr)
    print(f"check_site: {len(pages)} pages, {links} local links, {len(set(broken))} broken")
    return 1 if broken or links < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
