#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The schema is made, brought up to date from each earlier version, and left alone where it must be: migrate_test.py CENTRE ..."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

from cluster import Cluster

CENTRE, SOURCE = sys.argv[1], sys.argv[4]
del sys.argv[1:5]

# All that makes a schema: columns, indexes, rights, policies, functions.
FORM = """
SELECT 'column', c.oid::regclass::text, a.attnum::text, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::text, a.attcompression::text, c.relacl::text, a.attacl::text
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE c.relnamespace = 'iwarpscope'::regnamespace AND a.attnum > 0
UNION ALL SELECT 'index', indexdef, '', '', '', '', '', '', '' FROM pg_indexes WHERE schemaname = 'iwarpscope'
UNION ALL SELECT 'policy', tablename, policyname, cmd, roles::text, qual, with_check, '', '' FROM pg_policies WHERE schemaname = 'iwarpscope'
UNION ALL SELECT 'function', oid::regprocedure::text, md5(prosrc), prosecdef::text, proconfig::text, proacl::text, proowner::regrole::text, '', ''
  FROM pg_proc WHERE pronamespace = 'iwarpscope'::regnamespace ORDER BY 1, 2, 3;"""


class Migrations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster().__enter__()
        cls.addClassCleanup(cls.cluster.__exit__)
        cls.made = 0

    def database(self, how=""):
        Migrations.made += 1
        name = f"d{self.made}"
        self.cluster.psql(f"CREATE DATABASE {name} {how}", database="postgres")
        return name

    def centre(self, database, *words):
        return subprocess.run([CENTRE, "--database", self.cluster.admin(database), *words], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False, timeout=60)

    def migrated(self, database, *words):
        done = self.centre(database, "migrate", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def refused(self, database, why, *words):
        done = self.centre(database, *(words or ("migrate",)))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(why, done.stderr)

    def test_from_nothing_from_each_earlier_version_and_again_it_is_the_same(self):
        first = self.database()
        schema = self.centre(first, "schema")
        self.assertEqual((schema.returncode, schema.stdout.split()[:3]), (1, ["database", "no", "schema"]))
        steps = self.migrated(first)
        newest = len(steps) - 1
        self.assertGreaterEqual(newest, 4)
        self.assertEqual(steps[0], "Step 1 (sensors) is done.")
        self.assertEqual(steps[-1], f"The schema has version {newest}.")
        self.assertEqual(self.migrated(first), steps[-1:])
        schema = self.centre(first, "schema")
        self.assertEqual((schema.returncode, schema.stdout.split()), (0, ["database", str(newest), "program", str(newest)]))
        form = self.cluster.psql(FORM, first)
        self.assertGreater(len(form), 100)
        for version in range(1, newest):
            with self.subTest(version=version):
                database = self.database()
                self.assertEqual(self.migrated(database, "--to", str(version)), [*steps[:version], f"The schema has version {version}."])
                self.assertEqual(self.centre(database, "schema").returncode, 1)
                self.assertEqual(self.migrated(database), steps[version:])
                self.assertEqual(self.cluster.psql(FORM, database), form)

    def test_two_at_once_do_each_step_once(self):
        database = self.database()
        both = [subprocess.Popen([CENTRE, "--database", self.cluster.admin(database), "migrate"], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True) for _ in range(2)]
        printed = [one.communicate(timeout=60) for one in both]
        self.assertEqual([one.returncode for one in both], [0, 0], printed)
        said = "".join(out for out, _ in printed)
        for step in range(1, 5):
            self.assertEqual(said.count(f"Step {step} "), 1, said)

    def test_newer_changed_and_foreign_schemas_are_refused_and_stay_as_they_are(self):
        database = self.database()
        self.migrated(database)
        self.cluster.psql("INSERT INTO iwarpscope.migration (number, name, md5, program) VALUES (99, 'later', '', 'iwarpscope 9')", database)
        self.refused(database, "The schema has version 99, which is newer than this program")
        self.cluster.psql("DELETE FROM iwarpscope.migration WHERE number > 4; UPDATE iwarpscope.migration SET md5 = 'x' WHERE number = 2", database)
        self.refused(database, "Step 2 (records) in the database differs")
        foreign = self.database()
        self.cluster.psql("CREATE SCHEMA iwarpscope; CREATE TABLE iwarpscope.sensor (theirs text)", foreign)
        self.refused(foreign, "that is not of this program")
        self.assertEqual(self.cluster.psql("SELECT count(*) FROM iwarpscope.sensor", foreign), [["0"]])

    def test_a_step_that_fails_leaves_nothing(self):
        database = self.database()
        self.migrated(database, "--to", "1")
        self.cluster.psql("CREATE TABLE iwarpscope.cursor (theirs text)", database)
        self.refused(database, "Step 2 (records) failed, and nothing of it is in the database")
        self.assertEqual(self.cluster.psql("SELECT to_regclass('iwarpscope.record') IS NULL, max(number) FROM iwarpscope.migration", database), [["t", "1"]])
        self.cluster.psql("DROP TABLE iwarpscope.cursor", database)
        self.migrated(database)

    def test_the_manual_page_has_each_command_and_option(self):
        page = Path(SOURCE, "docs/man/iwarpscope-centre.8").read_text(encoding="utf-8").replace("\\-", "-")

        def help_of(*words):
            return subprocess.run([CENTRE, *words, "--help"], capture_output=True, text=True, check=True).stdout

        commands = re.findall(r"(?m)^  ([a-z-]+)  ", help_of().split("Subcommands:")[1])
        self.assertEqual(len(commands), 7)
        for command in commands:
            self.assertIn(f'.SY "iwarpscope-centre {command}"', page)
            for option in re.findall(r"(?m)^  (?:-[a-z],)?(--[a-z-]+)", help_of(command)):
                if option != "--help":
                    self.assertIn(option, page)

    def test_what_the_schema_needs_is_said(self):
        self.refused(self.database("ENCODING SQL_ASCII TEMPLATE template0"), "has the encoding SQL_ASCII; UTF8 is needed")
        database = self.database()
        self.cluster.psql("CREATE ROLE weak LOGIN", database)
        done = subprocess.run([CENTRE, "--database", self.cluster.admin(database) + " options='-c role=weak'", "migrate"], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("needs a superuser", done.stderr)
        done = subprocess.run([CENTRE, "--database", "host=127.0.0.1 port=1", "schema"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("port 1", done.stderr)
        self.assertEqual(subprocess.run([CENTRE, "add-sensor"], capture_output=True, check=False).returncode, 2)


if __name__ == "__main__":
    unittest.main()
