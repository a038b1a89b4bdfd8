#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""kill -9 while frames come, again and again, on the same files: kill_test.py IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY

What `iwarpscope history` showed before it shows after it, too. The event log has whole lines only, those that were whole among
them. What was being recorded is a capture that Wireshark reads, or is gone. Each start succeeds, and captures at once.
"""

import json
import random
import shutil
import signal
import subprocess
import sys
import time

from answers import Asking, Frames, records
from cable import FAR, SKIPPED, enter
from running import Folder, Running, wait_until
from soak import Sender

KILLS = 5
SECTIONS = f"""[capture]
interfaces = ["{FAR}"]
[limits]
after_end = "1 s"
[recorder]
files = 10000
per_rule = 0
per_pair = 0
before = "1 s"
after = "1 s"
"""
KINDS = ("findings", "qps", "operations")


def names(kind, lines):
    """What must stay. A later report of an operation, as that of its queue pair's end, says more of the same one."""
    if kind != "operations":
        return set(lines)
    return {tuple(one[key] for key in ("run_uuid", "qp", "direction", "index")) for one in map(json.loads, lines)}


def history(ask):
    """All that the history shows, of each kind."""
    return {kind: names(kind, ask("history", "--kind", kind, "--limit", "1000000").splitlines()) for kind in KINDS}


def log_of(folder):
    """Whole lines of the event log, and what is after the last of them."""
    text = (folder / "events.jsonl").read_bytes()
    *lines, rest = text.split(b"\n")
    return lines, rest


def not_read(paths):
    """What capinfos says of the captures that it cannot read to their end."""
    done = subprocess.run(["capinfos", "-T", "-r", "-m", "-c", *paths], capture_output=True, text=True, timeout=120, check=False)
    counts = [line.split(",") for line in done.stdout.splitlines()]
    return done.stderr or [one for one in counts if len(one) != 2 or int(one[1]) == 0] or done.returncode


class Kills:
    def __init__(self, program, client, folder):
        self.client, self.folder, self.troubles = client, folder, []
        self.daemon = Running(program, folder, SECTIONS)
        self.known, self.lines, self.checked = {kind: set() for kind in KINDS}, [], set()
        self.cut = self.half = self.seen = 0

    def check(self, true, sentence):
        if not true:
            self.troubles.append(sentence)

    def recordings(self):
        folder = self.folder / "recordings"
        return sorted(folder.iterdir()) if folder.exists() else []

    def life(self, ask, choose):
        """Checks what was there at the start, and waits until there is more."""
        wait_until((self.folder / "history.sqlite").exists, "a history")
        now = history(ask)
        for kind in KINDS:
            lost = self.known[kind] - now[kind]
            self.check(not lost, f"{len(lost)} of {len(self.known[kind])} {kind} are not shown any more: {list(lost)[:1]}")
        before = {kind: len(now[kind]) for kind in KINDS}
        wait_until(lambda: Frames(ask.status()).analysed > 100, "frames")
        wait_until(lambda: len(history(ask)["findings"]) > before["findings"], "findings that are stored")
        wait_until(lambda: any(one.name.endswith(".part") for one in self.recordings()), "a recording that is being written")
        lines, _ = log_of(self.folder)
        self.check(lines[:len(self.lines)] == self.lines, "lines of the event log have changed")
        self.check(any(one.startswith(b'{"record":"run"') for one in lines[len(self.lines):]), "the log does not tell of this run")
        time.sleep(choose.random())
        self.known = history(ask)

    def after_death(self):
        lines, rest = log_of(self.folder)
        for line in lines[len(self.lines):]:
            json.loads(line)
        self.half += bool(rest)
        self.lines = lines
        self.cut += sum(one.name.endswith(".part") for one in self.recordings())

    def after_start(self):
        """Recordings that are complete now, and were not looked at before."""
        new = {path for path in self.recordings() if path.suffix == ".pcapng"} - self.checked
        self.checked |= new
        if new:
            wrong = not_read(sorted(new))
            self.check(not wrong, f"of {len(new)} recordings: {wrong}")

    def run(self):
        choose = random.Random(11)
        for _ in range(KILLS):
            with self.daemon as daemon:
                ask = Asking(self.client, daemon)
                self.after_start()
                self.life(ask, choose)
                self.daemon.stop(signal.SIGKILL)
            left = {one for one in self.recordings() if one.name.endswith(".part")}
            self.after_death()
        with self.daemon as daemon:
            ask = Asking(self.client, daemon)
            self.after_start()
            self.check(not left & set(self.recordings()), "a half-written recording was left as it was")
            self.life(ask, choose)
            code = daemon.stop()[1]
            self.check(code == 0, f"it ended with {code}: {daemon.said()}")
        lines, rest = log_of(self.folder)
        self.check(not rest, "the last line of the event log is not whole")
        self.check(lines[:len(self.lines)] == self.lines, "lines of the event log have changed")
        runs = records(b"\n".join(lines).decode(), "run")
        self.check(len(runs) == KILLS + 1, f"the log has {len(runs)} runs")
        self.after_start()
        names = [one.name for one in self.recordings()]
        self.check(all(name.endswith(".pcapng") for name in names), f"recordings are left half-written: {names}")
        self.check("damaged" not in daemon.said(), f"the history was damaged: {daemon.said()}")


def main(program, client, root):
    enter()
    if shutil.which("capinfos") is None:
        print("Skipped: capinfos is not installed.")
        sys.exit(SKIPPED)
    with Folder() as own:
        sender = Sender(root, 10)
        sender.start()
        run = Kills(program, client, own.path)
        run.run()
        sender.over.set()
        sender.join()
        counts = {kind: len(lines) for kind, lines in run.known.items()}
        print(f"Killed {KILLS} times: {counts} in the history, {len(run.lines)} lines in the event log, the last of them half "
              f"{run.half} times; {len(run.checked)} recordings, {run.cut} of them were being written.")
        for trouble in run.troubles:
            print("FAILED:", trouble)
        sys.exit(1 if run.troubles else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
