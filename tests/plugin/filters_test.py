#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random display filters on the plugin's fields, from a seed: no crash, no error message, and the same frames with each
method.

  filters_test.py PLUGIN SAMPLES [SEED]
"""

import os
import random
import sys
import unittest

from tshark import Sharkd, Tshark

PLUGIN, SAMPLES = (sys.argv + [None] * 2)[1:3]
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
FILTERS = 12  # of each capture and test
CAPTURES = ("made/messages/all-opcodes-markers.pcapng", "made/network/lossy-reordered-markers.pcapng.gz", "siw/term-read-oob.pcap",
            "made/rules/rdmap.terminate-rdma-header-wrong.pcapng", "made/messages/ordinary-http.pcapng",
            "made/sctp/sctp-bundled.pcapng", "made/sctp/sctp-reordered.pcapng")
# Fields that depend only on the frame: one pass has them, like two passes. All others may depend on later frames.
DECIDED_HERE = ("iwarp.ddp", "iwarp.rdmap.opcode", "iwarp.rdmap.read", "iwarp.mpa.ulpdu_length", "iwarp.mpa.crc",
                "iwarp.mpa.flags", "iwarp.mpa.revision", "iwarp.mpa.marker", "iwarp.payload", "iwarp_ddp", "iwarp_mpa.",
                "iwarp.sctp.tsn", "iwarp.sctp.ppid", "iwarp.sctp.length", "iwarp.sctp.function_code")
NUMBERS = ("FT_UINT8", "FT_UINT16", "FT_UINT32", "FT_UINT64", "FT_FRAMENUM")


class Filters(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ours = Tshark(PLUGIN)
        cls.sharkd = Sharkd(cls.ours)
        cls.types = {}
        for row in cls.ours.run(["-G", "fields"]).rows():
            if row[0] == "F" and row[2].startswith(("iwarp.", "iwarp_")):
                cls.types[row[2]] = row[3]

    @classmethod
    def tearDownClass(cls):
        cls.sharkd.close()

    def setUp(self):
        self.dice = random.Random(SEED)

    def frames(self, capture, only, *options):
        shown = self.ours.run([*options, "-Y", only, "-T", "fields", "-e", "frame.number"],
                              os.path.join(SAMPLES, capture))
        self.assertEqual((shown.returncode, only), (0, only), shown.stderr)
        return shown.stdout.split()

    def shown(self, only):
        """In two passes, of the capture that sharkd has loaded."""
        return [str(number) for number in self.sharkd.shown(only)]

    def test_a_made_up_filter_shows_what_it_says_of_the_fields(self):
        """Compares each -Y with the same condition on the printed fields of all frames."""
        for capture in CAPTURES:
            path = os.path.join(SAMPLES, capture)
            fields = sorted(f for f, kind in self.types.items() if kind in NUMBERS)
            chosen = self.dice.sample(fields, FILTERS)
            arguments = [a for field in chosen for a in ("-e", field)]
            rows = self.ours.run(["-2", "-T", "fields", "-e", "frame.number", *arguments], path).rows()
            self.sharkd.load(path)
            for i, field in enumerate(chosen):
                values = [int(v, 0) for row in rows for v in row[i + 1].split(",") if v]
                value = self.dice.choice(values) if values else 1
                with self.subTest(capture=capture, field=field, value=value):
                    want = [row[0] for row in rows if value in [int(v, 0) for v in row[i + 1].split(",") if v]]
                    self.assertEqual(self.shown(f"{field} == {value}"), want)
            self.assertEqual(self.frames(capture, f"{field} == {value}", "-2"), want)  # the last one in tshark, too

    def test_a_filter_and_its_contrary_show_every_frame_once(self):
        for capture in CAPTURES:
            self.sharkd.load(os.path.join(SAMPLES, capture))
            everything = self.shown("frame")
            for _ in range(FILTERS // 4):
                only = self.made_up()
                with self.subTest(capture=capture, only=only):
                    shown, rest = self.shown(only), self.shown(f"!({only})")
                    self.assertEqual(sorted(shown + rest, key=int), everything)
            self.assertEqual(self.frames(capture, only, "-2"), shown)

    def test_what_a_frame_shows_by_itself_one_pass_finds_too(self):
        fields = sorted(f for f in self.types if f.startswith(DECIDED_HERE))
        self.assertGreater(len(fields), 40)
        for capture in CAPTURES[:1] + CAPTURES[2:]:  # without loss, the last frame of each FPDU decides it
            self.sharkd.load(os.path.join(SAMPLES, capture))
            for _ in range(FILTERS // 4):
                only = self.term(self.dice.choice(fields))
                with self.subTest(capture=capture, only=only):
                    self.assertEqual(self.frames(capture, only), self.shown(only))

    def test_one_pass_lacks_only_what_was_decided_later(self):
        """Trees of one pass: two passes have all their fields, too."""
        fields = ("iwarp.qp", "iwarp.message", "iwarp.message.position", "iwarp.placed_in", "iwarp.request_in",
                  "iwarp.ddp.msn", "iwarp.rdmap.opcode", "iwarp.mpa.crc.status", "iwarp.finding.code")
        arguments = [a for field in fields for a in ("-e", field)]
        for capture in CAPTURES:
            path = os.path.join(SAMPLES, capture)
            one, two = (self.ours.run([*passes, "-T", "fields", *arguments], path).rows() for passes in ([], ["-2"]))
            self.assertEqual(len(one), len(two))
            with self.subTest(capture=capture):
                for early, late in zip(one, two):
                    for a, b in zip(early, late):
                        self.assertEqual(set(a.split(",")) - {""} - set(b.split(",")), set())

    def test_filters_do_not_change_what_is_found(self):
        """With a filter, Wireshark may build trees with only the filter's fields, or no trees."""
        for capture in CAPTURES:
            path = os.path.join(SAMPLES, capture)
            arguments = ["-2", "-T", "fields", "-e", "frame.number", "-e", "_ws.col.Info", "-e", "iwarp.finding.code"]
            rows = {row[0]: row for row in self.ours.run(arguments, path).rows()}
            for only in ("iwarp.finding", "iwarp.qp == 0", self.made_up()):
                with self.subTest(capture=capture, only=only):
                    for row in self.ours.run([*arguments, "-Y", only], path).rows():
                        self.assertEqual(row, rows[row[0]])

    def term(self, field):
        """A comparison that the field's type allows."""
        kind = self.types[field]
        choices = [field]
        if kind in NUMBERS:
            number = self.dice.choice((0, 1, 2, 3, 6, 20, 100, 255))
            choices += [f"{field} {self.dice.choice(('==', '!=', '<', '>='))} {number}", f"{field} in {{1, 2, 5..9}}"]
        elif kind == "FT_BOOLEAN":
            choices.append(f"{field} == {self.dice.choice(('0', '1'))}")
        elif kind == "FT_STRING":
            choices += [f'{field} contains "e"', f'{field} matches "^[A-Z]"']
        elif kind == "FT_BYTES":
            choices += [f"{field} contains 00:01", f"{field}[0] == 40"]
        return self.dice.choice(choices)

    def made_up(self):
        fields = sorted(self.types)
        terms = [self.term(self.dice.choice(fields)) for _ in range(self.dice.randint(1, 4))]
        only = terms[0]
        for term in terms[1:]:
            only = f"({only}) {self.dice.choice(('&&', '||'))} {self.dice.choice(('', '!'))}({term})"
        return only


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
