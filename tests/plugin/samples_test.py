#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Dissects every sample capture in two passes: its findings, messages, startups and verdicts equal those of
`iwarpscope analyze`, and its trees equal golden/samples/. sharkd does it for most captures, tshark for some; some also
run through tshark in one pass, joined into one capture.

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
import synth
from tshark import Fault, Sharkd, Tshark, frames

MOST_PRINTED = 8  # maximum differences printed of one capture
ONE_PASS = 5  # one capture out of this number also runs in one pass
TWO_PASSES = 41  # one capture out of this number runs through tshark in two passes, the others through sharkd


def two_passes(shark, sharkd, path):
    if reports.part([path], f"1/{TWO_PASSES}"):
        return frames(shark.run(["-2", "-Y", "iwarp", "-T", "json", "-J", "frame iwarp"], path))
    sharkd.load(path)
    return sharkd.frames()


def check(shark, sharkd, path, report, options):
    shown = two_passes(shark, sharkd, path)
    faults = finding_checks.differences(shown, report) + message_checks.differences(shown, report)
    return faults + sample_golden.differences(shown, reports.stem(path), options.update, options.whole)


def one_pass(shark, path, report):
    arguments = [*synth.SEPARATE, "-Y", "iwarp.finding", "-T", "json", "-J", "frame iwarp"]
    return finding_checks.differences_of_one_pass(frames(shark.run(arguments, path)), report)


def in_one_pass(shark, program, alone):
    """(name, faults) of the captures joined into one, and of each that has a finding which the joined one does not have.
    `alone`: their reports by path."""
    folder = synth.Folder()
    try:
        whole = [path for path, report in alone.items() if not report.codes() & finding_checks.CUT_FILES]
        joined = folder.joined(*whole)
        [(_, report)] = reports.each(program, [joined], "--separate-interfaces")
        apart = len(report.qps) == sum(len(alone[path].qps) for path in whole)
        yield "joined", one_pass(shark, joined, report) if apart else ["queue pairs of different captures became one"]
        for path, own in alone.items():
            if path not in whole or own.codes() - report.codes():
                yield reports.stem(path), one_pass(shark, path, own)
    finally:
        folder.cleanup()


def printed(name, faults):
    """Whether there are faults."""
    for fault in faults[:MOST_PRINTED]:
        print(f"{name}: {fault}")
    if len(faults) > MOST_PRINTED:
        print(f"{name}: and {len(faults) - MOST_PRINTED} more")
    return bool(faults)


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
    failed, again = 0, {}
    for path, report in reports.each(options.program, paths):
        try:
            faults = check(shark, sharkd, path, report, options)
        except Fault as fault:
            faults = [str(fault)]
        failed += printed(reports.stem(path), faults)
        if reports.part([path], f"1/{ONE_PASS}"):
            again[path] = report
    try:
        sharkd.close()
        failed += sum(printed(name, faults) for name, faults in in_one_pass(shark, options.program, again))
    except Fault as fault:
        failed += 1
        print(fault)
    for name in sample_golden.left_over({reports.stem(path) for path in reports.samples(options.samples)}):
        failed += 1
        print(f"{name}: kept, but there is no such sample")
    print(f"{len(paths)} captures, {failed} faults")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
