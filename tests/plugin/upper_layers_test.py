#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Decodes messages that the plugin passes to upper-layer dissectors.

  upper_layers_test.py PLUGIN IWARPSCOPE-SYNTH SAMPLES
"""

import os
import struct
import sys
import unittest

import synth
from tshark import Sharkd, Tshark

PLUGIN, SYNTH, SAMPLES = (sys.argv + [None] * 3)[1:4]
NFS_PORT, SMB_DIRECT_PORT = 20049, 5445


def rpc_over_rdma(rpc):
    """RDMA_MSG without chunks. Source: RFC 8166 §4."""
    return (struct.pack(">7I", 0x1234, 1, 32, 0, 0, 0, 0) + rpc).hex()


# NULL of NFS version 4 and its reply. Source: RFC 5531 §9.
CALL = rpc_over_rdma(struct.pack(">10I", 0x1234, 0, 2, 100003, 4, 0, 0, 0, 0, 0))
REPLY = rpc_over_rdma(struct.pack(">6I", 0x1234, 1, 0, 0, 0, 0))
CALL_AND_REPLY = f"end b port={NFS_PORT}; connect; startup; send a hex={CALL}; send b hex={REPLY}; close"
# A Negotiate Request of SMB Direct. Source: MS-SMBD §2.2.1.
NEGOTIATE = struct.pack("<HHHHIII", 0x0100, 0x0100, 0, 255, 1364, 8192, 1048576).hex()


def data_transfer(payload):
    """Source: MS-SMBD §2.2.3."""
    return (struct.pack("<HHHHIIII", 255, 255, 0, 0, 0, 24, len(payload), 0) + payload).hex()


class UpperLayers(synth.Case):
    synth = SYNTH

    @classmethod
    def setUpClass(cls):
        cls.ours = Tshark(PLUGIN)
        cls.sharkd = Sharkd(cls.ours)

    @classmethod
    def tearDownClass(cls):
        cls.sharkd.close()

    def rows(self, path, only, *fields, **preferences):
        """In two passes."""
        self.sharkd.load(path, **preferences)
        return self.sharkd.rows(only, *fields)

    def rows_of_one_pass(self, path, only, *fields):
        chosen = [a for field in ("frame.number", *fields) for a in ("-e", field)]
        return self.ours.run(["-Y", only, "-T", "fields", *chosen], path).rows()

    def test_smb2_inside_smb_direct_of_a_real_capture(self):
        self.sharkd.load(os.path.join(SAMPLES, "siw/ulp-smbdirect-crc.pcap.gz"))
        rows = self.sharkd.rows("smb2", "smb2.cmd", "smb2.msg_id")
        commands = {c for row in rows for c in row[1].split(",")}
        # Negotiate, Session Setup, Tree Connect, Create, Close, Read, Write.
        self.assertLessEqual({"0", "1", "3", "5", "6", "8", "9"}, commands)
        sends = self.sharkd.rows("iwarp.rdmap.opcode >= 3 && iwarp.rdmap.opcode <= 6 && iwarp.message.complete == 1 && "
                                 "!iwarp.message.ends_in && iwarp.message.length > 0", "smb_direct")
        self.assertGreater(len(sends), 50)
        self.assertEqual([row[0] for row in sends if not row[1]], [])
        # A response finds its request.
        self.assertTrue(self.sharkd.rows("smb2.response_to", "smb2.response_to"))
        # Nothing is malformed except the token, which SPNEGO's dissector rejects from every caller.
        malformed = self.sharkd.rows("_ws.malformed", "_ws.expert")
        self.assertEqual([row for row in malformed if not row[1].startswith("Expert Info (Warning/Malformed): BER Error")], [])

    def test_every_send_of_a_frame_reaches_smb_direct(self):
        texts = [f"message number {n}".encode() for n in range(3)]
        sends = "; ".join(f"send a hex={data_transfer(t)}" for t in texts)
        path = self.folder.play(f"end b port={SMB_DIRECT_PORT}; connect; startup; send a hex={NEGOTIATE}; send b 10; "
                                f"pack a; {sends}; flush; close")
        # How SMB Direct's dissector handles the payload of a second message in a frame is not checked.
        rows = self.rows_of_one_pass(path, "smb_direct.data_message", "smb_direct.data_length")
        self.assertEqual([row[1] for row in rows], [",".join(str(len(t)) for t in texts)])

    def test_a_send_in_several_ddp_segments_is_handed_on_once_and_whole(self):
        payload = bytes(range(256)) * 12
        path = self.folder.play(f"end b port={SMB_DIRECT_PORT}; connect; startup; send a hex={NEGOTIATE}; send b 10; "
                                f"send a hex={data_transfer(payload)}; close")
        rows = self.rows_of_one_pass(path, "smb_direct.data_message", "smb_direct.data_length", "data.data")
        self.assertEqual([row[1:] for row in rows], [[str(len(payload)), payload.hex()]])

    def test_a_call_and_its_reply_find_each_other_over_rpc_over_rdma(self):
        path = self.folder.play(CALL_AND_REPLY)
        rows = self.rows(path, "rpc", "rpcordma.xid", "rpc.program", "rpc.reqframe", "rpc.repframe")
        # rpc.reqframe is the frame of the reply, shown in the call.
        self.assertEqual(rows, [["6", "0x00001234", "100003", "7", ""], ["7", "0x00001234", "100003", "", "6"]])

    def test_a_call_and_its_reply_find_each_other_over_sctp(self):
        path = self.folder.play(f"end b port={NFS_PORT}; sctp; connect; startup; send a hex={CALL}; send b hex={REPLY}; "
                                "close; shutdown")
        rows = self.rows(path, "rpc", "rpcordma.xid", "rpc.program", "rpc.reqframe", "rpc.repframe")
        call, reply = (int(row[0]) for row in rows)
        self.assertEqual(rows, [[f"{call}", "0x00001234", "100003", f"{reply}", ""],
                                [f"{reply}", "0x00001234", "100003", "", f"{call}"]])

    def test_every_send_of_a_packet_over_sctp_reaches_smb_direct(self):
        texts = [f"message number {n}".encode() for n in range(3)]
        sends = "; ".join(f"send a hex={data_transfer(t)}" for t in texts)
        path = self.folder.play(f"end b port={SMB_DIRECT_PORT}; sctp; connect; startup; send a hex={NEGOTIATE}; send b 10; "
                                f"bundle a on; {sends}; flush; close; shutdown")
        rows = self.rows_of_one_pass(path, "smb_direct.data_message", "smb_direct.data_length")
        self.assertEqual([row[1] for row in rows], [",".join(str(len(t)) for t in texts)])

    def test_sends_too_short_for_any_upper_layer_are_not_malformed(self):
        sends = "; ".join(f"send {side} {octets}" for octets in range(21) for side in "ab")
        for port in (None, NFS_PORT, SMB_DIRECT_PORT):
            with self.subTest(port=port):
                begin = f"end b port={port}; " if port else ""
                path = self.folder.play(f"{begin}connect; startup; {sends}; close")
                self.assertEqual(self.rows(path, "_ws.malformed", "_ws.malformed"), [])
                self.assertEqual(len(self.rows(path, "iwarp.rdmap.opcode == 3", "iwarp.qp")), 42)

    def test_turned_off_nothing_is_handed_on(self):
        path = self.folder.play(CALL_AND_REPLY)
        self.assertEqual(self.rows(path, "rpc", "rpc.program", iwarp__upper_layers="FALSE"), [])

    def test_payload_of_a_bad_crc_is_not_handed_on(self):
        path = self.folder.play(f"end b port={NFS_PORT}; connect; startup; fault a crc-mismatch; send a hex={CALL}; "
                                f"send b hex={REPLY}; close")
        self.assertEqual([row[0] for row in self.rows(path, "rpcordma", "rpcordma.xid")], ["7"])

    def test_whole_messages_are_data_sources_of_their_own(self):
        path = self.folder.play("connect; startup markers; send a 3000; send b 10; close")
        shown = self.ours.run(["-2", "-x", "-Y", "iwarp.message.length == 3000 && !iwarp.message.ends_in"], path).stdout
        self.assertIn("ULPDU, markers removed (", shown)
        self.assertIn("DDP message (3000 bytes)", shown)

    def test_octets_without_markers_in_one_frame_are_highlighted_there(self):
        path = self.folder.play('connect; startup; send a text="here it is"; close')
        shown = self.ours.run(["-T", "pdml", "-Y", "iwarp.payload"], path).stdout
        field = next(line for line in shown.splitlines() if 'name="iwarp.payload"' in line)
        # Ethernet, IP and TCP with time stamps take 66 octets, ULPDU_Length 2, the DDP header 18.
        self.assertIn('pos="86"', field)
        self.assertIn('size="10"', field)
        self.assertIn(f'value="{b"here it is".hex()}"', field)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
