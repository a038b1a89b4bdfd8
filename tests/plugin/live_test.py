#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin while tshark captures: sends a sample over a private cable in a private network namespace. The results must
be visible before the capture ends. Needs root; without root it prints so and returns 77.

  live_test.py PLUGIN SAMPLES
"""

import os
import queue
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest

from tshark import Tshark

PLUGIN, SAMPLES = (sys.argv + [None] * 2)[1:3]
SKIPPED = 77
INSIDE = "IWARPSCOPE_LIVE_TEST"  # in the environment: the network is this program's own
SENDER, RECEIVER = "iw0", "iw1"
SAMPLE = "siw/viol-length-too-long.pcap"
FILE_HEADER, RECORD_HEADER = 24, 16  # octets of a classic pcap
PATIENCE = 30  # seconds
FIELDS = ["-Y", "iwarp.finding", "-T", "fields", "-e", "tcp.seq_raw", "-e", "iwarp.finding.code"]
CAPTURE_RIGHTS = ("--inh-caps", "+net_raw,+net_admin", "--ambient-caps", "+net_raw,+net_admin")


def frames(path):
    """The records of a classic little-endian pcap."""
    with open(path, "rb") as f:
        octets = f.read()
    at = FILE_HEADER
    while at < len(octets):
        size, = struct.unpack_from("<I", octets, at + 8)
        at += RECORD_HEADER
        yield octets[at:at + size]
        at += size


def lines_of(stream):
    """A queue that gets the stream's lines when they arrive."""
    lines = queue.Queue()

    def read():
        for line in stream:
            lines.put(line.rstrip("\n"))

    threading.Thread(target=read, daemon=True).start()
    return lines


def is_listened_to(interface):
    """A packet socket is bound to it. tshark's own message is not used: some versions print it too early."""
    index = str(socket.if_nametoindex(interface))
    with open("/proc/net/packet", encoding="ascii") as f:
        sockets = [line.split() for line in f.readlines()[1:]]
    return any(fields[4] == index and fields[5] == "1" for fields in sockets)


class Live(unittest.TestCase):
    def setUp(self):
        self.ours = Tshark(PLUGIN)
        self.path = os.path.join(SAMPLES, SAMPLE)

    def capture(self):
        """tshark at the far end of the cable, when it captures."""
        command = self.ours.command("-i", RECEIVER, "-f", "tcp", "-l", *FIELDS, rights=CAPTURE_RIGHTS)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        self.addCleanup(self.end, process)
        messages, until = lines_of(process.stderr), time.monotonic() + PATIENCE
        while not is_listened_to(RECEIVER):
            if process.poll() is not None or time.monotonic() > until:
                self.fail("tshark does not capture: " + "\n".join(messages.queue))
            time.sleep(0.05)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        process.stderr.close()

    def send(self):
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as cable:
            cable.bind((SENDER, 0))
            for frame in frames(self.path):
                cable.send(frame)
                time.sleep(0.005)

    def test_findings_show_while_the_capture_goes_on(self):
        want = self.ours.run(FIELDS, self.path).lines()
        self.assertGreater(len(want), 2)
        process = self.capture()
        rows, shown = lines_of(process.stdout), []
        self.send()
        try:
            while len(shown) < len(want):
                shown.append(rows.get(timeout=PATIENCE))
        except queue.Empty:
            pass
        self.assertEqual(shown, want)
        self.assertIsNone(process.poll(), "tshark was to go on capturing")


def refusal():
    """Why the test cannot run here; empty: it can."""
    if os.geteuid() != 0:
        return "needs root, for a network of its own"
    missing = [name for name in ("unshare", "setpriv", "ip") if shutil.which(name) is None]
    if missing:
        return f"needs {', '.join(missing)}"
    if subprocess.run(["unshare", "--net", "true"], capture_output=True, check=False).returncode != 0:
        return "may not make a network of its own"
    return ""


def main():
    if INSIDE not in os.environ:
        why = refusal()
        if why:
            print(f"skipped: {why}")
            return SKIPPED
        os.environ[INSIDE] = "yes"
        os.execvp("unshare", ["unshare", "--net", sys.executable, *sys.argv])
    made = subprocess.run(["ip", "link", "add", SENDER, "type", "veth", "peer", "name", RECEIVER], capture_output=True,
                          text=True, check=False)
    if made.returncode != 0:
        print(f"skipped: no cable: {made.stderr.strip()}")
        return SKIPPED
    for end in (SENDER, RECEIVER):
        subprocess.run(["ip", "link", "set", end, "mtu", "9000", "up"], check=True)
    return 0 if unittest.main(argv=sys.argv[:1], verbosity=2, exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
