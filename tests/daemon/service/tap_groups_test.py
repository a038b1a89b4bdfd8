#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The same addresses, ports and sequence numbers on two interfaces of one capture, through `iwarpscope analyze` and
through iwarpscoped. Usage: tap_groups_test.py IWARPSCOPE IWARPSCOPED SYNTH"""

import json
import socket
import struct
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

import http2
from running import Folder, Running, wait_until

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


def mapper(kind, time, port):
    """A message of the port mapper about this port of 10.0.0.2: 0 is a Request, 1 an Accept, 2 an Ack."""
    hosts = [bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2])]
    message = struct.pack(">BBHHHQ", kind << 4 | 4, 0, 41000 if kind == 0 else 0, port, 40000, 7)
    message += hosts[0] + bytes(12) + hosts[1] + bytes(12) + (hosts[0] + bytes(12) if kind == 0 else b"")
    ports = [50001, 3935]
    if kind == 1:
        hosts.reverse()
        ports.reverse()
    udp = struct.pack(">HHHH", *ports, 8 + len(message), 0) + message
    head = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0) + hosts[0] + hosts[1]
    total = sum(struct.unpack(">10H", head))
    total = (total & 0xFFFF) + (total >> 16)
    head = head[:10] + struct.pack(">H", ~total & 0xFFFF) + head[12:]
    return (time, bytes(12) + b"\x08\x00" + head + udp)


class InAFolder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keeper = Folder()
        cls.folder = cls.keeper.__enter__().path
        cls.addClassCleanup(cls.keeper.__exit__)

    @classmethod
    def traffic(cls, script):
        made = cls.folder / "made.pcapng"
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


class TapGroups(InAFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        lists = [cls.traffic("connect; startup; " + f"send a {size}; send b {size}; " * sends + "close")
                 for sends, size in ((3, 100), (5, 300))]
        cls.capture = cls.folder / "two.pcapng"
        cls.write(cls.capture, lists)
        cls.copies = cls.folder / "copies.pcapng"
        cls.write(cls.copies, [lists[0], lists[0]])

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

    def rows(self, method, most=0):
        """Of ListHosts or ListHostPairs, all pages: addresses, queue pairs and tap group."""
        rows, start = [], b""
        while True:
            with socket.socket(socket.AF_UNIX) as s:
                s.settimeout(20)
                s.connect(str(self.folder / "api.sock"))
                asked = (http2.field(1, start) if start else b"") + (http2.field(2, most) if most else b"")
                page = dict(next=b"", rows=[])
                for number, value in http2.fields(http2.ask(s, method, asked)):
                    if number == 1:
                        page["rows"].append(dict(http2.fields(value)))
                    else:
                        page["next"] = value
            rows += [(row[1].decode(), row.get(2, b"").decode(), row[3], row.get(10, b"").decode()) for row in page["rows"]]
            start = page["next"]
            if not start:
                return rows

    def test_the_daemon_sums_hosts_by_group(self):
        for keys, names in (("separate_interfaces = true", ["left", "right"]), ('tap_groups = ["left"]', ["", "left"])):
            sections = f'[capture]\nreplay = ["{self.capture}"]\n{keys}\n'
            with Running(DAEMON, self.folder, sections):
                wait_until(lambda: sum(row[2] for row in self.rows("ListHosts")) == 4, "two queue pairs of two hosts")
                for most in (0, 1):
                    self.assertEqual(sorted(self.rows("ListHosts", most)),
                                     [(host, "", 1, name) for host in ("10.0.0.1", "10.0.0.2") for name in names])
                    self.assertEqual(sorted(self.rows("ListHostPairs", most)),
                                     [("10.0.0.1", "10.0.0.2", 1, name) for name in names])

    def test_a_bundle_has_the_same_groups(self):
        # On the left the Read is never answered; on the right the same addresses and ports are well.
        mixed = self.folder / "mixed.pcapng"
        self.write(mixed, [self.traffic("connect; startup; send a 100; read-request a; reset b"),
                           self.traffic("connect; startup; send a 300; send b 300; close")])
        made = self.folder / "out.zip"
        for options in (["--separate-interfaces"], ["--tap-group", "left"], ["--tap-group", "0", "--tap-group", "1"]):
            run = subprocess.run([PROGRAM, "bundle", *options, mixed, "-o", made], capture_output=True, text=True, check=True)
            self.assertIn("of 1 queue pair\n", run.stdout)
            with zipfile.ZipFile(made) as file:
                records = [json.loads(line) for line in file.read("report.json").decode().splitlines()]
                packets = self.folder / "packets.pcapng"
                packets.write_bytes(file.read("packets.pcapng"))
            self.assertEqual(sorted(r["verdict"]["outcome"] == "completed" for r in records if r["record"] == "qp"),
                             [False, True])
            # Only the packets of the left one, and its interface has its name.
            self.assertEqual(len(frames(packets.read_bytes())), len(frames(mixed.read_bytes())) - self.well_frames(mixed))
            self.assertIn(b"left", packets.read_bytes())
            qps, _ = self.analyze("--tap-group", "left", file=packets)
            self.assertEqual(len(qps), 1)

    def well_frames(self, capture):
        qps, _ = self.analyze("--separate-interfaces", file=capture)
        return sum(q[d]["tcp_segments"] for q in qps if q["verdict"]["outcome"] == "completed" for d in ("a_to_b", "b_to_a"))

    def test_a_bundle_refuses_groups_without_a_file_and_wrong_ones(self):
        for arguments, said in ((["--separate-interfaces"], "FILE"), (["--tap-group", "left"], "FILE"),
                                (["--tap-group", "left,left", str(self.capture)], "listed twice")):
            run = subprocess.run([PROGRAM, "bundle", *arguments, "-o", self.folder / "none.zip"], capture_output=True,
                                 text=True, check=False)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn(said, run.stderr)

    def test_the_daemon_refuses_wrong_groups(self):
        file = self.folder / "wrong.toml"
        for keys, said in (('tap_groups = ["a,a"]', "listed twice"), ('tap_groups = ["a,b"]', '"b" is not captured on')):
            file.write_text(f'[capture]\ninterfaces = ["a"]\n{keys}\n')
            run = subprocess.run([DAEMON, "--check-config", file], capture_output=True, text=True, check=False)
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(said, run.stdout + run.stderr)


class Hosts(InAFolder):
    """The same addresses in two tap groups are hosts of two networks: what one does says nothing of the other."""

    def found(self, rule, lists):
        """How often the rule is reported where the interfaces see one network, and where each sees its own."""
        capture = self.folder / "hosts.pcapng"
        self.write(capture, lists)
        return tuple(self.analyze(*options, file=capture)[1]["findings"].get(rule, 0)
                     for options in ([], ["--separate-interfaces"]))

    @classmethod
    def connections(cls, first_port, count, script, answering=5000):
        return [frame for k in range(count) for frame in
                cls.traffic(f"connection; end a port={first_port + k} isn={(first_port + k) * 1000}; "
                            f"end b port={answering}; {script}")]

    def expect_sum_in_one_network_alone(self, rule, count, script):
        """Two times `count` connections are as many as `rule` is about."""
        left, right = self.connections(41000, count, script), self.connections(42000, count, script)
        self.assertEqual(self.found(rule, [left, right]), (1, 0))
        self.assertEqual(self.found(rule, [left + right, []]), (1, 1))

    def test_failures_to_one_address_do_not_add_up(self):
        self.expect_sum_in_one_network_alone("mpa.many-startups", 3, "connect; startup reject; close")

    def test_a_listener_speaks_iwarp_in_its_own_network(self):
        iwarp = self.connections(41000, 1, "connect; startup; send a 100; close")
        # Another program has this port there, and ends before it says anything: no startup failed.
        refused = [frame for k in range(6) for frame in self.refused_syn(42000 + k)]
        self.assertEqual(self.found("mpa.many-startups", [iwarp, refused]), (1, 0))

    @classmethod
    def refused_syn(cls, port):
        """A SYN and the RST that answers it."""
        syn, answer = cls.connections(port, 1, "connect")[:2]
        octets = bytearray(answer[1])
        tcp = 34
        old = struct.unpack_from(">H", octets, tcp + 12)[0]
        new = old & ~0x3F | 0x14
        struct.pack_into(">H", octets, tcp + 12, new)
        total = (~struct.unpack_from(">H", octets, tcp + 16)[0] & 0xFFFF) + (~old & 0xFFFF) + new
        total = (total & 0xFFFF) + (total >> 16)
        total = (total & 0xFFFF) + (total >> 16)
        struct.pack_into(">H", octets, tcp + 16, ~total & 0xFFFF)
        return [syn, (answer[0], bytes(octets))]

    def test_refused_accesses_of_one_address_do_not_add_up(self):
        refused = "connect; startup; write a stag=0x99 to=0 100; terminate b layer=1 type=1 code=0; close"
        self.expect_sum_in_one_network_alone("stag.guessing", 5, refused)

    def test_smb_direct_of_another_network_does_not_hide_plain_smb(self):
        message = "hex=00000044fe534d424000" + "00" * 62
        plain = self.connections(41000, 1, f"connect; stream a {message}; stream b {message}; close", answering=445)
        direct = self.connections(42000, 1, "connect; startup; send a 100; send b 100; close", answering=5445)
        self.assertEqual(self.found("tcp.smb-without-rdma", [plain, direct]), (0, 1))
        self.assertEqual(self.found("tcp.smb-without-rdma", [plain + direct, []]), (0, 0))

    def test_a_connection_in_another_network_is_not_that_to_the_mapped_port(self):
        used = self.connections(41000, 1, "wait 1s; connect; startup; send a 100; wait 4s; close", answering=45000)
        start = used[0][0] - 1_000_000_000
        asked = [mapper(0, start, 5000), mapper(1, start + 1000, 45000), mapper(2, start + 2000, 45000)]
        self.assertEqual(self.found("port-mapper.unused", [asked, used]), (0, 1))
        self.assertEqual(self.found("port-mapper.unused", [asked + used, []]), (0, 0))

    def test_each_network_has_its_own_report_on_one_listener(self):
        def asked(of):
            start = self.connections(41000, 1, "connect")[0][0]
            return [mapper(0, start + of, 5000), mapper(0, start + of + 500_000_000, 5000)]
        later = self.connections(41000, 1, "wait 1s; connect; startup; send a 100; wait 4s; close", answering=6000)
        self.assertEqual(self.found("port-mapper.unanswered", [asked(0) + later, asked(1_000_000)]), (1, 2))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
