#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Each string of gui/ with a count has its English plural, with the placeholders of the original.

translation_test.py LUPDATE
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

GUI = Path(__file__).resolve().parents[3] / "gui"
FOLDER = GUI / "share/translations"
LUPDATE = ""


def messages(name):
    for context in ElementTree.parse(FOLDER / name).getroot().iter("context"):
        for message in context.iter("message"):
            yield context.find("name").text, message


def places(text):
    return sorted(re.findall(r"%L?\d", text))


class Translations(unittest.TestCase):
    def test_each_string_has_one_with_the_same_places(self):
        count = 0
        for path in sorted(FOLDER.glob("*.ts")):
            for context, message in messages(path.name):
                source, translation = message.find("source").text, message.find("translation")
                where = f"{path.name}, {context}: {source!r}"
                self.assertIsNone(translation.get("type"), f"{where} is not translated")
                forms = [form.text for form in translation.findall("numerusform")] or [translation.text]
                for form in forms:
                    self.assertTrue(form, f"{where} is empty")
                    self.assertEqual(places(form), places(source), where)
                if message.get("numerus"):
                    self.assertEqual(len(forms), 2, where)
                    self.assertRegex(forms[1], "%L?n", where)
                count += 1
        self.assertGreater(count, 40)

    def test_no_string_of_the_sources_is_missing(self):
        """Strings that `translations_update` would add."""
        with tempfile.TemporaryDirectory() as folder:
            for path in sorted(FOLDER.glob("*.ts")):
                copy = Path(folder) / path.name
                shutil.copy(path, copy)
                subprocess.run([LUPDATE, "-silent", "-no-obsolete", "-locations", "none", "-pluralonly", GUI, "-ts", copy],
                               check=True, capture_output=True)
                for message in ElementTree.parse(copy).getroot().iter("message"):
                    where = f"{path.name}: {message.find('source').text!r}"
                    self.assertIsNone(message.find("translation").get("type"), f"{where} is missing")


if __name__ == "__main__":
    LUPDATE = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
