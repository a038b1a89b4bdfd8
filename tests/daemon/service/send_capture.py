#!/usr/bin/env python3
"""Sends the frames of a pcap file out of an interface, as fast as it takes them: send_capture.py INTERFACE FILE"""

import socket
import struct
import sys


def frames(path):
    with open(path, "rb") as file:
        data = file.read()
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    at = 24
    while at + 16 <= len(data):
        captured, = struct.unpack_from(order + "I", data, at + 8)
        yield data[at + 16:at + 16 + captured]
        at += 16 + captured


def main(interface, path):
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as s:
        s.bind((interface, 0))
        for frame in frames(path):
            s.send(frame)


if __name__ == "__main__":
    main(*sys.argv[1:])
