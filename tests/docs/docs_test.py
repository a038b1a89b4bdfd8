#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds the documents against the program: docs_test.py PROGRAM

The excerpt in README.md is what the program prints, rules that the guides name exist, options too, the manual page has
the options of --help, links lead somewhere.
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


def options_of_help(printed):
    """What `analyze --help` prints of each option: {"--qp": (spellings, choices, numbers of the default)}.

    CLI11 prints "  -h,--help" below "Options:"; 2.6, "  -h,    --help" and "         --qp" below "OPTIONS:".
    """
    found = {}
    options = re.split(r"\n(?:Options|OPTIONS):\n", printed)[1]
    for entry in re.findall(r"^ {2,9}(-\S.*(?:\n {10,}.*)*)", options, re.MULTILINE):
        spellings = re.findall(r"-[\w-]+", re.match(r"-[\w-]+(?:, *-[\w-]+)*", entry)[0])
        choices = re.search(r"WORD:\{([\w,]+)\}", entry)
        default = re.search(r"\(default: ([^)]*)\)", " ".join(entry.split()))
        found[spellings[-1]] = (set(spellings), set(choices[1].split(",")) if choices else set(),
                                re.findall(r"\d+", default[1]) if default else [])
    return found


def options_of_manual(page):
    """The same of the section OPTIONS OF ANALYZE of the manual page; a default is a sentence that says so."""
    found = {}
    section = re.search(r"^\.SH OPTIONS OF ANALYZE\n(.*?)^\.SH", page, re.MULTILINE | re.DOTALL)[1]
    for entry in section.split(".TP\n")[1:]:
        head, body = entry.replace("\\-", "-").split("\n", 1)
        spellings = re.findall(r"--?[a-z][a-z-]*", head)
        default = re.search(r"^The default is (.*?)\.$", body, re.MULTILINE)
        found[spellings[-1]] = (set(spellings), set(re.findall(r"\b[a-z]+\b", head.split(spellings[-1])[1]))
                                if "|" in head else set(), re.findall(r"\d+", default[1]) if default else [])
    return found


def lines_out_of_order(wanted, printed):
    """The lines of `wanted` that are not in `printed` after the ones before them."""
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
            for code in re.findall(r"\b(?:MS|MF|DD|RM|AT|SC|SX|CA|TC|PM|QP)-\d+[A-Z]?\b", text(path)):
                self.assertIn(code, codes, path.name)
            for name in re.findall(rf"`((?:{layers})\.[a-z]+(?:-[a-z0-9]+)+)`", text(path)):
                self.assertIn(name, names, path.name)

    def test_options_of_analyze_that_guides_name_exist(self):
        known = set(re.findall(r"--[a-z][a-z-]+", run("analyze", "--help")))
        for name in ["README.md", "docs/reading-a-report.md", "docs/json-report.md"]:
            for command in re.findall(r"iwarpscope analyze ([^`\n|]*)", text(ROOT / name)):
                self.assertLessEqual(set(re.findall(r"--[a-z][a-z-]+", command)), known, name)

    def test_commands_that_rules_and_verdicts_name_can_be_run(self):
        found = []
        for name in ("docs/rules.md", "docs/verdicts.md"):
            for command in re.findall(r"`iwarpscope ([^`]*)`", text(ROOT / name)):
                words = command.replace("ADDRESS", "192.0.2.1").replace("NUMBER", "7").split()
                place = ["--socket", "/nonexistent"] if "--socket" in run(words[0], "--help") else []
                done = subprocess.run([PROGRAM, *words, *place], capture_output=True, text=True, check=False, timeout=60)
                self.assertNotIn("; see iwarpscope ", done.stderr, command)  # what is said of wrong usage
                found.append(words[0])
        self.assertIn("history", found)
        self.assertIn("qp", found)

    def test_manual_page_and_help_have_the_same_options_choices_and_defaults(self):
        printed = options_of_help(run("analyze", "--help"))
        self.assertGreater(len(printed), 8)
        self.assertEqual(options_of_manual(text(ROOT / "docs/man/iwarpscope.1")), printed)

    def test_links_to_files_lead_somewhere(self):
        for path in DOCUMENTS:
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text(path)):
                if "://" not in target:
                    self.assertTrue((path.parent / target).exists(), f"{path.name} links to {target}")

    def test_folders_of_the_picture_of_the_architecture_exist(self):
        picture = text(ROOT / "docs/architecture.md").split("## The whole on one page")[1].split("**A captured frame**")[0]
        named = re.findall(r"\b(?:daemon|gui|plugin|shared)/[a-z]+", picture)
        self.assertGreater(len(set(named)), 12)
        for folder in named:
            self.assertTrue((ROOT / folder).is_dir(), folder)
        for layer in (ROOT / "shared").iterdir():
            if layer.is_dir() and layer.name not in ("base", "findings"):  # used by all others
                self.assertRegex(picture, rf"\b{layer.name}\b")

    def test_each_folder_says_what_goes_in_what_comes_out_and_what_is_not_there(self):
        folders = [folder for part in ("shared", "daemon", "gui", "plugin") for folder in sorted((ROOT / part).iterdir())
                   if any(folder.glob("*.cpp"))]
        self.assertGreater(len(folders), 28)
        names = {path.name for part in ("shared", "daemon", "gui", "plugin", "tests") for path in (ROOT / part).rglob("*.*")}
        for folder in folders:
            with self.subTest(folder=folder.relative_to(ROOT)):
                page = text(folder / "README.md")
                for part in ("In: ", "Out: ", "Not here: ", "Depends on", "Entry point"):
                    self.assertIn(part, page)
                self.assertLess(len(page.split("\n## ")[0].splitlines()), 22, "more than a look")
                self.assertLessEqual(set(re.findall(r"`(?:[a-z_]+/)*([a-z_]+\.(?:h|cpp))`", page)), names)

    def test_layers_are_listed_in_one_order(self):
        checked = re.search(r"^LAYERS = \[([^]]+)\]", text(ROOT / "tests/layering/layering.py"), re.MULTILINE)[1]
        layers = re.findall(r'"([a-z]+)"', checked)
        self.assertEqual(sorted(layers), sorted(f.name for f in (ROOT / "shared").iterdir() if f.is_dir()))
        table = text(ROOT / "docs/architecture.md").split("| layer | takes |")[1].split("\n\n")[0]
        self.assertEqual(re.findall(r"^\| `([a-z]+)` \|", table, re.MULTILINE), layers)
        for document in ("README.md", "shared/CMakeLists.txt"):
            self.assertIn(" ".join(layers), text(ROOT / document), document)

    def test_pictures_are_named_small_and_of_few_colours(self):
        named = {(path.parent / target).resolve() for path in DOCUMENTS
                 for target in re.findall(r"!\[[^\]]+\]\(([^)\s]+)\)", text(path))}
        found = sorted((ROOT / "docs/pictures").iterdir())
        self.assertGreater(len(found), 10)
        for picture in found:
            self.assertIn(picture, named, "no document shows it")
            octets = picture.read_bytes()
            self.assertLess(len(octets), 120_000, picture.name)
            self.assertIn(b"PLTE", octets[:64], f"{picture.name} has no palette")


class Checker(unittest.TestCase):
    def test_excerpt_with_a_changed_missing_or_moved_line_is_found(self):
        self.assertEqual(lines_out_of_order(["a", "c"], ["a", "b", "c"]), [])
        self.assertEqual(lines_out_of_order(["x"], ["a", "b"]), ["x"])
        self.assertEqual(lines_out_of_order(["b", "a"], ["a", "b"]), ["a"])

    def test_options_are_read_from_help_and_manual_page_alike(self):
        expected = {"--all": ({"-a", "--all"}, set(), []), "--color": ({"--color"}, {"on", "off"}, []),
                    "--jobs": ({"--jobs"}, set(), ["2", "1"])}
        self.assertEqual(options_of_help("Usage\n\nOptions:\n  -a,--all                  All\n"
                                         "  --color WORD:{on,off}     In colour\n  --jobs N:UINT in [1 - 9]\n"
                                         "                            Jobs (default: 2, or\n"
                                         "                            1 on rainy days)\n"), expected)
        self.assertEqual(options_of_manual(".SH OPTIONS OF ANALYZE\n.TP\n.BR \\-a \", \" \\-\\-all\nAll.\n.TP\n"
                                           ".BR \\-\\-color \" \" on | off\nIn colour.\n.TP\n.BI \\-\\-jobs \" n\"\n"
                                           "Jobs.\nThe default is 2, or 1 on rainy days.\n.SH END\n"), expected)

    def test_excerpts_end_where_the_indentation_ends(self):
        found = list(excerpts("x\n\n    $ iwarpscope rules\n    one\n\n      two\n\nthree\n    four\n"))
        self.assertEqual(found, [(["rules"], ["one", "  two"])])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
