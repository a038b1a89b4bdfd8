#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Dissects every sample capture in two passes: its findings, messages, startups and verdicts equal those of
`iwarpscope analyze`, and its trees equal golden/samples/. sharkd does it for most captures, tshark for some; some also
run through tshark in one pass.

  samples_test.py PLUGIN IWARPSCOPE SAMPLES PART [--update] [--whole FOLDER]

PART: 2/4 is the second of four parts. --update writes golden/samples/ again. --whole writes all lines of each sample
below FOLDER, where golden/samples/ has a hash for the end of long ones: for a manual comparison.
"""

import argparse
import gc
import sys

import finding_checks
import message_checks
import reports
import sample_golden
from tshark import Fault, Sharkd, Tshark, frames

MOST_PRINTED = 8  # maximum differences printed of one capture
ONE_PASS = 6  # one capture out of this number also runs in one pass
TWO_PASSES = 17  # one capture out of this number runs through tshark in two passes, the others through sharkd


def two_passes(shark, sharkd, path):
    if reports.part([path], f"1/{TWO_PASSES}"):
        return frames(shark.run(["-2", "-Y", "iwarp", "-T", "json", "-J", "frame iwarp"], path))
    sharkd.load(path)
    return sharkd.frames()


def check(shark, sharkd, path, report, options):
    shown = two_passes(shark, sharkd, path)
    faults = finding_checks.differences(shown, report) + message_checks.differences(shown, report)
    faults += sample_golden.differences(shown, reports.stem(path), options.update, options.whole)
    if reports.part([path], f"1/{ONE_PASS}"):
        shown = frames(shark.run(["-Y", "iwarp.finding", "-T", "json", "-J", "frame iwarp"], path))
        faults += finding_checks.differences_of_one_pass(shown, report)
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("plugin", "program", "samples", "part"):
        parser.add_argument(name)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--whole", metavar="FOLDER")
    options = parser.parse_args()
    gc.disable()  # the trees are millions of objects without cycles
    shark = Tshark(options.plugin)
    sharkd = Sharkd(shark)
    paths = reports.part(reports.samples(options.samples), options.part)
    failed = 0
    for path, report in reports.each(options.program, paths):
        try:
            faults = check(shark, sharkd, path, report, options)
        except Fault as fault:
            faults = [str(fault)]
        failed += bool(faults)
        for fault in faults[:MOST_PRINTED]:
            print(f"{reports.stem(path)}: {fault}")
        if len(faults) > MOST_PRINTED:
            print(f"{reports.stem(path)}: and {len(faults) - MOST_PRINTED} more")
    try:
        sharkd.close()
    except Fault as fault:
        failed += 1
        print(fault)
    for name in sample_golden.left_over({reports.stem(path) for path in reports.samples(options.samples)}):
        failed += 1
        print(f"{name}: kept, but there is no such sample")
    print(f"{len(paths) - failed} captures agree, {failed} do not")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
