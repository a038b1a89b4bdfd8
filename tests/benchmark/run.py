#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures iwarpscope against named bounds in one run on one machine and prints ratios.

    tests/benchmark/run.py [--build build/release] [--work DIR] [--big FILE] [--runs N] [--quick]

Makes its captures with iwarpscope-synth in --work (kept for the next run). Times are the best of --runs with a warm
cache; memory is the largest resident set of the process. --big names a further capture of real traffic.
"""
import argparse
import os
import platform
import shutil
import subprocess
import sys
import time


def run(command):
    """Wall seconds and largest resident set in KiB of one run."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - begin
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {process.returncode}: {error.decode(errors='replace').strip()}")
    return seconds, usage.ru_maxrss


def best(command, runs):
    """The shortest time and the largest memory of several runs; one more warms the cache."""
    run(command)
    results = [run(command) for _ in range(runs)]
    return min(r[0] for r in results), max(r[1] for r in results)


def make(synth, path, arguments):
    if not os.path.exists(path):
        subprocess.run([synth, *arguments, "-o", path + ".part"], check=True)
        os.rename(path + ".part", path)
    return path


def verdict(holds):
    return "met" if holds else "NOT MET"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser.add_argument("--build", default=os.path.join(root, "build", "release"))
    parser.add_argument("--work", default=os.path.join(root, "build", "benchmark"))
    parser.add_argument("--big", help="a capture of real traffic to measure as well")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="smaller captures: for trying the script, not for figures")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    binaries = os.path.join(options.build, "bin")
    analyze = [os.path.join(binaries, "iwarpscope"), "analyze", "--threads", "1", "--format", "json"]
    bound = os.path.join(binaries, "iwarpscope-bound")
    synth = os.path.join(binaries, "iwarpscope-synth")
    runs = options.runs
    octets = "50M" if options.quick else "500M"
    scale = 10 if options.quick else 1

    def capture(name, *arguments):
        return make(synth, os.path.join(options.work, f"{name}-{octets}.pcapng"), list(arguments))

    print(f"machine: {platform.machine()}, {os.cpu_count()} CPUs, {cpu_model()}")
    print(f"best of {runs} runs, warm cache\n")

    plain = capture("bulk", "bulk", "--octets", octets, "--mtu", "1500", "--mix", "send,write,read", "--crc",
                    "--markers", "none")
    compare_bulk("bulk, 1500-octet MTU, CRC on", plain, analyze, bound, runs)
    marked = capture("marked", "bulk", "--octets", octets, "--mtu", "1500", "--mix", "send,write,read", "--crc",
                     "--markers", "both")
    t_plain, _ = best([*analyze, plain], runs)
    t_marked, _ = best([*analyze, marked], runs)
    speed = (os.path.getsize(marked) / t_marked) / (os.path.getsize(plain) / t_plain)
    print(f"  markers in both directions: {speed:.2f} of the speed without (bound: at least 0.60): {verdict(speed >= 0.6)}\n")

    compare_emulation("bulk", plain, analyze, runs)

    small = capture("small", "small", "--octets", octets)
    t, _ = best([*analyze, small], runs)
    fpdus = count_fpdus(analyze, small)
    print(f"64-octet Sends, several FPDUs a TCP segment: {fpdus / t / 1e6:.2f} million FPDUs/s "
          f"(bound: at least 4): {verdict(fpdus / t >= 4e6)}\n")

    over_sctp = capture("sctp-bulk", "bulk", "--octets", octets, "--mtu", "1500", "--mix", "send,write,read", "--transport",
                        "sctp")
    compare_sctp("bulk", plain, over_sctp, analyze, runs)
    small_sctp = capture("sctp-small", "small", "--octets", octets, "--transport", "sctp", "--streams", "64")
    compare_sctp("64-octet Sends on 64 streams", small, small_sctp, analyze, runs)

    empty = capture("one", "idle-qps", "1")
    _, base = best([*analyze, empty], 1)
    n = 100_000 // scale
    _, rss = best([*analyze, capture("idle", "idle-qps", str(n))], 1)
    each = (rss - base) * 1024 / n
    print(f"{n} idle QPs: {each:.0f} octets each (bound: at most 4096): {verdict(each <= 4096)}")
    n = 1_000_000 // scale
    _, rss = best([*analyze, capture("connections", "plain-connections", str(n))], 1)
    each = (rss - base) * 1024 / n
    print(f"{n} connections that are not iWARP: {each:.0f} octets each (bound: at most 256): {verdict(each <= 256)}\n")

    if options.big:
        compare_bulk("real traffic", options.big, analyze, bound, runs)
        compare_emulation("real traffic", options.big, analyze, runs)

    scattered = capture("scattered", "scattered-writes", str(1_000_000 // scale))
    _, rss = best([*analyze, scattered], 1)
    print(f"{1_000_000 // scale} scattered one-octet Writes: {(rss - base) / 1024:.1f} MiB more than one idle QP "
          f"(bound: at most 1): {verdict(rss - base <= 1024)}")


def compare_emulation(title, path, analyze, runs):
    """Alternating, so that both see the same machine."""
    on, off = [], []
    for _ in range(runs + 1):
        on.append(run([*analyze, path])[0])
        off.append(run([*analyze, "--no-emulation", path])[0])
    ratio = min(on[1:]) / min(off[1:])
    print(f"  emulation, {title}: {min(on[1:]):.3f} s on, {min(off[1:]):.3f} s off, {ratio:.2f} "
          f"(bound: at most 1.25): {verdict(ratio <= 1.25)}\n")


def compare_sctp(title, over_tcp, over_sctp, analyze, runs):
    """Octets of frames a second, alternating."""
    tcp, sctp = [], []
    for _ in range(runs + 1):
        tcp.append(run([*analyze, over_tcp])[0])
        sctp.append(run([*analyze, over_sctp])[0])
    tcp_speed, sctp_speed = (os.path.getsize(path) / min(times[1:]) for path, times in ((over_tcp, tcp), (over_sctp, sctp)))
    ratio = sctp_speed / tcp_speed
    print(f"{title} over SCTP: {sctp_speed / 1e6:.0f} MB/s, over TCP {tcp_speed / 1e6:.0f} MB/s, {ratio:.2f} "
          f"(bound: at least 0.50): {verdict(ratio >= 0.5)}\n")


def compare_bulk(title, path, analyze, bound, runs):
    size = os.path.getsize(path)
    t_bound, _ = best([bound, path], runs)
    t_one, rss = best([*analyze, path], runs)
    t_two, _ = best([*analyze[:2], "--threads", "2", *analyze[4:], path], runs)
    print(f"{title}: {size / 1e6:.0f} MB")
    print(f"  bound B (libpcap + CRC32c): {t_bound:.3f} s, {size / t_bound / 1e6:.0f} MB/s")
    print(f"  one thread: {t_one:.3f} s, {size / t_one / 1e6:.0f} MB/s, {t_one / t_bound:.2f} x B (bound: at most 2): "
          f"{verdict(t_one <= 2 * t_bound)}")
    print(f"  two threads: {t_two:.3f} s, {t_two / t_bound:.2f} x B (bound: at most 1.2): {verdict(t_two <= 1.2 * t_bound)}")
    print(f"  resident memory: {rss / 1024:.0f} MiB (bound: at most 150 MB): {verdict(rss * 1024 <= 150e6)}")
    if shutil.which("tshark"):
        rival = ["tshark", "-n", "-q", "-z", "io,stat,0", "-Y", "iwarp_ddp_rdmap", "-r", path]
        t_rival, _ = best(rival, 1)
        print(f"  tshark: {t_rival:.2f} s, iwarpscope is {t_rival / t_one:.1f} x as fast (bound: at least 15): "
              f"{verdict(t_rival >= 15 * t_one)}")


def count_fpdus(analyze, path):
    import json
    out = subprocess.run([*analyze, path], check=True, capture_output=True, text=True).stdout
    records = [json.loads(line) for line in out.splitlines()]
    return sum(r[d]["fpdus"] for r in records if r["record"] == "qp" for d in ("a_to_b", "b_to_a"))


def cpu_model():
    try:
        with open("/proc/cpuinfo", encoding="ascii") as f:
            return next(line.split(":", 1)[1].strip() for line in f if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


if __name__ == "__main__":
    main()
