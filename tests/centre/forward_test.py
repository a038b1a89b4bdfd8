#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""iwarpscope-forward between a daemon and the centre, whatever dies: every record once.
forward_test.py CENTRE FORWARD SENSOR IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY"""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from cluster import USER
from kit import Centre, Process, Sensor
from running import Folder, Running, wait_until
from site_guide import blocks

CENTRE, FORWARD, SENSOR, DAEMON, CLIENT, SOURCE = sys.argv[1:7]
Sensor.program = SENSOR
del sys.argv[1:7]


class Delivery(Centre):
    programs = {"centre": CENTRE, "forward": FORWARD}

    def stored(self, sensor="rack1"):
        """What the centre has: (run, kind, id)."""
        return {(run, int(kind), int(at)) for run, kind, at in self.psql(
            "SELECT u.uuid, kind, id FROM (SELECT sensor, run, kind, id FROM iwarpscope.record UNION ALL "
            "SELECT sensor, run, kind, id FROM iwarpscope.state) r JOIN iwarpscope.run u ON u.number = r.run "
            f"JOIN iwarpscope.sensor s ON s.number = r.sensor WHERE s.role = '{sensor}'")}

    def count(self):
        return int(self.psql("SELECT count(*) FROM iwarpscope.record WHERE kind <> 5")[0][0])

    def all_arrive(self, sensor, count, patience=120):
        wait_until(lambda: self.count() >= count, f"{count} records at the centre", patience)
        wait_until(lambda: sensor.made() <= self.stored(), "every record at the centre", patience)


class Certificates(Delivery):
    """Those that the script of docs/site.md makes."""

    def test_a_database_with_a_certificate_for_clients_is_refused(self):
        script = next(block.text for block in blocks((Path(SOURCE) / "docs/site.md").read_text(encoding="utf-8"))
                      if block.path == "/root/ca/certificate")

        def serve_with(use):
            """The database presents a certificate that is good for `use` from now on."""
            made = subprocess.run(["sh", "-e", "-s", use, "server", "localhost"], input=script.replace("/root/ca", str(self.cluster.folder)),
                                  capture_output=True, text=True, check=False)
            self.assertEqual(made.returncode, 0, made.stderr)
            shutil.chown(self.cluster.folder / "server.key", USER)
            self.psql("SELECT pg_reload_conf()")

        self.centre("add-sensor", "rack1")
        sensor = Sensor(self, "rack1", 20, 1000)
        where = self.cluster.as_sensor("rack1", self.database).replace("host=127.0.0.1", "host=localhost")
        serve_with("clientAuth")
        forward = self.forward("rack1", sensor.socket, where=where)
        wait_until(lambda: "certificate verify failed" in forward.log(), "the refusal", 60)
        self.assertIn("unsupported certificate", (self.cluster.folder / "primary.log").read_text(encoding="utf-8"))  # not its name
        self.assertEqual(self.count(), 0)
        serve_with("serverAuth")
        self.all_arrive(sensor, 20)


class WhateverDies(Delivery):
    def test_every_record_of_a_real_daemon_arrives_as_its_history_has_it(self):
        self.centre("add-sensor", "rack1")
        capture = Path(SOURCE) / "samples/siw/viol-qn-1.pcap"
        with Folder() as folder, Running(DAEMON, folder.path, f'sensor = "rack1"\n[capture]\nreplay = ["{capture}"]\n[history]\n'
                                         'forward = true\nstates = "1 s"\nheartbeats = "1 s"\n') as daemon:
            self.forward("rack1", daemon.socket)
            wait_until(lambda: {kind for _, kind, _ in self.stored()} >= {1, 2, 5, 6}, "findings, a queue pair, a heartbeat and a summary")
            history = sqlite3.connect(f"file:{folder.path}/history.sqlite?mode=ro", uri=True)
            self.addCleanup(history.close)
            for table, kind in (("findings", 1), ("qps", 2), ("summaries", 6)):
                here = [json.loads(text) for text, in history.execute(f"SELECT json FROM {table} ORDER BY id")]
                there = [json.loads(text) for text, in self.psql(f"SELECT body FROM iwarpscope.record WHERE kind = {kind} ORDER BY id")]
                self.assertTrue(here)
                self.assertEqual(here, there)
            beat = json.loads(self.psql("SELECT body FROM iwarpscope.record WHERE kind = 5 ORDER BY id LIMIT 1")[0][0])
            self.assertEqual(beat["sensor"], "rack1")
            self.assertRegex(beat["configuration"]["hash"], "^[0-9a-f]{12}$")
            self.assertIsNotNone(beat["clock"])
            def shown():
                return subprocess.run([CLIENT, "status", "--socket", daemon.socket], capture_output=True, text=True, check=True).stdout
            wait_until(lambda: re.search(r"forward: [1-9]\d* accepted, 0 lost, 0 waiting", shown()), "the delivery in the status")
            self.assertRegex(shown(), r"Clock +\S")

    def test_killed_again_and_again_it_delivers_each_record_once(self):
        self.centre("add-sensor", "rack1")
        sensor = Sensor(self, "rack1", 6000, 1500)
        forward = self.forward("rack1", sensor.socket, "--wait-ms", "20", "--batch", "50")
        for part in range(1, 9):
            wait_until(lambda part=part: self.count() >= part * 600, "more records")
            forward.kill()
            forward.start()
        self.all_arrive(sensor, 6600)
        self.assertEqual(self.count(), 6600)
        self.assertEqual(self.psql("SELECT coalesce(sum(count), 0) FROM iwarpscope.dropped"), [["0"]])

    def test_a_sensor_that_is_killed_and_starts_again_loses_nothing_it_had_stored(self):
        self.centre("add-sensor", "rack1")
        sensor = Sensor(self, "rack1", 1_000_000, 3000)
        self.forward("rack1", sensor.socket)
        for runs in range(1, 5):
            wait_until(lambda runs=runs: len({run for run, _, _ in self.stored()}) == runs, "records of each run")
            wait_until(lambda runs=runs: self.count() >= runs * 1000, "more records")
            if runs < 4:
                sensor.process.kill()
                sensor.process.start()
        sensor.process.kill()
        made = sensor.made()
        sensor.process.start()
        wait_until(lambda: made <= self.stored(), "every record at the centre")
        self.assertEqual(len({run for run, _, _ in made}), 4)

    def test_a_server_that_restarts_or_hangs_costs_nothing_and_is_seen(self):
        self.centre("add-sensor", "rack1")
        sensor = Sensor(self, "rack1", 5000, 1000)
        forward = self.forward("rack1", sensor.socket, "--patience", "2")
        wait_until(lambda: self.count() >= 500, "records")
        self.cluster.stop("primary")
        wait_until(lambda: sensor.status().get("trouble"), "trouble in the status")
        self.assertIs(sensor.status()["healthy"], False)
        wait_until(lambda: sensor.status()["queued"] > 500, "the history as the queue")
        self.cluster.close_sessions()
        self.cluster.start("primary")
        wait_until(lambda: sensor.status()["healthy"], "health")
        wait_until(lambda: self.count() >= 2500, "records")
        with self.cluster.hanging():
            wait_until(lambda: sensor.status()["trouble"], "trouble while the server hangs")
            queued = sensor.status()["queued"]
            wait_until(lambda: sensor.status()["queued"] > queued + 10, "a longer queue")
            self.assertIs(sensor.status()["healthy"], False)  # also while it tries again
        self.all_arrive(sensor, 5500)
        self.assertEqual(self.count(), 5500)
        wait_until(lambda: sensor.status()["queued"] <= 2, "an empty queue")
        log = forward.log()
        self.assertIn("The centre: ", log)
        self.assertEqual(log.count("Records are delivered to the centre."), 3, log)

    def test_of_two_forwarders_of_one_sensor_none_stores_twice(self):
        self.centre("add-sensor", "rack1")
        sensor = Sensor(self, "rack1", 3000, 1500)
        for _ in range(2):
            self.forward("rack1", sensor.socket, "--wait-ms", "10", "--batch", "20")
        self.all_arrive(sensor, 3300)
        self.assertEqual(self.count(), 3300)

    def test_what_expired_before_it_was_read_is_counted_at_the_centre(self):
        self.centre("add-sensor", "rack1")
        sensor = Sensor(self, "rack1", 4000, 4000, 2000, 3_000_000)
        wait_until(lambda: sensor.status().get("findings") == 4000, "all findings")
        wait_until(lambda: sensor.status()["expired"] > 1000, "expired records")
        self.forward("rack1", sensor.socket)
        # What is still there arrives; everything else is counted, by kind.
        wait_until(lambda: sensor.made() <= self.stored(), "every record at the centre")
        for kind, made in ((1, 4000), (2, 400)):
            there = int(self.psql(f"SELECT count(*) FROM iwarpscope.record WHERE kind = {kind}")[0][0])
            gone = int(self.psql(f"SELECT coalesce(sum(count), 0) FROM iwarpscope.dropped WHERE kind = {kind}")[0][0])
            self.assertEqual(there + gone, made)
            self.assertGreater(gone, 0)

    def test_a_centre_without_its_schema_or_without_this_sensor_is_named(self):
        sensor = Sensor(self, "rack1", 10, 1000)
        self.psql("CREATE DATABASE empty", "postgres")
        self.psql("CREATE ROLE rack2 LOGIN IN ROLE iwarpscope_sensor", "postgres")
        first = self.forward("rack2", sensor.socket, where=self.cluster.as_sensor("rack2", "empty"))
        wait_until(lambda: "iwarpscope-centre migrate" in sensor.status().get("trouble", ""), "the schema in the status")
        self.assertIn("iwarpscope-centre migrate", first.log())
        first.end()
        second = self.forward("rack2", sensor.socket)
        wait_until(lambda: "no sensor" in second.log(), "the sensor in the log")
        self.assertEqual(self.count(), 0)

    def test_a_server_with_another_certificate_gets_nothing(self):
        self.centre("add-sensor", "rack1")
        sensor = Sensor(self, "rack1", 10, 1000)
        other = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, other)
        from certificates import certificate
        certificate(other, "ca")
        where = self.cluster.as_sensor("rack1", self.database).replace("sslmode=verify-full ", "")
        forward = self.forward("rack1", sensor.socket, where=where.replace(f"sslrootcert={self.cluster.folder}/ca.pem", f"sslrootcert={other}/ca.pem"))
        wait_until(lambda: "certificate" in forward.log(), "the refusal")
        self.assertEqual(self.count(), 0)
        forward.end()
        self.forward("rack1", sensor.socket, where=where)
        self.all_arrive(sensor, 11)


if __name__ == "__main__":
    unittest.main()
