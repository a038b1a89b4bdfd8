#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures `iwarpscope analyze` on loads of several mixtures and prints one table: load, threads, time against bound B.

    tests/benchmark/mixtures.py [--build build/release] [--work DIR] [--runs N] [--octets 200M] [--seed N] [--threads 1,2]

Bound B is iwarpscope-bound: libpcap and a CRC32c over each TCP payload. It and the analysis run alternately; a ratio is
the median of the ratios of pairs. Captures are made by iwarpscope-synth in --work and kept for the next run.
"""
import argparse
import os
import platform
import statistics

from run import cpu_model, make, run

LOADS = {
    "bulk": ["bulk", "--mix", "send,write,read"],
    "small Sends": ["small"],
    "files": ["mixture", "--sizes", "64-512:1,4096-65536:4", "--opcodes", "write:6,read:3,send:1"],
    "mixed": ["mixture", "--sizes", "64-512:50,512-4096:30,4096-65536:20",
              "--opcodes", "send:5,send-se:1,write:3,read:2,immediate:1,atomic:1"],
    "packed": ["mixture", "--sizes", "16-256:80,256-2048:20", "--opcodes", "send:6,write:3,read:1", "--packed"],
    "requests": ["mixture", "--sizes", "8-128", "--opcodes", "read:5,atomic:2,immediate:1,send:2"],
    "markers": ["mixture", "--sizes", "64-4096:1,65536:1", "--opcodes", "send:1,write:1", "--markers", "both"],
}


def pairs(analyze, bound, runs):
    """Times of the analysis and of the bound, alternating; the first pair warms the cache."""
    return [(run(analyze)[0], run(bound)[0]) for _ in range(runs + 1)][1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser.add_argument("--build", default=os.path.join(root, "build", "release"))
    parser.add_argument("--work", default=os.path.join(root, "build", "benchmark"))
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--octets", default="200M")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", default="1,2")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    iwarpscope, synth, bound = (os.path.join(options.build, "bin", name)
                                for name in ("iwarpscope", "iwarpscope-synth", "iwarpscope-bound"))
    print(f"{platform.machine()}, {os.cpu_count()} CPUs, {cpu_model()}; {options.runs} alternating pairs, medians\n")
    print("| load | speed | threads | seconds | x B |\n| --- | --- | --- | --- | --- |")
    for name, load in LOADS.items():
        seeded = load[0] != "small"
        path = os.path.join(options.work, f"mixtures-{name.replace(' ', '-')}-{options.octets}-{options.seed}.pcapng")
        make(synth, path, [*load, "--octets", options.octets, *(["--seed", str(options.seed)] if seeded else [])])
        for threads in options.threads.split(","):
            times = pairs([iwarpscope, "analyze", "--threads", threads, "--format", "json", path], [bound, path], options.runs)
            seconds = statistics.median(a for a, _ in times)
            ratio = statistics.median(a / b for a, b in times)
            print(f"| {name} | {os.path.getsize(path) / seconds / 1e6:.0f} MB/s | {threads} | {seconds:.3f} | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
