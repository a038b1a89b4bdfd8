#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Incidents reach people by a real Alertmanager, each once.
alerts_test.py CENTRE FORWARD SENSOR IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY"""

import json
import re
import threading
import time
import unittest
import urllib.request
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cluster import delivery, record
from kit import Process
from running import free_port, wait_until
from serving import Served, records

WAIT, INTERVAL = 2, 4  # seconds


class Hook:
    """Takes what Alertmanager sends to people."""

    def __init__(self, test):
        self.lock, self.taken = threading.Lock(), []
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with hook.lock:
                    hook.taken.append((time.monotonic(), body))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        test.addCleanup(self.thread.join)
        test.addCleanup(self.server.server_close)
        test.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"

    def notifications(self):
        with self.lock:
            return [*self.taken]


class Alerted(Served):
    def setUp(self):
        super().setUp()
        self.hook = Hook(self)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def alertmanager(self, group_by):
        config = self.folder / "alertmanager.yml"
        config.write_text(f"route: {{receiver: hook, group_by: [{group_by}], group_wait: {WAIT}s, group_interval: {INTERVAL}s, repeat_interval: 1h}}\n"
                          f"receivers: [{{name: hook, webhook_configs: [{{url: '{self.hook.url}', send_resolved: false}}]}}]\n", encoding="ascii")
        log = open(self.folder / "alertmanager.log", "wb")
        self.addCleanup(log.close)
        process = Process(self, "prometheus-alertmanager", f"--config.file={config}", f"--storage.path={self.folder / 'alertmanager'}",
                          f"--web.listen-address=127.0.0.1:{self.port}", "--cluster.listen-address=", "--log.level=debug", stdout=log, stderr=log)
        wait_until(self.is_ready, "Alertmanager")
        return process

    def is_ready(self):
        try:
            with urllib.request.urlopen(self.url + "/-/ready", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def alerts(self):
        """Those that Alertmanager has."""
        with urllib.request.urlopen(self.url + "/api/v2/alerts", timeout=5) as answer:
            return json.load(answer)

    def line(self, site):
        """What the status says of alerts."""
        return next((line for line in site.ask("status").stdout.splitlines() if line.startswith("Alerts")), "")

    def is_passed(self):
        wait_until(lambda: self.psql("SELECT arrival >= (SELECT last FROM iwarpscope.deliveries()) FROM iwarpscope.alerted") == [["t"]], "the alerts")


class OneFault(Alerted):
    def test_seen_at_three_taps_it_is_one_incident_and_one_notification(self):
        self.alertmanager("incident")
        site = self.service("--alertmanager", self.url)
        self.is_passed()
        names = ("leaf1", "leaf2", "leaf3")
        daemons = [self.daemon(name, "siw/viol-qn-1.pcap") for name in names]
        wrong = [one for one in records("qps", "--socket", daemons[0].socket) if one["verdict"]["outcome"] in ("refused", "failed", "stalled")]
        self.assertEqual(len(wrong), 1)
        wait_until(lambda: len(site.records("qps", "--outcome", wrong[0]["verdict"]["outcome"])) == 3, "the queue pair of each tap")
        self.is_passed()
        wait_until(lambda: [a["annotations"]["sensors"] for a in self.alerts()], "the alert")
        wait_until(lambda: self.hook.notifications(), "the notification")
        time.sleep(WAIT + 2 * INTERVAL)  # time for more of them: there must be none
        self.assertEqual(len(self.hook.notifications()), 1)
        alerts = self.hook.notifications()[0][1]["alerts"]
        self.assertEqual(len(alerts), 1)
        self.assertEqual(alerts[0]["labels"]["incident"], wrong[0]["community_id"])
        self.assertEqual((alerts[0]["labels"]["severity"], alerts[0]["labels"]["alertname"]), ("error", "iwarpscope_incident"))
        self.assertIn(wrong[0]["verdict"]["text"][:60], alerts[0]["annotations"]["description"])
        self.assertEqual({alerts[0]["labels"]["a"], alerts[0]["labels"]["b"]}, {wrong[0]["a"]["address"], wrong[0]["b"]["address"]})
        # A second service passes nothing again, and what was there before the first alert is not passed on.
        self.service("--alertmanager", self.url)
        time.sleep(WAIT + INTERVAL)
        self.assertEqual(len(self.hook.notifications()), 1)


class Many(Alerted):
    def setUp(self):
        super().setUp()
        self.centre("add-sensor", "rack1")
        self.where_sensor = self.cluster.as_sensor("rack1", self.database)
        self.now = int(self.psql("SELECT extract(epoch FROM now())::bigint")[0][0]) * 1_000_000_000
        self.count = 0

    def put(self, count, kind=1, **more):
        """Findings of 8 pairs of hosts and 40 connections."""
        after = [(kind, record(kind, 1)["runs"], self.count)] if self.count else ()
        rows = []
        for number in range(self.count + 1, self.count + count + 1):
            rows.append(record(kind, number, stored=self.now, times=self.now, severities=3, a=f"192.0.2.{number % 8}", b="198.51.100.1",
                               community_ids=f"1:connection{number % 40}", bodies='{"record":"finding","id":"mpa.crc-mismatch","text":"a text"}', **more))
        self.cluster.psql(delivery(rows, after=after), where=self.where_sensor)
        self.count += count

    def turns(self):
        """When Alertmanager looked whether a group has something new, by its own clock: a busy machine delays what it sends then."""
        turns = {}
        for when, group in re.findall(r'ts=(\S+) \S+ level=debug component=dispatcher aggrGroup="(.+)" msg=flushing ', (self.folder / "alertmanager.log").read_text()):
            turns.setdefault(json.loads(f'"{group}"'), []).append(datetime.fromisoformat(when.replace("Z", "+00:00")).timestamp())
        return turns

    def test_ten_thousand_findings_make_one_notification_for_each_group_and_interval(self):
        self.alertmanager("a, b")
        site = self.service("--alertmanager", self.url)
        self.is_passed()
        for _ in range(10):
            self.put(1000)
        self.is_passed()
        wait_until(lambda: len({body["groupKey"] for _, body in self.hook.notifications()}) == 8, "each group")
        time.sleep(2 * INTERVAL)
        groups = {}
        for at, body in self.hook.notifications():
            groups.setdefault(body["groupKey"], []).append(at)
        self.assertEqual(len(groups), 8)
        for times in self.turns().values():
            for before, after in zip(times, times[1:]):
                self.assertGreater(after - before, INTERVAL - 0.5)
        for group, times in groups.items():
            self.assertLessEqual(len(times), len(self.turns()[group]), "more than one of a turn")
        self.assertEqual(len(self.alerts()), 40)
        self.assertEqual({alert["annotations"]["sensors"] for alert in self.alerts()}, {"rack1"})

    def test_an_alertmanager_that_is_away_is_named_and_gets_all_later(self):
        away = f"http://127.0.0.1:{free_port()}"
        self.put(1)  # before the first service: not passed on
        site = self.service("--alertmanager", self.url, "--alertmanager", away)
        wait_until(lambda: self.psql("SELECT arrival > 0 FROM iwarpscope.alerted") == [["t"]], "the first look")
        self.put(40)
        wait_until(lambda: "Alertmanager does not get incidents" in self.line(site), "the trouble in the status")
        self.assertIn("Alertmanager does not get incidents", site.log())
        wait_until(lambda: "Sums        up to date" in site.ask("status").stdout, "the others to go on")
        self.alertmanager("incident")
        self.is_passed()  # one of the two is enough
        self.assertEqual(len(self.alerts()), 40)

    def test_findings_of_the_centre_are_alerts_and_texts_of_sensors_are_only_texts(self):
        self.alertmanager("incident")
        site = self.service("--alertmanager", self.url)
        self.is_passed()
        self.psql("SELECT iwarpscope.find_v1('site.failures-rose', 2::smallint, now(), '192.0.2.1', '192.0.2.2', NULL, NULL, '{\"text\": \"More fail.\"}')")
        self.put(1, keys='"},"x', qps=None)
        rows = [record(2, 1, stored=self.now, times=self.now, keys="failed", a="", b="", community_ids="", bodies='{"record":"qp","qp":1,"verdict":{"text":"\\"]}\\u0001"}}')]
        self.cluster.psql(delivery(rows, after=[(1, rows[0]["runs"], 1)]), where=self.where_sensor)
        self.is_passed()
        alerts = wait_until(lambda: (lambda all_: all_ if len(all_) == 3 else None)(self.alerts()), "three alerts")
        by_incident = {alert["labels"]["incident"]: alert for alert in alerts}
        own = by_incident["site.failures-rose 192.0.2.1 192.0.2.2"]
        self.assertEqual((own["labels"]["severity"], own["annotations"]["description"], own["annotations"]["sensors"]),
                         ("warning", "More fail.", "iwarpscope_centre"))
        self.assertEqual(by_incident["site"]["annotations"]["description"], '"]}\u0001')


if __name__ == "__main__":
    unittest.main()
