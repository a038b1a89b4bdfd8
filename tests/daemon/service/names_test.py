#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every record has one name in all outputs, and reading goes on after any record.
names_test.py IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY"""

import base64
import gzip
import hashlib
import json
import re
import socket
import sqlite3
import struct
import sys
import unittest
import urllib.request
from pathlib import Path

from answers import run
from running import Folder, Running, wait_until

PROGRAM, CLIENT, ROOT = sys.argv[1:4]
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
SEED = 7
NAME = ("sensor", "sensor_uuid", "run_uuid", "sequence", "interface", "tap_group", "community_id")


def community_id(a, b, protocol):
    """As the specification has it."""
    ends = sorted((socket.inet_pton(socket.AF_INET6 if ":" in end["address"] else socket.AF_INET, end["address"]), end["port"])
                  for end in (a, b))
    text = struct.pack("!H", SEED) + ends[0][0] + ends[1][0] + bytes([protocol, 0]) + struct.pack("!HH", ends[0][1], ends[1][1])
    return "1:" + base64.b64encode(hashlib.sha1(text).digest()).decode()


def block(kind, body):
    body += bytes(-len(body) % 4)
    return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)


def option(code, text):
    return struct.pack("<HH", code, len(text)) + text.encode() + bytes(-len(text) % 4)


def frames(name):
    """Of a sample: time in nanoseconds, octets."""
    file = gzip.open(Path(ROOT) / "samples/siw" / name).read() if name.endswith(".gz") else (Path(ROOT) / "samples/siw" / name).read_bytes()
    unit = {0xA1B2C3D4: 1000, 0xA1B23C4D: 1}[struct.unpack_from("<I", file)[0]]
    at, all_of_it = 24, []
    while at < len(file):
        seconds, rest, captured, _ = struct.unpack_from("<IIII", file, at)
        all_of_it.append((seconds * 10 ** 9 + rest * unit, file[at + 16:at + 16 + captured]))
        at += 16 + captured
    return all_of_it


def options_of(file, kind, at):
    """All (code, text) of the blocks of one kind, whose options begin at `at`."""
    found, place = [], 0
    while place < len(file):
        its, length = struct.unpack_from("<II", file, place)
        here = place + at
        while its == kind and here < place + length - 4:
            code, size = struct.unpack_from("<HH", file, here)
            if code == 0:
                break
            found.append((code, file[here + 4:here + 4 + size].decode(errors="replace")))
            here += 4 + size + -size % 4
        place += length
    return found


class Names(unittest.TestCase):
    def setUp(self):
        own = Folder()
        self.folder = own.__enter__().path
        self.addCleanup(own.__exit__)
        self.capture = self.folder / "two.pcapng"
        lists = [frames("many-100-rping-crc.pcap.gz"), frames("viol-qn-1.pcap")]
        packets = sorted((time, number, octets) for number, some in enumerate(lists) for time, octets in some)
        self.capture.write_bytes(
            block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
            + b"".join(block(1, struct.pack("<HHI", 1, 0, 0) + option(2, name) + option(9, "\x09") + bytes(4))
                       for name in ("left", "right"))
            + b"".join(block(6, struct.pack("<IIIII", number, time >> 32, time & 0xFFFFFFFF, len(octets), len(octets)) + octets)
                       for time, number, octets in packets))

    def start(self, limits=""):
        """Returns when the replay is over and all outputs have everything."""
        sections = (f'sensor = "rack 7"\ncommunity_id_seed = {SEED}\n[capture]\nreplay = ["{self.capture}"]\n'
                    f'tap_groups = ["left", "right"]\n[limits]\n{limits}\n')
        daemon = Running(PROGRAM, self.folder, sections).__enter__()
        self.addCleanup(daemon.__exit__)
        self.daemon = daemon

        def is_over():
            status = self.status()
            outputs = {one["name"]: int(one["queued"]) for one in status["outputs"]}
            return not status["capturing"] and outputs["event-log"] == outputs["history"] == 0
        wait_until(is_over, "the end of the replay")
        return self.status()["name"]

    def ask(self, *words):
        answer = run(CLIENT, *words, "--format", "json", "--socket", self.daemon.socket)
        return [json.loads(line) for line in answer.stdout.splitlines()], answer

    def status(self):
        return self.ask("status")[0][0]

    def events(self, *words):
        """The records, how many are missing, and what was said."""
        lines, answer = self.ask("events", *words)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return ([one for one in lines if one["record"] != "lost"], sum(one["count"] for one in lines if one["record"] == "lost"),
                answer.stderr)

    def logged(self):
        lines = (self.folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
        return [one for one in map(json.loads, lines) if one["record"] != "run"]

    def test_all_outputs_have_one_name(self):
        name = self.start()
        count = int(name["sequence"])
        self.assertGreater(count, 100)
        self.assertEqual(name["sensor"], "rack 7")
        for uuid in (name["sensor_uuid"], name["run_uuid"]):
            self.assertTrue(UUID.fullmatch(uuid), uuid)
        self.assertEqual((self.folder / "sensor-uuid").read_text(), name["sensor_uuid"] + "\n")
        logged = self.logged()
        self.assertEqual([one["sequence"] for one in logged], list(range(1, count + 1)))
        self.assertEqual({one["record"] for one in logged}, {"finding", "qp"})
        for one in logged:
            self.assertEqual([one[part] for part in NAME[:3]], [name[part] for part in NAME[:3]])
            self.assertEqual(one["tap_group"], one["interface"])
            if one["record"] == "qp" or one["frame"] is not None:
                self.assertIn(one["interface"], ("left", "right"), one)
            self.assertEqual(one["community_id"], one["a"] and community_id(one["a"], one["b"], 6))
        self.assertEqual({one["interface"] for one in logged if one["record"] == "qp"}, {"left", "right"})
        named = {one["sequence"]: [one["record"], *(one[part] for part in NAME)] for one in logged}

        def names(records):
            return {one["sequence"]: [one["record"], *(one[part] for part in NAME)] for one in records}
        self.assertEqual(names(self.events()[0]), named)
        self.assertEqual(names(self.ask("findings")[0] + self.ask("qps")[0]), named)
        self.assertEqual(names(self.ask("history", "--limit", 0xFFFF)[0] + self.ask("history", "--kind", "qps", "--limit", 0xFFFF)[0]),
                         named)
        self.expect_rows(name, named)
        self.expect_metrics(name)
        [first] = [one for one in logged if one["record"] == "qp" and one["interface"] == "right"]
        its = self.ask("history", "--kind", "qps", "--community-id", first["community_id"])[0]
        self.assertEqual([one["sequence"] for one in its], [first["sequence"]])
        self.daemon.stop()
        self.expect_recording(name, first)

    def expect_rows(self, name, named):
        with sqlite3.connect(f"file:{self.folder}/history.sqlite?mode=ro", uri=True) as history:
            self.assertEqual(history.execute("SELECT sensor, sensor_uuid, uuid FROM runs").fetchall(),
                             [tuple(name[part] for part in NAME[:3])])
            rows = [(sequence, [kind, *name_of]) for kind, table in (("finding", "findings"), ("qp", "qps")) for sequence, *name_of in
                    history.execute(f"SELECT sequence, sequence, interface, tap_group, community_id FROM {table}")]
        self.assertEqual(dict(rows), {sequence: [one[0], *one[4:]] for sequence, one in named.items()})

    def expect_metrics(self, name):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.daemon.port}/metrics", timeout=10) as answer:
            metrics = answer.read().decode()
        self.assertIn(f'iwarp_sensor_info{{sensor="rack 7",sensor_uuid="{name["sensor_uuid"]}",run_uuid="{name["run_uuid"]}"}} 1',
                      metrics)
        self.assertIn(f'iwarp_records_total{{sensor="rack 7"}} {name["sequence"]}\n', metrics)

    def expect_recording(self, name, qp):
        [file] = [path for path in (self.folder / "recordings").glob("*.pcapng") if f"-qp{qp['qp']}-" in path.name]
        octets = file.read_bytes()
        cause, line = [text for code, text in options_of(octets, 0x0A0D0D0A, 24) if code == 1]
        self.assertIn(f"queue pair {qp['qp']}", cause)
        for part in ("sensor_uuid", "run_uuid"):
            self.assertIn(f"{part}={name[part]}", line)
        self.assertIn(f"community_id={qp['community_id']}", line)
        self.assertRegex(line, r"sequence=\d+ ")
        self.assertTrue(line.endswith("interface=right tap_group=right sensor=rack 7"), line)
        self.assertEqual([one for one in options_of(octets, 1, 16) if one[0] in (2, 3)],
                         [(2, "right"), (3, "sensor rack 7, tap group right")])

    def test_reading_goes_on_after_any_record(self):
        name = self.start()
        count, run_uuid = int(name["sequence"]), name["run_uuid"]
        for after in (0, 1, count // 2, count - 1, count):
            records, missing, said = self.events("--after", f"{run_uuid}:{after}")
            self.assertEqual([one["sequence"] for one in records], list(range(after + 1, count + 1)))
            self.assertEqual((missing, said), (0, ""))
        records, missing, said = self.events("--after", f"{'0' * 8}-1111-4222-8333-{'4' * 12}:5")
        self.assertEqual([one["sequence"] for one in records], list(range(1, count + 1)))
        self.assertEqual(missing, 0)
        self.assertRegex(said, f"the run 0+-1111-.* has ended; the records of the run {run_uuid} follow")
        _, answer = self.ask("events", "--after", f"{run_uuid}:{count + 1}")
        self.assertEqual((answer.returncode, answer.stdout), (2, ""))
        self.assertIn(f"this run has {count} records", answer.stderr)
        _, answer = self.ask("events", "--after", run_uuid)
        self.assertEqual(answer.returncode, 2)
        self.assertIn("is not RUN:SEQUENCE", answer.stderr)

    def test_what_is_not_remembered_is_counted(self):
        name = self.start("findings = 3\nended_queue_pairs = 4")
        count = int(name["sequence"])
        records, missing, said = self.events()
        self.assertEqual(len(records), 3 + 4)
        self.assertEqual(missing, count - len(records))
        self.assertIn("missing", said)
        kept = [one["sequence"] for one in records]
        for after in (kept[2] - 1, kept[2], kept[-1] - 1, count):
            records, missing, _ = self.events("--after", f"{name['run_uuid']}:{after}")
            self.assertEqual([one["sequence"] for one in records], [one for one in kept if one > after])
            self.assertEqual(missing, count - after - len(records))
        # The log has them all.
        lines, answer = self.ask_log("--after", f"{name['run_uuid']}:7")
        self.assertEqual([one["sequence"] for one in lines], list(range(8, count + 1)))
        self.assertEqual(answer.stderr, "")

    def ask_log(self, *words):
        answer = run(CLIENT, "events", "--log", self.folder / "events.jsonl", "--format", "json", *words)
        return [json.loads(line) for line in answer.stdout.splitlines()], answer

    def test_a_log_says_what_it_lacks(self):
        def line(kind, run, sequence, **more):
            return json.dumps({"record": kind, "run_uuid": run, "sequence": sequence, **more}) + "\n"
        log = self.folder / "events.jsonl"
        # What rotation set aside last but one is gone: it had the records of run A up to 4.
        Path(f"{log}.1").write_text(line("run", "A", 4) + line("finding", "A", 5) + line("lost", "A", 7, count=2) + line("qp", "A", 8))
        log.write_text(line("run", "A", 8) + line("finding", "A", 9) + "half a line\n" + line("run", "B", None)
                       + line("run", "B", 3) + line("lost", "B", 3, count=4) + line("qp", "B", 8))
        for after, sequences, missing in (("A:2", [5, 8, 9, 8], [2, 2, 3, 4]), ("A:5", [8, 9, 8], [2, 3, 4]),
                                          ("A:8", [9, 8], [3, 4]), ("A:9", [8], [3, 4]), ("B:3", [8], [4]), ("B:8", [], [])):
            lines, answer = self.ask_log("--after", after)
            self.assertEqual([one["sequence"] for one in lines if one["record"] != "lost"], sequences, after)
            self.assertEqual([one["count"] for one in lines if one["record"] == "lost"], missing, after)
            self.assertEqual("the run A has ended" in answer.stderr, after[0] == "A")
            self.assertIn("1 line of the log is not JSON", answer.stderr)
        lines, answer = self.ask_log("--after", "C:1")
        self.assertEqual([one["sequence"] for one in lines if one["record"] != "lost"], [5, 8, 9, 8])
        self.assertIn("the log has no record of the run C: how many are missing is not known", answer.stderr)
        self.assertEqual(run(CLIENT, "events", "--log", self.folder / "none").returncode, 2)

    def test_the_sensor_keeps_its_uuid_and_each_run_has_another(self):
        first = self.start()
        self.daemon.stop()
        second = self.start()
        self.daemon.stop()
        self.assertEqual(second["sensor_uuid"], first["sensor_uuid"])
        self.assertNotEqual(second["run_uuid"], first["run_uuid"])
        count = int(first["sequence"])
        lines, answer = self.ask_log("--after", f"{first['run_uuid']}:{count - 2}")
        self.assertEqual([(one["run_uuid"], one["sequence"]) for one in lines],
                         [(first["run_uuid"], count - 1), (first["run_uuid"], count)]
                         + [(second["run_uuid"], sequence) for sequence in range(1, count + 1)])
        self.assertIn(f"the run {first['run_uuid']} has ended; the records of the run {second['run_uuid']} follow", answer.stderr)
        kept = self.folder / "sensor-uuid"
        kept.unlink()
        kept.write_text("not a UUID\n")
        third = self.start()
        self.assertRegex(self.daemon.said(), f"sensor-uuid does not hold a UUID: it is damaged.*{third['sensor_uuid']}")
        self.assertNotEqual(third["sensor_uuid"], first["sensor_uuid"])
        self.assertEqual(kept.read_text(), third["sensor_uuid"] + "\n")
        self.assertEqual([path.name for path in self.folder.glob("sensor-uuid*")], ["sensor-uuid"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
