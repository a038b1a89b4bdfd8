# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests with a real PostgreSQL, a migrated database in it, and programs around it."""

import json
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import unittest
import uuid
from pathlib import Path

from cluster import Cluster
from running import wait_until

KINDS = {"findings": 1, "qps": 2, "operations": 3, "states": 4, "heartbeats": 5, "summaries": 6}


class Process:
    """Ended with the test, however that ends."""

    def __init__(self, test, *words, **more):
        self.words, self.more = [str(word) for word in words], more
        self.start()
        test.addCleanup(self.end)

    def start(self):
        self.process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, **self.more)

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()
            raise


class Sensor:
    """A sensor whose records are made up; each run has another UUID."""

    program = None  # path of iwarpscope-made-sensor

    def __init__(self, test, name, findings, rate, *more):
        self.folder = Path(tempfile.mkdtemp(prefix="iwarpscope-sensor-"))
        test.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.uuid = str(uuid.uuid4())
        self.process = Process(test, self.program, self.folder, name, self.uuid, findings, rate, *more)
        self.socket = self.folder / "api.sock"
        wait_until(self.socket.exists, "the sensor's API")

    def status(self):
        file = self.folder / "status.json"
        return json.loads(file.read_text()) if file.exists() else {}

    def made(self):
        """What its history has: (run, kind, id)."""
        with sqlite3.connect(f"file:{self.folder}/history.sqlite?mode=ro", uri=True) as database:
            return {(run, number, at) for kind, number in KINDS.items()
                    for run, at in database.execute(f"SELECT r.uuid, t.id FROM {kind} t JOIN runs r ON r.run = t.run")}


class Centre(unittest.TestCase):
    """A database of its own for each test. `programs`: paths of "centre" and "forward"."""

    programs = {}
    standby = False

    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(standby=cls.standby).__enter__()
        cls.addClassCleanup(cls.cluster.__exit__)

    def setUp(self):
        self.addCleanup(self.cluster.close_sessions)
        self.database = "d" + uuid.uuid4().hex[:12]
        self.psql(f"CREATE DATABASE {self.database}", "postgres")
        self.centre("migrate")
        self.centre("upkeep", "--ahead", "1")

    def psql(self, sql, database=None):
        return self.cluster.psql(sql, database or self.database)

    def centre(self, *words):
        subprocess.run([self.programs["centre"], "--database", self.cluster.admin(self.database), *words], check=True, capture_output=True)

    def forward(self, name, socket, *more, where=None):
        log = tempfile.NamedTemporaryFile("w+", prefix="forward-", suffix=".log")
        self.addCleanup(log.close)
        process = Process(self, self.programs["forward"], "--socket", socket, "--database", where or self.cluster.as_sensor(name, self.database),
                          "--longest-pause", 1, *more, stderr=log)
        process.log = lambda: Path(log.name).read_text(encoding="utf-8")
        return process
