#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every rule of the catalogue has a sample that raises it, or samples/README.md states why not.

    rule_samples_test.py IWARPSCOPE samples

A rule has a sample if its code is in a report stored beside a capture. The exceptions are the lines "- `CA-10`: why"
of samples/README.md; a line whose rule has a sample fails as well. Captures named after a rule raise it, and all of
samples/ but its pages stays below 17 MB.
"""
import json
import os
import re
import subprocess
import sys

MOST_OCTETS = 17_200_000
MAKE = "iwarpscope-rule-samples write samples/made/rules CODE, golden.py --update NAME, and samples_index.py --update"


def catalogue(program):
    """The names of all rules by code."""
    out = subprocess.run([program, "rules"], capture_output=True, text=True, check=True).stdout
    return dict(re.findall(r"^\s+([A-Z]{2}-\d+[A-Z]?)\s+(\S+\.\S+)", out, re.M))


def kept_codes(folder):
    """The codes of the findings stored beside each capture, by its name."""
    codes = {}
    for base, _, names in os.walk(folder):
        for name in names:
            if not name.endswith(".expected.json"):
                continue
            with open(os.path.join(base, name), encoding="utf-8") as f:
                records = [json.loads(line) for line in f if line.startswith("{")]
            codes[name.removesuffix(".expected.json")] = {r["code"] for r in records if r["record"] == "finding"}
    return codes


def main():
    program, folder = sys.argv[1:3]
    rules = catalogue(program)
    kept = kept_codes(folder)
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as f:
        readme = f.read()
    excepted = dict(re.findall(r"^- `([A-Z]{2}-\d+[A-Z]?)`: (.+)$", readme, re.M))
    present = set().union(*kept.values())
    by_name = {name: code for code, name in rules.items()}
    faults = [] if rules else ["iwarpscope rules lists nothing"]
    faults += [f"{c} {rules[c]}: no sample raises it; {MAKE}" for c in rules if c not in present and c not in excepted]
    faults += [f"{c}: excepted, but a sample raises it" for c in excepted if c in present]
    faults += [f"{c}: excepted, but no such rule" for c in excepted if c not in rules]
    for name in sorted(set(kept) & set(by_name)):
        code = by_name[name]
        if code not in kept[name]:
            faults.append(f"{name}: the report stored beside it has no {code}")
    octets = sum(os.path.getsize(os.path.join(b, n)) for b, _, names in os.walk(folder) for n in names
                 if not n.endswith(".md"))
    if octets >= MOST_OCTETS:
        faults.append(f"samples/ has {octets} octets; {MOST_OCTETS} is the most")
    print("\n".join(faults) or f"{len(present & set(rules))} rules have samples, {len(excepted)} have a reason")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
