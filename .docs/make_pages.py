"""Writes the pages of the site for Doxygen: every Markdown file of the project, with links that lead to pages or to
copies of files, and the pages that are made from the programs, the Python package and the JSON Schemas.

    make_pages.py --source PROJECT --out BUILD/docs --program castforge --program castforge-gen
"""

import argparse
import inspect
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HEADING = re.compile(r"^(#{1,5}) +(.*?) *$")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
CODE = re.compile(r"(`+)(.+?)\1")
AT = re.compile(r'"?[\w.*/-]*@[\w.*/-]*"?')  # what Doxygen would take for one of its commands, as code
LANGUAGES = {language: language for language in ("c", "cpp", "python", "py", "json", "cmake")}


def page_id(path: pathlib.PurePath) -> str:
    """specs/opsets/README.md -> specs_opsets"""
    parts = [part.lstrip(".") for part in path.with_suffix("").parts]
    if parts[-1] == "README" and len(parts) > 1:
        parts.pop()
    return re.sub(r"[^a-z0-9]+", "_", "_".join(parts).lower())


def fragment(heading: str) -> str:
    """What a heading is called in links: lower case, hyphens for spaces, no punctuation."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Pages:
    def __init__(self, source: pathlib.Path, out: pathlib.Path):
        self.source, self.out = source, out
        self.folder = out / "pages"
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(out / "html", ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.files = {path: page_id(path.relative_to(source)) for path in self.markdown_files()}
        if len(set(self.files.values())) != len(self.files):
            sys.exit("make_pages: two Markdown files have the same id of a page")

    def markdown_files(self):
        for folder, folders, names in os.walk(self.source):
            here = pathlib.Path(folder)
            folders[:] = sorted(f for f in folders if f not in (".git", "kernels") and
                                not (here / f / "CMakeCache.txt").exists() and here / f != self.out and
                                not f.startswith("_") and f != "build")
            yield from (here / name for name in sorted(names) if name.endswith(".md"))

    def write(self, name: str, title: str, text: str) -> None:
        (self.folder / f"{name}.md").write_text(f"# {title} {{#{name}}}\n\n{text}\n", encoding="utf-8")

    def link(self, page: pathlib.Path, match: re.Match) -> str:
        image, text, target = match.groups()
        if "://" in target:
            return match.group(0)
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if image:
            shutil.copyfile(file, self.folder / file.name)
            return f"![{text}]({file.name})"
        if file in self.files:
            reference = self.files[file] + (f"__{fragment(anchor)}" if anchor else "")
            return f'\\ref {reference} "{text}"'
        if file.is_dir():
            return text
        # Any other file of the project goes along as it is.
        relative = file.relative_to(self.source)
        copy = self.out / "html" / "source" / relative
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
        return f'<a href="source/{relative}">{text}</a>'

    def prose(self, page: pathlib.Path, line: str) -> str:
        """A line outside of code blocks: links, and characters that Doxygen would take for commands."""
        kept = []

        def keep(text: str) -> str:
            kept.append(text)
            return f"\x00{len(kept) - 1}\x00"

        line = LINK.sub(lambda m: keep(self.link(page, m)), line)
        line = CODE.sub(lambda m: keep(m.group(0)), line)
        line = AT.sub(r"`\g<0>`", line)
        line = re.sub(r"^(\s*)#(?=\w)", r"\1\\#", line)
        while "\x00" in line:
            line = re.sub("\x00(\\d+)\x00", lambda m: kept[int(m.group(1))], line)
        return line

    def convert(self, page: pathlib.Path, name: str) -> None:
        lines, fence, first, seen = [], "", True, set()
        # A link's text may be broken over lines.
        text = re.sub(r"\[([^\]\n`]*)\n([^\]\n`]*)\]\(", r"[\1 \2](", page.read_text(encoding="utf-8"))
        for line in text.splitlines():
            if line.startswith("```"):
                fence = "" if fence else "```"
                language = LANGUAGES.get((line[3:].split() or [""])[0], "unparsed")  # a file's name may follow
                lines.append("```" if not fence else "```{." + language + "}")
                continue
            if fence:
                lines.append(line)
                continue
            heading = HEADING.match(line)
            if heading and first:
                lines.append(f"# {heading.group(2).replace('`', '')} {{#{name}}}")
                first = False
            elif heading:
                label = f"{name}__{fragment(heading.group(2))}"
                while label in seen:
                    label += "-1"
                seen.add(label)
                lines.append(f"{heading.group(1)} {self.prose(page, heading.group(2))} {{#{label}}}")
            else:
                lines.append(self.prose(page, line))
        below = [other for file, other in self.files.items() if self.parent(file) == page]
        if below and name != "readme":
            lines += ["", *(f"- \\subpage {other}" for other in below)]
        (self.folder / f"{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def parent(self, page: pathlib.Path):
        """The README of the folder that a page lies in or, where it is that README, of the nearest folder above."""
        if page.parent == self.source:
            return None
        folder = page.parent.parent if page.name == "README.md" else page.parent
        while folder != self.source and folder / "README.md" not in self.files:
            folder = folder.parent
        return folder / "README.md"


def fenced(text: str) -> str:
    return "```{.unparsed}\n" + text.rstrip() + "\n```\n"


def command_page(pages: Pages, program: str) -> str:
    """A program's help and that of each of its commands, which its manual pages name."""
    def run(*words: str) -> str:
        return subprocess.run([program, *words], check=True, capture_output=True, text=True,
                              env={**os.environ, "NO_COLOR": "1"}).stdout

    name = pathlib.Path(program).name
    manuals = pages.out / "manual" / name
    shutil.rmtree(manuals, ignore_errors=True)
    manuals.mkdir(parents=True)
    run("manual", "-o", str(manuals))
    commands = [page.stem[len(name) + 1:] for page in sorted(manuals.glob(f"{name}-*.1"))]
    if not commands:
        sys.exit(f"make_pages: `{name} manual` wrote no page of a command")
    title = f"cli_{fragment(name).replace('-', '_')}"
    text = fenced(run("--help"))
    for command in commands:
        text += f"\n## {name} {command} {{#{title}__{command}}}\n\n" + fenced(run(command, "--help"))
    pages.write(title, f"The command line of {name}", text)
    return title


def documentation(thing: object) -> str:
    return fenced(inspect.getdoc(thing) or "")


def python_page(pages: Pages) -> None:
    try:
        import pycastforge
    except ImportError as error:
        print(f"make_pages: warning: no page about Python: {error} in {sys.executable}; see .docs/README.md",
              file=sys.stderr)
        pages.write("python_api", "Python: pycastforge", "Not in this build of the site: the interpreter that made it "
                    "has no pycastforge.")
        return
    text = documentation(pycastforge)
    for name in sorted(pycastforge.__all__, key=str.lower):
        thing = getattr(pycastforge, name)
        if inspect.ismodule(thing) or name.startswith("_"):
            continue
        text += f"\n## {name} {{#python_api__{name}}}\n\n"
        if not (inspect.isclass(thing) or callable(thing)):
            text += f"{type(thing).__name__}\n"
            continue
        if not (inspect.getdoc(thing) or "").startswith(f"{name}("):
            try:
                text += f"`{name}{inspect.signature(thing)}`\n\n"
            except (TypeError, ValueError):
                pass
        text += documentation(thing)
        if inspect.isclass(thing):
            for member, value in sorted(vars(thing).items()):
                documented = callable(value) or inspect.isdatadescriptor(value) or isinstance(value, classmethod)
                if not member.startswith("_") and documented and inspect.getdoc(value):
                    text += f"\n### {name}.{member}\n\n" + documentation(value)
    pages.write("python_api", "Python: pycastforge", text)


def cell(value: object) -> str:
    return AT.sub(r"`\g<0>`", str(value)).replace("|", "\\|").replace("<", "\\<").replace("\n", " ")


def kind_of(field: dict) -> str:
    """What a field of a schema admits, in a word or a list of words."""
    if "enum" in field:
        return ", ".join(f"`{json.dumps(word)}`" for word in field["enum"])
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    for choice in ("oneOf", "anyOf"):
        if choice in field:
            return " or ".join(kind_of(one) for one in field[choice])
    kind = field.get("type", "")
    kind = " or ".join(kind) if isinstance(kind, list) else kind
    if kind == "array" and isinstance(field.get("items"), dict):
        kind = f"array of {kind_of(field['items'])}"
    limits = [f"{word} {field[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if key in field]
    if "pattern" in field:
        limits.append("`" + field["pattern"] + "`")
    return " ".join([kind, *limits]).strip()


def schema_rows(schema: dict, prefix: str = "") -> list:
    rows = []
    for name, field in schema.get("properties", {}).items():
        need = "yes" if name in schema.get("required", []) else ""
        described = field.get("description", field.get("title", ""))
        rows.append(f"| `{prefix}{name}` | {kind_of(field).replace('|', chr(92) + '|')} | {need} | {cell(described)} |")
        rows += schema_rows(field, f"{prefix}{name}.")
        if isinstance(field.get("items"), dict):
            rows += schema_rows(field["items"], f"{prefix}{name}[].")
        if isinstance(field.get("additionalProperties"), dict):
            rows += schema_rows(field["additionalProperties"], f"{prefix}{name}.*.")
    return rows


def spec_page(pages: Pages) -> None:
    text = "From the JSON Schemas in `specs/schema/`; \\ref specs_fields \"specs/FIELDS.md\" explains, with examples.\n"
    for path in sorted((pages.source / "specs" / "schema").glob("*.schema.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        kind = path.name.split(".")[0]
        text += f"\n## {schema['title']} ({kind}) {{#spec_fields__{kind}}}\n\n{cell(schema['description'])}\n\n"
        text += "| field | admits | required | meaning |\n|---|---|---|---|\n" + "\n".join(schema_rows(schema)) + "\n"
    pages.write("spec_fields", "Fields of specs", text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--program", action="append", required=True)
    options = parser.parse_args()
    pages = Pages(options.source.resolve(), options.out.resolve())
    for page, name in pages.files.items():
        pages.convert(page, name)
    programs = [command_page(pages, program) for program in options.program]
    python_page(pages)
    spec_page(pages)
    made = "\n".join(f"- \\subpage {name}" for name in [*programs, "python_api", "spec_fields"])
    pages.write("reference", "Reference", "C++ and C: the namespace castforge and castforge.h, under Classes and Files "
                f"in the menu.\n\n{made}\n- \\ref generated_operations \"Operations that kernels are written in\"\n"
                "- \\ref generated_index \"Every pair and its file\"")
    return 0


if __name__ == "__main__":
    sys.exit(main())
