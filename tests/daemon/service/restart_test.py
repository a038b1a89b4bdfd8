#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A daemon that is stopped in the middle of connections, and started again: restart_test.py IWARPSCOPED IWARPSCOPE
SOURCE_DIRECTORY

On a cable of its own: the second run goes on with the queue pairs of the first one, and their records are those of one run.
A checkpoint that is of no use is thrown away, and what was missed while no daemon ran is not blamed on anybody.
"""

import json
import os
import re
import socket
import sys
import time
import unittest
from pathlib import Path

from answers import Asking, records
from cable import FAR, NEAR, enter, metrics
from running import Folder, Running, wait_until
from send_capture import frames

PROGRAM = CLIENT = ROOT = ""
# When it was, and what the way adds. Frames are counted on over a restart.
OF_TIME = re.compile(r"time|_ns$|latency|duration|elapsed|rate|at_limit")
OF_RUN = {"run", "run_uuid", "sensor", "sensor_uuid", "sequence", "record", "continued"}


def crc32c(octets):
    """Source: RFC 9260 App. A."""
    crc = 0xFFFFFFFF
    for octet in octets:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def without_time(value):
    if isinstance(value, dict):
        return {key: without_time(one) for key, one in value.items() if key not in OF_RUN and not OF_TIME.search(key)}
    return [without_time(one) for one in value] if isinstance(value, list) else value


class Case(unittest.TestCase):
    def setUp(self):
        self.own = Folder().__enter__()
        self.addCleanup(self.own.__exit__)

    @property
    def checkpoint(self):
        return self.own.path / "checkpoint"

    def start(self, sections="", interfaces=(FAR,)):
        if "checkpoint_time" not in sections:  # none of the others is about a machine that is too busy
            patient = '[process]\ncheckpoint_time = "1 min"\n'
            sections = sections.replace("[process]\n", patient) if "[process]" in sections else sections + patient
        self.daemon = Running(PROGRAM, self.own.path, f"[capture]\ninterfaces = {list(interfaces)}\n{sections}").__enter__()
        self.addCleanup(self.daemon.__exit__)
        self.sent = 0

    def send(self, some):
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as cable:
            cable.bind((NEAR, 0))
            for frame in some:
                cable.send(frame)
        self.sent += len(some)
        wait_until(lambda: metrics(self.daemon)["iwarp_capture_packets_total"] >= self.sent, "all frames")

    def stop(self):
        took, status = self.daemon.stop()
        self.assertEqual(status, 0)
        self.assertLess(took, 10)
        self.daemon.__exit__()

    def all_runs(self, parts, sections=("", "")):
        """Sends each part to a run of its own; returns what the event log has then."""
        log = self.own.path / "events.jsonl"
        log.unlink(missing_ok=True)
        self.checkpoint.unlink(missing_ok=True)
        for number, part in enumerate(parts):
            self.start(sections[number % len(sections)])
            self.send(part)
            self.stop()
        text = log.read_text(encoding="utf-8")
        self.log_continued = [one["continued"] for one in records(text, "qp")]
        qps, findings = ([without_time(one) for one in records(text, kind)] for kind in ("qp", "finding"))
        # Those about the capture belong to each run.
        return {"qp": qps, "finding": [one for one in findings if one["qp"] is not None]}

    def refused(self):
        """The reasons that are counted."""
        reasons = ("damaged", "layout", "sensor", "settings", "age", "unreadable")
        count = lambda reason: metrics(self.daemon, f'reason="{reason}"').get("iwarp_checkpoint_refused_total")
        return {reason for reason in reasons if count(reason) == 1}

    def continued(self):
        now = metrics(self.daemon)
        return now["iwarp_qp_continued_total"], now["iwarp_qp_not_continued_total"]


class ARestart(Case):
    def check(self, name, qps, cut=None, compared=()):
        """`compared`: what is compared of a verdict; empty: all of it."""
        sent = frames(Path(ROOT) / "samples/siw" / name)
        middle = cut or len(sent) // 2
        one = self.all_runs([sent])
        self.assertEqual(set(self.log_continued), {False})
        several = self.all_runs([sent[:middle], sent[middle:]],
                                ("[analysis]\nthreads = 1\n", "[analysis]\nthreads = 3\n"))
        self.assertEqual(len(one["qp"]), qps)
        for qp in (one["qp"] + several["qp"] if compared else ()):
            qp["verdict"] = {key: qp["verdict"][key] for key in compared}
        self.maxDiff = None
        by_ends = lambda all: sorted(all, key=lambda one: json.dumps([one.get("a"), one.get("b")]))
        self.assertEqual(by_ends(several["qp"]), by_ends(one["qp"]))
        self.assertEqual(sorted(map(json.dumps, several["finding"])), sorted(map(json.dumps, one["finding"])))
        self.assertIn(True, self.log_continued)
        for qp in several["qp"]:
            self.assertEqual((qp["joined"], qp["startup"]["request"] is not None), ("startup", True))

    def test_between_messages_shows_in_no_record(self):
        self.check("mpa-v2-default.pcap", 1)

    def test_in_the_middle_of_a_message_shows_in_no_record(self):
        self.check("rping-ipv4-crc.pcap", 1)

    def test_during_startup_shows_in_no_record(self):
        # On a busy machine the restart takes more than a second, and the verdict says that an end took long to answer.
        self.check("mpa-v1-crc.pcap", 1, 5, ("id", "code", "outcome", "class", "blame", "confidence"))

    def test_over_sctp_shows_in_no_record(self):
        self.check("../sctp/sctp-linux-sessions-in-turn.pcap", 4)

    def test_with_many_connections_shows_in_no_record(self):
        self.check("many-64qp-write-crc.pcap.gz", 65)


class ACheckpoint(Case):
    def setUp(self):
        super().setUp()
        self.frames = frames(Path(ROOT) / "samples/siw/rping-ipv4-crc.pcap")
        self.middle = len(self.frames) // 2

    def first_run(self, sections="", **more):
        self.start(sections, **more)
        self.send(self.frames[:self.middle])
        self.stop()
        self.assertTrue(self.checkpoint.is_file())

    def second_run(self, sections="", **more):
        """What it says at its start."""
        said = len(self.daemon.said())
        self.start(sections, **more)
        self.assertFalse(self.checkpoint.exists(), "it is read once")
        return self.daemon.said()[said:]

    def is_met_in_the_middle(self):
        self.send(self.frames[self.middle:])
        ask = Asking(CLIENT, self.daemon)
        [qp] = wait_until(lambda: records(ask("qps"), "qp"), "a queue pair")
        self.assertEqual(qp["continued"], qp["joined"] == "startup")
        return qp["joined"] != "startup"

    def status(self):
        """What the API says of the restart: continued, not continued, and the reason of a refusal."""
        [status] = records(Asking(CLIENT, self.daemon)("status"), "status")
        return int(status["continued"]), int(status["not_continued"]), status["checkpoint_refused"]

    def is_thrown_away(self, said, why, reason):
        self.assertEqual(self.status()[::2], (0, reason))
        self.assertEqual(self.refused(), {reason})
        self.assertRegex(said, rf"checkpoint .* is not used: .*{why}")
        self.assertEqual(len(re.findall("is not used", said)), 1)
        self.assertEqual(self.continued()[0], 0)
        self.assertTrue(self.is_met_in_the_middle())

    def test_is_used_once_and_its_queue_pairs_are_counted(self):
        self.first_run()
        said = self.second_run()
        self.assertIn("1 queue pair of the run before goes on in this one", said)
        self.assertEqual(self.continued(), (1, 0))
        self.assertEqual(self.refused(), set())
        self.assertEqual(self.status(), (1, 0, ""))
        self.assertFalse(self.is_met_in_the_middle())

    def test_of_higher_limits_is_thrown_away(self):
        self.first_run()
        self.is_thrown_away(self.second_run("[limits]\nqueue_pairs = 1700\n"), "a limit is lower", "settings")
        self.assertEqual((self.continued()[1], self.status()[1]), (1, 1))

    def test_of_another_network_is_thrown_away(self):
        self.first_run(interfaces=("lo", FAR))
        sections = f'tap_groups = ["lo", "{FAR}"]\n'
        self.is_thrown_away(self.second_run(sections, interfaces=("lo", FAR)), "configured differently", "settings")

    def test_of_an_interface_that_is_gone_is_thrown_away(self):
        self.first_run(interfaces=("lo", FAR))
        self.is_thrown_away(self.second_run(), "configured differently", "settings")

    def test_of_fewer_interfaces_and_lower_limits_is_used(self):
        self.first_run("[limits]\nqueue_pairs = 1700\n")
        self.second_run('snap_length = "64 KiB"\nfilter = "tcp"\n', interfaces=(FAR, "lo"))
        self.assertEqual(self.continued(), (1, 0))
        self.assertFalse(self.is_met_in_the_middle())

    def test_that_is_too_old_is_thrown_away(self):
        self.first_run()
        time.sleep(1.1)
        self.is_thrown_away(self.second_run('[process]\ncheckpoint_age = "1 s"\n'), "too old", "age")

    def test_that_is_damaged_is_thrown_away(self):
        self.first_run()
        octets = bytearray(self.checkpoint.read_bytes())
        octets[len(octets) // 2] ^= 1
        self.checkpoint.write_bytes(octets)
        self.is_thrown_away(self.second_run(), "damaged", "damaged")

    def test_of_another_sensor_is_thrown_away(self):
        self.first_run()
        (self.own.path / "sensor-uuid").unlink()
        self.is_thrown_away(self.second_run(), "another sensor", "sensor")

    def test_of_another_format_is_thrown_away(self):
        self.first_run()
        octets = bytearray(self.checkpoint.read_bytes())
        octets[18] ^= 0x40
        self.checkpoint.write_bytes(octets)
        self.is_thrown_away(self.second_run(), "another layout of the file", "layout")

    def test_of_another_layout_is_thrown_away(self):
        self.first_run()
        octets = bytearray(self.checkpoint.read_bytes())
        # The header begins with the layout; before the state is its length, and then a CRC32c of the rest.
        header_end = 20 + int.from_bytes(octets[16:18], "little")
        sums_end = next(at for at in range(header_end, len(octets)) if octets[at] < 0x80) + 5
        octets[20] ^= 1
        crc = crc32c(octets[:header_end] + octets[sums_end:])
        octets[sums_end - 4:sums_end] = crc.to_bytes(4, "little")
        self.checkpoint.write_bytes(octets)
        self.is_thrown_away(self.second_run(), "another layout of the state", "layout")

    def test_that_is_too_small_leaves_the_largest_queue_pairs_out(self):
        many = frames(Path(ROOT) / "samples/siw/many-64qp-write-crc.pcap.gz")
        sections = '[process]\ncheckpoint_limit = "12 KiB"\n'
        self.start(sections)
        self.send(many[:len(many) // 2])
        self.stop()
        self.assertLessEqual(self.checkpoint.stat().st_size, 14 << 10)
        said = self.second_run(sections)
        went_on, did_not = self.continued()
        self.assertGreater(went_on, 0)
        self.assertGreater(did_not, 0)
        self.assertIn("did not fit into the checkpoint", said)

    def test_that_the_disk_does_not_take_is_discarded(self):
        self.start('[process]\ncheckpoint_time = "1 s"\n')
        self.send(self.frames[:self.middle])
        # What opens it to write waits for ever, as for a disk that does not answer.
        fifo = Path(f"{self.checkpoint}.{self.daemon.process.pid}.part")
        os.mkfifo(fifo)
        fifo.chmod(0o666)
        self.stop()
        self.assertEqual(list(self.own.path.glob("checkpoint*")), [])
        self.assertIn("the disk is too slow (checkpoint_time)", self.daemon.said())

    def test_that_is_switched_off_is_neither_written_nor_read(self):
        self.start('[process]\ncheckpoint = ""\n')
        self.send(self.frames[:self.middle])
        self.stop()
        self.assertFalse(self.checkpoint.exists())
        self.start('[process]\ncheckpoint = ""\n')
        self.assertEqual(self.continued(), (0, 0))
        self.assertTrue(self.is_met_in_the_middle())

    def test_does_not_make_missed_frames_anybodys_fault(self):
        self.first_run()
        self.second_run()
        self.send(self.frames[self.middle + 9:])
        ask = Asking(CLIENT, self.daemon)
        [qp] = wait_until(lambda: records(ask("qps"), "qp"), "a queue pair")
        self.assertEqual(qp["joined"], "startup")
        self.assertNotIn(qp["verdict"]["blame"], ("a", "b", "path"))
        errors = [one for one in records(ask("findings"), "finding") if one["severity"] != "note"]
        self.assertEqual([one["id"] for one in errors if not one["id"].startswith("capture.")], [])


if __name__ == "__main__":
    PROGRAM, CLIENT, ROOT = sys.argv[1:4]
    enter()
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
