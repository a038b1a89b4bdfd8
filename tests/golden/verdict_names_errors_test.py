# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""If an error of an end precedes the end of a connection, the verdict names it or another error of an end. And it names
the error of a Terminate as the finding about that Terminate does.

Usage: verdict_names_errors_test.py PROGRAM SAMPLES
"""

import json
import re
import subprocess
import sys

import analyzed

# These report how it ended, or repeat that operations were outstanding.
CONSEQUENCES = {"RM-16", "AT-12", "DD-21", "MF-14"}


def about_peer(program):
    """Codes of rules about an end."""
    rows = subprocess.run([program, "rules", "--format", "json"], capture_output=True, text=True, check=True).stdout
    return {r["code"] for r in map(json.loads, rows.splitlines()) if r["about"] == "peer"}


def cases(report, of_peers):
    """(qp, errors, verdict) for verdicts that name no error of an end although there is one."""
    for qp in report.of("qp"):
        its = [f for f in report.of("finding") if f["qp"] == qp["qp"]]
        # A Terminate is the end: its faults, and errors after it, explain nothing.
        end = min([f["frame"] for f in its if f["code"] == "QP-02"], default=qp["last_frame"] + 1)
        errors = {f["code"] for f in its if f["severity"] == "error" and f["code"] in of_peers and f["direction"]
                  and f["frame"] < end}
        errors = {e for e in errors if not e.startswith("QP-")} - CONSEQUENCES
        if errors and not any(f"({e})" in qp["verdict"]["text"] for e in errors):
            yield qp["qp"], sorted(errors), qp["verdict"]


def other_terminates(report):
    """(qp, error, verdict) for verdicts that name another error of a Terminate than all findings about Terminates."""
    for qp in report.of("qp"):
        named = re.search(r"sent a Terminate \((.*?)\) in frame", qp["verdict"]["text"])
        texts = [f["text"] for f in report.of("finding") if f["qp"] == qp["qp"] and f["code"] == "QP-02"]
        if named and texts and not any(named[1] in text for text in texts):
            yield qp["qp"], texts, qp["verdict"]


def main():
    program, folder = sys.argv[1:3]
    of_peers = about_peer(program)
    faults = 0
    for path, report in analyzed.reports(program, analyzed.captures(folder)):
        for qp, errors, verdict in cases(report, of_peers):
            faults += 1
            print(f"{path.name} QP {qp}: {', '.join(errors)} not named by {verdict['code']} ({verdict['outcome']}, "
                  f"{verdict['blame']}): {verdict['text']}")
        for qp, texts, verdict in other_terminates(report):
            faults += 1
            print(f"{path.name} QP {qp}: {' '.join(texts)} But {verdict['code']}: {verdict['text']}")
    print(f"{faults} verdicts do not name an error that they could, or name another")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
