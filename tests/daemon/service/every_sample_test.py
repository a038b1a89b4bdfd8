#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every sample over a cable, with one worker, with four and by AF_XDP: every_sample_test.py IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY

The frames of all captures of Ethernet in samples/ are sent out of one end of a veth pair while the daemon watches the
other. Then it is asked for the packets that it has seen: they are those that were sent, in their order, octet for octet.
Its findings and verdicts have to be those of `iwarpscope analyze` on that file. A verdict depends on how long its queue
pair has been silent, so both have to stop listening at the same time: one more frame is sent shortly before the end.
"""

import json
import re
import socket
import sys
import time
from pathlib import Path

import http2
from answers import Asking, Frames, findings, records, run, verdicts
from cable import FAR, NEAR, enter, moved
from running import Folder, Running, wait_until
from send_capture import frames

MOST = 65535 + 14      # octets of a frame that the cable carries
AT_ONCE = 200          # frames without a pause
LAST = bytes(12) + b"\x88\xb5" + bytes(46)  # a frame of an experiment (IEEE 802), which no program uses
LATE = 1.0             # seconds without a frame, after which the daemon knows better than a file how late it is
TRIES = 3
SECTIONS = """[capture]
interfaces = ["{FAR}"]
workers = {workers}
method = "{method}"
[analysis]
threads = {threads}
[recorder]
at_least = "none"
[process]
report_open = true
"""


def samples(root):
    """Frames of all samples, each from other ports, and how many samples there are."""
    all, count = [], 0
    for folder in ("siw", "sctp", "made"):
        for path in sorted((Path(root) / "samples" / folder).rglob("*.pcap*")):
            its = frames(path)
            if its and max(map(len, its)) <= MOST:
                all += [moved(frame, 100 + count) for frame in its]
                count += 1
    return all, count


def fetch(daemon, path, since=0):
    """Appends what the daemon keeps of packets from that time on, in ns, to a file."""
    with socket.socket(socket.AF_UNIX) as connection, open(path, "ab") as file:
        connection.settimeout(60)
        connection.connect(str(daemon.socket))
        for reply in http2.replies(connection, "FetchPackets", http2.field(2, since)):
            for number, value in http2.fields(reply):
                if number == 1:
                    file.write(value)


def differences(ours, theirs, name):
    """Some of them, as sentences."""
    ours, theirs = list(map(str, ours)), list(map(str, theirs))
    missing = [one for one in theirs if one not in ours]
    more = [one for one in ours if one not in theirs]
    return [f"{name}: only analyze reports {one}" for one in missing[:5]] + \
           [f"{name}: only the daemon reports {one}" for one in more[:5]] + \
           ([f"{name}: {len(ours)} and {len(theirs)}"] if len(ours) != len(theirs) else [])


def settled_by(report, last):
    """The findings of a report; those that were settled because no more frames came, as if by the last sample's frame.
    With time, a daemon notices that before the frame that ends the capture; a file has only that frame to notice it by."""
    def early(one):
        one = json.loads(one)
        return json.dumps(one | {"frame": min(one["frame"], last)} if one.get("frame") else one, sort_keys=True)
    return sorted(map(early, findings(report)))


def without_waits(report):
    """The verdicts of a report, but for how long an end has been silent: a slow machine stops the daemon later."""
    return [[re.sub(r"[0-9.]+ s\b", "some time", str(part)) for part in verdict] for verdict in verdicts(report)]


def connection_of(frame):
    """The ends of a TCP segment in IPv4 without more around it; None: it is something else."""
    at = 14 + (frame[14] & 15) * 4 if len(frame) > 34 else len(frame)
    if len(frame) < at + 4 or frame[12:14] != b"\x08\x00" or frame[23] != 6 or frame[20:22] not in (b"\0\0", b"\x40\0"):
        return None
    return frozenset([frame[26:30] + frame[at:at + 2], frame[30:34] + frame[at + 2:at + 4]])


def in_order(kept, sent, workers):
    """All of them; with several workers, of which one may have been late on a busy machine, those of each connection."""
    if workers == 1:
        return kept == sent
    def by_connection(all):
        found = {}
        for frame in all:
            found.setdefault(connection_of(frame), []).append(frame)
        found[None] = sorted(found.get(None, []))
        return found
    return by_connection(kept) == by_connection(sent)


def send(sent):
    """Returns the longest time between two frames, in seconds."""
    longest, before = 0, time.monotonic()
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as cable:
        cable.bind((NEAR, 0))
        for n, frame in enumerate(sent):
            cable.send(frame)
            now = time.monotonic()
            longest, before = max(longest, now - before), now
            if n % AT_ONCE == 0:
                time.sleep(0.005)
    return longest


def end(daemon, capture):
    """Sends the last frame, appends it to the capture and stops the daemon. Returns how it ended and whether it may have
    noticed that nothing came after that frame."""
    begun = time.monotonic()
    before, since = capture.stat().st_size, time.time_ns()
    send([LAST])
    def came():
        with open(capture, "ab") as file:
            file.truncate(before)
        fetch(daemon, capture, since)
        return LAST in frames(capture)[-1:]
    wait_until(came, "the last frame")
    _, code = daemon.stop()
    return code, time.monotonic() - begun > LATE


def not_by(method, interface):
    """A sentence if an interface is captured otherwise, though it could be; prints why it cannot be."""
    if interface["method"].startswith(method):
        return []
    refused = [warning for warning in interface["warnings"] if "AF_XDP is not available" in warning]
    print(*refused, sep="\n", flush=True)
    return [] if refused else [f"the method is {interface['method']} and not {method}"]


def compare(program, client, sent, workers, threads, method):
    """Sentences about what is not the same, how much was compared, and whether the machine was too slow for it."""
    troubles = []
    sections = SECTIONS.format(FAR=FAR, workers=workers, threads=threads, method=method)
    with Folder() as own:
        daemon = Running(program, own.path, sections)
        daemon.file.write_text(daemon.file.read_text().replace('ring = "16 MiB"', 'ring = "128 MiB"'))
        with daemon:
            ask = Asking(client, daemon)
            troubles += not_by(method, ask.status()["interfaces"][0])
            paused = send(sent) > LATE
            now = wait_until(lambda: (now := Frames(ask.status())).all >= len(sent) and now, f"{len(sent)} frames")
            if (now.analysed, now.lost) != (len(sent), 0):
                troubles.append(f"{len(sent)} frames were sent, {now.analysed} analysed, {now.lost} lost")
            capture = own.path / "fetched.pcapng"
            fetch(daemon, capture)
            if not in_order(frames(capture), sent, workers):
                troubles.append(f"the daemon did not keep the {len(sent)} frames that were sent, in their order")
            code, late = end(daemon, capture)
            if code != 0 or "were lost" in daemon.said():
                troubles.append(f"it ended with {code}: {daemon.said()}")
        ours = (own.path / "events.jsonl").read_text(encoding="utf-8")
        theirs = run(client, "analyze", "--format", "json", capture, check=True).stdout
    for name, of in (("findings", lambda report: settled_by(report, len(sent))), ("verdicts", without_waits)):
        troubles += differences(of(ours), of(theirs), f"{name} with {workers} workers, {method}")
    return troubles, len(records(theirs, "finding")), len(records(theirs, "qp")), late or paused


def main(program, client, root):
    enter()
    sent, count = samples(root)
    troubles = []
    for workers, threads, method in ((1, 1, "ring"), (4, 2, "ring"), (1, 1, "xdp")):
        begun = time.monotonic()
        for _ in range(TRIES):
            wrong, reported, qps, late = compare(program, client, sent, workers, threads, method)
            if not (wrong and late):
                break
        troubles += wrong
        print(f"{len(sent)} frames of {count} samples with {workers} workers, {method}: {reported} findings, verdicts on {qps} queue pairs, "
              f"in {time.monotonic() - begun:.1f} s", flush=True)
        if reported < 900 or qps < 500:
            troubles.append("that is too little to compare")
    for trouble in troubles:
        print("FAILED:", trouble)
    sys.exit(1 if troubles else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
