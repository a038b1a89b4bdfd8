#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares reports of captures of the kernel's SCTP with the data that the programs at both ends sent and received.

    sctp_truth_test.py IWARPSCOPE samples/sctp
"""
import sys
from collections import Counter

from truth_test import DIRECTIONS, NO_PAYLOAD, compare, main, report

SIDES = ("active", "passive")
REJECT, TERMINATE, ENHANCED = (3, 7), 4, (5, 6, 7)  # function codes
ENHANCED_DIGITS = 8                                 # of the enhanced data, hexadecimal
ATOMIC = ("atomic_request", "atomic_response", "immediate_se")
ALWAYS = {"SX-13"}                                  # traffic is not encrypted


def nonzero(counts):
    return Counter({k: v for k, v in counts.items() if v})


def by_session(sessions, key):
    """The sessions of each stream by "stream/number", in their order."""
    seen, named = Counter(), {}
    for session in sessions:
        stream = session[key]
        named[f"{stream}/{seen[stream]}"] = session
        seen[stream] += 1
    return named


def check_programs(truth, sessions, faults):
    """The other program received what one program sent, and both kernels announced DDP."""
    for side, other in (SIDES, SIDES[::-1]):
        for name, session in sessions[side].items():
            sent = len(session["control"]) + session["ddp_segments"]
            came = sessions[other].get(name, {}).get("received")
            if came != sent:
                faults.append(f"{name}: the {side} side sent {sent}, {came} came")
        if truth[side]["peers_adaptation"] != 1:
            faults.append(f"the {side} side saw adaptation {truth[side]['peers_adaptation']}")


def check_control(name, truth, seen, faults):
    if seen is None:
        faults.append(f"{name}: not found")
        return
    private_data = seen["private_data"]
    if truth["function_code"] in ENHANCED:
        words = (seen["peer_to_peer"] << 15 | seen["rtr_send"] << 14 | seen["ird"],
                 seen["rtr_write"] << 15 | seen["rtr_read"] << 14 | seen["ord"])
        private_data = "".join(f"{w:04x}" for w in words) + private_data
    if (truth["function_code"], truth["private_data"]) != (seen["function_code"], private_data):
        faults.append(f"{name}: {truth}, reported {seen['function_code']} {private_data}")


def check_direction(name, truth, seen, complete, faults):
    messages, reported = nonzero(truth["messages"]), nonzero(seen["messages"])
    if not complete:
        if any(reported[opcode] > count for opcode, count in messages.items()) or set(reported) - set(messages):
            faults.append(f"{name}: true at most {dict(messages)}, reported {dict(reported)}")
        return
    compare(f"{name} messages", messages, reported, False, faults)
    compare(f"{name} DDP segments", Counter(all=truth["ddp_segments"]), Counter(all=seen["ddp_segments"]), False, faults)
    payload = Counter({k: v for k, v in nonzero(truth["payload_octets"]).items() if k not in NO_PAYLOAD + ATOMIC})
    compare(f"{name} payload", payload, nonzero(seen["payload_octets"]), False, faults)
    if seen["capture_gap_messages"] or seen["incomplete_messages"]:
        faults.append(f"{name}: the capture has all, but {seen['capture_gap_messages']} messages are reported as missing, "
                      f"{seen['incomplete_messages']} as incomplete")


def check_session(name, truth, ends, qp, faults):
    """`ends`: the messages that each side sent in the session."""
    directions = DIRECTIONS if qp["a"]["port"] == truth["active"]["port"] else DIRECTIONS[::-1]
    for side, direction in zip(SIDES, directions):
        check_direction(f"{name} {side}", ends[side], qp[direction], truth["complete"], faults)
    codes = {side: [c["function_code"] for c in ends[side]["control"]] for side in SIDES}
    refused = codes["passive"][0] in (*REJECT, TERMINATE)
    if truth["complete"]:
        for side, frame in zip(SIDES, ("request", "reply")):
            if codes[side][0] != TERMINATE:
                check_control(f"{name} {frame}", ends[side]["control"][0], qp["startup"][frame], faults)
    outcome = "refused" if refused else truth["outcomes"].get(name, truth["outcome"])
    if qp["verdict"]["outcome"] != outcome:
        faults.append(f"{name}: {outcome}, reported {qp['verdict']['outcome']}: {qp['verdict']['text']}")
    closed_by = "session_terminate" if any(TERMINATE in c for c in codes.values()) else truth["ends"]
    if not refused and qp["closed_by"] != closed_by:
        faults.append(f"{name}: ended by {closed_by}, reported {qp['closed_by']}")


def check_findings(truth, findings, qps, faults):
    codes = {f["code"] for f in findings} - ALWAYS
    allowed = set(truth["must"]) | set(truth["may"])
    faults += [f"{code} is not raised" for code in set(truth["must"]) - codes]
    faults += [f"{f['code']} is raised: frame {f['frame']}: {f['text']}" for f in findings if f["code"] in codes - allowed]
    for finding in findings:
        side = truth["must"].get(finding["code"])
        if side is None:
            continue
        from_a = qps[finding["qp"]]["a"]["port"] == truth[side]["port"]
        if finding["direction"] != DIRECTIONS[0 if from_a else 1]:
            faults.append(f"{finding['code']} is the {side} side's, reported of {finding['direction']}")


def check_retransmissions(truth, qps, faults):
    """Retransmissions by the kernel of chunks that the tap had captured are reported; none are reported if the
    kernel counted none."""
    for side in SIDES:
        again = truth[side]["kernel"].get("t3", 0) + truth[side]["kernel"].get("fast", 0)
        reported = sum(qp[d]["retransmitted_octets"] for qp in qps for d in DIRECTIONS
                       if qp["a" if d == DIRECTIONS[0] else "b"]["port"] == truth[side]["port"])
        if reported and not again and not truth["doubled"]:
            faults.append(f"the {side} side retransmitted nothing, but {reported} octets are reported")
        if again and not reported and truth["lost_behind_tap"]:
            faults.append(f"the {side} side retransmitted {again} times, but nothing is reported")


def check_damage(truth, findings, faults):
    """Not more wrong CRCs are reported than the kernels counted; a wrong CRC of a packet with damaged ports belongs
    to no queue pair."""
    reported = sum(int(f["seen"]) for f in findings if f["code"] == "SC-20")
    met = sum(truth[side]["kernel"].get("checksum_errors", 0) for side in SIDES)
    if reported > met:
        faults.append(f"the kernels counted {met} wrong CRCs, but {reported} are reported")


def check(program, path, truth):
    faults = []
    records = report(program, path, False)
    qps = [r for r in records if r["record"] == "qp"]
    seen = by_session([q for q in qps if q["transport"] == "sctp"], "sctp_stream")
    true = {side: by_session(truth[side]["sessions"], "stream") for side in SIDES}
    check_programs(truth, true, faults)
    if len(seen) != len(qps) or set(seen) != set(true["active"]):
        return [*faults, f"sessions {sorted(true['active'])}, reported {sorted(seen)} of {len(qps)}"]
    for name, qp in seen.items():
        check_session(name, truth, {side: true[side][name] for side in SIDES}, qp, faults)
    findings = [r for r in records if r["record"] == "finding"]
    check_findings(truth, findings, qps, faults)
    check_damage(truth, findings, faults)
    check_retransmissions(truth, qps, faults)
    return faults


if __name__ == "__main__":
    sys.exit(main(check))
