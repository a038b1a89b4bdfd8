#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A capture whose clock was set while connections were open: clock_step_test.py IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY

Samples follow one another in one capture; inside some of them the clock goes back by an hour, inside others forward by a
day. Replayed, its findings and verdicts are those of `iwarpscope analyze`, no queue pair is cut in two or held to be
stalled, and that the step back is reported.
"""

import struct
import sys
import unittest
from collections import Counter
from pathlib import Path

from answers import Asking, findings, records, run, verdicts
from cable import moved
from running import Folder, Running, wait_until
from send_capture import octets_of, packets

PROGRAM = CLIENT = ROOT = ""
SECOND = 1_000_000_000
HOUR, DAY = 3600 * SECOND, 86400 * SECOND
SAMPLES = ["viol-crc-error.pcap", "verbs-all-opcodes-crc.pcap", "term-write-bad-stag.pcap",
           "viol-mpa-reply-ird-insufficient.pcap", "perf-read-lat-64-crc.pcap"]

COUNT = 2 * len(SAMPLES)


def outcomes(text):
    return Counter(qp["verdict"]["outcome"] for qp in records(text, "qp"))


def capture(path, root, steps):
    """Samples one after the other, each from ports of its own; in the middle of each the clock steps so far."""
    now, frames = 1_700_000_000 * SECOND, 0
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 1 << 18, 1))
        for n, step in enumerate(steps):
            its = list(packets(octets_of(Path(root) / "samples/siw" / SAMPLES[n % len(SAMPLES)])))
            before = None
            for i, (seconds, micro, octets) in enumerate(its):
                time = seconds * SECOND + micro * 1000
                now += (time - before if before is not None else SECOND) + (step if i == len(its) // 2 else 0)
                before = time
                octets = moved(octets, 50 + n)
                file.write(struct.pack("<IIII", now // SECOND, now % SECOND, len(octets), len(octets)) + octets)
                frames += 1
    return frames


class ClockSteps(unittest.TestCase):
    def compare(self, steps):
        """Records of the replay's event log and what it said, having found them the same as those of analyze."""
        own = Folder().__enter__()
        self.addCleanup(own.__exit__)
        path = own.path / "steps.pcap"
        frames = capture(path, ROOT, steps)
        path.chmod(0o644)
        truth = run(CLIENT, "analyze", "--format", "json", path, check=True).stdout
        daemon = Running(PROGRAM, own.path, "", ["-r", path])
        with daemon:
            ask = Asking(CLIENT, daemon)
            status = wait_until(lambda: not (now := ask.status())["capturing"] and now, "the end of the replay")
            self.assertEqual(daemon.stop()[1], 0, daemon.said())
        log = (own.path / "events.jsonl").read_text(encoding="utf-8")
        self.assertEqual(int(status["totals"]["frames"]), frames)
        self.assertEqual(findings(log), findings(truth))
        self.assertEqual(verdicts(log), verdicts(truth))
        self.assertNotIn("were lost", daemon.said())
        return status, log

    @classmethod
    def setUpClass(cls):
        with Folder() as own:
            path = own.path / "steady.pcap"
            capture(path, ROOT, [0] * COUNT)
            cls.steady = outcomes(run(CLIENT, "analyze", "--format", "json", path, check=True).stdout)

    def test_back_by_an_hour_is_reported_once(self):
        status, log = self.compare([0, 0, -HOUR, 0, -HOUR, -HOUR, -HOUR, 0, 0, 0])
        self.assertEqual(outcomes(log), self.steady)
        self.assertEqual(int(status["totals"]["findings"]["capture.clock-went-back"]), 1)

    def test_forward_by_a_day_cuts_and_stalls_nothing(self):
        _, log = self.compare([DAY, 0, 0, DAY, DAY, 0, DAY + HOUR, DAY, DAY, DAY])
        self.assertEqual(outcomes(log), self.steady)

    def test_back_and_forward_again_and_again(self):
        status, log = self.compare([-HOUR, DAY, DAY, -HOUR, 0, -DAY, HOUR, DAY, -HOUR, DAY])
        self.assertEqual(outcomes(log), self.steady)
        self.assertEqual(int(status["totals"]["findings"]["capture.clock-went-back"]), 1)


if __name__ == "__main__":
    PROGRAM, CLIENT, ROOT = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1], verbosity=2)
