# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The output of `iwarpscope analyze` on a capture, and the list of captures."""

import json
import os
import subprocess
import zlib


def samples(folder):
    """Paths of all captures below `folder`, sorted."""
    return sorted(os.path.join(at, name) for at, _, names in os.walk(folder) for name in names
                  if name.endswith((".pcap", ".pcapng", ".pcap.gz", ".pcapng.gz")))


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

    def __init__(self, program, path, messages=False):
        command = [program, "analyze", "--format", "json", *(["--messages"] if messages else []), path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        self.findings = [r for r in records if r["record"] == "finding"]
        self.messages = {(r["qp"], r["direction"], r["index"]): r for r in records if r["record"] == "message"}
        self.frames = next((r["frames"] for r in records if r["record"] == "capture"), 0)
        self.qps = [r for r in records if r["record"] == "qp"]
        if not records or records[-1]["record"] != "summary":
            raise RuntimeError(f"{path}: no report: {done.stderr}")
