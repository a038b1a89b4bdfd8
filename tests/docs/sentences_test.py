#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Sentences of rules and verdicts are short enough to be read once: sentences_test.py IWARPSCOPE

docs/rules.md and docs/verdicts.md are generated from the catalogues; other tests compare them. What the verdicts and
findings of the sample captures say counts as well: there the names in braces are replaced by roles, addresses and values.
"""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/golden"))

import analyzed

MOST_WORDS = 25
PROGRAM = None


def sentences(text):
    """The sentences of a text. "App." and the like end none."""
    return [s for s in re.split(r"(?<!App\.)(?<!e\.g\.)(?<!i\.e\.)(?<=[.!?])\s+", text) if s]


def too_long(text):
    return [f"{len(s.split())} words: {s}" for s in sentences(text) if len(s.split()) > MOST_WORDS]


def texts_of(document):
    """The texts of each rule, verdict and remark of a generated document, by code."""
    texts, code = {}, None
    for line in (ROOT / "docs" / document).read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"### (\w+-\d+) ", line):
            code = heading[1]
            texts[code] = []
        elif part := re.match(r"- \*[A-Z][a-z ]+\*: (.+)", line):
            texts[code].append(part[1])
        elif row := re.match(r"\| (VR-\d+) \|", line):
            texts[row[1]] = [cell.strip() for cell in line.strip("|").split(" | ")[3:]]
    return texts


class Sentences(unittest.TestCase):
    def check_document(self, document, count, least_texts):
        texts = texts_of(document)
        self.assertGreaterEqual(len(texts), count, "most rows were not found")
        for code, parts in texts.items():
            with self.subTest(code=code):
                self.assertGreaterEqual(len(parts), least_texts)
                self.assertEqual([], [fault for part in parts for fault in too_long(part)])

    def test_of_rules(self):
        self.check_document("rules.md", 220, 3)

    def test_of_verdicts_and_remarks(self):
        self.check_document("verdicts.md", 190, 1)

    def test_of_the_verdicts_and_findings_of_all_samples(self):
        verdicts, findings = 0, 0
        for capture, report in analyzed.reports(PROGRAM, analyzed.captures(ROOT / "samples" / "made")):
            for record in report.records:
                if verdict := record.get("verdict"):
                    verdicts += 1
                    for text in (verdict["text"], verdict["next"] or ""):
                        with self.subTest(capture=capture.name):
                            self.assertEqual([], too_long(text))
                elif record["record"] == "finding":
                    findings += 1
                    with self.subTest(capture=capture.name, code=record["code"]):
                        self.assertEqual([], too_long(record["text"] or ""))
        self.assertGreater(verdicts, 200)
        self.assertGreater(findings, 500)

    def test_a_long_sentence_is_found(self):
        self.assertEqual([], too_long("A " + "word " * 23 + "end. " * 2 + "See RFC 5044 App. C."))
        self.assertEqual(1, len(too_long("A " + "word " * 24 + "end. Short.")))
        self.assertEqual(1, len(too_long("word " * 20 + "App. C " + "word " * 4 + "end.")))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    sys.exit(unittest.main())
