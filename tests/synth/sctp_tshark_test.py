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


def lines(tshark, paths):
    """CRC status, PPIDs and expert severities of the frames of each file. One tshark reads all of them: it takes longer to
    start than to read."""
    whole = paths[0] + ".all"
    subprocess.run([os.path.join(os.path.dirname(tshark), "mergecap"), "-a", "-w", whole, *paths], check=True)
    counts = [int(line.split(",")[1]) for line in subprocess.run(
        [os.path.join(os.path.dirname(tshark), "capinfos"), "-Trcm", *paths], capture_output=True, text=True,
        check=True).stdout.splitlines()]
    fields = ("-e", "sctp.checksum.status", "-e", "sctp.data_payload_proto_id", "-e", "_ws.expert.severity")
    out = subprocess.run([tshark, "-n", "-r", whole, "-o", "sctp.checksum:CRC-32c", "-T", "fields", *fields],
                         capture_output=True, text=True, check=True).stdout.splitlines()
    if sum(counts) != len(out):
        raise RuntimeError(f"{sum(counts)} frames were written and {len(out)} are read")
    frames = iter(out)
    for count in counts:
        rows = [(next(frames).split("\t") + ["", ""])[:3] for _ in range(count)]
        yield [(status, ppids.split(","), [int(s) for s in found.split(",") if s]) for status, ppids, found in rows]


def faults_of(name, frames):
    bad = good = 0
    ppids = set()
    for number, (status, in_frame, severities) in enumerate(frames, 1):
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
        paths = [os.path.join(folder, name) for name in names]
        for name, path in zip(names, paths):
            subprocess.run([program, "sample", name, "-o", path], check=True)
        for name, frames in zip(names, lines(tshark, paths)):
            faults += faults_of(name, frames)
    print("\n".join(faults) or f"{len(names)} samples are read")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
