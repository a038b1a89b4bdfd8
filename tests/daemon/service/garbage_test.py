#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whatever comes on its sockets, the daemon captures on: garbage_test.py IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY

While frames come over a cable, the Unix socket, the TLS port and the port of the metrics are sent what no client should send.
Not a frame may be lost for it, questions are answered, nothing of it is said on standard error, and what it took is
given back. Then more connections come than the process has descriptors for: strangers cannot shut out who is on this
host, and when they have gone, everybody is served again.
"""

import random
import socket
import ssl
import struct
import sys
import urllib.request

import http2
from answers import Asking, Frames, descriptors, resident
from cable import FAR, enter
from certificates import certificate
from running import Folder, Running, free_port, wait_until
from soak import Sender

OPEN = 300             # connections that say nothing, or half of something, at one time on each socket
MEMORY = 256 << 10     # KiB that the daemon may grow by: what gRPC may hold for all connections
DESCRIPTORS = 300      # of a daemon that is given few
SAID = 4096            # octets on standard error
SECTIONS = """[capture]
interfaces = ["{far}"]
[limits]
after_end = "1 s"
messages = 20000
[api]
tcp = "127.0.0.1:{port}"
certificate = "{folder}/server.pem"
key = "{folder}/server.key"
client_ca = "{folder}/ca.pem"
[recorder]
at_least = "none"
"""
TEXT = {"FindingFilter": http2.field(1, http2.field(3, b"\xff\xfe\xfd")), "QpFilter": http2.field(1, http2.field(1, b"\xc3("))}


def calls(choose):
    """Connections of HTTP/2 that are right, or nearly, and what they carry is not."""
    http = http2
    start = http.begin()
    yield start + b"".join(http.call("ListFindings", TEXT["FindingFilter"], n) for n in range(1, 199, 2))
    yield start + b"".join(http.call("ListQps", TEXT["QpFilter"], n) for n in range(1, 199, 2))
    yield start + b"".join(http.call("QueryHistory", choose.randbytes(40), n) for n in range(1, 199, 2))
    yield start + b"".join(http.call("Subscribe", choose.randbytes(20), n) for n in range(1, 99, 2))
    yield start + http.call("No" * 40)
    head = http.frame(http.HEADERS, http.END_HEADERS, 1, http.headers("GetStatus"))
    yield start + head + http.frame(http.DATA, 1, 1, b"\1\0\0\0\4abcd")            # compressed, it says
    yield start + head + http.frame(http.DATA, 1, 1, b"\0\xff\xff\xff\xff" + b"x" * 9000)  # 4 GiB, it says
    yield start + head + http.frame(http.DATA, 1, 1, http.message(bytes(100_000))[:16000])
    # Asked and taken back, again and again.
    yield start + b"".join(http.call("ListFindings", b"", n) + http.frame(http.RST_STREAM, 0, n, struct.pack(">I", 8))
                           for n in range(1, 4001, 2))
    for _ in range(10):
        yield start + http.frame(http.PING, 0, 0, bytes(8)) * 20000
    yield start + http.frame(http.SETTINGS, 0, 0, struct.pack(">HI", http.INITIAL_WINDOW_SIZE, 1)) * 20000
    yield start + http.frame(http.SETTINGS, 0, 0, struct.pack(">HI", http.MAX_FRAME_SIZE, 1))
    yield start + http.frame(http.WINDOW_UPDATE, 0, 0, struct.pack(">I", 2**31 - 1)) * 2
    # A header block that does not end, and one that is a bomb: the same long header by its index.
    yield start + http.frame(http.HEADERS, 0, 1, http.headers("GetStatus")) + \
        http.frame(http.CONTINUATION, 0, 1, http.header("x" * 100, "y" * 120) * 60) * 400
    bomb = b"\x40" + http.header("x", "y" * 126)[1:] + b"\xbe" * 16000
    yield start + http.frame(http.HEADERS, http.END_HEADERS, 1, http.headers("GetStatus") + bomb)
    yield start + b"".join(http.frame(choose.randrange(12), choose.randrange(256), choose.randrange(8),
                                      choose.randbytes(choose.randrange(60))) for _ in range(300))
    yield start + choose.randbytes(20000)
    yield http.PREFACE[:10]
    yield http.PREFACE + b"\xff\xff\xff\0\0\0\0\0\0"


def texts(choose):
    """What is not HTTP/2."""
    yield choose.randbytes(20000)
    yield b""
    yield b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
    yield b"POST /iwarpscope.v1.Observer/GetStatus HTTP/1.1\r\nContent-Length: -5\r\n\r\n"
    yield b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: %s\r\n" % (n, b"y" * 500) for n in range(2000))
    yield b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n\r\n"
    yield b"GET /metrics HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n" + choose.randbytes(5000)
    yield b"GET /metrics"
    yield b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + choose.randbytes(100)  # a part of a ClientHello
    yield b"\x16\x03\x03\xff\xff" + choose.randbytes(65535)
    yield b"\x15\x03\x03\x00\x02\x02\x28" * 100
    yield b"\0" * 100_000


class Places:
    """The sockets of a daemon."""

    def __init__(self, daemon, folder, port):
        self.daemon, self.port = daemon, port
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.tls.load_verify_locations(folder / "ca.pem")
        self.tls.load_cert_chain(folder / "client.pem", folder / "client.key")
        self.tls.set_alpn_protocols(["h2"])

    def unix(self):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(10)
        connection.connect(str(self.daemon.socket))
        return connection

    def tcp(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def trusted(self):
        return self.tls.wrap_socket(self.tcp(), server_hostname="127.0.0.1")

    def metrics(self):
        return socket.create_connection(("127.0.0.1", self.daemon.port), timeout=10)


def throw(connect, octets, how):
    """Sends what the other end takes of it; then reads the answer, or does not, or closes at once."""
    try:
        with connect() as connection:
            connection.settimeout(1)
            connection.sendall(octets)
            if how == "reset":
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            elif how == "listen":
                connection.settimeout(0.1)
                connection.recv(1 << 16)
    except OSError:
        pass  # it did not want to read more


def answers(place, daemon):
    """Each of the sockets, for correct requests."""
    for connect in (place.unix, place.trusted):
        with connect() as connection:
            assert http2.ask(connection, "GetStatus") is not None, f"{connect.__name__} does not answer"
    for path in ("healthz", "readyz", "metrics"):
        with urllib.request.urlopen(f"http://127.0.0.1:{daemon.port}/{path}", timeout=20) as answer:
            assert answer.status == 200, path


def throw_all(place, daemon):
    """Everything at every socket. Returns how many connections that were."""
    choose, count = random.Random(5), 0
    kinds = [(place.unix, calls), (place.trusted, calls), (place.unix, texts), (place.tcp, texts), (place.tcp, calls),
             (place.trusted, texts), (place.metrics, texts), (place.metrics, calls)]
    for connect, make in kinds:
        for n, octets in enumerate(make(choose)):
            throw(connect, octets, ("listen", "reset", "close")[n % 3])
            throw(connect, octets[:choose.randrange(len(octets) + 1)], ("close", "listen", "reset")[n % 3])
            count += 2
        answers(place, daemon)
    return count


def say_half(place):
    """Connections to every socket that begin to say something."""
    silent = []
    for n in range(OPEN):
        for connect, half in ((place.unix, http2.PREFACE[:n % 24]), (place.tcp, b"\x16\x03\x01\x02\x00\x01"[:n % 7]),
                              (place.metrics, b"GET /metrics HTTP/1.1\r\nX"[:n % 25])):
            silent.append(connect())
            silent[-1].sendall(half)
    return silent


def garbage(program, client, root, folder, check):
    port = free_port()
    with Running(program, folder, SECTIONS.format(far=FAR, port=port, folder=folder)) as daemon:
        place, ask = Places(daemon, folder, port), Asking(client, daemon)
        sender = Sender(root, 10)
        sender.start()
        answers(place, daemon)
        alone, before = descriptors(daemon.process.pid), resident(daemon.process.pid)
        count = throw_all(place, daemon)
        silent = say_half(place)
        answers(place, daemon)
        most = resident(daemon.process.pid)
        for connection in silent:
            connection.close()
        wait_until(lambda: descriptors(daemon.process.pid) <= alone + 8, "connections closed")
        answers(place, daemon)
        sender.over.set()
        sender.join()
        frames = wait_until(lambda: (now := Frames(ask.status())).all >= sender.sent and now, f"{sender.sent} frames")
        check((frames.all, frames.lost) == (sender.sent, 0),
              f"{sender.sent} frames were sent, {frames.analysed} analysed, {frames.lost} lost")
        check(most - before < MEMORY or daemon.is_sanitized(), f"memory grew from {before} to {most} KiB")
        took, code = daemon.stop()
        check(code == 0 and took < 10, f"it ended with {code} after {took:.1f} s")
        said = daemon.said()
        check(len(said) < SAID, f"{len(said)} octets were said: {said[:1000]}")
    print(f"{count} connections of garbage and {len(silent)} silent ones; memory grew from {before} to {most} KiB; "
          f"{sender.sent} frames sent, {frames.analysed} analysed; {len(said)} octets were said.", flush=True)


def crowd(program, client, folder, check):
    port = free_port()
    few = ["prlimit", f"--nofile={DESCRIPTORS}"]
    with Running(program, folder, SECTIONS.format(far=FAR, port=port, folder=folder), before=few) as daemon:
        place, ask = Places(daemon, folder, port), Asking(client, daemon)
        answers(place, daemon)
        strangers = [place.tcp() for _ in range(2 * DESCRIPTORS)]
        wait_until(lambda: int(ask.status()["api"]["refused"]) > 0, "connections that are refused")
        ask("history")
        others = [place.unix() for _ in range(2 * DESCRIPTORS)]
        wait_until(lambda: http2.ask(place.unix(), "GetStatus") is None, "no more connections of this host")
        check(descriptors(daemon.process.pid) < DESCRIPTORS - 50, "no descriptors are left for files")
        with urllib.request.urlopen(f"http://127.0.0.1:{daemon.port}/healthz", timeout=20) as answer:
            check(answer.status == 200, "/healthz says that it does not live")
        for connection in strangers + others:
            connection.close()
        wait_until(lambda: http2.ask(place.unix(), "GetStatus"), "an answer when they have gone")
        answers(place, daemon)
        refused = ask.status()["api"]["refused"]
        check(daemon.stop()[1] == 0, f"it ended badly: {daemon.said()}")
    print(f"{len(strangers) + len(others)} connections to a daemon of {DESCRIPTORS} descriptors: {refused} were refused.")


def main(program, client, root):
    enter()
    troubles = []

    def check(true, sentence):
        if not true:
            troubles.append(sentence)

    with Folder() as own:
        for name, signer in (("ca", None), ("server", "ca"), ("client", "ca")):
            certificate(own.path, name, signer)
        garbage(program, client, root, own.path, check)
        crowd(program, client, own.path, check)
    for trouble in troubles:
        print("FAILED:", trouble)
    sys.exit(1 if troubles else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
