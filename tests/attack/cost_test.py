#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""No frame is expensive: fails if a hostile load costs more instructions or memory than docs/performance.md allows.

    cost_test.py ATTACK IWARPSCOPE [--octets N] [--whole] [--table] [--dear | MODE...]

ATTACK is iwarpscope-attack; without MODE all its modes are analysed, each in a capture of N octets, with --dear those that
once were dear. The instructions of an octet are compared with those of the first mode, one small message in each TCP segment.
What the program needs without a capture is left out. A report lists 30 000 queue pairs and 50 000 findings of each severity at
most, which a capture of 20 MB can reach: the loads here have that share of these limits. With --whole, all is listed.
Instructions are counted by the processor (perf), or by valgrind where perf cannot: unlike time, they do not depend on what
else the machine does. Without both the test is skipped (77).
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

MOST_RATIO = 10  # instructions of an octet, to those of small TCP segments
# Loads that are known to need more, and what they may need.
KNOWN = {"reads-and-gaps": 60}  # each of 1024 TCP segments that wait for missing octets is looked at with every frame
# Those that took seven times as many or more before they were repaired, or do so now. The others take a minute: tests/long.
DEAR = ["cut-over-pieces", "cut-over-cut-pieces", "cut-and-opened", "fragments-cut-over-pieces", "long-lengths", "longest-lengths",
        "tagged-headers", "dense-tagged-headers", "zeros", "markers", "pointers", "long-headers", "broken-chains", "short-searches",
        "reads-last-first", "reads-at-random", "reads-answered-elsewhere", "reads-of-one-buffer", "reads-and-gaps",
        "queue-pairs-midstream", "queue-pairs-open", "findings-many", "findings-few", "sctp-streams-opened"]
# Memory above that of the program: docs/limits.md bounds the tables; a queue pair takes what docs/performance.md says.
MOST_BASE = 8 << 20
MOST_FOR_QP = 5 << 10
MOST_FOR_OCTET = 16
# What is listed of a capture of FULL octets.
FULL, MOST_FINDINGS, MOST_QPS = 20_000_000, 50_000, 30_000
PERF = ["perf", "stat", "-x,", "-e", "instructions:u"]
VALGRIND = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
SECONDS = 300


def counter():
    """The command that counts, and how its count is found on standard error."""
    choices = ((PERF, r"^(\d+),,instructions", ["true"]), (VALGRIND, r"I +refs: +([\d,]+)", ["true"]))
    for command, pattern, probe in choices:
        try:
            said = subprocess.run(command + probe, capture_output=True, text=True, check=False).stderr
        except FileNotFoundError:
            continue
        if re.search(pattern, said, re.MULTILINE):
            return command, pattern
    return None


class Bench:
    def __init__(self, arguments, count, folder):
        self.arguments, self.folder = arguments, folder
        self.program = self.without_symbols(arguments.iwarpscope)
        listed = 0 if arguments.whole else arguments.octets / FULL
        self.limits = [f"--max-findings={round(MOST_FINDINGS * listed)}", f"--max-qps={round(MOST_QPS * listed)}"]
        self.count, self.pattern = count

    def without_symbols(self, program):
        """valgrind reads the debug information of a program each time, which takes longer than most loads."""
        copy = os.path.join(self.folder, "iwarpscope")
        done = subprocess.run(["strip", "-o", copy, program], capture_output=True, check=False)
        return copy if done.returncode == 0 else program

    def load(self, mode, octets):
        path = os.path.join(self.folder, f"{mode}-{octets}.pcap")
        subprocess.run([self.arguments.attack, mode, str(octets), path], check=True)
        return path

    def command(self, path):
        return [self.program, "analyze", "--threads", "1", "--format", "json", *self.limits, path]

    def instructions(self, path):
        run = subprocess.run(self.count + self.command(path), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                             timeout=SECONDS, check=True)
        return int(re.search(self.pattern, run.stderr, re.MULTILINE)[1].replace(",", ""))

    def memory(self, path):
        """Peak resident octets, and the number of queue pairs."""
        with tempfile.TemporaryFile(dir=self.folder) as out:
            run = subprocess.Popen(self.command(path), stdout=out, stderr=subprocess.DEVNULL)
            status, usage = os.wait4(run.pid, 0)[1:]
            if status != 0:
                raise RuntimeError(f"analyze {path}: status {status}")
            out.seek(-min(out.seek(0, os.SEEK_END), 65536), os.SEEK_END)
            return usage.ru_maxrss * 1024, json.loads(out.read().splitlines()[-1])["qps"]

    def measure(self, mode):
        path = self.load(mode, self.arguments.octets)
        octets = os.path.getsize(path)
        result = self.instructions(path), octets, *self.memory(path)
        os.unlink(path)
        return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("attack")
    parser.add_argument("iwarpscope")
    parser.add_argument("--octets", type=int, default=500_000)
    parser.add_argument("--whole", action="store_true", help="list all findings and queue pairs")
    parser.add_argument("--table", action="store_true", help="print a table for docs/performance.md")
    parser.add_argument("--dear", action="store_true", help="only loads that once were dear")
    parser.add_argument("modes", nargs="*")
    arguments = parser.parse_intermixed_args()
    count = counter()
    if count is None:
        print("neither perf nor valgrind counts instructions here")
        return 77
    listed = subprocess.run([arguments.attack, "--list"], capture_output=True, text=True, check=True).stdout
    what = dict(line.split("\t") for line in listed.splitlines())
    normal = next(iter(what))
    modes = arguments.modes or (DEAR if arguments.dear else list(what))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        bench = Bench(arguments, count, folder)
        empty = bench.load(normal, 0)
        own_instructions, own_memory = bench.instructions(empty), bench.memory(empty)[0]
        instructions, octets = bench.measure(normal)[:2]
        base = (instructions - own_instructions) / octets
        print(f"{normal}: {base:.0f} instructions an octet, counted by {count[0][0]}; {own_memory >> 20} MiB for the program")
        failed = 0
        for mode, measured in zip(modes, pool.map(bench.measure, modes)):
            instructions, octets, memory, qps = measured
            ratio = (instructions - own_instructions) / octets / base
            more = max(memory - own_memory, 0)
            most = MOST_BASE + MOST_FOR_QP * qps + MOST_FOR_OCTET * octets
            wrong = ratio > KNOWN.get(mode, MOST_RATIO) or more > most
            failed += wrong
            if arguments.table:
                print(f"| {mode} | {what[mode]} | {ratio:.1f} | {more / (1 << 20):.1f} MiB |", flush=True)
            else:
                print(f"{mode:28} {ratio:8.1f} {more / (1 << 20):8.1f} MiB of {most / (1 << 20):6.1f}"
                      f"{'  TOO MUCH' if wrong else ''}", flush=True)
    print(f"{len(modes)} loads, {failed} above {MOST_RATIO} times {normal} or above their memory")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
