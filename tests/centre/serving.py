# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A centre with its service, sensors and clients, for tests with the arguments
CENTRE FORWARD SENSOR IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "join"))
import place_test  # noqa: E402
import taps  # noqa: E402
from cluster import certificate, delivery
from kit import Centre, Process, Sensor
from running import Folder, Running, free_port, wait_until

CENTRE, FORWARD, SENSOR, DAEMON, CLIENT, SOURCE = sys.argv[1:7]
Sensor.program = SENSOR
del sys.argv[1:7]


def ask(*words, status=0):
    done = subprocess.run([CLIENT, *map(str, words)], capture_output=True, text=True, check=False, timeout=60)
    if done.returncode != status:
        raise AssertionError(f"{words} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def records(*words):
    return [json.loads(line) for line in ask(*words, "--format", "json").stdout.splitlines()]


class Service:
    """Of the centre, on a socket of its own, as a role that may only read."""

    def __init__(self, test, folder, where, *more):
        self.socket = folder / f"centre{free_port()}.sock"
        self.log_file = open(f"{self.socket}.log", "wb")
        test.addCleanup(self.log_file.close)
        self.process = Process(test, CENTRE, "--database", where, "serve", "--socket", self.socket, *more, stderr=self.log_file)
        wait_until(self.is_ready, "the service")

    def is_ready(self):
        if self.process.process.poll() is not None:
            raise AssertionError(self.log())
        return "Serving" in self.log()

    def log(self):
        return Path(f"{self.socket}.log").read_text(encoding="utf-8")

    def ask(self, *words, **more):
        return ask(*words, "--socket", self.socket, **more)

    def records(self, *words):
        return records(*words, "--socket", self.socket)


class Served(Centre):
    programs = {"centre": CENTRE, "forward": FORWARD}

    def setUp(self):
        super().setUp()
        self.forwards = {}  # of daemons
        self.folder = Path(tempfile.mkdtemp(prefix="iwarpscope-site-"))
        self.folder.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        for name in ("ca", "api"):
            certificate(self.folder, name, None if name == "ca" else "ca")
        self.psql("DO $$ BEGIN CREATE ROLE reader LOGIN IN ROLE iwarpscope_reader, iwarpscope_keeper; EXCEPTION WHEN duplicate_object THEN NULL; END $$")

    def where(self):
        return self.cluster.as_sensor("reader", self.database)

    def daemon(self, name, capture, *forward):
        """A daemon that has read a capture, with an API over TCP, and its forwarder."""
        folder = Folder()
        folder.__enter__()
        path = folder.path
        self.addCleanup(folder.__exit__)
        for file in ("ca.pem", "api.pem", "api.key"):
            shutil.copy(self.folder / file, path)
            if os.geteuid() == 0:
                shutil.chown(path / file, "nobody")
        port = free_port()
        daemon = Running(DAEMON, path, f'sensor = "{name}"\n[capture]\nreplay = ["{Path(SOURCE) / "samples" / capture}"]\n[history]\n'
                         f'forward = true\nstates = "1 s"\nheartbeats = "1 s"\n[api]\ntcp = "127.0.0.1:{port}"\n'
                         f'certificate = "{path}/api.pem"\nkey = "{path}/api.key"\nclient_ca = "{path}/ca.pem"\n')
        daemon.__enter__()
        self.addCleanup(daemon.__exit__)
        self.centre("add-sensor", name, "--position", f"port of {name}", "--api", f"127.0.0.1:{port}")
        self.forwards[name] = self.forward(name, daemon.socket, *forward)
        return daemon

    def taps_of(self, scene, capture, names):
        """Two files with what two taps of these names saw of a capture, before and behind a place."""
        frames = taps.read(Path(SOURCE) / "samples" / capture)
        one, two, places = scene(frames, place_test.senders(frames)[0], random.Random(7))
        self.assertTrue(places)
        files = []
        for name, seen in zip(names, (one, two)):
            files.append(self.folder / f"{name}.pcap")
            taps.write(files[-1], seen)
            files[-1].chmod(0o644)
        return files

    def connections_at(self, capture, seen):
        """A file for each name in `seen`, with those connections of a capture that its function of their number, from 0, chooses."""
        frames = taps.read(Path(SOURCE) / "samples" / capture)
        numbers = {}
        for frame in frames:
            numbers.setdefault(frame.connection, len(numbers))
        files = {name: self.folder / f"{name}.pcap" for name in seen}
        for name, file in files.items():
            taps.write(file, [frame for frame in frames if seen[name](numbers[frame.connection])])
            file.chmod(0o644)
        return files

    def are_counted(self, ended):
        """So many queue pairs that ended are at the centre, summed and joined."""
        done = ("SELECT count(*), max(r.arrival) <= (SELECT arrival FROM iwarpscope.summarised) AND max(r.arrival) <= (SELECT arrival FROM iwarpscope.joined) "
                "FROM iwarpscope.record r WHERE r.kind = 2")
        wait_until(lambda: self.psql(done) == [[str(ended), "t"]], "sums and joins of all queue pairs", 120)

    def grafana_sql(self, sql):
        """A query of the dashboard, as Grafana would ask it about the last day."""
        for macro, time in (("$__timeFrom()", "- interval '1 day'"), ("$__timeTo()", "+ interval '1 hour'")):
            sql = sql.replace(macro, self.psql(f"SELECT quote_literal(now() {time})")[0][0])
        self.assertNotIn("$", sql)
        return sql

    def service(self, *more):
        own = ["--sensor-ca", self.folder / "ca.pem", "--sensor-certificate", self.folder / "api.pem", "--sensor-key", self.folder / "api.key"]
        return Service(self, self.folder, self.where(), *own, *more)


class Delivered(Served):
    """Sensors called `names` without programs: tests deliver for them. Times are those of the begin of a test."""

    names = ()

    def setUp(self):
        super().setUp()
        for name in self.names:
            self.centre("add-sensor", name)
        self.uuids = {name: f"aaaaaaaa-0000-4000-8000-00000000000{i}" for i, name in enumerate(self.names)}
        self.runs = {name: f"bbbbbbbb-0000-4000-8000-00000000000{i}" for i, name in enumerate(self.names)}
        self.now = int(self.psql("SELECT extract(epoch FROM now())::bigint")[0][0]) * 1_000_000_000
        self.places = {}

    def put(self, name, *records, before="", after=""):
        """Delivers as a sensor does. `before` and `after`: more statements of the same session."""
        records = [{"stored": self.now, "times": self.now, **one, "runs": self.runs[name]} for one in records]
        places = [(kind, *place) for (whose, kind), place in self.places.items() if whose == name]
        done = self.cluster.psql(before + delivery(records, sensor=self.uuids[name], after=places) + after, where=self.cluster.as_sensor(name, self.database))
        for one in records:
            self.places[name, one["kinds"]] = (one["runs"], one["ids"])
        return done

    def is_caught_up(self, site):
        """Everything that was delivered is summed and joined."""
        def is_done():
            lines = [line for line in site.ask("status").stdout.splitlines() if line.split()[:1] and line.split()[0] in ("Sums", "Joins")]
            return len(lines) == 2 and all("behind" not in line for line in lines)
        wait_until(is_done, "sums and joins")


class Following(Served):
    """What a client that stays sees."""

    def follow(self, site, *words):
        """`iwarpscope events --follow`, and the (run, sequence) that it printed so far."""
        out = open(self.folder / f"events{free_port()}.jsonl", "wb")
        self.addCleanup(out.close)
        Process(self, CLIENT, "events", "--follow", "--format", "json", "--socket", site.socket, *words, stdout=out, stderr=out)

        def printed():
            lines = Path(out.name).read_text(encoding="utf-8").splitlines()
            return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]
        return printed

    def are_all_in_order(self, records, first, last):
        """Each once; findings in their order, and queue pairs in theirs: a sensor delivers them one kind after the other."""
        self.assertEqual(sorted(one["sequence"] for one in records), list(range(first, last + 1)))
        for kind in ("finding", "qp"):
            sequences = [one["sequence"] for one in records if one["record"] == kind]
            self.assertEqual(sequences, sorted(sequences))
