#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""A disk that is full or cannot be written, and a database that another program locks: disk_test.py IWARPSCOPED IWARPSCOPE SOURCE

On a small disk of the test's own, while frames come over a cable. In every state of the disk, every frame is analysed;
what cannot be stored is counted where it was to go, and said; when the disk is well again, so are the outputs.
"""

import json
import os
import sqlite3
import subprocess
import sys

from answers import Asking, Frames, records
from cable import FAR, enter
from running import Folder, Running, wait_until
from soak import Sender

SECTIONS = f"""[capture]
interfaces = ["{FAR}"]
[limits]
after_end = "1 s"
[recorder]
files = 20
per_rule = 0
per_pair = 0
after = "1 s"
"""
DISK = "8m"
WRITTEN = ("event-log", "history")


class Disk:
    """A tmpfs that no other process sees: it goes with this process's namespace."""

    def __init__(self, path):
        self.path, self.filler = path, path / "filler"
        path.mkdir()
        self.mount("-t", "tmpfs", "-o", f"size={DISK},mode=0777", "tmpfs")

    def mount(self, *words):
        subprocess.run(["mount", *words, self.path], check=True)

    def fill(self):
        with open(self.filler, "ab", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    def free(self):
        self.filler.unlink()


class Trial:
    def __init__(self, program, client, folder):
        self.client, self.folder, self.troubles = client, folder, []
        self.disk = Disk(folder / "disk")
        self.daemon = Running(program, folder, SECTIONS)
        text = self.daemon.file.read_text()
        for name in ("events.jsonl", "history.sqlite", "recordings"):
            text = text.replace(f"{folder}/{name}", f"{self.disk.path}/{name}")
        self.daemon.file.write_text(text)
        self.ask = Asking(client, self.daemon)

    def check(self, true, sentence):
        if not true:
            self.troubles.append(sentence)

    def outputs(self):
        return {one["name"]: one for one in self.ask.status()["outputs"]}

    def wait_for(self, name, true, what):
        return wait_until(lambda: (now := self.outputs()[name]) and true(now) and now, f"{name}: {what}")

    def is_well(self, name):
        """It is, and stores again."""
        before = int(self.wait_for(name, lambda now: now["healthy"] and not now["trouble"], "well again")["taken"])
        self.wait_for(name, lambda now: int(now["taken"]) > before, "more that is stored")

    def loses(self, name, *words):
        """What it cannot store is counted, and said in one of these words."""
        before = int(self.outputs()[name]["lost"])
        now = self.wait_for(name, lambda now: int(now["lost"]) > before and any(w in now["trouble"] for w in words), f"losses ({words})")
        self.check(not now["healthy"], f"{name} is said to be well")
        wait_until(lambda: f"warning: {name}: " in self.daemon.said(), f"a warning of {name}")

    def recordings(self):
        return set((self.disk.path / "recordings").glob("*.pcapng"))

    def fills_and_is_freed(self):
        for name in WRITTEN:
            self.is_well(name)
        self.disk.fill()
        self.loses("event-log", "No space left on device")
        self.loses("history", "full", "No space left on device")  # by whether its log or its index grew last
        self.loses("recorder", "No space left on device")
        self.disk.free()
        for name in WRITTEN:
            self.is_well(name)
        before = self.recordings()  # that one failed a moment ago is said for longer
        wait_until(lambda: self.recordings() - before, "a recording on the disk that has room again")

    def is_locked_and_unlocked(self):
        lost = int(self.outputs()["history"]["lost"])
        other = sqlite3.connect(self.disk.path / "history.sqlite", isolation_level=None, timeout=30)
        other.execute("BEGIN IMMEDIATE")
        now = self.wait_for("history", lambda now: "locked" in now["trouble"] and int(now["queued"]) > 0, "a lock that is met")
        self.check(not now["healthy"], "a locked history is said to be well")
        self.check(self.ask("history", "--limit", "10"), "a locked history cannot be read")
        taken = int(self.outputs()["event-log"]["taken"])
        self.wait_for("event-log", lambda now: int(now["taken"]) > taken, "written while the history is locked")
        other.execute("ROLLBACK")
        other.close()
        self.is_well("history")
        self.check(int(self.outputs()["history"]["lost"]) == lost, "what waited for the lock was lost")

    def accounts(self):
        """What was reported is stored or counted as lost; to be asked when the daemon has ended."""
        said = self.daemon.said()
        counts = {}
        for name, stored in (("event-log", self.stored_lines()), ("history", self.stored_rows())):
            lines = [line for line in said.splitlines() if f"warning: {name}: " in line and line.endswith("were lost.")]
            self.check(len(lines) == 1, f"the losses of {name} are reported in {len(lines)} lines")
            lost, all = (int(word) for word in lines[0].split(f"{name}: ")[1].split(" records")[0].split(" of "))
            self.check(stored == all - lost, f"{name}: {all} reported, {lost} lost, {stored} stored")
            counts[name] = (all, lost)
        # Both outputs get the same.
        self.check(counts["event-log"][0] == counts["history"][0], f"what was reported: {counts}")
        return counts

    def stored_lines(self):
        text = (self.disk.path / "events.jsonl").read_text(encoding="utf-8")
        self.check(text.endswith("\n"), "the event log does not end with a whole line")
        return len([line for line in text.splitlines() if json.loads(line)["record"] not in ("run", "lost")])

    def stored_rows(self):
        database = sqlite3.connect(self.disk.path / "history.sqlite")
        count = sum(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("findings", "qps"))
        self.check(database.execute("PRAGMA integrity_check").fetchone()[0] == "ok", "the history is damaged")
        database.close()
        return count

    def run(self, root, trials):
        """Each of the trials while frames come. Returns frames, and what was reported and lost."""
        with self.daemon as daemon:
            sender = Sender(root, 10)
            sender.start()
            for trial in trials:
                trial()
            sender.over.set()
            sender.join()
            frames = wait_until(lambda: (now := Frames(self.ask.status())).all >= sender.sent and now, f"{sender.sent} frames")
            self.check((frames.all, frames.lost) == (sender.sent, 0),
                       f"{sender.sent} frames were sent, {frames.analysed} analysed, {frames.lost} lost")
            code = daemon.stop()[1]
            self.check(code == 0, f"it ended with {code}: {daemon.said()}")
        return sender.sent, self.accounts()


def full(program, client, root, folder):
    trial = Trial(program, client, folder)
    frames, counts = trial.run(root, [trial.fills_and_is_freed, trial.is_locked_and_unlocked])
    print(f"Full, freed, locked and unlocked: {frames} frames; reported and lost: {counts}", flush=True)
    return trial.troubles


def read_only(program, client, root, folder):
    trial = Trial(program, client, folder)
    trial.disk.mount("-o", "remount,ro")

    def refuses_and_is_fixed():
        for name in WRITTEN:
            trial.loses(name, "")
        trial.check("Read-only file system" in trial.outputs()["event-log"]["trouble"], "the event log does not say why")
        trial.disk.mount("-o", "remount,rw")
        for name in WRITTEN:
            trial.is_well(name)
        wait_until(lambda: records(trial.ask("history"), "finding"), "findings in the history")

    frames, counts = trial.run(root, [refuses_and_is_fixed])
    print(f"Read-only at the start, and fixed: {frames} frames; reported and lost: {counts}", flush=True)
    return trial.troubles


def main(program, client, root):
    enter()
    os.umask(0o022)
    troubles = []
    for trial in (full, read_only):
        with Folder() as own:
            troubles += trial(program, client, root, own.path)
            subprocess.run(["umount", own.path / "disk"], check=True)
    for trouble in troubles:
        print("FAILED:", trouble)
    sys.exit(1 if troubles else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
