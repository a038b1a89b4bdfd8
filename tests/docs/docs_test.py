#!/usr/bin/env python3
"""Holds the documents against the program: docs_test.py PROGRAM

The excerpt in README.md is what the program prints, rules that the guides name exist, options too, links lead somewhere.
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAM = ""


def text(path):
    return path.read_text(encoding="utf-8")


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          encoding="utf-8", timeout=60, check=True).stdout


def excerpts(document):
    """(command line, lines) of each indented block that starts with "$ iwarpscope"."""
    for block in re.findall(r"^    \$ iwarpscope .*\n(?:(?:    .*)?\n)*", document, re.MULTILINE):
        first, *rest = [line[4:] for line in block.splitlines()]
        yield first.removeprefix("$ iwarpscope ").split(), [line for line in rest if line.strip()]


def lines_out_of_order(wanted, printed):
    """The lines of `wanted` that are not in `printed` behind the ones before them."""
    rest = iter(printed)
    return [line for line in wanted if line not in rest]


class Documents(unittest.TestCase):
    def test_excerpts_are_what_the_program_prints(self):
        found = list(excerpts(text(ROOT / "README.md")))
        self.assertEqual(len(found), 1)
        for arguments, lines in found:
            self.assertEqual(lines_out_of_order(lines, run(*arguments).splitlines()), [], "README.md has an old excerpt")

    def test_rules_that_guides_name_exist(self):
        rules = text(ROOT / "docs" / "rules.md")
        codes = set(re.findall(r"^\| ([A-Z]{2}-\d+[A-Z]?) \|", rules, re.MULTILINE))
        names = set(re.findall(r"^\| [A-Z]{2}-\d+[A-Z]? \| `([a-z0-9.-]+)`", rules, re.MULTILINE))
        self.assertGreater(len(codes), 100)
        layers = "|".join(sorted({name.split(".")[0] for name in names}))
        for path in DOCUMENTS:
            for code in re.findall(r"\b(?:MS|MF|DD|RM|AT|CA|TC|EV)-\d+[A-Z]?\b", text(path)):
                self.assertIn(code, codes, path.name)
            for name in re.findall(rf"`((?:{layers})\.[a-z]+(?:-[a-z0-9]+)+)`", text(path)):
                self.assertIn(name, names, path.name)

    def test_options_of_analyze_that_guides_name_exist(self):
        known = set(re.findall(r"--[a-z][a-z-]+", run("analyze", "--help")))
        for name in ["README.md", "docs/user-guide.md", "docs/report.md"]:
            for command in re.findall(r"iwarpscope analyze ([^`\n|]*)", text(ROOT / name)):
                self.assertLessEqual(set(re.findall(r"--[a-z][a-z-]+", command)), known, name)

    def test_links_to_files_lead_somewhere(self):
        for path in DOCUMENTS:
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text(path)):
                if "://" not in target:
                    self.assertTrue((path.parent / target).exists(), f"{path.name} links to {target}")


class Checker(unittest.TestCase):
    def test_excerpt_with_a_changed_missing_or_moved_line_is_found(self):
        self.assertEqual(lines_out_of_order(["a", "c"], ["a", "b", "c"]), [])
        self.assertEqual(lines_out_of_order(["x"], ["a", "b"]), ["x"])
        self.assertEqual(lines_out_of_order(["b", "a"], ["a", "b"]), ["a"])

    def test_excerpts_end_where_the_indentation_ends(self):
        found = list(excerpts("x\n\n    $ iwarpscope rules\n    one\n\n      two\n\nthree\n    four\n"))
        self.assertEqual(found, [(["rules"], ["one", "  two"])])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
