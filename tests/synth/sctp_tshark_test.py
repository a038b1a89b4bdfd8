#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Wireshark reads every SCTP sample: each CRC32c is correct except in samples about wrong ones, no packet is malformed,
and DDP's Payload Protocol Identifiers are present.

    sctp_tshark_test.py IWARPSCOPE_SYNTH TSHARK

Exits 77 (skipped) without tshark.
"""
import os
import subprocess
import sys
import tempfile

WRONG_CRCS = {"sctp-checksum-offload", "sctp-lossy", "sctp.wrong-checksum", "sctp.wrong-checksum-nearly",
              "sctp.checksum-offload", "sctp.checksum-offload-nearly"}
NO_DDP = {"sctp-ordinary"}
BAD, GOOD = "0", "1"
ERROR = 8388608  # PI_ERROR of Wireshark's expert severities; a wrong CRC is one too


def lines(tshark, path):
    """CRC status, PPIDs and expert severities of each frame."""
    fields = ("-e", "sctp.checksum.status", "-e", "sctp.data_payload_proto_id", "-e", "_ws.expert.severity")
    out = subprocess.run([tshark, "-n", "-r", path, "-o", "sctp.checksum:CRC-32c", "-T", "fields", *fields],
                         capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        status, ppids, severities = (line.split("\t") + ["", ""])[:3]
        yield status, ppids.split(","), [int(s) for s in severities.split(",") if s]


def faults_of(name, tshark, path):
    bad = good = 0
    ppids = set()
    for number, (status, in_frame, severities) in enumerate(lines(tshark, path), 1):
        bad += status == BAD
        good += status == GOOD
        ppids.update(in_frame)
        if any(s >= ERROR for s in severities) and status != BAD:
            yield f"{name}: Wireshark finds an error in frame {number}"
    if good == 0:
        yield f"{name}: no CRC32c is right"
    if (bad != 0) != (name in WRONG_CRCS):
        yield f"{name}: {bad} CRCs are wrong"
    if ("16" in ppids or "17" in ppids) == (name in NO_DDP):
        yield f"{name}: PPIDs {sorted(ppids)}"


def main():
    program, tshark = sys.argv[1:3]
    if not os.path.exists(tshark):
        print("no tshark")
        return 77
    listed = subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout
    names = [name for name in (line.split()[1] for line in listed.splitlines()) if name.startswith("sctp")]
    faults = [] if len(names) > 60 else [f"{len(names)} samples are of SCTP"]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.pcapng")
        for name in names:
            subprocess.run([program, "sample", name, "-o", path], check=True)
            faults += faults_of(name, tshark, path)
    print("\n".join(faults) or f"{len(names)} samples are read")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
