#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""iwarpscoped on an interface that receives at least twice what it can take: is every lost frame counted and shown, and
is no end blamed for it? overload_test.py IWARPSCOPED IWARPSCOPE IWARPSCOPE_SYNTH

The daemon is let run for a share of the time on one processor, with a small ring and a small queue; correct traffic goes
over a veth pair in a namespace of the test's own. First the rate is raised until the daemon analyses less than half of
what comes. Then as much comes for some seconds, while questions are asked. Takes root and some 20 s.
"""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections import Counter

from cable import FAR, Sender, Throttle, enter, metrics, moved
from running import Folder, Running, wait_until
from send_capture import frames

# The traffic: small Sends packed into TCP segments, large messages of each kind, Markers. All of it is correct.
LOADS = [["small", "--octets", "2M"], ["bulk", "--octets", "2M", "--mtu", "1500", "--message", "16k", "--mix",
                                       "send,write,read", "--connections", "4"],
         ["bulk", "--octets", "1M", "--mtu", "1500", "--markers", "both", "--connections", "2"]]
SECTIONS = f"""[capture]
interfaces = ["{FAR}"]
ring = "4 MiB"
queue = "1 MiB"
[limits]
after_end = "1 s"
"""
SHARES = [0.1, 0.04, 0.015, 0.006]  # of the time that the daemon runs; the next one when the sender is too slow for it
STEP = 0.8                 # seconds of one rate
OVERLOAD = 4               # seconds
TWICE = 2                  # at least so many times as much comes as is analysed
MARGIN = 1.3               # more than that while the rate is looked for
PROMPT = 0.5               # seconds of running for an answer


class Overload:
    def __init__(self, program, client, synth, folder, share):
        self.client, self.synth, self.folder, self.share = client, synth, folder, share
        self.prompt = PROMPT / share
        self.troubles = []
        cpus = sorted(os.sched_getaffinity(0))
        self.daemon = Running(program, folder, SECTIONS, before=["taskset", "-c", str(cpus[-1])])
        self.sender = Sender(self.traffic(), cpus[0])

    def traffic(self):
        all = []
        for n, words in enumerate(LOADS):
            path = self.folder / "load.pcap"
            subprocess.run([self.synth, *words, "--format", "pcap", "-o", path], check=True, stdout=subprocess.DEVNULL)
            all += [moved(frame, 100 * n) for frame in frames(path)]  # no two on the same ports
        return all

    def check(self, true, sentence):
        if not true:
            self.troubles.append(sentence)

    def ask(self, *words):
        """Records of an answer, which came in time."""
        begun = time.monotonic()
        answer = subprocess.run([self.client, *words, "--format", "json", "--socket", str(self.daemon.socket)],
                                capture_output=True, text=True, check=False, timeout=60)
        taken = time.monotonic() - begun
        self.check(answer.returncode == 0, f"{words[0]}: {answer.stderr}")
        self.check(taken < self.prompt, f"{words[0]} was answered after {taken:.1f} s")
        return [json.loads(line) for line in answer.stdout.splitlines()]

    def accounts(self):
        """Frames that were analysed, lost, and both."""
        now = metrics(self.daemon)
        analysed, lost = int(now["iwarp_capture_packets_total"]), int(now["iwarp_capture_drops_total"])
        return analysed, lost, analysed + lost

    def settle(self):
        """Until all that was sent is accounted for."""
        wait_until(lambda: self.accounts()[2] >= self.sender.sent, f"{self.sender.sent} frames analysed or lost", 60)

    def send(self, rate, seconds, meanwhile=lambda: None):
        """Sends and waits for the accounts. Returns frames a second, frames sent, and those of them that were analysed."""
        analysed, sent = self.accounts()[0], self.sender.sent
        self.sender.begin(rate, seconds)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            meanwhile()
            time.sleep(0.01)
        reached = self.sender.result()
        self.settle()
        return reached, self.sender.sent - sent, self.accounts()[0] - analysed

    def ask_all(self):
        self.ask("status")
        self.ask("qps", "--limit", "50")
        with urllib.request.urlopen(f"http://127.0.0.1:{self.daemon.port}/healthz", timeout=self.prompt) as answer:
            self.check(answer.status == 200, "/healthz says that it does not live")
        self.questions += 3

    def overload(self):
        """The first rate, of those that rise by half up to all that goes, of which less than half is analysed, with questions
        meanwhile. Returns it, frames sent and frames analysed; None: the sender cannot send so much."""
        most, sent, analysed = self.send(None, STEP)
        rate = max(500, analysed / STEP / 2)  # what waited in buffers was analysed, too
        while sent >= MARGIN * TWICE * analysed:  # at all that goes, the last time it was tried
            rate = rate if rate < most else None
            _, step, taken = self.send(rate, STEP)
            if step >= MARGIN * TWICE * taken:
                self.questions = 0
                overload = self.send(rate, OVERLOAD, self.ask_all)
                if overload[1] >= TWICE * overload[2]:
                    return overload
            if rate is None:
                return None
            rate *= 1.5
        return None

    def judge(self):
        """What is shown of the losses, and by which command."""
        where = {name: int(metrics(self.daemon, f'where="{name}"')["iwarp_capture_drops_total"])
                 for name in ("nic", "kernel", "queue")}
        analysed, lost, both = self.accounts()
        self.check(both == self.sender.sent, f"{self.sender.sent} frames were sent, {analysed} analysed, {lost} lost")
        self.check(where["kernel"] + where["queue"] > 0, "no frame was lost in the kernel's ring or before the analysis")
        status = self.ask("status")[0]
        shown = [int(status["totals"]["losses"].get(f"{name}_frames", 0)) for name in where]
        self.check(shown == list(where.values()), f"status shows {shown} lost, the metrics {where}")
        self.check(int(status["totals"]["frames"]) == analysed, "status shows other frames than the metrics")
        text = subprocess.run([self.client, "status", "--socket", str(self.daemon.socket)], capture_output=True, text=True,
                              check=True).stdout
        line = f"{shown[0]} at the interface, {shown[1]} in the kernel's ring, {shown[2]} before the analysis"
        self.check(line in text, f"status has no line with {line!r}: {text}")
        qps = [one for one in self.ask("qps") if one["record"] == "qp"]
        gaps = [one for one in qps if one["a_to_b"]["capture_gap_octets"] + one["b_to_a"]["capture_gap_octets"]]
        self.check(gaps, "no queue pair has a capture gap")
        findings = [one for one in self.ask("findings") if one["record"] == "finding"]
        with open(self.folder / "events.jsonl", encoding="utf-8") as log:
            logged = [json.loads(text) for text in log]
        for one in findings + [record for record in logged if record["record"] == "finding"]:
            self.check(one["about"] != "peer" or one["severity"] != "error", f"a peer is blamed: {one}")
        for one in qps + [record for record in logged if record["record"] == "qp"]:
            verdict = one["verdict"]
            self.check(verdict["blame"] not in ("a", "b"), f"the verdict blames a peer: {verdict}")
        sure = Counter(one["verdict"]["confidence"] for one in gaps)
        self.check(sure["certain"] == 0, f"verdicts on queue pairs with capture gaps are certain: {sure}")
        return where, len(qps), len(gaps), sure, Counter(f"{one['severity']} {one['code']} {one['about']}" for one in findings)

    def run(self):
        """False: the sender could not send twice as much."""
        with self.daemon:
            throttle = Throttle(self.daemon.process.pid, self.share)
            try:
                overloaded = self.overload()
                if overloaded is None:
                    return False
                offered, sent, analysed = overloaded
                where, qps, gaps, sure, findings = self.judge()
                throttle.close()
                took, code = self.daemon.stop()
            finally:
                throttle.close()
                self.sender.close()
            self.check(code == 0 and took < 10, f"it ended with {code} after {took:.1f} s: {self.daemon.said()}")
        print(f"In {self.share:.1%} of the time: {offered:.0f} frames/s came, {sent} frames, {sent / max(analysed, 1):.1f} times as many as "
              f"the {analysed} that were analysed.")
        print(f"Lost in all: {where}, to the frame; {gaps} of {qps} queue pairs with capture gaps, verdicts on them {dict(sure)}; "
              f"findings {dict(findings)}. {self.questions} questions answered meanwhile; stopped in {took:.1f} s.")
        return True


def main(program, client, synth):
    enter()
    for share in SHARES:
        with Folder() as own:
            run = Overload(program, client, synth, own.path, share)
            if run.run():
                for trouble in run.troubles[:20]:
                    print("FAILED:", trouble)
                sys.exit(1 if run.troubles else 0)
        print(f"The sender cannot send twice what the daemon takes in {share:.1%} of the time.")
    print("FAILED: nothing was overloaded")
    sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
