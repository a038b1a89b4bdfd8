#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What Prometheus' own tools and server make of a running daemon: prometheus_test.py IWARPSCOPED SOURCE_DIRECTORY"""

import contextlib
import json
import re
import shutil
import subprocess
import sys
import unittest
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "service"))
from running import Folder, Running, free_port, wait_until  # noqa: E402

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
    "output_lag_seconds": ("gauge", "kind"), "output_queue_entries": ("gauge", "kind"),
    "build_info": ("gauge", "version"), "sensor_info": ("gauge", "sensor_uuid run_uuid"), "records_total": ("counter", ""),
    "api_calls_total": ("counter", "method code"),
    "config_hash": ("gauge", ""), "config_last_reload_successful": ("gauge", ""),
}


def tool(name):
    path = shutil.which(name)
    if path is None:
        raise unittest.SkipTest(f"{name} is not installed (Debian package prometheus)")
    return path


def get(url):
    """Text of an answer; empty: no answer yet."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()
    except OSError:
        return ""


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
        run = subprocess.run([tool("promtool"), "check", "metrics"], input=self.metrics, capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout + run.stderr), (0, ""))

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
        rules = Path(ROOT) / "daemon/share/iwarpscope.rules.yml"
        subprocess.run([tool("promtool"), "check", "rules", rules], check=True, capture_output=True)
        tests = self.folder.path / "rules_test.yml"
        tests.write_text((Path(__file__).parent / "rules_test.yml").read_text().replace("RULES", str(rules)))
        run = subprocess.run([tool("promtool"), "test", "rules", tests], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def names(self):
        """Of every metric that there can be: those of the code."""
        code = (Path(ROOT) / "daemon/metrics/families.cpp").read_text()
        names = {"iwarp_" + name for name in re.findall(r'(?:counter|gauge|histogram)\(\s*"(\w+)"', code)}
        counters = (Path(ROOT) / "shared/qp/direction_counters.h").read_text()
        names |= {"iwarp_" + name for name in re.findall(r'\.metric = "(\w+)"', counters)}
        self.assertGreater(len(names), 35)
        self.assertLessEqual({line.split()[2] for line in self.metrics.splitlines() if line.startswith("# TYPE")}, names)
        return names

    def used(self, text):
        return {re.sub(r"_(bucket|sum|count)$", "", name) for name in re.findall(r"\biwarp_\w+", text)}

    def test_rules_and_dashboard_use_metrics_that_there_are(self):
        share = Path(ROOT) / "daemon/share"
        self.assertLessEqual(self.used((share / "iwarpscope.rules.yml").read_text()), self.names())
        dashboard = json.loads((share / "grafana-dashboard.json").read_text())
        expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
        self.assertGreater(len(expressions), 20)
        for expression in expressions:
            self.assertLessEqual(self.used(expression), self.names(), expression)
            self.assertTrue(self.used(expression), expression)

    @contextlib.contextmanager
    def server(self, name, configuration, *options):
        """A Prometheus with this configuration; gives its port."""
        port = free_port()
        file = self.folder.path / f"{name}.yml"
        file.write_text("global: {scrape_interval: 200ms, scrape_timeout: 200ms}\n" + configuration)
        with open(self.folder.path / f"{name}.txt", "wb") as log:
            process = subprocess.Popen([tool("prometheus"), f"--config.file={file}", f"--web.listen-address=127.0.0.1:{port}",
                                        *options], cwd=self.folder.path, stdout=log, stderr=log)
        try:
            yield port
            self.assertIsNone(process.poll(), f"{name} ended")
        finally:
            process.terminate()
            process.wait(30)

    def scrape(self):
        return ("scrape_configs: [{job_name: iwarpscope, static_configs: [{targets: "
                f"['127.0.0.1:{self.daemon.port}']}}]}}]\n")

    @staticmethod
    def query(port, expression):
        text = get(f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": expression}))
        try:
            return json.loads(text)
        except ValueError:
            return {}

    def expect_the_sample(self, port):
        def found():
            return self.query(port, 'iwarp_mpa_crc_errors_total{job="iwarpscope"}').get("data", {}).get("result")
        result = wait_until(found, "the metrics")
        self.assertEqual((result[0]["metric"]["sensor"], result[0]["value"][1]), ("rack 7", "1"))

    def test_server_scrapes_the_daemon_and_answers_the_dashboard(self):
        rules = f"rule_files: [{ROOT}/daemon/share/iwarpscope.rules.yml]\n"
        with self.server("prometheus", rules + self.scrape(), f"--storage.tsdb.path={self.folder.path}/tsdb") as port:
            self.expect_the_sample(port)
            dashboard = json.loads((Path(ROOT) / "daemon/share/grafana-dashboard.json").read_text())
            for panel in dashboard["panels"]:
                for target in panel["targets"]:
                    expression = target["expr"].replace("$sensor", ".*").replace("$__rate_interval", "1m")
                    self.assertEqual(self.query(port, expression).get("status"), "success", expression)

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
