#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""HTML reports of every sample and of hostile captures: html_report_test.py IWARPSCOPE IWARPSCOPE_SYNTH SAMPLES"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "started"))
import analyzed  # pylint: disable=wrong-import-position
import text_report_test  # pylint: disable=wrong-import-position
from started import Started  # pylint: disable=wrong-import-position

PROGRAM, SYNTH = Started(""), ""
SAMPLES = pathlib.Path()
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
HOSTILE = "<script>alert(1)</script>'\"&"


class Page(HTMLParser):
    """The elements of a report, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.links, self.policies, self.parts, self.others = [], [], [], [], [], []
        self.feed(text)
        self.close()
        self.text = " ".join("".join(self.parts).split())

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append(tag)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given[name] for name in ("href", "src", "data", "action") if name in given]
        self.others += [name for name in given if name.startswith("on") or name == "style"]
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policies.append(given["content"])

    def handle_data(self, data):
        if self.tags[-1:] != ["style"]:
            self.parts.append(data)


def report(*arguments):
    """A damaged file is read as far as possible, and reported as damaged."""
    return PROGRAM.run("analyze", *arguments).stdout


def html(*arguments):
    return report("--format", "html", *arguments)


def synth(path, script):
    done = subprocess.run([SYNTH, "script", "-o", str(path)], input=script, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)


class Safe(unittest.TestCase):
    def check_safe(self, text):
        page = Page(text)
        self.assertEqual(page.policies, [POLICY])
        self.assertFalse({"script", "iframe", "object", "embed", "img", "link", "form", "base"} & set(page.tags))
        self.assertEqual(page.others, [])
        self.assertTrue(all(link.startswith("#") for link in page.links), page.links)
        self.assertTrue(all(link[1:] in page.ids for link in page.links), page.links)
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertIsNone(re.search(r"url\(|@import|javascript:", text))
        return page


class OfEverySample(Safe):
    def test_has_the_counts_of_the_text_report(self):
        samples = analyzed.captures(SAMPLES)
        self.assertGreater(len(samples), 100)
        for sample, words in zip(samples, text_report_test.reports(report("--color", "never", *samples)), strict=True):
            with self.subTest(sample=str(sample.relative_to(SAMPLES))):
                page = self.check_safe(html(sample))
                result = re.search(r"^Result +((?:.|\n {9})+)", words, re.MULTILINE).group(1)
                self.assertIn(" ".join(result.split()), page.text)
                counts = re.search(r"^Findings: (.*)$", words, re.MULTILINE)
                self.assertIn(counts.group(0) if counts else "Findings: 0 errors, 0 warnings, 0 notes", page.text)
                table = re.search(r"^(\d[^\n]*queue pairs?)", words, re.MULTILINE)
                if table:
                    self.assertIn(table.group(1).split(",")[0], page.text)


class Plot(unittest.TestCase):
    def test_names_of_flags_are_beside_each_other(self):
        text = html(SAMPLES / "siw/many-100-rping-crc.pcap.gz")
        flags = [float(x) for x in re.findall(r'<text class="bad" x="([0-9.]+)"', text)]
        self.assertGreater(len(flags), 2)
        self.assertNotIn('text-anchor="end">&#9873;', text)
        edges = flags + [960]  # of the picture
        self.assertGreaterEqual(min(right - left for left, right in zip(edges, edges[1:])), 60)

    def test_bars_are_as_wide_as_their_steps(self):
        text = html(SAMPLES / "siw/many-100-rping-crc.pcap.gz")
        bars = [(float(x), float(to)) for x, to in re.findall(r"M([0-9.]+) [0-9.]+v[0-9.-]+H([0-9.]+)V", text)]
        self.assertGreater(len(bars), 20)
        step, unit = re.search(r"in steps of ([0-9.]+) (\w+)", text).groups()
        self.assertEqual(unit, "ms")
        length = float(re.search(r">\+([0-9.]+) s</text>", text).group(1))
        for x, to in bars:
            self.assertAlmostEqual(to - x, 790 * float(step) / 1000 / length, delta=0.3)


class WorstFirst(unittest.TestCase):
    def test_queue_pairs_whose_losses_were_repaired_come_before_the_others(self):
        text = html(SAMPLES / "siw/many-100-rping-crc.pcap.gz")
        outcomes = re.findall(r'<span class="chip \w+">(failed|completed[^<]*)<', text)
        self.assertEqual(len(outcomes), 100)
        order = ["failed", "completed, with losses repaired", "completed"]
        self.assertEqual(outcomes, sorted(outcomes, key=order.index))

    def test_findings(self):
        text = html(SAMPLES / "siw/viol-crc-error.pcap").partition("<h3>Findings:")[2].partition("</table>")[0]
        self.assertEqual(re.findall(r'<span class="chip (\w+)">', text), ["error", "warning", "note"])


class Hostile(Safe):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "a.pcapng"

    def tearDown(self):
        self.folder.cleanup()

    def test_private_data_is_text(self):
        synth(self.path, f"connect\nstartup rev=2 private={HOSTILE.encode().hex()}\nsend a 10\nreset b\n")
        self.assertIn(HOSTILE, report("--qp", 0, self.path))
        page = self.check_safe(html(self.path))
        self.assertIn(HOSTILE, page.text)

    def test_a_file_name_is_text(self):
        synth(self.path, "connect\nstartup\nclose\n")
        other = self.path.with_name("<b onload=x>&\"'\u202e.pcapng")
        self.path.rename(other)
        self.assertIn("<b onload=x>&\"'", self.check_safe(html(other)).text)

    def test_a_capture_of_any_time_has_a_plot(self):
        synth(self.path, "connect\nstartup\nsend a 1000\nsend b 500\nclose\n")
        octets = bytearray(self.path.read_bytes())
        # The time of the last enhanced packet: the highest there is.
        blocks, at = [], 0
        while at < len(octets):
            if octets[at:at + 4] == b"\x06\0\0\0":
                blocks.append(at)
            at += int.from_bytes(octets[at + 4:at + 8], "little")
        for time in (b"\xff" * 8, b"\xff\xff\xff\x7f\xff\xff\xff\xff", b"\0" * 8):
            octets[blocks[-4] + 12:blocks[-4] + 20] = time
            self.path.write_bytes(octets)
            self.assertIn("svg", self.check_safe(html(self.path)).tags)


class Size(Safe):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "a.pcapng"

    def tearDown(self):
        self.folder.cleanup()

    def test_a_thousand_healthy_queue_pairs_take_less_than_a_megabyte(self):
        one = "connect\nstartup\nsend a 100\nsend b 100\nclose\n"
        synth(self.path, "connection\n".join([one] * 1000))
        text = html(self.path)
        page = self.check_safe(text)
        self.assertIn("1000 completed", page.text)
        self.assertGreater(page.tags.count("tr"), 1000)
        self.assertLess(len(text.encode()), 1_000_000)

    def test_many_failed_queue_pairs_are_bounded_and_counted(self):
        one = "connect\nstartup\nread-request a\nreset b\n"
        synth(self.path, "connection\n".join([one] * 3000))
        text = html(self.path)
        page = self.check_safe(text)
        self.assertLess(len(text.encode()), 2_000_000)
        self.assertEqual(len([one for one in page.ids if one.startswith("qp")]), 50)
        self.assertIn("3000 failed", page.text)
        self.assertIn("The 1000 worst are listed; 2000 more are only counted.", page.text)
        self.assertIn("2950 queue pairs more that did not end well are not described here.", page.text)


class Output(unittest.TestCase):
    def test_goes_to_a_file_or_to_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            sample, out = SAMPLES / "siw/viol-crc-error.pcap", pathlib.Path(folder) / "out.html"
            done = PROGRAM.run("analyze", "--format", "html", sample, "-o", out)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            self.assertIn("MF-04", out.read_text(encoding="utf-8"))
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [out])
            for arguments, words in ((("none-such.pcap", "-o", f"{folder}/b.html"), "none-such.pcap"),
                                     ((sample, "-o", "/nowhere/b.html"), "/nowhere/b.html: cannot be written"),
                                     ((sample, sample), "takes one FILE")):
                done = PROGRAM.run("analyze", "--format", "html", *arguments)
                self.assertEqual(done.returncode, 2, arguments)
                self.assertIn(words, done.stderr)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [out])


if __name__ == "__main__":
    SYNTH, SAMPLES = sys.argv[2], pathlib.Path(sys.argv[3])
    with Started(sys.argv[1]) as PROGRAM:
        unittest.main(argv=sys.argv[:1] + sys.argv[4:])
