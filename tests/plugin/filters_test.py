#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random display filters on the plugin's fields, from a seed: no crash, no error message, and the same frames with each
method.

  filters_test.py PLUGIN SAMPLES [SEED]

sharkd answers for each capture alone; tshark reads all captures joined into one.
"""

import os
import random
import sys
import unittest

import synth
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
        cls.folder = synth.Folder()
        cls.joined = cls.folder.joined(*map(cls.path, CAPTURES))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()
        cls.sharkd.close()

    def setUp(self):
        self.dice = random.Random(SEED)

    @staticmethod
    def path(capture):
        return os.path.join(SAMPLES, capture)

    def printed(self, path, *options, fields=("frame.number",)):
        chosen = [part for field in fields for part in ("-e", field)]
        shown = self.ours.run([*options, *synth.SEPARATE, "-T", "fields", *chosen], path)
        self.assertEqual((shown.returncode, options), (0, options), shown.stderr)
        return shown.rows()

    def frames(self, path, only, *options):
        return [row[0] for row in self.printed(path, *options, "-Y", only)]

    def shown(self, only):
        """In two passes, of the capture that sharkd has loaded."""
        return [str(number) for number in self.sharkd.shown(only)]

    def ranges(self, captures):
        """The numbers of each capture's first and last frame in all joined into one."""
        found, end = [], 0
        for capture in captures:
            self.sharkd.load(self.path(capture))
            found.append((end + 1, end + self.sharkd.count))
            end += self.sharkd.count
        return found

    def of_each(self, captures, made):
        """A filter that asks each capture another question, made by `made`, of the captures joined into one."""
        return " || ".join(f"(frame.number >= {begin} && frame.number <= {end} && ({made()}))"
                           for begin, end in self.ranges(captures))

    def test_a_made_up_filter_shows_what_it_says_of_the_fields(self):
        """Compares each filter with the same condition on the printed fields of all frames."""
        fields = sorted(f for f, kind in self.types.items() if kind in NUMBERS)
        chosen = [self.dice.sample(fields, FILTERS) for _ in CAPTURES]
        columns = sorted(set(sum(chosen, [])))
        printed = [[[int(v, 0) for v in cell.split(",") if v] for cell in row]
                   for row in self.printed(self.joined, "-2", fields=("frame.number", *columns))]
        ranges = self.ranges(CAPTURES)
        self.sharkd.load(self.joined, iwarp__separate_interfaces="TRUE")
        for capture, mine, (begin, end) in zip(CAPTURES, chosen, ranges):
            for field in mine:
                at = 1 + columns.index(field)
                values = [v for row in printed[begin - 1:end] for v in row[at]]
                value = self.dice.choice(values) if values else 1
                only = f"{field} == {value}"
                with self.subTest(capture=capture, only=only):
                    want = [str(row[0][0]) for row in printed if value in row[at]]
                    self.assertEqual(self.shown(only), want)
        self.assertEqual(self.frames(self.joined, only, "-2"), want)  # the last one in tshark, too

    def test_a_filter_and_its_contrary_show_every_frame_once(self):
        for capture in CAPTURES:
            self.sharkd.load(self.path(capture))
            everything = self.shown("frame")
            for _ in range(FILTERS // 4):
                only = self.made_up()
                with self.subTest(capture=capture, only=only):
                    shown, rest = self.shown(only), self.shown(f"!({only})")
                    self.assertEqual(sorted(shown + rest, key=int), everything)
        self.assertEqual(self.frames(self.path(capture), only, "-2"), shown)

    def test_what_a_frame_shows_by_itself_one_pass_finds_too(self):
        fields = sorted(f for f in self.types if f.startswith(DECIDED_HERE))
        self.assertGreater(len(fields), 40)
        captures = CAPTURES[:1] + CAPTURES[2:]  # without loss, the last frame of each FPDU decides it
        path = self.folder.joined(*map(self.path, captures))
        asked = [self.of_each(captures, lambda: self.term(self.dice.choice(fields))) for _ in range(FILTERS // 4)]
        self.sharkd.load(path, iwarp__separate_interfaces="TRUE")
        for only in asked:
            with self.subTest(only=only):
                shown = self.shown(only)
                self.assertNotEqual(shown, [])
                self.assertEqual(self.frames(path, only), shown)

    def test_one_pass_lacks_only_what_was_decided_later(self):
        """Trees of one pass: two passes have all their fields, too."""
        fields = ("iwarp.qp", "iwarp.message", "iwarp.message.position", "iwarp.placed_in", "iwarp.request_in",
                  "iwarp.ddp.msn", "iwarp.rdmap.opcode", "iwarp.mpa.crc.status", "iwarp.finding.code")
        one, two = (self.printed(self.joined, *passes, fields=("frame.number", *fields)) for passes in ([], ["-2"]))
        self.assertEqual(len(one), len(two))
        for early, late in zip(one, two):
            with self.subTest(frame=late[0]):
                for a, b in zip(early, late):
                    self.assertEqual(set(a.split(",")) - {""} - set(b.split(",")), set())

    def test_filters_do_not_change_what_is_found(self):
        """With a filter, Wireshark may build trees with only the filter's fields, or no trees."""
        fields = ("frame.number", "_ws.col.Info", "iwarp.finding.code")
        rows = {row[0]: row for row in self.printed(self.joined, "-2", fields=fields)}
        for only in ("iwarp.finding", "iwarp.qp < 3", self.made_up(), self.of_each(CAPTURES, self.made_up)):
            with self.subTest(only=only):
                for row in self.printed(self.joined, "-2", "-Y", only, fields=fields):
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
