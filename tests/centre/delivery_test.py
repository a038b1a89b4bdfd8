#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What sensors deliver is stored once, in order, whatever is in it: delivery_test.py CENTRE DELIVER IWARPSCOPE SOURCE_DIRECTORY"""

import json
import subprocess
import sys
import unittest

from cluster import RUN, SENSOR, TODAY, Cluster, Refused, delivery, record
from running import wait_until

CENTRE, DELIVER, IWARPSCOPE, SOURCE = sys.argv[1:5]
del sys.argv[1:5]

DAY = 86_400_000_000_000
OTHER = "bbbbbbbb-0000-4000-8000-000000000002"


class Delivery(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster().__enter__()
        cls.addClassCleanup(cls.cluster.__exit__)
        cls.cluster.psql("CREATE DATABASE whole", database="postgres")
        for words in (["migrate"], ["add-sensor", "rack1", "--site", "north", "--position", "uplink"], ["upkeep", "--today", "2026-11-28", "--ahead", "1"]):
            subprocess.run([CENTRE, "--database", cls.cluster.admin("whole"), *words], capture_output=True, check=True)

    def setUp(self):
        self.database = "whole"
        self.where = self.cluster.as_sensor("rack1", self.database)
        self.psql("UPDATE iwarpscope.sensor SET changed = 0;" +
                  "".join(f"DELETE FROM iwarpscope.{table};" for table in ("record", "state", "qp", "cursor", "dropped", "run")))

    def psql(self, sql):
        return self.cluster.psql(sql, self.database)

    def deliver(self, records, **more):
        """(added, known, changed)"""
        return [int(value) for value in self.cluster.psql(delivery(records, **more), where=self.where)[0]]

    def refused(self, sqlstate, sql):
        with self.assertRaises(Refused) as refusal:
            self.cluster.psql(sql, where=self.where)
        self.assertEqual(refusal.exception.sqlstate, sqlstate, refusal.exception)

    def cursor(self):
        return [(int(kind), run, int(at)) for kind, run, at in
                self.cluster.psql(f"SELECT * FROM iwarpscope.cursor_v1('{SENSOR}')", where=self.where)]

    def test_records_of_all_kinds_are_stored_with_their_columns(self):
        records = [record(kind, 7) for kind in (1, 2, 3, 4, 5)]
        self.assertEqual(self.deliver(records), [5, 0, 0])
        self.assertEqual(self.psql("SELECT kind, r.sensor, id, key, severity, host(a), host(b), community_id, interface, tap_group, sequence, form, "
                                   "body->>'record', at = stored, day, r.uuid FROM iwarpscope.record JOIN iwarpscope.run r ON r.number = run "
                                   "WHERE kind = 1"),
                         [["1", "1", "7", "mpa.crc-mismatch", "2", "192.0.2.1", "192.0.2.2", "1:LQU9qZlK+B5F3KDmev6m5PMibrg=", "eth0", "",
                           "7", "0", "finding", "t", "2026-11-28", RUN]])
        self.assertEqual(self.psql("SELECT kind, tableoid::regclass FROM iwarpscope.record UNION SELECT kind, tableoid::regclass "
                                   "FROM iwarpscope.state ORDER BY 1"),
                         [[kind, f"iwarpscope.{'state' if kind == '4' else 'record'}_20261128"] for kind in "12345"])
        self.assertEqual(self.cursor(), [(kind, RUN, 7) for kind in (1, 2, 3, 4, 5)])
        self.assertEqual(self.psql("SELECT role, site, position, uuid, delivered IS NOT NULL, heartbeat->>'record' FROM iwarpscope.sensor WHERE role = 'rack1'"),
                         [["rack1", "north", "uplink", SENSOR, "t", "heartbeat"]])
        self.assertEqual(self.psql("SELECT at = '2026-11-28 00:00:00.007+00' FROM iwarpscope.record WHERE kind = 2"), [["t"]])

    def test_a_record_that_is_here_is_refused_for_ever(self):
        records = [record(kind, number) for number in (1, 2) for kind in (1, 4)]
        self.assertEqual(self.deliver(records), [4, 0, 0])
        self.psql("DELETE FROM iwarpscope.cursor")
        self.assertEqual(self.deliver(records + [record(1, 3)]), [1, 4, 0])
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.record"), [["3"]])
        # The same number in another run is another record.
        self.assertEqual(self.deliver([record(1, 3, runs=OTHER)], after=[(1, RUN, 3), (4, RUN, 2)]), [1, 0, 0])

    def test_a_batch_that_does_not_follow_the_cursor_is_refused(self):
        self.deliver([record(1, 1), record(2, 1)])
        here = [(1, RUN, 1), (2, RUN, 1)]
        for after in ([], here[:1], [(1, RUN, 2), here[1]], [(1, OTHER, 1), here[1]], [*here, (3, RUN, 1)], [here[0], (3, RUN, 1)]):
            with self.subTest(after=after):
                self.refused("IWS01", delivery([record(1, 2)], after=after))
        self.assertEqual((self.cursor(), self.psql("SELECT count(*) FROM iwarpscope.record")), (here, [["2"]]))
        self.assertEqual(self.deliver([record(1, 2)], after=here), [1, 0, 0])
        # Another history of the same sensor has a cursor of its own, and 17 at most are remembered.
        for number in range(20):
            self.deliver([record(1, 1, runs=OTHER)], sensor=f"aaaaaaaa-0000-4000-8000-1000000000{number:02}")
        self.assertLessEqual(int(self.psql("SELECT count(DISTINCT uuid) FROM iwarpscope.cursor")[0][0]), 17)

    def test_arrays_that_do_not_fit_are_refused(self):
        whole = delivery([record(1, 1)])
        self.refused("IWS03", whole.replace("ARRAY['eth0']", "ARRAY['eth0', 'eth1']"))
        self.refused("IWS03", delivery([record(1, 1, ids=None)]))
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.record"), [["0"]])

    def test_pipelined_batches_after_one_that_failed_are_refused(self):
        report = self.cluster.folder / "report.jsonl"
        with open(report, "wb") as out:
            for sample in ("siw/many-64qp-write-crc.pcap.gz", "siw/lossy-write-64k-crc-at-server.pcap.gz"):
                path = f"{SOURCE}/samples/{sample}"
                subprocess.run([IWARPSCOPE, "analyze", "--format", "json", path], stdout=out, check=True)

        def run(records, *wrong):
            return subprocess.run([DELIVER, self.where, SENSOR, report, str(records), "50", "4", *wrong], capture_output=True, text=True,
                                  check=False, timeout=60)

        done = run(500)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("stored 500 known 0", done.stdout)
        done = run(500, "3")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        states = [line.split()[1:3] for line in done.stdout.splitlines() if line.startswith("batch")]
        self.assertEqual(states, [["3", "IWS03"], *([str(number), "IWS01"] for number in range(4, 10))])
        self.assertIn("stored 150 known 0", done.stdout)
        self.assertEqual(self.psql("SELECT count(*), count(DISTINCT (kind, id)) FROM iwarpscope.record"), [["650", "650"]])
        # It asks for the cursor and goes on: no hole, nothing twice.
        self.assertIn("stored 350 known 0", run(350).stdout)
        self.assertEqual(self.psql("SELECT count(*), sum(last - first + 1) FROM (SELECT kind, count(*) AS c, min(id) AS first, max(id) AS last "
                                   "FROM iwarpscope.record GROUP BY kind) k"), [["2", "1000"]])

    def test_what_postgres_cannot_have_is_stored_in_another_form_and_counted(self):
        deep = "[" * 20000 + "]" * 20000
        bodies = {1: '{"good":1}', 2: r'{"text":"a\u0000\u0000b\\u0000"}', 3: deep, 4: '{"cut":', 5: r'{"half":"\ud800"}', 6: '{"n":1e999999}'}
        records = [record(3, number, bodies=body) for number, body in bodies.items()]
        records += [record(3, 7, a="not'an address", b="fe80::1%eth0"), record(3, 8, a="", b="2001:db8::1"), record(3, 9, bodies=None),
                    record(3, 10, keys="k" * 100000, community_ids="c" * 100000, severities=None, interfaces=None)]
        self.assertEqual(self.deliver(records), [10, 0, 6])
        rows = self.psql("SELECT id, form, host(a), host(b), left(body::text, 60) FROM iwarpscope.record ORDER BY id")
        self.assertEqual([row[1] for row in rows], ["0", "1", "2", "2", "2", "2", "0", "0", "0", "0"])
        self.assertEqual(json.loads(self.psql("SELECT body FROM iwarpscope.record WHERE id = 2")[0][0]), {"text": "a\ufffd\ufffdb\\u0000"})
        for number in (3, 4, 5, 6):
            body = json.loads(self.psql(f"SELECT body FROM iwarpscope.record WHERE id = {number}")[0][0])
            self.assertEqual((body["record"], body["text"]), ("unreadable", bodies[number]))
        self.assertEqual([rows[6][2:4], rows[7][2:4], rows[8][4]], [["", ""], ["", "2001:db8::1"], "null"])
        self.assertEqual(self.psql("SELECT length(key), length(community_id), severity FROM iwarpscope.record WHERE id = 10"), [["200", "200", "0"]])
        self.assertEqual(self.psql("SELECT changed FROM iwarpscope.sensor WHERE role = 'rack1'"), [["6"]])
        # Those after them are not blocked.
        self.assertEqual(self.deliver([record(3, 11)], after=[(3, RUN, 10)]), [1, 0, 0])

    def test_clocks_that_are_wrong_lose_nothing(self):
        times = {1: 0, 2: -5 * DAY, 3: 2**63 - 1, 4: -2**63, 5: TODAY + 4000 * DAY}
        records = [record(1, number, stored=at, times=at) for number, at in times.items()]
        self.assertEqual(self.deliver(records), [5, 0, 0])
        self.assertEqual(self.psql("SELECT DISTINCT tableoid::regclass FROM iwarpscope.record"), [["iwarpscope.record_other"]])
        self.psql("DELETE FROM iwarpscope.cursor")
        self.assertEqual(self.deliver(records), [0, 5, 0])

    def test_the_last_of_each_queue_pair_is_known(self):
        def qp(kind, number, at, state, **more):
            body = {"a": {"port": 4420}, "b": {"port": 70}, "state": state, "ulp": "nvme", "transport": "tcp", "verdict": {"outcome": "failed"}}
            return record(kind, number, qps=at, bodies=json.dumps({**body, **more}))

        self.deliver([qp(4, 1, 50, "rts"), qp(4, 2, 50, "closing"), qp(4, 3, 51, "rts", a={"port": "1; DROP"}, b={"port": 999999}, ulp=None),
                      record(1, 1, qps=52, severities=3)])
        places = [(1, RUN, 1), (4, RUN, 3)]
        rows = "SELECT qp, kind, id, state, outcome, ulp, transport, a_port, b_port, severity FROM iwarpscope.qp ORDER BY qp"
        self.assertEqual(self.psql(rows), [["50", "4", "2", "closing", "failed", "nvme", "tcp", "4420", "70", "0"],
                                           ["51", "4", "3", "rts", "failed", "", "tcp", "", "", "0"],
                                           ["52", "1", "0", "", "", "", "", "", "", "3"]])
        # The end of one counts more than a state that comes after it; severity only rises.
        self.deliver([qp(2, 1, 50, "closed"), qp(4, 4, 50, "late"), qp(4, 5, 52, "rts"), record(1, 2, qps=50, severities=2),
                      record(1, 3, qps=52, severities=1)], after=places)
        self.assertEqual([row[:4] + row[9:] for row in self.psql(rows)],
                         [["50", "2", "1", "closed", "2"], ["51", "4", "3", "rts", "0"], ["52", "4", "5", "rts", "3"]])
        # A state in a later delivery changes nothing either, nor do older states that are delivered again.
        known = self.psql(rows)
        self.deliver([qp(4, 6, 50, "later")], after=[(1, RUN, 3), (2, RUN, 1), (4, RUN, 5)])
        self.psql("DELETE FROM iwarpscope.cursor")
        self.deliver([qp(4, 1, 52, "older"), qp(4, 2, 51, "older")])
        self.assertEqual(self.psql(rows), known)

    def test_expired_records_are_counted_by_sensor_run_and_kind(self):
        self.deliver([record(1, 1), record(4, 1)], expired=[(1, 5)])
        self.deliver([record(1, 2)], after=[(1, RUN, 1), (4, RUN, 1)], expired=[(1, 7), (4, 100), (2, 0)])
        self.deliver([record(1, 3)], after=[(1, RUN, 2), (4, RUN, 1)], expired=[(1, 1)])
        self.assertEqual(self.psql("SELECT kind, run, count FROM iwarpscope.dropped ORDER BY count"),
                         [["1", "00000000-0000-0000-0000-000000000000", "5"], ["1", RUN, "8"], ["4", RUN, "100"]])

    def test_new_records_are_notified_once_and_no_delivery_waits_for_that(self):
        subprocess.run([CENTRE, "--database", self.cluster.admin(self.database), "add-sensor", "rack2"], check=True, capture_output=True)
        other = self.cluster.as_sensor("rack2", self.database)
        numbers = dict(self.psql("SELECT role, number FROM iwarpscope.sensor"))
        with subprocess.Popen([self.cluster.bin / "psql", "-XqAt", self.cluster.admin(self.database)], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True, bufsize=1) as listener:
            listener.stdin.write("LISTEN iwarpscope;\nSELECT 'ready';\n")
            self.assertEqual(listener.stdout.readline(), "ready\n")
            self.deliver([record(1, 1), record(1, 2), record(2, 9)])
            self.deliver([], after=[(1, RUN, 2), (2, RUN, 9)])
            # One that has delivered and not committed yet: the other does not wait for it, and leaves the notification to it.
            self.cluster.psql("BEGIN;" + delivery([record(1, 3)], after=[(1, RUN, 2), (2, RUN, 9)]), where=self.where)
            self.cluster.psql("SET lock_timeout = '1s';" + delivery([record(1, 1)]), where=other)
            self.cluster.psql("COMMIT", where=self.where)
            self.cluster.psql(delivery([record(1, 2)], after=[(1, RUN, 1)]), where=other)
            listener.stdin.write("SELECT 'end';\n\\q\n")
            printed = listener.stdout.read().splitlines()
        payloads = [line.split('with payload "', 1)[1].split('"')[0] for line in printed if "payload" in line]
        self.assertEqual(payloads, [numbers["rack1"], numbers["rack1"], numbers["rack2"]])

    def test_two_forwarders_of_one_sensor_do_not_deliver_the_same_twice(self):
        sql = delivery([record(1, number) for number in range(1, 200)])
        both = [subprocess.Popen([self.cluster.bin / "psql", "-XqAt", "-v", "VERBOSITY=sqlstate", self.where], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(2)]
        printed = sorted(one.communicate(sql, timeout=30)[0] for one in both)
        self.assertEqual([text.split("\n")[0] for text in printed], ["199|0|0", "ERROR:  IWS01"])

    def test_a_forwarder_that_hangs_in_a_transaction_holds_up_no_other_sensor(self):
        subprocess.run([CENTRE, "--database", self.cluster.admin(self.database), "add-sensor", "rack2"], check=True, capture_output=True)
        with subprocess.Popen([self.cluster.bin / "psql", "-XqAt", self.where], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                              bufsize=1) as hanging:
            hanging.stdin.write("BEGIN;\n" + delivery([record(1, 1)]) + "\n")
            self.assertEqual(hanging.stdout.readline(), "1|0|0\n")
            other = self.cluster.psql(delivery([record(1, 1)]), where=self.cluster.as_sensor("rack2", self.database))
            self.assertEqual(other, [["1", "0", "0"]])
            self.assertEqual(self.cluster.psql("SHOW idle_in_transaction_session_timeout", where=self.where), [["1min"]])
            hanging.kill()
        wait_until(lambda: self.psql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'rack1' AND state LIKE 'idle in%'") == [["0"]], "the end of the forwarder")
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.record"), [["1"]])


if __name__ == "__main__":
    unittest.main()
