#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures the Wireshark plugin against the built-in dissectors of the same tshark in one run and prints ratios.

    tests/benchmark/plugin.py [--build build/release] [--work DIR] [--big FILE] [--runs N] [--quick]

Both count the frames of their own filter, the plugin with `-Y iwarp`, the built-in dissectors with
`-Y iwarp_ddp_rdmap`; both check CRCs. Times are the best of --runs with a warm cache, taken alternately; memory is the
largest resident set. Bounds: no slower than the built-in, and at most 1.2 times its memory, in one pass. Two passes
are printed beside them. --big names a further capture of real traffic.
"""
import argparse
import os
import subprocess
import sys
from pathlib import Path

from run import cpu_model, make, run, verdict

sys.path.append(str(Path(__file__).resolve().parents[1] / "plugin"))
from tshark import Tshark  # noqa: E402

BUILT_IN, PLUGIN = "iwarp_ddp_rdmap", "iwarp"


def compare(title, path, with_plugin, without, runs, *more):
    commands = {name: shark.command("-n", "-q", *more, "-z", "io,stat,0", "-Y", name, "-r", path)
                for name, shark in ((BUILT_IN, without), (PLUGIN, with_plugin))}
    taken = {name: [] for name in commands}
    for _ in range(runs + 1):
        for name, words in commands.items():
            taken[name].append(run(words))
    time = {name: min(t for t, _ in all_[1:]) for name, all_ in taken.items()}
    memory = {name: max(m for _, m in all_) for name, all_ in taken.items()}
    slower, larger = time[PLUGIN] / time[BUILT_IN], memory[PLUGIN] / memory[BUILT_IN]
    print(f"{title}{' ' + ' '.join(more) if more else ''}: {os.path.getsize(path) / 1e6:.0f} MB")
    print(f"  time: plugin {time[PLUGIN]:.2f} s, built-in {time[BUILT_IN]:.2f} s, {slower:.2f} (bound: at most 1.00): "
          f"{verdict(slower <= 1)}")
    print(f"  memory: plugin {memory[PLUGIN] / 1024:.0f} MiB, built-in {memory[BUILT_IN] / 1024:.0f} MiB, {larger:.2f} "
          f"(bound: at most 1.20): {verdict(larger <= 1.2)}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(__file__).resolve().parents[2]
    parser.add_argument("--build", default=str(root / "build/release"))
    parser.add_argument("--work", default=str(root / "build/benchmark"))
    parser.add_argument("--big", help="a capture of real traffic to measure as well")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="smaller captures: for trying the script, not for figures")
    options = parser.parse_args()
    modules = sorted(Path(options.build).glob("plugins/*/epan/iwarpscope.so"))
    if not modules:
        sys.exit(f"no plugin in {options.build}")
    os.makedirs(options.work, exist_ok=True)
    synth = os.path.join(options.build, "bin", "iwarpscope-synth")
    octets = "20M" if options.quick else "200M"
    print(subprocess.run(["tshark", "--version"], capture_output=True, text=True).stdout.splitlines()[0])
    print(f"machine: {os.cpu_count()} CPUs, {cpu_model()}; best of {options.runs} runs, warm cache\n")
    with_plugin, without = Tshark(modules[-1]), Tshark()
    captures = [("one FPDU a TCP segment", "aligned", ["bulk", "--octets", octets, "--mtu", "1500", "--mix",
                                                       "send,write,read", "--crc", "--markers", "none"]),
                ("small FPDUs, packed into the stream", "small", ["small", "--octets", octets])]
    for title, name, arguments in captures:
        path = make(synth, os.path.join(options.work, f"plugin-{name}-{octets}.pcapng"), arguments)
        for more in ([], ["-2"]):
            compare(title, path, with_plugin, without, options.runs, *more)
    if options.big:
        for more in ([], ["-2"]):
            compare("real traffic", options.big, with_plugin, without, options.runs, *more)


if __name__ == "__main__":
    main()
