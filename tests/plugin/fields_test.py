#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Fields: each registered field occurs, the built-in dissectors' fields still match, and the generated ones are as
stored in golden/.

  fields_test.py PLUGIN IWARPSCOPE IWARPSCOPE-SYNTH SAMPLES [--update]     --update writes golden/ again
"""

import json
import os
import re
import subprocess
import sys
import unittest

import synth
from tshark import Sharkd, Tshark, frames

UPDATE = "--update" in sys.argv
PLUGIN, PROGRAM, SYNTH, SAMPLES = (sys.argv + [None] * 4)[1:5]
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")

# Together they have every field except those of findings.
COVERING = ("made/messages/all-opcodes-markers-to-responder.pcapng", "siw/term-read-oob.pcap", "siw/ulp-nvmeof-crc.pcap.gz",
            "siw/packed-lossy-send-8k-crc.pcap.gz", "made/startup/rev1-legacy-ird-ord.pcapng", "siw/viol-length-too-long.pcap",
            "made/messages/terminate-rfc5040.pcapng", "made/questions/nfs-thresholds-differ.pcapng",
            "made/messages/atomics.pcapng", "made/messages/terminate-siw.pcapng", "made/rules/rdmap.terminate-ddp-header-unexpected.pcapng",
            "made/startup/rev1-nocrc.pcapng", "siw/viol-qn-1.pcap", "made/sctp/sctp-enhanced-rtr.pcapng",
            "made/sctp/sctp-fragmented.pcapng.gz", "made/sctp/sctp-lossy.pcapng.gz")
# Fields of the built-in dissectors that the plugin does not have, or not with the same value.
DIFFERENT = {
    "iwarp_mpa.res.not_set0": "the plugin has findings: MS-06",
    "iwarp_mpa.rev.not_set1": "the plugin has findings: MS-07; revision 2 is right",
    "iwarp_mpa.reject_bit_responder": "it only says that a Reply refuses, as iwarp_mpa.rej_flag does",
    "iwarp_mpa.bad_length": "the plugin has findings: MS-11",
    "iwarp_mpa.broken_le_legacy": "the plugin has findings: MS-38",
    "iwarp_rdma.term_ddp_h": "the built-in dissectors cut it by the error type instead of the T bit",
    "iwarp_rdma.atomic.compare_data": "an operation of the first draft alone, Swap, which has no Compare Data",
    "iwarp_rdma.atomic.compare_mask": "as iwarp_rdma.atomic.compare_data",
    "iwarp_rdma.send.fragment": "of Wireshark's own putting together, which the plugin does not use",
    "iwarp_rdma.send.fragment.overlap": "as iwarp_rdma.send.fragment",
    "iwarp_rdma.send.fragment.overlap.conflict": "as iwarp_rdma.send.fragment",
    "iwarp_rdma.send.fragment.multipletails": "as iwarp_rdma.send.fragment",
    "iwarp_rdma.send.fragment.toolongfragment": "as iwarp_rdma.send.fragment",
    "iwarp_rdma.send.fragment.error": "as iwarp_rdma.send.fragment",
}
# Each opcode in a form that the built-in dissectors can read: no markers, one FPDU per TCP segment, revision 1.
EVERY_OPCODE = """
    connect; startup private-text=hello reply-private-text=yes; send a 100; send b 101; send-se a 64
    send-invalidate a stag=0x77 64; send-se-invalidate b stag=0x78 64; write a stag=0x10 to=0x1000 100
    write a stag=0x10 to=0x2000 4000; read a size=200 sink-stag=0x20 sink-to=0x30 source-stag=0x40 source-to=0x50
    send a 4000; atomic a fetch-add stag=0x10 to=0x1000 data=5; atomic a cmp-swap stag=0x10 to=0x1000 data=6 compare=5
    atomic a swap stag=0x10 to=0x1000 data=6; terminate b layer=0 type=1 code=2; close b"""

GOLDEN_SAMPLES = ("made/messages/all-opcodes-markers-to-responder.pcapng", "made/messages/atomics.pcapng", "made/messages/terminate-siw.pcapng",
                  "made/questions/hole-holds-messages-back.pcapng", "made/startup/rev1-legacy-ird-ord.pcapng", "made/startup/rev2.pcapng",
                  "made/questions/nvme-queue-too-small.pcapng", "made/questions/too-many-reads.pcapng",
                  "made/messages/packed-markers.pcapng", "made/network/fragments.pcapng", "siw/term-read-oob.pcap",
                  "made/sctp/sctp-enhanced-rtr.pcapng", "made/sctp/sctp-bundled.pcapng", "made/sctp/sctp-reordered.pcapng")
GOLDEN_FIELDS = (
    "_ws.col.Protocol", "_ws.col.Info", "iwarp.qp", "iwarp.direction", "iwarp.stream_offset", "iwarp.shown_in",
    "iwarp.sctp.session", "iwarp.sctp.tsn", "iwarp.sctp.ddp_ssn", "iwarp.sctp.length", "iwarp.sctp.shown_in",
    "iwarp.sctp.function_code", "iwarp.sctp.phase", "iwarp.sctp.answered_in", "iwarp.sctp.answers",
    "iwarp.verdict.code", "iwarp.verdict.outcome", "iwarp.verdict.blame", "iwarp.verdict.confidence",
    "iwarp.mpa.private_data.text",
    "iwarp.mpa.crc.status", "iwarp.mpa.crc.bad", "iwarp.mpa.markers", "iwarp.mpa.marker.fpduptr",
    "iwarp.mpa.fpdu.first_frame", "iwarp.placed_in", "iwarp.delivered_in", "iwarp.message", "iwarp.message.position",
    "iwarp.message.length", "iwarp.message.ddp_segments", "iwarp.message.complete", "iwarp.message.first_frame",
    "iwarp.message.ends_in", "iwarp.request_in", "iwarp.response_in", "iwarp.response_time.first",
    "iwarp.response_time", "iwarp.head_of_line_wait", "iwarp.outstanding", "iwarp.outstanding.limit",
    "iwarp.stag.first_frame", "iwarp.rdmap.atomic.result", "iwarp.rdmap.atomic.verdict",
    "iwarp.rdmap.terminate.error", "iwarp.rdmap.terminate.dialect", "iwarp.rdmap.terminate.message_in",
    "iwarp.mpa.private_data.nvme.qid", "iwarp.mpa.legacy.ird", "iwarp.mpa.legacy.ord", "iwarp.finding.code")


def names(tree):
    """For all fields in a tree; a field with subfields has them in NAME_tree."""
    found = set()
    for key, values in tree.items():
        found.add(key.removesuffix("_tree"))
        for value in values:
            if isinstance(value, dict):
                found |= names(value)
    return found


class Fields(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.ours, cls.built_in = Tshark(PLUGIN), Tshark()
        cls.sharkd = Sharkd(cls.ours)
        cls.registered = cls.fields(cls.ours)
        cls.occurring = set()
        cls.folder = synth.Folder()
        path = cls.folder.joined(*(os.path.join(SAMPLES, name) for name in COVERING))
        for tree in frames(cls.ours.run([*synth.SEPARATE, "-2", "-Y", "iwarp", "-T", "json", "-J", "frame iwarp"], path)).values():
            cls.occurring |= names(tree)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()
        cls.sharkd.close()

    @staticmethod
    def fields(shark):
        rows = shark.run(["-G", "fields"]).rows()
        return {row[2] for row in rows if row[0] == "F" and row[2].startswith(("iwarp.", "iwarp_"))}

    def test_every_field_occurs(self):
        own = {f for f in self.registered if f.startswith("iwarp.") and not self.is_rule(f)}
        own.remove("iwarp.fpdus_not_shown")  # for more than five thousand FPDUs in a frame: many_fpdus_test.py
        self.assertGreater(len(own), 100)
        self.assertEqual(sorted(own - self.occurring), [])

    def is_rule(self, field):
        """An expert information: iwarp.finding.mpa.crc_mismatch."""
        return field.startswith("iwarp.finding.") and field.count(".") > 2

    def test_every_rule_is_an_expert_information(self):
        done = subprocess.run([PROGRAM, "rules", "--format", "json"], capture_output=True, text=True, check=True)
        rules = [json.loads(line)["id"] for line in done.stdout.splitlines()]
        want = {"iwarp.finding." + rule.replace("-", "_") for rule in rules}
        self.assertEqual({f for f in self.registered if self.is_rule(f)}, want)

    def test_names_of_the_built_in_dissectors_occur_or_have_a_reason(self):
        built_in = {f for f in self.registered if f.startswith("iwarp_")}
        self.assertGreater(len(built_in), 90)
        for of_4_6 in ("iwarp_mpa.enhanced.ird", "iwarp_mpa.enhanced.D", "iwarp_mpa.legacy.ord"):
            self.assertIn(of_4_6, built_in)
        self.assertEqual(sorted(built_in - self.occurring - DIFFERENT.keys()), [])

    def test_values_under_names_of_the_built_in_dissectors_are_theirs(self):
        folder = synth.Folder(SYNTH)
        self.addCleanup(folder.cleanup)
        path = folder.play("; ".join(line.strip() for line in EVERY_OPCODE.strip().splitlines()))
        fields = sorted(self.fields(self.built_in))
        theirs, ours = (self.values(shark, fields, path) for shark in (self.built_in, self.ours))
        self.assertGreater(len(theirs), 400)
        # More values are correct: the plugin also decodes the headers that a Terminate quotes.
        different = {key for key, values in theirs.items() if ours.get(key, [])[:len(values)] != values}
        self.assertEqual(sorted({field for field, _ in different} - DIFFERENT.keys()), [])
        # A reason that is not needed any more.
        same = {field for field, _ in theirs} - {field for field, _ in different}
        self.assertEqual(sorted(same & DIFFERENT.keys()), [])

    def test_a_wrong_length_is_shown_as_it_was_sent_also_where_its_octets_are_in_an_earlier_frame(self):
        folder = synth.Folder(SYNTH)
        self.addCleanup(folder.cleanup)
        for packing in ("", "cut a 40; "):  # one frame for each FPDU; its length in another frame
            path = folder.play("connect; startup; " + packing + "alter a length=124; send a 100; " * 3 + "close a")
            self.sharkd.load(path)
            rows = self.sharkd.rows("iwarp.mpa.ulpdu_length", "iwarp.mpa.ulpdu_length", "iwarp.mpa.fpdu.first_frame")
            self.assertEqual([row[1] for row in rows], ["124"] * 3, "with " + packing)
            self.assertEqual([bool(row[2]) for row in rows], [bool(packing)] * 3)
            tree = self.ours.run(["-2", "-V", "-O", "iwarp"], path)
            self.assertEqual(tree.stdout.count("ULPDU_Length: 124 (read as 118)"), 3)

    @staticmethod
    def values(shark, fields, path):
        """By field and frame."""
        chosen = [a for field in fields for a in ("-e", field)]
        found = {}
        for frame, *values in shark.run(["-T", "fields", "-e", "frame.number", *chosen], path).rows():
            found |= {(field, int(frame)): v.split(",") for field, v in zip(fields, values) if v}
        return found

    def test_golden(self):
        for name in GOLDEN_SAMPLES:
            with self.subTest(sample=name):
                golden = os.path.join(GOLDEN, os.path.basename(name).split(".pcap")[0] + ".txt")
                self.sharkd.load(os.path.join(SAMPLES, name))
                shown = self.paragraphs(self.sharkd.rows("iwarp", *GOLDEN_FIELDS))
                if UPDATE:
                    os.makedirs(GOLDEN, exist_ok=True)
                    with open(golden, "w", encoding="utf-8") as f:
                        f.write(shown)
                with open(golden, encoding="utf-8") as f:
                    self.assertMultiLineEqual(f.read(), shown)

    def test_tshark_prints_the_fields_that_sharkd_has(self):
        chosen = [a for field in ("frame.number", *GOLDEN_FIELDS) for a in ("-e", field)]
        for name in GOLDEN_SAMPLES[:1] + GOLDEN_SAMPLES[-1:]:
            path = os.path.join(SAMPLES, name)
            printed = self.ours.run(["-2", "-Y", "iwarp", "-T", "fields", *chosen], path).rows()
            self.sharkd.load(path)
            self.assertMultiLineEqual(self.paragraphs(printed), self.paragraphs(self.sharkd.rows("iwarp", *GOLDEN_FIELDS)))

    @staticmethod
    def paragraphs(rows):
        """One per iWARP frame: its number, then one line per field."""
        text = []
        for frame, *values in rows:
            text.append(f"frame {frame}")
            # The text of Wireshark's TCP before it differs between versions.
            reported = (re.sub(r"^(\[TCP [^]]*\] ,? ?)+", "", value) for value in values)
            text += [f"  {field}: {value}" for field, value in zip(GOLDEN_FIELDS, reported) if value]
        return "\n".join(text) + "\n"


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
