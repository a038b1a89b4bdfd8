#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A connection that several taps saw counts once for the site.
counted_test.py CENTRE FORWARD SENSOR IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY"""

import json
import socket
import unittest
from pathlib import Path

from cluster import record
from http2 import ask as call, fields
from serving import SOURCE, Delivered, Served, ask, records

CAPTURE = "siw/many-100-rping-crc.pcap.gz"  # of 100 connections between two hosts 6 failed
HOUR = 3_600 * 10**9
DAY = 24 * HOUR
HOSTS = ("192.0.2.1", "192.0.2.2")


def pairs(site, *words):
    """By hosts: queue pairs that ended, and how many of them failed."""
    found = site.records("site", *words)[1].get("pairs", [])
    for pair in found:
        assert sum(pair.get("failed_by_bucket", [])) == int(pair["failed"]), pair
    return {(pair["a"], pair["b"]): (int(pair["qps"]), int(pair["failed"])) for pair in found}


def host_pairs(site):
    """As pairs(), of the queue pairs that the centre lists (ListHostPairs)."""
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(60)
        s.connect(str(site.socket))
        rows = [dict(fields(value)) for number, value in fields(call(s, "ListHostPairs", b"")) if number == 1]
    return {(row[1].decode(), row[2].decode()): (row[3], row.get(5, 0)) for row in rows}


def outcomes(of):
    """Of `qps` records: by the ends of each connection, whether it failed."""
    return {(one["a"]["address"], one["a"]["port"], one["b"]["address"], one["b"]["port"]): one["verdict"]["outcome"] in ("refused", "failed", "stalled")
            for one in of}


class Captures(Served):
    """Sensors that see connections of one capture."""

    def site_of(self, **seen):
        """A service, and the connections that each sensor has; `seen`: name of a sensor and what it sees of the capture."""
        daemons = {name: self.daemon(name, file) for name, file in self.connections_at(CAPTURE, seen).items()}
        own = {name: outcomes(records("qps", "--socket", daemon.socket)) for name, daemon in daemons.items()}
        site = self.service()
        self.are_counted(sum(map(len, own.values())))
        return site, own

    def is_right(self, site, own):
        everything = {}
        for its in own.values():
            everything.update(its)
        self.assertEqual((len(everything), sum(everything.values())), (100, 6))
        self.assertEqual(list(pairs(site).values()), [(100, 6)])
        for name, its in own.items():
            self.assertTrue(any(its.values()), name)
            self.assertEqual(list(pairs(site, "--sensor", name).values()), [(len(its), sum(its.values()))], name)
        shown = site.ask("site").stdout
        self.assertIn(f": 6 of 100 queue pairs failed, were refused or stalled on 1 day; seen by {', '.join(sorted(own))}\n", shown)
        self.assertEqual([[row[3], row[2]] for row in self.panel("Pairs of hosts that fail")], [["100", "6"]])
        self.assertEqual([sum(int(row[at]) for row in self.panel("Queue pairs that ended, by hour")) for at in (1, 2)], [100, 6])

        self.assertEqual(host_pairs(site), {("10.77.0.1", "10.77.0.2"): (100, 6)})

    def panel(self, title):
        """What a panel of the Grafana dashboard shows."""
        dashboard = json.loads(Path(SOURCE, "daemon/share/grafana-site-dashboard.json").read_text(encoding="utf-8"))
        return self.psql(self.grafana_sql(next(panel for panel in dashboard["panels"] if panel["title"] == title)["targets"][0]["rawSql"]))

    def test_two_sensors_that_see_the_same_count_it_once(self):
        self.is_right(*self.site_of(leaf1=lambda number: True, leaf2=lambda number: True))

    def test_two_sensors_that_see_different_connections_are_added(self):
        self.is_right(*self.site_of(leaf1=lambda number: number % 2 == 0, leaf2=lambda number: number % 2 == 1))

    def test_what_only_one_of_them_saw_is_added_to_what_both_saw(self):
        self.is_right(*self.site_of(leaf1=lambda number: number < 67, leaf2=lambda number: number >= 33))


class Views(Delivered):
    """Views of one connection, which arrive one after the other."""

    names = ("leaf1", "leaf2", "leaf3", "mallory")

    def setUp(self):
        super().setUp()
        lines = ask("analyze", "--format", "json", f"{SOURCE}/samples/{CAPTURE}").stdout.splitlines()
        self.body = next(one for one in map(json.loads, lines) if one["record"] == "qp" and one["verdict"]["outcome"] == "failed")
        self.site = self.service()
        self.delivered = 0

    def see(self, name, outcome="failed", kind=2, number=1, back=0, **more):
        """One more view, stored so long before the begin of the test; then all is summed and joined."""
        body = {**self.body, "verdict": {**self.body["verdict"], "outcome": outcome}}
        one = record(kind, number, keys=outcome if kind == 2 else "rts", a=HOSTS[1], b=HOSTS[0], community_ids=body["community_id"],
                     bodies=json.dumps(body))
        self.put(name, {**one, "stored": self.now - back, "times": self.now - back, "qps": number, **more})
        self.delivered += kind == 2
        if self.delivered:
            self.are_counted(self.delivered)

    def is_joined(self, views):
        self.assertEqual(self.psql("SELECT count(DISTINCT connection), count(*) FROM iwarpscope.connection_view"), [["1", str(views)]])

    def counts(self, qps, failed, *words):
        self.assertEqual(pairs(self.site, *words).get(HOSTS, (0, 0)), (qps, failed))

    def lists(self, qps, failed):
        self.assertEqual(host_pairs(self.site).get(HOSTS), (qps, failed))

    def test_a_view_that_arrives_later_adds_nothing(self):
        for views, name in enumerate(("leaf1", "leaf2", "leaf3"), 1):
            self.see(name, back=(3 - views) * HOUR)
            self.counts(1, 1)
            if views > 1:
                self.is_joined(views)
        for name in ("leaf1", "leaf2", "leaf3"):
            self.counts(1, 1, "--sensor", name)
        self.counts(0, 0, "--sensor", "iwarpscope_centre")

    def test_it_failed_once_if_any_of_its_views_says_so(self):
        for name, outcome in (("leaf1", "completed"), ("leaf2", "stalled"), ("leaf3", "completed")):
            self.see(name, outcome)
        self.is_joined(3)
        self.counts(1, 1)
        self.lists(1, 1)
        self.counts(1, 1, "--sensor", "leaf2")
        self.counts(0, 0, "--sensor", "leaf1")  # only pairs that failed are listed

    def test_each_of_several_connections_counts(self):
        """The other ones have other ends, and are not joined with these."""
        other = "1:AAAAAAAAAAAAAAAAAAAAAAAAAAA="
        self.see("leaf1")
        self.see("leaf2")
        self.see("leaf1", number=2, community_ids=other, bodies=json.dumps({**self.body, "community_id": other}))
        self.see("leaf3", "completed", number=2, community_ids="1:BBBBBBBBBBBBBBBBBBBBBBBBBBB=")
        self.is_joined(2)
        self.counts(3, 2)
        self.lists(3, 2)

    def test_two_taps_of_one_sensor_count_once_for_it(self):
        self.see("leaf1", tap_groups="eth0")
        self.see("leaf1", number=2, tap_groups="eth1")
        self.is_joined(2)
        self.counts(1, 1)
        self.counts(1, 1, "--sensor", "leaf1")
        self.see("leaf2", "completed")
        self.is_joined(3)
        self.counts(1, 1)
        self.counts(1, 1, "--sensor", "leaf1")

    def test_a_view_that_is_open_counts_when_it_has_ended(self):
        self.see("leaf1", kind=4)
        self.see("leaf2")
        self.is_joined(2)
        self.counts(1, 1)
        self.counts(0, 0, "--sensor", "leaf1")
        self.see("leaf1")
        self.is_joined(2)
        self.counts(1, 1)
        self.counts(1, 1, "--sensor", "leaf1")

    def test_the_numbers_outlive_the_records(self):
        for name in self.names[:3]:
            self.see(name)
        self.is_joined(3)
        self.centre("upkeep", "--today", self.psql("SELECT (now() AT TIME ZONE 'UTC')::date + 95")[0][0])
        self.assertEqual(self.psql("SELECT (SELECT count(*) FROM iwarpscope.connection), (SELECT count(*) FROM iwarpscope.record)"), [["0", "0"]])
        self.counts(1, 1)
        self.centre("upkeep", "--today", self.psql("SELECT (now() AT TIME ZONE 'UTC')::date + 405")[0][0])
        self.assertEqual(self.psql("SELECT (SELECT count(*) FROM iwarpscope.pair_hour), (SELECT count(*) FROM iwarpscope.pair_again)"), [["0", "0"]])

    def test_a_clock_that_is_slow_hides_no_failure(self):
        for name in ("leaf1", "leaf2"):
            self.see(name, back=100 * DAY)
        self.counts(0, 0)
        self.counts(1, 1, "--days", "200")
        self.centre("upkeep")  # the sensors stored them so long ago that others of this age are gone
        self.see("leaf3")
        self.is_joined(3)
        self.counts(1, 1)
        self.counts(1, 1, "--days", "200")

    def test_an_error_that_two_taps_saw_is_not_the_most_frequent_for_that(self):
        def errors(rule, numbers, back=0):
            return [record(1, number, keys=rule, severities=3, a=HOSTS[0], b=HOSTS[1], stored=self.now - back, times=self.now - back,
                           bodies=json.dumps({"record": "finding", "id": rule})) for number in numbers]
        for name in ("leaf1", "leaf2"):
            self.put(name, *errors("mpa.crc-mismatch", (1, 2, 3)))
        self.put("leaf1", *errors("ddp.queue-unknown", (4,)), *errors("ddp.queue-unknown", (5,), 2 * HOUR))
        for name in self.names[:3]:
            self.see(name)
        self.is_joined(3)

        def error(*words):
            pair, = self.site.records("site", *words)[1]["pairs"]
            return pair.get("rule", "")
        self.assertEqual(error(), "ddp.queue-unknown")
        self.assertEqual([error("--sensor", name) for name in self.names[:3]], ["ddp.queue-unknown", "mpa.crc-mismatch", ""])

    def test_a_sensor_takes_nothing_off_the_numbers_of_others(self):
        self.see("leaf1")
        self.see("mallory", a="192.0.2.77", b="192.0.2.78")
        self.is_joined(2)
        self.assertEqual(pairs(self.site), {HOSTS: (1, 1), ("192.0.2.77", "192.0.2.78"): (1, 1)})
        self.assertEqual(host_pairs(self.site), pairs(self.site))


if __name__ == "__main__":
    unittest.main()
