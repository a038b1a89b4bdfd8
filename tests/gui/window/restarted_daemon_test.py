#!/usr/bin/python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The dashboard beside a daemon that is restarted in the middle of a connection: restarted_daemon_test.py DASHBOARD DAEMON

The daemon captures on a cable in a network namespace. AT-SPI reads the window, xdotool clicks in it.
"""

import os
import sys

from dashboard import INSIDE, ROOT, Atspi, Dashboard, below, run, until

sys.path.insert(0, str(ROOT / "tests/daemon/service"))
import restart_test
from cable import enter
from send_capture import frames

CONTINUED = "Continued from the run before"


class ARestart(restart_test.Case, Dashboard):
    def setUp(self):
        super().setUp()
        restart_test.PROGRAM = self.DAEMON
        self.frames = frames(ROOT / "samples/siw/mpa-v2-default.pcap")
        self.middle = len(self.frames) // 2  # nothing waits there: what is stalled when the daemon stops does not continue
        self.start()
        self.send(self.frames[:self.middle])
        self.launch(["--socket", self.daemon.socket], self.addCleanup)
        self.go_to_the_table()
        until(self.cells, "row of a queue pair")
        self.assertIsNone(self.stage())

    def restart(self, sections=""):
        self.stop()
        self.start(sections)
        self.send(self.frames[self.middle:])

    def stage(self):
        """What the health of the sensor says of a restart; None: nothing."""
        self.window.clear_cache()
        return next((one for one in below(self.window) if one.get_role() == Atspi.Role.PUSH_BUTTON and
                     one.get_name().startswith("Restart: ")), None)

    def meaning(self, name):
        """The explanation of the stage, when it has that name."""
        return until(lambda: (one := self.stage()) and one.get_name() == name and one.get_description(), name)

    def banner(self, words):
        """The line above the table, when it has these words."""
        def found():
            self.window.clear_cache()
            return any(words in one.get_name() for one in below(self.window) if one.get_role() == Atspi.Role.LABEL)
        until(found, f"line with {words!r}")

    def verdict_of_the_row(self):
        """After a click on it, and when its queue pair has ended."""
        until(lambda: any("closed" in cell for cell in self.cells()), "queue pair that has ended")
        self.click(lambda: self.cell(self.table().get_table_iface(), 0, 1))
        return until(lambda: "closed normally" in (text := self.verdict()) and text, "verdict")

    def test_that_goes_on_shows_in_the_health_and_in_the_verdict(self):
        self.restart()
        said = "1 queue pair of the run before continued, 0 joined mid-stream"
        self.assertIn(said, self.meaning("Restart: ✓ OK, 1 continued"))
        self.banner(f": {said}. Of what it saw before, only the queue pairs that continued are in its memory.")
        self.assertIn(CONTINUED, self.verdict_of_the_row())

    def test_without_its_checkpoint_says_why(self):
        self.restart("[limits]\nqueue_pairs = 1700\n")
        said = ("0 queue pairs of the run before continued, 1 joined mid-stream; checkpoint not used (settings): "
                "interfaces or networks are configured differently, or a limit is lower")
        self.assertIn(said, self.meaning("Restart: ▲ degraded, none continued"))
        self.banner(f": {said}. What it saw before is no longer in its memory.")


if __name__ == "__main__":
    # The window and its buses are in the namespace, too.
    if INSIDE not in os.environ:
        enter()
    run()
