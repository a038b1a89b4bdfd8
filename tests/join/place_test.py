#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Loss, damage, delay, address translation and clock errors between two taps: the place is found, or left open.

    place_test.py IWARPSCOPE samples/siw

Each scene makes what two taps saw of a capture, tap `one` before tap `two` on the way of the octets concerned, and says
which places are right. A place that is not right fails, and so does an end that is blamed and that the whole capture does
not blame. Scenes in which the records show the place fail without it, too.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

import taps

OTHER_HOST = bytes([192, 0, 2, 77])
CLOCK = 5_000_000


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{arguments}: exit {done.returncode}: {done.stderr}"
    return [json.loads(line) for line in done.stdout.splitlines()]


def senders(frames):
    """By octets sent, most first."""
    sent = {}
    for frame in frames:
        if frame.tcp is not None:
            sent[frame.sender] = sent.get(frame.sender, 0) + frame.carries
    return sorted(sent, key=sent.get, reverse=True)


def lost_before(frames, sender, chance):
    """The capture as tap two, and tap one saw the first transmissions of what came late."""
    late = taps.came_late(frames, sender)
    lost = [taps.first_transmission(frame, later.time - 1) for frame, later in late]
    return taps.by_time(taps.copies(frames) + lost), frames, {("loss", "one", "two")} if lost else set()


def lost_after(frames, sender, chance):
    """The capture as tap one, and tap two lacks the first transmissions of what was sent twice."""
    pairs = taps.sent_twice(frames, sender)
    firsts = {id(first): first for first, _ in pairs}
    gone = [first for first in firsts.values() if all(first is not second for _, second in pairs)]
    return frames, taps.without(frames, gone), {("loss", "one", "two")} if gone else set()


def damaged_segment(frames, sender, chance):
    """As lost_after(), but tap two sees the first transmissions with a wrong TCP checksum."""
    pairs = taps.sent_twice(frames, sender)
    hurt = {id(first) for first, _ in pairs} - {id(second) for _, second in pairs}
    two = taps.copies(frames)
    for before, after in zip(frames, two):
        if id(before) in hurt:
            after.octets[before.payload[0] + before.carries // 2] ^= 0x10
    return frames, two, {("damage", "one", "two")} if hurt else set()


def damaged_fpdu(frames, sender, chance):
    """Octets inside a frame change on the way, and the TCP checksum is computed again, as a middlebox does."""
    large = [i for i, frame in enumerate(frames) if frame.tcp is not None and frame.sender == sender and frame.carries > 60]
    two = taps.copies(frames)
    if len(large) > 2:
        frame = two[chance.choice(large[1:])]
        at = frame.payload[0] + frame.carries // 2
        at += (at - frame.tcp) % 2
        frame.rewrite(at, bytes([frame.octets[at] ^ 0x40, frame.octets[at + 1]]))
    return frames, two, {("damage", "one", "two")} if len(large) > 2 else set()


def missed(frames, sender, chance):
    """Losses are elsewhere, and the capture of tap two misses frames."""
    rate = chance.choice((0.005, 0.02, 0.1))
    return frames, [frame for frame in frames if chance.random() >= rate], set()


def nothing(frames, sender, chance):
    return frames, frames, set()


def places_of(record):
    """Places that lie between taps, and what is certain of others."""
    for place in record["places"]:
        yield (place["kind"], *place["after"], *place["before"]) if place["after"] and place["before"] else \
            (place["kind"], "after" if place["after"] else "before", *place["after"], *place["before"])


class Check:
    def __init__(self, program, work):
        self.program, self.work = program, work
        self.failed = self.scenes = self.found = 0

    def blamed(self, path):
        """The ends that the report of the whole capture blames: their ports, for addresses may be translated."""
        return {r[r["verdict"]["blame"]]["port"]
                for r in run(self.program, "analyze", "--format", "json", str(path))
                if r["record"] == "qp" and r["verdict"]["blame"] in ("a", "b")}

    def joined(self, one, two, *options):
        files = [self.work / "one.pcap", self.work / "two.pcap"]
        for file, frames in zip(files, (one, two)):
            taps.write(file, frames)
        return [r for r in run(self.program, "join", "--format", "json", *options, *map(str, files))
                if r["record"] == "joined"]

    def fail(self, name, what):
        self.failed += 1
        print(f"{name}: {what}")

    def scene(self, name, seen, blamed, must, *options):
        one, two, right = seen
        self.scenes += 1
        records = self.joined(one, two, *options)
        places = {place for r in records for place in places_of(r) if place[1] not in ("after", "before")}
        for wrong in places - right:
            self.fail(name, f"a wrong place: {wrong}")
        if must and not right <= places:
            self.fail(name, f"not found: {right - places}; it says {[s for r in records for s in r['sentences']]}")
        self.found += bool(right) and right <= places
        for r in records:
            blame = r["verdict"] and r["verdict"]["blame"]
            if blame in ("a", "b") and r[blame]["port"] not in blamed:
                self.fail(name, f"an end is blamed: {r['verdict']}")
        return records


def check_capture(check, path, chance):
    frames, blamed = taps.read(path), check.blamed(path)
    ends = senders(frames)
    if not ends:
        return
    sender = ends[0]
    other = OTHER_HOST if len(sender[0]) == 4 else sender[0][:12] + OTHER_HOST
    is_lossy = "lossy" in path.name
    scenes = (lost_before, lost_after, damaged_segment, damaged_fpdu, missed, nothing) if is_lossy else (damaged_fpdu, missed)
    for make in scenes:
        one, two, right = make(frames, sender, chance)
        must = make in (lost_after, damaged_segment) or (make is lost_before and right)
        variants = {
            "": (one, two),
            ", delayed": (one, taps.further(two, sender, chance.choice((10, 300, 5000)))),
            ", clock wrong": (one, taps.at_other_clock(two, chance.randrange(-CLOCK, CLOCK))),
            ", translated": (one, taps.translated(two, sender[0], other)),
        }
        for variant, seen in variants.items():
            # Acknowledgments that the tap sees before the octets make gaps: then nothing has to be found.
            strict = must and variant != ", delayed"
            check.scene(f"{path.name}, {make.__name__}{variant}", (*seen, right), blamed, strict)
            if variant == ", clock wrong":
                check.scene(f"{path.name}, {make.__name__}{variant}, bound", (*seen, right), blamed, strict,
                            "--clock-bound", "5s")


def main(program, folder):
    with tempfile.TemporaryDirectory() as work:
        check = Check(program, pathlib.Path(work))
        for path in taps.captures(folder):
            chance = random.Random(path.name)
            if "lossy" in path.name or chance.random() < 0.15:
                check_capture(check, path, chance)
    print(f"{check.scenes} scenes, the place found in {check.found}, {check.failed} failures")
    return 1 if check.failed or not check.scenes else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
