#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures what the delivery to a centre costs a sensor, in processor time; prints ratios.

    tests/benchmark/forward.py [--build build/release] [--qps N] [--rate N] [--seconds N]

Over a veth pair, 50 000 queue pairs are opened that stay open. Then 20 000 frames/s come for 75 s: half of them large
messages of 16 other connections, half a TCP segment of each of the open queue pairs in turn, so that all of them change.
Once the daemon has its history alone; once its states and heartbeats, too, and iwarpscope-forward delivers them to a
PostgreSQL on this machine; once that server does not answer. Bounds: the daemon and iwarpscope-forward take 1.15 times the
processor time for each frame that the daemon takes alone, and the daemon loses no larger share of the frames. Needs root, and
takes some nine minutes.
"""
import argparse
import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path

from questions import FIRST, ROOT, SECTIONS, Measurement
from restart import processor_seconds
from cable import enter
from run import cpu_model, verdict
from running import Folder, Running, wait_until

sys.path.insert(0, str(ROOT / "tests/centre"))
from cluster import Cluster  # noqa: E402

BOUND = 1.15
NOISE = 0.001  # of the frames


class Forward:
    """Of the sensor rack1 to a database of its own."""

    def __init__(self, cluster, database, binaries, daemon):
        self.cluster, self.database = cluster, database
        self.process = subprocess.Popen([binaries / "iwarpscope-forward", "--socket", daemon.socket, "--database", cluster.as_sensor("rack1", database)],
                                        stdin=subprocess.DEVNULL)

    def stored(self):
        """Records by kind."""
        return dict(self.cluster.psql("SELECT kind, count(*) FROM iwarpscope.record GROUP BY 1 UNION ALL "
                                      "SELECT kind, count(*) FROM iwarpscope.state GROUP BY 1", self.database))

    def end(self):
        self.process.terminate()
        self.process.wait()


def prepare(cluster, binaries, database):
    """A centre with the sensor rack1; returns its name."""
    cluster.psql(f"CREATE DATABASE {database}", database="postgres")
    for words in (["migrate"], ["add-sensor", "rack1"], ["upkeep"]):
        subprocess.run([binaries / "iwarpscope-centre", "--database", cluster.admin(database), *words], check=True, capture_output=True)
    return database


def measure(binaries, options, cluster, hangs=False):
    """Of the span: processor time for a frame, of the daemon and of both programs, and the share of frames that was lost.
    `cluster`: None: no delivery; `hangs`: it does not answer."""
    name = "with a centre that does not answer" if hangs else "with the delivery" if cluster else "without a centre"
    sections = SECTIONS + ("[history]\nforward = true\n" if cluster else "")
    with Folder() as own, Running(binaries / "iwarpscoped", own.path, 'sensor = "rack1"\n' + sections, before=FIRST) as daemon:
        over = threading.Event()
        listening = threading.Thread(target=lambda: [daemon.listen() for _ in iter(over.is_set, True)], daemon=True)
        listening.start()  # as systemd does
        forward = Forward(cluster, prepare(cluster, binaries, "hanging" if hangs else "site"), binaries, daemon) if cluster else None
        measurement = Measurement(daemon, binaries, options)
        measurement.open_all()
        if hangs:
            wait_until(lambda: forward.stored(), "what is delivered before", 120)
        before, sent = [processor_seconds(daemon), processor_seconds(forward) if forward else 0], measurement.sent()
        with cluster.hanging() if hangs else contextlib.nullcontext():
            lost, _ = measurement.span(name)
        frames = measurement.sent() - sent
        used = [processor_seconds(daemon) - before[0], (processor_seconds(forward) if forward else 0) - before[1]]
        print(f"  processor time of the daemon {used[0]:.1f} s, of iwarpscope-forward {used[1]:.1f} s, for {frames} frames", flush=True)
        if forward:
            wait_until(lambda: int(forward.stored().get("4", 0)) >= options.qps, "a state of each queue pair", 120)
            print(f"  stored by kind: {forward.stored()}")
            forward.end()
        for sender in measurement.senders:
            sender.close()
        over.set()
        listening.join()
    return used[0] / frames, sum(used) / frames, lost


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--qps", type=int, default=50_000)
    parser.add_argument("--rate", type=float, default=20_000, help="frames a second")
    parser.add_argument("--seconds", type=int, default=75)
    options = parser.parse_args()
    enter()
    binaries = Path(options.build, "bin")
    print(f"machine: {os.cpu_count()} CPUs, {cpu_model()}; load of the last minute {os.getloadavg()[0]:.1f}", flush=True)
    alone, _, lost_alone = measure(binaries, options, None)
    with Cluster() as cluster:
        daemon, both, lost = measure(binaries, options, cluster)
        _, _, lost_hanging = measure(binaries, options, cluster, hangs=True)
    costs, loses = both / alone, max(lost, lost_hanging)
    print(f"processor time for a frame, with the delivery against without: daemon {daemon / alone:.2f}, with iwarpscope-forward "
          f"{costs:.2f} (bound: {BOUND}): {verdict(costs <= BOUND)}")
    print(f"frames lost: without a centre {lost_alone:.3%}, with the delivery {lost:.3%}, with a centre that does not answer {lost_hanging:.3%} "
          f"(bound: the first and {NOISE:.1%}): {verdict(loses <= lost_alone + NOISE)}")
    sys.exit(0 if costs <= BOUND and loses <= lost_alone + NOISE else 1)


if __name__ == "__main__":
    main()
