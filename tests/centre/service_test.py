#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The service of the centre: the command line asks it as it asks one daemon.
service_test.py CENTRE FORWARD SENSOR IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY"""

import json
import os
import re
import signal
import subprocess
import time
import unittest
import zipfile

from cluster import RUN as RUN_UUID, SENSOR as HISTORY
from cluster import certificate, delivery, record
from kit import Process, Sensor
from running import free_port, wait_until
from serving import CENTRE, CLIENT, Following, Served, ask, place_test, records

SAMPLES = {"rack1": "siw/viol-qn-1.pcap", "rack2": "siw/many-64qp-write-crc.pcap.gz"}
RUN = 10_000_000_000  # the number of a queue pair at the centre is that of its run, and ten digits


class TwoSensors(Served):
    def setUp(self):
        super().setUp()
        self.daemons = {name: self.daemon(name, capture) for name, capture in SAMPLES.items()}
        self.site = self.service()
        self.own = {name: {record["qp"]: record for record in records("qps", "--socket", daemon.socket)}
                    for name, daemon in self.daemons.items()}
        count = sum(len(of) for of in self.own.values())
        wait_until(lambda: len(self.site.records("qps")) >= count, "all queue pairs at the centre")
        self.findings = {name: records("findings", "--socket", daemon.socket) for name, daemon in self.daemons.items()}
        count = sum(len(of) for of in self.findings.values())
        wait_until(lambda: len(self.site.records("findings")) >= count, "all findings at the centre")

    def test_the_command_line_shows_the_site_as_it_shows_a_daemon(self):
        site = self.site
        rows = site.records("qps")
        self.assertEqual(len({row["qp"] for row in rows}), len(rows))
        for name, own in self.own.items():
            its = [row for row in rows if row["sensor"] == name]
            self.assertEqual({row["qp"] % RUN for row in its}, set(own))
            self.assertEqual(len({row["qp"] // RUN for row in its}), 1)
            for row in its:
                mine = own[row["qp"] % RUN]
                for key in set(mine) - {"qp"}:
                    self.assertEqual(row[key], mine[key], f"{name} {row['qp']} {key}")
            self.assertEqual([row["qp"] for row in site.records("qps", "--sensor", name)], [row["qp"] for row in its])
        self.a_sensor_that_is_not_there_is_named()

        table = site.ask("qps").stdout.splitlines()
        self.assertIn("Sensor", table[0])
        self.assertRegex(table[1], r"^[1-9]\d{10,} +rack1 +\S+:\d+ -> \S+:\d+ ")
        self.assertNotIn("Sensor", ask("qps", "--socket", self.daemons["rack1"].socket).stdout)

        # Filters are those of a daemon.
        for words in (["--outcome", "completed"], ["--outcome", "failed"], ["--at-least", "error"], ["--open"], ["--peer", "192.168.77.1"],
                      ["--ulp", "rping"], ["--state", "closed"]):
            here = sorted((row["sensor"], row["qp"] % RUN) for row in site.records("qps", *words))
            there = sorted((name, row["qp"]) for name, daemon in self.daemons.items() for row in records("qps", *words, "--socket", daemon.socket))
            self.assertEqual(here, there, words)

        found = site.records("findings")
        for name, own in self.findings.items():
            its = [one for one in found if one["sensor"] == name]
            self.assertEqual([(one["id"], one["text"], one.get("qp") and one["qp"] % RUN, one["run_uuid"]) for one in its],
                             [(one["id"], one["text"], one.get("qp"), one["run_uuid"]) for one in own])
        self.assertEqual(site.records("findings", "--sensor", "rack2"), [one for one in found if one["sensor"] == "rack2"])
        self.assertIn("rack1, QP ", site.ask("findings", "--at-least", "error").stdout)

        stored = site.records("history", "--kind", "qps", "--limit", "1000")
        self.assertEqual({row["qp"] for row in stored}, {row["qp"] for row in rows})
        self.assertEqual({row["sensor"] for row in site.records("history", "--kind", "heartbeats", "--sensor", "rack2")}, {"rack2"})
        self.assertTrue(all(row["qp"] in {r["qp"] for r in rows} for row in site.records("history", "--rule", found[0]["id"])))
        self.assertIn("rack1  ", site.ask("history", "--kind", "qps", "--limit", "1000").stdout)
        self.stored_operations_are_those_of_the_daemons()
        self.questions_without_sense_are_refused_as_by_a_daemon()
        self.assertRegex(site.ask("findings").stderr, r"findings: what arrived since 20\d\d-\d\d-\d\d 00:00 UTC; `iwarpscope history` has older ones")

        of_rack1 = re.compile(r"rack1 \(port of rack1\): delivered .* ago, version \d")
        wait_until(lambda: of_rack1.search(site.ask("status").stdout), "its heartbeat in the status")
        status = site.ask("status").stdout
        self.assertIn("a centre of 2 sensors, 0 silent\n", status)
        self.assertIn("Database    answers", status)
        self.assertIn("rack2", site.ask("watch", "--once").stdout)
        self.only_one_sensor_is_watched(rows)
        self.events_name_their_sensor(rows)

    def stored_operations_are_those_of_the_daemons(self):
        def of(rows):
            return [(row["index"], row["direction"], row["outcome"], row["run_uuid"]) for row in rows]
        own = {name: records("history", "--kind", "operations", "--socket", daemon.socket) for name, daemon in self.daemons.items()}
        self.assertTrue(any(own.values()))
        for name, its in own.items():
            self.assertEqual(of(self.site.records("history", "--kind", "operations", "--sensor", name)), of(its))

    def questions_without_sense_are_refused_as_by_a_daemon(self):
        for words in (["--outcome", "failed"], ["--kind", "qps", "--rule", "RM-05"], ["--kind", "qps", "--at-least", "error"],
                      ["--kind", "states", "--outcome", "failed"], ["--kind", "heartbeats", "--peer", "192.0.2.1"],
                      ["--kind", "summaries", "--community-id", "1:x"]):
            here = self.site.ask("history", *words, status=2)
            there = ask("history", *words, "--socket", self.daemons["rack1"].socket, status=2)
            self.assertEqual((here.stdout, here.stderr), (there.stdout, there.stderr), words)

    def a_sensor_that_is_not_there_is_named(self):
        for command in (["qps"], ["findings"], ["findings", "--follow"], ["watch"], ["watch", "--once"], ["events"], ["events", "--follow"], ["site"],
                        ["history"], ["history", "--kind", "states"]):
            for form in ("text", "json"):
                refused = self.site.ask(*command, "--sensor", "rack9", "--format", form, status=2)
                self.assertEqual((refused.stdout, refused.stderr),
                                 ("", f"iwarpscope: {command[0]}: the centre has no sensor 'rack9'; it has rack1, rack2\n"), command)

    def only_one_sensor_is_watched(self, rows):
        numbers = {row["qp"] for row in rows if row["sensor"] == "rack1"}
        shown = self.site.ask("watch", "--once", "--sensor", "rack1").stdout
        self.assertIn("rack1", shown)
        self.assertNotIn("rack2", shown)
        self.assertEqual({row["qp"] for row in self.site.records("watch", "--once", "--sensor", "rack1")[0]["qps"]}, numbers)
        followed = Process(self, CLIENT, "watch", "--format", "json", "--sensor", "rack1", "--socket", self.site.socket, stdout=subprocess.PIPE)
        first = json.loads(followed.process.stdout.readline())
        followed.end()
        followed.process.stdout.close()
        self.assertEqual({row["qp"] for row in first["qps"]}, numbers)

    def events_name_their_sensor(self, rows):
        lines = self.site.ask("events").stdout.splitlines()
        self.assertEqual({re.match(r" *\d+  \d{4}-\d\d-\d\d \S+ UTC  (\S+)  ", line).group(1) for line in lines}, set(SAMPLES))
        self.assertEqual(len(lines), len(rows) + sum(len(of) for of in self.findings.values()))
        first = next(one for one in self.site.records("events") if one["sensor"] == "rack1")
        own = records("events", "--socket", self.daemons["rack1"].socket)
        self.assertEqual({key: first[key] for key in own[0] if key != "qp"}, {key: own[0][key] for key in own[0] if key != "qp"})
        self.assertEqual(set(first) - set(own[0]), {"place"})
        self.assertNotIn("rack1", ask("events", "--socket", self.daemons["rack1"].socket).stdout)

    def test_what_only_a_sensor_has_is_asked_of_it(self):
        number = next(row["qp"] for row in self.site.records("qps") if row["sensor"] == "rack1")
        daemon = self.daemons["rack1"]
        here = self.site.ask("qp", number, "--messages", "--timeline").stdout
        there = ask("qp", number % RUN, "--messages", "--timeline", "--socket", daemon.socket).stdout
        self.assertIn("  Sensor: rack1\n", here)
        self.assertEqual(here.replace("  Sensor: rack1\n", "").replace(str(number), str(number % RUN)), there)
        self.assertIn("RDMA", there)
        daemon.process.kill()
        daemon.process.wait()
        gone = self.site.ask("qp", number, "--messages", status=2)
        self.assertIn(f"QP {number}", gone.stdout)  # what the centre knows
        self.assertRegex(gone.stderr, r"sensor rack1: .*")
        self.bundles_are_made_of_what_is_there(number)
        daemon.__enter__()
        wait_until(lambda: "was started again" in self.site.ask("qp", number, "--messages", status=2).stderr, "the other run")
        wait_until(lambda: self.site.records("qps", "--sensor", "rack1")[-1]["qp"] // RUN > number // RUN, "the next run's queue pairs")

    def bundles_are_made_of_what_is_there(self, number):
        """While rack1 does not answer. `number`: one of its queue pairs."""
        for words, packets in ((["--qp", number], "sensor rack1: "), ([], "a centre has no packets of its own")):
            file = self.folder / f"bundle{len(words)}.zip"
            made = self.site.ask("bundle", *words, "-o", file)
            missing = "Messages of queue pairs of sensor rack1 are missing: sensor rack1: "
            self.assertIn(f"iwarpscope: bundle: {missing}", made.stderr)
            self.assertIn(f"iwarpscope: bundle: There are no packets: {packets}", made.stderr)
            self.assertNotIn("sensor rack2", made.stderr)
            with zipfile.ZipFile(file) as bundle:
                self.assertEqual(set(bundle.namelist()), {"README.txt", "report.html", "report.json", "events.jsonl"})
                readme = " ".join(bundle.read("README.txt").decode().split())
                self.assertIn(f"What is missing: - {missing}", readme)
                self.assertIn(missing, bundle.read("report.html").decode())
                events = [json.loads(line) for line in bundle.read("events.jsonl").decode().splitlines()]
                report = [json.loads(line) for line in bundle.read("report.json").decode().splitlines()]
            self.assertIn(number, [one["qp"] for one in events if one["record"] == "qp"])
            self.assertEqual([one["qp"] for one in report if one["record"] == "qp"], [number] if words else [row["qp"] for row in self.site.records("qps")])

    def test_a_sensor_is_known_from_its_addition_on_and_when_it_is_removed(self):
        self.centre("add-sensor", "gone")
        self.assertEqual(self.site.records("qps", "--sensor", "gone"), [])
        sensor = Sensor(self, "gone", 20, 100)
        forward = self.forward("gone", sensor.socket)
        before = wait_until(lambda: (lambda all_: all_ if len(all_) == 20 else None)(self.site.records("findings", "--sensor", "gone")), "its findings")
        self.assertTrue(self.site.records("events", "--sensor", "gone"))
        wait_until(lambda: "a centre of 3 sensors" in self.site.ask("status").stdout, "the sensor in the status")
        forward.end()
        self.centre("remove-sensor", "gone")
        wait_until(lambda: "a centre of 2 sensors" in self.site.ask("status").stdout, "the removal in the status")
        self.assertEqual(self.site.records("findings", "--sensor", "gone"), before)
        self.assertTrue(self.site.records("events", "--sensor", "gone"))
        for number in range(10):
            self.centre("add-sensor", f"more{number}")
        wait_until(lambda: "a centre of 12 sensors" in self.site.ask("status").stdout, "many sensors")
        self.assertIn("it has more0, more1, more2, more3, more4, more5, more6, more7 and 4 more\n", self.site.ask("qps", "--sensor", "x", status=2).stderr)

    def test_a_sensor_that_is_silent_is_named(self):
        self.centre("add-sensor", "rack3")
        sensor = Sensor(self, "rack3", 20, 100)
        self.forward("rack3", sensor.socket)
        wait_until(lambda: self.site.records("qps", "--sensor", "rack3"), "queue pairs of the third")
        wait_until(lambda: self.site.ask("qps").stderr == "", "a heartbeat of each")
        sensor.process.kill()
        wait_until(lambda: "sensor rack3 has delivered nothing" in self.site.ask("qps").stderr, "the silent sensor")
        self.assertNotIn("rack1 has", self.site.ask("qps").stderr)  # its replay has finished, and so is its delivery
        self.assertEqual(self.site.ask("qps", "--sensor", "rack1").stderr, "")
        self.assertIn("It has delivered nothing for", self.site.ask("status").stdout)
        self.assertRegex(self.site.ask("status").stdout, r"rack3: silent, delivered .* ago, version \S+; at its last heartbeat: \d+ queue pairs? followed")
        for command in ("status", "site"):
            self.assertIn("3 sensors, 1 silent: rack3\n", self.site.ask(command).stdout)
        self.assertIn("Its replay has finished.", self.site.ask("status").stdout)

    def test_texts_of_clients_are_values(self):
        for text in ("rack1' OR ''='", "x'; DROP TABLE iwarpscope.record; --", "\\", "%", "$1", "\x01", "\x1b[31m", "rack1" + 100 * " "):
            self.assertEqual(self.site.records("qps", "--ulp", text), [])
            self.assertEqual(self.site.records("history", "--community-id", text), [])
            for command in ("qps", "findings", "history", "events", "site"):
                refused = self.site.ask(command, "--sensor", text, status=2)
                self.assertRegex(refused.stderr, f"^iwarpscope: {command}: the centre has no sensor '.{{1,64}}'; it has rack1, rack2\n$")
                self.assertEqual(refused.stdout, "")
                self.assertFalse({"\x01", "\x1b"} & set(refused.stderr))
        self.assertTrue(self.site.records("qps"))


class TwoTaps(Served):
    """One connection at two sensors, and what happens between them."""

    def sensors(self, scene, capture, sensors=("leaf1", "leaf2")):
        """Two daemons that saw a capture before and behind a place. Gives what `iwarpscope join` says of the two files."""
        files = self.taps_of(scene, capture, sensors)
        self.daemons = {name: self.daemon(name, file) for name, file in zip(sensors, files)}
        said = [json.loads(line) for line in ask("join", *(f"port of {name}={file}" for name, file in zip(sensors, files)),
                                                 "--format", "json").stdout.splitlines()]
        return [one for one in said if one["record"] == "joined"]

    def joined(self, site, count):
        """Of the site: the records of connections with a place, when there are so many."""
        def found():
            connections = site.records("site")[1].get("connections", [])
            return connections if len(connections) == count else None
        return wait_until(found, "joined connections")

    def is_as_join_says(self, scene, capture):
        expected = [one for one in self.sensors(scene, capture) if any(p["after"] and p["before"] for p in one["places"])]
        site = self.service()
        self.assertTrue(expected)
        found = self.joined(site, len(expected))
        for one, other in zip(sorted(expected, key=lambda j: j["a"]["port"]), sorted(found, key=lambda c: json.loads(c["json"])["a"]["port"])):
            stored = json.loads(other["json"])
            self.assertEqual(stored["places"], one["places"])
            self.assertEqual(stored["verdict"]["code"], one["verdict"]["code"])
            self.assertEqual(stored["verdict"]["blame"], one["verdict"]["blame"])
            self.assertEqual([v["tap"] for v in other["views"]], [v["tap"] for v in one["views"]])
            shown = site.ask("qp", other["views"][0]["qp"]).stdout
            self.assertIn(f"Also seen at port of leaf2: QP {other['views'][1]['qp']} of sensor leaf2", shown)
            for sentence in one["sentences"]:
                self.assertIn(sentence, shown)
            verdict = one["verdict"]
            self.assertIn(f"Verdict of the connection: {verdict['outcome']}, blame: {verdict['blame']}, {verdict['confidence']} ({verdict['code']})", shown)
        self.are_findings(site, found)
        self.are_in_their_queue_pairs(site)
        self.assertIn("Loss or damage between taps", site.ask("site").stdout)
        self.assertIn("between port of leaf1 and port of leaf2", site.ask("site").stdout)
        return site, found

    def are_findings(self, site, connections):
        """The centre has one finding for each connection and kind of place."""
        expected = sorted((one["views"][0]["qp"], f"site.{kind}-between-taps") for one in connections
                          for kind in {place["kind"] for place in json.loads(one["json"])["places"] if place["after"] and place["before"]})
        own = site.records("findings", "--sensor", "iwarpscope_centre")
        self.assertEqual(sorted((str(one["qp"]), one["id"]) for one in own), sorted((str(qp), rule) for qp, rule in expected))
        for one in own:
            sentences = next(other["sentences"] for other in connections if str(other["views"][0]["qp"]) == str(one["qp"]))
            self.assertIn(one["text"], sentences)
        # They have no frame, and a time all the same.
        listed = site.ask("events", "--sensor", "iwarpscope_centre").stdout.splitlines()
        self.assertEqual(len(listed), len(own))
        for line in listed:
            self.assertRegex(line, r"^ *\d+  \d{4}-\d\d-\d\d \S+ UTC  iwarpscope_centre  warning  site\.")

    def are_in_their_queue_pairs(self, site):
        """What the centre found counts for the queue pair that it names, beside what the sensor found; all else is the sensor's."""
        own = {}
        for one in site.records("findings", "--sensor", "iwarpscope_centre"):
            own.setdefault(one["qp"], []).append(one)
        at_sensor = {(name, row["qp"]): row for name, daemon in self.daemons.items() for row in records("qps", "--socket", daemon.socket)}
        rows = site.records("qps")
        for row in rows:
            mine, more = at_sensor[row["sensor"], row["qp"] % RUN], own.get(row["qp"], [])
            counts = {**mine["findings"], "warnings": mine["findings"]["warnings"] + len(more)}
            if more and mine["findings"]["errors"] + mine["findings"]["warnings"] == 0:
                counts["worst"] = more[0]["id"]
            self.assertEqual({**row, "qp": mine["qp"]}, {**mine, "findings": counts})
        for least, kinds in (("error", ["errors"]), ("warning", ["errors", "warnings"]), ("note", ["errors", "warnings", "notes"])):
            self.assertEqual([row["qp"] for row in site.records("qps", "--at-least", least)],
                             [row["qp"] for row in rows if any(row["findings"][kind] for kind in kinds)])
        for qp, found in own.items():
            shown = site.ask("qp", qp).stdout
            counts = next(row["findings"] for row in rows if row["qp"] == qp)
            self.assertRegex(shown, f"Findings: {counts['errors']} errors?, {counts['warnings']} warnings?, ")
            for one in found:
                self.assertIn(one["id"], shown)

    def test_what_the_centre_finds_reaches_those_who_watch_an_open_queue_pair(self):
        site = self.service()
        self.centre("add-sensor", "leaf1")
        body = '{"record":"qp","qp":1,"state":"rts","a":{"address":"192.0.2.1","port":1},"b":{"address":"192.0.2.2","port":2},"findings":%s}'
        now = int(self.psql("SELECT extract(epoch FROM now())::bigint")[0][0]) * 1_000_000_000
        found = '{"errors":0,"warnings":0,"notes":2,"worst":"tcp.retransmissions"}'
        self.cluster.psql(delivery([record(4, 1, stored=now, times=now, bodies=body % found)]), where=self.cluster.as_sensor("leaf1", self.database))
        before = wait_until(lambda: site.records("qps"), "the queue pair")[0]
        self.assertEqual(site.records("qps", "--at-least", "warning"), [])
        watched = Process(self, CLIENT, "watch", "--format", "json", "--socket", site.socket, stdout=subprocess.PIPE)

        def warnings():
            return json.loads(watched.process.stdout.readline())["qps"][0]["findings"]["warnings"]
        self.assertEqual(warnings(), 0)
        self.psql(f"SELECT iwarpscope.find_v1('site.loss-between-taps', 2::smallint, now(), '192.0.2.1', '192.0.2.2', {before['qp']}, NULL, '{{\"text\": \"Lost.\"}}')")
        wait_until(lambda: warnings() == 1, "the finding in what is watched")
        watched.end()
        watched.process.stdout.close()
        now_found = {"errors": 0, "warnings": 1, "notes": 2, "worst": "site.loss-between-taps"}
        self.assertEqual(site.records("qps"), [{**before, "findings": now_found}])
        self.assertEqual(site.records("qps", "--at-least", "warning", "--open"), site.records("qps"))
        self.assertEqual(site.records("qps", "--at-least", "error"), [])
        # The sensor stores its state again, and says nothing of it.
        after = [(4, RUN_UUID, 1)]
        self.cluster.psql(delivery([record(4, 2, qps=1, stored=now, times=now, bodies=(body % found).replace("rts", "closing"))], after=after),
                          where=self.cluster.as_sensor("leaf1", self.database))
        wait_until(lambda: site.records("qps")[0]["state"] == "closing", "the next state")
        self.assertEqual(site.records("qps")[0]["findings"], now_found)
        self.assertEqual(len(site.records("qps", "--at-least", "warning")), 1)

    def test_damage_between_two_sensors_is_placed_there(self):
        self.is_as_join_says(place_test.damaged_segment, "siw/lossy-senderview-send-64k-crc.pcap.gz")

    def test_loss_between_two_sensors_is_placed_there_whichever_comes_first(self):
        site, found = self.is_as_join_says(place_test.lost_before, "siw/lossy-read-64k-crc-at-server.pcap.gz")
        # A second service joins nothing again, and nothing twice.
        views = self.psql("SELECT count(*), count(DISTINCT connection) FROM iwarpscope.connection_view")
        self.service()
        self.psql("UPDATE iwarpscope.joined SET arrival = 0")
        wait_until(lambda: self.psql("SELECT arrival > 0 FROM iwarpscope.joined") == [["t"]], "another look at all")
        self.assertEqual(self.psql("SELECT count(*), count(DISTINCT connection) FROM iwarpscope.connection_view"), views)
        self.are_findings(site, found)
        self.assertEqual([c["json"].split('"views"')[0] for c in self.joined(site, len(found))], [c["json"].split('"views"')[0] for c in found])


class Live(Following):
    def test_the_first_records_of_a_new_centre_reach_a_subscriber(self):
        site = self.service()
        printed = self.follow(site)
        self.centre("add-sensor", "rack1")
        wait_until(lambda: "a centre of 1 sensor" in site.ask("status").stdout, "the sensor")
        for number in (1, 2, 3):
            self.cluster.psql(delivery([record(1, number, keys="tcp.retransmissions", stored=1_795_824_000_000_000_000,
                                               bodies='{"record":"finding","id":"tcp.retransmissions"}')],
                                       after=[(1, RUN_UUID, number - 1)] if number > 1 else ()), where=self.cluster.as_sensor("rack1", self.database))
        wait_until(lambda: len(printed()) == 3, "all three")
        self.assertEqual([one["sequence"] for one in printed()], [1, 2, 3])

    def test_a_client_that_was_away_goes_on_where_it_was(self):
        self.psql("SELECT setval('iwarpscope.arrival', 1000000000000)")  # records before were deleted
        site = self.service()
        self.centre("add-sensor", "rack1")
        sensor = Sensor(self, "rack1", 1000, 500)
        self.forward("rack1", sensor.socket)
        wait_until(lambda: len(site.records("events")) >= 300, "records")
        place = re.search(r"events --after (\S+) shows", site.ask("status").stdout).group(1)
        wait_until(lambda: len(site.records("events")) == 1100, "all records")
        before = int(self.psql(f"SELECT count(*) FROM iwarpscope.record WHERE kind IN (1, 2) AND arrival <= {place.split(':')[1]}")[0][0])
        after = site.records("events", "--after", place)
        self.assertEqual(len(after), 1100 - before)
        self.are_all_in_order(site.records("events"), 1, 1100)
        everything = site.records("events")
        self.assertEqual(everything[before:], after)
        # Each record has the place after it; the place that its sensor gives it is another one.
        for at in (0, 99, 1098, 1099):
            self.assertEqual(site.records("events", "--after", everything[at]["place"]), everything[at + 1:])
        self.assertEqual([line.split()[0] for line in site.ask("events").stdout.splitlines()], [one["place"].split(":")[1] for one in everything])
        own = f"{everything[99]['run_uuid']}:{everything[99]['sequence']}"
        for more in ([], ["--follow"]):
            refused = site.ask("events", "--after", own, *more, status=2)
            self.assertEqual(refused.stdout, "")
            self.assertRegex(refused.stderr, "^iwarpscope: events: after: this is a run of sensor rack1, and places here are of the centre: "
                             "give `place` of a record that the centre printed, or that of its status; or ask the sensor\n$")
        other = self.service()  # has nothing of its own
        self.assertEqual(other.records("events", "--after", place), after)
        self.assertEqual(other.records("events", "--sensor", "rack1"), site.records("events"))
        self.assertIn("has no sensor 'rack2'", other.ask("events", "--sensor", "rack2", status=2).stderr)

    def rows_read(self):
        """Of partitions of the records, by an index: each statement's server counts when it has nothing to do."""
        return int(self.psql("SELECT sum(idx_tup_fetch) FROM pg_stat_user_tables WHERE relname LIKE 'record%'")[0][0])

    def test_lists_of_many_pages_have_each_record_once(self):
        site = self.service()
        self.centre("add-sensor", "leaf1")
        count, at_once, now = 2400, 7, int(time.time()) * 1_000_000_000
        states = [record(4, n, stored=now, times=now + n // at_once * 1_000_000) for n in range(1, count + 1)]
        notes = [record(1, n, stored=now, times=now, severities=3 if n == 700 else 1, bodies=json.dumps(
                 {"record": "finding", "id": "mpa.crc-mismatch" if n == 700 else "tcp.retransmissions", "qp": n, "text": "It is so."})) for n in range(1, 1401)]
        after = ()
        for kind, all_ in ((4, states), (1, notes)):
            for begin in range(0, len(all_), 400):
                part = all_[begin:begin + 400]
                self.cluster.psql(delivery(part, after=after), where=self.cluster.as_sensor("leaf1", self.database))
                after = (*(one for one in after if one[0] != kind), (kind, part[-1]["runs"], part[-1]["ids"]))
        wait_until(lambda: len(site.records("findings")) == len(notes), "all findings")
        listed = site.records("history", "--kind", "states", "--limit", "100000")
        self.assertEqual(sorted(row["qp"] % RUN for row in listed), list(range(1, count + 1)))
        self.assertEqual([row["id"] for row in site.records("events", "--at-least", "error")], ["mpa.crc-mismatch"])
        self.assertEqual(len(site.records("events")), len(notes))

    def test_who_is_far_behind_reads_each_record_a_few_times(self):
        count = 22_000
        site = self.service()
        printed = self.follow(site)
        self.centre("add-sensor", "rack1")
        sensor = Sensor(self, "rack1", 20_000, 20_000)
        self.forward("rack1", sensor.socket)
        wait_until(printed, "the first records")
        os.kill(site.process.process.pid, signal.SIGSTOP)
        try:
            stored = "SELECT sum(id) FROM iwarpscope.cursor WHERE kind IN (1, 2)"
            wait_until(lambda: self.psql(stored) == [[str(count)]], "all in the database")
        finally:
            os.kill(site.process.process.pid, signal.SIGCONT)
        wait_until(lambda: len(printed()) == count, "all at the subscriber")
        site.records("events")  # by pages
        site.process.end()  # its servers count at their end
        others = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader' AND datname = current_database()"
        wait_until(lambda: self.psql(others) == [["0"]], "the end of its servers")
        self.assertGreaterEqual(self.rows_read(), 2 * count)
        self.assertLess(self.rows_read(), 15 * count)

    def test_the_site_shows_what_fails_again_and_what_is_new(self):
        site = self.service()
        self.assertIn("Nothing new since yesterday", site.ask("site").stdout)
        self.assertIn("ask a centre", ask("site", "--socket", self.one().socket, status=2).stderr)
        for name in ("rack1", "rack2"):
            self.centre("add-sensor", name)
        now = int(self.psql("SELECT extract(epoch FROM now())::bigint")[0][0]) * 1_000_000_000
        day = 86_400_000_000_000
        failed, fine = '{"record":"qp","payload_octets":10}', '{"record":"qp"}'
        runs = {name: f"cccccccc-0000-4000-8000-00000000000{i}" for i, name in enumerate(("rack1", "rack2"))}
        for name in ("rack1", "rack2"):
            rows = []
            for back in (5, 3, 0):
                rows.append(record(2, len(rows) + 1, keys="failed", a="192.0.2.9", b="192.0.2.1", stored=now - back * day, runs=runs[name], bodies=failed))
                rows.append(record(2, len(rows) + 1, keys="completed", a="192.0.2.9", b="192.0.2.1", stored=now - back * day, runs=runs[name], bodies=fine))
            rows.append(record(2, len(rows) + 1, keys="refused", a="192.0.2.7", b="192.0.2.8", stored=now, runs=runs[name], bodies=failed))
            rows.append(record(2, len(rows) + 1, keys="completed", a="192.0.2.5", b="192.0.2.6", stored=now, runs=runs[name], bodies=fine))
            found = [record(1, 1, keys="tcp.retransmissions", severities=1, stored=now - 4 * day, runs=runs[name]),
                     record(1, 2, keys="tcp.retransmissions", severities=1, stored=now, runs=runs[name]),
                     record(1, 3, keys="mpa.crc-mismatch", severities=3, stored=now, a="192.0.2.9", b="192.0.2.1", runs=runs[name])]
            uuid = f"dddddddd-0000-4000-8000-00000000000{len(name)}" if name == "rack1" else HISTORY
            self.cluster.psql(delivery(rows + found, sensor=uuid), where=self.cluster.as_sensor(name, self.database))
        shown = wait_until(lambda: (lambda text: text if "192.0.2.7" in text and "2 sensors" in text else "")(site.ask("site").stdout), "the summary")
        self.assertIn("2 sensors, 0 silent", shown)
        news = shown[shown.index("New since yesterday"):shown.index("Pairs of hosts")]
        self.assertRegex(news, r"error +mpa\.crc-mismatch \(\S+\): 2 findings, first after \S+ \d\d:00 UTC, seen by rack1, rack2; most between 192\.0\.2\.1 and 192\.0\.2\.9")
        self.assertNotIn("retransmissions", news)  # it was there four days ago
        pairs = shown[shown.index("Pairs of hosts"):].splitlines()
        # These records have nothing by which they could be joined: each counts.
        self.assertEqual(pairs[1], "  [.+.+..+]  192.0.2.1 - 192.0.2.9: 6 of 12 queue pairs failed, were refused or stalled on 3 days; most hours with mpa.crc-mismatch; seen by rack1, rack2")
        self.assertEqual(pairs[2], "  [......+]  192.0.2.7 - 192.0.2.8: 2 of 2 queue pairs failed, were refused or stalled on 1 day; seen by rack1, rack2")
        self.assertEqual(len(pairs), 3)
        self.assertIn("192.0.2.1 - 192.0.2.9: 3 of 6 queue pairs failed, were refused or stalled on 3 days; most hours with mpa.crc-mismatch; seen by rack2\n",
                      site.ask("site", "--sensor", "rack2").stdout)
        self.assertNotIn("rack1", site.ask("site", "--sensor", "rack2").stdout.split("Pairs of hosts")[1])
        # Records that arrive again, and a service more, change nothing.
        self.service()
        self.assertEqual(self.psql("SELECT sum(qps), sum(failed), sum(payload_octets) FROM iwarpscope.pair_hour"), [["16", "8", "80"]])

    def one(self):
        """Any daemon of one sensor."""
        return Sensor(self, "alone", 0, 1)


class Failover(Following):
    standby = True

    def test_a_subscriber_gets_each_record_once_and_in_order_whatever_dies(self):
        site = self.service()
        sensors, forwards = {}, {}
        for name in ("rack1", "rack2", "rack3"):
            self.centre("add-sensor", name)
            sensors[name] = Sensor(self, name, 4000, 800)
            forwards[name] = self.forward(name, sensors[name].socket, "--wait-ms", "20", "--batch", "50", "--patience", "3")
        wait_until(lambda: "a centre of 3" in site.ask("status").stdout, "the sensors")
        printed = self.follow(site)

        def count():
            return len(printed())
        wait_until(lambda: count() > 500, "records")
        for name in forwards:
            forwards[name].kill()
            forwards[name].start()
        wait_until(lambda: count() > 3000, "records after the forwarders were killed")
        self.cluster.stop("primary")
        self.cluster.promote()
        self.cluster.close_sessions()
        wait_until(lambda: count() >= 3 * 4400, "every record", 120)
        self.assertEqual(len({record["run_uuid"] for record in printed()}), 3)
        for run in {record["run_uuid"] for record in printed()}:
            self.are_all_in_order([record for record in printed() if record["run_uuid"] == run], 1, 4400)
        self.assertEqual({record["sensor"] for record in printed()}, set(sensors))


class Usage(unittest.TestCase):
    def test_what_cannot_be_meant_is_refused_before_the_database_is_asked(self):
        for words, said in ((["add-sensor", "x1", "--api", "foo"], "'foo' is not HOST:PORT"),
                            (["add-sensor", "x1", "--api", "foo:99999"], "'foo:99999' is not HOST:PORT"),
                            (["add-sensor", "x1", "--api", "fd00::1:7470"], "'fd00::1:7470' is not HOST:PORT"),
                            (["foo"], "unknown command 'foo'; see iwarpscope-centre --help"),
                            ([], "A subcommand is required")):
            done = subprocess.run([CENTRE, *words], capture_output=True, text=True, check=False, timeout=60)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(said, done.stderr)


class Clients(Served):
    def test_over_tcp_a_certificate_of_its_ca_is_needed(self):
        port = free_port()
        self.service("--tcp", f"127.0.0.1:{port}", "--certificate", self.folder / "api.pem", "--key", self.folder / "api.key",
                     "--client-ca", self.folder / "ca.pem", "--metadata", "IP:192.0.2.7")
        certificate(self.folder, "operator", "ca", "192.0.2.7")
        certificate(self.folder, "rack7", "ca", "192.0.2.8")  # as one of a sensor
        for name in ("foreign", "mallory"):
            certificate(self.folder, name, None if name == "foreign" else "foreign")
        def tls(name):
            return ["--host", f"127.0.0.1:{port}", "--ca", self.folder / "ca.pem", "--cert", self.folder / f"{name}.pem",
                    "--key", self.folder / f"{name}.key"]
        self.assertIn("a centre of 0 sensors", ask("status", *tls("operator")).stdout)
        ask("status", *tls("mallory"), status=2)
        for command in (["status"], ["qps"], ["findings"], ["history"], ["site"]):
            self.assertIn("may not ask for metadata", ask(*command, *tls("rack7"), status=2).stderr)

    def test_a_schema_of_another_version_is_named(self):
        site = self.service()
        for change, sentence in (("INSERT INTO iwarpscope.migration (number, name, md5, program) SELECT max(number) + 1, 'n', 'm', 'p' FROM iwarpscope.migration",
                                  "newer than this program"),
                                 ("DELETE FROM iwarpscope.migration WHERE number > (SELECT max(number) - 2 FROM iwarpscope.migration)",
                                  "older than this program")):
            self.psql(change)
            status = wait_until(lambda sentence=sentence: (lambda text: text if sentence in text else "")(site.ask("status").stdout), sentence)
            self.assertRegex(status, "(?m)^Database +answers$")
            self.assertRegex(status, f"(?m)^Schema +The schema has version [0-9]+, which is {sentence}")
            self.assertIn(sentence, site.log())

    def test_a_database_that_is_away_is_named_and_found_again(self):
        site = self.service()
        self.assertEqual(site.records("qps"), [])
        self.cluster.close_sessions()
        self.cluster.stop("primary")
        try:
            self.assertIn("database of the centre does not answer", site.ask("qps", status=2).stderr)
            wait_until(lambda: "does not answer" in site.ask("status").stdout, "the trouble in the status")
            for step in ("Sums", "Joins"):
                self.assertRegex(site.ask("status").stdout, rf"(?m)^{step} +not known since \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d UTC, when the database last answered$")
            self.assertIn("database of the centre does not answer", site.ask("events", status=2).stderr)
            self.assertIn("database of the centre does not answer", site.ask("qps", status=2).stderr)
        finally:
            self.cluster.start("primary")
        # No question pays for those before it, whatever the status knows by now.
        self.assertEqual(site.records("qps"), [])
        wait_until(lambda: "Database    answers" in site.ask("status").stdout, "the database again")
        self.assertNotIn("not known since", site.ask("status").stdout)


if __name__ == "__main__":
    unittest.main()
