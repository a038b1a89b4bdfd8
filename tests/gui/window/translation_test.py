#!/usr/bin/env python3
"""The translations are whole: each string of gui/ has its own, with the places of the original.

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
        self.assertGreater(count, 700)

    def test_no_string_of_the_sources_is_missing(self):
        """What `translations_update` would add."""
        with tempfile.TemporaryDirectory() as folder:
            for path in sorted(FOLDER.glob("*.ts")):
                copy = Path(folder) / path.name
                shutil.copy(path, copy)
                plural = ["-pluralonly"] if path.stem.endswith("_en") else []
                subprocess.run([LUPDATE, "-silent", "-no-obsolete", "-locations", "none", *plural, GUI, "-ts", copy],
                               check=True, capture_output=True)
                for message in ElementTree.parse(copy).getroot().iter("message"):
                    where = f"{path.name}: {message.find('source').text!r}"
                    self.assertIsNone(message.find("translation").get("type"), f"{where} is missing")

    def test_mnemonics_stay_in_menus(self):
        for context, message in messages("iwarpscope-gui_de.ts"):
            source, german = message.find("source").text, "".join(message.find("translation").itertext())
            if context == "iwarpscope::gui::MainWindow" and re.match(r"&?[A-Z]", source) and "&" in source:
                self.assertIn("&", german, source)


if __name__ == "__main__":
    LUPDATE = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
