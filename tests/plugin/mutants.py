#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Damaged captures in Wireshark: with any octets, it does not crash, hang, or print an error about the plugin. sharkd reads
each capture alone and shows every frame; tshark reads those of one view joined into one, and, if that fails, alone.

  mutants.py PLUGIN SAMPLES COUNT [SEED [BEGINNING]]     COUNT captures, each a sample damaged by editcap -E; SEED selects
                                                         them; BEGINNING of the names of samples, such as sctp
"""

import os
import random
import struct
import subprocess
import sys

import reports
import synth
from tshark import TIME_LIMIT, Fault, Sharkd, Tshark

TCP, SCTP = 6, 132  # IP protocols
LARGEST = 300_000  # maximum octets of a sample on disk: larger ones only take longer
OFFSETS = (14, 34, 54, 66, 66)  # offset in a frame from which it is damaged
CHANCES = ("0.0002", "0.001", "0.005", "0.02", "0.05")  # probability that an octet changes
# Ways to use tshark: trees in two passes, columns in one, statistics, and a filter that needs few fields.
VIEWS = (["-2", "-V"], ["-2", "-T", "json", "-x"], ["-T", "fields", "-e", "_ws.col.Info", "-Y", "iwarp.finding"],
         ["-2", "-q", "-z", "iwarp,qp", "-z", "iwarp,findings", "-z", "iwarp,ops,tree"], ["-V"])


class Mutant:
    """How a sample is damaged; its text is enough to repeat it."""

    def __init__(self, dice, samples):
        self.sample, self.chance, self.seed = dice.choice(samples), dice.choice(CHANCES), dice.randrange(2**31)
        self.offset, self.repaired = dice.choice(OFFSETS), dice.random() < 0.7

    def __str__(self):
        repaired = ", checksums of TCP and SCTP repaired" if self.repaired else ""
        damage = f"editcap -F pcap -E {self.chance} --seed {self.seed} -o {self.offset}"
        return f"{reports.stem(self.sample)}: {damage}{repaired}"

    def make(self, folder):
        """Its path; None: editcap cannot write it as classic pcap, which has only one link type."""
        path = os.path.join(folder, f"{self.seed}.pcap")
        subprocess.run(["editcap", "-F", "pcap", "-E", self.chance, "--seed", str(self.seed), "-o", str(self.offset),
                        self.sample, path], check=False, capture_output=True)
        if not os.path.exists(path):
            return None
        if self.repaired:
            repair(path)
        return path


def repair(path):
    """Writes the correct checksums into TCP segments and SCTP packets on Ethernet and IPv4: packets with wrong ones are
    not decoded."""
    with open(path, "rb") as f:
        octets = bytearray(f.read())
    at = 24
    while at + 16 <= len(octets):
        captured, = struct.unpack_from("<I", octets, at + 8)
        frame = memoryview(octets)[at + 16:at + 16 + captured]
        at += 16 + captured
        if len(frame) < 54 or bytes(frame[12:15]) != b"\x08\x00\x45" or frame[23] not in (TCP, SCTP):
            continue
        end = 14 + struct.unpack_from(">H", frame, 16)[0]
        if not 54 <= end <= len(frame):
            continue
        frame[24:26] = bytes(2)
        frame[24:26] = checksum(bytes(frame[14:34]))
        if frame[23] == SCTP:
            frame[42:46] = bytes(4)
            frame[42:46] = struct.pack("<I", crc32c(bytes(frame[34:end])))
            continue
        frame[50:52] = bytes(2)
        frame[50:52] = checksum(bytes(frame[26:34]) + struct.pack(">HH", 6, end - 34) + bytes(frame[34:end]))
    with open(path, "wb") as f:
        f.write(octets)


def _crc_of(octet):
    for _ in range(8):
        octet = octet >> 1 ^ (0x82F63B78 if octet & 1 else 0)
    return octet


CRCS = [_crc_of(octet) for octet in range(256)]


def crc32c(octets):
    """Source: RFC 9260 Appendix A."""
    crc = 0xFFFFFFFF
    for octet in octets:
        crc = crc >> 8 ^ CRCS[(crc ^ octet) & 0xFF]
    return crc ^ 0xFFFFFFFF


def checksum(octets):
    """Source: RFC 1071."""
    octets += bytes(len(octets) % 2)
    total = sum(struct.unpack(f">{len(octets) // 2}H", octets))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return struct.pack(">H", total ^ 0xFFFF)


def show(sharkd, path):
    """Every frame and its octets, in two passes."""
    sharkd.load(path)
    sharkd.shown("iwarp.finding")
    for frame in range(1, sharkd.count + 1):
        sharkd.tree(frame, bytes=True)


def run(shark, view, *paths, folder):
    done = shark.run([*view, *synth.SEPARATE], folder.joined(*paths), TIME_LIMIT * len(paths))
    if done.returncode != 0:  # editcap's captures are whole, whatever is in their frames
        raise Fault(f"{view}: ended with {done.returncode}: {done.stderr}")


def faults_in_tshark(shark, view, mutants, folder):
    """As text. `mutants`: their paths."""
    found = []
    try:
        run(shark, view, *mutants.values(), folder=folder)
    except Fault as together:
        for mutant, path in mutants.items():
            try:
                run(shark, view, path, folder=folder)
            except Fault as fault:
                found.append(f"{mutant}: {fault}")
        found = found or [f"{', '.join(map(str, mutants))}: {together}"]
    return found


def check(plugin, drawn, folder):
    """The number of captures, and faults as text. `drawn`: each mutant with its view."""
    shark, faults, made = Tshark(plugin), [], {}
    sharkd = Sharkd(shark)
    for mutant, view in drawn:
        path = mutant.make(folder.path)
        if path is None:
            continue
        made.setdefault(tuple(view), {})[mutant] = path
        try:
            show(sharkd, path)
        except Fault as fault:
            faults.append(f"{mutant}: {fault}")
    try:
        sharkd.close()
    except Fault as fault:
        faults.append(str(fault))
    for view, mutants in made.items():
        faults += faults_in_tshark(shark, view, mutants, folder)
    return sum(map(len, made.values())), faults


def main():
    plugin, samples, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    dice = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    beginning = sys.argv[5] if len(sys.argv) > 5 else ""
    all_samples = [p for p in reports.samples(samples)
                   if os.path.getsize(p) <= LARGEST and os.path.basename(p).startswith(beginning)]
    folder = synth.Folder()
    try:
        done, faults = check(plugin, [(Mutant(dice, all_samples), dice.choice(VIEWS)) for _ in range(count)], folder)
    finally:
        folder.cleanup()
    print("\n".join([*faults, f"{done} damaged captures, {len(faults)} faults"]), flush=True)
    return 1 if faults or done < count * 3 // 4 else 0


if __name__ == "__main__":
    sys.exit(main())
