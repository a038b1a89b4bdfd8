#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Thirteen faults of Wireshark's built-in dissectors (found in 4.0, 4.4 and 4.6), each on a capture that shows it: the
result of the built-in dissectors, and that of the plugin. A fault that a newer Wireshark has fixed is reported, and
is no failure.

  thirteen_faults_test.py PLUGIN IWARPSCOPE-SYNTH
"""

import sys
import unittest

import octets
import synth
from tshark import Sharkd, Tshark

PLUGIN, SYNTH = sys.argv[1:3] if len(sys.argv) > 2 else (None, None)
TEN = octets.text("0123456789")


class ThirteenFaults(synth.Case):
    synth = SYNTH

    @classmethod
    def setUpClass(cls):
        cls.our_tshark, cls.built_in_tshark = Tshark(PLUGIN), Tshark()
        cls.ours, cls.built_in = Sharkd(cls.our_tshark), Sharkd(cls.built_in_tshark)

    @classmethod
    def tearDownClass(cls):
        cls.ours.close()
        cls.built_in.close()

    def capture(self, script, **preferences):
        self.path = self.folder.play(script)
        for sharkd in (self.ours, self.built_in):
            sharkd.load(self.path, **preferences)

    def rows(self, sharkd, *fields, only="tcp.len > 0"):
        """Values of the fields, one list per frame that has at least one of them, with the frame's number first."""
        return self.numbered(sharkd.rows(only, *fields))

    @staticmethod
    def numbered(rows):
        return [[int(row[0]), *row[1:]] for row in rows if any(row[1:])]

    def wrong(self, is_wrong, what):
        """Whether the built-in dissectors still have the fault."""
        if not is_wrong:
            print(f"{self.id()}: fixed in this Wireshark: {what}", file=sys.stderr)

    def messages(self, sharkd):
        """MSN of every decoded DDP segment."""
        field = "iwarp.ddp.msn" if sharkd is self.ours else "iwarp_ddp.msn"
        return [msn for row in self.rows(sharkd, field) for msn in row[1].split(",")]

    def test_01_every_send_of_a_tcp_segment_has_its_payload(self):
        self.capture('connect; startup; pack a; send a text="first message"; send a text="the second one"; '
                     'send a text="and a third"; flush; send b 10; close')
        texts = [octets.text(t) for t in ("first message", "the second one", "and a third")]
        built_in = self.rows(self.built_in, "data.data", only="frame.number == 6")
        self.wrong(built_in != [[6, ",".join(texts)]], "payload of the second and later Sends")
        self.assertEqual(self.rows(self.ours, "iwarp.payload", only="frame.number == 6"), [[6, ",".join(texts)]])
        printed = ["-2", "-T", "fields", "-Y", "frame.number == 6", "-e", "frame.number", "-e", "iwarp.payload"]
        self.assertEqual(self.our_tshark.run(printed, self.path).rows(), [["6", ",".join(texts)]])

    def test_02_markers_are_taken_out_of_the_payload(self):
        message = "00112233445566778899" * 140
        self.capture(f"connect; startup markers; send a hex={message}; send b 10; close")
        shown = "".join(row[1] for row in self.rows(self.built_in, "data.data", only="frame.number < 8"))
        self.wrong(shown != message, "marker octets in the payload")
        rows = self.rows(self.ours, "iwarp.payload", only="iwarp.direction == 0")
        self.assertEqual("".join(row[1] for row in rows), message)
        self.assertTrue(all(row[1] for row in self.rows(self.ours, "iwarp.mpa.marker", only="iwarp.payload")))

    def test_03_markers_in_one_direction_leave_the_other_decoded(self):
        self.capture("connect; startup request-markers=on reply-markers=off; repeat 3 send a 100; repeat 3 send b 700; "
                     "close")
        self.wrong(len(self.messages(self.built_in)) < 6, "markers in one direction only")
        self.assertEqual(self.messages(self.ours), ["1", "2", "3"] * 2)
        with_markers = self.rows(self.ours, "iwarp.direction", only="iwarp.mpa.marker")
        self.assertEqual({row[1] for row in with_markers}, {"1"})

    def test_04_fpdus_with_markers_need_not_fit_tcp_segments(self):
        for packing in ("pack a", "cut a 100,333"):
            with self.subTest(packing=packing):
                self.capture(f"connect; startup markers; {packing}; repeat 9 send a 200; flush; send b 10; close")
                self.wrong(len(self.messages(self.built_in)) < 10, "several or unaligned FPDUs with markers")
                self.assertEqual(self.messages(self.ours), [str(n) for n in range(1, 10)] + ["1"])

    def test_05_terminate_quotes_headers_by_the_t_bit(self):
        self.capture("connect; startup; send a 10; read-request a size=100 source-stag=0x1200 source-to=0x1000 "
                     "sink-stag=0x3400; terminate b layer=0 type=1 code=2; close b")
        quoted = self.rows(self.ours, "iwarp.rdmap.terminate.ddp_header", "iwarp.rdmap.terminate.rdma_header")
        self.assertEqual([[len(v) // 2 for v in row[1:]] for row in quoted], [[18, 28]])
        built_in = self.rows(self.built_in, "iwarp_rdma.term_ddp_h", "iwarp_rdma.term_rdma_h")
        self.wrong([row[1:] for row in built_in] != [row[1:] for row in quoted], "the quoted headers' lengths")
        inside = self.rows(self.ours, "iwarp.rdmap.read.source_stag", "iwarp.rdmap.read.sink_stag", "iwarp.ddp.qn",
                           "iwarp.rdmap.terminate.message_in", only="iwarp.rdmap.terminate")
        self.assertEqual(inside, [[quoted[0][0], "0x00001200", "0x00003400", "2,1", "7"]])

    def test_06_markers_go_on_when_sequence_numbers_wrap(self):
        self.capture("end a isn=0xfffffc00; connect; startup markers; repeat 8 send a 600; send b 10; close",
                     tcp__relative_sequence_numbers="FALSE")
        want = [str(n) for n in range(1, 9)] + ["1"]
        self.wrong(self.messages(self.built_in) != want, "markers after the sequence number wrapped")
        self.assertEqual(self.messages(self.ours), want)

    def test_07_a_message_with_a_lost_ddp_segment_is_not_called_whole(self):
        self.capture("connect; startup; mulpdu a 500; miss a skip=1; send a 1600; send b 10; close")
        last = "tcp.len > 0 && iwarp_ddp.mo == 1446"
        built_in = self.built_in_tshark.run(["-T", "fields", "-e", "iwarp_rdma.send.reassembled.length", "-Y", last],
                                            self.path)
        self.wrong(built_in.stdout.strip() == "1118", "1118 of 1600 octets are called reassembled")
        shown = self.rows(self.ours, "iwarp.message.complete", "iwarp.message.ddp_segments", only=last)
        self.assertEqual(shown, [[9, "0", "3"]])
        self.assertNotIn("DDP message", self.our_tshark.run(["-2", "-x", "-Y", last], self.path).stdout)

    def test_08_an_fpdu_may_follow_the_reply_in_its_tcp_segment(self):
        reply = octets.text("MPA ID Rep Frame") + "40010000"
        send = octets.fpdu(octets.untagged(3, 0, 1, 0) + octets.text("after the Reply"))
        self.capture(f"connect; request; stream b hex={reply}{send}; full-operation a; send a 30; close")
        built_in = self.rows(self.built_in, "iwarp_ddp.msn", only="iwarp_mpa.rep")
        self.wrong(not built_in, "an FPDU after the MPA Reply")
        self.assertEqual(self.rows(self.ours, "iwarp.ddp.msn", "iwarp.payload", only="iwarp_mpa.rep"),
                         [[5, "1", octets.text("after the Reply")]])

    def test_09_ports_of_others_may_carry_iwarp(self):
        for port in (445, 4420, 5445):
            with self.subTest(port=port):
                self.capture(f"end b port={port}; connect; startup; send a 100; send b 100; close")
                self.wrong(not self.messages(self.built_in), f"iWARP on port {port}")
                self.assertEqual(self.messages(self.ours), ["1", "1"])

    def test_10_lost_or_reordered_tcp_segments_cost_no_more_than_their_fpdus(self):
        script = "connect; startup; cut a 700,300; send a 100; {} a; repeat 8 send a 1000; close"
        for trouble, lost in (("reorder", 0), ("miss", 1)):
            with self.subTest(trouble=trouble):
                self.capture(script.format(trouble))
                want = [str(n) for n in range(1, 10)]
                del want[1:1 + lost]
                self.wrong(self.messages(self.built_in) != want, f"unaligned FPDUs and {trouble}")
                self.assertEqual(self.messages(self.ours), want)

    def test_11_cut_frames_show_their_headers(self):
        self.capture("snap 100; connect; startup; repeat 3 send a 1000; send b 10; close")
        self.wrong(not self.messages(self.built_in), "headers of cut frames")
        self.assertEqual(self.messages(self.ours), ["1", "2", "3", "1"])

    def test_12_a_bad_crc_can_be_filtered_and_is_an_expert_information(self):
        self.capture("connect; startup; fault a crc-mismatch; send a 100; send a 100; close")
        built_in = self.built_in_tshark.run(["-z", "expert", "-q"], self.path).stdout
        self.wrong("CRC" not in built_in, "a bad CRC among the expert information")
        for only in ("iwarp.mpa.crc.bad", "iwarp.mpa.crc.status == 1", "iwarp.finding.mpa.crc_mismatch"):
            self.assertEqual([row[0] for row in self.rows(self.ours, "iwarp.mpa.crc", only=only)], [6], only)
        self.assertIn("MF-04", self.our_tshark.run(["-z", "expert", "-q"], self.path).stdout)

    def test_13_revision_2_is_right_and_decoded(self):
        self.capture("connect; startup rev=2 p2p rtr=read ird=8 ord=9; send a 100; send b 10; close")
        wrong = "iwarp_mpa.rev.not_set1 || iwarp_mpa.res.not_set0 || iwarp_mpa.res == 0x10"
        self.wrong(bool(self.rows(self.built_in, "iwarp_mpa.rev", only=wrong)), "revision 2 is called wrong")
        self.assertEqual(self.rows(self.ours, "_ws.expert", only="iwarp_mpa.req"), [])
        shown = self.rows(self.ours, "iwarp.mpa.revision", "iwarp.mpa.enhanced.ird", "iwarp.mpa.enhanced.ord",
                          "iwarp.mpa.enhanced.peer_to_peer", "iwarp.mpa.enhanced.rtr_read", only="iwarp_mpa.req")
        self.assertEqual(shown, [[4, "2", "8", "9", "1", "1"]])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
