#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A capture divided at random over two taps gives the report of the whole one.

    split_test.py IWARPSCOPE samples/siw [NAME...]

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

SEEDS = (1,)


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


def main(program, folder, *names):
    failed = compared = 0
    with tempfile.TemporaryDirectory() as work:
        files = [str(pathlib.Path(work) / f"{tap}.pcap") for tap in ("one", "two")]
        for path in taps.captures(folder):
            if names and path.name not in names:
                continue
            frames, expected = taps.read(path), whole(program, path)
            for divide in taps.DIVISIONS:
                for seed in SEEDS:
                    for file, part in zip(files, divide(frames, random.Random(f"{seed} {path.name}"))):
                        taps.write(file, part)
                    got = joined(program, *files)
                    compared += 1
                    if got == expected:
                        continue
                    failed += 1
                    print(f"{path.name}, {divide.__name__}, seed {seed}:")
                    for want, have in zip(expected, got):
                        if want != have:
                            print(f"  whole  {want}\n  joined {have}")
                            break
                    if len(got) != len(expected):
                        print(f"  {len(expected)} queue pairs, {len(got)} joined connections")
    print(f"{compared} divided captures compared, {failed} differ")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
