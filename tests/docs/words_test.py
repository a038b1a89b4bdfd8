#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Words that readers stumble over are nowhere in the tree: words_test.py

Most readers are operators at night, and most of them are not native speakers. Each row below is a word or phrase that
must not be used, and what to write instead. All text files count: documents, messages, names, comments and tests.

Folders that still have such words are in LEFT with their number. A number may only fall; a folder without one has none.
"""

import collections
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

BANNED = {
    r"held against": "is not blamed on, is not reported",
    r"whom(?:ever)?": "which end",
    r"whoever(?:'s)?": "any",
    r"somebody(?:'s)?|someone's": "a program, a person, another end",
    r"nobody(?:'s)?": "neither end, no end, not",
    r"anew": "again",
    r"by turns": "alternating",
    r"c[ao]mes? to nothing": "failed",
    r"stands?(?! for| out)|stood": "is, is stalled, is in state",
    r"mended?|mends|mending": "fixed",
    r"at hand": "available",
    r"bec[ao]mes? of": "outcome, verdict",
    r"br(?:ings?|ought)(?! it up| up| about)": "returned, carried, installed",
    r"there (?:is|are) none": "none, not available",
    r"so much of": "octets of",
    r"deaf|hears?|heard|unheard|hearing": "capture outage, capture coverage, received",
    r"speaks? again": "become active again",
    r"out of reach": "unreachable",
    r"not to be seen": "not found",
    r"c[ao]mes? to (?:its|their) end": "ended, completed",
    r"tells|told|telling": "reports, reported, shows, says",
    r"as it is asked": "as configured",
    r"happenings?": "event",
    r"gravity": "severity order",
    r"forgotten": "discarded",
    r"stor(?:y|ies)": "summary",
}
PATTERN = re.compile(r"(?<![\w])(?:" + "|".join(f"(?:{words})" for words in BANNED) + r")(?![\w])", re.IGNORECASE)

LEFT = {
}

# "Of a TCP segment on ...": a comment begins with what it is about.
GENITIVE = re.compile(r"^\s*(?:///?<?|#) Of (?!course)[a-z]")

# The user of that name, which Debian has.
USER = re.compile(r'"nobody"|reuid=nobody|as[_ ]nobody|become nobody')

# Not ours, or not words.
LEFT_OUT = re.compile(r"^(?:LICENSE|LICENSES/|samples/.*\.(?:pcap|pcapng|gz)|tests/fuzz/corpus/|tests/docs/words_test\.py$)|"
                      r"\.(?:png|svg|pcap|pcapng|gz|xz|bin)$")


def words_of(text):
    """The banned words, by line. Identifiers count as their parts: told_sctp is told and sctp."""
    for number, line in enumerate(text.splitlines(), 1):
        parted = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_", " ", USER.sub("", line))
        for found in PATTERN.finditer(parted):
            yield number, found[0]
        if GENITIVE.match(line):
            yield number, "a comment that begins with Of"


def folder_of(name):
    """shared/qp of shared/qp/half.h; README.md of itself."""
    return "/".join(name.split("/")[:2])


def files():
    """The files of the tree, without builds and what git keeps."""
    for path in sorted(ROOT.rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        if path.is_file() and not re.match(r"(?:build|\.git)/|.*__pycache__", name) and not LEFT_OUT.search(name):
            yield name


class Words(unittest.TestCase):
    def test_no_folder_has_more_banned_words_than_are_left(self):
        found = collections.defaultdict(list)
        for name in files():
            try:
                text = (ROOT / name).read_text(encoding="utf-8")
            except (UnicodeDecodeError, FileNotFoundError):
                continue
            found[folder_of(name)] += [f"{name}:{number}: {word}" for number, word in words_of(text)]
        for folder, faults in sorted(found.items()):
            with self.subTest(folder=folder):
                most = LEFT.get(folder, 0)
                self.assertLessEqual(len(faults), most, "\n".join(["use the plain words of BANNED", *faults[:20]]))
                self.assertGreaterEqual(len(faults), most, "fewer are left: lower the number in LEFT")

    def test_banned_words_are_found_in_sentences_and_names(self):
        for text in ("It is held against them.", "TEST(Silence, IsHeldAgainstNobody)", "int told_ = 0;", "TOLD",
                     "  /// Of a socket."):
            self.assertTrue(list(words_of(text)), text)
        for text in ("standstill", "retold", "unmended", "deafening", 'user = "nobody"', "_as_nobody()", "// Of course it does.",
                     "int of = 0;  ///< of a socket"):
            self.assertFalse(list(words_of(text)), text)

    def test_sizes_have_binary_units_in_all_that_people_read(self):
        """1 KiB is 1024 octets; of megabytes a reader does not know how many octets they have."""
        literal = re.compile(r'"((?:[^"\\]|\\.)*)"')
        decimal = re.compile(r"(?<![A-Za-z0-9])[kKMGT]B(?![A-Za-z0-9])")

        def decimals(text):
            return [one for line in text.splitlines() for one in literal.findall(line) if decimal.search(one)]

        faults = []
        for name in files():
            if re.match(r"(?:shared|daemon|gui|plugin)/.*\.(?:cpp|h)$", name):
                faults += [f"{name}: {one}" for one in decimals((ROOT / name).read_text(encoding="utf-8"))]
        self.assertEqual(faults, [], "use report::human_octets() and report::human_rate()")
        self.assertEqual(decimals('f("25 MB/s", x); g{"kB"};'), ["25 MB/s", "kB"])
        self.assertEqual(decimals('f("1.50 MiB/s"); kB{"MPA"}, kB{"64 KiB"};'), [])


if __name__ == "__main__":
    sys.exit(unittest.main())
