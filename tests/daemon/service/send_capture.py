#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Sends the frames of a capture file out of an interface, as fast as it takes them: send_capture.py INTERFACE FILE"""

import gzip
import socket
import struct
import sys


ETHERNET = 1
SECTION, INTERFACE, PACKET = b"\x0a\x0d\x0d\x0a", 1, 6  # blocks of pcapng


def octets_of(path):
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rb") as file:
        return file.read()


def packets(data):
    """(seconds, what the file counts beside them, octets) of each packet of a pcap file."""
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    at = 24
    while at + 16 <= len(data):
        seconds, fraction, captured = struct.unpack_from(order + "III", data, at)
        yield seconds, fraction, data[at + 16:at + 16 + captured]
        at += 16 + captured


def blocks(data):
    """(type, body, byte order) of each block of a pcapng file that is whole."""
    at, order = 0, "<"
    while at + 12 <= len(data):
        if data[at:at + 4] == SECTION:
            order = "<" if data[at + 8:at + 12] == b"\x4d\x3c\x2b\x1a" else ">"
        kind, length = struct.unpack_from(order + "II", data, at)
        if length < 12 or at + length > len(data):
            return
        yield kind, data[at + 8:at + length - 4], order
        at += length


def frames(path):
    """Those of a capture file; none where it is not of Ethernet alone."""
    data = octets_of(path)
    if data[:4] != SECTION:
        link = int.from_bytes(data[20:24], "little" if data[0] in (0xd4, 0x4d) else "big")
        return [octets for _, _, octets in packets(data)] if link == ETHERNET else []
    all = list(blocks(data))
    if any(struct.unpack_from(order + "H", body)[0] != ETHERNET for kind, body, order in all if kind == INTERFACE):
        return []
    of_packets = ((body, struct.unpack_from(order + "I", body, 12)[0]) for kind, body, order in all if kind == PACKET)
    return [body[20:20 + captured] for body, captured in of_packets]


def main(interface, path):
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as s:
        s.bind((interface, 0))
        for frame in frames(path):
            s.send(frame)


if __name__ == "__main__":
    main(*sys.argv[1:])
