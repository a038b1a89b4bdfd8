#!/usr/bin/python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The dashboard beside a centre with its database, sensors and forwarders:
site_test.py CENTRE FORWARD SENSOR IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY DASHBOARD IWARPSCOPED

AT-SPI reads the window, xdotool clicks in it and presses keys.
"""

import os
import re
import subprocess
import sys

from dashboard import INSIDE, ROOT, TABLES, Atspi, Dashboard, Gone, below, has, run, text_of, until

if INSIDE not in os.environ:
    run()  # starts this again, and exits
for folder in ("tests/centre", "tests/daemon/service"):
    sys.path.insert(0, str(ROOT / folder))
from running import wait_until
from serving import Served

PAIRS = "Failures of pairs of hosts over time"


class Shown(Served, Dashboard):
    """Three sensors, of which two saw failures, and the page in front."""

    def setUp(self):
        super().setUp()
        self.daemon("rack1", "siw/viol-crc-error.pcap")
        self.daemon("rack2", "siw/term-write-bad-stag.pcap")
        self.centre("add-sensor", "rack3", "--position", "not connected yet")
        self.site = self.service()
        wait_until(lambda: self.site.records("site")[1].get("pairs") and self.site.records("site")[1].get("news"), "what the centre summed up")
        beats = re.compile(r": delivered .* ago, version \d")
        wait_until(lambda: len(beats.findall(self.site.ask("status").stdout)) == 2, "heartbeats of both")
        self.launch(["--socket", self.site.socket], self.addCleanup)
        self.click(self.tab)

    def tab(self):
        """It is hidden until the daemon has said that it is a centre."""
        self.window.clear_cache()
        tab = self.find(Atspi.Role.PAGE_TAB, "Site")
        tab.clear_cache()  # what it offers may have been read while it was hidden
        if not has(tab, Atspi.StateType.SHOWING) or tab.get_component_iface() is None:
            raise Gone
        return tab

    def rows(self, name):
        """The cells of a table of the page, when it has rows."""
        def found():
            table = self.find(TABLES, name).get_table_iface()
            return [[self.cell(table, row, column).get_name() for column in range(table.get_n_columns())] for row in range(table.get_n_rows())]
        return until(found, f"rows of {name!r}")

    def click_on(self, name, row, column):
        self.click(lambda: self.cell(self.find(TABLES, name).get_table_iface(), row, column))

    @staticmethod
    def key(*keys):
        subprocess.run(["xdotool", "key", "--delay", "50", *keys], check=True)

    def filter_is(self, text):
        until(lambda: text_of(self.find(Atspi.Role.TEXT, "Filter of queue pairs")) == text, f"filter {text!r}")

    def is_seen(self, name):
        until(lambda: self.find(TABLES, name).get_state_set().contains(Atspi.StateType.SHOWING), f"{name!r} in sight")


class ASite(Shown):
    def test_mouse_and_keys_lead_from_the_site_to_what_failed(self):
        rows = self.rows(PAIRS)
        self.assertTrue(all("queue pair" in row[6] and "failed" in row[6] for row in rows), rows)  # today
        failed = self.site.records("site")[1]["pairs"]
        self.assertEqual(len(rows), len(failed))
        self.click_on(PAIRS, 0, 6)
        self.filter_is(f"host == {failed[0]['a']} and host == {failed[0]['b']}")
        self.assertTrue(until(self.cells, "row of a queue pair of these hosts"))

        self.key("alt+i")
        self.is_seen(PAIRS)
        sensors = self.rows("Sensors of the site")
        self.assertEqual({row[0] for row in sensors}, {"rack1", "rack2", "rack3"})
        self.assertIn("port of rack1", {row[2] for row in sensors})
        self.assertEqual({row[0]: row[5] for row in sensors}, {"rack1": "none", "rack2": "none", "rack3": "not known"})  # capture loss
        self.key("Tab", "Home", "Return")  # from the matrix to the sensors, and the first of them
        self.filter_is(f'sensor == "{sensors[0][0]}"')

        self.key("alt+i")
        self.is_seen(PAIRS)
        news = self.rows("Rules that are new since yesterday")
        self.assertEqual([row[1].split()[1] for row in news], [one["rule"] for one in self.site.records("site")[1]["news"]])
        self.click_on("Rules that are new since yesterday", 0, 1)
        self.is_seen("Findings")
        found = self.rows("Findings")
        self.assertTrue(all(news[0][1] in row for row in found), found)
        self.assertTrue(all({"rack1", "rack2"} & set(row) for row in found), found)


class ASiteWithoutItsDatabase(Shown):
    def test_a_database_that_is_away_is_said_and_what_is_known_remains(self):
        rows = self.rows(PAIRS)
        self.cluster.stop("primary")
        self.click(lambda: self.find(Atspi.Role.PUSH_BUTTON, "Ask Again"))

        def said():
            self.window.clear_cache()
            return any("No answer: " in (name := one.get_name()) and "What is shown is from " in name
                       for one in below(self.window) if one.get_role() == Atspi.Role.LABEL)
        until(said, "sentence about the centre that does not answer")
        self.assertEqual(self.rows(PAIRS), rows)


if __name__ == "__main__":
    run()
