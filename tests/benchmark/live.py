#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures iwarpscoped on a veth pair, with one processor for the sender and one for the receiver, and prints ratios.

    tests/benchmark/live.py [--build build/release] [--seconds N] [--probes N]

Rate: the highest rate of frames at which nothing is lost, found by halving (three tries each), for iwarpscoped (API,
metrics, event log, history and recorder on), `tcpdump -w /dev/null`, `tshark -w /dev/null`, and tshark that dissects
and counts RDMAP. All have a ring of 8 MiB. Without loss means that as many frames as were sent were counted at the end,
and with ours, that its counters of lost frames do not grow.
Effort: the processor time that each takes for a frame at half of its rate, which other programs disturb least.
Latency: while small Sends, packed into TCP segments, keep the daemon's processor half busy, connections with a wrong CRC
go over the same cable; from the frame with the wrong CRC being sent to the finding being a line of `iwarpscope findings
--follow`. Bound: 200 ms.

Needs root, and takes some five minutes. tests/benchmark/daemon.py runs it, too.
"""
import argparse
import json
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/daemon/service"))
from cable import FAR, NEAR, Sender, enter, metrics, moved  # noqa: E402
from run import cpu_model, verdict  # noqa: E402
from running import Folder, Running, wait_until  # noqa: E402
from send_capture import frames  # noqa: E402

SECTIONS = f"""[capture]
interfaces = ["{FAR}"]
ring = "8 MiB"
queue = "8 MiB"
[limits]
after_end = "1 s"
"""
LOAD = ["bulk", "--octets", "8M", "--mtu", "1500", "--mix", "send,write,read", "--connections", "16"]
SMALL = ["small", "--octets", "8M"]  # some 16 FPDUs a TCP segment: what is most work for the daemon
LOWEST = 2000    # frames a second
HALVINGS = 7
TRIES = 3        # of a rate
BOUND = 0.2      # seconds
LIMITED = " (the sender can do no more)"


def alone(cpu):
    """On this processor, and before all that is not of the measurement."""
    return ["nice", "-n", "-10", "taskset", "-c", str(cpu)]


class Others:
    """A capturing program that is started again for each rate; `processor` has the seconds of the last time."""

    def __init__(self, name, command, cpu, ready):
        self.name, self.command, self.cpu, self.ready, self.processor = name, command, cpu, ready, 0

    def lost(self, sender, rate, seconds):
        """Sends; returns frames sent a second, and how many of them were not counted."""
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen([*alone(self.cpu), *self.command], stdin=subprocess.DEVNULL, stdout=said,
                                       stderr=said)

            def text():
                return os.pread(said.fileno(), 1 << 20, 0).decode(errors="replace")

            wait_until(lambda: self.ready in text() and self.listens(), f"{self.name} that captures; it said: {text()}")
            before = sender.sent
            sender.begin(rate, seconds)
            reached = sender.result()
            time.sleep(1)  # for what it has in its ring; a slower program does not keep up
            process.send_signal(signal.SIGINT)
            used = os.wait4(process.pid, 0)[2]  # with dumpcap, which tshark waits for
            process.returncode = 0
            self.processor = used.ru_utime + used.ru_stime
            counted = self.counted(text())
        return reached, sender.sent - before - counted

    @staticmethod
    def listens():
        index = str(socket.if_nametoindex(FAR))
        return any(line.split()[4] == index for line in
                   Path("/proc/net/packet").read_text(encoding="ascii").splitlines()[1:])

    def counted(self, text):
        """Frames it counted; those it says were dropped are not among them."""
        rows = re.findall(r"\| *[\d.]+ *<> *[\d.]+ *\| *(\d+) ", text)
        captured = re.findall(r"(\d+) packets? captured", text)
        if not rows and not captured:
            raise AssertionError(f"{self.name} counted nothing: {text}")
        return sum(map(int, rows)) if rows else int(captured[-1])


class Ours:
    """The daemon, which runs on."""

    name = "iwarpscoped"

    def __init__(self, daemon):
        self.daemon, self.processor = daemon, 0

    def used(self):
        fields = Path(f"/proc/{self.daemon.process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def lost(self, sender, rate, seconds):
        began = self.used()
        before = metrics(self.daemon)["iwarp_capture_drops_total"]
        sender.begin(rate, seconds)
        reached = sender.result()

        def accounted():
            now = metrics(self.daemon)
            return now["iwarp_capture_packets_total"] + now["iwarp_capture_drops_total"] >= sender.sent

        wait_until(accounted, "every frame analysed or counted as lost")
        self.processor = self.used() - began
        return reached, metrics(self.daemon)["iwarp_capture_drops_total"] - before


def without_loss(program, sender, most, seconds):
    """The highest rate without loss, as it was reached; whether the sender is what limits it."""
    best, lowest, highest, step = 0, LOWEST, most, 0
    rate = highest
    while step < HALVINGS:
        for _ in range(TRIES):  # something else may have run
            reached, lost = program.lost(sender, rate, seconds)
            if lost == 0 and reached >= 0.9 * rate:
                break
        print(f"    {program.name}: {reached:.0f} frames/s, {lost:.0f} lost", file=sys.stderr, flush=True)
        if lost == 0:
            best, lowest = max(best, reached), rate
            if rate == most or reached < 0.9 * rate:
                return best, True
        else:
            highest = rate
        rate, step = (lowest * highest) ** 0.5, step + 1
    return best, False


def effort(program, sender, rate, seconds):
    """Microseconds of processor time for a frame at a rate, without what it takes to start and to wait."""
    program.lost(sender, 1, seconds)
    idle, sent = program.processor, sender.sent
    program.lost(sender, rate, seconds)
    return (program.processor - idle) / (sender.sent - sent) * 1e6


def own_rate(daemon, sender, seconds):
    """What the sender can send, the daemon's rate without loss, and its effort at half of that."""
    sender.begin(None, seconds)
    most = sender.result()
    wait_until(lambda: sum(metrics(daemon)[f"iwarp_capture_{name}_total"] for name in ("packets", "drops")) >= sender.sent,
               "all frames of the first try")
    print(f"the sender, with the daemon listening: {most:.0f} frames/s")
    rate, limited = without_loss(Ours(daemon), sender, most, seconds)
    each = effort(Ours(daemon), sender, rate / 2, seconds)
    print(f"iwarpscoped: {'at least ' if limited else ''}{rate:.0f} frames/s without loss{LIMITED if limited else ''}; "
          f"{each:.2f} us of processor time for a frame at {rate / 2:.0f} frames/s", flush=True)
    return most, rate, each


def compare(sender, cpu, most, seconds, ours, each):
    for name, command, ready in (
            ("tcpdump -w /dev/null", ["tcpdump", "-i", FAR, "-n", "-B", "8192", "-s", "262144", "-w", "/dev/null"],
             "listening on"),
            ("tshark -w /dev/null", ["tshark", "-i", FAR, "-n", "-B", "8", "-w", "/dev/null"], "Capturing on"),
            ("tshark that dissects", ["tshark", "-i", FAR, "-n", "-B", "8", "-q", "-z",
                                      "io,stat,0,frame,iwarp_ddp_rdmap"], "Capturing on")):
        if shutil.which(command[0]) is None:
            print(f"{name}: not installed")
            continue
        other = Others(name, command, cpu, ready)
        rate, limited = without_loss(other, sender, most, seconds)
        text = f"{name}: {'at least ' if limited else ''}{rate:.0f} frames/s without loss{LIMITED if limited else ''}"
        if rate:
            its = effort(other, sender, rate / 2, seconds)
            text += (f", iwarpscoped takes {ours / rate:.2f} times as many; {its:.2f} us of processor time for a frame at "
                     f"{rate / 2:.0f} frames/s, iwarpscoped {each / its:.2f} times as much")
        print(text, flush=True)


def latency(client, daemon, sender, rate, probes):
    """Prints the times from frame to line at a load of so many frames a second; True if the bound is kept."""
    sample = list(frames(ROOT / "samples/siw/viol-crc-error.pcap"))
    wrong = 7  # of these frames the one with the wrong CRC
    follow = subprocess.Popen([client, "findings", "--follow", "--format", "json", "--rule", "MF-04", "--socket",
                               str(daemon.socket)], stdout=subprocess.PIPE, text=True)
    came = []

    def read():
        for line in follow.stdout:
            now = time.monotonic()
            record = json.loads(line)
            if record["record"] == "finding":
                came.append((now, record["qp"]))  # in the order of the connections

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    went = []
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as cable:
        cable.bind((NEAR, 0))

        def probe(n):
            for i, frame in enumerate(moved(frame, n) for frame in sample):
                if i == wrong:
                    went.append(time.monotonic())
                cable.send(frame)

        probe(0)  # until this one comes, the subscription may not be open
        wait_until(lambda: came, "the first finding at the subscriber")
        before, used, begun = metrics(daemon), Ours(daemon).used(), time.monotonic()
        sender.begin(rate, probes * 0.025 + 2)
        time.sleep(1)
        for n in range(1, probes + 1):
            probe(n)
            time.sleep(0.02)
        during = metrics(daemon)["iwarp_analysis_lag_seconds"]
        reached = sender.result()
        busy = (Ours(daemon).used() - used) / (time.monotonic() - begun)
    wait_until(lambda: len(came) == len(went), f"{len(went)} findings at the subscriber")
    after = metrics(daemon)
    follow.send_signal(signal.SIGINT)
    follow.wait(30)
    if [qp for _, qp in came] != sorted({qp for _, qp in came}):
        raise AssertionError("findings came out of order")
    times = sorted(at - sent for (at, _), sent in zip(came[1:], went[1:]))
    lost = after["iwarp_capture_drops_total"] - before["iwarp_capture_drops_total"]
    print(f"from frame to subscriber at {reached:.0f} frames/s ({busy:.0%} of the processor, {lost:.0f} lost, the analysis {during * 1e3:.0f} ms late): "
          f"{len(times)} findings, median {statistics.median(times) * 1e3:.0f} ms, 99th percentile "
          f"{times[int(len(times) * 0.99)] * 1e3:.0f} ms, at most {times[-1] * 1e3:.0f} ms (bound: {BOUND * 1e3:.0f} ms): "
          f"{verdict(times[-1] <= BOUND)}", flush=True)
    return times[-1] <= BOUND


def traffic(binaries, words):
    with Folder() as own:
        path = own.path / "load.pcap"
        subprocess.run([binaries / "iwarpscope-synth", *words, "--format", "pcap", "-o", path], check=True,
                       stdout=subprocess.DEVNULL)
        return list(frames(path))


def half_busy(daemon, before, sender, seconds):
    """The rate of this sender that takes half of the daemon's processor, as far as the sender goes."""
    sender.sent = before  # the daemon's account is of all that was sent
    each = effort(Ours(daemon), sender, 20000, seconds)
    print(f"small Sends: {each:.2f} us of processor time for a frame")
    return 0.5e6 / each


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--seconds", type=float, default=3, help="of each rate")
    parser.add_argument("--probes", type=int, default=300)
    parser.add_argument("--no-others", action="store_true", help="iwarpscoped alone")
    options = parser.parse_args()
    enter()
    cpus = sorted(os.sched_getaffinity(0))
    binaries = Path(options.build, "bin")
    print(f"machine: {os.cpu_count()} CPUs, {cpu_model()}; load of the last minute {os.getloadavg()[0]:.1f}", flush=True)
    load = traffic(binaries, LOAD)
    print(f"load: {len(load)} frames of {sum(map(len, load)) / len(load):.0f} octets on average, again and again", flush=True)
    sender = Sender(load, cpus[0])
    small = Sender([moved(frame, 100) for frame in traffic(binaries, SMALL)], cpus[0])  # from ports of their own
    with Folder() as own, Running(binaries / "iwarpscoped", own.path, SECTIONS,
                                  before=alone(cpus[-1])) as daemon:
        over = threading.Event()
        listening = threading.Thread(target=lambda: [daemon.listen() for _ in iter(over.is_set, True)], daemon=True)
        listening.start()  # as systemd does: a notification waits until it is read
        most, ours, each = own_rate(daemon, sender, options.seconds)
        met = latency(binaries / "iwarpscope", daemon, small, half_busy(daemon, sender.sent, small, options.seconds),
                      options.probes)
        daemon.stop()
        over.set()
        listening.join()
    if not options.no_others:
        compare(sender, cpus[-1], most, options.seconds, ours, each)
    sender.close()
    small.close()
    print(f"load of the last minute: {os.getloadavg()[0]:.1f}")
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
