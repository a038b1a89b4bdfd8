#!/usr/bin/env python3
"""Every sample capture in tshark, in two passes: its findings and its messages, startups and verdicts are those of
`iwarpscope analyze`. Some in one pass, too.

  samples_test.py PLUGIN IWARPSCOPE SAMPLES PART     PART: 2/4 is the second of four parts
"""

import sys

import finding_checks
import message_checks
import reports
from tshark import Fault, Tshark, frames

MOST_TOLD = 8  # differences of one capture
ONE_PASS = 6  # one capture in so many is looked at in one pass, too


def check(shark, program, path):
    report = reports.Report(program, path, messages=True)
    shown = frames(shark.run(["-2", "-Y", "iwarp", "-T", "json", "-J", "frame iwarp"], path))
    faults = finding_checks.differences(shown, report) + message_checks.differences(shown, report)
    if reports.part([path], f"1/{ONE_PASS}"):
        shown = frames(shark.run(["-Y", "iwarp.finding", "-T", "json", "-J", "frame iwarp"], path))
        faults += finding_checks.differences_of_one_pass(shown, report)
    return faults


def main():
    plugin, program, folder, part = sys.argv[1:5]
    shark = Tshark(plugin)
    paths = reports.part(reports.samples(folder), part)
    failed = 0
    for path in paths:
        try:
            faults = check(shark, program, path)
        except Fault as fault:
            faults = [str(fault)]
        failed += bool(faults)
        for fault in faults[:MOST_TOLD]:
            print(f"{reports.stem(path)}: {fault}")
        if len(faults) > MOST_TOLD:
            print(f"{reports.stem(path)}: and {len(faults) - MOST_TOLD} more")
    print(f"{len(paths) - failed} captures agree, {failed} do not")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
