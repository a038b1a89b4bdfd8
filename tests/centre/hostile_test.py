#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What a sensor with a valid certificate, a hanging sensor, or a server that lost records can do to the service.
hostile_test.py CENTRE FORWARD SENSOR IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY"""

import json
import signal
import socket
import subprocess
import time
import unittest
import urllib.request

from cluster import delivery, record
from running import free_port, wait_until
from serving import CLIENT, SOURCE, Delivered, Following, Served, ask

FINDING = '{"record":"finding","id":"mpa.crc-mismatch","text":"a text"}'


def qp_body(number):
    return json.dumps({"record": "qp", "qp": number, "state": "closed", "a": {"address": "192.0.2.1", "port": 1}, "b": {"address": "192.0.2.2", "port": 2}})


class TwoSensors(Delivered):
    names = ("rack1", "mallory")

    def findings(self, *numbers, **more):
        return [record(1, number, **{"bodies": FINDING, **more}) for number in numbers]


class Hostile(TwoSensors, Following):
    def test_a_sensor_that_does_not_end_its_delivery_is_ended(self):
        site = self.service()
        printed = self.follow(site)
        self.put("rack1", *self.findings(1))
        wait_until(lambda: len(printed()) == 1, "the first finding")
        self.put("mallory", *self.findings(1), before="BEGIN; ")  # and no COMMIT
        self.put("rack1", *self.findings(2))
        self.assertEqual(len(printed()), 1)
        wait_until(lambda: len(printed()) == 2, "what arrived after it", 60)
        wait_until(lambda: "Sensor mallory began a delivery and did not end it" in site.log(), "the line in the log", 60)
        self.assertEqual({one["sensor"] for one in printed()}, {"rack1"})

    def test_bodies_that_would_fill_the_memory_of_readers_are_cut(self):
        site = self.service()
        printed = self.follow(site)
        bombs = ["[" + ",".join(["1e131071"] * 8000) + "]", "[" + ",".join(["-1.5E+9999"] * 8000) + "]", "[" + ",".join(["1e-16000"] * 8000) + "]",
                 "[" + ",".join(["1e99"] * 50000) + "]", '"' + "x" * 5_000_000 + '"']
        for number, bomb in enumerate(bombs, 1):
            self.put("mallory", *self.findings(number, bodies=bomb))
        self.put("mallory", record(5, 1, bodies=bombs[0]))
        sizes = self.psql("SELECT max(octet_length(body::text)), count(*) FILTER (WHERE form = 2) FROM iwarpscope.record")
        self.assertLess(int(sizes[0][0]), 300_000)
        self.assertEqual(sizes[0][1], str(len(bombs) + 1))
        # A text that only looks like such a number is kept as it is.
        hex_text = '{"record":"finding","id":"mpa.crc-mismatch","text":"private data: 7e123 1e999999"}'
        self.put("rack1", *self.findings(1, bodies=hex_text))
        wait_until(lambda: len(printed()) == 1, "the other sensor's finding")
        self.assertIn("7e123 1e999999", json.dumps(printed()))
        self.assertEqual(len(site.records("findings")), 1)
        wait_until(lambda: "6 of its records could not be stored as sent" in site.ask("status").stdout, "the count", 60)
        self.assertEqual(len(site.records("history", "--kind", "findings")), len(bombs) + 1)

    def test_counts_at_the_limit_stop_neither_sums_nor_joins(self):
        site = self.service()
        self.put("mallory", *(record(2, number, bodies=f'{{"record":"qp","qp":{number},"payload_octets":99999999999999999}}') for number in range(1, 200)))
        self.put("mallory", *(record(2, number, bodies=f'{{"record":"qp","qp":{number},"payload_octets":9223372036854775807}}') for number in range(200, 210)))
        self.put("rack1", record(2, 1, a="192.0.2.7", b="192.0.2.8", bodies='{"record":"qp","qp":1,"payload_octets":5}'))
        self.is_caught_up(site)
        self.assertEqual(self.psql("SELECT payload_octets FROM iwarpscope.pair_hour ORDER BY a DESC"), [["5"], ["9223372036854775807"]])
        self.assertNotIn("not made", site.log())

    def test_a_sensor_cannot_crowd_out_the_views_of_others(self):
        site = self.service()
        far = self.now + 10**18  # its clock says so
        lines = ask("analyze", "--format", "json", f"{SOURCE}/samples/siw/viol-qn-1.pcap").stdout.splitlines()
        view = next(line for line in lines if json.loads(line)["record"] == "qp")
        self.put("rack1", record(2, 1, bodies=view))
        for begin in range(0, 2000, 500):
            self.put("mallory", *(record(2, number, stored=far, times=far, keys="completed", bodies=view) for number in range(begin + 1, begin + 501)))
        self.put("rack1", record(2, 2, bodies=view))
        self.is_caught_up(site)
        run = self.psql(f"SELECT number FROM iwarpscope.run WHERE uuid = '{self.runs['rack1']}'")[0][0]
        self.assertEqual(self.psql(f"SELECT count(*) > 0 FROM iwarpscope.connection_view WHERE run = {run}"), [["t"]])
        self.assertGreater(int(self.psql("SELECT left_out FROM iwarpscope.joined")[0][0]), 400)  # of each delivery all but 32

    def test_runs_are_not_endless(self):
        base = "cccccccc-0000-4000-8000-"
        def runs(first, count):
            return [{**one, "runs": f"{base}{first + i:012d}"} for i, one in enumerate(self.findings(*range(first, first + count)))]
        where = self.cluster.as_sensor("mallory", self.database)
        self.cluster.psql(delivery(runs(1, 4000), sensor=self.uuids["mallory"]), where=where)
        with self.assertRaisesRegex(Exception, "started more than 5000 times within a day"):
            self.cluster.psql(delivery(runs(4001, 1500), sensor=self.uuids["mallory"], after=[(1, f"{base}{4000:012d}", 4000)]), where=where)
        self.put("rack1", *self.findings(1))
        self.assertEqual(self.psql("SELECT max(number) FROM iwarpscope.run"), [["4001"]], "what failed used numbers")

    def test_a_heartbeat_changes_nothing_of_others(self):
        site = self.service("--metrics", f"127.0.0.1:{(port := free_port())}")
        beat = {"record": "heartbeat", "version": "a" * 99 + "é", "every_ns": 10**9, "interfaces": [{}] * 5000,
                "qps_by_state": {f"w{number}": 1 for number in range(8000)}}
        self.put("mallory", record(5, 1, bodies=json.dumps(beat, ensure_ascii=False)))
        body = {"record": "qp", "qp": 1, "ulp": "iser", "state": "rts", "a": {"address": "192.0.2.1", "port": 1}, "b": {"address": "192.0.2.2", "port": 3260}}
        self.put("rack1", record(2, 1, keys="completed", bodies=json.dumps(body)))
        wait_until(lambda: "aaa" in site.ask("status").stdout, "the heartbeat")
        self.assertEqual([one["ulp"] for one in site.records("qps", "--sensor", "rack1")], ["iser"])
        self.assertLess(len(site.ask("status").stdout), 8000)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
            answer.read().decode("utf-8")

    def test_a_clock_in_the_future_does_not_stay_in_the_site_view(self):
        site = self.service()
        self.put("mallory", *self.findings(1, stored=self.now + 90 * 86_400 * 10**9))
        self.is_caught_up(site)
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.rule_hour WHERE hour > now()"), [["0"]])


class Old(TwoSensors):
    def test_what_is_new_is_compared_with_a_week_whatever_is_shown(self):
        site = self.service()
        day = 86_400 * 10**9
        self.put("rack1", *self.findings(1, stored=self.now - 5 * day), *self.findings(2),
                 *self.findings(3, keys="tcp.retransmissions", bodies='{"record":"finding","id":"tcp.retransmissions"}'))
        self.is_caught_up(site)
        for days in (1, 2, 7):
            news = site.ask("site", "--days", days).stdout.split("New since yesterday")[1].split("Pairs of hosts")[0]
            self.assertIn("tcp.retransmissions", news)
            self.assertNotIn("mpa.crc-mismatch", news)

    def test_findings_of_one_queue_pair_are_shown_whatever_their_age(self):
        site = self.service()
        old = self.now - 20 * 86_400 * 10**9
        self.put("rack1", *self.findings(1, stored=old, qps=7), record(2, 7, stored=old, bodies=qp_body(7)))
        wait_until(lambda: len(site.records("qps")) == 1, "the queue pair")
        number = site.records("qps")[0]["qp"]
        self.assertIn("a text", site.ask("qp", number).stdout)
        self.assertEqual(site.records("findings"), [])  # those since yesterday


class Hanging(Served):
    """A sensor whose API accepts connections and says nothing."""

    def setUp(self):
        super().setUp()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.addCleanup(self.listener.close)
        self.centre("add-sensor", "rack1", "--api", f"127.0.0.1:{self.listener.getsockname()[1]}")
        self.now = int(self.psql("SELECT extract(epoch FROM now())::bigint")[0][0]) * 1_000_000_000
        rows = [record(4, number, stored=self.now, times=self.now, bodies=qp_body(number)) for number in range(1, 40)]
        self.cluster.psql(delivery(rows), where=self.cluster.as_sensor("rack1", self.database))

    def test_it_costs_only_its_own_rows(self):
        site = self.service()
        wait_until(lambda: len(site.records("qps")) == 39, "the queue pairs")
        numbers = [one["qp"] for one in site.records("qps")]
        asking = [subprocess.Popen([CLIENT, "qp", str(number), "--socket", str(site.socket)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                  for number in numbers[:20]]
        try:
            longest = 0.0
            for _ in range(10):
                began = time.monotonic()
                self.assertEqual(len(site.records("qps")), 39)
                longest = max(longest, time.monotonic() - began)
            self.assertLess(longest, 8)  # less than clients wait, on any machine
        finally:
            said = [one.communicate(timeout=60)[0] for one in asking]
        self.assertTrue(all("sensor rack1" in text or "ask again in a moment" in text for text in said), said)
        self.assertTrue(any("sensor rack1" in text for text in said))
        made = site.ask("bundle", "--qp", numbers[0], "-o", self.folder / "bundle.zip")
        self.assertIn("Messages of queue pairs of sensor rack1 are missing: ", made.stderr)


class HangingDatabase(Served):
    def test_questions_end_in_time_and_the_service_can_be_stopped(self):
        site = self.service()
        self.assertEqual(site.records("qps"), [])
        with self.cluster.hanging():
            for _ in range(2):
                self.assertIn("database of the centre does not answer", site.ask("qps", status=2).stderr)
            self.assertIn("Database", site.ask("status").stdout)
        self.assertEqual(site.records("qps"), [])
        with self.cluster.hanging():
            site.process.signal(signal.SIGTERM)
            self.assertEqual(site.process.process.wait(15), 0)


class Lost(Following):
    """A standby that takes over and does not have what was confirmed: it was not synchronous."""

    standby = True

    def test_places_in_the_order_of_arrival_count_no_more(self):
        self.centre("add-sensor", "rack1")
        where = self.cluster.as_sensor("rack1", self.database)
        now = int(self.psql("SELECT extract(epoch FROM now())::bigint")[0][0]) * 1_000_000_000

        def put(first, count, after, text="a text"):
            rows = [record(1, number, stored=now, times=now, bodies=FINDING.replace("a text", text)) for number in range(first, first + count)]
            self.cluster.psql(delivery(rows, after=[(1, rows[0]["runs"], after)] if after else ()), where=where)
        put(1, 10, 0)
        site = self.service()
        printed = self.follow(site)
        wait_until(lambda: len(printed()) == 10, "findings")
        self.psql("ALTER SYSTEM SET synchronous_standby_names = ''", database="postgres")
        self.psql("SELECT pg_reload_conf()", database="postgres")
        standby = f"host={self.cluster.folder} port={self.cluster.ports['standby']} user=postgres dbname={self.database}"
        wait_until(lambda: self.cluster.psql("SELECT count(*) FROM iwarpscope.record", where=standby) == [["10"]], "the standby")
        self.cluster.psql("ALTER SYSTEM SET primary_conninfo = ''", where=standby)
        self.cluster.psql("SELECT pg_reload_conf()", where=standby)
        wait_until(lambda: self.cluster.psql("SELECT count(*) FROM pg_stat_wal_receiver", where=standby) == [["0"]], "no replication")
        put(11, 5, 10)
        wait_until(lambda: len(printed()) == 15, "findings that will be lost")
        before = self.place(site)
        time.sleep(2.5)  # the service remembers a record each second
        self.cluster.stop("primary")
        self.cluster.promote()
        self.cluster.close_sessions()
        wait_until(lambda: "Clients list again" in site.log(), "the loss is seen", 60)
        self.assertEqual(len(printed()), 15)
        wait_until(lambda: any("list again what is there" in log.read_text(encoding="utf-8") for log in self.folder.glob("events*.jsonl")), "its end")
        # The sensor delivers what the cursor there says. A client that comes back with a place of before gets all.
        put(11, 8, 10, "another text")
        wait_until(lambda: len(site.records("events")) == 18, "the records", 60)
        again = site.records("events", "--after", f"{before}:15")
        self.assertEqual(sum("another text" in json.dumps(one) for one in again), 8)
        self.assertEqual(len(again), 18)
        self.assertNotEqual(self.place(site), before)

    def place(self, site):
        """The run that places in the order of arrival name."""
        return site.ask("status").stdout.split("events --after ")[1].split(":")[0]


if __name__ == "__main__":
    unittest.main()
