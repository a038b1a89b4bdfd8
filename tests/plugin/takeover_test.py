#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin takes iWARP and nothing else, and releases it when it is disabled.

  takeover_test.py PLUGIN IWARPSCOPE-SYNTH SAMPLES
"""

import os
import struct
import subprocess
import sys
import unittest

import synth
from tshark import Sharkd, Tshark, nodes

PLUGIN, SYNTH, SAMPLES = (sys.argv + [None] * 3)[1:4]
CLAIMED_PORTS = {445: "nbss", 4420: "nvme-tcp", 5445: "artemis"}
SOME = ("made/messages/all-opcodes.pcapng", "made/messages/packed-markers.pcapng", "made/network/lossy-reordered.pcapng.gz",
        "made/network/midstream.pcapng.gz", "siw/ulp-smbdirect-crc.pcap.gz", "made/questions/nvme-queue-too-small.pcapng")
TCP_PREFERENCES = {
    "tcp__reassemble_out_of_order": "TRUE", "tcp__desegment_tcp_streams": "FALSE",
    "tcp__no_subdissector_on_error": "FALSE", "tcp__relative_sequence_numbers": "FALSE",
    "tcp__try_heuristic_first": "TRUE", "tcp__analyze_sequence_numbers": "FALSE"}
EXCHANGE = "connect; startup; send a 100; write b stag=0x10 to=0x1000 3000; read a size=500; send b 100; close"
FPDUS = 7  # in EXCHANGE


def smb2_negotiate():
    """A Negotiate of SMB2 in a NetBIOS session message. Source: MS-SMB2 §2.2.1.2, §2.2.3."""
    header = struct.pack("<4sHHIHHIIQIIQ16s", b"\xfeSMB", 64, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, bytes(16))
    body = struct.pack("<HHHHI16sQH", 36, 1, 1, 0, 0, bytes(16), 0, 0x0210)
    return (struct.pack(">I", len(header + body)) + header + body).hex()


class Takeover(synth.Case):
    synth = SYNTH
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        cls.ours, cls.built_in = Tshark(PLUGIN), Tshark()
        cls.sharkd = Sharkd(cls.ours)

    @classmethod
    def tearDownClass(cls):
        cls.sharkd.close()

    def sample(self, name):
        return os.path.join(SAMPLES, name)

    def iwarp(self, path, **preferences):
        """The displayed iWARP items, by frame."""
        self.sharkd.load(path, **preferences)
        return self.sharkd.frames(hidden=True)

    def decoded(self, shark, path, *options):
        """The number of displayed FPDUs."""
        rows = shark.run([*options, "-T", "fields", "-e", "iwarp_mpa.fpdu"], path).rows()
        return sum(len(row[0].split(",")) for row in rows if row and row[0])

    def assert_as_built_in(self, path, *options):
        for passes in ([], ["-2"]):
            ours = self.ours.run([*passes, *options, "-V"], path)
            self.assertEqual(ours.stdout, self.built_in.run([*passes, "-V"], path).stdout)

    def test_each_interface_is_a_network_of_its_own_on_request(self):
        """The same addresses, ports and sequence numbers on two interfaces."""
        twins = [self.folder.play("connect; startup; " + f"send a {size}; send b 100; " * sends + "close")
                 for sends, size in ((3, 100), (5, 300))]
        both = os.path.join(self.folder.path, "both.pcapng")
        subprocess.run(["mergecap", "-I", "none", "-w", both, *twins], check=True, capture_output=True)
        separate = ["-o", "iwarp.separate_interfaces:TRUE"]
        self.assertEqual(self.decoded(self.ours, both, *separate), 2 * (3 + 5))
        self.assertLess(self.decoded(self.ours, both), 2 * (3 + 5))

    def test_disabled_protocol_gives_the_built_in_dissectors_back(self):
        for name in SOME:
            with self.subTest(sample=name):
                self.assert_as_built_in(self.sample(name), "--disable-protocol", "iwarp")

    def test_disabled_heuristic_gives_the_built_in_dissectors_back(self):
        self.assert_as_built_in(self.sample(SOME[0]), "--disable-heuristic", "iwarp_tcp", "-o", "iwarp.port_shim:FALSE")

    def test_nothing_is_written_into_the_configuration(self):
        self.ours.run(["-2"], self.sample(SOME[0]))
        home = os.path.join(self.ours.folder, "home")
        written = [os.path.join(at, name) for at, _, names in os.walk(home) for name in names]
        self.assertEqual(written, [])

    def test_iwarp_on_claimed_ports_is_decoded(self):
        for port in CLAIMED_PORTS:
            with self.subTest(port=port):
                path = self.folder.play(f"end b port={port}; {EXCHANGE}")
                for passes in ([], ["-2"]):
                    self.assertEqual(self.decoded(self.ours, path, *passes), FPDUS)

    def test_iwarp_on_claimed_ports_has_no_trace_of_their_dissectors(self):
        for port, owner in CLAIMED_PORTS.items():
            with self.subTest(port=port):
                path = self.folder.play(f"end b port={port}; {EXCHANGE}")
                for passes in ([], ["-2"]):
                    shown = self.ours.run([*passes, "-Y", owner], path)
                    self.assertEqual(shown.stdout, "")
                    # Their requests for more octets did not stop TCP from passing on data.
                    columns = self.ours.run([*passes, "-T", "fields", "-e", "_ws.col.Info", "-Y", "iwarp"], path).stdout
                    self.assertNotIn("reassembled PDU", columns)

    def test_without_the_shim_claimed_ports_are_their_owners_again(self):
        for port in CLAIMED_PORTS:
            with self.subTest(port=port):
                path = self.folder.play(f"end b port={port}; {EXCHANGE}")
                self.assert_as_built_in(path, "-o", "iwarp.port_shim:FALSE")
                self.assert_as_built_in(path, "--disable-protocol", "iwarp")
                assigned = ["-d", f"tcp.port=={port},iwarp", "-o", "iwarp.port_shim:FALSE"]
                self.assertEqual(self.decoded(self.ours, path, *assigned), FPDUS)

    def test_without_the_shim_a_listed_port_without_an_owner_is_the_built_in_dissectors(self):
        path = self.folder.play(EXCHANGE)
        self.assert_as_built_in(path, "-o", f"iwarp.shim_ports:{synth.FREE_PORT}", "-o", "iwarp.port_shim:FALSE")

    def test_other_traffic_on_claimed_ports_goes_to_their_owners(self):
        smb = f"end b port=445; connect; stream a hex={smb2_negotiate()}; stream b hex={smb2_negotiate()}; close"
        artemis = "end b port=5445; connect; stream a hex=0000000501000000000000000a; close"
        nvme = self.sample("made/messages/ordinary-nvme-tcp.pcapng")
        captures = (("smb2", self.folder.play(smb)), ("nvme-tcp", nvme), ("tcp", self.folder.play(artemis)))
        for protocol, path in captures:
            with self.subTest(protocol=protocol):
                # SMB without SMB Direct is a finding, and has its own tree.
                arguments = ["-2", "-Y", protocol, "-T", "json", "-j", "frame tcp nbss smb2 nvme-tcp data"]
                shown = self.ours.run(arguments, path).stdout
                self.assertIn('"tcp.port"', shown)
                self.assertEqual(shown, self.built_in.run(arguments, path).stdout)

    def test_ordinary_traffic_looks_as_without_the_plugin(self):
        for name in ("ordinary-http", "ordinary-tls", "ordinary-random"):
            with self.subTest(sample=name):
                self.assert_as_built_in(self.sample(f"made/messages/{name}.pcapng"))

    def test_a_port_may_be_assigned_by_decode_as_and_by_preference(self):
        path = self.folder.play(f"end b port=443; {EXCHANGE}")
        for passes in ([], ["-2"]):
            for option in (["-d", "tcp.port==443,iwarp"], ["-o", "iwarp.tcp.port:443"]):
                with self.subTest(option=option, passes=passes):
                    self.assertEqual(self.decoded(self.ours, path, *passes, *option), FPDUS)
                    shown = self.ours.run([*passes, *option, "-Y", "tls || ssl"], path)
                    self.assertEqual(shown.stdout, "")

    def test_tcp_preferences_change_nothing_of_iwarp(self):
        for name in SOME[:4]:
            want = self.iwarp(self.sample(name))
            self.assertTrue(any(any(nodes(part, "iwarp.mpa.ulpdu_length")) for tree in want.values() for part in tree["iwarp"]))
            for preference, value in TCP_PREFERENCES.items():
                with self.subTest(sample=name, preference=preference):
                    self.assertNotEqual(self.sharkd.preference(preference), value)
                    self.assertEqual(self.iwarp(self.sample(name), **{preference: value}), want)

    def test_without_info_the_column_is_left_alone(self):
        path = self.sample(SOME[0])
        arguments = ["-T", "fields", "-e", "_ws.col.Info", "-Y", "iwarp.mpa.fpdu"]
        self.assertIn("MSN", self.ours.run(arguments, path).stdout)
        shown = self.ours.run(["-o", "iwarp.info_column:FALSE", *arguments], path).stdout
        self.assertNotIn("MSN", shown)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
