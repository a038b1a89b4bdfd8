#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the seed corpora of the fuzz targets: from the sample captures, the API's definition and the configuration.

Usage: make_corpus.py SOURCE-FOLDER CORPUS-FOLDER      (needs protoc)
       make_corpus.py --check SOURCE-FOLDER CORPUS-FOLDER

Seeds are named after their samples. Other files in the corpus folders are inputs of fixed faults, and stay. --check
writes nothing: it fails if the seed of a sample is missing or differs from what the sample gives today.
"""
import gzip
import lzma
import pathlib
import re
import struct
import subprocess
import sys

LINKS = {1: 0, 0: 1, 101: 2, 228: 3, 229: 4, 108: 5, 113: 6, 276: 7}  # with the numbers of net_fuzz
LARGEST = 9000  # maximum octets of a capture that becomes a seed
WHOLE = 6500  # maximum octets of a capture that becomes an unchanged seed of the analyser
SMALL = 2500  # octets of such a seed that is the beginning of a larger capture
OPEN = {".gz": gzip.open, ".xz": lzma.open}


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


def packets_of(data):
    """(link type, seconds, nanoseconds, original length, octets) of each frame of a pcap or pcapng file."""
    if data[:4] == b"\x0a\x0d\x0d\x0a":
        order = "<" if data[8:12] == b"\x4d\x3c\x2b\x1a" else ">"
        at, links, units = 0, [], []
        while at + 12 <= len(data):
            kind, length = struct.unpack_from(order + "II", data, at)
            if kind == 1:
                links.append(struct.unpack_from(order + "H", data, at + 8)[0])
                # if_tsresol with another value than microseconds is from the synthesiser: nanoseconds
                units.append(1 if struct.pack(order + "HHB", 9, 1, 9) in data[at:at + length] else 1000)
            if kind == 6:
                interface, high, low, captured, original = struct.unpack_from(order + "IIIII", data, at + 8)
                time = (high << 32 | low) * units[interface]
                yield (links[interface], time // 10**9, time % 10**9, original, data[at + 28:at + 28 + captured])
            at += max(length, 12)
        return
    order = "<" if data[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    unit = 1 if data[:4] in (b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d") else 1000
    link = struct.unpack_from(order + "I", data, 20)[0] & 0xFFFF
    at = 24
    while at + 16 <= len(data):
        seconds, parts, captured, original = struct.unpack_from(order + "IIII", data, at)
        yield link, seconds, parts * unit, original, data[at + 16:at + 16 + captured]
        at += 16 + captured


def analyzer_seed(data):
    """A small capture unchanged; otherwise its first frames as a pcap file with nanoseconds."""
    if len(data) <= WHOLE:
        return data
    out, first = b"", None
    for link, seconds, nanoseconds, original, octets in packets_of(data):
        first = link if first is None else first
        if link != first:
            continue
        if len(out) + 16 + len(octets) > SMALL:
            break
        out += struct.pack("<IIII", seconds, nanoseconds, len(octets), original) + octets
    return struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 262144, first) + out if out else b""


def net_seed(frames, most):
    out = b""
    for link, octets in frames[:most]:
        out += struct.pack(">HBBH", LINKS.get(link, link), 1, 0, len(octets)) + octets
    return out


def stream_seed(frames):
    """The TCP segments of one connection over IPv4 on Ethernet as a script; None for other captures."""
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


class Api:
    """Messages of iwarpscope.v1 as octets."""

    def __init__(self, folder):
        self.folder = folder
        self.files = sorted(folder.glob("iwarpscope/v1/*.proto"))
        self.messages, self.enums = {}, {}  # by name: fields (repeated, type, name, oneof), words
        for file in self.files:
            open_blocks = []
            for line in re.sub(r"//.*", "", file.read_text()).splitlines():
                if found := re.match(r"\s*(message|enum|oneof|service|rpc)\s+(\w+)[^{]*(\{?)(.*)", line):
                    kind, name, brace, rest = found.groups()
                    if not brace:
                        continue
                    if kind == "message":
                        self.messages[name] = []
                    if kind == "enum":
                        name = ".".join([name for kind, name in open_blocks if kind == "message"][-1:] + [name])
                        self.enums[name] = []
                    if "}" not in rest:
                        open_blocks.append((kind, name))
                elif "}" in line and open_blocks:
                    open_blocks.pop()
                elif found := re.match(r"\s*(optional |repeated |)([\w.]+) (\w+) = \d+", line):
                    message = [name for kind, name in open_blocks if kind == "message"][-1]
                    oneof = open_blocks[-1][1] if open_blocks[-1][0] == "oneof" else ""
                    self.messages[message].append((found[1].strip() == "repeated", found[2], found[3], oneof))
                elif found := re.match(r"\s*(\w+) = \d+", line):
                    self.enums[open_blocks[-1][1]].append(found[1])

    def words(self, name, n=7):
        """The text of a message with all its fields, for a oneof the nth. Values grow with n."""
        out, first = [], n
        for repeated, kind, field, oneof in self.messages[name]:
            others = [other[2] for other in self.messages[name] if oneof and other[3] == oneof]
            if others and others[first % len(others)] != field:
                continue
            for _ in range(2 if repeated else 1):
                n += 1
                enum = f"{name}.{kind}" if f"{name}.{kind}" in self.enums else kind
                if enum in self.enums:
                    words = self.enums[enum]
                    out.append(f"{field}: {words[1 + n % (len(words) - 1)]}")
                elif kind in self.messages:
                    out.append(f"{field} {{ {self.words(kind, n)} }}")
                elif kind in ("string", "bytes"):
                    out.append(f'{field}: "{TEXTS.get(field, "word" * (n % 5))}"')
                else:
                    out.append(f"{field}: {'true' if kind == 'bool' else n}")
        return " ".join(out)

    def octets(self, name, text):
        return subprocess.run(["protoc", f"-I{self.folder}", f"--encode=iwarpscope.v1.{name}", *map(str, self.files)],
                              input=text.encode(), stdout=subprocess.PIPE, check=True).stdout


TEXTS = {"address": "10.0.0.1", "host": "10.0.0.2", "rule": "mpa.crc-mismatch", "worst_rule": "mpa.crc-mismatch",
         "ulp": "nvme", "closed_by": "fin", "dialect": "siw-le", "sha256": "01234567" * 4}
CALLS = ["GetStatus", "ListQps", "GetQp", "ListMessages", "ListFindings", "ListHosts", "ListHostPairs", "Subscribe",
         "FetchPackets", "ListRules", "QueryHistory", "StartRecording", "ListRecordings", "Reload"]
QUESTIONS = [("GetQp", "qp: 2"), ("GetQp", "qp: 999"), ("ListMessages", "qp: 1 most: 3 from: 2"),
             ("ListQps", "detail: QP_DETAIL_FULL most: 5000"), ("ListQps", 'filter { host: "fd00::1" at_least: 3 }'),
             ("ListQps", "filter { port: 65536 }"), ("ListFindings", 'filter { rule: "MF-04" qp: 1 } most: 2'),
             ("ListFindings", 'filter { rule: "no such rule" }'), ("Subscribe", "qps: true queue: 65537"),
             ("FetchPackets", "from_time_ns: 2 to_time_ns: 1"), ("QueryHistory", "kind: KIND_OPERATIONS before: 9"),
             ("StartRecording", 'qp: 1 seconds: 30 reason: "why"'), ("StartRecording", "qp: 1 seconds: 4000")]
ROWS = ['{"record":"finding","severity":"error","id":"mpa.crc-mismatch","qp":3,"a":{"address":"10.0.0.1","port":5},'
        '"b":{"address":"10.0.0.2","port":6},"text":"It is so."}',
        '{"record":"qp","qp":1,"a":null,"b":null,"verdict":{"class":"failed","text":"It failed."}}', "[[[[", "7"]


def question(number, octets):
    return struct.pack(">BH", number, len(octets)) + octets


def checkpoint_seed(data, frames):
    """The sample, cut in the middle, and one octet of the state changed; of few samples, as each is a whole one."""
    if len(data) > 3000 or len(frames) < 8 or len(frames) % 5:
        return b""
    return struct.pack(">HBHB", len(frames) // 2, 1, 37 * len(frames), 1) + data


def sctp_seeds():
    """Scripts of sctp_fuzz: an association without faults, and each way in which it can end."""
    def packet(*chunks, kind=0, ms=1):
        return bytes([kind, ms]) + b"".join(chunks) + b"\0"

    def control(code, stream=0, ssn=0, octets=b""):
        return struct.pack(">BBbBB", 2, stream, ssn, code, len(octets)) + octets

    def data(octets, flags=7, tsn=0, stream=0, ppid=16, ssn=0):
        return struct.pack(">BBbBBbB", 1, flags, tsn, stream, ppid, ssn, len(octets)) + octets

    def sack(tsn=0, blocks=b""):
        return struct.pack(">BbB", 3, tsn, len(blocks) // 4) + blocks

    send = b"\x41\x43" + bytes(4) + bytes(4) + b"\0\0\0\1" + bytes(4) + b"payload"
    b = 1  # kind: of the passive side
    opened = b"\1" + packet(control(1)) + packet(sack(), control(2), kind=b) + packet(sack())
    closed = packet(control(4)) + packet(sack(), control(4), kind=b) + packet(sack())
    shut = packet(bytes([9, 8, 7, 0, 0, 8, 0, 0, 0, 103])) + packet(bytes([9, 4, 8, 0, 0, 4]), kind=b)
    return {
        "session": opened + packet(data(send), data(send)) + packet(sack(), data(send), kind=b) + closed + shut,
        "sessions-in-turn": opened + closed + opened[1:] + closed,
        "rejected": b"\1" + packet(control(5, octets=bytes(4))) + packet(control(7), kind=b) + opened[1:],
        "refused": b"\1" + packet(control(1)) + packet(control(4), kind=b),
        "joined": b"\0" + packet(data(send, ssn=9)) + packet(data(send, ssn=5), kind=b) + closed,
        "gap": opened + packet(data(send, tsn=1, ssn=1)) + packet(sack(), kind=b) + packet(data(send)),
        "left-out": opened + packet(data(send, ssn=2)) + packet(sack(), kind=b) + packet(sack(), ms=255) * 20,
        "used-twice": opened + packet(data(send)) + packet(data(send, ssn=-1)),
        "fragments": opened + packet(data(send, flags=6)) + packet(data(send, flags=4), data(send, flags=5)),
        "fragment-lost": opened + packet(data(send, flags=6), data(send, flags=5, tsn=2)) + packet(sack(), kind=b),
        "out-of-order": opened + packet(data(send, tsn=2, ssn=2)) + packet(data(send, tsn=-2, ssn=-1)),
        "much-held": b"\3" + opened[1:] + packet(data(send, tsn=1, ssn=1)) + packet(data(send * 6)) * 30,
        "other-path": opened + packet(data(send), kind=2) + packet(sack(), kind=2 + b),
        "cut": opened + packet(data(send), kind=4) + packet(control(4), kind=4),
        "wrong-crc": opened + packet(data(send), kind=16) + packet(data(send)),
        "wrong-tag": opened + packet(data(send), kind=8),
        "both-ask": b"\1" + packet(control(1)) + packet(control(1), kind=b),
        "abort": opened + packet(bytes([9, 4, 6, 0, 0, 4])),
        "forward-tsn": opened + packet(bytes([9, 8, 192, 0, 0, 8, 0, 0, 0, 5])),
        "other-payload": opened + packet(data(send, ppid=46), data(send, flags=3)),
        "lengths-that-lie": opened + packet(bytes([9, 8, 0, 3, 0, 3, 0, 0, 0, 0]), bytes([9, 4, 3, 0, 255, 255])),
        "many-streams": b"\1" + b"".join(packet(control(1, stream=n)) + packet(control(2, stream=n), kind=b)
                                         for n in range(4)),
    }


def daemon_seeds(source, corpus):
    """Input from others to the daemon, its replies and its configuration."""
    api = Api(source / "daemon" / "api")
    seeds = {"api_fuzz": {"events": question(14, b"\0") + question(15, b"\1\2")}, "reply_fuzz": {},
             "configuration_fuzz": {}}
    for number, call in enumerate(CALLS):
        seeds["api_fuzz"][call] = question(number, api.octets(call + "Request", api.words(call + "Request")))
    # Numbers that were added later come after the others.
    seeds["api_fuzz"]["ListTransportEvents"] = question(
        16, api.octets("ListTransportEventsRequest", "qp: 1 from: 1 most: 2")) + question(17, b"\3")
    seeds["api_fuzz"]["GetFrame"] = b"".join(
        question(18, api.octets("GetFrameRequest", f"qp: 1 frame: {frame}")) for frame in (1, 4, 7, 12, 999999))
    for i, (call, text) in enumerate(QUESTIONS):
        seeds["api_fuzz"][f"{call}-{i}"] = question(CALLS.index(call), api.octets(call + "Request", text))
    for kind, name in enumerate(["QueuePair", "Message", "Finding", "Status", "TransportEvent"]):
        for n in range(6, 12 if name == "Message" else 8):
            seeds["reply_fuzz"][f"{name}-{n}"] = bytes([kind]) + api.octets(name, api.words(name, n))
    for i, row in enumerate(ROWS):
        seeds["reply_fuzz"][f"row-{i}"] = b"\5" + row.encode()
    file = (source / "daemon" / "share" / "iwarpscoped.toml").read_text()
    lines = [line.removeprefix("#") for line in file.splitlines() if re.match(r"\[|#\w+ = ", line)]
    for section in re.findall(r"^\[\w+\]\n(?:(?!\[).*\n)*", "\n".join(lines) + "\n", flags=re.M):
        seeds["configuration_fuzz"][section[1:section.index("]")]] = (section.rstrip() + "\n").encode()
    seeds["configuration_fuzz"]["mistakes"] = \
        b'[capture]\ninterfaces = ["a", 1]\nring = "9 XiB"\n[no]\n[api]\ntcp = 7\n'
    for target, files in seeds.items():
        (corpus / target).mkdir(parents=True, exist_ok=True)
        for name, octets in files.items():
            (corpus / target / name).write_bytes(octets)


def sample_seeds(samples):
    """By (target, name of the seed): the octets. A damaged capture is one as it is, if it is small."""
    seeds = {}
    for path in sorted(samples.rglob("*.pcap*")):
        stem = path.name.split(".pcap")[0]
        if path.name.endswith(".json"):
            continue
        data = OPEN.get(path.suffix, open)(path, "rb").read()
        try:
            seeds["analyzer_fuzz", stem] = analyzer_seed(data)
            frames = list(frames_of(data)) if len(data) <= LARGEST and path.suffix not in OPEN else []
        except struct.error:
            continue
        if frames:
            seeds["checkpoint_fuzz", stem] = checkpoint_seed(data, frames)
            seeds["stream_fuzz", stem] = stream_seed(frames)
            if path.parent.parent.name == "made" and path.parent.name != "faults":
                seeds["net_fuzz", stem] = net_seed(frames, 12)
    return {key: seed for key, seed in seeds.items() if seed}


def check(source, corpus):
    seeds = sample_seeds(source / "samples")
    stale = [f"{target}/{name}" for (target, name), seed in seeds.items()
             if not (corpus / target / name).is_file() or (corpus / target / name).read_bytes() != seed]
    for each in stale:
        print(f"{each}: missing, or not what its sample makes: run make_corpus.py", file=sys.stderr)
    print(f"{len(seeds)} seeds of samples, {len(stale)} of them missing or old")
    return 1 if stale or not seeds else 0


def main():
    if sys.argv[1] == "--check":
        return check(*map(pathlib.Path, sys.argv[2:]))
    source, corpus = map(pathlib.Path, sys.argv[1:])
    daemon_seeds(source, corpus)
    (corpus / "sctp_fuzz").mkdir(parents=True, exist_ok=True)
    for name, octets in sctp_seeds().items():
        (corpus / "sctp_fuzz" / name).write_bytes(octets)
    for name in ("net_fuzz", "stream_fuzz", "analyzer_fuzz", "checkpoint_fuzz"):
        (corpus / name).mkdir(parents=True, exist_ok=True)
    for (target, name), seed in sample_seeds(source / "samples").items():
        (corpus / target / name).write_bytes(seed)
    return 0


sys.exit(main())
