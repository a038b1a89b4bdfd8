# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The output of `iwarpscope analyze` on a capture, and the list of captures."""

import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "golden"))

import analyzed


def samples(folder):
    """Paths of all captures below `folder`, sorted."""
    return [str(path) for path in analyzed.captures(folder)]


def stem(path):
    """siw/rping-crc of .../samples/siw/rping-crc.pcap.gz."""
    name = path.rsplit("/samples/", 1)[-1]
    return name.removesuffix(".gz").removesuffix(".pcapng").removesuffix(".pcap")


def part(paths, text):
    """The paths in part `text`, such as 2/4 (counted from 1), selected by a hash of their names."""
    mine, of = (int(n) for n in text.split("/"))
    return [p for p in paths if zlib.crc32(stem(p).encode()) % of == mine - 1]


class Report:
    """Records by kind."""

    def __init__(self, records):
        self.findings = [r for r in records if r["record"] == "finding"]
        self.messages = {(r["qp"], r["direction"], r["index"]): r for r in records if r["record"] == "message"}
        self.frames = next((r["frames"] for r in records if r["record"] == "capture"), 0)
        self.qps = [r for r in records if r["record"] == "qp"]

    def codes(self):
        return {f["code"] for f in self.findings}


def each(program, paths, *options):
    """(path, report) of each of the captures, with its messages."""
    for path, report in analyzed.reports(program, paths, "--messages", *options):
        yield str(path), Report(report.records)
