#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Who may do what with the whole daemon: access_test.py IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY

Users of the Unix socket are other users and groups of this machine, by setpriv(1): that needs root. Clients over TCP are
`iwarpscope` with certificates that openssl(1) makes, revokes and lists.
"""

import os
import re
import shutil
import signal
import socket
import ssl
import sys
import time
import unittest
import urllib.request
from pathlib import Path

import http2
from answers import run
from running import Folder, Running, free_port, wait_until
from tls_test import CONFIGURATION

PROGRAM = CLIENT = ROOT = ""
ANA, BEN, OPERATORS = 61001, 61002, 61003  # two users and a group that this machine does not know


def metric(daemon, start):
    """The sum of the lines that begin so."""
    with urllib.request.urlopen(f"http://127.0.0.1:{daemon.port}/metrics", timeout=10) as answer:
        return sum(float(line.split()[-1]) for line in answer.read().decode().splitlines() if line.startswith(start))


def count(daemon, method, code):
    with urllib.request.urlopen(f"http://127.0.0.1:{daemon.port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    return sum(map(float, re.findall(rf'iwarp_api_calls_total{{.*method="{method}",code="{code}"}} (\d+)', text)))


class Case(unittest.TestCase):
    def setUp(self):
        self.own = Folder().__enter__()
        self.addCleanup(self.own.__exit__)
        self.folder = self.own.path
        self.capture = self.folder / "capture.pcap"
        shutil.copy(Path(ROOT) / "samples/siw/viol-crc-error.pcap", self.capture)

    def start(self, sections, is_endless=False):
        """After the replay has ended, or with one that will not end."""
        if is_endless:
            sections += "[capture]\nreplay_speed = 0.0001\n"
        self.daemon = daemon = Running(PROGRAM, self.folder, sections, ["-r", self.capture]).__enter__()
        self.addCleanup(daemon.__exit__)
        if not is_endless:
            wait_until(lambda: metric(daemon, "iwarp_capturing{") == 0, "the end of the replay")
        return daemon

    def subscribed(self, connection):
        """Its first reply has come."""
        connection.sendall(http2.begin() + http2.call("Subscribe", http2.field(3, 1)))
        reader = http2.Reader()
        while not reader.take(connection.recv(65536))[0]:
            pass
        return reader

    def ends(self, connection, reader):
        connection.settimeout(20)
        while not reader.is_over:
            octets = connection.recv(65536)
            if not octets:
                return True
            connection.sendall(reader.take(octets)[1])
        return True

    def goes_on(self, connection, reader):
        connection.settimeout(0.3)
        try:
            while not reader.is_over:
                connection.sendall(reader.take(connection.recv(65536))[1])
        except TimeoutError:
            return True
        return False

    def reload(self, sections):
        """What the daemon wrote about it."""
        self.daemon.listen()
        before, said = len(self.daemon.notified), len(self.daemon.said())
        self.daemon.configure(sections)
        self.daemon.process.send_signal(signal.SIGHUP)
        self.daemon.wait_for("READY=1", self.daemon.wait_for("RELOADING=1", before))
        return self.daemon.said()[said:]

    def audit(self):
        return [line.split("Audit: ", 1)[1] for line in self.daemon.said().splitlines() if "Audit: " in line]

    def denied(self, answer, words):
        self.assertEqual(answer.returncode, 2, answer.stdout)
        self.assertIn(words, answer.stderr)


@unittest.skipUnless(os.geteuid() == 0, "other users need root")
class UnixSocket(Case):
    def ask(self, user, groups, *words):
        """`iwarpscope`, run by that user."""
        groups = ["--groups", ",".join(map(str, groups))] if groups else ["--clear-groups"]
        return run("setpriv", "--reuid", user, "--regid", user, *groups, CLIENT, *words, "--socket", self.daemon.socket)

    def fetched(self, user, groups=()):
        """What a process of that user gets for FetchPackets; None: no answer."""
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            os.setgroups(groups)
            os.setgid(user)
            os.setuid(user)
            with socket.socket(socket.AF_UNIX) as s:
                s.settimeout(20)
                s.connect(str(self.daemon.socket))
                all = b"".join(http2.replies(s, "FetchPackets"))
            os.write(into, all[:60000])
            os._exit(0)
        os.close(into)
        with os.fdopen(out, "rb") as pipe:
            all = pipe.read()
        os.waitpid(child, 0)
        return all

    def test_each_right_is_given_by_user_or_group(self):
        daemon = self.start('[api]\nsocket_mode = "0666"\nmetadata = ["*"]\npackets = ["group:%d"]\ncontrol = ["user:%d"]\n'
                            % (OPERATORS, BEN))
        for user, groups in [(ANA, []), (ANA, [OPERATORS]), (BEN, [])]:
            self.assertEqual(self.ask(user, groups, "status").returncode, 0)
        self.denied(self.ask(ANA, [OPERATORS], "record", "0"), f"user:{ANA} may not give commands: api.control")
        done = self.ask(BEN, [], "record", "0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.ask(0, [], "record", "0").returncode, 0, "root has all rights")
        self.assertIn(b"\x0a\x0d\x0d\x0a", self.fetched(ANA, [OPERATORS]))
        self.assertEqual(self.fetched(ANA), b"")
        self.assertEqual(self.fetched(BEN), b"")
        self.assertEqual([line for line in self.audit() if line.startswith("StartRecording")],
                         [f"StartRecording of queue pair 0 by user:{BEN}: done.",
                          "StartRecording of queue pair 0 by user:root: done."])
        self.assertRegex("\n".join(self.audit()), rf"FetchPackets of all packets, \d+ octets sent, by user:{ANA}: done\.")
        self.assertIn(f"/iwarpscope.v1.Observer/FetchPackets was refused: user:{BEN} may not fetch packets", daemon.said())
        self.assertEqual(count(daemon, "FetchPackets", "OK"), 1)
        self.assertEqual(count(daemon, "FetchPackets", "PERMISSION_DENIED"), 2)
        self.assertEqual(count(daemon, "StartRecording", "OK"), 2)
        self.assertEqual(count(daemon, "GetStatus", "OK"), 3)
        self.assertGreater(metric(daemon, "iwarp_api_call_seconds_total{"), 0)

    def connected(self, user):
        """A connection that a process of that user made."""
        connection = socket.socket(socket.AF_UNIX)
        self.addCleanup(connection.close)
        connection.settimeout(20)
        child = os.fork()
        if child == 0:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
            connection.connect(str(self.daemon.socket))
            os._exit(0)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        return connection

    def test_rights_change_with_a_reload_and_end_subscriptions(self):
        speed = "[capture]\nreplay_speed = 0.0001\n"
        self.start('[api]\nsocket_mode = "0666"\n', is_endless=True)
        ana, ben = self.connected(ANA), self.connected(BEN)
        of_ana, of_ben = self.subscribed(ana), self.subscribed(ben)
        said = self.reload('[api]\nsocket_mode = "0666"\nmetadata = ["user:%d"]\ncontrol = []\n' % BEN + speed)
        self.assertIn("applied: api.metadata, api.control", said)
        self.assertTrue(self.ends(ana, of_ana))
        self.assertTrue(self.goes_on(ben, of_ben))
        self.denied(self.ask(ANA, [], "status"), "may not ask for metadata: api.metadata")
        self.assertEqual(self.ask(BEN, [], "status").returncode, 0)
        self.denied(self.ask(BEN, [], "record", "0"), "may not give commands")

    def reported(self, user, trouble):
        """A client of that user that says how a delivery does, and stays."""
        connection = self.connected(user)
        said = http2.frame(http2.HEADERS, http2.END_HEADERS, 1, http2.headers("TailHistory"))
        connection.sendall(http2.begin() + said + http2.frame(http2.DATA, 0, 1, http2.message(http2.field(5, trouble.encode()))))
        return connection

    def test_only_who_may_command_reports_a_delivery(self):
        daemon = self.start('[api]\nsocket_mode = "0666"\ncontrol = ["user:%d"]\n[history]\nforward = true\n' % BEN)
        shown = lambda: self.ask(ANA, [], "status").stdout  # noqa: E731
        self.assertTrue(self.ends(self.reported(ANA, "ana made it up"), http2.Reader()))
        wait_until(lambda: count(daemon, "TailHistory", "PERMISSION_DENIED") == 1, "the refusal")
        self.assertNotIn("ana made it up", shown())
        self.reported(BEN, "ben cannot deliver")
        wait_until(lambda: "ben cannot deliver" in shown(), "the report")

    def test_users_beyond_those_known_have_what_everybody_has(self):
        self.start('[api]\nsocket_mode = "0666"\ncontrol = ["group:%d"]\n' % OPERATORS)
        for user in range(62000, 62032):
            self.assertTrue(self.fetched(user), user)
        self.denied(self.ask(ANA, [OPERATORS], "record", "0"), "user:another user may not give commands")
        self.assertTrue(self.fetched(ANA))


class Tcp(Case):
    def openssl(self, *words):
        done = run("openssl", *words)
        self.assertEqual(done.returncode, 0, done.stderr)

    def setUp(self):
        super().setUp()
        (self.folder / "ca.cnf").write_text(CONFIGURATION.format(folder=self.folder))
        (self.folder / "index.txt").touch()
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30", "-subj",
                     "/CN=ca", "-keyout", self.folder / "ca.key", "-out", self.folder / "ca.pem")
        self.make("server", "IP:127.0.0.1", days=5)
        self.make("ana", "URI:spiffe://example/ana,email:ana@example.net")
        self.make("ben", "DNS:ben.example.net")
        self.revoke()
        self.port = free_port()

    def make(self, name, names, days=30, *when):
        (self.folder / "ext").write_text(f"subjectAltName={names}\n")
        self.openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                     self.folder / f"{name}.key", "-out", self.folder / f"{name}.csr", "-subj", f"/CN={name}")
        self.openssl("ca", "-batch", "-notext", "-create_serial", "-config", self.folder / "ca.cnf", "-cert", self.folder / "ca.pem",
                     "-keyfile", self.folder / "ca.key", "-in", self.folder / f"{name}.csr", "-out", self.folder / f"{name}.pem",
                     *(when or ("-days", days)), "-extfile", self.folder / "ext")
        (self.folder / f"{name}.key").chmod(0o600)
        if os.geteuid() == 0:
            shutil.chown(self.folder / f"{name}.key", "nobody")

    def revoke(self, *names):
        by = ["-config", self.folder / "ca.cnf", "-cert", self.folder / "ca.pem", "-keyfile", self.folder / "ca.key"]
        for name in names:
            self.openssl("ca", *by, "-revoke", self.folder / f"{name}.pem")
        self.openssl("ca", *by, "-gencrl", "-crldays", "7", "-out", self.folder / "crl.pem")

    def api(self, *lines):
        return "\n".join(["[api]", f'tcp = "127.0.0.1:{self.port}"', f'certificate = "{self.folder}/server.pem"',
                          f'key = "{self.folder}/server.key"', f'client_ca = "{self.folder}/ca.pem"', *lines]) + "\n"

    def ask(self, name, *words):
        return run(CLIENT, *words, "--host", f"127.0.0.1:{self.port}", "--ca", self.folder / "ca.pem", "--cert",
                   self.folder / f"{name}.pem", "--key", self.folder / f"{name}.key")

    def connect(self, name):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(self.folder / "ca.pem")
        context.set_alpn_protocols(["h2"])
        if name:
            context.load_cert_chain(self.folder / f"{name}.pem", self.folder / f"{name}.key")
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        connection = context.wrap_socket(plain, server_hostname="127.0.0.1")
        self.addCleanup(connection.close)
        return connection

    def test_each_right_is_given_by_a_name_in_the_certificate(self):
        daemon = self.start(self.api('metadata = ["DNS:ben.example.net", "URI:spiffe://example/ana"]',
                                     'control = ["email:ana@example.net"]', 'packets = []'))
        self.assertEqual(self.ask("ben", "status").returncode, 0)
        self.assertEqual(self.ask("ana", "status").returncode, 0)
        self.denied(self.ask("ben", "record", "0"), "DNS:ben.example.net may not give commands")
        self.assertEqual(self.ask("ana", "record", "0").returncode, 0)
        self.assertIsNone(http2.ask(self.connect("ana"), "FetchPackets"))
        self.assertIsNotNone(http2.ask(self.connect("ana"), "GetStatus"))
        [line] = self.audit()
        self.assertRegex(line, r"^StartRecording of queue pair 0 by URI:spiffe://example/ana, email:ana@example.net at "
                               r"ipv4:127\.0\.0\.1:\d+: done\.$")
        self.assertEqual(count(daemon, "FetchPackets", "PERMISSION_DENIED"), 1)

    def test_a_revoked_certificate_gets_no_answer_and_its_stream_ends(self):
        sections = self.api(f'client_crl = "{self.folder}/crl.pem"')
        daemon = self.start(sections, is_endless=True)
        self.assertEqual(self.ask("ana", "status").returncode, 0)
        ana, ben = self.connect("ana"), self.connect("ben")
        of_ana, of_ben = self.subscribed(ana), self.subscribed(ben)
        self.revoke("ana")
        self.reload(sections + "[capture]\nreplay_speed = 0.0001\n")
        self.assertTrue(self.ends(ana, of_ana))
        self.assertTrue(self.goes_on(ben, of_ben))
        self.denied(self.ask("ana", "status"), "the certificate of URI:spiffe://example/ana")
        self.assertEqual(self.ask("ben", "status").returncode, 0)
        self.assertGreaterEqual(count(daemon, "GetStatus", "UNAUTHENTICATED"), 1)
        self.assertIn("was revoked", daemon.said())

    def test_a_revocation_list_of_another_ca_is_refused_and_the_old_one_stays(self):
        self.revoke("ana")
        self.start(self.api(f'client_crl = "{self.folder}/crl.pem"'))
        (self.folder / "crl.pem").write_text("none")
        said = self.reload(self.api(f'client_crl = "{self.folder}/crl.pem"'))
        self.assertIn("The API keeps its old certificates", said)
        self.assertIn("crl.pem: the file contains no PEM revocation list", said)
        self.denied(self.ask("ana", "status"), "was revoked")

    def test_failed_handshakes_are_counted_and_logged_within_a_limit(self):
        daemon = self.start(self.api())
        self.make("late", "DNS:late", 0, "-startdate", "20200101000000Z", "-enddate", "20210101000000Z")
        for _ in range(25):
            with self.assertRaises(OSError):
                connection = self.connect("late")
                connection.sendall(b"x")
                connection.recv(1)
                connection.recv(1)
                raise OSError("nothing came")
        wait_until(lambda: metric(daemon, "iwarp_api_handshakes_failed_total{") >= 25, "25 failed handshakes")
        lines = [line for line in daemon.said().splitlines() if "A TLS handshake failed" in line]
        self.assertEqual(len(lines), 10)
        self.assertRegex(lines[0], r"A TLS handshake failed: certificate verify failed "
                                   r"\(the last connection came from 127\.0\.0\.1:\d+\)\.")
        self.assertEqual(self.ask("ana", "status").returncode, 0)

    def test_ends_of_certificates_are_metrics(self):
        daemon = self.start(self.api(f'client_crl = "{self.folder}/crl.pem"'))
        now = time.time()
        for file, days in [("certificate", 5), ("client_ca", 30), ("client_crl", 7)]:
            start = f'iwarp_api_certificate_expiry_timestamp_seconds{{sensor="{socket.gethostname()}",file="{file}"}}'
            self.assertAlmostEqual((metric(daemon, start) - now) / 86400, days, delta=0.1, msg=file)


class Payload(Case):
    def fetched(self, daemon):
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(20)
            s.connect(str(daemon.socket))
            return b"".join(http2.replies(s, "FetchPackets"))

    def kept(self, sections):
        """The octets of all packets that clients get, and of the recordings."""
        daemon = self.start(sections)
        fetched = self.fetched(daemon)
        daemon.stop()
        files = list((self.folder / "recordings").glob("*.pcapng"))
        self.assertTrue(files)
        recorded = b"".join(file.read_bytes() for file in files)
        shutil.rmtree(self.folder / "recordings")
        return fetched, recorded

    def test_none_is_kept_when_the_configuration_says_so(self):
        payload, private, header = b"klmnopqrstuvwxyz", b"hello from client", b"MPA ID Req Frame"
        for octets in self.kept(""):
            for text in (payload, private, header):
                self.assertIn(text, octets)
        for octets in self.kept("[recorder]\npayload = false\n"):
            self.assertIn(header, octets)
            self.assertNotIn(payload, octets)
            self.assertNotIn(private, octets)


if __name__ == "__main__":
    PROGRAM, CLIENT, ROOT = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1], verbosity=2)
