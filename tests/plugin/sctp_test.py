#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""DDP over SCTP: chunks, session control messages, several queue pairs in a packet, and the effect of passes and
options.

  sctp_test.py PLUGIN IWARPSCOPE-SYNTH SAMPLES
"""

import json
import os
import sys
import unittest

import synth
from tshark import Sharkd, Tshark, frames, nodes, values

PLUGIN, SYNTH, SAMPLES = (sys.argv + [None] * 3)[1:4]
# Wireshark's own SCTP shows the same values for a DATA chunk.
OWN = ("sctp.data_tsn_raw", "sctp.data_sid", "sctp.data_payload_proto_id")
OPENING, OPEN, ACTIVE_CLOSED, CLOSED, REJECTED = 1, 3, 4, 6, 7  # sctp::SessionPhase
SEVERAL_WAYS = ("sctp-session", "sctp-bundled", "sctp-fragmented", "sctp-retransmitted", "sctp-reordered", "sctp-multihomed",
                "sctp-sessions-in-turn", "sctp-udp", "sctp-ip-fragments", "sctp-snap", "sctp-lossy", "sctp-midstream")


def first(node, field):
    """None: the node has no such field below it."""
    found = values(node, field)
    return found[0] if found else None


def chunks(tree):
    return list(nodes(tree, "iwarp.sctp.tsn"))


class Sctp(synth.Case):
    maxDiff = None
    synth = SYNTH

    @classmethod
    def setUpClass(cls):
        cls.ours, cls.built_in = Tshark(PLUGIN), Tshark()
        cls.sharkd, cls.own = Sharkd(cls.ours), Sharkd(cls.built_in)

    @classmethod
    def tearDownClass(cls):
        cls.sharkd.close()
        cls.own.close()

    @staticmethod
    def sample(name):
        return next(path for folder in ("sctp", "rules") for end in (".pcapng", ".pcapng.gz")
                    if os.path.exists(path := os.path.join(SAMPLES, "made", folder, name + end)))

    def shown(self, path):
        self.sharkd.load(path)
        return self.sharkd.frames(hidden=True)

    def printed(self, path):
        return frames(self.ours.run(["-2", "-Y", "iwarp", "-T", "json", "-J", "frame iwarp"], path))

    def controls(self, shown):
        """Frame, queue pair and node of each session control message."""
        return [(frame, first(part, "iwarp.qp"), node) for frame, tree in shown.items() for part in tree["iwarp"]
                for node in nodes(part, "iwarp.sctp.function_code")]

    def test_each_function_code_is_shown_with_its_answer_and_phase(self):
        shown = self.shown(self.folder.play(
            "sctp; connect; startup private-text=hello; close; sctp-stream 1; startup reject; sctp-stream 2\n"
            "startup ird=5 ord=3 p2p rtr=read; read a size=0; close; sctp-stream 3; startup ird=1 ord=2 reject; shutdown"
            .replace("\n", "; ")))
        reported = [(qp, *(first(n, "iwarp.sctp." + f) for f in ("stream", "ddp_ssn", "function_code", "phase")))
                for _, qp, n in self.controls(shown)]
        self.assertEqual([row[:4] for row in reported],
                         [("0", "0", "0", "1"), ("0", "0", "0", "2"), ("0", "0", "1", "4"), ("0", "0", "1", "4"),
                          ("1", "1", "0", "1"), ("1", "1", "0", "3"),
                          ("2", "2", "0", "5"), ("2", "2", "0", "6"), ("2", "2", "3", "4"), ("2", "2", "3", "4"),
                          ("3", "3", "0", "5"), ("3", "3", "0", "7")])
        self.assertEqual([int(row[4]) for row in reported],
                         [OPENING, OPEN, ACTIVE_CLOSED, CLOSED, OPENING, REJECTED, OPENING, OPEN, ACTIVE_CLOSED, CLOSED,
                          OPENING, REJECTED])
        by_code = {(qp, first(n, "iwarp.sctp.function_code")): (frame, n) for frame, qp, n in self.controls(shown)}
        for qp, initiate, answer in (("0", "1", "2"), ("1", "1", "3"), ("2", "5", "6"), ("3", "5", "7")):
            (asked, question), (answered_in, reply) = by_code[qp, initiate], by_code[qp, answer]
            self.assertEqual(first(question, "iwarp.sctp.answered_in"), str(answered_in))
            self.assertEqual(first(reply, "iwarp.sctp.answers"), str(asked))
        initiate = by_code["2", "5"][1]
        self.assertEqual([first(initiate, "iwarp.mpa.enhanced." + f) for f in ("ird", "ord", "peer_to_peer", "rtr_read")],
                         ["5", "3", "1", "1"])
        self.assertEqual(first(by_code["0", "1"][1], "iwarp.mpa.private_data"), "68:65:6c:6c:6f")
        self.assertEqual(first(by_code["0", "4"][1], "iwarp.sctp.answers"), None)

    def test_an_unknown_function_code_is_shown_as_such(self):
        shown = self.shown(self.folder.play("sctp; connect; startup; session a 9 private=0102; close; shutdown"))
        node = next(n for _, _, n in self.controls(shown) if first(n, "iwarp.sctp.function_code") == "9")
        self.assertEqual(first(node, "iwarp.mpa.private_data"), "01:02")
        self.assertEqual(first(node, "iwarp.sctp.phase"), str(OPEN))

    def test_a_refused_initiate_is_answered_by_the_session_terminate(self):
        shown = self.shown(self.sample("sctp-refused"))
        (asked, _, question), (answered_in, _, reply) = self.controls(shown)[:2]
        self.assertEqual((first(question, "iwarp.sctp.answered_in"), first(reply, "iwarp.sctp.answers")),
                         (str(answered_in), str(asked)))

    def test_chunks_are_those_of_wiresharks_own_sctp(self):
        for name in ("sctp-session", "sctp-bundled", "sctp-streams", "sctp-tsn-wrap", "sctp-ipv6", "sctp-udp"):
            path = self.sample(name)
            with self.subTest(sample=name):
                shown = self.shown(path)
                self.own.load(path)
                want = {}
                for number, *columns in self.own.rows("sctp", *OWN):
                    cells = [[int(cell, 0) for cell in column.split(",") if cell] for column in columns]
                    want |= {int(number): sorted(zip(*cells))} if cells[0] else {}
                # Messages whose chunk is in an earlier frame: the message was complete later.
                have = {frame: sorted(tuple(int(first(node, "iwarp.sctp." + f)) for f in ("tsn", "stream", "ppid"))
                                      for node in chunks(tree) if not self.is_of_before(node, frame))
                        for frame, tree in shown.items()}
                self.assertGreater(len(want), 4)
                self.assertEqual({frame: reported for frame, reported in have.items() if reported}, want)

    @staticmethod
    def is_of_before(node, frame):
        return first(node, "iwarp.placed_in") not in (None, str(frame))

    def test_fragments_are_one_message_where_it_is_whole(self):
        path = self.folder.play("sctp; connect; startup; sctp-fragment a 500; send a text=" + "x" * 1800 +
                                "; sctp-fragment a usual; send a 10; close; shutdown")
        shown = self.shown(path)
        whole = [(frame, n) for frame, tree in shown.items() for n in chunks(tree) if first(n, "iwarp.sctp.chunks")]
        self.assertGreater(len(whole), 0)
        for frame, node in whole:
            others = values(node, "iwarp.sctp.chunk_in")
            self.assertEqual(len(others) + 1, int(first(node, "iwarp.sctp.chunks")))
            parts = [n for number in others for n in chunks(shown[int(number)])
                     if first(n, "iwarp.sctp.shown_in") == str(frame)]
            self.assertEqual([first(n, "iwarp.sctp.fragment") for n in parts], ["2"] + ["0"] * (len(others) - 1))
            self.assertEqual(first(node, "iwarp.sctp.tsn"), first(parts[0], "iwarp.sctp.tsn"))
            self.assertEqual(first(node, "iwarp.sctp.ddp_ssn"), first(parts[0], "iwarp.sctp.ddp_ssn"))
        payload = "".join(v.replace(":", "") for tree in shown.values() for v in values(tree, "iwarp.payload"))
        self.assertTrue(bytes.fromhex(payload).startswith(b"x" * 1800))
        self.assertEqual(len(bytes.fromhex(payload)), 1810)

    def test_sessions_of_one_packet_have_a_tree_each(self):
        shown = self.printed(self.folder.play(
            "sctp; connect; startup; sctp-stream 5; startup; bundle a on; send a text=five; sctp-stream 0; send a text=zero;"
            "sctp-stream 5; send a text=cinq; flush; bundle a off; close; sctp-stream 0; close; shutdown"))
        parts = [tree["iwarp"] for tree in shown.values() if len(tree["iwarp"]) > 1]
        self.assertEqual(len(parts), 1)
        self.assertEqual([(values(p, "iwarp.qp"), values(p, "iwarp.sctp.session")) for p in parts[0]],
                         [(["1"], ["0"]), (["0"], ["0"])])
        self.assertEqual([[bytes.fromhex(v.replace(":", "")) for v in values(p, "iwarp.payload")] for p in parts[0]],
                         [[b"five", b"cinq"], [b"zero"]])

    def test_sessions_in_turn_are_counted_on_their_stream(self):
        shown = self.shown(self.sample("sctp-sessions-in-turn"))
        reported = {(first(p, "iwarp.qp"), first(p, "iwarp.sctp.session"), first(p, "iwarp.sctp.stream"))
                for tree in shown.values() for p in tree["iwarp"] if values(p, "iwarp.qp")}
        self.assertEqual(sorted(reported), [("0", "0", "0"), ("1", "1", "0"), ("2", "2", "0")])

    def test_both_paths_of_an_association_are_one_queue_pair(self):
        self.sharkd.load(self.sample("sctp-multihomed"))
        rows = self.sharkd.rows("iwarp.sctp.tsn", "ip.dst", "iwarp.qp")
        self.assertGreater(len({ip for _, ip, _ in rows}), 3)
        self.assertEqual({qp for _, _, qp in rows}, {"0"})

    def test_a_chunk_sent_again_names_the_first(self):
        shown = self.shown(self.folder.play(
            "sctp; connect; startup; lose a seen skip=0 delay=1; send a text=lost; send a text=kept; close; shutdown"))
        again = [(frame, n) for frame, tree in shown.items() for n in chunks(tree) if first(n, "iwarp.sctp.repeated")]
        self.assertEqual(len(again), 1)
        frame, node = again[0]
        before = int(first(node, "iwarp.sctp.repeats"))
        self.assertLess(before, frame)
        self.assertIn(first(node, "iwarp.sctp.tsn"), values(shown[before], "iwarp.sctp.tsn"))
        self.assertEqual(first(node, "iwarp.sctp.shown_in"), str(before))
        self.assertEqual(values(node, "iwarp.ddp.msn"), [])

    def test_a_packet_captured_twice_is_shown_once(self):
        shown = self.shown(self.folder.play("sctp; connect; impair duplicate=1000; startup; send a 3000; close; shutdown"))
        reported = [(first(n, "iwarp.sctp.repeated"), bool(values(n, "iwarp.sctp.length"))) for tree in shown.values()
                for n in chunks(tree)]
        self.assertEqual(reported.count((None, True)), reported.count(("1", False)))
        self.assertEqual(set(reported), {(None, True), ("1", False)})

    def test_a_message_that_overtook_is_shown_when_its_turn_comes(self):
        shown = self.shown(self.sample("sctp-reordered"))
        waited = [(frame, n) for frame, tree in shown.items() for n in chunks(tree) if first(n, "iwarp.sctp.shown_in")]
        self.assertGreater(len(waited), 0)
        for frame, node in waited:
            there = shown[int(first(node, "iwarp.sctp.shown_in"))]
            held = [n for n in chunks(there) if first(n, "iwarp.sctp.tsn") == first(node, "iwarp.sctp.tsn")]
            self.assertEqual([(first(n, "iwarp.placed_in"), first(n, "iwarp.sctp.chunk_in")) for n in held],
                             [(str(frame), str(frame))])

    def test_columns(self):
        path = self.folder.play("sctp; connect; startup private-text=hello; send a 10; write a 100; close; shutdown")
        rows = self.ours.run(["-2", "-Y", "iwarp.qp", "-T", "fields", "-e", "_ws.col.Protocol", "-e", "_ws.col.Info"],
                             path).rows()
        reported = [info for protocol, info in rows if protocol == "iWARP"]
        self.assertEqual(reported[0], "Initiate (code 1), stream 0")
        # Wireshark's SCTP still shows chunks that are not DDP's.
        sack = r"^SACK \(.*\) , "
        self.assertRegex(reported[1], sack + r"Accept \(code 2\), stream 0$")
        self.assertRegex(reported[2], sack + r"Send, MSN 1, 10 octets$")
        self.assertRegex(reported[3], r"^RDMA Write, STag 0x\w+, TO 0x\w+, 100 octets$")
        self.assertEqual(reported[4], "Session Terminate (code 4), stream 0")

    def test_preferences_of_sctp_change_nothing(self):
        for name in SEVERAL_WAYS:
            with self.subTest(sample=name):
                self.sharkd.load(self.sample(name))
                want = self.sharkd.frames(hidden=True)
                self.assertTrue(want)
                for preference in ("sctp__reassembly", "sctp__tsn_analysis"):
                    self.sharkd.load(self.sample(name), **{preference: "FALSE"})
                    self.assertEqual(self.sharkd.frames(hidden=True), want)

    def test_switched_off_nothing_is_left_of_the_plugin(self):
        path = self.folder.joined(*map(self.sample, ("sctp-session", "sctp-fragmented")))
        off = self.ours.run(["-V", "--disable-protocol", "iwarp"], path)
        self.assertIn("Stream Control", off.stdout)
        self.assertEqual(off.stdout, self.built_in.run(["-V"], path).stdout)

    def test_another_protocol_stays_with_its_dissector(self):
        ours, theirs = (self.everything(sharkd, self.sample("sctp-ordinary")) for sharkd in (self.sharkd, self.own))
        self.assertIn("Stream Control", str(theirs))
        self.assertEqual(ours, theirs)

    def everything(self, sharkd, path):
        sharkd.load(path)
        return [(shown["c"], self.without_types(sharkd.tree(shown["num"], hidden=True)))
                for shown in sharkd.ask("frames", filter="frame" + " " * sharkd.loads)]

    def without_types(self, items):
        """Without the numbers that Wireshark gives subtrees in the order in which dissectors are registered."""
        return [{**{k: v for k, v in item.items() if k != "e"}, "n": self.without_types(item.get("n", ()))} for item in items]

    def test_frames_look_the_same_in_whatever_order(self):
        for name in SEVERAL_WAYS:
            with self.subTest(sample=name):
                self.sharkd.load(self.sample(name))
                forth = list(range(1, self.sharkd.count + 1))
                one = {frame: self.labels(frame) for frame in forth}
                for frame in forth[::-1] + forth[::2]:
                    self.assertEqual(self.labels(frame), one[frame])
                self.assertIn("DDP over SCTP", json.dumps(one))

    def labels(self, frame):
        return [layer for layer in self.sharkd.tree(frame) if layer["l"].startswith("iWARP")]


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
