#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The whole program, on an interface and replaying: daemon_test.py IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY"""

import json
import os
import re
import shutil
import signal
import socket
import sys
import time
import unittest
import urllib.request
from pathlib import Path

import http2
from answers import findings, records, run, verdicts
from certificates import certificate
from running import Folder, Running, free_port, wait_until

PROGRAM = CLIENT = ROOT = ""
HERE = Path(__file__).resolve().parent


class Case(unittest.TestCase):
    def setUp(self):
        self.own = Folder().__enter__()
        self.addCleanup(self.own.__exit__)
        self.folder = self.own.path

    def sample(self, name):
        """A copy where the daemon's user may read it."""
        copy = self.folder / name
        shutil.copy(Path(ROOT) / "samples/siw" / name, copy)
        return copy

    def start(self, sections="", arguments=(), before=()):
        daemon = Running(PROGRAM, self.folder, sections, arguments, before).__enter__()
        self.addCleanup(daemon.__exit__)
        return daemon

    def analyzed(self, capture):
        return run(CLIENT, "analyze", "--format", "json", capture, check=True).stdout

    def ask(self, daemon, *words):
        return run(CLIENT, *words, "--format", "json", "--socket", daemon.socket)

    def metric(self, daemon, name):
        with urllib.request.urlopen(f"http://127.0.0.1:{daemon.port}/metrics", timeout=10) as answer:
            values = [line.split()[-1] for line in answer.read().decode().splitlines() if line.startswith(name + "{")]
        return sum(map(float, values))

    def hup(self, daemon):
        daemon.listen()
        before = len(daemon.notified)
        said = len(daemon.said())
        daemon.process.send_signal(signal.SIGHUP)
        daemon.wait_for("READY=1", daemon.wait_for("RELOADING=1", before))
        return daemon.said()[said:]

    def wait_for_end(self, daemon):
        wait_until(lambda: self.metric(daemon, "iwarp_capturing") == 0, "the end of the replay")

    def log(self):
        return (self.folder / "events.jsonl").read_text()


class Instances(Case):
    """Two daemons, each with the folders that systemd makes for its unit, and no path in the configuration."""

    def start_instance(self, name, capture):
        folder = self.folder / name
        folders = {f"{kind}_DIRECTORY": folder / kind.lower() for kind in ("RUNTIME", "STATE", "LOGS")}
        for path in (folder, *folders.values()):
            path.mkdir()
            if os.geteuid() == 0:
                shutil.chown(path, "nobody", "nogroup")
        daemon = Running(PROGRAM, folder, "", ["-r", capture], ["env", *(f"{k}={v}" for k, v in folders.items())])
        user = 'user = "nobody"\ngroup = "nogroup"\n' if os.geteuid() == 0 else ""
        daemon.file.write_text(f'[metrics]\naddress = "127.0.0.1:{daemon.port}"\n[journal]\nenabled = false\n[process]\n{user}')
        daemon.socket = folder / "runtime/iwarpscoped.sock"
        daemon.__enter__()
        self.addCleanup(daemon.__exit__)
        return daemon

    def test_run_side_by_side_in_the_folders_of_their_units(self):
        capture = self.sample("viol-crc-error.pcap")
        daemons = [self.start_instance(name, capture) for name in ("one", "two")]
        for daemon in daemons:
            self.wait_for_end(daemon)
            self.assertIn("MF-04", self.ask(daemon, "findings").stdout)
            for name in ("logs/events.jsonl", "state/history.sqlite", "state/recordings"):
                self.assertTrue((daemon.folder / name).exists(), name)


class Storm(Case):
    """Many findings: what is reported of them, and which recordings are made and stay."""

    RULE = "MF-04"

    @staticmethod
    def codes(text):
        return {finding["code"] for finding in records(text, "finding")}

    def test_suppressed_findings_are_counted_and_nowhere_else(self):
        capture = self.sample("viol-crc-error.pcap")
        others = self.codes(self.analyzed(capture)) - {self.RULE}
        line = f"suppress {self.RULE}, track by_src, ip 10.77.0.0/16"
        daemon = self.start(f'[findings]\nthresholds = ["{line}"]\n', ["-r", capture])
        self.wait_for_end(daemon)
        self.assertTrue(others)
        self.assertEqual(self.codes(self.ask(daemon, "findings").stdout), others)
        withheld = self.metric(daemon, "iwarp_findings_withheld_total")
        self.assertGreater(withheld, 0)
        self.assertEqual(self.metric(daemon, "iwarp_mpa_crc_errors_total"), withheld)
        self.assertFalse(list((self.folder / "recordings").glob(f"*{self.RULE}*")))
        self.assertIn(f"{int(withheld)} withheld by findings.thresholds", run(CLIENT, "status", "--socket", daemon.socket).stdout)
        daemon.file.write_text(daemon.file.read_text().replace(line, "suppress any"))
        self.assertIn("applied: findings.thresholds", self.hup(daemon))
        daemon.file.write_text(daemon.file.read_text().replace("suppress any", "suppress any, count 1"))
        self.assertIn('findings.thresholds: "suppress any, count 1": suppress has no "count".', self.hup(daemon))
        daemon.stop()
        self.assertNotIn(f'"{self.RULE}"', self.log())

    def test_first_recording_of_a_rule_is_kept_and_a_quota_ends_the_storm(self):
        capture = self.sample("viol-crc-error.pcap")
        folder = self.folder / "recordings"
        folder.mkdir()
        hour = 3600
        old = [("20260101T000000Z-qp1-RM-06.pcapng", 5 * hour)]
        old += [(f"20260101T{i // 60:02}{i % 60:02}30Z-qp{i}-{self.RULE}.pcapng", 4 * hour - i) for i in range(150)]
        for name, age in old:
            (folder / name).write_bytes(b"")
            os.utime(folder / name, (time.time() - age, time.time() - age))
        if os.geteuid() == 0:
            shutil.chown(folder, "nobody", "nogroup")
        other = self.sample("viol-mpa-reply-ird-insufficient.pcap")  # another rule, the same hosts
        daemon = self.start("[recorder]\nfiles = 10\nper_pair = 1\nafter = \"0 s\"\n", ["-r", capture, "-r", other])
        self.wait_for_end(daemon)
        wait_until(lambda: self.metric(daemon, "iwarp_output_withheld_total") > 0, "a finding over the quota")
        daemon.stop()
        left = sorted(path.name for path in folder.iterdir())
        self.assertEqual(len(left), 10)
        self.assertIn(old[0][0], left)
        self.assertIn(old[1][0], left)
        self.assertEqual([self.RULE in name for name in left if name not in dict(old)], [True])


class Replay(Case):
    def test_event_log_and_answers_are_what_analyze_says(self):
        for name in ["viol-crc-error.pcap", "viol-stag-unknown.pcap", "connect-closed-port.pcap"]:
            if not (Path(ROOT) / "samples/siw" / name).exists():
                continue
            with self.subTest(name):
                shutil.rmtree(self.folder / "recordings", ignore_errors=True)
                (self.folder / "events.jsonl").unlink(missing_ok=True)
                capture = self.sample(name)
                truth = self.analyzed(capture)
                daemon = self.start(arguments=["-r", capture])
                self.wait_for_end(daemon)
                answer = self.ask(daemon, "findings")
                self.assertEqual(answer.returncode, 0, answer.stderr)
                self.assertEqual(findings(answer.stdout), findings(truth))
                self.assertEqual(verdicts(self.ask(daemon, "qps").stdout), verdicts(truth))
                seconds, status = daemon.stop()
                self.assertEqual(status, 0, daemon.said())
                self.assertLess(seconds, 10)
                self.assertEqual(findings(self.log()), findings(truth))
                self.assertEqual(verdicts(self.log()), verdicts(truth))

    def test_ends_by_itself_when_asked_to_with_everything_written(self):
        capture = self.sample("viol-crc-error.pcap")
        daemon = Running(PROGRAM, self.folder, "", [])
        with open(capture, "rb") as stdin:
            ended = run(*daemon.command, "-r", "-", "--exit-at-end", stdin=stdin)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(findings(self.log()), findings(self.analyzed(capture)))
        bad = self.folder / "no capture"
        bad.write_text("no capture at all")
        for files in [(capture, bad), (bad, capture)]:
            ended = run(*daemon.command, *(word for file in files for word in ("-r", file)), "--exit-at-end")
            self.assertEqual(ended.returncode, 1, ended.stderr)
            self.assertIn("not a capture file", ended.stderr)

    def test_lost_frames_are_logged_with_what_helps(self):
        capture = self.sample("viol-crc-error.pcap")
        daemon = self.start("[simulate]\nfull_queue_every = 1\n", ["-r", capture])
        self.wait_for_end(daemon)
        daemon.stop()
        count = sum(1 for _ in frames_of(capture))
        lines = [line for line in daemon.said().splitlines() if " lost: " in line]
        lost = sum(int(re.search(r": (\d+) frames? w", line)[1]) for line in lines)
        self.assertEqual(lost, count, lines)
        for line in lines:
            self.assertIn("before the analysis (analysis.threads", line)

    def test_history_outlives_a_kill_and_the_socket_is_taken_over(self):
        capture = self.sample("viol-crc-error.pcap")
        first = self.start(arguments=["-r", capture])
        self.wait_for_end(first)

        def kept(daemon):
            answer = self.ask(daemon, "history")
            self.assertEqual(answer.returncode, 0, answer.stderr)
            return len(records(answer.stdout, "finding"))

        before = wait_until(lambda: kept(first), "findings in the history")
        first.stop(signal.SIGKILL)
        self.assertTrue(first.socket.exists())
        second = self.start(arguments=["-r", capture])
        self.assertGreaterEqual(kept(second), before)
        wait_until(lambda: kept(second) >= 2 * before, "findings of the second run")
        self.assertEqual(second.stop()[1], 0)
        self.assertFalse(second.socket.exists())

    def test_nothing_is_left_of_root_in_any_thread(self):
        daemon = self.start(arguments=["-r", self.sample("viol-crc-error.pcap")])
        self.wait_for_end(daemon)
        self.ask(daemon, "findings")
        sanitized = daemon.is_sanitized()
        tasks = list(Path(f"/proc/{daemon.process.pid}/task").iterdir())
        self.assertGreater(len(tasks), 4)
        for task in tasks:
            status = dict(line.split(":\t", 1) for line in (task / "status").read_text().splitlines() if ":\t" in line)
            for name in ["CapInh", "CapPrm", "CapEff", "CapAmb"]:
                self.assertEqual(int(status[name], 16), 0, name)
            self.assertEqual(status["NoNewPrivs"], "1")
            if not sanitized and "seccomp cannot be used" not in daemon.said():
                self.assertEqual(status["Seccomp"], "2")
            if os.geteuid() == 0:
                self.assertNotIn("0", status["Uid"].split())
                self.assertEqual(status["Groups"].split(), [])

    def test_watchdog_is_fed_again_and_again(self):
        daemon = self.start(arguments=["-r", self.sample("viol-crc-error.pcap")])
        self.wait_for_end(daemon)
        for _ in range(3):
            daemon.wait_for("WATCHDOG=1", len(daemon.notified))


class Certificates(Case):
    def test_clients_with_certificates_are_served_from_inside_the_sandbox_and_no_others_and_renewed(self):
        for name, signer in [("ca", None), ("server", "ca"), ("client", "ca"), ("stranger", None)]:
            certificate(self.folder, name, signer)
        port = free_port()
        daemon = self.start(f'[api]\ntcp = "127.0.0.1:{port}"\ncertificate = "{self.folder}/server.pem"\n'
                            f'key = "{self.folder}/server.key"\nclient_ca = "{self.folder}/ca.pem"\n',
                            ["-r", self.sample("viol-crc-error.pcap")])

        def ask(name):
            return run(CLIENT, "status", "--host", f"127.0.0.1:{port}", "--ca", self.folder / "ca.pem", "--cert",
                       self.folder / f"{name}.pem", "--key", self.folder / f"{name}.key")

        served = ask("client")
        self.assertEqual(served.returncode, 0, served.stderr)
        self.assertNotEqual(ask("stranger").returncode, 0)
        self.assertIsNone(daemon.process.poll(), daemon.said())

        # Renewed: another file of the same name, from another authority for this server alone.
        (self.folder / "server.pem").unlink()
        (self.folder / "server.pem").write_text("damaged")
        self.assertIn("The API keeps its old certificates: " + str(self.folder / "server.pem"), self.hup(daemon))
        self.assertEqual(ask("client").returncode, 0)
        certificate(self.folder, "other")
        certificate(self.folder, "server", "other")
        self.assertNotIn("keeps its old certificates", self.hup(daemon))
        refused = ask("client")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("accept each other's certificates", refused.stderr)
        shutil.copy(self.folder / "other.pem", self.folder / "ca.pem.new")
        (self.folder / "ca.pem.new").rename(self.folder / "ca.pem")
        self.assertNotIn("keeps its old certificates", self.hup(daemon))
        certificate(self.folder, "client", "other")
        self.assertEqual(ask("client").returncode, 0)


SLOW = "[capture]\nreplay_speed = 0.000001\n"


class Reload(Case):
    def slow(self):
        """A replay that does not end: an output writes as long as there is something to come."""
        return self.start(SLOW, ["-r", self.sample("viol-crc-error.pcap")])

    def test_event_log_is_opened_again(self):
        daemon = self.slow()
        wait_until(lambda: (self.folder / "events.jsonl").exists(), "an event log")
        (self.folder / "events.jsonl").rename(self.folder / "aside")
        self.assertIn("Files were reopened", self.hup(daemon))
        wait_until(lambda: (self.folder / "events.jsonl").exists(), "a new event log")

    def test_what_can_change_does_and_the_rest_is_named(self):
        daemon = self.slow()
        daemon.configure("[history]\nkeep = \"2 d\"\n" + SLOW + "workers = 2\n")
        said = self.hup(daemon)
        self.assertIn("applied: history.keep.", said)
        self.assertIn("capture.workers is not changed: it needs a restart.", said)
        wait_until(lambda: (self.folder / "events.jsonl").exists(), "an event log")
        (self.folder / "events.jsonl").rename(self.folder / "aside")
        daemon.file.write_text(daemon.file.read_text().replace("events.jsonl", "other.jsonl"))
        self.assertIn("applied: event_log.path.", self.hup(daemon))
        wait_until(lambda: (self.folder / "other.jsonl").exists(), "the other event log")
        (self.folder / "events.jsonl").unlink(missing_ok=True)  # on a slow machine the first signal made it again
        time.sleep(0.3)
        self.assertFalse((self.folder / "events.jsonl").exists())
        seconds, status = daemon.stop()
        self.assertEqual((status, seconds < 10), (0, True), daemon.said())

    def test_bad_file_changes_nothing(self):
        daemon = self.slow()
        daemon.configure("[history]\nkeep = \"for ever\"\n[capturre]\n")
        said = self.hup(daemon)
        self.assertIn("The configuration is not changed: ", said)
        self.assertRegex(said, r"iwarpscoped.toml:\d+:8: history.keep: ")
        self.assertIn('did you mean "capture"?', said)
        self.assertEqual(self.ask(daemon, "findings").returncode, 0)


    def test_event_log_elsewhere_takes_a_restart(self):
        daemon = self.slow()
        wait_until(lambda: (self.folder / "events.jsonl").exists(), "an event log")
        daemon.file.write_text(daemon.file.read_text().replace(f"{self.folder}/events.jsonl", "/var/tmp/events.jsonl"))
        said = self.hup(daemon)
        self.assertIn("event_log.path is not changed: it needs a restart.", said)
        self.assertNotIn("applied:", said)
        self.assertEqual(self.ask(daemon, "status").returncode, 0)

    def test_empty_file_is_known_as_one(self):
        daemon = self.slow()
        daemon.file.write_text("")
        said = self.hup(daemon)
        self.assertIn(f"{daemon.file} contains no keys: all keys have their defaults.", said)
        self.assertIn("event_log.path is not changed", said)
        daemon.file.unlink()
        self.assertIn("cannot be read: No such file", self.hup(daemon))

    def test_filter_is_compiled_inside_the_sandbox(self):
        daemon = self.slow()
        daemon.configure(SLOW + 'filter = "this is not ( a filter"\n')
        self.assertRegex(self.hup(daemon), "The configuration is not changed: .*toml:3:10: capture.filter: filter 'this is not")
        daemon.configure(SLOW + 'filter = "host localhost and port https"\n')
        self.assertIn("capture.filter is not changed: it needs a restart.", self.hup(daemon))
        self.assertEqual(self.ask(daemon, "status").returncode, 0)


class Unread(Case):
    """systemd, or its replacement, reads none of its notifications."""

    def fill(self, daemon):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
            other.setblocking(False)
            other.connect(str(self.folder / "notify"))
            with self.assertRaises(BlockingIOError):
                while True:
                    other.send(b"STATUS=full")

    def test_that_holds_up_neither_a_reload_nor_the_watchdog_nor_the_end(self):
        daemon = self.start(SLOW, ["-r", self.sample("viol-crc-error.pcap")])
        self.fill(daemon)
        daemon.process.send_signal(signal.SIGHUP)
        wait_until(lambda: "Files were reopened" in daemon.said(), "the reload")
        daemon.listen()
        daemon.wait_for("WATCHDOG=1", len(daemon.notified))
        self.fill(daemon)
        seconds, status = daemon.stop()
        self.assertEqual((status, seconds < 10), (0, True), daemon.said())


class Readers(Case):
    """Clients whose answers do not go out at once: gRPC itself waits with the end for those that never read, and ten
    seconds and more after the others have."""

    COUNT = 20  # of answers that are more than a socket holds

    def client(self, daemon):
        client = socket.socket(socket.AF_UNIX)
        self.addCleanup(client.close)
        client.settimeout(60)
        client.connect(str(daemon.socket))
        client.sendall(http2.begin(1 << 30) + b"".join(http2.call("ListRules", b"", 1 + 2 * n) for n in range(self.COUNT)))
        return client

    def check_end(self, daemon):
        seconds, status = daemon.stop()
        self.assertEqual((status, seconds < 5), (0, True), f"after {seconds:.1f} s: {daemon.said()}")

    def test_that_never_read_hold_up_no_end(self):
        daemon = self.start(arguments=["-r", self.sample("viol-crc-error.pcap")])
        for _ in range(3):
            self.client(daemon)
        self.assertEqual(self.ask(daemon, "status").returncode, 0)
        self.check_end(daemon)

    def test_that_read_late_hold_up_no_end(self):
        for _ in range(4):
            daemon = self.start(arguments=["-r", self.sample("viol-crc-error.pcap")])
            client, reader, taken = self.client(daemon), http2.Reader(), 0
            self.assertEqual(self.ask(daemon, "status").returncode, 0)
            while taken < self.COUNT:
                messages, answer = reader.take(client.recv(1 << 20))
                taken += len(messages)
                client.sendall(answer)
            client.close()
            self.check_end(daemon)


class Start(Case):
    def refused(self, status, sections, *arguments):
        daemon = Running(PROGRAM, self.folder, sections, arguments)
        ended = run(*daemon.command)
        self.assertEqual(ended.returncode, status, ended.stderr)
        self.assertNotIn("All records are written", ended.stderr)
        return ended.stderr

    def test_mistakes_are_reported(self):
        self.assertIn("iwarpscoped.toml:1:", self.refused(2, "sensor = 3\n"))
        self.assertIn("No capture source", self.refused(2, ""))
        self.assertIn("iwarpscoped.toml:2:10: capture.filter", self.refused(2, '[capture]\nfilter = "("\n', "-i", "lo"))
        self.assertIn("api.socket: a socket path", self.refused(2, "", "-i", "lo", "--socket", "/" + 150 * "s"))

    def test_what_cannot_be_opened_may_be_tried_again(self):
        self.assertIn("/nowhere/at/all.pcap", self.refused(1, "", "-r", "/nowhere/at/all.pcap"))
        self.assertIn("no-such-if", self.refused(1, "", "-i", "no-such-if"))

    def test_port_of_another_is_reported_last_and_as_what_it_is(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            address = "127.0.0.1:%d" % other.getsockname()[1]
            daemon = Running(PROGRAM, self.folder, "", ["-r", self.sample("viol-crc-error.pcap")])
            daemon.file.write_text(daemon.file.read_text().replace(f"127.0.0.1:{daemon.port}", address))
            ended = run(*daemon.command)
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertRegex(ended.stderr.splitlines()[-1], f"error: Metrics cannot be served at {address}: .*in use")

    def test_socket_of_a_living_daemon_is_left_alone(self):
        capture = self.sample("viol-crc-error.pcap")
        daemon = self.start(arguments=["-r", capture])
        self.assertIn(str(daemon.socket), self.refused(1, "[history]\nenabled = false\n", "-r", capture))
        self.assertEqual(self.ask(daemon, "status").returncode, 0)

    def test_socket_that_is_removed_is_created_again_from_inside_the_sandbox(self):
        daemon = self.start(SLOW, ["-r", self.sample("viol-crc-error.pcap")])
        mode = daemon.socket.stat().st_mode
        daemon.socket.unlink()
        wait_until(daemon.socket.exists, "another socket")
        wait_until(lambda: f"warning: {daemon.socket}: the socket was removed or replaced; the API listens there again."
                   in daemon.said(), "a warning")
        self.assertEqual(daemon.socket.stat().st_mode, mode)
        self.assertEqual(self.ask(daemon, "status").returncode, 0)

    def test_history_of_a_living_daemon_is_left_alone_and_that_of_a_dead_one_is_not(self):
        capture = self.sample("viol-crc-error.pcap")
        daemon = self.start(arguments=["-r", capture])
        wait_until((self.folder / "history.sqlite.lock").exists, "a history")
        other = "--socket", self.folder / "other.sock"
        self.assertIn(f"{self.folder}/history.sqlite: another daemon writes this history; stop that daemon, or set "
                      "history.path to another file.", self.refused(1, "", "-r", capture, *other))
        checked = run(PROGRAM, "--check-config", daemon.file)
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))
        daemon.stop(signal.SIGKILL)
        self.start(arguments=["-r", capture, *other])

    @unittest.skipIf(os.geteuid() != 0, "it takes root to become nobody, or to stay root")
    def test_user_is_the_configured_one_and_its_missing_rights_are_reported(self):
        capture = self.sample("viol-crc-error.pcap")
        closed = self.folder / "closed"
        closed.mkdir(mode=0o700)
        daemon = Running(PROGRAM, self.folder, SLOW, ["-r", capture])
        daemon.file.write_text(daemon.file.read_text().replace("events.jsonl", "closed/events.jsonl"))
        daemon.__enter__()
        self.addCleanup(daemon.__exit__)
        wait_until(lambda: "Permission denied (the daemon runs as nobody)" in daemon.said(), "the user that has no permission")
        self.assertIn("Permission denied (the daemon runs as nobody)", self.ask(daemon, "status").stdout)
        self.assertEqual(daemon.stop()[1], 0, daemon.said())
        # Without a user the daemon stays root and ignores the default group, which may not exist on this machine.
        daemon.file.write_text(daemon.file.read_text().replace('user = "nobody"\ngroup = "nogroup"', 'user = ""')
                               .replace(SLOW, ""))
        for path in [self.folder, *self.folder.iterdir()]:
            os.chown(path, 0, 0)  # without capabilities root may not write elsewhere either
        ended = run(*daemon.command, "--exit-at-end")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertTrue((closed / "events.jsonl").exists())

    def test_check_config_names_the_place(self):
        bad = self.folder / "bad.toml"
        bad.write_text("[api]\nsockets = 1\n")
        ended = run(PROGRAM, "--check-config", bad)
        self.assertEqual(ended.returncode, 2)
        self.assertIn(f"{bad}:2:1: ", ended.stderr)
        bad.write_text('[process]\nuser = "no such user"\n[api]\nsocket_mode = "0666"\n')
        ended = run(PROGRAM, "--check-config", bad)
        self.assertEqual(ended.returncode, 2)
        self.assertEqual(ended.stderr.splitlines()[0], f'{bad}:2:8: process.user: this machine has no user "no such user".')
        self.assertIn(f"{bad}:4:15: api.socket_mode: with mode 0666, every user", ended.stderr)
        self.assertNotIn("OK", ended.stdout)
        good = run(PROGRAM, "--check-config", Path(ROOT) / "daemon/share/iwarpscoped.toml")
        self.assertEqual(good.returncode, 0, good.stderr)

    def test_printed_configuration_is_that_of_the_tree(self):
        self.assertEqual(run(PROGRAM, "--print-config").stdout, (Path(ROOT) / "daemon/share/iwarpscoped.toml").read_text())


class Live(Case):
    """A veth cable in a network namespace of its own; the daemon's metrics are asked from inside it."""

    def setUp(self):
        super().setUp()
        self.space = f"iwarpscoped-{os.getpid()}"
        made = run("ip", "netns", "add", self.space)
        if made.returncode != 0:
            self.skipTest("network namespaces cannot be made here: it takes root")
        self.addCleanup(run, "ip", "netns", "del", self.space)
        self.inside = ["ip", "netns", "exec", self.space]
        run(*self.inside, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1", "net.ipv6.conf.default.disable_ipv6=1")
        run(*self.inside, "ip", "link", "add", "wire0", "mtu", "9000", "type", "veth", "peer", "name", "wire1", "mtu",
            "9000", check=True)
        for name in ["lo", "wire0", "wire1"]:
            run(*self.inside, "ip", "link", "set", name, "up", check=True)

    def frames(self, daemon):
        answer = self.ask(daemon, "status")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        status = json.loads(answer.stdout.splitlines()[0])
        return int(status["interfaces"][0]["frames"])

    def test_findings_on_an_interface_are_those_of_the_file(self):
        capture = self.sample("viol-crc-error.pcap")
        truth = self.analyzed(capture)
        count = sum(1 for _ in frames_of(capture))
        daemon = self.start(arguments=["-i", "wire1"], before=self.inside)
        run(*self.inside, sys.executable, "-B", HERE / "send_capture.py", "wire0", capture, check=True)
        wait_until(lambda: self.frames(daemon) == count, f"{count} frames")
        wait_until(lambda: findings(self.ask(daemon, "findings").stdout) == findings(truth, of_qps_only=True),
                   "the same findings")
        self.assertEqual([qp["qp"] for qp in records(self.ask(daemon, "qps").stdout, "qp")], [0])
        daemon.listen()  # there is room for one more word
        seconds, status = daemon.stop()
        self.assertEqual(status, 0, daemon.said())
        self.assertLess(seconds, 10)
        self.assertIn("STOPPING=1", (daemon.listen(), daemon.notified)[1])
        self.assertEqual(findings(self.log()), findings(truth))
        self.assertEqual(verdicts(self.log()), verdicts(truth))

    def test_interface_that_is_up_again_is_no_warning_any_more(self):
        daemon = self.start(arguments=["-i", "wire1"], before=self.inside)
        run(*self.inside, "ip", "link", "set", "wire1", "down", check=True)
        wait_until(lambda: "warning: wire1: the interface is down" in daemon.said(), "a warning")
        self.assertIn("the interface is down", self.ask(daemon, "status").stdout)
        run(*self.inside, "ip", "link", "set", "wire1", "up", check=True)
        wait_until(lambda: "iwarpscoped: wire1: the interface is up again" in daemon.said(), "good news")
        self.assertNotIn("the interface is", self.ask(daemon, "status").stdout)

    def test_interface_that_goes_away_is_reported(self):
        daemon = self.start(arguments=["-i", "wire1"], before=self.inside)
        run(*self.inside, "ip", "link", "del", "wire0", check=True)
        wait_until(lambda: "warning: " in daemon.said() and "wire1" in daemon.said().split("warning: ", 1)[1],
                   "a warning")
        self.assertIsNone(daemon.process.poll())
        self.assertEqual(daemon.stop()[1], 0, daemon.said())


def frames_of(path):
    sys.path.insert(0, str(HERE))
    from send_capture import frames
    return frames(path)


if __name__ == "__main__":
    ROOT, CLIENT, PROGRAM = sys.argv.pop(), sys.argv.pop(), sys.argv.pop()
    unittest.main()
