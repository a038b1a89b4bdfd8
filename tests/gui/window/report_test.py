#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reports without a display: report_test.py IWARPSCOPE_GUI IWARPSCOPED IWARPSCOPE"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from html.parser import HTMLParser
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
PROGRAM = DAEMON = COMMAND_LINE = ""


def environment():
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return kept | {"IWARPSCOPED": DAEMON, "QT_QPA_PLATFORM": "none-such", "LC_ALL": "C.UTF-8"}


def run(*arguments):
    words = [one if isinstance(one, bytes) else str(one) for one in arguments]
    return subprocess.run([PROGRAM, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=40,
                          env=environment(), text=True, check=False)


class Parts(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.ids, self.links = [], set(), []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.ids |= {value for name, value in attrs if name == "id"}
        self.links += [value for name, value in attrs if name in ("href", "src")]


def part(html, start, end):
    """What is between the two, which may be missing."""
    return html.partition(start)[2].partition(end)[0]


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name) / "out.html"

    def tearDown(self):
        self.folder.cleanup()

    def test_of_a_capture_is_one_file_with_all_that_is_known(self):
        done = run("--export-report", SAMPLES / "siw/viol-crc-error.pcap", "-o", self.file)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        html = self.file.read_text(encoding="utf-8")
        parts = Parts()
        parts.feed(html)
        self.assertNotIn("script", parts.tags)
        self.assertTrue(all(link.startswith("#") for link in parts.links), parts.links)
        self.assertIn("qp0", parts.ids)
        for words in ("MF-04", "failed", "Check next", "the Reply came", "@media print", "RFC 5044", "SX-13",
                      "Content-Security-Policy"):
            self.assertIn(words, html)

    def test_says_what_the_command_line_says(self):
        """Only what the daemon does not know of the file, and its plot by the second, are different."""
        for sample in ("siw/viol-crc-error.pcap", "siw/term-write-bad-stag.pcap", "made/messages/atomics.pcapng"):
            done = run("--export-report", SAMPLES / sample, "-o", self.file)
            self.assertEqual((done.returncode, done.stderr), (0, ""), sample)
            ours = self.file.read_text(encoding="utf-8")
            theirs = subprocess.run([COMMAND_LINE, "analyze", "--format", "html", SAMPLES / sample], capture_output=True,
                                    text=True, check=True).stdout
            for start, end in (("<h2>Incident", "<h2>Throughput"), ('<p class="result"', "<dl>"), ("<h3>What happened", "</table>")):
                self.assertEqual(part(ours, start, end), part(theirs, start, end), sample)

    def test_plot_and_format_are_what_the_daemon_knows(self):
        """It counts octets by the second: a bar of milliseconds would be a rate that was not measured."""
        done = run("--export-report", SAMPLES / "siw/viol-crc-error.pcap", "-o", self.file)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        html = self.file.read_text(encoding="utf-8")
        self.assertIn("<dt>Format</dt><dd>pcap, EN10MB", html)
        self.assertIn("in steps of 1.00 s of both directions", html)
        self.assertIn(">68 octets/s</text>", html)

    def test_of_one_queue_pair_has_no_other(self):
        done = run("--export-report", SAMPLES / "siw/viol-crc-error.pcap", SAMPLES / "made/messages/atomics.pcapng", "-o", self.file,
                   "--qp", 1)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        html = self.file.read_text(encoding="utf-8")
        self.assertNotIn("SX-13", html)
        parts = Parts()
        parts.feed(html)
        self.assertEqual({one for one in parts.ids if one.startswith("qp")}, {"qp1"})

    def test_a_capture_that_is_not_whole_or_has_no_iwarp_says_so(self):
        for sample, words in (("made/rules/capture.truncated-file.pcapng", "The capture is incomplete:"),
                              ("siw/connect-closed-port.pcap", "No queue pair: no TCP connection in this capture carries MPA")):
            done = run("--export-report", SAMPLES / sample, "-o", self.file)
            self.assertEqual((done.returncode, done.stderr), (0, ""), sample)
            self.assertIn(words, self.file.read_text(encoding="utf-8"), sample)

    def test_a_file_whose_name_is_not_utf_8(self):
        path = os.fsencode(self.folder.name) + b"/caf\xe9.pcap"
        os.symlink(os.fsencode(SAMPLES / "siw/viol-crc-error.pcap"), path)
        for arguments in (("--export-report", path), (b"--export-report=" + path,)):
            done = run(*arguments, "-o", self.file)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("caf\ufffd.pcap", self.file.read_text(encoding="utf-8"))

    def test_a_signal_ends_it_and_leaves_no_temporary_files(self):
        folder = Path(self.folder.name)
        endless, place = folder / "endless.pcap", folder / "temporary"
        place.mkdir()
        header = (SAMPLES / "siw/viol-crc-error.pcap").read_bytes()[:24]
        with endless.open("wb") as file:  # with empty frames: reading takes minutes
            file.write(header)
            file.truncate(64 << 30)
        for signal_sent in (signal.SIGTERM, signal.SIGINT):
            with subprocess.Popen([PROGRAM, "--export-report", endless, "-o", self.file], stdin=subprocess.DEVNULL,
                                  env=environment() | {"TMPDIR": str(place)}) as program:
                until = time.monotonic() + 30
                while not list(place.glob("*/api")) and time.monotonic() < until:
                    time.sleep(0.05)
                self.assertTrue(list(place.glob("*/api")), "its daemon listens there")
                program.send_signal(signal_sent)
                self.assertEqual(program.wait(30), 2)
            self.assertEqual(list(place.iterdir()), [])
            self.assertFalse(self.file.exists())

    def test_trouble_is_a_sentence_and_status_2(self):
        good = SAMPLES / "siw/viol-crc-error.pcap"
        for arguments, words in (((SAMPLES / "none-such.pcap", "-o", self.file), "none-such.pcap"),
                                 ((good, "-o", "/nowhere/at/all.html"), "/nowhere/at/all.html"),
                                 ((good, "-o", self.file, "--qp", "77"), "ueue pair 77"),
                                 ((good, "-o", self.file, "--qp", "x"), "not a queue pair number"), ((good,), "--output")):
            done = run("--export-report", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)
            self.assertFalse(self.file.exists())

    def test_help_and_version_need_no_display(self):
        done = run("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("--export-report", done.stdout)
        done = run("--version")
        self.assertEqual(done.returncode, 0)
        self.assertTrue(done.stdout.startswith("iwarpscope-gui "))


if __name__ == "__main__":
    PROGRAM, DAEMON, COMMAND_LINE = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1])
