#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures iwarpscoped against `iwarpscope analyze` of the same build in one run and prints ratios.

    tests/benchmark/daemon.py [--build build/release] [--work DIR] [--runs N] [--quick] [--no-live]

Replay: a bulk capture through the daemon with API, metrics, event log and history on, against the analysis of the file
with as many threads. The time of the daemon is that until it says that all was replayed. Bound: 1.3. Beside it, without
a bound, the same with the recorder, whose ring of packets takes memory that was never touched.
Listing: all of 50 000 queue pairs over the Unix socket by the command line, as a table. Bound: 1 s.
Live traffic: live.py and questions.py, which do it as root, run after these.
Times are the best of --runs with a warm cache.
"""
import argparse
import http.client
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from run import cpu_model, make, verdict

PORT = 19470
SKIPPED = 77  # a script could not run here
CONFIGURATION = """
[capture]
replay = ["{capture}"]
[analysis]
threads = {threads}
[api]
socket = "{folder}/s"
[metrics]
address = "127.0.0.1:{port}"
[event_log]
path = "{folder}/events.jsonl"
[journal]
enabled = false
[history]
path = "{folder}/history.sqlite"
[limits]
idle = "365 d"
after_end = "365 d"
ended_queue_pairs = 100000
[recorder]
enabled = {recorder}
folder = "{folder}/recordings"
[process]
user = ""
group = ""
"""


class Daemon:
    """iwarpscoped on a capture, in a folder of its own."""

    def __init__(self, binaries, capture, threads, recorder=True):
        self.folder = tempfile.TemporaryDirectory(prefix="iwarpscope-benchmark-")
        self.environment = {**os.environ, "IWARPSCOPE_SOCKET": f"{self.folder.name}/s"}
        self.binaries = binaries
        path = Path(self.folder.name, "iwarpscoped.toml")
        path.write_text(CONFIGURATION.format(capture=capture, folder=self.folder.name, threads=threads, port=PORT,
                                             recorder=str(recorder).lower()))
        self.begun = time.monotonic()
        self.process = subprocess.Popen([f"{binaries}/iwarpscoped", "--config", str(path)], stderr=subprocess.PIPE,
                                        text=True)

    def ask(self, *words):
        return subprocess.run([f"{self.binaries}/iwarpscope", *words], env=self.environment, capture_output=True,
                              text=True, check=False)

    def replayed(self):
        """Seconds until everything was replayed, seen at most 5 ms late. A process for each question would take what it
        measures."""
        while True:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=5)
                connection.request("GET", "/readyz")
                if b"has finished" in connection.getresponse().read():
                    return time.monotonic() - self.begun
            except ConnectionRefusedError:
                pass  # it begins
            finally:
                connection.close()
            if self.process.poll() is not None:
                sys.exit(f"iwarpscoped ended: {self.process.stderr.read()}")
            time.sleep(0.005)

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=30)
        self.folder.cleanup()


def replay(binaries, capture, recorder):
    # One of the daemon's threads reads and merges, as in the analysis with two.
    daemon = Daemon(binaries, capture, 1, recorder)
    taken = daemon.replayed()
    daemon.stop()
    return taken


def analyze(binaries, capture, threads):
    begun = time.monotonic()
    subprocess.run([f"{binaries}/iwarpscope", "analyze", "--threads", str(threads), capture], stdout=subprocess.DEVNULL,
                   check=False)
    return time.monotonic() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(__file__).resolve().parents[2]
    parser.add_argument("--build", default=str(root / "build/release"))
    parser.add_argument("--work", default=str(root / "build/benchmark"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="a smaller capture: for trying the script")
    parser.add_argument("--no-live", action="store_true", help="without live.py and questions.py")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    binaries = os.path.join(options.build, "bin")
    synth = os.path.join(binaries, "iwarpscope-synth")
    octets = "200M" if options.quick else "2000M"
    print(f"machine: {os.cpu_count()} CPUs, {cpu_model()}; best of {options.runs} runs, warm cache\n")
    capture = make(synth, os.path.join(options.work, f"daemon-{octets}.pcapng"),
                   ["bulk", "--octets", octets, "--mtu", "1500", "--mix", "send,write,read"])
    file, daemon, recording = [], [], []
    for _ in range(options.runs + 1):
        file.append(analyze(binaries, capture, 2))
        daemon.append(replay(binaries, capture, False))
        recording.append(replay(binaries, capture, True))
    file, daemon, recording = (min(times[1:]) for times in (file, daemon, recording))
    ratio = daemon / file
    print(f"replay of {os.path.getsize(capture) / 1e6:.0f} MB: daemon {daemon:.2f} s, analyze {file:.2f} s, {ratio:.2f} "
          f"(bound: at most 1.30): {verdict(ratio <= 1.3)}; with the recorder {recording:.2f} s, {recording / file:.2f}")
    many = make(synth, os.path.join(options.work, "daemon-50000-qps.pcapng"), ["idle-qps", "50000"])
    running = Daemon(binaries, many, 1)
    running.replayed()
    times = []
    for _ in range(options.runs):
        begun = time.monotonic()
        listed = running.ask("qps").stdout.count("->") - 1  # the heading has one, too
        times.append(time.monotonic() - begun)
    running.stop()
    met = [ratio <= 1.3, listed >= 50000 and min(times) < 1]
    print(f"listing {listed} queue pairs: {min(times):.2f} s (bound: 1.00 s for 50000): {verdict(met[1])}", flush=True)
    if not options.no_live:
        for name in ("live.py", "questions.py"):
            live = [sys.executable, "-B", Path(__file__).with_name(name), "--build", options.build]
            met.append(subprocess.run(live, check=False).returncode in (0, SKIPPED))
    sys.exit(0 if all(met) else 1)


if __name__ == "__main__":
    main()
