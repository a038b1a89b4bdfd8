# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures in a folder, and what `iwarpscope analyze` reports of them, all from one run of it: a program takes longer to
start than to read most samples, and much longer with sanitizers."""

import json
import pathlib
import subprocess

SUFFIXES = (".pcap", ".pcapng", ".pcap.gz", ".pcapng.gz")


def captures(folder):
    """Paths of all captures below `folder`, sorted."""
    return sorted(path for path in pathlib.Path(folder).rglob("*") if path.name.endswith(SUFFIXES))


class Report:
    """The records of one capture; a damaged one is read as far as possible, and `trouble` says how far."""

    def __init__(self, records, trouble=""):
        self.records, self.trouble = records, trouble

    def of(self, kind):
        return [record for record in self.records if record["record"] == kind]


def reports(program, paths, *options):
    """(path, report) of each of the captures."""
    paths = [str(path) for path in paths]
    if not paths:
        return
    done = subprocess.run([program, "analyze", "--format", "json", *options, *paths], capture_output=True, text=True,
                          check=False)
    troubles = {path: line for path in paths for line in done.stderr.splitlines() if f" {path}: " in line}
    if done.returncode not in ((0, 2) if troubles else (0,)):  # that a file was cut off is no error
        raise RuntimeError(f"exit {done.returncode}: {done.stderr}")
    read, waiting = [], iter(paths)
    for record in map(json.loads, done.stdout.splitlines()):
        read.append(record)
        if record["record"] == "summary":
            path = next(waiting)
            [capture] = [one for one in read if one["record"] == "capture"]
            assert capture["file"] == path, f"the report of {capture['file']} comes where that of {path} should"
            yield pathlib.Path(path), Report(read, troubles.get(path, ""))
            read = []
    assert not read and next(waiting, None) is None, f"it ends early: {done.stderr}"
