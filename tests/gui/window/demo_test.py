#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The demo of the dashboard on a machine without a display: demo_test.py BUILD_DIRECTORY

Needs Xvfb; skips without it.
"""

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/gui"))
import png  # noqa: E402  pylint: disable=wrong-import-position

BUILD = None


def demo(*arguments):
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    environment |= {"IWARPSCOPE_DASHBOARD_BUILD": str(BUILD), "LC_ALL": "C.UTF-8"}
    return subprocess.run([ROOT / "samples/dashboard", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=200, env=environment, check=False)


@unittest.skipUnless(shutil.which("Xvfb"), "Xvfb is not installed")
class Demo(unittest.TestCase):
    def test_without_a_display_says_what_the_window_shows_and_leaves_a_picture(self):
        done = demo()
        self.assertEqual(done.returncode, 0, done.stderr)
        verdict, place = done.stdout.splitlines()
        self.assertIn("Terminate", verdict)
        self.assertIn("Invalid STag", verdict)
        picture = Path(place.removeprefix("The window's picture: "))
        self.assertEqual(picture, BUILD / "dashboard.png")
        octets = picture.read_bytes()
        width, height, _, _ = png.rows(octets)
        self.assertGreater(width * height, 1000 * 500)
        found = png.colors(octets)
        self.assertGreater(len(found), 100, "text, marks and arrows have many shades")
        self.assertLess(max(found.values()), 0.97 * width * height, "the window is nearly empty")

    def test_of_a_file_that_is_none_fails_with_a_sentence_and_leaves_none(self):
        done = demo("/nowhere/none-such.pcap")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("none-such.pcap", done.stderr)
        self.assertFalse((BUILD / "dashboard.png").exists())


class Png(unittest.TestCase):
    def test_one_colour_is_seen_as_one(self):
        import struct
        import zlib

        def chunk(kind, content):
            return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        head = chunk(b"IHDR", struct.pack(">IIBBBBB", 3, 2, 8, 2, 0, 0, 0))
        for how in range(5):  # all left-out values are 0, with every filter
            body = chunk(b"IDAT", zlib.compress(bytes([how, *[0] * 9]) * 2))
            self.assertEqual(png.colors(b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b"")), {b"\0\0\0": 6})


if __name__ == "__main__":
    BUILD = Path(sys.argv.pop(1)).resolve()
    unittest.main()
