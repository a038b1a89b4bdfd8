#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures what the delivery to a centre costs a sensor, in processor time; prints ratios.

    tests/benchmark/forward.py [--build build/release] [--qps N] [--rate N] [--seconds N]

Over a veth pair, 50 000 queue pairs are opened that stay open. Then 20 000 frames/s come for 75 s: half of them large
messages of 16 other connections, half a TCP segment of each of the open queue pairs in turn, so that all of them change.
Once the daemon has its history alone; once its states and heartbeats, too, and iwarpscope-forward delivers them to a
PostgreSQL on this machine. Bound: the daemon and iwarpscope-forward take 1.15 times the processor time for each frame
that the daemon takes alone. Needs root, and takes some six minutes.
"""
import argparse
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


class Forward:
    """Of the sensor rack1 to a database of its own."""

    def __init__(self, cluster, binaries, daemon):
        self.cluster = cluster
        self.process = subprocess.Popen([binaries / "iwarpscope-forward", "--socket", daemon.socket, "--database", cluster.as_sensor("rack1", "site")],
                                        stdin=subprocess.DEVNULL)

    def stored(self):
        """Records by kind."""
        return dict(self.cluster.psql("SELECT kind, count(*) FROM iwarpscope.record GROUP BY 1 UNION ALL "
                                      "SELECT kind, count(*) FROM iwarpscope.state GROUP BY 1", "site"))

    def end(self):
        self.process.terminate()
        self.process.wait()


def measure(binaries, options, cluster):
    """Processor time for a frame of the span: of the daemon, and of both programs. `cluster`: None: no delivery."""
    sections = SECTIONS + ("[history]\nforward = true\n" if cluster else "")
    with Folder() as own, Running(binaries / "iwarpscoped", own.path, 'sensor = "rack1"\n' + sections, before=FIRST) as daemon:
        over = threading.Event()
        listening = threading.Thread(target=lambda: [daemon.listen() for _ in iter(over.is_set, True)], daemon=True)
        listening.start()  # as systemd does
        forward = Forward(cluster, binaries, daemon) if cluster else None
        measurement = Measurement(daemon, binaries, options)
        measurement.open_all()
        before, sent = [processor_seconds(daemon), processor_seconds(forward) if forward else 0], measurement.sent()
        measurement.span("with the delivery" if cluster else "without a centre")
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
    return used[0] / frames, sum(used) / frames


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
    alone, _ = measure(binaries, options, None)
    with Cluster() as cluster:
        cluster.psql("CREATE DATABASE site", database="postgres")
        for words in (["migrate"], ["add-sensor", "rack1"], ["upkeep"]):
            subprocess.run([binaries / "iwarpscope-centre", "--database", cluster.admin("site"), *words], check=True, capture_output=True)
        daemon, both = measure(binaries, options, cluster)
    print(f"processor time for a frame, with the delivery against without: daemon {daemon / alone:.2f}, with iwarpscope-forward "
          f"{both / alone:.2f} (bound: {BOUND}): {verdict(both / alone <= BOUND)}")
    sys.exit(0 if both / alone <= BOUND else 1)


if __name__ == "__main__":
    main()
