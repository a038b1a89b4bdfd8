#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What SIGHUP changes while traffic is captured, and what others see of the daemon: live_changes_test.py IWARPSCOPED
IWARPSCOPE SOURCE_DIRECTORY

On a cable of its own: filter, threads, limits and name change in the middle of a connection, and its report is that of the
whole capture.
"""

import re
import shutil
import signal
import socket
import sys
import unittest
import urllib.error
import urllib.request
from pathlib import Path

import http2
from answers import Asking, records, run
from cable import FAR, NEAR, enter, metrics
from running import Folder, Running, wait_until
from send_capture import frames

PROGRAM = CLIENT = ROOT = ""
JOURNAL = Path("/run/systemd/journal/socket")


class Case(unittest.TestCase):
    def setUp(self):
        self.own = Folder().__enter__()
        self.addCleanup(self.own.__exit__)

    def start(self, capture, before="", after=""):
        self.daemon = Running(PROGRAM, self.own.path, self.sections(capture, before, after)).__enter__()
        self.addCleanup(self.daemon.__exit__)
        return self.daemon

    def sections(self, capture, before="", after=""):
        return f'{before}\n[capture]\ninterfaces = ["{FAR}"]\n{capture}\n{after}'

    def reload(self, sections):
        """What the daemon wrote about it."""
        self.daemon.listen()
        before, said = len(self.daemon.notified), len(self.daemon.said())
        self.daemon.configure(sections)
        self.daemon.process.send_signal(signal.SIGHUP)
        self.daemon.wait_for("READY=1", self.daemon.wait_for("RELOADING=1", before))
        return self.daemon.said()[said:]

    def page(self, path):
        """(status, text)."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.daemon.port}{path}", timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def metric(self, name):
        found = re.findall(rf"(?m)^iwarp_{name} (\S+)$", self.page("/metrics")[1])
        self.assertEqual(len(found), 1, name)
        return float(found[0])

    def send(self, all):
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as cable:
            cable.bind((NEAR, 0))
            for frame in all:
                cable.send(frame)

    def captured(self):
        return metrics(self.daemon)["iwarp_capture_packets_total"]

    def threads(self):
        return [(task / "comm").read_text().strip() for task in Path(f"/proc/{self.daemon.process.pid}/task").iterdir()
                if int(task.name) != self.daemon.process.pid]

    def called(self, path, octets=b""):
        """The first message of the answer."""
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(20)
            s.connect(str(self.daemon.socket))
            head = http2.headers("GetStatus").replace(http2.header(":path", http2.OBSERVER + "GetStatus"),
                                                      http2.header(":path", path))
            s.sendall(http2.begin() + http2.frame(http2.HEADERS, http2.END_HEADERS, 1, head) +
                      http2.frame(http2.DATA, http2.END_STREAM, 1, http2.message(octets)))
            reader = http2.Reader()
            while not reader.is_over:
                messages, answer = reader.take(s.recv(1 << 20))
                if messages:
                    return messages[0]
                s.sendall(answer)
        return None


class Changes(Case):
    def test_in_the_middle_of_a_connection_change_its_report_in_nothing(self):
        capture = Path(ROOT) / "samples/siw/viol-crc-error.pcap"
        sent = frames(capture)
        self.start('filter = "port 1"', 'sensor = "one"', "[analysis]\nthreads = 1\n")
        self.send(sent)
        self.assertEqual(self.threads().count("worker"), 1)
        said = self.reload(self.sections('filter = "tcp or udp"', 'sensor = "one"', "[analysis]\nthreads = 1\n"))
        self.assertIn("applied: capture.filter.", said)
        udp = b"\2" * 12 + b"\x08\x00" + bytes.fromhex("4500001c000000004011000001020304010203050007000700080000") + bytes(18)

        def marked():
            self.send([udp])
            return self.captured()

        wait_until(marked, "a frame that the new filter lets through")
        middle = len(sent) // 2
        self.send(sent[:middle])
        wait_until(lambda: metrics(self.daemon).get("iwarp_qp_opened_total") == 1, "a queue pair")
        said = self.reload(self.sections('filter = "tcp"', 'sensor = "two"',
                                         "[analysis]\nthreads = 3\n[limits]\nmessages = 7\nafter_end = \"29 s\"\n"))
        for name in ("sensor", "capture.filter", "analysis.threads", "limits.messages", "limits.after_end"):
            self.assertRegex(said, rf"applied: .*{name}")
        self.assertNotIn("restart", said)
        wait_until(lambda: self.threads().count("worker") == 3, "three workers")
        self.send(sent[middle:])
        ask = Asking(CLIENT, self.daemon)
        truth = run(CLIENT, "analyze", "--format", "json", capture, check=True).stdout

        def report(text):
            return ([(qp["state"], qp["verdict"]["class"], qp["verdict"]["code"]) for qp in records(text, "qp")])

        def rules(text):
            # One is about a host, and comes when the capture ends.
            return sorted(one["id"] for one in records(text, "finding") if one["id"] != "mpa.clear-text")

        wait_until(lambda: self.captured() >= len(sent), "all frames")
        wanted = (rules(truth), report(truth))
        try:
            wait_until(lambda: (rules(ask("findings")), report(ask("qps"))) == wanted, "the same report", 10)
        except AssertionError:
            self.assertEqual((rules(ask("findings")), report(ask("qps"))), wanted)
        text = self.page("/metrics")[1]
        self.assertNotIn('sensor="one"', text)
        self.assertIn('iwarp_table_limit{sensor="two",table="remembered-messages"} 7\n', text)
        self.assertEqual(sum(map(float, re.findall(r"(?m)^iwarp_capture_drops_total{.*} (\S+)$", text))), 0)

    def test_of_interfaces_need_a_restart_and_their_own_filters_do_not(self):
        own = f'[[capture.interface]]\nname = "{FAR}"\nfilter = "%s"\n'
        self.start("", after=own % "port 1")
        said = self.reload(self.sections("", after=own % "port 2"))
        self.assertIn("applied: capture.interface.", said)
        said = self.reload(self.sections("", after=own % "port 2" + "workers = 2\n"))
        self.assertIn("capture.interface is not changed: it needs a restart.", said)
        self.assertEqual(self.metric('config_keys_waiting{.*}'), 1)

    def test_are_metrics(self):
        self.start("")
        first = self.metric("config_hash{.*}")
        self.assertEqual(self.metric("config_last_reload_successful{.*}"), 1)
        self.reload(self.sections('filter = "tcp"'))
        second = self.metric("config_hash{.*}")
        self.assertNotEqual(first, second)
        self.reload("[nonsense]\n")
        self.assertEqual(self.metric("config_last_reload_successful{.*}"), 0)
        self.assertEqual(self.metric("config_hash{.*}"), second)
        self.reload(self.sections(""))
        self.assertEqual((self.metric("config_hash{.*}"), self.metric("config_last_reload_successful{.*}")), (first, 1))


class Seen(Case):
    def test_threads_are_few_and_all_have_names(self):
        self.start("")
        self.assertEqual(run(CLIENT, "status", "--socket", self.daemon.socket).returncode, 0)
        self.assertEqual(self.page("/healthz")[0], 200)
        names = self.threads()
        self.assertLess(len(names), 40, names)
        # gRPC names its own.
        self.assertNotIn("iwarpscoped", names)
        for name in ("analysis", "worker", "capture", "metrics", "api-accept", "api-answers", "out-history", "recorder"):
            self.assertIn(name, names)

    def test_health_is_known_of_each_service(self):
        self.start("")
        serving = http2.field(1, 1)
        for service in (b"", b"iwarpscope.v1.Observer", b"iwarpscope.v1.Control"):
            wait_until(lambda: self.called("/grpc.health.v1.Health/Check", http2.field(1, service)) == serving, service)

    def test_pages_begin_at_first_as_at_from(self):
        self.start("")
        self.send(frames(Path(ROOT) / "samples/siw/viol-crc-error.pcap"))
        ask = Asking(CLIENT, self.daemon)
        wait_until(lambda: len(records(ask("findings"), "finding")) > 1, "findings")
        all = [value for number, value in http2.fields(self.called(http2.OBSERVER + "ListFindings")) if number == 1]
        for name in (2, 4):
            some = [value for number, value in http2.fields(self.called(http2.OBSERVER + "ListFindings", http2.field(name, 2)))
                    if number == 1]
            self.assertEqual(some, all[1:])

    def test_records_of_discarded_queue_pairs_are_no_entries(self):
        capture = self.own.path / "capture.pcap.gz"
        shutil.copy(Path(ROOT) / "samples/siw/many-100-rping-crc.pcap.gz", capture)
        self.daemon = Running(PROGRAM, self.own.path, "[limits]\nended_queue_pairs = 3\n", ["-r", capture]).__enter__()
        self.addCleanup(self.daemon.__exit__)
        wait_until(lambda: metrics(self.daemon)["iwarp_capturing"] == 0, "the end of the replay")
        entries = 0
        for qp in records(Asking(CLIENT, self.daemon)("qps"), "qp"):
            page = self.called(http2.OBSERVER + "ListMessages", http2.field(1, qp["qp"]) + http2.field(3, 5000))
            entries += sum(1 for number, _ in http2.fields(page) if number == 1)
        self.assertGreater(entries, 0)
        self.assertEqual(self.metric('table_entries{sensor="[^"]*",table="remembered-messages"}'), entries)

    @unittest.skipIf(JOURNAL.exists(), "a journal runs here")
    def test_without_a_journal_the_daemon_is_ready(self):
        self.daemon = Running(PROGRAM, self.own.path, self.sections(""))
        text = self.daemon.file.read_text()
        self.daemon.file.write_text(text.replace("[journal]\nenabled = false", "[journal]\nenabled = true"))
        self.daemon.__enter__()
        self.addCleanup(self.daemon.__exit__)
        self.send(frames(Path(ROOT) / "samples/siw/viol-crc-error.pcap"))
        wait_until(lambda: metrics(self.daemon).get("iwarp_qp_opened_total") == 1, "a queue pair")
        self.assertEqual(self.page("/readyz"), (200, "Capturing; all outputs work.\n"))
        self.assertIn("No journal on this machine", self.daemon.said())
        outputs = [one["name"] for one in Asking(CLIENT, self.daemon).status()["outputs"]]
        self.assertNotIn("journal", outputs)


if __name__ == "__main__":
    PROGRAM, CLIENT, ROOT = sys.argv[1:4]
    enter()
    unittest.main(argv=sys.argv[:1], verbosity=2)
