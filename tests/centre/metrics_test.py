#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The numbers of a site: a centre and its sensors, a real Prometheus, and the dashboard over both.
metrics_test.py CENTRE FORWARD SENSOR IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY"""

import http.server
import json
import re
import ssl
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon/metrics"))
from cluster import Refused, certificate, delivery, record  # noqa: E402
from kit import Sensor  # noqa: E402
from prometheus import SHARE, check, get, names, offered, query, series, server, tool, used  # noqa: E402
from running import free_port, wait_until  # noqa: E402
from serving import Served, ask, place_test  # noqa: E402


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
        wait_until(lambda: value(get(url + "/metrics"), "step_behind_records", step="sums") == 0, "the sums")
        with self.cluster.hanging():
            # As long as the server hangs: an answer at all is one without it.
            wait_until(lambda: value(get(url + "/metrics"), "database_up") == 0, "the database that hangs", 60)
            self.assertIn("The database does not answer", get(url + "/readyz"))
            for name in ("step_healthy", "step_behind_records"):
                self.assertIsNone(value(get(url + "/metrics"), name, step="sums"), name)
            self.assertGreater(value(get(url + "/metrics"), "step_done_timestamp_seconds", step="sums"), 0)
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


class Alerts(Scraped):
    """What stops a delivery is seen in the status and the log of the sensor, in metrics, and by an alert; and so is its end."""

    def setUp(self):
        super().setUp()
        self.sensor = self.daemon("rack1", "siw/viol-qn-1.pcap", "--patience", "2")
        rules = re.sub(r"for: \d+m", "for: 1s", (SHARE / "iwarpscope.rules.yml").read_text(encoding="utf-8"))
        (self.folder / "rules.yml").write_text(rules, encoding="utf-8")
        jobs = (("iwarpscope", self.sensor.port), ("iwarpscope-centre", self.scraped().rsplit(":", 1)[1]))
        text = f"global: {{scrape_interval: 500ms, evaluation_interval: 500ms}}\nrule_files: [{self.folder}/rules.yml]\nscrape_configs:\n"
        for job, port in jobs:
            text += f"- {{job_name: {job}, static_configs: [{{targets: ['127.0.0.1:{port}']}}]}}\n"
        started = server(self.folder, "alerts", text, f"--storage.tsdb.path={self.folder}/tsdb")
        self.port = started.__enter__()
        self.addCleanup(started.__exit__, None, None, None)

    def firing(self):
        """Alerts about the delivery."""
        return {one["metric"]["alertname"] for one in series(self.port, 'ALERTS{alertstate="firing", kind=~"forward|", sensor=~"rack1|"}')}

    def again(self):
        """Another forwarder: an idle one has nothing to say to the database."""
        self.forwards["rack1"].kill()
        self.forwards["rack1"].start()

    def is_seen(self, alerts, cause):
        wait_until(lambda: alerts <= self.firing(), f"{alerts}", 90)
        self.assertRegex(ask("status", "--socket", self.sensor.socket).stdout, f"forward: .*failing: .*{cause}")
        self.assertRegex(self.sensor.said(), f"forward: .*{cause}")

    def is_over(self, alerts):
        wait_until(lambda: not alerts & self.firing(), f"the end of {alerts}", 90)
        wait_until(lambda: "failing" not in ask("status", "--socket", self.sensor.socket).stdout, "a delivery that works", 60)

    def test_a_database_that_is_away_or_hangs(self):
        alerts = {"IwarpOutputTrouble", "IwarpCentreDatabaseAway"}
        self.is_over(alerts)
        self.cluster.close_sessions()
        self.cluster.stop("primary")
        try:
            self.again()
            self.is_seen(alerts, "Connection refused")
        finally:
            self.cluster.start("primary")
        self.is_over(alerts)
        with self.cluster.hanging():
            self.again()
            self.is_seen(alerts, "timeout")
        self.is_over(alerts)

    def test_a_centre_of_another_schema(self):
        alerts = {"IwarpOutputTrouble", "IwarpCentreRefuses"}
        self.is_over(alerts)
        self.psql("ALTER FUNCTION iwarpscope.cursor_v1 RENAME TO cursor_v0")
        self.again()
        self.is_seen(alerts, "iwarpscope-centre migrate")
        self.psql("ALTER FUNCTION iwarpscope.cursor_v0 RENAME TO cursor_v1")
        self.is_over(alerts)


class Proxy(http.server.BaseHTTPRequestHandler):
    """In front of a daemon's metrics, as docs/daemon.md has it: it asks for a client certificate."""

    def do_GET(self):
        body = get(self.server.behind + self.path).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Dashboard(Scraped):
    """With everything that a site can show: a failure, damage between two taps, discarded records."""

    def proxy(self, daemon):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "api.pem", self.folder / "api.key")
        context.load_verify_locations(self.folder / "ca.pem")
        context.verify_mode = ssl.CERT_REQUIRED
        proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
        proxy.behind = f"http://127.0.0.1:{daemon.port}"
        proxy.socket = context.wrap_socket(proxy.socket, server_side=True)
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        self.addCleanup(proxy.server_close)
        self.addCleanup(proxy.shutdown)
        return proxy.server_address[1]

    def example(self, sensor, centre):
        """The configuration that is installed, with the addresses of this test."""
        certificate(self.folder, "prometheus", "ca")
        (self.folder / "iwarpscope-sensors.yml").write_text(
            f'- targets: ["127.0.0.1:{sensor}"]\n  labels: {{site: north}}\n', encoding="ascii")
        text = (SHARE / "prometheus-site.yml").read_text(encoding="ascii")
        for there, here in (("/etc/prometheus/", f"{self.folder}/"), ("/usr/share/iwarpscope/", f"{SHARE}/"), ("127.0.0.1:9471", centre),
                            ("interval: 15s", "interval: 500ms")):
            self.assertIn(there, text)
            text = text.replace(there, here)
        return text

    def test_examples_are_correct(self):
        (self.folder / "checked.yml").write_text(self.example(9470, "127.0.0.1:9471"))
        (self.folder / "iwarpscope-sensors.yml").write_text((SHARE / "prometheus-sensors.yml").read_text())
        run = subprocess.run([tool("promtool"), "check", "config", self.folder / "checked.yml"], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertNotIn("WARNING", run.stdout + run.stderr)

    def test_prometheus_finds_the_site_and_every_panel_has_rows(self):
        self.discards("rack9", 5)
        for name, file in zip(("leaf1", "leaf2"), self.taps_of(place_test.damaged_segment, "siw/lossy-senderview-send-64k-crc.pcap.gz",
                                                                ("leaf1", "leaf2"))):
            daemon = self.daemon(name, file)
        self.daemon("rack1", "siw/viol-qn-1.pcap")
        url = self.scraped()
        text = self.example(self.proxy(daemon), url.removeprefix("http://"))
        dashboard = json.loads((SHARE / "grafana-site-dashboard.json").read_text(encoding="utf-8"))
        targets = [(panel["title"], target) for panel in dashboard["panels"] for target in panel["targets"]]
        with server(self.folder, "site", text, f"--storage.tsdb.path={self.folder}/tsdb") as port:
            wait_until(lambda: len(series(port, "up == 1")) == 2, "both jobs", 60)
            self.assertEqual({one["metric"]["job"]: one["metric"].get("site") for one in series(port, "up == 1")},
                             {"iwarpscope": "north", "iwarpscope-centre": None})
            asked = {"prometheus": 0, "grafana-postgresql-datasource": 0}
            for title, target in targets:
                kind = target["datasource"]["type"]
                asked[kind] += 1
                ask = self.prometheus_rows(port, target) if kind == "prometheus" else self.postgres_rows(target)
                wait_until(ask, f"rows of “{title}”", 60)
            self.assertGreaterEqual(asked["prometheus"], 15)
            self.assertGreaterEqual(asked["grafana-postgresql-datasource"], 6)
            wait_until(lambda: set(health_of_rules(port).values()) == {"ok"}, "all rules", 60)
            self.assertIn("IwarpSensorSilent", health_of_rules(port))

    def prometheus_rows(self, port, target):
        self.assertLessEqual(used(target["expr"]), names(), target["expr"])
        expression = target["expr"].replace("$sensor", ".*").replace("$__rate_interval", "1m")

        def rows():
            answer = query(port, expression)
            self.assertEqual(answer.get("status"), "success", f"{expression}: {answer}")
            return answer["data"]["result"]
        return rows

    def postgres_rows(self, target):
        """As Grafana asks, as a role that may only read."""
        self.psql("DO $$ BEGIN CREATE ROLE grafana LOGIN IN ROLE iwarpscope_reader; EXCEPTION WHEN duplicate_object THEN NULL; END $$")
        sql = self.grafana_sql(target["rawSql"])
        where = self.cluster.as_sensor("grafana", self.database)

        def rows():
            found = self.cluster.psql(sql, where=where)
            if target["format"] == "time_series" and found:
                self.assertRegex(found[0][0], r"^\d{4}-\d\d-\d\d ")
            return found
        with self.assertRaises(Refused):
            self.cluster.psql("DELETE FROM iwarpscope.record", where=where)
        return rows


def health_of_rules(port):
    """By name."""
    groups = json.loads(get(f"http://127.0.0.1:{port}/api/v1/rules"))["data"]["groups"]
    return {rule["name"]: rule["health"] for group in groups for rule in group["rules"]}


if __name__ == "__main__":
    unittest.main()
