#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures the processor time of iwarpscoped for a frame and for a short connection, and prints it against `tcpdump -w
/dev/null` in the same run.

    tests/benchmark/wire.py [--build build/release] [--runs N] [--seconds N] [--method ring|xdp] [--perf FILE]

Each program watches a veth pair of its own, with a ring of 64 MiB. The same frames are sent over the one and over
the other in turns, at the same rate, while the other program is idle. One processor sends, the other receives. Processor time is
what the kernel counts for the process with all its threads, in nanoseconds, less what it takes while nothing is sent. The
daemon has API, metrics, event log and history on; the row "and the recorder" has the recorder on as well.

Bulk: large messages of 16 connections, MTU 1500 and 9000. Bound: 2.5 times tcpdump, as the median of the runs. Short
connections: TCP handshake, MPA startup, a few messages, close. Bound: 0.2 ms each, from the first frame to the row in
the history. Frames that either program lost are printed: a run with losses is of no use.

--perf writes samples of the daemon's threads during "bulk, MTU 1500" and "short connections" to FILE.bulk and FILE.short,
for `perf report --sort comm,symbol`. Needs root, veth and two processors, and takes some three minutes.
"""
import argparse
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/daemon/service"))
from cable import FAR, Sender, add_cable, enter, metrics  # noqa: E402
from live import alone, traffic  # noqa: E402
from run import cpu_model, verdict  # noqa: E402
from running import Folder, Running, wait_until  # noqa: E402

OTHER_NEAR, OTHER_FAR = "wire1", "mirror1"  # the cable that tcpdump watches
SECTIONS = f"""[capture]
interfaces = ["{FAR}"]
ring = "%d MiB"
method = "%s"
[limits]
after_end = "1 s"
[recorder]
enabled = %s
"""
BULK = ["bulk", "--octets", "8M", "--mix", "send,write,read", "--connections", "16", "--mtu"]
RATES = {1500: 60_000, 9000: 20_000}  # frames a second
CONNECTIONS, CONNECTION_RATE = 64, 500  # of a round of the sender; a second
SHORT = "connect; startup; send a 100; send b 100; write a 1000; read b size=500; close"
HISTORY = 'kind="history"'
LONGEST_BLOCK = 3  # seconds until what is in the ring is counted; tcpdump's kernel hands blocks over after one
TIMES_TCPDUMP, SHORT_BOUND = 2.5, 0.2  # the latter in milliseconds


def processor_time(pid):
    """Nanoseconds that all threads of the process took, those that have ended too. Source: clock_getcpuclockid(3)."""
    return time.clock_gettime_ns((~pid << 3) | 2)


class Tcpdump:
    """On its cable, for as long as this is open."""

    def __init__(self, cpu, ring):
        self.said = tempfile.TemporaryFile()
        command = ["tcpdump", "-i", OTHER_FAR, "-n", "-B", str(ring << 10), "-s", "262144", "-w", "/dev/null"]
        self.process = subprocess.Popen([*alone(cpu), *command], stdin=subprocess.DEVNULL, stdout=self.said,
                                        stderr=self.said)
        self.pid = self.process.pid
        wait_until(lambda: "listening on" in self.text(), "tcpdump that listens")

    def text(self):
        return os.pread(self.said.fileno(), 1 << 20, 0).decode(errors="replace")

    def counted(self):
        """Frames that it has written by now."""
        before = len(self.text())
        self.process.send_signal(signal.SIGUSR1)
        found = wait_until(lambda: re.search(r"(\d+) packets? captured", self.text()[before:]), "tcpdump's count")
        return int(found[1])

    def close(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)
        self.said.close()


class Ours:
    """The daemon on its cable."""

    def __init__(self, daemon):
        self.daemon, self.pid = daemon, daemon.process.pid

    def counted(self):
        self.daemon.listen()  # as systemd does: a notification waits until it is read
        return int(metrics(self.daemon)["iwarp_capture_packets_total"])


def idle(program, seconds):
    """Processor time of a second in which nothing comes."""
    begun = processor_time(program.pid)
    time.sleep(seconds)
    return (processor_time(program.pid) - begun) / seconds


def effort(program, sender, rate, seconds, quiet):
    """Nanoseconds of processor time for a frame, and the frames that it did not count."""
    before, begun, started = program.counted(), processor_time(program.pid), time.monotonic()
    sent = sender.sent
    sender.begin(rate, seconds)
    sender.result()
    sent = sender.sent - sent
    until = time.monotonic() + LONGEST_BLOCK
    while (now := program.counted()) - before < sent and time.monotonic() < until:
        time.sleep(0.05)
    used = processor_time(program.pid) - begun - quiet * (time.monotonic() - started)
    return used / sent, sent - (now - before)


def bulk(name, pairs, rate, options):
    """Prints a row; returns whether the bound is met. `pairs`: tcpdump and its sender, the daemon and its sender."""
    quiet = [idle(program, 1) for program, _ in pairs]
    rows = []
    for _ in range(options.runs):
        rows.append([effort(program, sender, rate, options.seconds, rest)
                     for (program, sender), rest in zip(pairs, quiet)])
    theirs, ours = (statistics.median(row[i][0] for row in rows) for i in (0, 1))
    ratio = statistics.median(row[1][0] / row[0][0] for row in rows)
    lost = [sum(row[i][1] for row in rows) for i in (0, 1)]
    print(f"{name}, {rate:.0f} frames/s: tcpdump {theirs:.0f} ns a frame, iwarpscoped {ours:.0f} ns, {ratio:.2f} times as much "
          f"(bound: {TIMES_TCPDUMP}): {verdict(ratio <= TIMES_TCPDUMP)}; lost {lost[0]} and {lost[1]}", flush=True)
    return ratio <= TIMES_TCPDUMP


def short(ours, sender, count, options):
    """Prints a row of short connections, of which the frames of `count` are a round."""
    quiet = idle(ours, 1)
    stored = metrics(ours.daemon, HISTORY)["iwarp_output_taken_total"]
    before, begun, started = sender.sent, processor_time(ours.pid), time.monotonic()
    sender.begin(CONNECTION_RATE * count / CONNECTIONS, options.seconds * options.runs)
    sender.result()
    connections = (sender.sent - before) // (count // CONNECTIONS)

    def rows():
        ours.daemon.listen()
        return metrics(ours.daemon, HISTORY)["iwarp_output_taken_total"] - stored

    wait_until(lambda: rows() >= connections - CONNECTIONS, f"{connections} connections in the history")
    ended = rows()
    each = (processor_time(ours.pid) - begun - quiet * (time.monotonic() - started)) / connections * 1e-6
    print(f"short connections, {CONNECTION_RATE} a second, {count // CONNECTIONS} frames each: {each:.3f} ms each (bound: "
          f"{SHORT_BOUND} ms): {verdict(each <= SHORT_BOUND)}; {ended:.0f} rows of {connections} connections", flush=True)
    return each <= SHORT_BOUND


class Perf:
    """Samples of a process, as long as this is open, if a file is wanted."""

    def __init__(self, path, name, pid):
        self.process = None
        if path:
            self.process = subprocess.Popen(["perf", "record", "-q", "-e", "cpu-clock", "-F", "1999", "-g", "-o", f"{path}.{name}",
                                             "-p", str(pid)], stdin=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(60)


def short_connections(binaries):
    script = ";".join(f"connection; end a port={40_000 + n}; {SHORT}" for n in range(CONNECTIONS))
    return traffic(binaries, ["script", "-e", script])


def measure(binaries, cpus, options, recorder):
    """With the recorder, bulk of MTU 1500 alone."""
    met = []
    sections = SECTIONS % (options.ring, options.method, str(recorder).lower())
    with Folder() as own, Running(binaries / "iwarpscoped", own.path, sections, before=alone(cpus[-1])) as daemon:
        ours, tcpdump = Ours(daemon), Tcpdump(cpus[-1], options.ring)
        for mtu in [1500] if recorder else RATES:
            load = traffic(binaries, [*BULK, str(mtu)])
            senders = [Sender(load, cpus[0], near=OTHER_NEAR), Sender(load, cpus[0])]
            name = f"bulk, MTU {mtu}{', and the recorder' * recorder}, {sum(map(len, load)) / len(load):.0f} octets"
            with Perf(options.perf if mtu == 1500 and not recorder else None, "bulk", ours.pid):
                met.append(bulk(name, list(zip((tcpdump, ours), senders)), RATES[mtu] * options.faster, options))
            for sender in senders:
                sender.close()
        tcpdump.close()
        if not recorder:
            load = short_connections(binaries)
            sender = Sender(load, cpus[0])
            with Perf(options.perf, "short", ours.pid):
                met.append(short(ours, sender, len(load), options))
            sender.close()
        daemon.stop()
    return all(met)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2, help="of each run")
    parser.add_argument("--ring", type=int, default=64, help="MiB, of each program")
    parser.add_argument("--method", default="ring", choices=["ring", "xdp"], help="how iwarpscoped captures")
    parser.add_argument("--faster", type=float, default=1, help="times the usual rates of frames")
    parser.add_argument("--perf", metavar="FILE")
    options = parser.parse_args()
    enter()
    add_cable(OTHER_NEAR, OTHER_FAR)
    cpus = sorted(os.sched_getaffinity(0))
    print(f"machine: {os.cpu_count()} CPUs, {cpu_model()}; load of the last minute {os.getloadavg()[0]:.1f}", flush=True)
    met = [measure(Path(options.build, "bin"), cpus, options, recorder) for recorder in (False, True)]
    print(f"load of the last minute: {os.getloadavg()[0]:.1f}")
    sys.exit(0 if met[0] else 1)


if __name__ == "__main__":
    main()
