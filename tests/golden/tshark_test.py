#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Wireshark's built-in dissector as a second opinion, on captures without markers, which it decodes correctly.

    tshark_test.py IWARPSCOPE TSHARK samples/siw

For each capture, the numbers of DDP segments by opcode and of those with the Last flag must equal those in the
report. Exits 77 (skipped) if tshark has no iWARP dissector.
"""
import json
import os
import subprocess
import sys
from collections import Counter

OPCODES = ("rdma_write", "rdma_read_request", "rdma_read_response", "send", "send_invalidate", "send_se",
           "send_se_invalidate", "terminate")
# Complete connections on ports without another dissector, without loss, without faults in the DDP and RDMAP headers.
CAPTURES = ("mpa-crc-only-client-requires", "mpa-p2p-rtr-read", "mpa-p2p-rtr-write", "mpa-v1", "mpa-v1-crc", "mpa-v2-default",
            "perf-read-64k-crc", "perf-read-64k-nocrc", "perf-read-64k-ord4-crc", "perf-send-64k-crc", "perf-send-64k-nocrc",
            "perf-send-bidir-10000-crc", "perf-write-64k-crc", "perf-write-64k-nocrc", "perf-write-bidir-10000-crc",
            "perf-write-q4-crc", "perf-write-lat-64-crc", "rping-ipv4", "rping-ipv4-crc", "rping-ipv6", "rping-ipv6-crc",
            "term-write-bad-stag", "term-read-bad-stag", "verbs-all-opcodes-crc", "verbs-all-opcodes-nocrc",
            "verbs-ipv6-all-opcodes-crc", "verbs-send-inv", "verbs-send-inv-se")
OPTIONS = ("-o", "tcp.try_heuristic_first:TRUE", "-o", "tcp.reassemble_out_of_order:TRUE", "-o",
           "tcp.desegment_tcp_streams:TRUE", "--disable-heuristic", "rpcrdma_iwarp", "--disable-heuristic",
           "smb_direct_iwarp")


def by_tshark(tshark, path):
    """DDP segments, and those with the Last flag, by opcode."""
    fields = ("-T", "fields", "-e", "iwarp_rdma.opcode", "-e", "iwarp_ddp.last_flag")
    out = subprocess.run([tshark, "-n", "-2", "-r", path, *OPTIONS, *fields], capture_output=True, text=True, check=True).stdout
    segments, last = Counter(), Counter()
    for line in out.splitlines():
        opcodes, flags = ([v for v in column.split(",") if v] for column in (line.split("\t") + ["", ""])[:2])
        for opcode, flag in zip(opcodes, flags):
            segments[OPCODES[int(opcode, 0)]] += 1
            last[OPCODES[int(opcode, 0)]] += flag in ("1", "True")
    return segments, last


def by_iwarpscope(program, path):
    out = subprocess.run([program, "analyze", "--format", "json", "--messages", path], capture_output=True, text=True,
                         check=True).stdout
    segments, messages = Counter(), Counter()
    for record in map(json.loads, out.splitlines()):
        if record["record"] == "message":
            segments[record["opcode"]] += record["ddp_segments"]
            messages[record["opcode"]] += 1
    return segments, messages


def main():
    program, tshark, folder = sys.argv[1:4]
    if not os.path.exists(tshark) or "iwarp_ddp_rdmap" not in subprocess.run([tshark, "-G", "protocols"], capture_output=True,
                                                                        text=True, check=False).stdout:
        print("no tshark with an iWARP dissector")
        return 77
    failed = 0
    for name in CAPTURES:
        path = next(p for p in (os.path.join(folder, name + e) for e in (".pcap", ".pcap.gz")) if os.path.exists(p))
        theirs, ours = by_tshark(tshark, path), by_iwarpscope(program, path)
        if theirs != ours:
            failed += 1
            print(f"{name}: tshark {[dict(c) for c in theirs]}, iwarpscope {[dict(c) for c in ours]}")
    print(f"{len(CAPTURES) - failed} captures agree with tshark, {failed} do not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
