# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares findings in tshark with those of the report: code, frame and queue pair."""

from collections import Counter

from tshark import nodes

# A dissector sees frames, not the file that contains them.
OF_THE_FILE = {
    "CA-07": "a file that ends in the middle of a record",
    "CA-08": "a file that is damaged",
    "CA-19": "a clock that went back: Wireshark gives dissectors other times than the file's for frames out of order",
}

CUT_FILES = {"CA-07", "CA-08"}


def shown(frames):
    """(code, frame, queue pair) of every finding in the trees, with its count."""
    found = Counter()
    for number, tree in frames.items():
        for node in nodes(tree, "iwarp.finding.code"):
            qp = int(node["iwarp.finding.qp"][0]) if "iwarp.finding.qp" in node else None
            found[node["iwarp.finding.code"][0], number, qp] += 1
    return found


def reported(report):
    return Counter((f["code"], f["frame"], f["qp"]) for f in report.findings if f["code"] not in OF_THE_FILE)


def differences(frames, report):
    """Faults as text."""
    want, have = reported(report), shown(frames)
    return [f"{code} in frame {frame} of QP {qp} is {what}"
            for what, some in (("not shown", want - have), ("shown but not reported", have - want))
            for code, frame, qp in sorted(some, key=str)]


def differences_of_one_pass(frames, report):
    """The same for one pass. It shows all frames before the end of the capture: findings that it lacks are in the last
    frame, of the capture or of the queue pair."""
    want, have = reported(report), shown(frames)
    ends = {None: report.frames} | {qp["qp"]: qp["last_frame"] for qp in report.qps}
    wrong = [f"one pass shows {code} in frame {frame}, which is not reported" for code, frame, _ in have - want]
    return wrong + [f"one pass lacks {code} in frame {frame}" for code, frame, qp in want - have
                    if frame not in (ends[qp], report.frames, None)]
