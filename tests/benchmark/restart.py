#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures a restart of iwarpscoped with many open queue pairs.

    tests/benchmark/restart.py [--build build/release] [--qps N] [--stalled]

Over a veth pair, 200 000 queue pairs are opened that stay open. Then the daemon is stopped, and started again with its
checkpoint. With --stalled an answer is missing on each: 20 000 of them get a last record. Bounds: from SIGTERM to its end 10 s;
the checkpoint holds all queue pairs without a last record with the default limit. Needs root.
"""
import argparse
import os
import signal
import sys
import threading
import time
from pathlib import Path

from questions import OPENING, ROOT, SECTIONS, Measurement
from cable import enter, metrics
from open_qps import settled
from run import cpu_model, verdict
from running import Folder, Running

STOP = 10
LAST_RECORDS = 20_000  # WatchOptions::last_records
MIB = 1 << 20


def listening(daemon):
    """Takes the notifications of the daemon, as systemd does; returns what ends that."""
    over = threading.Event()
    thread = threading.Thread(target=lambda: [daemon.listen() for _ in iter(over.is_set, True)], daemon=True)
    thread.start()

    def end():
        over.set()
        thread.join()
    return end


def processor_seconds(daemon):
    fields = Path(f"/proc/{daemon.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stop(daemon):
    """Seconds from SIGTERM to its end, seconds of the processor meanwhile, and MiB that were resident at most."""
    used = processor_seconds(daemon)
    begun = time.monotonic()
    daemon.process.send_signal(signal.SIGTERM)
    _, status, usage = os.wait4(daemon.process.pid, 0)
    daemon.process.returncode = os.waitstatus_to_exitcode(status)
    return time.monotonic() - begun, usage.ru_utime + usage.ru_stime - used, usage.ru_maxrss / 1024


def resident(daemon):
    status = Path(f"/proc/{daemon.process.pid}/status").read_text(encoding="ascii")
    return max(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("--qps", type=int, default=200_000)
    parser.add_argument("--rate", type=float, default=36_000)
    parser.add_argument("--stalled", action="store_true")
    options = parser.parse_args()
    enter()
    binaries = Path(options.build, "bin")
    print(f"machine: {os.cpu_count()} CPUs, {cpu_model()}; load of the last minute {os.getloadavg()[0]:.1f}", flush=True)
    with Folder() as own:
        daemon = Running(binaries / "iwarpscoped", own.path, SECTIONS)
        with daemon:
            end = listening(daemon)
            measurement = Measurement(daemon, binaries, options)
            measurement.open_all()
            if not options.stalled:  # the last octets of each are acknowledged: no end waits
                more = measurement.senders[1]
                more.begin(OPENING, options.qps / OPENING * 1.5)
                more.result(60)
            settled(daemon, measurement.sent())
            opened = metrics(daemon)["iwarp_qp_opened_total"]
            going_on = opened - (min(opened, LAST_RECORDS) if options.stalled else 0)
            print(f"{opened:.0f} queue pairs; at most {resident(daemon):.0f} MiB resident", flush=True)
            for sender in measurement.senders:
                sender.close()
            end()
            took, used, most = stop(daemon)
        checkpoint = own.path / "checkpoint"
        size = checkpoint.stat().st_size if checkpoint.exists() else 0  # 0: not made in time
        print(f"from SIGTERM to its end: {took:.1f} s (bound: {STOP} s): {verdict(took < STOP)}; {used:.1f} s of the processor, "
              f"at most {most:.0f} MiB resident")
        print(f"checkpoint: {size / MIB:.1f} MiB, {size / max(going_on, 1):.0f} octets for each queue pair", flush=True)
        begun = time.monotonic()
        with Running(binaries / "iwarpscoped", own.path, SECTIONS) as again:
            ready = time.monotonic() - begun
            continued = metrics(again)["iwarp_qp_continued_total"]
            print(f"from its start until it is ready: {ready:.1f} s; {continued:.0f} queue pairs go on: "
                  f"{verdict(continued == going_on)}; {processor_seconds(again):.1f} s of the processor, "
                  f"at most {resident(again):.0f} MiB resident")
            stop(again)
    sys.exit(0 if took < STOP and continued == going_on else 1)


if __name__ == "__main__":
    main()
