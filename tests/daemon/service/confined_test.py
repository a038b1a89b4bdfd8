#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The daemon under the filters of system calls, families and memory that its unit's own lines ask systemd for, and
with the capabilities that they leave: confined_test.py IWARPSCOPED IWARPSCOPE CONFINED SOURCE_DIRECTORY"""

import ctypes
import errno
import os
import re
import shutil
import socket
import subprocess
import sys
import unittest
from functools import cache
from pathlib import Path

from running import Folder, Running, wait_until

PROGRAM = CLIENT = CONFINED = ROOT = ""
IS_ROOT = os.geteuid() == 0


@cache
def group(name):
    """The calls of one of systemd's groups, with those of the groups in it."""
    listed = subprocess.run(["systemd-analyze", "syscall-filter", "--no-pager", name], capture_output=True, text=True)
    if listed.returncode != 0:
        raise AssertionError(f"systemd-analyze knows no group {name}: {listed.stderr}")
    calls = set()
    for line in listed.stdout.splitlines():
        word = line.strip()
        if line[:1].isspace() and word and not word.startswith("#"):
            calls |= group(word) if word.startswith("@") else {word}
    return frozenset(calls)


def has_landlock():
    """Asks this kernel for its version of Landlock, without a filter between."""
    create_ruleset, version = 444, 1
    return ctypes.CDLL(None).syscall(create_ruleset, None, ctypes.c_size_t(0), version) > 0


class Unit:
    """What the lines of a unit leave to its program: as systemd.exec(5) says."""

    def __init__(self, text):
        self.lines = re.findall(r"(?m)^(\w+)=(.*)$", text)

    def values(self, key):
        return [value.split() for name, value in self.lines if name == key]

    def calls(self):
        """An allow-list, to which groups and calls are added, and of which `~` takes some away, in the file's order."""
        left = set(group("@default"))
        for number, words in enumerate(self.values("SystemCallFilter")):
            takes_away = words[0].startswith("~")
            words[0] = words[0].removeprefix("~")
            assert not (number == 0 and takes_away) and not any(":" in word for word in words), words
            for word in words:
                calls = group(word) if word.startswith("@") else {word}
                left = left - calls if takes_away else left | calls
        return left

    def error(self):
        [[name]] = self.values("SystemCallErrorNumber")
        return getattr(errno, name)

    def families(self):
        return [int(getattr(socket, name)) for words in self.values("RestrictAddressFamilies") for name in words]

    def capabilities(self, key):
        """For setpriv: all others away, these left."""
        names = [name.removeprefix("CAP_").lower() for words in self.values(key) for name in words]
        return ",".join(["-all", *("+" + name for name in names)])

    def command(self, program):
        """What a program is to be started with."""
        confined = [program, str(self.error()), ",".join(sorted(self.calls())), ",".join(map(str, self.families())),
                    "no" if self.values("MemoryDenyWriteExecute") == [["yes"]] else "yes"]
        if not IS_ROOT:
            return confined
        ambient = self.capabilities("AmbientCapabilities")
        return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--groups=nogroup,daemon", f"--inh-caps={ambient}",
                f"--ambient-caps={ambient}", f"--bounding-set={self.capabilities('CapabilityBoundingSet')}",
                "--no-new-privs", *confined]


class UnderTheUnit(unittest.TestCase):
    def setUp(self):
        if shutil.which("systemd-analyze") is None:
            self.skipTest("systemd-analyze is not installed (Debian package systemd): systemd's groups are unknown")
        self.text = (Path(ROOT) / "daemon/share/iwarpscoped.service").read_text()
        self.own = Folder().__enter__()
        self.addCleanup(self.own.__exit__)
        # Where the unit's user may execute them, wherever the build is.
        self.program, self.confined = (shutil.copy(file, self.own.path) for file in [PROGRAM, CONFINED])
        if subprocess.run([*Unit(self.text).command(self.confined), "/bin/true"]).returncode == 77:
            self.skipTest("this kernel has no filters of system calls")
        self.capture = self.own.path / "capture.pcap"
        shutil.copy(Path(ROOT) / "samples/siw/viol-crc-error.pcap", self.capture)

    def running(self, text, sections="", arguments=None):
        arguments = ["-r", self.capture] if arguments is None else arguments
        return Running(self.program, self.own.path, sections, arguments, Unit(text).command(self.confined))

    def without(self, *calls):
        """The unit without these calls in its last list, which has to have them."""
        lists = [line for line in self.text.splitlines() if line.startswith("SystemCallFilter=")]
        words = lists[-1].split("=")[1].split()
        self.assertLessEqual(set(calls), set(words))
        return self.text.replace(lists[-1], "SystemCallFilter=" + " ".join(word for word in words if word not in calls))

    def check_confined(self, daemon):
        """The unit's three filters and the daemon's own are there, and no capability is left."""
        status = Path(f"/proc/{daemon.process.pid}/status").read_text()
        before, now = (re.search(r"Seccomp_filters:\t(\d+)", text)  # from Linux 5.9
                       for text in [Path("/proc/self/status").read_text(), status])
        if now is not None:
            self.assertEqual(int(now[1]) - int(before[1]), 4)
        for name in ["Prm", "Eff", "Amb", *(["Bnd"] if IS_ROOT else [])]:
            left = int(re.search(rf"Cap{name}:\t(\w+)", status)[1], 16)
            # To empty the bounding set takes CAP_SETPCAP, which the unit does not allow.
            self.assertIn(left, [0, 1 << 13] if name == "Bnd" else [0], name)

    def ask(self, daemon, *words):
        answer = subprocess.run([CLIENT, *words, "--socket", daemon.socket], capture_output=True, text=True, timeout=60)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return answer.stdout

    def check_without_complaint(self, daemon):
        self.assertEqual(daemon.stop()[1], 0, daemon.said())
        for word in ["seccomp", "refuse", "cannot", *(["Landlock"] if has_landlock() else []), "Operation not permitted", "Permission denied"]:
            self.assertNotIn(word, daemon.said())

    def test_replays_answers_and_ends_without_a_warning(self):
        with self.running(self.text) as daemon:
            self.check_confined(daemon)
            wait_until(lambda: "MF-04" in self.ask(daemon, "findings"), "the finding of the capture")
            wait_until(lambda: "mpa.crc-mismatch" in self.ask(daemon, "history"), "the finding in the history")
            self.check_without_complaint(daemon)

    def test_watches_an_interface_with_the_capability_that_it_is_given(self):
        if not IS_ROOT:
            self.skipTest("without root no process can be given CAP_NET_RAW")
        with self.running(self.text, '[capture]\ninterfaces = ["lo"]\n', []) as daemon:
            self.check_confined(daemon)
            self.assertIn("lo", self.ask(daemon, "status"))
            self.check_without_complaint(daemon)

    def test_gives_its_socket_to_a_group_of_its_user(self):
        if not IS_ROOT:
            self.skipTest("without root no process can be put in a group")
        with self.running(self.text, '[api]\nsocket_group = "daemon"\n') as daemon:
            self.assertEqual(daemon.socket.group(), "daemon")
            self.check_without_complaint(daemon)

    def test_without_capset_it_stops_and_names_the_cause(self):
        daemon = self.running(self.without("capset"))
        ended = subprocess.run(daemon.command, capture_output=True, text=True, timeout=60)
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertRegex(ended.stderr, "give up its capabilities: Operation not permitted.*capset.*SystemCallFilter=")

    def test_without_the_calls_of_the_sandbox_it_names_the_cause_and_goes_on(self):
        with self.running(self.without("seccomp", "landlock_create_ruleset")) as daemon:
            self.assertEqual(daemon.stop()[1], 0, daemon.said())
            said = daemon.said()
        self.assertRegex(said, "Landlock cannot be used: Operation not permitted.*SystemCallFilter=")
        self.assertRegex(said, "seccomp cannot be used: Operation not permitted.*SystemCallFilter=")
        self.assertNotIn("This kernel", said)

    def test_what_an_old_kernel_does_not_have_is_reported_as_that(self):
        text = self.without("seccomp", "landlock_create_ruleset").replace("ErrorNumber=EPERM", "ErrorNumber=ENOSYS")
        with self.running(text) as daemon:
            self.assertEqual(daemon.stop()[1], 0, daemon.said())
            said = daemon.said()
        self.assertIn("This kernel has no Landlock: only file permissions", said)
        self.assertIn("seccomp cannot be used: this kernel cannot filter", said)
        self.assertNotIn("SystemCallFilter", said)


if __name__ == "__main__":
    PROGRAM, CLIENT, CONFINED, ROOT = sys.argv[1:5]
    result = unittest.main(argv=[sys.argv[0], *sys.argv[5:]], verbosity=2, exit=False).result
    if result.wasSuccessful() and len(result.skipped) == result.testsRun:
        sys.exit(77)
    sys.exit(not result.wasSuccessful())
