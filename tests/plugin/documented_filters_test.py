#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The filters in docs/wireshark.md and in the sample profile are filters of this plugin: documented_filters_test.py
MODULE"""

import re
import sys
import unittest

from desktop import PROFILE, ROOT
from tshark import Tshark

SAMPLE = ROOT / "samples/siw/viol-crc-error.pcap"
MODULE = ""


def of_document():
    """Second column of the table in the section "Filters"."""
    section = (ROOT / "docs/wireshark.md").read_text(encoding="utf-8").split("\n## Filters\n")[1].split("\n## ")[0]
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| ")]
    return [f for row in rows[2:] for f in re.findall(r"`([^`]+)`", row[1])]


def of_profile():
    buttons = re.findall(r'^"TRUE","[^"]+","([^"]+)"', (PROFILE / "dfilter_buttons").read_text(), re.MULTILINE)
    rules = re.findall(r"^@[^@]+@(.*)@\[[\d,]+\]\[[\d,]+\]$", (PROFILE / "colorfilters").read_text(), re.MULTILINE)
    return [f.replace("\\x22", '"') for f in buttons] + rules


class Filters(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tshark = Tshark(MODULE)

    def rejected(self, filters):
        """tshark's errors about any of them; empty: none."""
        result = self.tshark.run(["-Y", " or ".join(f"({f})" for f in filters)], SAMPLE)
        return result.stderr if result.returncode != 0 else ""

    def test_filters_of_the_document_are_accepted(self):
        self.assertGreater(len(of_document()), 15)
        self.assertEqual(self.rejected(of_document()), "")

    def test_filters_of_the_profile_are_accepted(self):
        self.assertGreater(len(of_profile()), 12)
        self.assertEqual(self.rejected(of_profile()), "")

    def test_a_field_that_is_not_there_is_rejected(self):
        self.assertNotEqual(self.rejected(["iwarp.qp", "iwarp.no_such_field"]), "")


if __name__ == "__main__":
    MODULE = sys.argv.pop(1)
    unittest.main()
