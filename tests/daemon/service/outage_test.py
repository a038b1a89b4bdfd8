#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""An interface that goes down while a queue pair waits: no stall is reported for the time of the capture outage.
While the interface stays up, the same wait is a stall, also where another interface is down:
outage_test.py IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY"""

import json
import socket
import subprocess
import sys
import time
from pathlib import Path

from cable import FAR, NEAR, enter, metrics
from running import Folder, Running, wait_until
from send_capture import frames

SILENCE = 5  # seconds; a second of silence is a stall, and the capture's clock may be late by another


class Wait:
    """A Read Request without an answer, on a cable of its own."""

    OTHER = "mirror1"  # carries nothing

    def __init__(self, program, client, root, folder):
        self.client, self.frames = client, frames(Path(root) / "samples/made/questions/read-never-answered.pcapng")
        self.daemon = Running(program, folder, f'[capture]\ninterfaces = ["{FAR}", "{self.OTHER}"]\n')

    def send(self):
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as cable:
            cable.bind((NEAR, 0))
            for frame in self.frames:
                cable.send(frame)
        wait_until(lambda: metrics(self.daemon).get("iwarp_qp_opened_total") == 1, "a queue pair")

    def up(self, is_up, name=FAR):
        subprocess.run(["ip", "link", "set", name, "up" if is_up else "down"], check=True)
        wait_until(lambda: metrics(self.daemon, f'"{name}"')["iwarp_capture_interface_up"] == is_up,
                   f"{name} up or down")

    def verdict(self):
        answer = subprocess.run([self.client, "qps", "--format", "json", "--socket", str(self.daemon.socket)],
                                capture_output=True, text=True, check=True, timeout=60)
        records = [json.loads(line) for line in answer.stdout.splitlines()]
        return next(record["verdict"] for record in records if record["record"] == "qp")

    def stalled(self):
        verdict = self.verdict()
        return verdict if verdict["outcome"] == "stalled" else None


def covered(wait):
    """The near miss: the capture has no outage."""
    wait.send()
    verdict = wait_until(wait.stalled, "a stall")
    return [] if (verdict["blame"], verdict["confidence"]) == ("b", "likely") else [f"without an outage: {verdict}"]


def covered_where_it_matters(wait):
    """The other interface is down: of a connection that was never seen there nothing is missing."""
    wait.up(False, wait.OTHER)
    try:
        return covered(wait)
    finally:
        wait.up(True, wait.OTHER)


def uncovered(wait):
    wait.send()
    wait.up(False)
    troubles = []
    end = time.monotonic() + SILENCE
    while time.monotonic() < end:
        verdict = wait.verdict()
        if verdict["blame"] in ("a", "b", "path") and not troubles:
            troubles.append(f"while the interface was down: {verdict}")
        time.sleep(0.1)
    verdict = wait.verdict()
    if verdict["outcome"] != "running" or verdict["confidence"] != "limited" or "was down for" not in verdict["text"]:
        troubles.append(f"after {SILENCE} s: {verdict}")
    wait.up(True)
    verdict = wait_until(wait.stalled, "a stall, once the interface was up again")
    if verdict["blame"] != "unknown" or verdict["confidence"] != "limited":
        troubles.append(f"when the interface was up again: {verdict}")
    return troubles


def main(program, client, root):
    enter()
    troubles = []
    for words in (["add", Wait.OTHER, "type", "veth", "peer", "name", "wire1"], ["set", Wait.OTHER, "up"],
                  ["set", "wire1", "up"]):
        subprocess.run(["ip", "link", *words], check=True)
    for what in (covered, covered_where_it_matters, uncovered):
        with Folder() as own:
            wait = Wait(program, client, root, own.path)
            with wait.daemon:
                troubles += what(wait)
    for trouble in troubles:
        print("FAILED:", trouble)
    sys.exit(1 if troubles else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
