# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A verdict that is limited says by what: its sentence does, or one of the remarks that limit a verdict follows it.

Usage: verdict_says_limits_test.py PROGRAM SAMPLES VERDICTS_MD
"""

import pathlib
import re
import sys

import analyzed

ROW = re.compile(r"^### (V-\d+) .*?at most (\w+)\.$", re.MULTILINE | re.DOTALL)
REMARK = re.compile(r"^\| (VR-\d+) \| `[^`]+` \| limited \| (.*?) \|", re.MULTILINE)


def pattern(sentence):
    """Matches the sentence whatever stands for its names in braces."""
    return re.compile(".+?".join(re.escape(part) for part in re.split(r"\{\w+\}", sentence)))


def hidden(report, limited, remarks):
    for qp in report.of("qp"):
        verdict = qp["verdict"]
        if verdict["confidence"] != "limited" or verdict["code"] in limited:
            continue
        if not any(r.search(verdict["text"]) for r in remarks):
            yield qp["qp"], verdict


def main():
    program, folder, document = sys.argv[1:4]
    text = pathlib.Path(document).read_text(encoding="utf-8")
    limited = {code for code, most in ROW.findall(text) if most == "limited"}
    remarks = [pattern(sentence) for _, sentence in REMARK.findall(text)]
    if not limited or len(remarks) < 10:
        print(f"{document} is not read as it should be: {len(limited)} verdicts and {len(remarks)} remarks are limited")
        return 1
    faults = 0
    for path, report in analyzed.reports(program, analyzed.captures(folder)):
        for qp, verdict in hidden(report, limited, remarks):
            faults += 1
            print(f"{path.name} QP {qp}: {verdict['code']}: {verdict['text']}")
    print(f"{faults} limited verdicts do not say by what")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
