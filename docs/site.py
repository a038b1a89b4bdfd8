#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the documentation site from README.md and docs/, by mkdocs: site.py [FOLDER, default build/site]

Each rule and each verdict gets a page of its own. A link that leads nowhere is an error."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BESIDE_README = ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
CATALOGUES = ("rules", "verdicts")
SECTION = re.compile(r"^### ([A-Z]+-\d+[A-Z]?) `([^`]+)`$", re.MULTILINE)
CODE = re.compile(r"(?<![\w/\[-])((?:MS|MF|DD|RM|AT|SC|SX|CA|TC|PM|QP|EV|V)-\d+[A-Z]?)(?![\w-])")


def pages(catalogue):
    """The introduction of a generated catalogue, and (code, name, text) of each of its sections."""
    parts = SECTION.split(catalogue)
    found = []
    for code, name, text in zip(parts[1::3], parts[2::3], parts[3::3]):
        text, *rest = re.split(r"^(?=## )", text, maxsplit=1, flags=re.MULTILINE)
        found.append((code, name, text.strip()))
        parts[0] += "".join(rest)  # a heading and tables between sections belong to the overview
    return parts[0], found


def overview(introduction, found, folder):
    """The introduction with its codes as links, and a list of those that no table has."""
    listed = set(CODE.findall("".join(line for line in introduction.splitlines() if line.startswith("|"))))
    codes = {code for code, _, _ in found}
    lines = [CODE.sub(lambda m: f"[{m[1]}]({folder}/{m[1]}.md)" if m[1] in codes else m[1], line)
             if line.startswith("| ") else line for line in introduction.splitlines()]
    rest = [f"- [{code} `{name}`]({folder}/{code}.md)" for code, name, _ in found if code not in listed]
    return "\n".join([*lines, "", *(["## All", "", *rest] if rest else []), ""])


def of_the_site(text):
    """`text` with the links of the tree as those of the site; files that the site does not have are only named."""
    text = text.replace("](docs/", "](").replace("[docs/", "[").replace("](../README.md", "](index.md")
    return re.sub(r"\[([^\]]+)\]\(\.\./[^)]*\)", r"\1", text)


def stage(folder):
    """The pages as mkdocs reads them."""
    shutil.copytree(ROOT / "docs/pictures", folder / "pictures")
    shutil.copy(ROOT / "LICENSE", folder)
    for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / name for name in BESIDE_README)]:
        text = of_the_site(path.read_text(encoding="utf-8"))
        (folder / ("index.md" if path.name == "README.md" else path.name)).write_text(text, encoding="utf-8")
    found = {name: pages((folder / f"{name}.md").read_text(encoding="utf-8")) for name in CATALOGUES}
    where = {code: name for name in CATALOGUES for code, _, _ in found[name][1]}
    for name in CATALOGUES:
        introduction, sections = found[name]
        (folder / f"{name}.md").write_text(overview(introduction, sections, name), encoding="utf-8")
        (folder / name).mkdir()
        for code, title, text in sections:
            text = CODE.sub(lambda m: f"[{m[1]}](../{where[m[1]]}/{m[1]}.md)" if m[1] in where and m[1] != code else m[1], text)
            (folder / name / f"{code}.md").write_text(f"# {code} `{title}`\n\n{text}\n\n[All {name}](../{name}.md)\n",
                                                      encoding="utf-8")


def main():
    output = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/site").resolve()
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder)
        (sources / "docs").mkdir()
        shutil.copy(ROOT / "docs/mkdocs.yml", sources)
        stage(sources / "docs")
        return subprocess.run(["mkdocs", "build", "--strict", "--quiet", "--config-file", str(sources / "mkdocs.yml"),
                               "--site-dir", str(output)], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
