#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures what questions cost the capture of iwarpscoped, and how soon they are answered; prints ratios.

    tests/benchmark/questions.py [--build build/release] [--qps N] [--rate N] [--clients N] [--seconds N]

Over a veth pair, 200 000 queue pairs are opened that stay open. Then 36 000 frames/s come: half of them large messages
of 16 other connections, half a TCP segment of each of the open queue pairs in turn, so that all of them change again and
again. Loss: the share of frames that is lost in three spans of the same time, of which the second has 8 clients that ask
every call of the API in loops (iwarpscope-askers). Bound: 0.1 % more with clients than without. Answers: 99 % of all
calls within 2 s; failed ones are not, those refused with RESOURCE_EXHAUSTED are counted apart. At the end the daemon is
stopped: within 10 s.

The daemon has no processor of its own: sender, daemon and clients share those there are, before all that is not of the
measurement. Needs root, and takes some four minutes. tests/benchmark/daemon.py runs it, too. The same with fewer queue
pairs, judged by work and not by time, is a test: tests/daemon/service/questions_test.py.
"""
import argparse
import os
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/daemon/service"))
from cable import FAR, Sender, enter, metrics  # noqa: E402
from live import Ours, traffic  # noqa: E402
from open_qps import acknowledgements, ask, settled  # noqa: E402
from run import cpu_model, verdict  # noqa: E402
from running import Folder, Running  # noqa: E402

SECTIONS = f"""[capture]
interfaces = ["{FAR}"]
[limits]
idle = "1 h"
after_end = "1 s"
"""
LOAD = ["bulk", "--octets", "8M", "--mtu", "1500", "--mix", "send,write,read", "--connections", "16"]
OPENING = 20_000  # frames/s
FIRST = ["nice", "-n", "-10"]
MORE_LOSS, SHARE, BOUND, STOP = 0.001, 0.99, 2, 10


class Measurement:
    """A daemon, and who sends to it."""

    def __init__(self, daemon, binaries, options):
        self.daemon, self.binaries, self.options, self.senders = daemon, binaries, options, []

    def sent(self):
        return sum(sender.sent for sender in self.senders)

    def open_all(self):
        opening = traffic(self.binaries, ["idle-qps", str(self.options.qps)])
        cpu = min(os.sched_getaffinity(0))
        first = Sender(opening, cpu, stay=True)
        self.senders = [first, Sender(acknowledgements(opening), cpu, stay=True),
                        Sender(traffic(self.binaries, LOAD), cpu)]
        first.begin(OPENING, len(opening) / OPENING)
        first.result(len(opening) / OPENING + 60)
        lost = settled(self.daemon, self.sent())
        print(f"{self.options.qps} queue pairs opened with {first.sent} frames, {lost:.0f} lost", flush=True)

    def span(self, name, meanwhile=lambda: None):
        """The share of frames that is lost in it, and what meanwhile() returned."""
        sent, lost = self.sent(), settled(self.daemon, self.sent())
        used, begun = Ours(self.daemon).used(), time.monotonic()
        for sender in self.senders[1:]:
            sender.begin(self.options.rate / 2, self.options.seconds)
        result = meanwhile()
        reached = sum(sender.result(self.options.seconds + 60) for sender in self.senders[1:])
        busy = (Ours(self.daemon).used() - used) / (time.monotonic() - begun)
        now = metrics(self.daemon)
        share = (settled(self.daemon, self.sent()) - lost) / (self.sent() - sent)
        print(f"{name}: {reached:.0f} frames/s, {share:.3%} lost; {busy:.2f} processors taken, the analysis "
              f"{now['iwarp_analysis_lag_seconds'] * 1e3:.0f} ms late", flush=True)
        return share, result

    def ask(self):
        o = self.options
        return ask([*FIRST, self.binaries / "iwarpscope-askers"], self.daemon, o.clients, o.qps, seconds=o.seconds)


def print_answers(said):
    """True if the bound is kept."""
    for call, its in sorted(said["calls"].items(), key=lambda item: (item[0] == "all", item[0])):
        print(f"  {call:22} {its['answered']:6} answered, {its['refused']:4} refused, {its['failed']:3} failed; median "
              f"{its['median'] * 1e3:6.1f} ms, 99 % {its['p99'] * 1e3:7.1f} ms, longest {its['longest'] * 1e3:7.1f} ms")
    for sentence, times in said["failures"].items():
        print(f"  {times} times: {sentence}")
    its = said["calls"]["all"]
    share = its["within"] / max(1, its["answered"] + its["failed"])
    print(f"within {BOUND} s: {share:.2%} of {its['answered'] + its['failed']} questions (bound: {SHARE:.0%}), {its['refused']} "
          f"refused beside them: {verdict(share >= SHARE)}")
    return share >= SHARE


def measure(daemon, binaries, options):
    """Whether the questions were answered and the daemon stopped in time, and how many frames more are lost with clients."""
    with daemon:
        over = threading.Event()
        listening = threading.Thread(target=lambda: [daemon.listen() for _ in iter(over.is_set, True)], daemon=True)
        listening.start()  # as systemd does: a notification waits until it is read
        measurement = Measurement(daemon, binaries, options)
        measurement.open_all()
        before, _ = measurement.span("without clients")
        during, said = measurement.span(f"with {options.clients} clients", measurement.ask)
        after, _ = measurement.span("without clients")
        answers = print_answers(said)
        more = during - max(before, after)
        print(f"loss with clients above that without: {more:.3%} (bound: {MORE_LOSS:.1%}): {verdict(more <= MORE_LOSS)}")
        for sender in measurement.senders:
            sender.close()
        over.set()
        listening.join()
        took, _ = daemon.stop()
        print(f"from SIGTERM to its end: {took:.1f} s (bound: {STOP} s): {verdict(took < STOP)}")
    return answers and took < STOP, more


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--qps", type=int, default=200_000)
    parser.add_argument("--rate", type=float, default=36_000, help="frames a second")
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=int, default=30, help="of each of the three spans")
    options = parser.parse_args()
    enter()
    binaries = Path(options.build, "bin")
    print(f"machine: {os.cpu_count()} CPUs, {cpu_model()}; load of the last minute {os.getloadavg()[0]:.1f}", flush=True)
    with Folder() as own:
        daemon = Running(binaries / "iwarpscoped", own.path, SECTIONS, before=FIRST)
        daemon.file.write_text(daemon.file.read_text().replace('ring = "16 MiB"', 'ring = "512 MiB"'))  # of the last packets
        answers, more = measure(daemon, binaries, options)
    print(f"load of the last minute: {os.getloadavg()[0]:.1f}")
    sys.exit(0 if answers and more <= MORE_LOSS else 1)


if __name__ == "__main__":
    main()
