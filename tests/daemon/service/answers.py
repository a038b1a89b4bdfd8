# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What `iwarpscope` prints, as records; and what /proc says of a process."""

import json
import subprocess
import time
from pathlib import Path

# What the daemon adds, and times: they depend on the way, not on the traffic.
OF_THE_WAY = {"time", "run", "a", "b", "sensor", "sensor_uuid", "run_uuid", "sequence", "interface", "tap_group",
              "community_id"}


def run(*command, **options):
    return subprocess.run([str(word) for word in command], stdin=options.pop("stdin", subprocess.DEVNULL),
                          capture_output=True, text=True, timeout=120, **options)


def records(text, kind):
    return [record for line in text.splitlines() if (record := json.loads(line))["record"] == kind]


def findings(text, of_qps_only=False):
    """Findings, but for when they were, in an order of their own."""
    all = [{key: value for key, value in record.items() if key not in OF_THE_WAY} for record in records(text, "finding")]
    return sorted(json.dumps(one, sort_keys=True) for one in all if not of_qps_only or one["qp"] is not None)


def verdicts(text):
    return sorted((qp["qp"], qp["state"], qp["verdict"]["outcome"], qp["verdict"]["text"]) for qp in records(text, "qp"))


class Asking:
    """`iwarpscope` with a daemon."""

    def __init__(self, client, daemon):
        self.client, self.daemon = client, daemon
        self.longest = 0.0  # seconds until an answer

    def __call__(self, *words):
        """The text of an answer, as JSON Lines."""
        begun = time.monotonic()
        answer = run(self.client, *words, "--format", "json", "--socket", self.daemon.socket)
        self.longest = max(self.longest, time.monotonic() - begun)
        if answer.returncode != 0:
            raise AssertionError(f"{words}: {answer.stderr}")
        return answer.stdout

    def status(self):
        return json.loads(self("status").splitlines()[0])

    def output(self, name):
        """What the status says of one output."""
        [output] = [one for one in self.status()["outputs"] if one["name"] == name]
        return output


class Frames:
    """Frames of a daemon's capture, so far."""

    def __init__(self, status):
        losses = status["totals"]["losses"]
        self.analysed = int(status["totals"]["frames"])
        self.lost = sum(int(losses.get(f"{where}_frames", 0)) for where in ("nic", "kernel", "queue"))
        self.all = self.analysed + self.lost


def resident(pid, which="VmRSS"):
    """KiB. RssAnon: without what the kernel's capture ring and files take."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith(which):
            return int(line.split()[1])
    raise AssertionError(f"process {pid} has no memory")


def descriptors(pid):
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))
