#!/usr/bin/env python3
"""Makes the seed corpora of the fuzz targets from the sample captures.

Usage: make_corpus.py SAMPLES-FOLDER CORPUS-FOLDER

Seeds are named after their samples. Other files in the corpus folders, the inputs of mended faults, stay.
"""
import pathlib
import struct
import sys

LINKS = {1: 0, 0: 1, 101: 2, 228: 3, 229: 4, 108: 5, 113: 6, 276: 7}  # as net_fuzz numbers them
LARGEST = 9000  # octets of a capture that becomes a seed


def frames_of(data):
    """(link type, octets) of each frame of a pcap or pcapng file of either byte order."""
    if data[:4] == b"\x0a\x0d\x0d\x0a":
        order = "<" if data[8:12] == b"\x4d\x3c\x2b\x1a" else ">"
        at, links = 0, []
        while at + 12 <= len(data):
            kind, length = struct.unpack_from(order + "II", data, at)
            if kind == 1:
                links.append(struct.unpack_from(order + "H", data, at + 8)[0])
            if kind == 6:
                interface, _, _, captured, _ = struct.unpack_from(order + "IIIII", data, at + 8)
                yield links[interface], data[at + 28:at + 28 + captured]
            at += length
        return
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    link = struct.unpack_from(order + "I", data, 20)[0] & 0xFFFF
    at = 24
    while at + 16 <= len(data):
        captured = struct.unpack_from(order + "I", data, at + 8)[0]
        yield link, data[at + 16:at + 16 + captured]
        at += 16 + captured


def net_seed(frames, most):
    out = b""
    for link, octets in frames[:most]:
        out += struct.pack(">HBBH", LINKS.get(link, link), 1, 0, len(octets)) + octets
    return out


def stream_seed(frames):
    """The TCP segments of one connection over IPv4 on Ethernet as a script; nothing for other captures."""
    ends, expected, script, mode = {}, [None, None], b"", 0b00111011
    for link, octets in frames:
        if link != 1 or octets[12:14] != b"\x08\x00" or octets[23] != 6:
            return b""
        length = struct.unpack_from(">H", octets, 16)[0]
        ip = octets[14:14 + length] if length else octets[14:]
        tcp = ip[(ip[0] & 15) * 4:]
        source, target = (ip[12:16], tcp[0:2]), (ip[16:20], tcp[2:4])
        ends.setdefault(source, len(ends))
        ends.setdefault(target, len(ends))
        d = ends[source]
        if d > 1 or ends[target] > 1:
            return b""
        sequence, acknowledgment = struct.unpack_from(">II", tcp, 4)
        flags, payload = tcp[13], tcp[(tcp[12] >> 4) * 4:]
        if flags & 2:
            expected[d] = (sequence + 1) % 2**32
            continue
        if expected[d] is None:
            expected[d] = sequence
            mode |= 4
        if expected[1 - d] is None:
            expected[1 - d] = acknowledgment
        move = (sequence - expected[d] + 2**31) % 2**32 - 2**31
        move_ack = (acknowledgment - expected[1 - d] + 2**31) % 2**32 - 2**31
        if not script:
            script = struct.pack(">BII", mode, expected[0], expected[1])
        if abs(move) > 30000 or abs(move_ack) > 30000 or len(payload) > 4095:
            return b""
        kind = d | (flags & 1) << 2 | (flags & 4) << 1
        script += struct.pack(">BhhH", kind, move, move_ack, len(payload)) + payload
        expected[d] = (sequence + len(payload)) % 2**32
    return script


def main():
    samples, corpus = map(pathlib.Path, sys.argv[1:])
    for name in ("net_fuzz", "stream_fuzz", "analyzer_fuzz"):
        (corpus / name).mkdir(parents=True, exist_ok=True)
    for path in sorted(samples.glob("*/*.pcap*")):
        data = path.read_bytes()
        if path.suffix not in (".pcap", ".pcapng") or len(data) > LARGEST:
            continue
        frames = list(frames_of(data))
        seeds = {"analyzer_fuzz": data if len(data) < 6500 else b"", "stream_fuzz": stream_seed(frames)}
        if path.parent.name == "made" and not path.name.startswith("fault-"):
            seeds["net_fuzz"] = net_seed(frames, 12)
        for target, seed in seeds.items():
            if seed:
                (corpus / target / path.stem).write_bytes(seed)


main()
