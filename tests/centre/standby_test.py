#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What was acknowledged is in the standby when the primary is lost, and the sensor goes on there: standby_test.py CENTRE DELIVER IWARPSCOPE
SOURCE_DIRECTORY"""

import subprocess
import sys
import unittest

from cluster import SENSOR, Cluster, Refused
from running import wait_until

CENTRE, DELIVER, IWARPSCOPE, SOURCE = sys.argv[1:5]
del sys.argv[1:5]


class Standby(unittest.TestCase):
    def test_the_loss_of_the_primary_loses_nothing_that_was_acknowledged(self):
        with Cluster(standby=True) as cluster:
            cluster.psql("CREATE DATABASE centre", database="postgres")
            for words in (["migrate"], ["upkeep", "--ahead", "1"], ["add-sensor", "rack1"]):
                subprocess.run([CENTRE, "--database", cluster.admin("centre"), *words], capture_output=True, check=True)
            wait_until(lambda: cluster.psql("SELECT sync_state FROM pg_stat_replication", "postgres") == [["sync"]], "the standby")
            report = cluster.folder / "report.jsonl"
            with open(report, "wb") as out:
                subprocess.run([IWARPSCOPE, "analyze", "--format", "json", f"{SOURCE}/samples/siw/many-64qp-write-crc.pcap.gz"], stdout=out, check=True)
            where = cluster.as_sensor("rack1", "centre")

            # It dies while batches are on their way. The forwarder reports what was acknowledged until then.
            with subprocess.Popen([DELIVER, where, SENSOR, report, "1000000", "20", "4"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True) as forwarder:
                count = "SELECT count(*) FROM iwarpscope.record"
                wait_until(lambda: int(cluster.psql(count, "centre")[0][0]) >= 500, "500 records")
                cluster.stop("primary")
                _, why = forwarder.communicate(timeout=60)
                self.assertEqual(forwarder.returncode, 2, why)
                acknowledged = int(why.split("acknowledged ")[1].split()[0])
            self.assertGreaterEqual(acknowledged, 1)
            # Both servers are named, and one is gone: the one that takes writes is found.
            with self.assertRaises(Refused):
                cluster.psql("SELECT 1", where=where)
            cluster.promote()
            admin = cluster.admin("centre").replace(f"port={cluster.ports['primary']}", f"port={cluster.ports['standby']}")
            cluster.psql("ALTER SYSTEM SET synchronous_standby_names = ''", where=admin)
            cluster.psql("SELECT pg_reload_conf()", where=admin)
            stored = int(cluster.psql(count, where=admin)[0][0])
            self.assertGreaterEqual(stored, acknowledged)
            done = subprocess.run([DELIVER, where, SENSOR, report, "100", "20", "4"], capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("stored 100 known 0", done.stdout)
            holes = "SELECT sum(last - first + 1) FROM (SELECT min(id) AS first, max(id) AS last FROM iwarpscope.record GROUP BY kind) k"
            self.assertEqual(cluster.psql(f"{count}; {holes}", where=admin), [[str(stored + 100)], [str(stored + 100)]])


if __name__ == "__main__":
    unittest.main()
