#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares reports of the siw captures with the counts of an independent program.

    truth_test.py IWARPSCOPE samples/siw
"""
import json
import os
import re
import subprocess
import sys
from collections import Counter

# The truth's names of messages, if they differ from the report's.
NAMES = {"read_request": "rdma_read_request", "read_response": "rdma_read_response", "write": "rdma_write",
         "send_inv": "send_invalidate", "send_se_inv": "send_se_invalidate", "op8": "immediate"}
DIRECTIONS = ("a_to_b", "b_to_a")
# Messages whose octets after the DDP header are no ULP payload.
NO_PAYLOAD = ("rdma_read_request", "terminate", "immediate")


# How the independent program prints the Control field of a Terminate, with its bits in siw's order.
CONTROL = re.compile(r"layer (\d+) etype (\d+) code 0x(\w\w) M=(\d) D=(\d) R=(\d)")
LENGTH, DDP_TAGGED, DDP_UNTAGGED = 4, 28, 36  # hexadecimal digits of a Terminate's quoted headers
# Captures whose verdict may not blame an end:
# siw reports a wrong STag and a missing right by the same error (term-write-noperm.pcap is the other case), and nothing
# else in the two captures differs.
MAY_BE_UNKNOWN = ("term-write-bad-stag.pcap",)


def report(program, path, messages):
    command = [program, "analyze", "--format", "json", *(["--messages"] if messages else []), path]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"exit {result.returncode}: {result.stderr.strip()}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def named(counts):
    return Counter({NAMES.get(k, k): v for k, v in counts.items() if v})


def compare(what, truth, seen, at_least, faults):
    fits = all(seen.get(k, 0) >= v for k, v in truth.items()) if at_least else truth == seen
    if not fits:
        faults.append(f"{what}: true {dict(truth)}, reported {dict(seen)}")


def check_direction(name, truth, seen, at_least, faults):
    compare(f"{name} messages", named(truth.get("messages", {})), named(seen["messages"]), at_least, faults)
    compare(f"{name} FPDUs", Counter(all=sum(truth.get("fpdus", {}).values())), Counter(all=seen["fpdus"]), at_least, faults)
    payload = Counter({k: v for k, v in named(truth.get("payload_bytes", {})).items() if k not in NO_PAYLOAD})
    if not at_least:
        compare(f"{name} payload", payload, Counter({k: v for k, v in seen["payload_octets"].items() if v}), False, faults)
    crc = truth.get("crc", {})
    if "zero" not in crc:
        compare(f"{name} CRC", Counter(good=crc.get("good", 0)), Counter(good=seen["crc_ok"]), at_least, faults)
        if crc.get("bad", 0) != seen["crc_bad"] and not at_least:
            faults.append(f"{name}: {crc.get('bad', 0)} wrong CRCs, reported {seen['crc_bad']}")
    elif seen["crc_bad"] != 0:
        faults.append(f"{name}: CRC is off, but {seen['crc_bad']} are called wrong")


def check_startup(name, truth, qp, faults):
    mpa = truth.get("mpa")
    if mpa is None or qp["startup"] is None:
        return
    frame = qp["startup"]["request" if mpa["kind"] == "request" else "reply"]
    if frame is None:
        faults.append(f"{name}: the MPA {mpa['kind']} was not found")
        return
    flags = (frame["markers"] << 7 | frame["crc"] << 6 | frame["rejected"] << 5 | frame["enhanced"] << 4 | frame["reserved"])
    if flags != int(mpa["flags"], 16) or frame["rev"] != mpa["revision"]:
        faults.append(f"{name}: startup flags {mpa['flags']} rev {mpa['revision']}, reported 0x{flags:02x} rev {frame['rev']}")
    private_data = frame["private_data"]
    if frame["enhanced"] and frame["ird"] is not None:
        words = (frame["peer_to_peer"] << 15 | frame["rtr_send"] << 14 | frame["ird"],
                 frame["rtr_write"] << 15 | frame["rtr_read"] << 14 | frame["ord"])
        private_data = "".join(f"{w:04x}" for w in words) + private_data
    if private_data != mpa["private_data"]:
        faults.append(f"{name}: private data {mpa['private_data']}, reported {private_data}")


def true_terminate(truth):
    """The required contents of a message record for a Terminate sent by siw."""
    layer, error_type, code, m, d, r = CONTROL.fullmatch(truth["siw_order"]).groups()
    # If both bit orders give the same value, the order is unknown.
    same = layer == error_type and (m, d, r) == ("0", "0", "0")
    rest = truth["rest"]
    quoted = {"terminated_length": None, "terminated_ddp": None, "terminated_rdmap": None}
    if m == "1":
        quoted["terminated_length"] = int(rest[:LENGTH], 16)
    if d == "1":
        size = DDP_TAGGED if int(rest[LENGTH:LENGTH + 2], 16) & 0x80 else DDP_UNTAGGED
        quoted["terminated_ddp"] = rest[LENGTH:LENGTH + size]
        if r == "1":
            quoted["terminated_rdmap"] = rest[LENGTH + size:]
    return {"layer": int(layer), "error_type": int(error_type), "error_code": int(code, 16),
            "dialect": "rfc5040" if same else "siw-le", **quoted}


def agrees(truth, seen):
    """The independent program stores only the first octets of the quoted headers."""
    for key, value in truth.items():
        if key in ("terminated_ddp", "terminated_rdmap") and value is not None:
            if seen[key] is None or not seen[key].startswith(value):
                return False
        elif seen[key] != value:
            return False
    return True


def check_terminates(name, truth, records, qp, direction, faults):
    true = [true_terminate(t) for t in truth.get("terminate", [])]
    seen = [r for r in records if r["record"] == "message" and r["qp"] == qp["qp"] and r["direction"] == direction and
            r["opcode"] == "terminate"]
    if len(true) != len(seen) or not all(agrees(t, s) for t, s in zip(true, seen)):
        faults.append(f"{name}: Terminates {true}, reported {seen}")


def check_closing(name, ends, records, qp, faults):
    """`ends`: by direction, the order of FIN (F) and RST (R) seen by the independent program."""
    fins = all("F" in e for e in ends.values())
    resets = {d for d, e in ends.items() if "R" in e}
    # With both FINs and an RST, the order of all three decides, and the truth does not contain it.
    possible = {"rst"} if resets and not fins else {"fin", "rst"} if resets else {"fin"} if fins else {None}
    if qp["closed_by"] not in possible:
        faults.append(f"{name}: ends {ends}, reported {qp['closed_by']}")
    reported = {r["direction"] for r in records
            if r["record"] == "finding" and r["id"] == "tcp.connection-reset" and r["qp"] == qp["qp"]}
    if not reported <= resets or bool(reported) != (qp["closed_by"] == "rst"):
        faults.append(f"{name}: resets of {resets}, reported {reported} and {qp['closed_by']}")


def check_verdicts(name, truth, qps, faults):
    """The outcome of the connections according to the programs and kernels at both ends, and the faulty end if they
    report it."""
    seen = Counter(q["verdict"]["outcome"] for q in qps)
    if truth["outcomes"] != dict(seen):
        faults.append(f"outcomes {truth['outcomes']}, reported {dict(seen)}")
    blamed = {q["verdict"]["blame"] for q in qps}
    allowed = [{truth["blame"]}] if "blame" in truth else [blamed]
    if name in MAY_BE_UNKNOWN:
        allowed.append({"unknown"})
    if blamed not in allowed:
        faults.append(f"{truth['blame']} is to blame, reported {blamed}")


def check_siw(program, path, truth):
    faults = []
    records = report(program, path, "terminate" in truth["totals"].get("messages", {}))
    qps = [r for r in records if r["record"] == "qp"]
    at_least = truth["comparison"] == "at_least"
    total = Counter()
    for qp in qps:
        for d in DIRECTIONS:
            total.update(named(qp[d]["messages"]))
    check_verdicts(os.path.basename(path), truth, qps, faults)
    compare("all messages", named(truth["totals"].get("messages", {})), total, at_least, faults)
    iwarp = [c for c in truth["connections"] if any(isinstance(v, dict) and {"mpa", "fpdus", "error"} & set(v)
                                                         for v in c.values())]
    if truth["complete"] and len(iwarp) != len(qps):
        faults.append(f"{len(iwarp)} connections, reported {len(qps)}")
    for connection in iwarp:
        ports = {int(p) for p in connection["ports"].split(">")}
        found = [q for q in qps if {q["a"]["port"], q["b"]["port"]} == ports]
        if len(found) != 1:
            faults.append(f"{connection['ports']}: {len(found)} queue pairs")
            continue
        ends = {}
        for key, part in connection.items():
            if not key.startswith("from_port_"):
                continue
            direction = "a_to_b" if found[0]["a"]["port"] == int(key.removeprefix("from_port_")) else "b_to_a"
            name = f"{connection['ports']} {key}"
            check_direction(name, part, found[0][direction], at_least, faults)
            check_startup(name, part, found[0], faults)
            check_terminates(name, part, records, found[0], direction, faults)
            ends[direction] = part.get("ends", "")
        check_closing(connection["ports"], ends, records, found[0], faults)
    return faults


def main(check):
    """`check` returns the faults of the report of one capture."""
    program, folder = sys.argv[1:3]
    with open(os.path.join(folder, "truth.json"), encoding="utf-8") as f:
        truths = json.load(f)
    missing = {n for n in os.listdir(folder) if ".pcap" in n} ^ set(truths)
    failed = len(missing)
    for name in sorted(missing):
        print(f"{name}: not both in the folder and in truth.json")
    for name, truth in sorted(truths.items()):
        try:
            faults = check(program, os.path.join(folder, name), truth)
        except RuntimeError as error:
            faults = [str(error)]
        failed += bool(faults)
        for fault in faults:
            print(f"{name}: {fault}")
    print(f"{len(truths) - failed} captures agree, {failed} do not")
    return 1 if failed or not truths else 0


if __name__ == "__main__":
    sys.exit(main(check_siw))
