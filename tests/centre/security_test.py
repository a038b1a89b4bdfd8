#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A sensor's certificate writes as that sensor, and does nothing else: security_test.py CENTRE ..."""

import subprocess
import sys
import unittest

from cluster import RUN, SENSOR, Cluster, Refused, delivery, record
from running import wait_until

CENTRE = sys.argv.pop(1)
del sys.argv[1:4]

PERMISSION_DENIED = "42501"
# Names, addresses, rules and bodies that would be SQL if they were pasted into it.
SQL = ["'; DROP TABLE iwarpscope.record; --", '"; DROP SCHEMA iwarpscope CASCADE; --', "$$; SELECT pg_sleep(10); $$", "\\'; COMMIT; --",
       "%I %s %L", "}{\"'\\,NULL", "x\tDROP"]


class Security(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster().__enter__()
        cls.addClassCleanup(cls.cluster.__exit__)
        cls.cluster.psql("CREATE DATABASE centre", database="postgres")
        cls.run_centre("migrate")
        cls.run_centre("upkeep", "--ahead", "1")
        for name in ("rack1", "rack2"):
            cls.run_centre("add-sensor", name)
        cls.where = cls.cluster.as_sensor("rack1", "centre")
        cls.cluster.psql(delivery([record(1, 1), record(2, 1), record(4, 1)]), where=cls.cluster.as_sensor("rack2", "centre"))

    @classmethod
    def run_centre(cls, *words, status=0, where=None):
        done = subprocess.run([CENTRE, "--database", where or cls.cluster.admin("centre"), *words], capture_output=True, text=True, check=False,
                              timeout=60)
        if done.returncode != status:
            raise AssertionError(f"{words} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def admin(self, sql):
        return self.cluster.psql(sql, "centre")

    def refused(self, sql, why=PERMISSION_DENIED, where=None):
        with self.assertRaises(Refused, msg=sql) as refusal:
            self.cluster.psql(sql, where=where or self.where)
        self.assertEqual(refusal.exception.sqlstate, why, f"{sql}: {refusal.exception}")

    def cannot_connect(self, where):
        with self.assertRaises(Refused) as refusal:
            self.cluster.psql("SELECT 1", where=where)
        return str(refusal.exception)

    def test_a_certificate_logs_in_as_the_sensor_of_its_name_alone(self):
        self.assertEqual(self.cluster.psql("SELECT session_user", where=self.where), [["rack1"]])
        for role in ("rack2", "postgres", "iwarpscope_owner", "iwarpscope_door", "iwarpscope_reader"):
            self.cannot_connect(self.cluster.as_sensor("rack1", "centre", role))
        self.cannot_connect(self.cluster.as_sensor("stranger", "centre"))
        # Without a certificate, without TLS, and with the certificate of another authority.
        self.cannot_connect(self.where.replace("sslcert=", "sslcert=/nowhere"))
        self.cannot_connect(self.where.split(" sslmode")[0] + " sslmode=disable")
        for name in ("postgres", "iwarpscope_owner", "iwarpscope_door"):
            self.cannot_connect(self.cluster.as_sensor(name, "centre"))

    def test_a_sensor_has_no_right_but_to_deliver(self):
        tables = [row[0] for row in self.admin("SELECT oid::regclass FROM pg_class WHERE relnamespace = 'iwarpscope'::regnamespace "
                                               "AND relkind IN ('r', 'p', 'S')")]
        self.assertGreater(len(tables), 12)
        for table in tables:
            self.refused(f"SELECT FROM {table}")
            self.refused(f"DELETE FROM {table}")
        functions = [row[0] for row in self.admin("SELECT proname FROM pg_proc WHERE pronamespace = 'iwarpscope'::regnamespace AND "
                                                  "has_function_privilege('rack1', oid, 'EXECUTE') ORDER BY 1")]
        self.assertEqual(functions, ["cursor_v1", "deliver_v1"])
        for sql in ("SELECT iwarpscope.upkeep_step('2030-01-01')", "SELECT iwarpscope.add_sensor('x', '', '')", "SELECT iwarpscope.remove_sensor('rack2')",
                    "CREATE TEMP TABLE t (i int)", "CREATE TABLE public.t (i int)", "CREATE TABLE iwarpscope.t (i int)", "CREATE SCHEMA s",
                    "SELECT lo_create(0)", "SELECT pg_advisory_lock(1767330659, 2)", "SELECT pg_advisory_lock_shared(1)", "SELECT pg_try_advisory_xact_lock(1767330659, 4)",
                    "SELECT pg_advisory_xact_lock_shared(1767330659, 2)", "SELECT iwarpscope.end_stuck_deliveries()", "SELECT iwarpscope.forget_places(gen_random_uuid())", "SELECT lo_creat(-1)", "SELECT lo_from_bytea(0, 'x')", "SET ROLE iwarpscope_door",
                    "SET ROLE iwarpscope_owner", "SET SESSION AUTHORIZATION rack2", "CREATE ROLE r", "COPY (SELECT 1) TO '/tmp/x'"):
            self.refused(sql)

    def test_a_sensor_cannot_fill_a_disk_or_take_all_connections(self):
        for sql in ("SELECT pg_logical_emit_message(false, 'x', repeat('x', 1000))", "SELECT pg_logical_emit_message(true, 'x', '\\x00'::bytea)",
                    "DO $$ BEGIN LOOP END LOOP; END $$", "SET temp_file_limit = -1", "SET log_min_messages = notice",
                    "ALTER ROLE rack1 SET temp_file_limit = -1", "ALTER ROLE rack1 SET log_min_messages = notice",
                    "ALTER ROLE rack1 CONNECTION LIMIT -1"):
            self.refused(sql)
        self.refused("BEGIN; PREPARE TRANSACTION 'x'", "55000")
        self.cluster.psql("ROLLBACK", where=self.where)
        self.refused("SET work_mem = '64kB'; SELECT count(*) FROM (SELECT g::text || repeat('x', 500) AS t FROM generate_series(1, 1000000) g "
                     "ORDER BY 1 OFFSET 1) s", "53400")  # temporary files have a limit
        # Statements that fail are not in the log of the server, however long they are.
        self.refused("SELECT repeat('from a sensor', 20)::int", "22P02")
        with self.assertRaises(Refused):
            self.admin("SELECT repeat('from a superuser', 20)::int")
        log = (self.cluster.folder / "primary.log").read_text(encoding="utf-8", errors="replace")
        self.assertIn("from a superuser", log)
        self.assertNotIn("from a sensor", log)
        # Others find room when one sensor has all connections that it can get.
        self.run_centre("add-sensor", "many")
        where = self.cluster.as_sensor("many", "centre")
        for number in range(8):
            self.assertEqual(self.cluster.psql("SELECT 1", where=f"{where} application_name=many{number}"), [["1"]])
        self.assertIn("too many connections for role", self.cannot_connect(f"{where} application_name=one_more"))
        self.assertEqual(self.cluster.psql("SELECT 1", where=self.cluster.as_sensor("rack2", "centre")), [["1"]])

    def test_what_a_sensor_begins_ends_whatever_it_sets_for_itself(self):
        where = self.cluster.as_sensor("rack2", "centre") + " application_name=endless"
        with subprocess.Popen([self.cluster.bin / "psql", "-XqAt", where], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, bufsize=1) as endless:
            endless.stdin.write("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET work_mem = '1GB'; SELECT 'in';\n")
            self.assertEqual(endless.stdout.readline(), "in\n")
            endless.stdin.write("SELECT count(*) FROM generate_series(1, 1000000) a WHERE (SELECT count(*) FROM generate_series(1, 1000000) b "
                                "WHERE b > a) > 0;\n")
            endless.stdin.flush()
            mine = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'endless' AND state = 'active'"
            wait_until(lambda: self.admin(mine) == [["1"]], "the endless question")
            # The service calls this all the time.
            wait_until(lambda: self.admin("SELECT * FROM iwarpscope.end_stuck_deliveries()") == [["rack2"]], "its end", 120)
            _, why = endless.communicate(timeout=60)
            self.assertIn("terminating connection", why)

    def test_a_sensor_cannot_run_the_program(self):
        for words in (["migrate"], ["upkeep"], ["add-sensor", "rack3"], ["remove-sensor", "rack2"], ["schema"]):
            self.run_centre(*words, status=1, where=self.where)
        self.assertEqual(self.admin("SELECT count(*) FROM iwarpscope.sensor WHERE role = 'rack3'"), [["0"]])

    def test_a_sensor_delivers_as_itself_and_reads_its_own_cursor(self):
        before = self.admin("SELECT * FROM iwarpscope.cursor WHERE sensor = 2")
        # The same history UUID and run as rack2 has: they stay apart.
        self.assertEqual(self.cluster.psql(f"SELECT * FROM iwarpscope.cursor_v1('{SENSOR}')", where=self.where), [])
        self.cluster.psql(delivery([record(1, 5)]), where=self.where)
        self.assertEqual(self.cluster.psql(f"SELECT * FROM iwarpscope.cursor_v1('{SENSOR}')", where=self.where), [["1", RUN, "5"]])
        self.assertEqual(self.admin("SELECT DISTINCT sensor FROM iwarpscope.record WHERE id = 5"), [["1"]])
        self.assertEqual(self.admin("SELECT * FROM iwarpscope.cursor WHERE sensor = 2"), before)

    def test_a_fault_in_a_function_lets_no_sensor_write_or_read_as_another(self):
        """What a mistake in deliver_v1 could try, with the rights of its owner."""
        row = "1, now(), now(), '2026-11-28', 2, 1, 1::smallint, 0::smallint, 0::smallint, '', '{}'"
        columns = "(id, stored, at, day, sensor, run, kind, severity, form, key, body)"
        faults = {"insert": f"INSERT INTO iwarpscope.record {columns} VALUES ({row})",
                  "state": f"INSERT INTO iwarpscope.state {columns} VALUES ({row})",
                  "partition": f"INSERT INTO iwarpscope.record_other {columns} VALUES ({row.replace(' 2, 1,', ' 1, 1,')})",
                  "cursor": "INSERT INTO iwarpscope.cursor (sensor, uuid, kind, run, id) SELECT 2, uuid, 5, run, 1 FROM iwarpscope.cursor",
                  "dropped": f"INSERT INTO iwarpscope.dropped (sensor, run, kind, count) VALUES (2, '{RUN}', 1, 1)",
                  "run": f"INSERT INTO iwarpscope.run (number, sensor, uuid) VALUES (99, 2, '{RUN[:-1]}9')",
                  "records": "PERFORM FROM iwarpscope.record", "delete": "DELETE FROM iwarpscope.qp",
                  "role": "UPDATE iwarpscope.sensor SET role = 'rack2'", "drop": "DROP TABLE iwarpscope.record"}
        for name, fault in faults.items():
            self.admin(f"CREATE FUNCTION iwarpscope.fault_{name}() RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $f$ BEGIN {fault}; END $f$;"
                       f"ALTER FUNCTION iwarpscope.fault_{name}() OWNER TO iwarpscope_door")
            self.addCleanup(self.admin, f"DROP FUNCTION iwarpscope.fault_{name}()")
            if name == "cursor":  # it sees no cursor but its own: let it have one
                self.cluster.psql(delivery([record(1, 1)], sensor="aaaaaaaa-0000-4000-8000-00000000000f"), where=self.where)
            self.refused(f"SELECT iwarpscope.fault_{name}()")
        counts = "count(*) FILTER (WHERE sensor <> 1)"
        self.admin("CREATE FUNCTION iwarpscope.fault_see() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS $f$ SELECT (SELECT " + counts +
                   " FROM iwarpscope.cursor) + (SELECT " + counts + " FROM iwarpscope.qp) + (SELECT count(*) FROM (SELECT role FROM "
                   "iwarpscope.sensor WHERE role <> 'rack1') s) $f$; ALTER FUNCTION iwarpscope.fault_see() OWNER TO iwarpscope_door")
        self.addCleanup(self.admin, "DROP FUNCTION iwarpscope.fault_see()")
        self.assertEqual(self.cluster.psql("SELECT iwarpscope.fault_see()", where=self.where), [["0"]])
        self.assertEqual(self.admin("SELECT count(*) FROM iwarpscope.cursor WHERE sensor = 2"), [["3"]])

    def test_names_in_the_search_path_of_a_caller_are_not_used(self):
        self.admin("GRANT TEMPORARY ON DATABASE centre TO rack1; GRANT USAGE ON LANGUAGE plpgsql TO rack1")
        self.addCleanup(self.admin, "REVOKE TEMPORARY ON DATABASE centre FROM rack1; REVOKE USAGE ON LANGUAGE plpgsql FROM rack1")
        self.cluster.psql("CREATE TEMP TABLE sensor (number int, role name); CREATE TEMP TABLE inet (i int); CREATE TEMP TABLE jsonb (i int); "
                          "CREATE FUNCTION pg_temp.now() RETURNS timestamptz LANGUAGE plpgsql AS $$ BEGIN RAISE 'mine'; END $$; "
                          "SET search_path = pg_temp, pg_catalog; " + delivery([record(1, 1, runs=SENSOR)], sensor=RUN),
                          where=self.where + " application_name=temporary")

    def test_a_removed_sensor_is_refused_and_its_records_stay(self):
        where = self.cluster.as_sensor("leaving", "centre")
        self.run_centre("add-sensor", "leaving", "--site", "south")
        self.cluster.psql(delivery([record(1, 1)]), where=where)
        with subprocess.Popen([self.cluster.bin / "psql", "-XqAt", where], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, bufsize=1) as open_one:
            open_one.stdin.write("SELECT 'in';\n")
            self.assertEqual(open_one.stdout.readline(), "in\n")
            self.assertIn("leaving can no longer log in", self.run_centre("remove-sensor", "leaving"))
            _, why = open_one.communicate(delivery([record(1, 2)], after=[(1, RUN, 1)]))
            self.assertIn("terminating connection", why)
        self.cannot_connect(where)
        self.assertEqual(self.admin("SELECT rolcanlogin FROM pg_roles WHERE rolname = 'leaving'"), [["f"]])
        rows = "SELECT count(*) FROM iwarpscope.record r JOIN iwarpscope.sensor s ON s.number = r.sensor WHERE s.role = 'leaving'"
        self.assertEqual(self.admin(rows), [["1"]])
        # Allowed again, it goes on as the same sensor.
        self.run_centre("add-sensor", "leaving")
        self.assertEqual(self.cluster.psql(delivery([record(1, 2)], after=[(1, RUN, 1)]), where=where), [["1", "0", "0"]])
        self.assertEqual((self.admin(rows), self.admin("SELECT site FROM iwarpscope.sensor WHERE role = 'leaving'")), ([["2"]], [["south"]]))

    def test_sql_in_names_addresses_rules_and_bodies_is_text(self):
        tables = self.admin("SELECT count(*) FROM pg_class WHERE relnamespace = 'iwarpscope'::regnamespace")
        after = []
        for number, text in enumerate(SQL, 101):
            body = '{"text": "' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") + '"}'
            more = {column: text for column in ("keys", "a", "b", "community_ids", "interfaces", "tap_groups")}
            rows = [record(kind, number, bodies=body, **more) for kind in (1, 2, 4)]
            sensor = "aaaaaaaa-0000-4000-8000-0000000000ff"
            self.assertEqual(self.cluster.psql(delivery(rows, after=after, sensor=sensor), where=self.cluster.as_sensor("rack2", "centre"))[0][2], "3")
            after = [(kind, RUN, number) for kind in (1, 2, 4)]
        stored = self.admin("SELECT DISTINCT key, interface, body->>'text' FROM iwarpscope.record WHERE key = body->>'text'")
        self.assertEqual({tuple(row) for row in stored}, {(text, text, text) for text in SQL})
        self.run_centre("add-sensor", SQL[0])
        self.run_centre("remove-sensor", SQL[0])
        for name in [text.replace("\t", " ") for text in SQL]:
            self.run_centre("add-sensor", name, "--site", name, "--position", name)
            self.assertEqual(len(self.admin("SELECT 1 FROM iwarpscope.sensor WHERE role = '" + name.replace("'", "''") + "' AND site = role AND position = role")), 1)
        self.assertEqual(self.admin("SELECT count(*) FROM pg_class WHERE relnamespace = 'iwarpscope'::regnamespace"), tables)

    def test_names_that_are_no_sensors_are_refused(self):
        self.admin("CREATE ROLE operator LOGIN")
        for name in ("", "x" * 64, "pg_monitor", "pg_x", "iwarpscope_door", "IWARPSCOPE_X", "postgres", "operator", "public", "a\nb"):
            self.assertIn("iwarpscope-centre: ", self.run_centre("add-sensor", name, status=1), name)
        self.assertIn("No sensor has the name operator", self.run_centre("remove-sensor", "operator", status=1))
        self.assertEqual(self.admin("SELECT rolcanlogin FROM pg_roles WHERE rolname = 'operator'"), [["t"]])

    def test_the_reader_reads_and_the_keeper_keeps(self):
        self.admin("CREATE ROLE service LOGIN IN ROLE iwarpscope_reader, iwarpscope_keeper")
        where = f"{self.cluster.admin('centre')} options='-c role=service'"
        self.assertEqual(self.cluster.psql("SELECT count(*) > 0 FROM iwarpscope.record UNION SELECT count(*) > 1 FROM iwarpscope.sensor", where=where), [["t"]])
        for sql in ("DELETE FROM iwarpscope.record", "UPDATE iwarpscope.sensor SET site = ''", "DROP TABLE iwarpscope.record_other",
                    "INSERT INTO iwarpscope.retention DEFAULT VALUES", "SELECT iwarpscope.drop_partition('record', '2026-11-28')"):
            self.refused(sql, where=where)
        self.run_centre("upkeep", where=where)
        self.run_centre("schema", where=where)
        self.run_centre("migrate", where=where, status=1)


if __name__ == "__main__":
    unittest.main()
