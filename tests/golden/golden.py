#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the report of every capture in samples/ with the one stored beside it.

    golden.py IWARPSCOPE samples            compares; prints what differs
    golden.py IWARPSCOPE samples --update [NAME...]   writes the stored reports again, all or those of the captures with
                                                      these names: read the difference before you commit it

Findings are in the order of the frames that decided them, as docs/json-report.md promises: checked in every report.

Beside samples/x.pcap is x.expected.json: a line for the capture, each queue pair, each finding and, for captures under
20 kB, each message, with the columns that show what was found; times, addresses and zero counts are left out.
"""
import difflib
import json
import sys

import analyzed

SMALL = 20_000  # maximum octets of a capture whose messages are stored
QP = ("qp", "ulp", "roles", "joined", "state", "closed_by", "first_frame", "last_frame", "crc", "markers", "read_depth",
      "rdmap_version", "ddp_version")
FINDING = ("code", "qp", "direction", "index", "frame", "frames", "offset", "seen", "expected")
MESSAGE = ("qp", "direction", "index", "opcode", "first_frame", "last_frame", "ddp_segments", "length", "complete", "stag",
           "to", "qn", "msn", "invalidate_stag", "size", "request_index", "original", "result", "immediate", "layer",
           "error_type", "error_code", "names", "dialect", "terminated_length")
CAPTURE = ("file_format", "frames", "octets", "truncated_frames", "ip_fragments", "mirror_duplicates", "undecoded_frames",
           "truncated_file")


def nonzero(counts):
    return {k: v for k, v in counts.items() if v}


def direction(record):
    kept = nonzero({k: v for k, v in record.items() if isinstance(v, int) and not isinstance(v, bool)})
    if not record["captured"]:
        kept["captured"] = False
    kept["messages"] = nonzero(record["messages"])
    kept["payload_octets"] = nonzero(record["payload_octets"])
    return kept


def columns(record):
    kind = record["record"]
    if kind == "qp":
        kept = {k: record[k] for k in QP}
        for side in ("a_to_b", "b_to_a"):
            kept[side] = direction(record[side])
        rtr = record["startup"] and record["startup"]["rtr"]
        kept["rtr"] = rtr
        kept["verdict"] = {k: record["verdict"][k] for k in ("code", "class", "blame", "confidence", "evidence")}
    elif kind == "finding":
        kept = {k: record[k] for k in FINDING}
    elif kind == "message":
        kept = {k: record[k] for k in MESSAGE if record.get(k) is not None}
        kept["sha256"] = record["sha256"] and record["sha256"][:16]
        kept["response"] = record.get("response") and record["response"]["index"]
    elif kind == "capture":
        kept = {k: record[k] for k in CAPTURE}
    else:
        kept = {k: record[k] for k in ("qps", "messages", "errors", "warnings", "notes")}
    return json.dumps({"record": kind, **kept}, separators=(",", ":"))


def out_of_order(records):
    found = [r for r in records if r["record"] == "finding" and r["frame"] is not None]
    return [f"out of order: {now['id']} in frame {now['frame']} after {before['id']} in frame {before['frame']}"
            for before, now in zip(found, found[1:]) if now["frame"] < before["frame"]]


def name_of(path):
    return path.name.split(".pcap")[0]


def lines(path, report):
    """What is stored of a report."""
    [capture] = report.of("capture")
    is_damaged = report.trouble and not capture["truncated_file"]
    first = [f"exit 2: {report.trouble.replace(str(path), path.name)}"] if is_damaged else []
    return [*first, *map(columns, report.records), *out_of_order(report.records)]


def reports(program, paths):
    """(path, report) of each, with messages if it is small."""
    small = [path for path in paths if path.stat().st_size < SMALL]
    yield from analyzed.reports(program, small, "--messages", "--digest")
    yield from analyzed.reports(program, [path for path in paths if path not in small])


def main():
    program, folder = sys.argv[1:3]
    update = sys.argv[3:4] == ["--update"]
    names = set(sys.argv[4:])
    failed = total = 0
    paths = [path for path in analyzed.captures(folder) if not names or name_of(path) in names]
    for path, report in reports(program, paths):
        kept = path.with_name(name_of(path) + ".expected.json")
        total += 1
        now = lines(path, report)
        if update:
            with open(kept, "w", encoding="utf-8") as f:
                f.write("\n".join(now) + "\n")
            continue
        try:
            with open(kept, encoding="utf-8") as f:
                before = f.read().splitlines()
        except FileNotFoundError:
            before = []
        if now != before:
            failed += 1
            print("\n".join(list(difflib.unified_diff(before, now, str(kept), "now", lineterm="", n=1))[:40]))
    print(f"{total - failed} reports unchanged, {failed} differ" if not update else f"{total} reports written")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
