#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The documents stay as readable as they are: readability_test.py

readability.py measures; --long shows what to part. Reference tables of json-report.md are lists of names, hence its share.
"""

import sys
import unittest

import readability

# Per document: most words per sentence, most percent of sentences above 25 words, least Flesch Reading Ease.
BOUNDS = {
    "README.md": (11, 1.0, 76),
    "docs/architecture.md": (12, 1.0, 76),
    "docs/daemon.md": (11, 1.0, 77),
    "docs/dashboard.md": (11, 1.0, 84),
    "docs/json-report.md": (11, 2.5, 84),
    "docs/limits.md": (12, 1.0, 79),
    "docs/performance.md": (11, 1.0, 82),
    "docs/reading-a-report.md": (11, 1.0, 82),
    "docs/rules.md": (13, 0.0, 75),
    "docs/site.md": (12, 1.0, 78),
    "docs/validation.md": (13, 1.0, 78),
    "docs/verdicts.md": (11, 0.0, 81),
    "docs/wireshark.md": (11, 1.0, 78),
}


class Readability(unittest.TestCase):
    def test_of_each_document_is_within_its_bounds(self):
        for name, text in readability.documents():
            with self.subTest(document=name):
                self.assertIn(name, BOUNDS, "a document without bounds")
                words, long_share, flesch = BOUNDS[name]
                its = readability.measure(text)
                self.assertLessEqual(its.words_per_sentence(), words)
                self.assertLessEqual(its.long_share(), long_share, its.longest())
                self.assertGreaterEqual(its.flesch, flesch)

    def test_counts_sentences_of_prose_alone(self):
        text = ("# A heading is not prose\n\nOne `code with words` here. See RFC 5044 App. C of it.\n\n    code in lines of its own\n\n"
                "```\nmore code\n```\n\n- an item\n- another item\n  on two lines\n\n| cell | a cell of five words |\n")
        self.assertEqual(["One code here.", "See RFC 5044 App C of it.", "an item", "another item on two lines",
                          "a cell of five words"], list(readability.prose(text)))

    def test_hard_text_is_found(self):
        easy = readability.measure("The end sent a Read. The peer did not answer. " * 5)
        hard = readability.measure("Notwithstanding considerable retransmission activity, acknowledgement information regarding "
                                   "previously transmitted octets remained continuously unavailable throughout the entirety of "
                                   "the observation interval of the participating infrastructure components, respectively.")
        self.assertLess(hard.flesch, 20)
        self.assertGreater(easy.flesch, 80)
        self.assertEqual((0, 100), (easy.long_share(), hard.long_share()))


if __name__ == "__main__":
    sys.exit(unittest.main())
