#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures what each kind of thread of iwarpscoped takes for a frame, with one capture and analysis worker and with two, and
says what a host needs for faster links.

    tests/benchmark/scaling.py [--build build/release] [--seconds N] [--runs N]

Large messages of 16 connections are sent over a veth pair, at a rate at which nothing is lost, to a daemon with API, metrics, event
log and history on. The processor time of each thread is the kernel's (/proc/PID/task/TID/schedstat), less what it takes while
nothing is sent; the median of the runs. Threads that share their work (capture, worker) are added up. The second table is
arithmetic on the first: how many processors each kind would keep busy when a link is full of these frames, and what the one
analysis thread, which cannot be divided, can take at most. Needs root and veth.
"""
import argparse
import os
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/daemon/service"))
from cable import FAR, Sender, enter  # noqa: E402
from live import traffic  # noqa: E402
from run import cpu_model  # noqa: E402
from running import Folder, Running, wait_until  # noqa: E402
from wire import BULK, Ours  # noqa: E402

SECTIONS = f"""[capture]
interfaces = ["{FAR}"]
workers = %d
[analysis]
threads = %d
[recorder]
enabled = false
"""
RATES = {1500: 120_000, 9000: 40_000}  # frames a second
WORKERS = (1, 2)
KINDS = {"capture": "capture", "analysis": "analysis", "worker": "workers", "out-history": "outputs", "out-event-log": "outputs"}
AROUND = 24  # octets that a frame takes on the wire beside its own: preamble, checksum and gap. Source: IEEE 802.3
LINKS = (10, 25, 100)  # Gb/s
START = 2  # seconds in which the outputs open their files


def used(pid):
    """Nanoseconds by kind of thread."""
    by_kind = dict.fromkeys([*KINDS.values(), "others"], 0)
    for task in Path(f"/proc/{pid}/task").iterdir():
        name = (task / "comm").read_text(encoding="ascii").strip()
        by_kind[KINDS.get(name, "others")] += int((task / "schedstat").read_text(encoding="ascii").split()[0])
    return by_kind


def difference(after, before):
    return {kind: after[kind] - before[kind] for kind in after}


def once(ours, sender, rate, seconds, quiet):
    """Nanoseconds a frame by kind of thread, and how many frames the daemon did not count."""
    counted, before, started, sent = ours.counted(), used(ours.pid), time.monotonic(), sender.sent
    sender.begin(rate, seconds)
    sender.result()
    sent = sender.sent - sent
    until = time.monotonic() + 3
    while ours.counted() - counted < sent and time.monotonic() < until:
        time.sleep(0.05)
    took, spent = time.monotonic() - started, difference(used(ours.pid), before)
    return {kind: (ns - quiet[kind] * took) / sent for kind, ns in spent.items()}, sent - (ours.counted() - counted)


def measure(load, rate, workers, options):
    """The median of the runs, by kind of thread."""
    cpus = sorted(os.sched_getaffinity(0))
    with Folder() as own, Running(Path(options.build, "bin/iwarpscoped"), own.path, SECTIONS % (workers, workers)) as daemon:
        ours, sender = Ours(daemon), Sender(load, cpus[0])
        ours.counted()
        time.sleep(START)
        before = used(ours.pid)
        time.sleep(1)
        quiet = difference(used(ours.pid), before)
        runs = [once(ours, sender, rate, options.seconds, quiet) for _ in range(options.runs)]
        sender.close()
        wait_until(lambda: daemon.stop(), "its end")
    lost = sum(lost for _, lost in runs)
    if lost:
        print(f"{lost} frames were lost: the run is of no use")
    return {kind: statistics.median(run[kind] for run, _ in runs) for kind in runs[0][0]}


def table(head, rows):
    print("|", " | ".join(head), "|")
    print("|", " | ".join("---" for _ in head), "|")
    for row in rows:
        print("|", " | ".join(row), "|")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--seconds", type=float, default=1, help="of each run")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    enter()
    print(f"machine: {os.cpu_count()} CPUs, {cpu_model()}; load of the last minute {os.getloadavg()[0]:.1f}\n", flush=True)
    for mtu, rate in RATES.items():
        load = traffic(Path(options.build, "bin"), [*BULK, str(mtu)])
        octets = sum(map(len, load)) / len(load)
        print(f"MTU {mtu}: frames of {octets:.0f} octets on average, {rate} a second\n")
        found = {workers: measure(load, rate, workers, options) for workers in WORKERS}
        kinds = list(found[1])
        table(["ns a frame", *(f"{n} worker{'s' * (n > 1)}" for n in WORKERS), "ratio"],
              [[kind, *(f"{found[n][kind]:.0f}" for n in WORKERS), f"{found[2][kind] / max(found[1][kind], 1):.2f}"]
               for kind in kinds] + [["all", *(f"{sum(found[n].values()):.0f}" for n in WORKERS),
                                      f"{sum(found[2].values()) / sum(found[1].values()):.2f}"]])
        frames = {link: link * 1e9 / 8 / (octets + AROUND) for link in LINKS}
        table(["processors kept busy at", *(f"{link} Gb/s ({frames[link] / 1e6:.2f} million frames/s)" for link in LINKS)],
              [[kind, *(f"{found[2][kind] * frames[link] * 1e-9:.2f}" for link in LINKS)] for kind in kinds])
        most = 1e9 / found[2]["analysis"]
        print(f"The analysis thread takes {most / 1e6:.1f} million frames/s at most: "
              f"{most * 8 * (octets + AROUND) / 1e9:.0f} Gb/s of these frames for one daemon.\n", flush=True)


if __name__ == "__main__":
    main()
