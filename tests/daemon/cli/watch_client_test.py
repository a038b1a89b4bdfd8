#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""iwarpscope watch and findings --follow on a terminal of their own: watch_client_test.py IWARPSCOPE FAKE_DAEMON"""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

PROGRAM = DAEMON = ""
WAIT = 30  # seconds until a test gives up


class Terminal:
    """A program on a terminal of its own, and all that it drew."""

    def __init__(self, command, rows=30, columns=120, **environment):
        pid, self.fd = pty.fork()
        if pid == 0:
            os.environ.update({"TERM": "xterm", "LC_ALL": "C.UTF-8", **environment})
            os.environ.pop("LINES", None)
            os.environ.pop("COLUMNS", None)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execv(command[0], command)
        self.pid = pid
        self.drawn = ""
        self.ended = None

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys):
        os.write(self.fd, keys.encode())

    def read(self, timeout):
        """What came within the time; None when the terminal is closed."""
        if not select.select([self.fd], [], [], timeout)[0]:
            return ""
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return None
        self.drawn += data.decode(errors="replace")
        return data

    def wait_for(self, text, since=0):
        """Reads until the text was drawn after that many characters. Returns how many were drawn then."""
        end = time.monotonic() + WAIT
        while not re.search(text, self.drawn[since:], re.DOTALL):
            if time.monotonic() > end or self.read(0.1) is None:
                raise AssertionError(f"{text!r} was not drawn; this was: {self.drawn[since:]!r}")
        return len(self.drawn)

    def wait_for_screen(self, text):
        """Makes the program draw everything again until the text is on its screen: else it sends only differences."""
        end = time.monotonic() + WAIT
        while True:
            seen = len(self.drawn)
            self.press("\f")
            self.wait_for("q quit", seen)
            if re.search(text, self.drawn[seen:], re.DOTALL):
                return
            if time.monotonic() > end:
                raise AssertionError(f"{text!r} is not on the screen; this is: {self.drawn[seen:]!r}")

    def status(self):
        """Reads to the end; the exit status, negative for a signal."""
        if self.ended is None:
            end = time.monotonic() + WAIT
            while self.read(0.1) is not None:
                if time.monotonic() > end:
                    os.kill(self.pid, signal.SIGKILL)
                    break
            self.ended = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.ended

    def close(self):
        if self.ended is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)


class OnATerminal(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.socket = str(Path(folder.name) / "sock")
        self.start_daemon()

    def start_daemon(self):
        self.daemon = subprocess.Popen([DAEMON, self.socket], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.stop_daemon, self.daemon)
        self.assertEqual(self.daemon.stdout.readline(), b"ready\n")

    @staticmethod
    def stop_daemon(daemon):
        if not daemon.stdin.closed:
            daemon.stdin.close()
        daemon.wait(WAIT)
        daemon.stdout.close()

    def run_on_terminal(self, *words, **options):
        terminal = Terminal([PROGRAM, words[0], "--socket", self.socket, *words[1:]], **options)
        self.addCleanup(terminal.close)
        return terminal

    def test_shows_head_table_and_keys_and_ends_by_q(self):
        watch = self.run_on_terminal("watch")
        watch.wait_for("q quit")
        # The last one came by subscription.
        for text in ("capturing on mirror0", "12 frames: 0 at the interface, 12 in the kernel's ring", "event-log ok",
                     "A -> B", "Rate\\*", "10.0.0.1:45000 -> 10.0.0.2:44", "47.7 MiB/s"):
            watch.wait_for_screen(text)
        watch.press("q")
        self.assertEqual(watch.status(), 0)
        self.assertIn("\x1b[?1049l", watch.drawn)  # the terminal was given back

    def test_keys_sort_and_scroll(self):
        watch = self.run_on_terminal("watch")
        watch.wait_for("Rate\\*")
        watch.wait_for_screen("61 shown")  # with the one that changes
        watch.press("f")
        watch.wait_for_screen("Worst finding\\*")
        watch.wait_for_screen("error: mpa.crc-m")
        watch.press("n")
        watch.wait_for_screen("QP\\*")
        watch.press("\x1bOF")  # end
        watch.wait_for_screen("59[ \x1b].*100[ \x1b]")
        watch.press("i")
        watch.press("\x1bOH")  # home
        watch.wait_for_screen("QP\\^.*100[ \x1b].*59[ \x1b]")
        watch.press("e")  # half of them have ended
        watch.wait_for_screen("31 shown")
        watch.press("q")
        self.assertEqual(watch.status(), 0)

    def test_follows_the_terminals_size(self):
        watch = self.run_on_terminal("watch", rows=12, columns=60)
        watch.wait_for("q quit")
        self.assertNotIn("Waiting", watch.drawn)  # no room for it
        seen = len(watch.drawn)
        watch.resize(50, 200)
        watch.wait_for("Waiting", seen)
        watch.resize(1, 1)
        watch.resize(40, 132)
        watch.press("q")
        self.assertEqual(watch.status(), 0)

    def test_signals_end_it_cleanly(self):
        for which in (signal.SIGTERM, signal.SIGINT):
            watch = self.run_on_terminal("watch")
            watch.wait_for("q quit")
            os.kill(watch.pid, which)
            self.assertEqual(watch.status(), 0)
            self.assertIn("\x1b[?1049l", watch.drawn)

    def test_is_redrawn_without_being_wiped(self):
        watch = self.run_on_terminal("watch")
        seen = watch.wait_for("q quit")
        watch.wait_for("iser|nvme", seen)
        self.assertNotIn("\x1b[2J", watch.drawn[seen:])
        self.assertLess(len(watch.drawn) - seen, 2000)  # what differs alone is sent
        watch.press("q")
        self.assertEqual(watch.status(), 0)

    def test_colour_only_where_it_is_wanted(self):
        watch = self.run_on_terminal("watch", NO_COLOR="1")
        watch.wait_for("q quit")
        watch.press("q")
        watch.status()
        self.assertNotRegex(watch.drawn, "\x1b\\[(3[1-7])m")
        watch = self.run_on_terminal("watch", TERM="vt100")
        watch.wait_for("q quit")
        watch.press("q")
        self.assertEqual(watch.status(), 0)

    def test_daemon_that_goes_and_comes_again(self):
        watch = self.run_on_terminal("watch", columns=200)
        watch.wait_for("q quit")
        self.stop_daemon(self.daemon)
        watch.wait_for_screen("Not up to date: .*the socket does not exist")
        self.start_daemon()
        watch.wait_for_screen("queue pairs active, 61 shown")
        watch.press("q")
        self.assertEqual(watch.status(), 0)

    def test_terminal_that_cannot_be_drawn_on_is_said(self):
        # What ncurses began and never gives back is not ours.
        watch = self.run_on_terminal("watch", TERM="no-such-terminal", ASAN_OPTIONS="detect_leaks=0")
        self.assertEqual(watch.status(), 2, watch.drawn)
        self.assertIn("the terminal 'no-such-terminal' is not supported", watch.drawn)

    def test_followed_findings_end_by_signal(self):
        follow = self.run_on_terminal("findings", "--follow")
        follow.wait_for("(MF-04[^\n]*\n[^\n]*){6}")
        os.kill(follow.pid, signal.SIGINT)
        self.assertEqual(follow.status(), 0)

    def test_json_is_a_record_a_refresh_until_it_is_ended(self):
        with subprocess.Popen([PROGRAM, "watch", "--format", "json", "--socket", self.socket], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as watch:
            def next_with(number, count):
                for line in iter(watch.stdout.readline, ""):
                    record = json.loads(line)
                    self.assertEqual(record["record"], "watch")
                    if any(qp["qp"] == number for qp in record["qps"]) and len(record["qps"]) == count:
                        return record
                raise AssertionError(f"queue pair {number} of {count} was not shown: {watch.stderr.read()}")

            record = next_with(100, 61)  # this one came by subscription
            self.assertIsNone(record["trouble"])
            self.assertEqual(record["qps"][0]["qp"], 100)  # by rate
            self.assertEqual(record["status"]["totals"]["losses"]["kernel_frames"], "12")
            self.stop_daemon(self.daemon)
            while record["trouble"] is None:
                record = json.loads(watch.stdout.readline())
            self.assertIn("the socket does not exist", record["trouble"])
            watch.send_signal(signal.SIGTERM)
            watch.stdout.read()
            self.assertEqual(watch.wait(WAIT), 0)

    def test_json_ends_when_its_reader_goes(self):
        with subprocess.Popen([PROGRAM, "watch", "--format", "json", "--socket", self.socket],
                              stdout=subprocess.PIPE) as watch:
            watch.stdout.readline()
            watch.stdout.close()
            self.assertEqual(watch.wait(WAIT), 141)

    def test_once_is_text(self):
        once = subprocess.run([PROGRAM, "watch", "--once", "--socket", self.socket], capture_output=True, timeout=WAIT,
                              check=True, text=True)
        self.assertIn("capturing on mirror0", once.stdout)
        self.assertNotIn("\x1b", once.stdout)


if __name__ == "__main__":
    DAEMON, PROGRAM = sys.argv.pop(), sys.argv.pop()
    unittest.main(verbosity=2)
