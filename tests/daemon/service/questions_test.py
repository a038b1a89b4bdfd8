#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Clients that ask all that can be asked while frames come, counted by work and not by time:
questions_test.py IWARPSCOPED IWARPSCOPE IWARPSCOPE_SYNTH IWARPSCOPE_ASKERS

Many queue pairs are open and change again and again. Eight clients ask every call in loops, while others have
asked for long answers of which they read nothing. The work between two rounds of frames stays below its bound, however
much is asked; every question is answered; no frame is lost. When it stops, the open queue pairs are not written. What it is
with 200 000 queue pairs, by time, is measured by tests/benchmark/questions.py.
"""

import socket
import sqlite3
import subprocess
import sys
from contextlib import closing

import http2
from answers import Asking
from cable import FAR, Sender, enter
from open_qps import acknowledgements, ask, settled
from running import Folder, Running, wait_until
from send_capture import frames

QPS, RATE = 1500, 3000          # frames a second
CLIENTS, ROUNDS, CALLS = 8, 1, 17
SILENT, THEIR_CALLS = 8, 16     # clients that read nothing, and calls of each: more than threads that answer
PART, ROUND, VIEW = 2048, 10_240, 64  # units of work: see message Effort
STOP = 10                       # seconds
FRAME_CONTEXT = 64 << 20        # octets of packets that are visited for a frame, at most
SECTIONS = f"""[capture]
interfaces = ["{FAR}"]
[limits]
idle = "1 h"
after_end = "1 s"
[recorder]
at_least = "none"
"""


def silent(daemon):
    """A client that asks for pages of queue pairs and gives leave to send nothing of them."""
    client = socket.socket(socket.AF_UNIX)
    client.connect(str(daemon.socket))
    page = http2.field(3, QPS) + http2.field(4, 2)
    client.sendall(http2.begin(0) + b"".join(http2.call("ListQps", page, 2 * n + 1) for n in range(THEIR_CALLS)))
    return client


def main(program, client, synth, askers):
    enter()
    troubles = []

    def check(true, sentence):
        if not true:
            troubles.append(sentence)

    with Folder() as own, Running(program, own.path, SECTIONS) as daemon:
        path = own.path / "opening.pcap"
        subprocess.run([synth, "idle-qps", str(QPS), "--format", "pcap", "-o", path], check=True, stdout=subprocess.DEVNULL)
        opening = list(frames(path))
        first, later = Sender(opening, 0, stay=True), Sender(acknowledgements(opening), 0, stay=True)
        first.begin(RATE, len(opening) / RATE)
        first.result()
        settled(daemon, first.sent)
        status = Asking(client, daemon).status
        wait_until(lambda: int(status()["totals"]["qps_opened"]) == QPS, f"{QPS} queue pairs")

        def done():
            """Questions that came to an end; the later ones of the silent clients may have waited for too long."""
            api = status()["api"]
            return int(api["questions"]) + int(api.get("refused", 0))

        before = done()
        unread = [silent(daemon) for _ in range(SILENT)]
        wait_until(lambda: done() >= before + SILENT * THEIR_CALLS, "answers to those that do not read them", 120)
        later.begin(RATE, 3600)
        said = ask([askers], daemon, CLIENTS, QPS, rounds=ROUNDS)
        later.close()
        now = status()
        effort = {name: int(value) for name, value in now["effort"].items()}
        its = said["calls"]["all"]
        check(its["failed"] == 0, f"{its['failed']} questions failed: {said['failures']}")
        asked = its["answered"] + its["refused"]
        check(asked >= CALLS * CLIENTS * ROUNDS, f"only {asked} questions were asked")
        refused = {call for call, one in said["calls"].items() if one["refused"]} - {"all", "FetchPackets", "Subscribe"}
        check(not refused, f"of eight clients, each with one question at a time, were refused: {refused}")
        check(effort["longest_part"] <= PART + VIEW, f"a part took {effort['longest_part']} units of work")
        check(effort["longest_round"] <= ROUND + 3 * (PART + VIEW),
              f"{effort['longest_round']} units of work were done before the next frames")
        check(effort["units"] >= ROUND, f"only {effort['units']} units of work were counted: the rest says nothing")
        check(effort["rounds"] >= effort["units"] // effort["longest_round"], f"too few rounds: {effort}")
        visited, sought = int(now["api"].get("visited_octets", 0)), said["calls"]["GetFrame"]["answered"]
        check(0 < visited <= sought * FRAME_CONTEXT, f"{visited} octets of packets were visited for {sought} frames")
        lost = sum(int(now["totals"]["losses"].get(f"{where}_frames", 0)) for where in ("nic", "kernel", "queue"))
        check(lost == 0, f"{lost} frames were lost")
        for one in unread:
            one.close()
        took, code = daemon.stop()
        check(code == 0 and took < STOP, f"it ended with {code} after {took:.1f} s: {daemon.said()}")
        with closing(sqlite3.connect(own.path / "history.sqlite")) as history:
            ended = [row[0] for row in history.execute("SELECT outcome FROM qps")]
        check(ended == [], f"queue pairs that go on are in the history as ended: {ended}")
        check(f"{QPS} queue pairs are open and well: they are not reported as ended" in daemon.said(), daemon.said())
        print(f"{asked} questions, {effort['rounds']} rounds of {effort['parts']} parts and {effort['units']} units; the longest "
              f"round {effort['longest_round']}, the longest part {effort['longest_part']} units; {visited} octets visited for "
              f"{sought} frames.")
    for trouble in troubles:
        print("FAILED:", trouble)
    sys.exit(1 if troubles else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
