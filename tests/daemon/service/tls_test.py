#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Who is served over TCP by the whole daemon: tls_test.py IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY

A client must show a certificate that the authority of the configuration signed, for clients, and that is valid now. The
handshakes are made by Python's ssl, which shows any certificate that it is given, and by `iwarpscope`.
"""

import os
import shutil
import socket
import ssl
import sys
import unittest
from pathlib import Path

import http2
from answers import Asking, run
from certificates import certificate
from running import Folder, Running, free_port, wait_until

PROGRAM = CLIENT = ROOT = ""
CONFIGURATION = """[ca]
default_ca = here
[here]
database = {folder}/index.txt
serial = {folder}/serial
new_certs_dir = {folder}
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
"""


def signed(folder, name, signer, usage="clientAuth", begin="20200101000000Z", end="20990101000000Z"):
    """name.pem and name.key, valid for that time and use."""
    (folder / "ca.cnf").write_text(CONFIGURATION.format(folder=folder))
    (folder / "index.txt").touch()
    (folder / "usage").write_text(f"subjectAltName=IP:127.0.0.1\nextendedKeyUsage={usage}\n")

    def openssl(*words):
        done = run("openssl", *words)
        if done.returncode != 0:
            raise AssertionError(done.stderr)

    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", folder / f"{name}.key",
            "-out", folder / f"{name}.csr", "-subj", f"/CN={name}")
    openssl("ca", "-batch", "-notext", "-create_serial", "-config", folder / "ca.cnf", "-cert", folder / f"{signer}.pem",
            "-keyfile", folder / f"{signer}.key", "-in", folder / f"{name}.csr", "-out", folder / f"{name}.pem", "-startdate", begin,
            "-enddate", end, "-extfile", folder / "usage")
    (folder / f"{name}.key").chmod(0o600)


class Tls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.own = Folder().__enter__()
        cls.folder = folder = cls.own.path
        certificate(folder, "ca")
        certificate(folder, "other")
        certificate(folder, "self")       # its own authority, which no client knows
        signed(folder, "server", "ca", "serverAuth")
        signed(folder, "client", "ca")
        signed(folder, "expired", "ca", end="20210101000000Z")
        signed(folder, "early", "ca", begin="20980101000000Z")
        signed(folder, "stranger", "other")
        if os.geteuid() == 0:
            shutil.chown(folder / "server.key", "nobody")
        capture = folder / "capture.pcap"
        shutil.copy(Path(ROOT) / "samples/siw/viol-crc-error.pcap", capture)
        cls.port = free_port()
        sections = f'[api]\ntcp = "127.0.0.1:{cls.port}"\ncertificate = "{folder}/server.pem"\n' \
                   f'key = "{folder}/server.key"\nclient_ca = "{folder}/ca.pem"\n'
        cls.daemon = Running(PROGRAM, folder, sections, ["-r", capture]).__enter__()
        cls.addClassCleanup(cls.own.__exit__)
        cls.addClassCleanup(cls.daemon.__exit__)

    def served(self, name):
        """It answers a client that shows this certificate, or none."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(self.folder / "ca.pem")
        context.set_alpn_protocols(["h2"])
        if name:
            context.load_cert_chain(self.folder / f"{name}.pem", self.folder / f"{name}.key")
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as plain:
            try:
                with context.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
                    return http2.ask(connection, "GetStatus") is not None
            except OSError:
                return False

    def ask(self, name):
        return run(CLIENT, "status", "--host", f"127.0.0.1:{self.port}", "--ca", self.folder / "ca.pem", "--cert",
                   self.folder / f"{name}.pem", "--key", self.folder / f"{name}.key")

    def refused(self, name):
        self.assertFalse(self.served(name), f"{name} is served")
        if name:
            answer = self.ask(name)
            self.assertNotEqual(answer.returncode, 0, f"{name} is served")
            self.assertNotEqual(answer.stderr, "")
        # The daemon still serves permitted clients.
        self.assertTrue(self.served("client"))
        self.assertIsNone(self.daemon.process.poll(), self.daemon.said())

    def test_the_right_one_is_served(self):
        self.assertTrue(self.served("client"))
        self.assertEqual(self.ask("client").returncode, 0, self.ask("client").stderr)

    def test_one_that_has_expired_is_not(self):
        self.refused("expired")

    def test_one_that_is_not_valid_yet_is_not(self):
        self.refused("early")

    def test_one_of_another_authority_is_not(self):
        self.refused("stranger")

    def test_one_that_signed_itself_is_not(self):
        self.refused("self")

    def test_the_servers_own_is_not(self):
        self.refused("server")

    def test_none_is_not(self):
        self.refused(None)

    def test_nothing_older_than_tls_1_2_is_spoken(self):
        def status(version):
            return run("openssl", "s_client", "-connect", f"127.0.0.1:{self.port}", version, "-alpn", "h2", "-cipher",
                       "DEFAULT:@SECLEVEL=0", "-cert", self.folder / "client.pem", "-key",
                       self.folder / "client.key", errors="replace").returncode

        self.assertEqual(status("-tls1_2"), 0)
        self.assertNotEqual(status("-tls1_1"), 0)

    def test_clients_of_the_socket_do_not_mind(self):
        silent = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(50)]
        self.addCleanup(lambda: [one.close() for one in silent])
        for name in (None, "expired", "stranger", "self"):
            self.served(name)
        ask = Asking(CLIENT, self.daemon)
        wait_until(lambda: not ask.status()["capturing"], "the end of the replay")
        self.assertIn("mpa.crc-mismatch", ask("findings"))
        self.assertNotIn("rror", self.daemon.said())


if __name__ == "__main__":
    PROGRAM, CLIENT, ROOT = sys.argv[1:4]
    unittest.main(argv=sys.argv[:1], verbosity=2)
