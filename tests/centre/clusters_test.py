#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Two PostgreSQL servers, each with half of the sensors, and one service over both.
clusters_test.py CENTRE FORWARD SENSOR IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY"""

import contextlib
import os
import re
import subprocess
import time
import unittest
import uuid
from pathlib import Path

from cluster import Cluster, Refused, certificate, delivery, record
from counted_test import CAPTURE, pairs
from kit import Sensor
from running import wait_until
from serving import SOURCE, Following, place_test, records

SITE = "iwarpscope-site"  # the role with which the site's database logs in
RUN = 10_000_000_000


class TwoClusters(Following):
    first = 0  # number of the first cluster

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.second = Cluster().__enter__()
        cls.addClassCleanup(cls.second.__exit__)

    def setUp(self):
        super().setUp()  # the database of the site
        self.members = [(cluster, "m" + uuid.uuid4().hex[:12]) for cluster in (self.cluster, self.second)]
        for at in range(len(self.members)):
            with self.at(at):
                self.psql(f"CREATE DATABASE {self.database}", "postgres")
                self.centre("migrate")
                self.centre("upkeep", "--ahead", "1")
                if at == 0:
                    self.before()
        self.prepare()
        for at, (cluster, database) in enumerate(self.members):
            number = self.first + at
            certificate(cluster.folder, SITE, "ca")
            self.psql(f"CREATE SERVER cluster_{number} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '{cluster.ports['primary']}', "
                      f"dbname '{database}', fetch_size '1000', sslmode 'verify-full', sslrootcert '{cluster.folder}/ca.pem')")
            self.psql(f"CREATE USER MAPPING FOR PUBLIC SERVER cluster_{number} OPTIONS (user '{SITE}', password_required 'false', "
                      f"sslcert '{cluster.folder}/{SITE}.pem', sslkey '{cluster.folder}/{SITE}.key')")
            self.psql(f"SELECT iwarpscope.add_cluster('cluster_{number}', {number})")

    def before(self):
        """What the first one has before it is one of several."""

    def prepare(self):
        for number in range(len(self.members)):
            with self.at(number):
                self.script("iwarpscope-cluster.sql", f"--set=number={number}", f"--set=reader={SITE}")
        self.script("iwarpscope-clusters.sql")

    def script(self, name, *more):
        self.cluster.as_user("psql", "--no-psqlrc", "--quiet", *more, f"--dbname={self.cluster.admin(self.database)}", "--file",
                             f"{SOURCE}/daemon/share/{name}")

    @contextlib.contextmanager
    def at(self, number):
        """In one of the clusters."""
        site = self.cluster, self.database
        self.cluster, self.database = self.members[number]
        try:
            yield
        finally:
            self.cluster, self.database = site


class Shown(TwoClusters):
    def before(self):
        self.centre("add-sensor", "old")
        found = record(1, 1, keys="mpa.crc-mismatch", stored=time.time_ns(), bodies='{"record":"finding","id":"mpa.crc-mismatch"}')
        self.cluster.psql(delivery([found]), where=self.cluster.as_sensor("old", self.database))

    def test_one_service_shows_what_sensors_of_both_have(self):
        files = self.taps_of(place_test.damaged_segment, "siw/lossy-senderview-send-64k-crc.pcap.gz", ("leaf1", "leaf2"))
        daemons = {}
        for number, (name, capture) in enumerate((("leaf1", files[0]), ("leaf2", files[1]))):
            with self.at(number):
                daemons[name] = self.daemon(name, capture)
        with self.at(1):
            daemons["rack1"] = self.daemon("rack1", "siw/viol-qn-1.pcap")
        site = self.service()
        for kind in ("qps", "findings"):
            own = {name: records(kind, "--socket", daemon.socket) for name, daemon in daemons.items()}
            wait_until(lambda kind=kind, own=own: len([one for one in site.records(kind) if one["sensor"] in own]) == sum(map(len, own.values())),
                       f"all {kind}", 60)
            for name, its in own.items():
                there = site.records(kind, "--sensor", name)
                self.assertEqual([((one.get("qp") or 0) % RUN, one.get("id"), one.get("verdict")) for one in there],
                                 [(one.get("qp") or 0, one.get("id"), one.get("verdict")) for one in its])
        numbers = [one["qp"] for one in site.records("qps")]
        self.assertEqual(len(set(numbers)), len(numbers))
        self.assertIn("a centre of 4 sensors", site.ask("status").stdout)
        self.assertEqual([one["id"] for one in site.records("findings", "--sensor", "old")], ["mpa.crc-mismatch"])
        self.assertRegex(site.ask("qp", numbers[0]).stdout, r"Sensor: leaf1")
        # One connection, seen in both clusters.
        joined = wait_until(lambda: site.records("site")[1].get("connections"), "the joined connection", 60)
        self.assertEqual([{view["sensor"] for view in one["views"]} for one in joined], [{"leaf1", "leaf2"}])
        self.assertIn("between port of leaf1 and port of leaf2", site.ask("site").stdout)
        wait_until(lambda: site.records("findings", "--sensor", "iwarpscope_centre"), "the centre's finding")
        self.assertIn("rack1", site.ask("watch", "--once").stdout)
        self.centre("upkeep")
        self.centre("compare")
        self.assertEqual(site.records("history", "--kind", "heartbeats", "--sensor", "rack1")[0]["sensor"], "rack1")

    def test_a_connection_that_both_saw_counts_once(self):
        files = self.connections_at(CAPTURE, {"leaf1": lambda number: number < 67, "leaf2": lambda number: number >= 33})
        for number, (name, file) in enumerate(files.items()):
            with self.at(number):
                self.daemon(name, file)
        site = self.service()
        self.are_counted(67 + 67)
        self.assertEqual(list(pairs(site).values()), [(100, 6)])
        self.assertEqual(list(pairs(site, "--sensor", "leaf1").values()), [(67, 5)])

    def test_the_site_logs_in_to_a_cluster_to_read_and_for_nothing_else(self):
        with self.at(1):
            self.centre("add-sensor", "rack1")
            where = self.cluster.as_sensor(SITE, self.database)
            self.assertEqual(self.cluster.psql("SELECT role FROM iwarpscope.site_sensor", where=where), [["rack1"]])
            self.assertEqual(self.cluster.psql("SELECT proname FROM pg_proc WHERE pronamespace = 'iwarpscope'::regnamespace AND "
                                               "has_function_privilege(oid, 'EXECUTE') ORDER BY 1", where=where),
                             [["deliveries"], ["end_stuck_deliveries"]])
            written = self.cluster.psql("SELECT relname FROM pg_class WHERE relnamespace = 'iwarpscope'::regnamespace AND relkind <> 'i' AND relkind <> 'I' "
                                        "AND relkind <> 'c' AND CASE relkind WHEN 'S' THEN has_sequence_privilege(oid, 'USAGE, UPDATE') "
                                        "ELSE has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE') END", where=where)
            self.assertEqual(written, [["arrival_wanted"]])
            for sql in ("SELECT iwarpscope.upkeep_step('2100-01-01')", "SELECT FROM iwarpscope.record", "UPDATE iwarpscope.retention SET days = 1",
                        "DELETE FROM iwarpscope.connection", "SET ROLE iwarpscope_keeper", "SET ROLE iwarpscope_reader",
                        "CREATE TABLE iwarpscope.mine (i int)", "CREATE TEMP TABLE mine (i int)"):
                with self.assertRaises(Refused, msg=sql) as refusal:
                    self.cluster.psql(sql, where=where)
                self.assertEqual(refusal.exception.sqlstate, "42501", sql)

    def test_a_cluster_is_added_once_and_under_its_own_number(self):
        self.psql("DELETE FROM iwarpscope.cluster WHERE number = 1")
        for table in ("sensor", "run", "record", "state", "qp", "cursor", "dropped", "number", "delivering", "stuck", "arrival_wanted"):
            self.psql(f"DROP FOREIGN TABLE iwarpscope.{table}_1")
        for server, number, why in (("cluster_1", 2, "has the number 1 of iwarpscope-cluster.sql, not 2"), ("cluster_1", 9, "is 0 to 8"),
                                    ("cluster_1", -1, "is 0 to 8"), ("cluster_1", "NULL", "is 0 to 8"), ("cluster_1", 0, "was added already"),
                                    ("cluster_0", 1, "was added already")):
            with self.assertRaises(Refused) as refusal:
                self.psql(f"SELECT iwarpscope.add_cluster('{server}', {number})")
            self.assertIn(why, str(refusal.exception))
        self.assertEqual(self.psql("SELECT number FROM iwarpscope.cluster"), [["0"]])  # nothing of a refused one stays
        self.psql("SELECT iwarpscope.add_cluster('cluster_1', 1)")
        with self.at(1):
            self.centre("add-sensor", "rack1")
        self.assertEqual(self.psql("SELECT number FROM iwarpscope.sensor WHERE role = 'rack1'"), [["10000000"]])


class Followed(TwoClusters):
    def one_cluster_is_away_for_a_while(self, site):
        """Sensors of the other one go on delivering; the service says what is wrong, and goes on afterwards."""
        cluster, _ = self.members[1]
        cluster.close_sessions()
        cluster.stop("primary")
        try:
            wait_until(lambda: "Database    does not answer" in site.ask("status").stdout, "the trouble in the status", 60)
            with self.at(0):
                before = self.psql("SELECT max(arrival) FROM iwarpscope.record")
                wait_until(lambda: self.psql("SELECT max(arrival) FROM iwarpscope.record") != before, "more records in the other cluster", 60)
        finally:
            cluster.start("primary")
        wait_until(lambda: "Database    answers" in site.ask("status").stdout, "both clusters", 60)

    def test_a_subscriber_gets_each_record_of_both_once_and_goes_on_where_it_was(self):
        site = self.service()
        printed = self.follow(site)
        # The second one begins when the first has records: its numbers catch up.
        for number, name in enumerate(("rack1", "rack2")):
            with self.at(number):
                self.centre("add-sensor", name)
                sensor = Sensor(self, name, 500, 100)
                self.forward(name, sensor.socket)
            wait_until(lambda name=name: name in {one["sensor"] for one in printed()}, f"records of {name}", 60)
        place = re.search(r"events --after (\S+) shows", site.ask("status").stdout).group(1)
        self.one_cluster_is_away_for_a_while(site)
        wait_until(lambda: len(printed()) >= 1100, "all records", 120)
        for name in ("rack1", "rack2"):
            self.are_all_in_order([one for one in printed() if one["sensor"] == name], 1, 550)
        everything = site.records("events")
        self.assertEqual([(one["sensor"], one["sequence"]) for one in everything], [(one["sensor"], one["sequence"]) for one in printed()])
        after = site.records("events", "--after", place)
        self.assertEqual(after, everything[len(everything) - len(after):])
        arrivals = [int(row[0]) for row in self.psql("SELECT arrival FROM iwarpscope.record WHERE kind IN (1, 2) ORDER BY 1")]
        self.assertEqual(len(set(arrivals)), 1100)
        self.assertEqual({arrival % 16 for arrival in arrivals}, {0, 1})


class Guided(TwoClusters):
    """The section "Several clusters" of docs/site.md."""

    first = 1

    def prepare(self):
        section = Path(SOURCE, "docs/site.md").read_text(encoding="utf-8").split("\n## Several clusters\n")[1].split("\n## ")[0]
        commands = "".join(re.findall(r"(?m)^    (.*\n)", section)).replace("/usr/share/iwarpscope/", f"{SOURCE}/daemon/share/")
        self.assertEqual(commands.count("psql "), 3)
        (first, one), (second, other) = self.members
        where = {"CLUSTER1": first.admin(one), "CLUSTER2": second.admin(other), "SITE": self.cluster.admin(self.database)}
        path = f"{self.cluster.bin}:{Path(self.programs['centre']).parent}:{os.environ['PATH']}"
        done = subprocess.run(["bash", "-e", "-c", commands], env={**os.environ, **where, "PATH": path}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_its_commands_make_one_site_of_two(self):
        self.assertEqual(self.psql("SELECT number, server FROM iwarpscope.cluster ORDER BY 1"), [["1", "cluster_1"], ["2", "cluster_2"]])
        with self.at(1):
            self.centre("add-sensor", "rack1")
        self.assertIn("rack1", self.service().ask("status").stdout)


if __name__ == "__main__":
    unittest.main()
