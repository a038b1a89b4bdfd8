#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The text report of every sample: the cause comes early, and no line is wider than the terminal.

    text_report_test.py IWARPSCOPE SAMPLES

causes.txt lists every sample with a queue pair that failed, stalled or was refused. The words there must be within the
first lines of the report at the usual width.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import unicodedata

import analyzed

HEAD = 25
COLUMNS = (80, 100, 200)
BAD = {"failed", "stalled", "refused"}


def run(program, samples, columns, *options):
    """A damaged file is read as far as possible, and reported as damaged."""
    out = subprocess.run([program, "analyze", *options, *map(str, samples)], capture_output=True, text=True, check=False,
                         env={**os.environ, "COLUMNS": str(columns)})
    return out.stdout


def reports(text):
    """Text reports of several files, one after another."""
    return [part for part in re.split(r"^(?=Capture  )", text, flags=re.MULTILINE) if part.startswith("Capture  ")]


def causes():
    rows = (pathlib.Path(__file__).parent / "causes.txt").read_text(encoding="utf-8").splitlines()
    split = (row.split(" | ") for row in rows if row and not row.startswith("#"))
    return {sample: words for sample, *words in split}


def failing(program, folder, samples):
    """Samples with a queue pair that did not end well."""
    found, name = set(), None
    for line in run(program, samples, 100, "--format", "json").splitlines():
        if line.startswith('{"record":"capture"'):
            name = str(pathlib.Path(json.loads(line)["file"]).relative_to(folder))
        elif line.startswith('{"record":"qp"') and json.loads(line)["verdict"]["outcome"] in BAD:
            found.add(name)
    return found


def late_causes(program, folder, wanted):
    """(sample, words) that are not within the first lines."""
    samples = [folder / name for name in wanted]
    for (name, words), report in zip(wanted.items(), reports(run(program, samples, 100))):
        head = " ".join(" ".join(report.splitlines()[:HEAD]).split())
        for phrase in words:
            if phrase not in head:
                yield name, phrase


def width(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def wide_lines(text, columns):
    """A line of one long word, after its indentation and label, cannot be broken."""
    for line in text.splitlines():
        is_one_word = len(re.sub(r"^\S+  +", "", line).split()) <= 1
        if width(line) > columns and not is_one_word:
            yield line


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    samples = analyzed.captures(folder)
    wanted = causes()
    faults = []
    found = failing(program, folder, samples)
    faults += [f"{name}: not in causes.txt" for name in sorted(found - wanted.keys())]
    faults += [f"{name}: in causes.txt, but nothing failed" for name in sorted(wanted.keys() - found)]
    faults += [f"{name}: not in the first {HEAD} lines: {words}" for name, words in late_causes(program, folder, wanted)]
    for columns in COLUMNS:
        for options in ((), ("--notes",), ("--qp", "0")):
            text = run(program, samples, columns, *options)
            if len(reports(text)) != len(samples):
                faults.append(f"{len(reports(text))} reports of {len(samples)} samples, {columns} {options}")
            faults += [f"{columns} columns {' '.join(options)}: {line}" for line in wide_lines(text, columns)]
    print("\n".join(dict.fromkeys(faults)))
    print(f"{len(samples)} samples, {len(wanted)} of them failing; {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
