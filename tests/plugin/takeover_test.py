#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin takes iWARP and nothing else, and releases it when it is disabled.

  takeover_test.py PLUGIN IWARPSCOPE-SYNTH SAMPLES
"""

import os
import re
import struct
import subprocess
import sys
import unittest
from collections import Counter

import synth
from tshark import Sharkd, Tshark, nodes

PLUGIN, SYNTH, SAMPLES = (sys.argv + [None] * 3)[1:4]
CLAIMED_PORTS = {445: "nbss", 4420: "nvme-tcp", 5445: "artemis"}
SOME = ("made/messages/all-opcodes.pcapng", "made/messages/packed-markers.pcapng", "made/network/lossy-reordered.pcapng.gz",
        "made/network/midstream.pcapng.gz", "siw/ulp-smbdirect-crc.pcap.gz", "made/questions/nvme-queue-too-small.pcapng")
ORDINARY = [f"made/messages/ordinary-{kind}.pcapng" for kind in ("http", "tls", "random")]
PASSES = ((), ("-2",))
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
        cls.captures = captures = synth.Folder(SYNTH)
        on_ports = [captures.play(f"end b port={port}; {EXCHANGE}") for port in CLAIMED_PORTS]
        cls.on_ports = captures.joined(*on_ports)
        # Each is the beginning of the next: one run of the built-in dissectors on the last shows what is right for all
        # but `everything`, which has the ports and addresses of others again.
        cls.ordinary = captures.joined(*map(cls.sample, ORDINARY))
        cls.claimed = captures.joined(cls.ordinary, cls.on_ports)
        cls.listed = captures.joined(cls.claimed, captures.play(EXCHANGE))
        cls.everything = captures.joined(cls.listed, *map(cls.sample, SOME))
        cls.expected = {(path, passes): cls.texts(cls.built_in, path, *passes) for path in (cls.listed, cls.everything)
                        for passes in PASSES}

    @classmethod
    def tearDownClass(cls):
        cls.captures.cleanup()
        cls.sharkd.close()

    @staticmethod
    def sample(name):
        return os.path.join(SAMPLES, name)

    @staticmethod
    def texts(shark, path, *options):
        """What -V writes of each frame."""
        return re.split(r"^(?=Frame \d+: )", shark.run([*options, "-V"], path).stdout, flags=re.MULTILINE)[1:]

    def iwarp(self, path, **preferences):
        """The displayed iWARP items, by frame."""
        self.sharkd.load(path, **preferences)
        return self.sharkd.frames(hidden=True)

    def decoded(self, path, *options, fields=()):
        """The number of displayed FPDUs by port, and all rows with these fields."""
        chosen = [part for field in ("tcp.port", "iwarp_mpa.fpdu", *fields) for part in ("-e", field)]
        rows = self.ours.run([*options, "-T", "fields", *chosen], path).rows()
        fpdus = Counter()
        for ports, shown, *_ in rows:
            for port in ports.split(","):
                fpdus[port] += len(shown.split(",")) if shown else 0
        return fpdus, rows

    def assert_as_built_in(self, path, *options):
        self.sharkd.load(path)
        of = self.everything if path == self.everything else self.listed
        for passes in PASSES:
            shown = self.texts(self.ours, path, *passes, *options)
            self.assertEqual(len(shown), self.sharkd.count)
            for frame, want in zip(shown, self.expected[of, passes]):
                self.assertEqual(frame, want, passes)

    def test_each_interface_is_a_network_of_its_own_on_request(self):
        """The same addresses, ports and sequence numbers on two interfaces."""
        twins = [self.folder.play("connect; startup; " + f"send a {size}; send b 100; " * sends + "close")
                 for sends, size in ((3, 100), (5, 300))]
        both = os.path.join(self.folder.path, "both.pcapng")
        subprocess.run(["mergecap", "-I", "none", "-w", both, *twins], check=True, capture_output=True)
        port = str(synth.FREE_PORT)
        self.assertEqual(self.decoded(both, "-o", "iwarp.separate_interfaces:TRUE")[0][port], 2 * (3 + 5))
        self.assertLess(self.decoded(both)[0][port], 2 * (3 + 5))

    def test_disabled_protocol_gives_the_built_in_dissectors_back(self):
        self.assert_as_built_in(self.everything, "--disable-protocol", "iwarp")

    def test_disabled_heuristic_gives_the_built_in_dissectors_back(self):
        self.assert_as_built_in(self.everything, "--disable-heuristic", "iwarp_tcp", "-o", "iwarp.port_shim:FALSE")

    def test_nothing_is_written_into_the_configuration(self):
        self.ours.run(["-2"], self.sample(SOME[0]))
        home = os.path.join(self.ours.folder, "home")
        written = [os.path.join(at, name) for at, _, names in os.walk(home) for name in names]
        self.assertEqual(written, [])

    def test_iwarp_on_claimed_ports_is_decoded_without_a_trace_of_their_dissectors(self):
        for passes in PASSES:
            fpdus, rows = self.decoded(self.on_ports, *passes, fields=("iwarp", "_ws.col.Info", *CLAIMED_PORTS.values()))
            self.assertEqual({port: fpdus[str(port)] for port in CLAIMED_PORTS}, dict.fromkeys(CLAIMED_PORTS, FPDUS))
            for ports, _, iwarp, info, *owners in rows:
                self.assertEqual(owners, [""] * len(CLAIMED_PORTS), ports)
                # Their requests for more octets did not stop TCP from passing on data.
                self.assertFalse(iwarp and "reassembled PDU" in info, info)

    def test_without_the_shim_claimed_ports_are_their_owners_again(self):
        self.assert_as_built_in(self.claimed, "-o", "iwarp.port_shim:FALSE")
        assigned = [part for port in CLAIMED_PORTS for part in ("-d", f"tcp.port=={port},iwarp")]
        fpdus, _ = self.decoded(self.on_ports, *assigned, "-o", "iwarp.port_shim:FALSE")
        self.assertEqual({port: fpdus[str(port)] for port in CLAIMED_PORTS}, dict.fromkeys(CLAIMED_PORTS, FPDUS))

    def test_without_the_shim_a_listed_port_without_an_owner_is_the_built_in_dissectors(self):
        ports = ",".join(str(port) for port in (*CLAIMED_PORTS, synth.FREE_PORT))
        self.assert_as_built_in(self.listed, "-o", f"iwarp.shim_ports:{ports}", "-o", "iwarp.port_shim:FALSE")

    def test_other_traffic_on_claimed_ports_goes_to_their_owners(self):
        smb = f"end b port=445; connect; stream a hex={smb2_negotiate()}; stream b hex={smb2_negotiate()}; close"
        artemis = "end b port=5445; connect; stream a hex=0000000501000000000000000a; close"
        # SMB without SMB Direct is a finding, and has its own tree, in the last frame.
        path = self.folder.joined(self.folder.play(artemis), self.sample("made/messages/ordinary-nvme-tcp.pcapng"),
                                  self.folder.play(smb))
        arguments = ["-2", "-Y", "smb2 || nvme-tcp || tcp.port == 5445", "-T", "json", "-j", "frame tcp nbss smb2 nvme-tcp data"]
        shown = self.ours.run(arguments, path).stdout
        for owned in ('"tcp.port"', '"smb2"', '"nvme-tcp"'):
            self.assertIn(owned, shown)
        self.assertEqual(shown, self.built_in.run(arguments, path).stdout)

    def test_ordinary_traffic_looks_as_without_the_plugin(self):
        self.assert_as_built_in(self.ordinary)

    def test_a_port_may_be_assigned_by_decode_as_and_by_preference(self):
        by = {443: ["-d", "tcp.port==443,iwarp"], 636: ["-o", "iwarp.tcp.port:636"]}
        path = self.folder.joined(*(self.folder.play(f"end b port={port}; {EXCHANGE}") for port in by))
        for passes in PASSES:
            fpdus, rows = self.decoded(path, *passes, *by[443], *by[636], fields=["tls"])
            self.assertEqual({port: fpdus[str(port)] for port in by}, dict.fromkeys(by, FPDUS))
            self.assertEqual({tls for _, _, tls in rows}, {""})
        # The plugin recognises both without these options, too. Where it may not, they decide.
        alone = ["--disable-heuristic", "iwarp_tcp", "-o", "iwarp.port_shim:FALSE"]
        for port, other in ((443, 636), (636, 443)):
            fpdus, _ = self.decoded(path, *alone, *by[port])
            self.assertEqual((fpdus[str(port)], fpdus[str(other)]), (FPDUS, 0))

    def test_tcp_preferences_change_nothing_of_iwarp(self):
        for name in SOME[:4]:
            want = self.iwarp(self.sample(name))
            self.assertTrue(any(any(nodes(part, "iwarp.mpa.ulpdu_length")) for tree in want.values() for part in tree["iwarp"]))
            for preference, value in TCP_PREFERENCES.items():
                with self.subTest(sample=name, preference=preference):
                    self.assertNotEqual(self.sharkd.preference(preference), value)
                    self.assertEqual(self.iwarp(self.sample(name), **{preference: value}), want)

    def test_without_info_the_column_is_left_alone(self):
        arguments = ["-T", "fields", "-e", "_ws.col.Info", "-Y", "iwarp.mpa.fpdu"]
        path = self.sample(SOME[0])
        self.sharkd.load(path)
        self.assertIn("MSN", str(self.sharkd.rows("iwarp.mpa.fpdu", "_ws.col.Info")))
        shown = self.ours.run(["-o", "iwarp.info_column:FALSE", *arguments], path).stdout
        self.assertNotEqual(shown, "")
        self.assertNotIn("MSN", shown)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
