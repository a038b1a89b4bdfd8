#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""How hard the documents are to read: readability.py [--long] [COMMIT]

Prints for each document: sentences, words per sentence, the share of sentences above 25 words, Flesch Reading Ease (100 is
easy, 60 is plain English) and the words of the longest sentence. Of rules.md and verdicts.md only the texts of findings
and verdicts count. --long prints the sentences above 25 words. With COMMIT: the documents as they were then. Needs git
for that, and `style` (Debian: diction) always.

Only prose counts. Code blocks, headings and short cells of tables are left out. Code between backticks counts as one
word. An item of a list or a cell of a table ends a sentence.
"""

import argparse
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONG = 25            # words
LEAST_CELL = 4       # words; a shorter cell is a name or a value, not a sentence


@dataclass
class Readability:
    sentences: list[str]
    flesch: float

    def words_per_sentence(self):
        return sum(map(count, self.sentences)) / len(self.sentences)

    def long_share(self):
        """Percent of the sentences that have more than LONG words."""
        return 100 * sum(count(s) > LONG for s in self.sentences) / len(self.sentences)

    def longest(self):
        return max(self.sentences, key=count)


def count(sentence):
    return len(sentence.split())


def documents(commit=None):
    """The name and the text of each document, of the working tree or of a commit."""
    if commit is None:
        for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
            yield path.relative_to(ROOT).as_posix(), relevant(path.name, path.read_text(encoding="utf-8"))
        return
    names = git("ls-tree", "--name-only", commit, "README.md", "docs/").splitlines()
    for name in names:
        if name.endswith(".md"):
            yield name, relevant(name.rpartition("/")[2], git("show", f"{commit}:{name}"))


def relevant(name, text):
    """The document, or the texts of findings or verdicts alone: without lines about severity, outcome and codes."""
    if name not in ("rules.md", "verdicts.md"):
        return text
    rows = [line.strip("|").split("|")[3:] for line in text.splitlines() if line.startswith("| VR-")]
    lines = re.findall(r"^- \*(?:What|Why|Check next|Sentence)\*: .*", text, flags=re.MULTILINE)
    return "\n".join([*(re.sub(r"\*[^*]*\*: ", "", line) for line in lines), *("- " + cell for row in rows for cell in row)])


def git(*arguments):
    return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=True).stdout


def blocks(text):
    """The paragraphs, items and cells of a Markdown text, each on one line."""
    text = re.sub(r"```.*?```|<!--.*?-->", "\n\n", text, flags=re.DOTALL)
    block = []
    for line in [*text.splitlines(), ""]:
        starts = re.match(r"\s*(?:[-*]|\d+\.) +|\||#|\s*$", line)
        if starts and block:
            if not block[0].startswith(" " * 4):  # that is code
                yield " ".join(part.strip() for part in block)
            block = []
        if line.startswith("|"):
            yield from (cell for cell in line.split("|") if count(cell) >= LEAST_CELL)
        elif not line.startswith("#") and line.strip():
            block.append(re.sub(r"^\s*(?:[-*]|\d+\.) +", "", line))


def prose(text):
    """The sentences of a Markdown text, without its marks."""
    for block in blocks(text):
        block = re.sub(r"`[^`]*`", "code", block)
        block = re.sub(r"!\[[^]]*\]\([^)]*\)|<[^>]+>", "", block)     # pictures and HTML
        block = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", block)         # links
        block = re.sub(r"\*+|(?<=App)\.|\b(?:e\.g|i\.e)\.", "", block).replace("{", "").replace("}", "")
        for sentence in re.split(r"(?<=[.!?:])\s+", block):
            if re.search(r"[a-z]", sentence):
                yield sentence.strip()


def measure(text):
    """The readability of a Markdown text. Raises ValueError if it has no sentence."""
    sentences = list(prose(text))
    if not sentences:
        raise ValueError("no sentence")
    # One paragraph each, as style knows it: with a capital first, and a full stop.
    paragraphs = "\n\n".join(s[0].upper() + s[1:].rstrip(".!?:") + "." for s in sentences)
    done = subprocess.run(["style"], input=paragraphs, capture_output=True, text=True, check=True,
                          env=os.environ | {"LC_ALL": "C.UTF-8"})
    return Readability(sentences, float(re.search(r"Flesch Index: ([-\d.]+)", done.stdout)[1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--long", action="store_true", help=f"print the sentences above {LONG} words")
    parser.add_argument("commit", nargs="?", help="measure the documents of this commit")
    options = parser.parse_args()
    print(f"{'document':26} {'sentences':>9} {'words each':>10} {'above 25':>8} {'Flesch':>6} {'longest':>7}")
    for name, text in documents(options.commit):
        its = measure(text)
        print(f"{name:26} {len(its.sentences):9} {its.words_per_sentence():10.1f} {its.long_share():7.1f}% "
              f"{its.flesch:6.1f} {count(its.longest()):7}")
        for sentence in its.sentences if options.long else []:
            if count(sentence) > LONG:
                print(f"  {count(sentence)}: {sentence}")


if __name__ == "__main__":
    main()
