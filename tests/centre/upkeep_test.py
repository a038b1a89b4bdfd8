#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Partitions are made and dropped, over a year of days that the test names: upkeep_test.py CENTRE ..."""

import json
import subprocess
import sys
import unittest

from cluster import RUN, TODAY, Cluster, Refused, delivery, record
from running import wait_until

CENTRE = sys.argv.pop(1)
del sys.argv[1:4]

DAY = 86_400_000_000_000
PARTITIONS = "SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'iwarpscope.{}'::regclass AND inhrelid::regclass::text !~ 'other' ORDER BY 1"


class Upkeep(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster().__enter__()
        cls.addClassCleanup(cls.cluster.__exit__)

    def setUp(self):
        self.database = f"d{len(self.cluster.sessions)}"
        self.cluster.psql(f"CREATE DATABASE {self.database}", database="postgres")
        self.centre("migrate")
        self.centre("add-sensor", "rack1")

    def centre(self, *words, status=0):
        done = subprocess.run([CENTRE, "--database", self.cluster.admin(self.database), *words], capture_output=True, text=True, check=False,
                              timeout=60)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return (done.stdout + done.stderr).splitlines()

    def psql(self, sql):
        return self.cluster.psql(sql, self.database)

    def deliver(self, records, after=()):
        return self.cluster.psql(delivery(records, after=after), where=self.cluster.as_sensor("rack1", self.database))

    def arrived(self, day):
        """The day on which this test is run does not matter."""
        self.psql("".join(f"UPDATE iwarpscope.{table} SET arrived = '{day}';" for table in ("record", "state", "qp")))

    def partitions(self, table):
        return [row[0].rsplit("_", 1)[1] for row in self.psql(PARTITIONS.format(table))]

    def test_partitions_are_made_ahead_and_a_second_time_nothing_is_done(self):
        said = self.centre("upkeep", "--today", "2026-11-28", "--ahead", "2")
        self.assertEqual(self.partitions("record"), ["20261127", "20261128", "20261129", "20261130"])
        self.assertEqual(self.partitions("state"), self.partitions("record"))
        self.assertIn("Made the partition record_20261130.", said)
        self.assertEqual(self.centre("upkeep", "--today", "2026-11-28"), [])
        self.assertEqual(self.centre("upkeep", "--today", "2026-11-29"), ["Made the partition record_20261201.", "Made the partition state_20261201."])
        # Two at once, after a pause of days.
        both = [subprocess.Popen([CENTRE, "--database", self.cluster.admin(self.database), "upkeep", "--today", "2026-12-02"],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(2)]
        said = "".join(one.communicate(timeout=60)[0] for one in both)
        self.assertEqual([one.returncode for one in both], [0, 0], said)
        self.assertEqual(said.count("Made the partition record_20261203."), 1)
        self.assertEqual(self.partitions("record")[-1], "20261204")
        # Each has the indexes and the storage of its parent.
        self.assertEqual(self.psql("SELECT count(*), bool_and(indisvalid) FROM pg_index WHERE indrelid = 'iwarpscope.record_20261204'::regclass"), [["10", "t"]])
        self.assertEqual(self.psql("SELECT attcompression FROM pg_attribute WHERE attrelid = 'iwarpscope.record_20261204'::regclass "
                                   "AND attname = 'body'"), [["l"]])
        self.centre("upkeep", "--keep", "0", status=2)
        self.centre("upkeep", "--ahead", "61", status=1)
        self.centre("upkeep", "--today", "never", status=1)

    def test_rows_that_came_before_their_partition_move_to_it(self):
        records = [record(kind, number, stored=TODAY + number * DAY) for number in (-20, -3, 0, 1, 2) for kind in (1, 4)]
        for one in records:
            one["ids"] += 100
        self.deliver(records)
        self.arrived("2026-11-28")
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.record_other"), [["5"]])
        said = self.centre("upkeep", "--today", "2026-11-28", "--keep", "10", "--ahead", "2")
        self.assertIn("Made the partition record_20261125 and moved 1 rows to it.", said)
        # 20 days ago is past the retention, but it arrived now.
        self.assertEqual(self.psql("SELECT day FROM iwarpscope.record_other"), [["2026-11-08"]])
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.record"), [["5"]])
        self.assertIn("20261125", self.partitions("record"))
        self.assertNotIn("20261125", self.partitions("state"))
        # What was moved is still refused a second time.
        self.psql("DELETE FROM iwarpscope.cursor")
        self.assertEqual(self.deliver(records), [["0", "10", "0"]])

    def test_wrong_clocks_keep_their_records_as_long_as_others(self):
        self.deliver([record(1, 1, stored=0, times=0, qps=None), record(1, 2, stored=TODAY + 5000 * DAY, qps=None), record(4, 1, stored=0), record(2, 2, stored=0, qps=9)])
        today = self.psql("SELECT (now() AT TIME ZONE 'UTC')::date")[0][0]

        def after(days):
            return self.centre("upkeep", "--today", self.psql(f"SELECT date '{today}' + {days}")[0][0], "--ahead", "1", "--keep", "30")

        after(0)
        after(29)
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.record"), [["3"]])
        # The state went after two days; the queue pair that is open keeps its body, the one that ended is no longer in qp.
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.state"), [["0"]])
        self.assertEqual(self.psql("SELECT qp, body->>'qp' FROM iwarpscope.qp"), [["1", "1"]])
        said = after(31)
        self.assertIn("Deleted 3 rows of record with wrong clocks.", said)
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.qp"), [["0"]])

    def day(self, days=0):
        return self.psql(f"SELECT (now() AT TIME ZONE 'UTC')::date + {days}")[0][0]

    def test_days_that_cannot_be_are_refused_and_a_keeper_takes_only_today(self):
        self.centre("upkeep", "--ahead", "1")
        before = self.partitions("record"), self.partitions("state")
        for today in ("infinity", "-infinity", "5874897-12-31", "9999-12-31", "1969-12-31", "4713-01-01 BC"):
            for step in ("upkeep_step", "summary_upkeep_step", "forget_summaries", "forget_connections"):
                with self.assertRaises(Refused) as refusal:
                    self.psql(f"SELECT iwarpscope.{step}('{today}')")
                self.assertEqual(refusal.exception.sqlstate, "IWS05", f"{step} {today}")
        # As the service logs in, with its own certificate.
        self.psql(f"CREATE ROLE \"keeper-{self.database}\" LOGIN IN ROLE iwarpscope_reader, iwarpscope_keeper")
        where = self.cluster.as_sensor(f"keeper-{self.database}", self.database)
        for step in ("upkeep_step", "summary_upkeep_step", "forget_summaries", "forget_connections"):
            with self.assertRaises(Refused) as refusal:
                self.cluster.psql(f"SELECT iwarpscope.{step}('{self.day(300)}')", where=where)
            self.assertIn("Only a superuser may name another day", str(refusal.exception))
        done = subprocess.run([CENTRE, "--database", where, "upkeep"], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertEqual((self.partitions("record"), self.partitions("state")), before)

    def test_clocks_of_sensors_at_the_ends_of_time_make_no_partitions(self):
        ends = [-2**63, -1, 0, 2**63 - 1]
        self.deliver([record(kind, number, stored=end, times=end) for number, end in enumerate(ends, 1) for kind in (1, 4)])
        self.centre("upkeep", "--ahead", "1")
        self.assertEqual(self.partitions("record"), [self.day(days).replace("-", "") for days in (-1, 0, 1)])
        self.assertEqual(self.partitions("state"), self.partitions("record"))
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.record"), [["4"]])

    def test_a_clock_that_jumps_ahead_deletes_nothing_before_it_stayed_there_for_a_day(self):
        then = int(self.psql("SELECT extract(epoch FROM now())::bigint")[0][0]) * 1_000_000_000 - 100 * DAY
        self.centre("upkeep", "--today", self.day(-100), "--ahead", "1")
        self.deliver([record(1, 1, stored=then, times=then), record(5, 1, stored=then, bodies='{"record":"heartbeat"}')])
        self.psql("INSERT INTO iwarpscope.pair_hour SELECT date_trunc('hour', now() - interval '100 days'), 1, '192.0.2.1', '192.0.2.2', 1, 0, 1")
        self.psql("INSERT INTO iwarpscope.connection (last, made, basis, has_place, sentences, body) "
                  "SELECT now() - interval '100 days', now() - interval '100 days', '', false, '{}', '{}'")
        kept = "SELECT " + ", ".join(f"(SELECT count(*) FROM iwarpscope.{table})" for table in ("record", "pair_hour", "connection"))
        self.psql("UPDATE iwarpscope.upkeep_clock SET reached = now() - interval '100 days', latest = now() - interval '100 days'")
        said = self.centre("upkeep", "--keep", "30", "--keep-summaries", "30")
        self.assertRegex(said[-1], r"^The clock of the database went ahead from \d{4}-.*: nothing is deleted by it for a day\.$")
        self.assertEqual(self.psql(kept), [["2", "1", "1"]])
        self.assertNotIn(self.day().replace("-", ""), self.partitions("record"))
        # Another jump begins the day again, and so does a pause of the upkeep.
        for latest in ("'50 days'", "'-50 days'"):
            self.psql(f"UPDATE iwarpscope.upkeep_clock SET latest = now() - interval {latest}, ahead_since = now() - interval {latest}")
            self.assertIn("went ahead", self.centre("upkeep")[-1])
        self.assertEqual(self.psql(kept), [["2", "1", "1"]])
        # It stayed there for a day. The sensor that delivers has another time.
        stayed = "UPDATE iwarpscope.upkeep_clock SET latest = now() - interval '1 hour', ahead_since = now() - interval '25 hours'"
        self.psql(stayed)
        self.assertIn("went ahead", self.centre("upkeep")[-1])
        self.assertEqual(self.psql(kept), [["2", "1", "1"]])
        self.psql("UPDATE iwarpscope.sensor SET heartbeat_at = now()")
        self.psql(stayed)
        said = self.centre("upkeep")
        self.assertNotIn("went ahead", "".join(said))
        self.assertEqual(self.psql(kept), [["0", "0", "0"]])
        self.assertIn(self.day().replace("-", ""), self.partitions("record"))

    def test_after_a_pause_the_clock_is_believed_at_once_if_sensors_have_its_time(self):
        self.centre("upkeep", "--ahead", "1")
        paused = "UPDATE iwarpscope.upkeep_clock SET reached = now() - interval '100 days', latest = now() - interval '100 days', ahead_since = NULL"
        self.psql(paused)
        self.assertIn("went ahead", self.centre("upkeep")[-1])  # no sensor delivers
        self.psql(paused)
        now = int(self.psql("SELECT extract(epoch FROM now())::bigint")[0][0]) * 1_000_000_000
        self.deliver([record(5, 1, stored=now, times=now, bodies='{"record":"heartbeat"}')])
        self.assertNotIn("went ahead", "".join(self.centre("upkeep")))

    def test_a_clock_that_comes_back_is_believed_again(self):
        self.centre("upkeep", "--ahead", "1")
        self.psql("UPDATE iwarpscope.upkeep_clock SET latest = now() + interval '300 days', ahead_since = now() + interval '300 days'")
        self.assertEqual(self.centre("upkeep"), [])
        self.assertEqual(self.psql("SELECT ahead_since IS NULL, reached = latest, latest <= now() FROM iwarpscope.upkeep_clock"), [["t", "t", "t"]])

    def test_an_open_queue_pair_keeps_its_last_state_when_its_day_goes(self):
        self.centre("upkeep", "--today", "2026-11-28", "--ahead", "1")
        self.deliver([record(4, 1, qps=5), record(4, 2, qps=5), record(4, 3, qps=6), record(2, 1, qps=7)])
        self.arrived("2026-11-28")
        self.centre("upkeep", "--today", "2026-12-03", "--keep-states", "2")
        self.assertEqual(self.psql("SELECT count(*) FROM iwarpscope.state"), [["0"]])
        self.assertEqual(self.psql("SELECT qp, kind, body->>'qp' FROM iwarpscope.qp ORDER BY qp"), [["5", "4", "2"], ["6", "4", "3"]])
        # The next state takes over.
        self.deliver([record(4, 4, qps=5)], after=[(2, RUN, 1), (4, RUN, 3)])
        self.assertEqual(self.psql("SELECT id, body IS NULL FROM iwarpscope.qp WHERE qp = 5"), [["4", "t"]])

    def test_a_day_that_is_in_use_is_dropped_when_it_is_free(self):
        self.centre("upkeep", "--today", "2026-11-28", "--keep", "2", "--ahead", "1")
        with subprocess.Popen([self.cluster.bin / "psql", "-XqAt", self.cluster.admin(self.database)], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True, bufsize=1) as reader:
            reader.stdin.write("BEGIN; SELECT count(*) FROM iwarpscope.record;\n")
            self.assertEqual(reader.stdout.readline(), "0\n")
            with subprocess.Popen([CENTRE, "--database", self.cluster.admin(self.database), "upkeep", "--today", "2026-12-03"],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as keeper:
                waiting = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'iwarpscope-centre' AND wait_event_type = 'Lock'"
                try:
                    wait_until(lambda: self.psql(waiting) != [["0"]], "the upkeep's lock")
                    # It gives way to deliveries after three seconds, and tries again.
                    wait_until(lambda: self.psql(waiting) == [["0"]], "the end of its patience")
                    self.assertIsNone(keeper.poll())
                finally:
                    reader.stdin.write("COMMIT;\n\\q\n")
                said = keeper.communicate(timeout=60)[0]
                self.assertEqual(keeper.returncode, 0, said)
        self.assertIn("Dropped the partition record_20261127.", said)

    def test_a_year_of_days_stays_within_its_bounds(self):
        """Records of 370 days: the tables have as many at the end as after a month, and the last day costs as much to read."""
        self.centre("upkeep", "--today", "2026-01-01", "--keep", "4", "--ahead", "1")

        def until(first, last):
            # A day: 40 records, the upkeep that the timer does.
            self.psql(f"""
DO $$
DECLARE
  today date;
BEGIN
  FOR number IN {first}..{last} LOOP
    today := date '2026-01-01' + number;
    WHILE iwarpscope.upkeep_step(today) IS NOT NULL LOOP COMMIT; END LOOP;
    INSERT INTO iwarpscope.record (id, stored, at, arrived, day, sensor, run, kind, severity, form, key, a, b, body)
      SELECT number * 40 + i, today, today + i * interval '1 minute', today, today, 1, 1, 1 + i % 2, 0, 0, 'k', '192.0.2.1', '192.0.2.2', '{{}}'
      FROM generate_series(1, 40) i;
    COMMIT;
  END LOOP;
END $$""")
            self.psql("ANALYZE iwarpscope.record")
            day = self.psql(f"SELECT date '2026-01-01' + {last}")[0][0]
            plan = self.psql(f"EXPLAIN (ANALYZE, FORMAT JSON) SELECT key, at FROM iwarpscope.record WHERE day >= '{day}' AND kind = 1 ORDER BY at DESC")
            size = self.psql("SELECT count(*), sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'iwarpscope.record'::regclass")
            rows = self.psql("SELECT count(*) FROM iwarpscope.record")
            return examined(json.loads("\n".join(row[0] for row in plan))[0]["Plan"]), size, rows

        month = until(1, 30)
        year = until(31, 370)
        self.assertEqual(month, year)
        self.assertEqual(year[0], 40)
        self.assertEqual(year[2], [[str(5 * 40)]])
        # And of states: their days go, too.
        self.assertEqual(len(self.partitions("state")), 2 + 1 + 1)


def examined(plan):
    """Rows that the scans of a plan read."""
    own = 0
    if "Scan" in plan["Node Type"] and plan["Node Type"] != "Bitmap Index Scan":
        own = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0) + plan.get("Rows Removed by Index Recheck", 0)
    return own + sum(examined(child) for child in plan.get("Plans", []))


if __name__ == "__main__":
    unittest.main()
