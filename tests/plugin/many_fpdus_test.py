#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A frame that makes more FPDUs deliverable than a tree can hold: many_fpdus_test.py PLUGIN PROGRAM SYNTH"""

import os
import struct
import subprocess
import sys
import tempfile
import unittest

import reports
from tshark import Tshark

PLUGIN = PROGRAM = SYNTH = ""
FILE_HEADER, RECORD_HEADER = 24, 16
MOST_SHOWN = 5000


def records(octets):
    """The frames of a classic little-endian pcap: (seconds, fraction, octets)."""
    at = FILE_HEADER
    while at < len(octets):
        seconds, fraction, size, _ = struct.unpack_from("<IIII", octets, at)
        at += RECORD_HEADER
        yield seconds, fraction, octets[at:at + size]
        at += size


def payload(frame):
    """Source port and TCP payload of Ethernet, IPv4 and TCP."""
    ip = 14
    tcp = ip + (frame[ip] & 0x0F) * 4
    end = ip + struct.unpack_from(">H", frame, ip + 2)[0]
    return struct.unpack_from(">H", frame, tcp)[0], frame[tcp + (frame[tcp + 12] >> 4) * 4:end]


def with_a_hole(octets, port):
    """One connection, without ACKs of its data; its first TCP segment with FPDUs comes after all others."""
    startup, data = [], []
    for seconds, fraction, frame in records(octets):
        source, carried = payload(frame)
        destination = struct.unpack_from(">H", frame, 36)[0]
        if port not in (source, destination):
            continue
        if len(data) == 0 and len(startup) < 5:
            startup.append(frame)
        elif source == port and carried:
            data.append(frame)
    frames = startup + data[1:] + data[:1]
    out = bytearray(octets[:FILE_HEADER])
    for number, frame in enumerate(frames):
        out += struct.pack("<IIII", 1, number * 1000, len(frame), len(frame)) + frame
    return bytes(out), len(frames)


class ManyFpdus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        whole = os.path.join(cls.directory.name, "whole.pcap")
        subprocess.run([SYNTH, "small", "--octets", "2500k", "--format", "pcap", "--microseconds", "-o", whole], check=True)
        with open(whole, "rb") as file:
            octets, cls.last = with_a_hole(file.read(), 20000)
        cls.capture = os.path.join(cls.directory.name, "hole.pcap")
        with open(cls.capture, "wb") as out:
            out.write(octets)
        [(_, cls.report)] = reports.each(PROGRAM, [cls.capture])
        cls.fpdus = sum(qp[d]["fpdus"] for qp in cls.report.qps for d in ("a_to_b", "b_to_a"))
        cls.shark = Tshark(PLUGIN)

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def test_the_capture_is_what_it_is_meant_to_be(self):
        self.assertGreater(self.fpdus, MOST_SHOWN + 100)

    def test_the_tree_says_how_many_it_leaves_out(self):
        rows = self.shark.run(["-T", "fields", "-Y", "iwarp.fpdus_not_shown", "-e", "frame.number", "-e",
                               "iwarp.fpdus_not_shown", "-e", "iwarp.mpa.ulpdu_length"], self.capture).rows()
        self.assertEqual([row[:2] for row in rows], [[str(self.last), str(self.fpdus - MOST_SHOWN)]])
        self.assertEqual(len(rows[0][2].split(",")), MOST_SHOWN)

    def test_statistics_count_all_of_them(self):
        tree = self.shark.run(["-q", "-z", "iwarp,ops,tree"], self.capture).stdout
        line = next(line for line in tree.splitlines() if line.startswith("FPDUs"))
        self.assertIn(str(self.fpdus), line.split())

    def test_findings_are_those_of_the_report(self):
        want = sorted((f["code"], f["frame"]) for f in self.report.findings)
        rows = self.shark.run(["-2", "-T", "fields", "-Y", "iwarp.finding", "-e", "frame.number", "-e",
                               "iwarp.finding.code"], self.capture).rows()
        self.assertEqual(sorted((code, int(number)) for number, codes in rows for code in codes.split(",")), want)
        self.assertTrue(want)


if __name__ == "__main__":
    PLUGIN, PROGRAM, SYNTH = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
