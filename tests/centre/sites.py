# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A site for the proofs: a database of its own, a service, a subscriber, sensors with forwarders, and what is compared at the end."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import uuid
from pathlib import Path
from types import SimpleNamespace

import oracle
from cluster import Refused
from kit import Process, Sensor
from patroni import NODES
from running import wait_until

DRAIN = 300  # seconds until all that was made is at the centre


class Subscriber:
    """`iwarpscope events --follow`; begun again where it was, when the service dies. `seen`: (seconds, line) of each record. A line is
    read later: this machine has more to do while they come."""

    RECORDS = (b'{"record":"finding",', b'{"record":"qp",')

    def __init__(self, site):
        self.read = []  # of `seen`, what was read
        self.other = []  # what is no record: losses, and the end of a run
        self.site, self.seen, self.over, self.process, self.starts = site, [], False, None, 0
        self.complaints = open(site.folder / "events.log", "ab")
        self.thread = threading.Thread(target=self.follow, daemon=True)
        self.thread.start()

    def follow(self):
        while not self.over:
            after = ["--after", self.place()] if self.seen else []
            with subprocess.Popen([self.site.programs / "iwarpscope", "events", "--follow", "--format", "json", "--socket", self.site.socket,
                                   *after], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.complaints) as self.process:
                self.starts += 1
                for line in self.process.stdout:
                    (self.seen if line.startswith(self.RECORDS) else self.other).append((time.time(), line))
            time.sleep(0.2)

    def place(self):
        """Of the last record that came, in the count of the centre."""
        record = json.loads(self.seen[-1][1])
        its = ("SELECT arrival FROM iwarpscope.record r JOIN iwarpscope.run u ON u.number = r.run "
               f"WHERE u.uuid = '{record['run_uuid']}' AND r.sequence = {record['sequence']} AND r.kind IN (1, 2)")
        run = wait_until(lambda: re.search(r"events --after ([0-9a-f-]+):", self.site.ask("status").stdout), "a place of the centre", 120).group(1)
        return f"{run}:{self.site.psql(its)[0][0]}"

    def end(self):
        self.over = True
        if self.process:
            self.process.terminate()
        self.thread.join(20)
        self.complaints.close()

    def names(self):
        """Of all that came, each once."""
        return {(record["run_uuid"], record["sequence"]) for _, record in self.records()}

    def records(self):
        """(seconds, record) of all that came."""
        self.read += [(came, json.loads(line)) for came, line in self.seen[len(self.read):]]
        return self.read

    def sequences(self):
        """By run, in the order in which they came: (record, sequence)."""
        runs = {}
        for _, record in self.records():
            runs.setdefault(record["run_uuid"], []).append((record["record"], record["sequence"]))
        return runs

    def faults(self):
        """Records that came twice, that are missing before the last one of their run, and that came after a later one of their kind."""
        twice = missing = late = 0
        for came in self.sequences().values():
            numbers = [sequence for _, sequence in came]
            twice += len(numbers) - len(set(numbers))
            missing += max(numbers) - len(set(numbers))
            for kind in ("finding", "qp"):
                own = [sequence for record, sequence in came if record == kind]
                late += sum(one >= other for one, other in zip(own, own[1:]))
        return twice, missing, late


class Site:
    def __init__(self, stack, cluster, programs, to=None):
        self.stack, self.cluster, self.programs = stack, cluster, programs
        self.database = "d" + uuid.uuid4().hex[:12]
        self.folder = Path(tempfile.mkdtemp(prefix="iwarpscope-site-"))
        stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        self.sensors, self.forwards = {}, {}
        Sensor.program = programs / "iwarpscope-made-sensor"
        cluster.psql(f"CREATE DATABASE {self.database}", "postgres")
        stack.callback(self.drop)
        # A standby that has not got it yet ends the search for a server that takes writes.
        for address in NODES.values() if hasattr(cluster, "hosts") else ():
            wait_until(lambda address=address: self.has_database(address), "the database on each node", 60)
        self.centre("migrate", *(["--to", to] if to else []))
        self.is_old = bool(to)
        if not to:
            self.centre("upkeep", "--ahead", "1")

    def addCleanup(self, *words, **more):  # as kit.Process asks a test
        self.stack.callback(*words, **more)

    def drop(self):
        try:
            self.cluster.psql(f"DROP DATABASE {self.database} WITH (FORCE)", "postgres")
        except Refused:
            pass

    def has_database(self, address):
        try:
            return self.cluster.psql("SELECT 1", where=f"host={address} user=postgres dbname={self.database}") == [["1"]]
        except Refused:
            return False

    def psql(self, sql):
        return self.cluster.psql(sql, self.database)

    def centre(self, *words):
        done = subprocess.run([self.programs / "iwarpscope-centre", "--database", self.cluster.admin(self.database), *map(str, words)],
                              check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"iwarpscope-centre {words}: {done.stderr}")

    def serve(self):
        self.psql("DO $$ BEGIN CREATE ROLE reader LOGIN IN ROLE iwarpscope_reader, iwarpscope_keeper; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
        self.socket = self.folder / "centre.sock"
        log = open(self.folder / "centre.log", "wb")
        self.addCleanup(log.close)
        self.service = Process(self, self.programs / "iwarpscope-centre", "--database", self.cluster.as_sensor("reader", self.database), "serve",
                               "--socket", self.socket, stderr=log)
        wait_until(self.socket.exists, "the service")
        self.wait_for_the_service()

    def ask(self, *words):
        return subprocess.run([self.programs / "iwarpscope", *words, "--socket", self.socket], capture_output=True, text=True, check=False)

    def wait_for_the_service(self):
        wait_until(lambda: "answers" in self.ask("status").stdout, "the service", 120)

    def subscribe(self):
        subscriber = Subscriber(self)
        self.addCleanup(subscriber.end)
        return subscriber

    def add_sensor(self, name, findings, rate, *more, before=(), forward=()):
        """A sensor, and its forwarder, which `before` may start elsewhere."""
        if self.is_old:  # as the program of that time added one
            self.psql(f"SELECT iwarpscope.add_sensor('{name}', '', '')")
        else:
            self.centre("add-sensor", name)
        sensor = self.sensors[name] = Sensor(self, name, findings, rate, *more)
        self.start_forwarder(name, before, forward)
        return sensor

    def add_many(self, names, rate):
        """Sensors in one process, each with a connection. Returns when all of them deliver."""
        folder = self.folder / "many"
        folder.mkdir()
        for name in names:
            self.centre("add-sensor", name)
        folder.joinpath("sensors").write_text("".join(f"{name}\t{uuid.uuid4()}\t{self.cluster.as_sensor(name, self.database)}\n" for name in names),
                                              encoding="utf-8")
        log = open(self.folder / "many.log", "ab")
        self.addCleanup(log.close)
        process = Process(self, self.programs / "iwarpscope-made-site", folder, rate, stdout=subprocess.PIPE, stderr=log)
        if process.process.stdout.readline() != b"delivers\n":
            raise AssertionError((self.folder / "many.log").read_text(encoding="utf-8"))
        for name in names:
            self.sensors[name] = SimpleNamespace(folder=folder / name, process=process)

    def start_forwarder(self, name, before=(), more=()):
        log = open(self.folder / f"forward-{name}.log", "ab")
        self.addCleanup(log.close)
        self.forwards[name] = Process(self, *before, self.programs / "iwarpscope-forward", "--socket", self.sensors[name].socket, "--database",
                                      self.cluster.as_sensor(name, self.database), "--longest-pause", 2, "--patience", getattr(self.cluster, "answers_within", 5), *more, stderr=log)

    def produced(self):
        """How many records the sensors made."""
        files = [sensor.folder / "produced" for sensor in self.sensors.values()]
        return sum(file.read_bytes().count(b"\n") for file in files if file.exists())

    def stored(self):
        """How many of them the centre has; None: it does not answer."""
        try:
            return int(self.psql("SELECT count(*) FROM iwarpscope.record WHERE kind IN (1, 2)")[0][0])
        except Refused:
            return None

    def goes_on(self, patience=120):
        """Waits until the centre has what was made until now."""
        made = self.produced()
        wait_until(lambda: (self.stored() or 0) >= made, "what was made until now at the centre", patience)

    def rest(self):
        """No sensor makes more."""
        for sensor in self.sensors.values():
            sensor.process.signal(signal.SIGUSR1)

    def compare(self):
        """All that was made is at the centre, once: (holds, figures)."""
        self.rest()
        where = self.cluster.admin(self.database)
        folders = [sensor.folder for sensor in self.sensors.values()]
        end = time.monotonic() + DRAIN
        while (self.stored() or 0) < self.produced() and time.monotonic() < end:
            time.sleep(0.5)
        counts = oracle.compare(where, folders)
        holes = int(self.psql("SELECT count(*) FROM (SELECT FROM iwarpscope.record WHERE kind IN (1, 2) GROUP BY sensor, run, kind "
                              "HAVING max(id) - min(id) + 1 <> count(*)) h")[0][0])
        dropped = int(self.psql("SELECT coalesce(sum(count), 0) FROM iwarpscope.dropped WHERE kind IN (1, 2)")[0][0])
        holds = counts["produced"] > 0 and not (counts["lost"] or counts["twice"] or counts["foreign"] or holes or dropped)
        return holds, ", ".join(f"{name} {count}" for name, count in counts.items()) + f", holes {holes}, counted as dropped {dropped}"


def kill_forwarder(process):
    """Also where `ip netns exec` started it: that becomes the program."""
    os.kill(process.process.pid, signal.SIGKILL)
    process.process.wait()
