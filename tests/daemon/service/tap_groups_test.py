#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The same addresses, ports and sequence numbers on two interfaces of one capture, through `iwarpscope analyze` and
through iwarpscoped. Usage: tap_groups_test.py IWARPSCOPE IWARPSCOPED SYNTH"""

import json
import struct
import subprocess
import sys
import unittest
from pathlib import Path

from running import Folder, Running

PROGRAM, DAEMON, SYNTH = sys.argv[1:4]


def block(kind, body):
    body += bytes(-len(body) % 4)
    return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)


def interface(name):
    name = name.encode()
    return block(1, struct.pack("<HHI", 1, 0, 0) + struct.pack("<HH", 2, len(name)) + name + bytes(-len(name) % 4)
                 + struct.pack("<HHB3xHH", 9, 1, 9, 0, 0))


def frames(file):
    """Of a capture that iwarpscope-synth made: time in nanoseconds, octets."""
    at, all_of_it = 0, []
    while at < len(file):
        kind, length = struct.unpack_from("<II", file, at)
        if kind == 6:
            _, high, low, captured, _ = struct.unpack_from("<IIIII", file, at + 8)
            all_of_it.append((high << 32 | low, file[at + 28:at + 28 + captured]))
        at += length
    return all_of_it


class TapGroups(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keeper = Folder()
        cls.folder = cls.keeper.__enter__().path
        cls.addClassCleanup(cls.keeper.__exit__)
        lists = [cls.traffic("small", 3, 100), cls.traffic("large", 5, 300)]
        cls.capture = cls.folder / "two.pcapng"
        cls.write(cls.capture, lists)
        cls.copies = cls.folder / "copies.pcapng"
        cls.write(cls.copies, [lists[0], lists[0]])

    @classmethod
    def traffic(cls, name, sends, size):
        script = "connect; startup; " + f"send a {size}; send b {size}; " * sends + "close"
        made = cls.folder / f"{name}.pcapng"
        subprocess.run([SYNTH, "script", "-o", made, "-e", script], check=True)
        return frames(made.read_bytes())

    @staticmethod
    def write(file, lists):
        named = [interface("left"), interface("right")]
        packets = sorted((time, number, octets) for number, some in enumerate(lists) for time, octets in some)
        file.write_bytes(block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)) + b"".join(named) + b"".join(
            block(6, struct.pack("<IIIII", number, time >> 32, time & 0xFFFFFFFF, len(octets), len(octets)) + octets)
            for time, number, octets in packets))

    def analyze(self, *options, file=None):
        run = subprocess.run([PROGRAM, "analyze", "--format", "json", *options, file or self.capture],
                             capture_output=True, text=True, check=True)
        records = [json.loads(line) for line in run.stdout.splitlines()]
        return ([r for r in records if r["record"] == "qp"], records[-1])

    def expect_two(self, *options):
        qps, summary = self.analyze(*options)
        self.assertEqual(summary["errors"], 0, options)
        self.assertEqual(sorted(q["a_to_b"]["messages"]["send"] for q in qps), [3, 5], options)

    def test_groups_are_networks_of_their_own(self):
        for options in (["--separate-interfaces"], ["--tap-group", "left", "--tap-group", "right"],
                        ["--tap-group", "left"], ["--tap-group", "1"], ["--tap-group", "0,unused", "--threads", "3"],
                        ["--separate-interfaces", "--tap-group", "right"]):
            self.expect_two(*options)

    def test_a_group_sees_one_network(self):
        for options in ([], ["--tap-group", "left,right"], ["--tap-group", "0, 1", "--separate-interfaces"]):
            qps, summary = self.analyze(*options, file=self.copies)
            self.assertEqual((len(qps), summary["errors"]), (1, 0), options)

    def test_wrong_lists_are_refused(self):
        for option, said in (("left,", "without a name"), ("left,left", "listed twice")):
            run = subprocess.run([PROGRAM, "analyze", "--tap-group", option, self.capture], capture_output=True, text=True,
                                 check=False)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(said, run.stderr)

    def daemon_sees(self, keys):
        (self.folder / "events.jsonl").unlink(missing_ok=True)
        sections = f'[capture]\nreplay = ["{self.capture}"]\n{keys}\n[event_log]\nqueue_pairs = true\n'
        with Running(DAEMON, self.folder, sections, ["--exit-at-end"]) as daemon:
            self.assertEqual(daemon.process.wait(30), 0, daemon.said())
        lines = (self.folder / "events.jsonl").read_text().splitlines()
        return [r for r in map(json.loads, lines) if r["record"] == "qp"]

    def test_the_daemon_has_the_same_groups(self):
        for keys in ("separate_interfaces = true", 'tap_groups = ["left", "right"]', 'tap_groups = ["1"]'):
            qps = self.daemon_sees(keys)
            self.assertEqual(sorted(q["a_to_b"]["messages"]["send"] for q in qps), [3, 5], keys)

    def test_the_daemon_refuses_wrong_groups(self):
        file = self.folder / "wrong.toml"
        for keys, said in (('tap_groups = ["a,a"]', "listed twice"), ('tap_groups = ["a,b"]', '"b" is not captured on')):
            file.write_text(f'[capture]\ninterfaces = ["a"]\n{keys}\n')
            run = subprocess.run([DAEMON, "--check-config", file], capture_output=True, text=True, check=False)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(said, run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
