#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Summaries become hours, and an hour that differs becomes one finding: compare_test.py CENTRE ..."""

import json
import subprocess
import sys
import time
import unittest

from cluster import Cluster, delivery, record

CENTRE = sys.argv.pop(1)
del sys.argv[1:4]

HOUR = 3600
WEEK = 168 * HOUR
WEEKS = 8
END = int(time.time()) // HOUR * HOUR - 24 * HOUR
BEGIN = END - WEEKS * WEEK
SECOND = 1_000_000_000


def summary(number, at, messages, failures=0, seconds=HOUR, pair=True, lost=0, run_bucket=10, tap_group=""):
    """A record of an hour that begins `at`: of a pair, or of the whole interval."""
    counts = [0] * 26
    counts[run_bucket] = messages
    row = {"ulp": "nvme", "opcode": "rdma_read_request", "size_class": 4, "requester": "a", "messages": messages, "payload_octets": 0,
           "failures": failures, "latency": {"counts": counts, "total": messages, "sum_seconds": messages * 2.0 ** (run_bucket + 9) * 1.4e-9}}
    body = {"record": "summary", "seconds": seconds, "complete": seconds == HOUR, "rows": [row] if pair else []}
    if not pair:
        body |= {"pairs": 1, "lost": {"nic": lost, "kernel": 0, "queue": 0, "gap_octets": 0, "gap_messages": 0}}
    return record(6, number, times=at * SECOND, stored=at * SECOND, a="10.0.0.1" if pair else "", b="10.0.0.2" if pair else "", qps=None,
                  tap_groups=tap_group, bodies=json.dumps(body))


class Compare(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster().__enter__()
        cls.addClassCleanup(cls.cluster.__exit__)

    def setUp(self):
        self.database = f"d{len(self.cluster.sessions)}"
        self.cluster.psql(f"CREATE DATABASE {self.database}", database="postgres")
        self.centre("migrate")
        self.centre("add-sensor", "rack1")
        self.number, self.place = 0, ()

    def centre(self, *words, status=0):
        done = subprocess.run([CENTRE, "--database", self.cluster.admin(self.database), *words], capture_output=True, text=True, check=False,
                              timeout=300)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return (done.stdout + done.stderr).splitlines()

    def psql(self, sql):
        return self.cluster.psql(sql, self.database)

    def deliver(self, records):
        self.cluster.psql(delivery(records, after=self.place), where=self.cluster.as_sensor("rack1", self.database))
        self.place = ((6, records[-1]["runs"], records[-1]["ids"]),)

    def next(self):
        self.number += 1
        return self.number

    def hour(self, at, messages, **more):
        lost = more.pop("lost", 0)
        its = [summary(self.next(), at, messages, **more)] if messages else []
        return its + [summary(self.next(), at, 0, pair=False, lost=lost, seconds=more.get("seconds", HOUR))]

    def weeks(self):
        """Weeks without a change."""
        for day in range(BEGIN, END, 24 * HOUR):
            self.deliver([one for at in range(day, day + 24 * HOUR, HOUR) for one in self.hour(at, 1000 + (at // HOUR * 7919) % 50)])

    def findings(self):
        return self.psql("SELECT key, host(a), host(b), severity, body ->> 'text' FROM iwarpscope.record WHERE kind = 1 ORDER BY id")

    def test_a_change_is_found_once_and_what_a_sensor_missed_is_not_judged(self):
        self.weeks()
        self.assertEqual(self.centre("compare", "--now", str(END + HOUR)), [])
        self.assertEqual(self.psql("SELECT count(*), sum(messages) > 1000000 FROM iwarpscope.summary"), [[str(WEEKS * 168), "t"]])
        # An hour of which the sensor missed a part, one with losses, and four of nothing.
        records = self.hour(END, 10, seconds=1800) + self.hour(END + HOUR, 10, lost=5)
        for hour in range(2, 6):
            records += self.hour(END + hour * HOUR, 0)
        self.deliver(records)
        # An hour is due a quarter of an hour after its end.
        self.assertEqual(self.centre("compare", "--now", str(END + 5 * HOUR + 899)), [])
        said = self.centre("compare", "--now", str(END + 5 * HOUR + 900))
        self.assertEqual(len(said), 1, said)
        self.assertIn("the number of RDMA Reads of 4 to 16 KiB between 10.0.0.1 and 10.0.0.2 (nvme) was 0; in the 8 weeks before", said[0])
        self.assertEqual(self.findings(), [["site.rate-changed", "10.0.0.1", "10.0.0.2", "1", said[0]]])
        # Not each hour again, and nothing twice.
        self.assertEqual(self.centre("compare", "--now", str(END + 6 * HOUR + 900)), [])
        self.assertEqual(self.centre("compare", "--now", str(END + 6 * HOUR + 900)), [])
        self.assertEqual(self.psql("SELECT (extract(epoch FROM hour))::bigint FROM iwarpscope.summary_judged"), [[str(END + 5 * HOUR)]])

    def test_slower_responses_and_more_failures_are_found(self):
        self.weeks()
        self.deliver([one for hour in range(3) for one in self.hour(END + hour * HOUR, 1000, run_bucket=12)])
        self.centre("compare", "--now", str(END + 3 * HOUR + 900))
        self.assertEqual([row[0] for row in self.findings()], ["site.latency-rose"])
        self.deliver([one for hour in range(3, 6) for one in self.hour(END + hour * HOUR, 1000, failures=20)])
        self.centre("compare", "--now", str(END + 6 * HOUR + 900))
        self.assertEqual([row[0] for row in self.findings()][:2], ["site.latency-rose", "site.failures-rose"])

    def test_of_two_taps_the_one_that_saw_more_counts(self):
        at = END
        self.deliver([summary(self.next(), at, 900, tap_group="left"), summary(self.next(), at, 1000, tap_group="right"),
                      summary(self.next(), at, 0, pair=False)])
        self.centre("compare", "--now", str(END))
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.summary"), [["2"]])
        self.assertEqual(self.psql(f"SELECT messages, known FROM iwarpscope.summaries_at(ARRAY[to_timestamp({at})])"), [["1000", "t"]])

    def test_records_of_any_form_are_passed_over(self):
        bodies = ["[]", '"x"', "{}", '{"rows":7}', '{"rows":[{"messages":"many","latency":{"counts":[{},-1,1e99],"sum_seconds":"nan"}},null]}',
                  '{"rows":[{"messages":999999999999999999999}]}']
        records = [record(6, self.next(), times=(END + HOUR) * SECOND, bodies=body) for body in bodies]
        records += [record(6, self.next(), times=9_000_000_000 * SECOND, bodies='{"rows":[{"messages":5}]}')]
        self.deliver(records)
        self.centre("compare")
        self.assertEqual(self.psql("SELECT max(messages), count(*) FROM iwarpscope.summary"), [["0", "1"]])
        self.assertEqual(self.psql("SELECT id FROM iwarpscope.summary_place"), [[str(len(records))]])

    def test_months_are_dropped_after_their_retention(self):
        self.deliver(self.hour(END - 70 * 86_400, 5) + self.hour(END, 5))
        self.centre("compare", "--now", str(END))
        self.centre("upkeep")
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.summary"), [["2"]])
        said = self.centre("upkeep", "--keep-summaries", "35")
        self.assertTrue(any(line.startswith("Dropped the partition summary_") for line in said), said)
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.summary"), [["1"]])
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.summary_hour"), [["1"]])

    def test_a_keeper_compares_and_a_sensor_cannot(self):
        self.psql("CREATE ROLE keeps LOGIN IN ROLE iwarpscope_keeper")
        self.addCleanup(lambda: self.psql("DROP ROLE keeps"))
        self.deliver(self.hour(END, 5))
        keeper = self.cluster.admin(self.database) + " options='-c role=iwarpscope_keeper'"
        done = subprocess.run([CENTRE, "--database", keeper, "compare"], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        with self.assertRaises(Exception) as refused:
            self.cluster.psql("SELECT * FROM iwarpscope.summary", where=self.cluster.as_sensor("rack1", self.database))
        self.assertIn("42501", str(refused.exception))


if __name__ == "__main__":
    unittest.main(verbosity=2)
