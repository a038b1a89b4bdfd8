# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Proofs with many records: a hundred sensors, and a centre that is off, slow, or behind an outbox on a full disk."""

import contextlib
import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

from running import wait_until
from sites import Site

MANY, RATE = 100, 100  # sensors, findings a second of each
MEDIAN, LATE, FAILOVER = 0.5, 2.0, 60.0  # seconds, the bounds


def cpu():
    """Processor seconds of this machine in use, and that passed."""
    fields = [int(field) for field in Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]]
    return sum(fields) - fields[3] - fields[4], sum(fields)


class Spans:
    """Seconds from a sensor's store to the subscriber, of what came in a span of time."""

    def __init__(self, site, subscriber):
        self.site, self.subscriber = site, subscriber
        stored = site.psql("SELECT u.uuid, r.sequence, extract(epoch FROM r.stored) FROM iwarpscope.record r "
                           "JOIN iwarpscope.run u ON u.number = r.run WHERE r.kind IN (1, 2)")
        self.stored = {(run, int(sequence)): float(when) for run, sequence, when in stored}

    def of(self, begin, end):
        """Of records stored from `begin` to `end`, sorted."""
        late = []
        for came, record in self.subscriber.records():
            when = self.stored.get((record["run_uuid"], record["sequence"]))
            if when is not None and begin <= when < end:
                late.append(came - when)
        return sorted(late)


def part(values, share):
    return values[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


def many(stack, cluster, programs, short):
    """A hundred sensors: their records, their batches and their connections are real; one process simulates them. IWARPSCOPE_RATE: findings a
    second of each, on a machine that is too small for a hundred."""
    count, seconds, rate = (10, 10, RATE) if short else (MANY, 60, int(os.environ.get("IWARPSCOPE_RATE", RATE)))
    site = Site(stack, cluster, programs)
    site.serve()
    site.add_many([f"rack{number}" for number in range(count)], rate)
    subscriber = site.subscribe()
    wait_until(lambda: len(subscriber.seen) > count * 100, "records at the subscriber", 300)
    time.sleep(10)  # what came while they started is not counted
    begin, used = time.time(), cpu()
    time.sleep(seconds)
    end, spent = time.time(), cpu()
    time.sleep(5)  # what was stored last arrives before a server dies
    busy = (spent[0] - used[0]) / (spent[1] - used[1])
    host = cluster.hosts[cluster.primary()]
    host.kill()
    failed = time.time()
    site.goes_on(300)
    host.start()
    site.rest()
    made = site.produced()
    wait_until(lambda: len(subscriber.seen) >= made, "all at the subscriber", 300)
    holds, figures = site.compare()
    twice, missing, late = subscriber.faults()
    spans = Spans(site, subscriber)
    steady, across = spans.of(begin, end), spans.of(failed - 5, time.time())
    cluster.wait_until_whole()
    met = part(steady, 0.5) <= MEDIAN and part(steady, 0.99) <= LATE and across[-1] <= FAILOVER
    return (holds and met and not (twice or missing or late),
            f"{count} sensors, {len(steady) / (end - begin):.0f} records/s for {seconds} s, processors {100 * busy:.0f} % busy: p50 {part(steady, 0.5):.2f} s, "
            f"p99 {part(steady, 0.99):.2f} s; in a failover p50 {part(across, 0.5):.1f} s, most {across[-1]:.1f} s; {figures}; the subscriber: "
            f"{twice} twice, {missing} missing, {late} out of order")


def counts(site, name):
    """Of findings and of queue pairs of a sensor: stored, and counted as dropped before they were delivered."""
    of = f"sensor = (SELECT number FROM iwarpscope.sensor WHERE role = '{name}')"
    rows = site.psql(f"SELECT k, (SELECT count(*) FROM iwarpscope.record WHERE kind = k AND {of}), (SELECT coalesce(sum(count), 0) "
                     f"FROM iwarpscope.dropped WHERE kind = k AND {of}) FROM generate_series(1, 2) k ORDER BY k")
    return {kind: (int(stored), int(dropped)) for kind, (_, stored, dropped) in zip(("findings", "qps"), rows)}


def balance(site, name, sensor):
    """Waits for the last record; then produced - stored = dropped, by kind: (holds, figures)."""
    def settled():
        made = sensor.status()
        return all(made[kind] - lost == stored + dropped for (kind, (stored, dropped)), lost in zip(counts(site, name).items(), lost_of(site, name)))
    with contextlib.suppress(AssertionError):
        wait_until(settled, "the balance", 120)
    made, lost = sensor.status(), lost_of(site, name)
    figures = [f"{kind} made {made[kind]}, stored {stored}, dropped {dropped}, not stored by the sensor {gone}"
               for (kind, (stored, dropped)), gone in zip(counts(site, name).items(), lost)]
    return settled(), "; ".join(figures) + f"; longest wait of the sensor's history {made['longest_take_us'] / 1e6:.2f} s"


def lost_of(site, name):
    """Findings and queue pairs that the sensor could not write, as its last heartbeat at the centre says."""
    rows = site.psql(f"SELECT heartbeat -> 'not_stored' FROM iwarpscope.sensor WHERE role = '{name}'")
    of = json.loads(rows[0][0]) if rows and rows[0][0] else {}
    return of.get("findings", 0), of.get("qps", 0)


def off(stack, cluster, programs, short):
    """No server answers; the outbox has less room than what comes. An hour is compressed: the bound is, too."""
    site = Site(stack, cluster, programs)
    bound, seconds = 64 << 20, 10 if short else 120
    sensor = site.add_sensor("rack1", 10_000_000, 5000, 300, bound)
    site.goes_on()
    for host in cluster.hosts.values():
        if host.name.startswith("db"):
            host.freeze()
    largest, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        largest = max(largest, (sensor.folder / "history.sqlite").stat().st_size)
        time.sleep(0.2)
    queued = sensor.status()["queued"]
    for host in cluster.hosts.values():
        host.thaw()
    cluster.wait_until_whole()
    site.rest()
    holds, figures = balance(site, "rack1", sensor)
    return (holds and queued > 0 and largest <= bound * 1.25,
            f"{seconds} s without a server, bound {bound >> 20} MiB, largest {largest / (1 << 20):.1f} MiB; {figures}")


def full(stack, cluster, programs, short):
    """The disk under the outbox has 48 MiB, of which something else takes a half for a while; the outbox may have a GiB."""
    import kit
    import tempfile
    site = Site(stack, cluster, programs)
    made, make = [], tempfile.mkdtemp

    def with_small_disk(**words):
        folder = make(**words)
        disk = Path(folder, "disk")
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", disk], check=True)
        stack.callback(subprocess.run, ["umount", "--lazy", disk], check=False)
        made.append(disk)
        with open(disk / "of others", "wb") as file:
            os.posix_fallocate(file.fileno(), 0, 24 << 20)
        return folder
    kit.tempfile.mkdtemp = with_small_disk
    try:
        sensor = site.add_sensor("rack1", 10_000_000, 3000, 300)
    finally:
        kit.tempfile.mkdtemp = make
    site.goes_on()
    site.forwards["rack1"].signal(signal.SIGSTOP)
    wait_until(lambda: sensor.status()["lost"] > (100 if short else 20_000), "a full disk", 300)
    disk = os.statvfs(made[0])
    free = disk.f_bavail * disk.f_frsize
    (made[0] / "of others").unlink()
    site.rest()
    site.forwards["rack1"].signal(signal.SIGCONT)
    holds, figures = balance(site, "rack1", sensor)
    return holds, f"free on the disk {free >> 10} KiB, lost by the sensor {sensor.status()['lost']}; {figures}"


def slow(stack, cluster, programs, short):
    """The server's process for the sensor runs for a tenth of the time."""
    site = Site(stack, cluster, programs)
    bound, seconds = 64 << 20, 10 if short else 90
    sensor = site.add_sensor("rack1", 10_000_000, 5000, 300, bound)
    site.goes_on()
    over = threading.Event()

    def brake():
        while not over.is_set():
            host = cluster.hosts.get(cluster.primary() or "")
            pids = []
            if host:
                pids = [pid for pid in host.processes() if b"postgres: rack1" in Path(f"/proc/{pid}/cmdline").read_bytes()
                        or b": rack1 " in Path(f"/proc/{pid}/cmdline").read_bytes()]
            for _ in range(20):
                for number, wait in ((signal.SIGSTOP, 0.09), (signal.SIGCONT, 0.01)):
                    for pid in pids:
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(pid, number)
                    time.sleep(wait)
    thread = threading.Thread(target=brake)
    before, begun, largest = site.stored(), time.monotonic(), 0
    thread.start()
    try:
        while time.monotonic() < begun + seconds:
            largest = max(largest, (sensor.folder / "history.sqlite").stat().st_size)
            time.sleep(0.2)
        rate = (site.stored() - before) / (time.monotonic() - begun)
        queued = sensor.status()["queued"]
    finally:
        over.set()
        thread.join()
    site.rest()
    holds, figures = balance(site, "rack1", sensor)
    return (holds and largest <= bound * 1.25,
            f"{seconds} s at {rate:.0f} records/s of 5500, {queued} waited at the end, bound {bound >> 20} MiB, largest {largest / (1 << 20):.1f} MiB; {figures}")


PROOFS = {"many": many, "off": off, "full": full, "slow": slow}
