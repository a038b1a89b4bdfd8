#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The numbers of a site: a centre and its sensors.
metrics_test.py CENTRE FORWARD SENSOR IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY"""

import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon/metrics"))
from cluster import delivery, record  # noqa: E402
from kit import Sensor  # noqa: E402
from prometheus import check, get, names, offered  # noqa: E402
from running import free_port, wait_until  # noqa: E402
from serving import Served  # noqa: E402


class Scraped(Served):
    def scraped(self):
        """A service with metrics; gives their address."""
        port = free_port()
        self.service("--metrics", f"127.0.0.1:{port}")
        return f"http://127.0.0.1:{port}"

    def discards(self, name, count):
        """A sensor that delivered a finding, and discarded others before."""
        self.centre("add-sensor", name, "--site", "north", "--position", "port of " + name)
        self.cluster.psql(delivery([record(1, 1, keys="mpa.crc-mismatch", severities=3, stored=time.time_ns())], expired=[(1, count)]),
                          where=self.cluster.as_sensor(name, self.database))

    @staticmethod
    def value(metrics, name, **labels):
        """Of one series; None: it is missing."""
        for its, value in re.findall(rf"^iwarp_centre_{name}(?:{{(.*)}})? (\S+)$", metrics, re.MULTILINE):
            if labels.items() <= dict(re.findall(r'(\w+)="([^"]*)"', its)).items():
                return float(value)
        return None


class Numbers(Scraped):
    def test_a_scrape_shows_each_sensor_and_does_not_wait_for_the_database(self):
        self.discards("rack9", 5)
        self.centre("add-sensor", "gone")
        self.centre("remove-sensor", "gone")
        self.daemon("rack1", "siw/viol-qn-1.pcap")
        url = self.scraped()
        value = self.value

        def is_as_the_heartbeat_says():
            said = self.psql("SELECT o ->> 'queued', o ->> 'lag_seconds', o ->> 'fill' FROM iwarpscope.sensor s, jsonb_array_elements(s.heartbeat -> "
                             "'outputs') o WHERE s.role = 'rack1' AND o ->> 'name' = 'forward' AND o ->> 'fill' IS NOT NULL")
            metrics = get(url + "/metrics")
            return said and [float(one) for one in said[0]] == [
                value(metrics, name, sensor="rack1") for name in ("sensor_outbox_records", "sensor_lag_seconds", "sensor_outbox_fill_ratio")]
        wait_until(is_as_the_heartbeat_says, "the numbers of the heartbeat")
        metrics = get(url + "/metrics")
        self.assertEqual(check(metrics), (0, ""))
        self.assertLessEqual(offered(metrics), names())
        self.assertEqual(set(re.findall(r'sensor="(\w+)"', metrics)), {"rack1", "rack9"})
        self.assertEqual(value(metrics, "sensor_records_dropped_total", sensor="rack9", kind="findings"), 5)
        self.assertEqual(value(metrics, "sensor_records_dropped_total", sensor="rack9", kind="qps"), 0)
        self.assertEqual(value(metrics, "sensor_info", sensor="rack9", site="north", position="port of rack9"), 1)
        self.assertRegex(metrics, r'sensor_info{sensor="rack1",.*version="\d[^"]*",configuration="[0-9a-f]{12}"} 1')
        self.assertEqual(value(metrics, "sensor_silent", sensor="rack1"), 0)
        self.assertIsNone(value(metrics, "sensor_heartbeat_timestamp_seconds", sensor="rack9"))
        delivered = value(metrics, "sensor_delivered_timestamp_seconds", sensor="rack1")
        now = float(self.psql("SELECT extract(epoch FROM now())")[0][0])
        self.assertLess(abs(now - delivered), 120)
        last = int(self.psql("SELECT max(arrival) FROM iwarpscope.record")[0][0])
        wait_until(lambda: value(get(url + "/metrics"), "records_total") >= last, "the number of arrival")
        self.assertEqual(value(metrics, "database_up"), 1)
        self.assertEqual(set(re.findall(r'step_healthy{step="(\w+)"} 1', metrics)), {"sums", "joins"})
        for step in ("sums", "joins"):
            self.assertLess(abs(now - value(metrics, "step_done_timestamp_seconds", step=step)), 120)
        self.assertEqual((get(url + "/healthz"), get(url + "/readyz")), ("The service is alive.\n", "The database answers.\n"))
        self.assertEqual(value(metrics, "subscribers"), 0)
        with self.cluster.hanging():
            # As long as the server hangs: an answer at all is one without it.
            wait_until(lambda: value(get(url + "/metrics"), "database_up") == 0, "the database that hangs", 60)
            self.assertIn("The database does not answer", get(url + "/readyz"))
            self.assertEqual(value(get(url + "/metrics"), "sensor_records_dropped_total", sensor="rack9", kind="findings"), 5)
        wait_until(lambda: value(get(url + "/metrics"), "database_up") == 1, "the database again", 60)

    def test_an_outbox_that_fills_is_seen_and_so_is_a_centre_that_refuses(self):
        sensor = Sensor(self, "rack1", 4000, 4000, 2000, 3_000_000)
        wait_until(lambda: sensor.status().get("fill", 0) > 0.8, "a full outbox")
        wait_until(lambda: "fill more than 80 % of their room" in sensor.status()["trouble"], "the trouble")
        self.centre("add-sensor", "rack1")
        self.forward("rack1", sensor.socket)
        wait_until(lambda: sensor.status()["fill"] < 0.1 and sensor.status()["healthy"], "an empty outbox", 60)
        self.assertIs(sensor.status()["refused"], False)
        self.psql("REVOKE USAGE ON SCHEMA iwarpscope FROM iwarpscope_sensor")
        wait_until(lambda: sensor.status()["refused"], "the refusal", 60)
        self.psql("GRANT USAGE ON SCHEMA iwarpscope TO iwarpscope_sensor")
        wait_until(lambda: not sensor.status()["refused"] and sensor.status()["healthy"], "the delivery", 60)

    def test_an_address_that_others_reach_is_refused(self):
        done = subprocess.run([self.programs["centre"], "serve", "--metrics", "0.0.0.0:9471"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no loopback address", done.stderr)


if __name__ == "__main__":
    unittest.main()
