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
from cluster import certificate
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

    def service(self, *more):
        own = ["--sensor-ca", self.folder / "ca.pem", "--sensor-certificate", self.folder / "api.pem", "--sensor-key", self.folder / "api.key"]
        return Service(self, self.folder, self.where(), *own, *more)


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
