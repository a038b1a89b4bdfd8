#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin in Wireshark's window: gui_test.py MODULE

Opens a sample, selects a frame, expands its tree, opens the statistics, then quits Wireshark. Reads the screen: the
rows have the colours of the profile's rules on the plugin's fields. Skipped (77) without Wireshark's window, Xvfb or
xdotool.
"""

import re
import shutil
import sys
import unittest

from desktop import FAULTS, HEIGHT, PROFILE, ROOT, Desktop, Screenshot, eventually

SAMPLE = ROOT / "samples/siw/viol-crc-error.pcap"  # frame 4: MPA Request, 8: a Send with a bad CRC, 9: Terminate
PROGRAMS = ["wireshark", "Xvfb", "xdotool"]
MODULE = ""
ROW = 500  # minimum pixels of its background in a row
EXPERT_ERROR = (0xFF, 0x5C, 0x5C)  # colour that Wireshark uses for trees with an error in them
LOWER = HEIGHT // 2


def colours():
    """The background of each of the profile's rules: {name: (red, green, blue)}."""
    rules = re.findall(r"^@([^@]+)@.*@\[(\d+),(\d+),(\d+)\]\[", (PROFILE / "colorfilters").read_text(), re.MULTILINE)
    return {name: tuple(int(c) >> 8 for c in colour) for name, *colour in rules}


def rows(screenshot, colour):
    return screenshot.count(colour) >= ROW


class Gui(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.desktop = Desktop(MODULE)
        cls.desktop.__enter__()
        cls.addClassCleanup(cls.desktop.__exit__)

    def open(self, *arguments):
        window = self.desktop.open(SAMPLE, *arguments)
        window.__enter__()
        self.addCleanup(window.__exit__)
        return window

    def wait_for_rows(self, *names):
        """The screen, when it shows rows of all these rules."""
        def shown():
            screenshot = self.desktop.screenshot()
            return screenshot if all(rows(screenshot, colours()[name]) for name in names) else None
        return eventually(f"rows of {names}", shown)

    def quit(self, window):
        self.assertEqual(window.quit(), 0, window.log())
        self.assertIsNone(FAULTS.search(window.log()), window.log())

    def test_sample_is_coloured_by_what_the_plugin_finds_and_its_tree_unfolds(self):
        window = self.open("-g", "8")
        before = self.wait_for_rows("Terminate", "MPA startup")
        self.assertFalse(rows(before, colours()["Bad CRC"]), "frame 8 should be selected")
        y = eventually("iWARP's tree", lambda: self.desktop.screenshot().first_row(EXPERT_ERROR, 200, LOWER))
        self.desktop.xdotool("mousemove", 200, y + 4, "click", 1)
        window.press(lambda: before.differing(self.desktop.screenshot(), (0, y + 20, 600, HEIGHT - 60)) > 2000,
                     "more of the tree", "shift+Right")
        self.quit(window)

    def test_display_filter_hides_other_rows(self):
        window = self.open("-Y", "iwarp.mpa.request || iwarp.rdmap.terminate")
        shown = self.wait_for_rows("Terminate")
        for name in ["Bad CRC", "TCP reset"]:
            self.assertFalse(rows(shown, colours()[name]), name)
        self.quit(window)

    def test_statistics_open_from_the_command_line(self):
        for name, title in [("iwarp,qp", "Queue Pairs"), ("iwarp,findings", "Findings")]:
            with self.subTest(name), self.desktop.open(SAMPLE, "-z", name) as window:
                window.wait_for(rf".*iWARP {title}.*")
                self.quit(window)

    def test_statistics_open_from_the_menu(self):
        window = self.open()
        self.wait_for_rows("Terminate")
        # The last submenu, and its first entry.
        window.press(lambda: window.find(".*Operations.*"), "Operations", "Escape", "Escape", "alt+s", "Up", "Right", "Return")
        self.quit(window)


class Instruments(unittest.TestCase):
    def test_pixels_are_counted_where_they_are(self):
        row = bytes([3, 2, 1, 0, 9, 9, 9, 0, 3, 2, 1, 0])
        screenshot = Screenshot(3, 2, [row, bytes(12)])
        self.assertEqual(screenshot.count((1, 2, 3)), 2)
        self.assertEqual(screenshot.count((1, 2, 3), (1, 0, 3, 2)), 1)
        self.assertEqual(screenshot.count((2, 1, 0)), 0)  # an octet off
        self.assertEqual(screenshot.first_row((0, 0, 0), 2, 0), 1)
        self.assertIsNone(screenshot.first_row((1, 2, 3), 1, 1))
        self.assertEqual(screenshot.differing(Screenshot(3, 2, [row, row]), (0, 0, 3, 2)), 3)

    def test_faults_in_a_log_are_found(self):
        for line in ["GLib-CRITICAL **: x", "Dissector bug, protocol iWARP", "The plugin 'iwarpscope.so' has no version"]:
            self.assertIsNotNone(FAULTS.search(line), line)
        self.assertIsNone(FAULTS.search("nl80211 not found."))

    def test_profile_has_the_rules_that_are_looked_for(self):
        self.assertLessEqual({"Terminate", "Bad CRC", "MPA startup", "TCP reset"}, set(colours()))


if __name__ == "__main__":
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        print("Skipped: there is no", ", ".join(missing))
        sys.exit(77)
    MODULE = sys.argv.pop(1)
    unittest.main()
