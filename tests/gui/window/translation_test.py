#!/usr/bin/env python3
"""The translations are whole: each string of gui/share/translations has its own, with the places of the original.

translation_test.py
"""

import re
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "gui/share/translations"


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
                    self.assertIn("%n", forms[1], where)
                count += 1
        self.assertGreater(count, 700)

    def test_mnemonics_stay_in_menus(self):
        for context, message in messages("iwarpscope-gui_de.ts"):
            source, german = message.find("source").text, "".join(message.find("translation").itertext())
            if context == "iwarpscope::gui::MainWindow" and re.match(r"&?[A-Z]", source) and "&" in source:
                self.assertIn("&", german, source)


if __name__ == "__main__":
    unittest.main()
