#!/usr/bin/env python3
"""Words that readers stumble over are nowhere in the tree: words_test.py

Most readers are operators at night, and most of them are not native speakers. Each row below is a word or phrase that
must not be used, and what to write instead. All text files count: documents, messages, names, comments and tests.
"""

import re
import subprocess
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
    r"stands?(?= still| where)|stood still": "is stalled, is in state",
    r"mended?|mends|mending": "fixed",
    r"at hand": "available",
    r"bec[ao]mes? of": "outcome, verdict",
    r"brought back|brings? back": "returned",
    r"there is none": "none",
    r"so much of": "octets of",
    r"deaf": "capture outage",
    r"tells|told|telling": "reports, reported, shows, says",
    r"as it is asked": "as configured",
}
PATTERN = re.compile(r"(?<![\w])(?:" + "|".join(f"(?:{words})" for words in BANNED) + r")(?![\w])", re.IGNORECASE)

# Not ours, or not words.
LEFT_OUT = re.compile(r"^(?:LICENSE|LICENSES/|samples/.*\.(?:pcap|pcapng|gz)|tests/fuzz/corpus/|tests/docs/words_test\.py$)|"
                      r"\.(?:png|svg|pcap|pcapng|gz|xz|bin)$")


def words_of(text):
    """The banned words, by line. Identifiers count as their parts: told_sctp is told and sctp."""
    for number, line in enumerate(text.splitlines(), 1):
        parted = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", line)
        for found in PATTERN.finditer(parted):
            yield number, found[0]


def files():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, check=True).stdout.decode()
    return [name for name in listed.split("\0") if name and not LEFT_OUT.search(name)]


class Words(unittest.TestCase):
    def test_no_file_has_a_banned_word(self):
        faults = []
        for name in files():
            try:
                text = (ROOT / name).read_text(encoding="utf-8")
            except (UnicodeDecodeError, FileNotFoundError):
                continue
            faults += [f"{name}:{number}: {word}" for number, word in words_of(text)]
        self.assertEqual(faults, [], f"{len(faults)} words; each has a plain one in {__file__}")

    def test_banned_words_are_found_in_sentences_and_names(self):
        for text in ("It is held against nobody.", "TEST(Silence, IsHeldAgainstNobody)", "int told_ = 0;", "NOBODY"):
            self.assertTrue(list(words_of(text)), text)
        for text in ("standstill", "retold", "unmended", "deafening"):
            self.assertFalse(list(words_of(text)), text)


if __name__ == "__main__":
    sys.exit(unittest.main())
