#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A capture divided at random over two taps gives the report of the whole one.

    split_test.py IWARPSCOPE samples/siw [--every]    each capture in every way

Compared are the queue pairs of the whole capture and the joined connections of the two taps, whose clocks agree:
- their number, and for each the ends and the verdict: code, outcome, blame, confidence, and text without frame numbers;
- for each its findings but those about the capture: rule, direction, offset, seen and expected.
"""

import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import taps

def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{arguments}: exit {done.returncode}: {done.stderr}"
    return [json.loads(line) for line in done.stdout.splitlines()]


def without_frames(text):
    return re.sub(r"\bframes? \d+(, \d+)*( and \d+)?", "frame N", text)


def end(record):
    return record["address"], record["port"]


def verdict(record):
    kept = record["verdict"]
    return end(record["a"]), end(record["b"]), *(kept[k] for k in ("code", "outcome", "blame", "confidence")), \
        without_frames(kept["text"])


def finding(record):
    return tuple(record[k] for k in ("code", "direction", "offset", "seen", "expected"))


def whole(program, path):
    records = run(program, "analyze", "--format", "json", str(path))
    found = collections.defaultdict(list)
    for record in records:
        if record["record"] == "finding" and record["about"] != "capture":
            found[record["qp"]].append(finding(record))
    return sorted((verdict(r), sorted(found[r["qp"]], key=str)) for r in records if r["record"] == "qp")


def joined(program, *files):
    records = run(program, "join", "--format", "json", "--clock-bound", "1us", *files)
    return sorted((verdict(r), sorted((finding(f) for f in r["findings"] if f["about"] != "capture"), key=str))
                  for r in records if r["record"] == "joined")


def first_difference(expected, got):
    for want, have in zip(expected, got):
        if want != have:
            return f"\n  whole  {want}\n  joined {have}"
    return "" if len(got) == len(expected) else f"{len(expected)} queue pairs, {len(got)} joined connections"


def divisions(number, every):
    """Each capture is divided frame by frame, and in one of the other ways, which alternate."""
    others = [divide for divide in taps.DIVISIONS if divide is not taps.by_frames]
    return taps.DIVISIONS if every else (taps.by_frames, others[number % len(others)])


def main(program, folder, every=None):
    failed = compared = 0
    with tempfile.TemporaryDirectory() as work:
        files = [str(pathlib.Path(work) / f"{tap}.pcap") for tap in ("one", "two")]
        for number, path in enumerate(taps.captures(folder)):
            frames, expected = taps.read(path), whole(program, path)
            for divide in divisions(number, every):
                for file, part in zip(files, divide(frames, random.Random(path.name))):
                    taps.write(file, part)
                compared += 1
                difference = first_difference(expected, joined(program, *files))
                if difference:
                    failed += 1
                    print(f"{path.name}, {divide.__name__}: {difference}")
    print(f"{compared} divided captures compared, {failed} differ")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
