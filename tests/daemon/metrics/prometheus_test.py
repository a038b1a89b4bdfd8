#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What Prometheus' own tools and server make of a running daemon: prometheus_test.py IWARPSCOPED SOURCE_DIRECTORY"""

import json
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from prometheus import SHARE, check, get, names, offered, query, series, server, tool, used
from running import Folder, Running, wait_until

PROGRAM = ROOT = ""


# For each metric that others build on: its type, and its labels beside that of the sensor.
METRICS = {
    "capture_packets_total": ("counter", "iface"), "capture_bytes_total": ("counter", "iface"),
    "capture_drops_total": ("counter", "iface where"), "capture_gap_bytes_total": ("counter", ""),
    "tcp_retransmits_total": ("counter", ""),
    "qp_active": ("gauge", "state"), "qp_opened_total": ("counter", ""), "qp_closed_total": ("counter", "outcome"),
    "mpa_handshake_failures_total": ("counter", "outcome"), "mpa_handshake_duration_seconds": ("histogram", ""),
    "fpdu_total": ("counter", ""), "fpdu_bytes_total": ("counter", ""),
    "mpa_crc_checked_total": ("counter", ""), "mpa_crc_errors_total": ("counter", ""),
    "mpa_crc_unjudged_total": ("counter", ""), "mpa_marker_errors_total": ("counter", ""),
    "ddp_order_errors_total": ("counter", "kind"), "rdmap_ops_total": ("counter", "op"),
    "rdmap_read_latency_seconds": ("histogram", ""), "rdmap_atomic_latency_seconds": ("histogram", ""),
    "terminates_total": ("counter", "layer code"), "findings_total": ("counter", "id severity"),
    "table_entries": ("gauge", "table"), "table_limit": ("gauge", "table"), "evictions_total": ("counter", "table"),
    "output_lag_seconds": ("gauge", "kind"), "output_queue_entries": ("gauge", "kind"), "output_fill_ratio": ("gauge", "kind"),
    "build_info": ("gauge", "version"), "sensor_info": ("gauge", "sensor_uuid run_uuid"), "records_total": ("counter", ""),
    "api_calls_total": ("counter", "method code"),
    "config_hash": ("gauge", ""), "config_last_reload_successful": ("gauge", ""),
}


class Prometheus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder().__enter__()
        cls.addClassCleanup(cls.folder.__exit__)
        sample = Path(ROOT) / "samples/siw/viol-crc-error.pcap"
        capture = cls.folder.path / "sample.pcap"
        shutil.copy(sample, capture)
        cls.daemon = Running(PROGRAM, cls.folder.path, 'sensor = "rack 7"\n', ["-r", capture]).__enter__()
        cls.addClassCleanup(cls.daemon.__exit__)
        cls.url = f"http://127.0.0.1:{cls.daemon.port}"
        wait_until(lambda: "has finished" in get(cls.url + "/readyz"), "the end of the replay")
        cls.metrics = get(cls.url + "/metrics")

    def test_linter_has_nothing_to_say(self):
        self.assertEqual(check(self.metrics), (0, ""))

    def test_values_are_those_of_the_sample(self):
        for line in ['iwarp_mpa_crc_errors_total{sensor="rack 7"} 1', 'iwarp_qp_opened_total{sensor="rack 7"} 1',
                     'iwarp_terminates_total{sensor="rack 7",layer="2",code="2"} 1',
                     'iwarp_findings_total{sensor="rack 7",id="mpa.crc-mismatch",severity="error"} 1']:
            self.assertIn(line + "\n", self.metrics)

    def test_those_that_others_build_on_have_their_names_types_and_labels(self):
        types = dict(re.findall(r"^# TYPE iwarp_(\w+) (\w+)$", self.metrics, re.MULTILINE))
        for name, (kind, labels) in METRICS.items():
            self.assertEqual(types.get(name), kind, name)
            series = re.findall(rf"^iwarp_{name}(?:_bucket|_sum|_count)?{{(.*)}} \S+$", self.metrics, re.MULTILINE)
            self.assertTrue(series, name)
            for one in series:
                self.assertEqual(set(re.findall(r'(\w+)="', one)) - {"le"}, {"sensor", *labels.split()}, name)
        places = set(re.findall(r'^iwarp_capture_drops_total{.*where="(\w+)"', self.metrics, re.MULTILINE))
        self.assertEqual(places, {"nic", "kernel", "queue"})

    def test_no_label_is_other_than_the_known_ones(self):
        known = {"sensor", "iface", "dir", "kind", "ulp", "severity", "where", "state", "outcome", "op", "layer",
                 "code", "id", "table", "version", "le", "method", "file", "sensor_uuid", "run_uuid", "reason"}
        self.assertLessEqual(set(re.findall(r'[{,](\w+)="', self.metrics)), known)

    def test_rules_are_correct_and_raise_what_they_should(self):
        rules = SHARE / "iwarpscope.rules.yml"
        subprocess.run([tool("promtool"), "check", "rules", rules], check=True, capture_output=True)
        tests = self.folder.path / "rules_test.yml"
        tests.write_text((Path(__file__).parent / "rules_test.yml").read_text().replace("RULES", str(rules)))
        run = subprocess.run([tool("promtool"), "test", "rules", tests], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_rules_and_dashboards_use_metrics_that_there_are(self):
        self.assertGreater(len(names()), 60)
        self.assertLessEqual(offered(self.metrics), names())
        self.assertLessEqual(used((SHARE / "iwarpscope.rules.yml").read_text()), names())
        dashboard = json.loads((SHARE / "grafana-dashboard.json").read_text())
        expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
        self.assertGreater(len(expressions), 20)
        for expression in expressions:
            self.assertLessEqual(used(expression), names(), expression)
            self.assertTrue(used(expression), expression)

    def server(self, name, configuration, *options):
        return server(self.folder.path, name, "global: {scrape_interval: 200ms, scrape_timeout: 200ms}\n" + configuration, *options)

    def scrape(self):
        return ("scrape_configs: [{job_name: iwarpscope, static_configs: [{targets: "
                f"['127.0.0.1:{self.daemon.port}']}}]}}]\n")

    def expect_the_sample(self, port):
        def found():
            return series(port, 'iwarp_mpa_crc_errors_total{job="iwarpscope"}')
        result = wait_until(found, "the metrics")
        self.assertEqual((result[0]["metric"]["sensor"], result[0]["value"][1]), ("rack 7", "1"))

    def test_server_scrapes_the_daemon_and_answers_the_dashboard(self):
        rules = f"rule_files: [{SHARE}/iwarpscope.rules.yml]\n"
        with self.server("prometheus", rules + self.scrape(), f"--storage.tsdb.path={self.folder.path}/tsdb") as port:
            self.expect_the_sample(port)
            dashboard = json.loads((SHARE / "grafana-dashboard.json").read_text())
            for panel in dashboard["panels"]:
                for target in panel["targets"]:
                    expression = target["expr"].replace("$sensor", ".*").replace("$__rate_interval", "1m")
                    self.assertEqual(query(port, expression).get("status"), "success", expression)

    def test_agent_on_the_sensor_sends_its_metrics_to_a_server_that_cannot_reach_it(self):
        with self.server("central", "", f"--storage.tsdb.path={self.folder.path}/central",
                         "--web.enable-remote-write-receiver") as central:
            write = f"remote_write: [{{url: 'http://127.0.0.1:{central}/api/v1/write'}}]\n"
            with self.server("agent", self.scrape() + write, "--enable-feature=agent",
                             f"--storage.agent.path={self.folder.path}/agent"):
                self.expect_the_sample(central)


if __name__ == "__main__":
    ROOT, PROGRAM = sys.argv.pop(), sys.argv.pop()
    unittest.main()
