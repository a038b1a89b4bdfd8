#!/usr/bin/env python3
"""Every sample capture in tshark, in two passes: its findings and its messages, startups and verdicts are those of
`iwarpscope analyze`.

  samples_test.py PLUGIN IWARPSCOPE SAMPLES PART     PART: 2/4 is the second of four parts
"""

import sys

import finding_checks
import message_checks
import reports
from tshark import Fault, Tshark, frames

MOST_TOLD = 8  # differences of one capture


def check(shark, program, path):
    report = reports.Report(program, path, messages=True)
    shown = frames(shark.run(["-2", "-Y", "iwarp", "-T", "json", "-J", "frame iwarp"], path))
    return finding_checks.differences(shown, report) + message_checks.differences(shown, report)


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
