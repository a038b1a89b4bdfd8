#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A queue pair that completed says what was repaired, waited for or contradicted on the way, and only that.

    completed_says_what_it_took_test.py IWARPSCOPE SAMPLES
"""
import sys

import analyzed

SIDES = ("a_to_b", "b_to_a")
WAIT = 10_000_000  # ns
SHARE = 100        # one octet in so many


def expected(qp, findings):
    """Words, and whether the verdict must have them."""
    codes = {f["code"] for f in findings if f["qp"] == qp["qp"]}
    sides = [qp[side] for side in SIDES]
    yield "repaired data from", "TC-01" in codes
    yield "held back", any((s["head_of_line"] or {}).get("largest_ns", 0) >= WAIT for s in sides)
    yield "again (", any(s["retransmitted_octets"] * SHARE >= s["stream_octets"] and s["retransmitted_octets"]
                         for s in sides)
    yield "(AT-14)", "AT-14" in codes
    yield "(AT-15)", "AT-15" in codes


def main():
    program, folder = sys.argv[1:3]
    faults, shown, others = 0, {}, {}
    for path, report in analyzed.reports(program, analyzed.captures(folder)):
        for qp in (q for q in report.of("qp") if q["verdict"]["outcome"] == "completed"):
            for words, must in expected(qp, report.of("finding")):
                counts = shown if must else others
                counts[words] = counts.get(words, 0) + 1
                if (words in qp["verdict"]["text"]) != must:
                    faults += 1
                    print(f"{path.name} QP {qp['qp']}: '{words}' {'missing' if must else 'without a reason'}: "
                          f"{qp['verdict']['text']}")
    print(f"said: {shown}\nnot said: {others}\n{faults} faults")
    return 1 if faults or len(shown) != 5 or len(others) != 5 else 0


if __name__ == "__main__":
    sys.exit(main())
