#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""iwarpscoped on an interface for long, with connections that come and go: is its memory flat, is every frame accounted
for, are its answers prompt? soak.py IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY [MINUTES]     (30)

Makes a network namespace with a veth pair, sends samples over it again and again, each time from other ports, and asks
every ten seconds (twenty times in all, when it is shorter). Needs root. Fails when the resident memory grows after the
first quarter by more than a tenth and 8 MiB, when frames are neither analysed nor counted as lost, when an answer takes
longer than two seconds, or when queue pairs are not given up.
"""

import json
import subprocess
import sys
import threading
import time
import socket as sockets
from pathlib import Path

from answers import resident
from cable import NEAR, enter, metrics, moved
from running import Folder, Running, wait_until
from send_capture import frames

SAMPLES = ["verbs-all-opcodes-crc.pcap", "term-write-bad-stag.pcap", "viol-crc-error.pcap",
           "viol-mpa-reply-ird-insufficient.pcap", "mpa-crc-strict-reject.pcap"]
ROUNDS = 256  # of ports; a connection's come again after so many
SECTIONS = """[capture]
interfaces = ["mirror0"]
[limits]
after_end = "1 s"
messages = 20000
findings = 5000
ended_queue_pairs = 1000
[history]
size = "16 MiB"
[event_log]
rotate = "4 MiB"
keep = 1
[recorder]
at_least = "none"
"""


class Sender(threading.Thread):
    """Sends rounds until it is stopped; each is one of every sample."""

    def __init__(self, root, per_second):
        super().__init__(daemon=True)
        captures = [frame for name in SAMPLES for frame in frames(Path(root) / "samples/siw" / name)]
        self.rounds = [[moved(frame, n) for frame in captures] for n in range(ROUNDS)]
        self.pause = 1 / per_second
        self.over = threading.Event()
        self.sent = self.times = 0

    def stop(self):
        self.over.set()
        self.join()

    def run(self):
        with sockets.socket(sockets.AF_PACKET, sockets.SOCK_RAW) as cable:
            cable.bind((NEAR, 0))
            while not self.over.is_set():
                for frame in self.rounds[self.times % ROUNDS]:
                    cable.send(frame)
                    self.sent += 1
                self.times += 1
                time.sleep(self.pause)


def main(program, client, root, minutes="30"):
    enter()
    seconds = float(minutes) * 60
    every = min(10.0, seconds / 20)
    troubles, seen = [], []
    with Folder() as own, Running(program, own.path, SECTIONS) as daemon:
        sender = Sender(root, 5)
        sender.start()
        end = time.monotonic() + seconds
        print("   time     RSS KiB  connections      frames     lost")
        while time.monotonic() < end:
            time.sleep(every)
            begun = time.monotonic()
            subprocess.run([client, "qps", "--format", "json", "--socket", str(daemon.socket)], capture_output=True,
                           check=True)
            taken = time.monotonic() - begun
            if taken > 2:
                troubles.append(f"an answer took {taken:.1f} s")
            now = metrics(daemon)
            seen.append(resident(daemon.process.pid))
            print(f"{seconds - (end - time.monotonic()):7.0f} {seen[-1]:11} {now['iwarp_qp_opened_total']:12.0f} "
                  f"{now['iwarp_capture_packets_total']:11.0f} {now['iwarp_capture_drops_total']:8.0f}", flush=True)
        sender.stop()

        def accounted():
            now = metrics(daemon)
            return now if now["iwarp_capture_packets_total"] + now["iwarp_capture_drops_total"] >= sender.sent else None

        try:
            now = wait_until(accounted, "every frame analysed or counted as lost", 10)
            if now["iwarp_capture_packets_total"] + now["iwarp_capture_drops_total"] != sender.sent:
                troubles.append(f"{sender.sent} frames were sent, {now['iwarp_capture_packets_total']:.0f} came")
        except AssertionError as error:
            troubles.append(str(error))
            now = metrics(daemon)
        if now["iwarp_qp_opened_total"] < sender.times * len(SAMPLES) and not now["iwarp_capture_drops_total"]:
            troubles.append(f"{sender.times * len(SAMPLES)} connections were sent")
        status = json.loads(subprocess.run([client, "status", "--format", "json", "--socket", str(daemon.socket)],
                                           capture_output=True, text=True, check=True).stdout.splitlines()[0])
        took, code = daemon.stop()
        if code != 0 or took > 15:
            troubles.append(f"it ended with {code} after {took:.1f} s: {daemon.said()}")
    quarter = seen[len(seen) // 4]
    if max(seen) > quarter * 1.1 + 8192:
        troubles.append(f"memory grew from {quarter} to {max(seen)} KiB")
    followed = [limit for limit in status.get("limits", []) if limit.get("table") == "qps"]
    if followed and int(followed[0].get("entries", 0)) > 5000:
        troubles.append(f"{followed[0]['entries']} queue pairs are still followed")
    print(f"{sender.sent} frames of {sender.times * len(SAMPLES)} connections in {seconds:.0f} s; resident memory "
          f"{quarter} KiB after the first quarter, at most {max(seen)} KiB; stopped in {took:.1f} s.")
    for trouble in troubles:
        print("FAILED:", trouble)
    sys.exit(1 if troubles else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
