#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""More connections than the tables of iwarpscoped have places, on addresses and ports that never come again: is its memory
flat, and does no alert fire? unique_soak.py IWARPSCOPED SOURCE_DIRECTORY [CONNECTIONS]     (2500000)

Makes a network namespace with a veth pair. Of 16 connections one is of RDMA and uses STags, the others are any TCP, which
opens, exchanges data and closes. Frames are sent as fast as the daemon analyses them. Needs root. The limits are those of
the default: 2 097 152 flows, 65 536 STags. Once there were a tenth more connections and STags than that, the resident
memory may grow by 2 % and 8 MiB. Fails, too, when IwarpTableFull would fire, when a frame is lost, or when STags are left
at the end.
"""

import re
import socket as sockets
import struct
import sys
import time
import urllib.request
from pathlib import Path

from answers import resident
from cable import NEAR, UniqueLoad, enter, metrics, moved, sum16
from running import Folder, Running, wait_until
from send_capture import frames

RDMA = ["verbs-all-opcodes-crc.pcap", "rping-ipv4-crc.pcap"]
STAGS_OF_EACH = 2  # at least
OF_RDMA, OF_ALL = 4, 64  # connections of a round
FLOWS, STAGS = 2 << 20, 65536  # limits
AHEAD = 40_000  # frames that may wait in the daemon
CHUNK = 512  # frames of a system call at most
SECTIONS = """[capture]
interfaces = ["mirror0"]
[limits]
after_end = "1 s"
messages = 20000
findings = 5000
ended_queue_pairs = 1000
[history]
size = "16 MiB"
[event_log]
rotate = "4 MiB"
keep = 1
[recorder]
at_least = "none"
"""
FIN, SYN, PSH, ACK = 1, 2, 8, 16


def frame(source, destination, sequence, acknowledged, flags, data=b""):
    """Of TCP over IPv4 over Ethernet; an end is (address, port)."""
    tcp = struct.pack(">HHIIBBHHH", source[1], destination[1], sequence, acknowledged, 0x50, flags, 65535, 0, 0)
    addresses = source[0] + destination[0]
    pseudo = addresses + struct.pack(">HH", 6, len(tcp) + len(data))
    checksum = ~sum16(pseudo + tcp + data + b"\0" * (len(data) % 2)) & 0xFFFF
    tcp = tcp[:16] + struct.pack(">H", checksum) + tcp[18:]
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(tcp) + len(data), 0, 0x4000, 64, 6, 0) + addresses
    ip = ip[:10] + struct.pack(">H", ~sum16(ip) & 0xFFFF) + ip[12:]
    return b"\2\0\0\0\0\2\2\0\0\0\0\1\x08\0" + ip + tcp + data


def any_tcp(port):
    """A whole connection: ten frames."""
    a, b = (bytes([10, 0, 200, 1]), port), (bytes([10, 0, 200, 2]), 5600)
    asked, answered = b"a request of some other protocol\r\n", b"and its answer, which is longer\r\n" * 4
    x, y = 1001 + len(asked), 5001 + len(answered)
    return [frame(a, b, 1000, 0, SYN), frame(b, a, 5000, 1001, SYN | ACK), frame(a, b, 1001, 5001, ACK),
            frame(a, b, 1001, 5001, PSH | ACK, asked), frame(b, a, 5001, x, ACK),
            frame(b, a, 5001, x, PSH | ACK, answered), frame(a, b, x, y, ACK),
            frame(a, b, x, y, FIN | ACK), frame(b, a, y, x + 1, FIN | ACK), frame(a, b, x + 1, y + 1, ACK)]


def load(root):
    """The connections of a round."""
    all = [one for n in range(OF_ALL - OF_RDMA) for one in any_tcp(40_000 + n)]
    for n in range(OF_RDMA):
        all += [moved(one, n) for one in frames(Path(root) / "samples/siw" / RDMA[n % len(RDMA)])]
    return UniqueLoad(all)


def tables_that_alert(root):
    """What IwarpTableFull leaves out, as a regular expression."""
    rules = (Path(root) / "daemon/share/iwarpscope.rules.yml").read_text(encoding="utf-8")
    return re.search(r'increase\(iwarp_evictions_total\{table!~"([^"]+)"\}', rules)[1]


def of_tables(daemon, metric):
    """A value for each table, by its name."""
    with urllib.request.urlopen(f"http://127.0.0.1:{daemon.port}/metrics", timeout=30) as answer:
        lines = re.findall(rf'(?m)^{metric}\{{[^}}]*table="([^"]+)"[^}}]*\}} (\S+)$', answer.read().decode())
    return {table: float(value) for table, value in lines}


def evictions(daemon, left_out):
    """Of the tables that IwarpTableFull watches, by name."""
    return {table: count for table, count in of_tables(daemon, "iwarp_evictions_total").items()
            if not re.fullmatch(left_out, table)}


def main(program, root, connections="2500000"):
    enter()
    rounds = int(connections) // OF_ALL
    passed = min(rounds - 1, int(1.1 * max(FLOWS / OF_ALL, STAGS / (OF_RDMA * STAGS_OF_EACH))))
    sending, sent, troubles, seen = load(root), 0, [], []
    left_out = tables_that_alert(root)
    begun = time.monotonic()
    with Folder() as own, Running(program, own.path, SECTIONS) as daemon, \
            sockets.socket(sockets.AF_PACKET, sockets.SOCK_RAW) as cable:
        cable.bind((NEAR, 0))
        before = evictions(daemon, left_out)
        assert "flows" in before and "models" in before, before

        def wait_for_frames(most):
            """Until no more than `most` wait; returns the metrics."""
            def there():
                now = metrics(daemon)
                return now if sent - now["iwarp_capture_packets_total"] - now["iwarp_capture_drops_total"] <= most else None
            return wait_until(there, f"{sent} frames analysed or counted as lost", 120)

        print("   time     RSS KiB  connections      frames     lost")
        looked, now, unseen = begun, {}, 0
        for number in range(rounds):
            at = 0
            while at < sending.count:
                at += sending.send(cable, at, CHUNK)
            sent += at
            unseen += at
            if number + 1 < rounds:
                sending.next_round()
            if unseen > AHEAD / 2:
                now, unseen = wait_for_frames(AHEAD / 2), 0
            if time.monotonic() - looked >= 5 or number == passed:
                looked = time.monotonic()
                seen.append((number, resident(daemon.process.pid)))
                print(f"{looked - begun:7.0f} {seen[-1][1]:11} {(number + 1) * OF_ALL:12} {sent:11} "
                      f"{now.get('iwarp_capture_drops_total', 0):8.0f}", flush=True)
        now = wait_for_frames(0)
        seen.append((rounds, resident(daemon.process.pid)))
        after = evictions(daemon, left_out)
        wait_until(lambda: of_tables(daemon, "iwarp_table_entries")["models"] == 0, "no STag is remembered", 60)
        took, code = daemon.stop()
        if code != 0 or took > 15:
            troubles.append(f"it ended with {code} after {took:.1f} s: {daemon.said()}")
    at_limit = next(memory for number, memory in seen if number >= passed)
    most = max(memory for number, memory in seen if number >= passed)
    if most > at_limit * 1.02 + 8192:
        troubles.append(f"memory grew from {at_limit} to {most} KiB after the limits had been passed")
    grown = {table: after[table] - before[table] for table in after if after[table] > before[table]}
    if grown:
        troubles.append(f"IwarpTableFull would fire: {grown} evicted")
    if now["iwarp_capture_drops_total"] or now["iwarp_capture_packets_total"] != sent:
        troubles.append(f"{sent} frames were sent, {now['iwarp_capture_packets_total']:.0f} analysed")
    if now["iwarp_qp_opened_total"] != rounds * OF_RDMA:
        troubles.append(f"{rounds * OF_RDMA} connections of RDMA were sent, {now['iwarp_qp_opened_total']:.0f} seen")
    print(f"{sent} frames of {rounds * OF_ALL} connections, {rounds * OF_RDMA} of RDMA, in {time.monotonic() - begun:.0f} s; "
          f"resident memory {at_limit} KiB when the limits were passed, {most} KiB at most from then on, no eviction, no "
          "frame lost and no STag left." if not troubles else "")
    for trouble in troubles:
        print("FAILED:", trouble)
    sys.exit(1 if troubles else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
