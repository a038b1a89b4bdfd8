#!/usr/bin/python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The dashboard as a screen reader sees it: screen_reader_test.py DASHBOARD DAEMON

Runs the program on an X server and in its own D-Bus session, and uses AT-SPI on it: finds elements by role and name,
types, chooses and triggers, and reads the texts. Exits with 77 if AT-SPI or Xvfb is missing.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SKIPPED = 77
INSIDE = "IWARPSCOPE_SCREEN_READER_SESSION"
PATIENCE = 120  # seconds, for a busy machine
DOCKS = ["Verdict", "Handshake", "Ladder", "Timeline", "Latency", "Buffers", "Atomics", "Findings", "Hosts", "Log lines"]

try:
    import gi
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi, GLib
except (ImportError, ValueError) as trouble:
    print(f"AT-SPI for Python is missing: {trouble}", file=sys.stderr)
    sys.exit(SKIPPED)


def in_a_session():
    """Runs this file again, with private buses."""
    if not Path("/usr/libexec/at-spi-bus-launcher").exists() or not shutil.which("dbus-run-session"):
        print("at-spi2-core or dbus-daemon is not installed", file=sys.stderr)
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {INSIDE: "1", "XDG_RUNTIME_DIR": folder}
        return subprocess.run(["dbus-run-session", "--", sys.executable, "-B", *sys.argv], env=environment,
                              check=False).returncode


class Gone(Exception):
    """The element was just counted but no longer exists: the window has changed between two requests."""


def until(found, what):
    """The result of found(), when it is not empty. An element may disappear during the request."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            if result := found():
                return result
        except (GLib.Error, Gone):
            pass
        if time.monotonic() > end:
            raise AssertionError(f"in {PATIENCE} s there was no {what}")
        time.sleep(0.1)


def children(element):
    for i in range(element.get_child_count()):
        child = element.get_child_at_index(i)
        if child is not None:
            yield child


def below(element, most_rows=5):
    """The element and all elements in it; for tables, only the first cells."""
    yield element
    is_table = element.get_role() in (Atspi.Role.TABLE, Atspi.Role.TREE, Atspi.Role.TREE_TABLE, Atspi.Role.LIST)
    for i, child in enumerate(children(element)):
        if is_table and i >= most_rows * 20:
            break
        yield from below(child, most_rows)


def has(element, *states):
    held = element.get_state_set()
    return all(held.contains(state) for state in states)


def text_of(element):
    held = element.get_text_iface()
    return held.get_text(0, held.get_character_count()) if held else ""


def without_count(name):
    """The tab of the findings shows their number."""
    return re.sub(r" \(\d+\)$", "", name)


def tell(element):
    return f"{element.get_role_name()} {element.get_name()!r}"


class Dashboard(unittest.TestCase):
    """The program with a capture of samples/, and functions that find its elements."""

    @classmethod
    def setUpClass(cls):
        Atspi.init()
        cls.home = tempfile.TemporaryDirectory()
        environment = os.environ | {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "QT_QPA_PLATFORM": "xcb", "LC_ALL": "C.UTF-8",
                                    "HOME": cls.home.name, "XDG_CONFIG_HOME": cls.home.name, "IWARPSCOPED": DAEMON}
        cls.program = subprocess.Popen([DASHBOARD, ROOT / "samples" / cls.CAPTURE], env=environment,
                                       stdin=subprocess.DEVNULL)
        cls.addClassCleanup(cls.home.cleanup)
        cls.addClassCleanup(cls.program.wait)
        cls.addClassCleanup(cls.program.terminate)
        cls.window = until(cls.find_window, "window of the dashboard")

    @classmethod
    def find_window(cls):
        if cls.program.poll() is not None:
            raise AssertionError(f"the dashboard ended with {cls.program.returncode}")
        desktop = Atspi.get_desktop(0)
        for application in children(desktop):
            for window in children(application):
                if application.get_process_id() == cls.program.pid and window.get_role() == Atspi.Role.FRAME:
                    return window
        return None

    def find(self, role, name, root=None):
        """The first element with that role and name, when it exists."""
        roles = role if isinstance(role, tuple) else (role,)
        return until(lambda: next((element for element in below(root or self.window)
                                   if element.get_role() in roles and without_count(element.get_name()) == name), None),
                     f"{'/'.join(one.value_nick for one in roles)} {name!r}")

    def go_to_the_table(self):
        """And to the views around it; the overview is the first page."""
        self.act(self.find(Atspi.Role.PAGE_TAB, "Queue pairs"))

    def table(self):
        return self.find((Atspi.Role.TREE, Atspi.Role.TREE_TABLE, Atspi.Role.TABLE), "Queue pairs")

    def cells(self):
        """Texts of the first row."""
        held = self.table().get_table_iface()
        if held.get_n_rows() == 0:
            return []
        return [self.cell(held, 0, column).get_name() for column in range(held.get_n_columns())]

    @staticmethod
    def cell(table, row, column):
        cell = table.get_accessible_at(row, column)
        if cell is None:
            raise Gone
        return cell

    def shows(self, name):
        """Whether that dock is in front of the others: Qt reports the current tab in either way."""
        return any(has(one, Atspi.StateType.SELECTED) or has(one, Atspi.StateType.FOCUSED) for one in below(self.window)
                   if one.get_role() == Atspi.Role.PAGE_TAB and without_count(one.get_name()) == name)

    def act(self, element):
        held = element.get_action_iface()
        names = [held.get_action_name(i) for i in range(held.get_n_actions())]
        self.assertIn("Press", names, tell(element))
        self.assertTrue(held.do_action(names.index("Press")))

    def verdict(self):
        return text_of(self.find(TEXTS, "Verdict"))


class Overview(Dashboard):
    CAPTURE = "siw/viol-crc-error.pcap"

    def test_the_first_page_says_the_cause_and_leads_to_its_frame(self):
        def said():
            self.window.clear_cache()  # a sentence comes after its card
            return "\n".join(one.get_name() for one in below(self.window)
                             if one.get_role() == Atspi.Role.LABEL and has(one, Atspi.StateType.SHOWING))
        until(lambda: "The FPDU in frame 8 has a wrong CRC at the tap, too." in said(), "cause on the first page")
        self.assertIn("Next: Suspect what comes before the tap", said())
        self.act(self.find(Atspi.Role.PUSH_BUTTON, "Frame 8 of QP 0"))
        until(lambda: self.shows("Ladder"), "ladder")


class ScreenReader(Dashboard):
    CAPTURE = "siw/viol-crc-error.pcap"

    def setUp(self):
        self.go_to_the_table()

    def test_the_window_says_which_capture_it_shows(self):
        until(lambda: "viol-crc-error.pcap" in self.window.get_name(), "window with the name of its capture")

    def test_each_view_has_its_name_and_its_tab(self):
        for name in DOCKS:
            self.find(Atspi.Role.FRAME, name)
        for name in DOCKS[1:]:  # the verdict has no other tabs
            self.find(Atspi.Role.PAGE_TAB, name)
        until(lambda: self.tab_is("Findings (4)"), "tab that counts the findings")

    def test_tabs_lead_to_views(self):
        for name in ("Findings", "Atomics", "Ladder"):
            self.act(self.find(Atspi.Role.PAGE_TAB, name))
            until(lambda name=name: self.shows(name), f"{name} before the other views")

    def test_row_filter_and_verdict(self):
        row = until(self.cells, "row of a queue pair")
        self.assertTrue(any("10.77.0.1:46740" in cell for cell in row), row)
        edit = self.find(Atspi.Role.TEXT, "Filter of queue pairs").get_editable_text_iface()
        self.assertTrue(edit.set_text_contents("host == 192.0.2.1"))
        until(lambda: not self.cells(), "table without the row that the filter hides")
        self.assertTrue(edit.set_text_contents("host == 10.77.0.1"))
        until(self.cells, "row that passes the filter")
        rows = self.table().get_table_iface()
        rows.add_row_selection(0)
        until(lambda: rows.is_row_selected(0), "chosen row")
        until(lambda: "does not match" in self.verdict(), "verdict that reports the CRC")
        self.assertIn("failed", self.verdict())

    def test_the_menu_hides_the_handshake_and_shows_it_again(self):
        def entry():
            return self.find((Atspi.Role.CHECK_MENU_ITEM, Atspi.Role.MENU_ITEM), "Handshake")
        self.assertTrue(until(lambda: self.tab_is("Handshake"), "tab of the Handshake"))
        self.act(entry())
        until(lambda: not self.tab_is("Handshake"), "window without the Handshake")
        self.act(entry())
        until(lambda: self.tab_is("Handshake"), "Handshake again")
        until(lambda: "Requested by each end" in text_of(self.find(TEXTS, "Handshake")), "text of the Handshake")

    def tab_is(self, name):
        return any(one.get_role() == Atspi.Role.PAGE_TAB and one.get_name() == name for one in below(self.window))

    def test_everything_that_takes_the_focus_has_a_name(self):
        until(self.cells, "row of a queue pair")
        seen = [one for one in below(self.window)
                if has(one, Atspi.StateType.FOCUSABLE, Atspi.StateType.SHOWING)
                and one.get_role() not in (Atspi.Role.TABLE_CELL, Atspi.Role.TREE_ITEM, Atspi.Role.LIST_ITEM)]
        self.assertGreater(len(seen), 20)
        self.assertEqual([tell(one) for one in seen if not one.get_name()], [])


class Mouse(Dashboard):
    """Clicks of a real pointer; their effects are read through AT-SPI."""
    CAPTURE = "made/questions/three-ways-to-fail.pcapng"

    def setUp(self):
        self.go_to_the_table()

    def click(self, row):
        """In the middle of a cell of this row."""
        box = until(lambda: self.cell(self.table().get_table_iface(), row, 1).get_component_iface()
                    .get_extents(Atspi.CoordType.SCREEN), "place of a cell")
        subprocess.run(["xdotool", "mousemove", str(box.x + box.width // 2), str(box.y + box.height // 2), "click", "1"],
                       check=True)

    def test_a_click_on_a_row_shows_the_verdict_of_that_queue_pair(self):
        until(lambda: self.table().get_table_iface().get_n_rows() == 3, "rows of the three queue pairs")
        verdicts, shown = {}, ""
        for row in (2, 0, 1, 0, 2):
            self.click(row)
            until(lambda row=row: self.table().get_table_iface().is_row_selected(row), f"selected row {row}")
            shown = until(lambda before=shown: (now := self.verdict()) != before and now, "other verdict after the click")
            self.assertEqual(shown, verdicts.setdefault(row, shown))
        self.assertEqual(len(set(verdicts.values())), 3)


TEXTS = (Atspi.Role.LABEL, Atspi.Role.TEXT, Atspi.Role.DOCUMENT_FRAME)

if __name__ == "__main__":
    DASHBOARD, DAEMON = (str(Path(argument).resolve()) for argument in sys.argv[1:3])
    if INSIDE not in os.environ:
        sys.exit(in_a_session())
    del sys.argv[1:3]
    unittest.main(warnings="ignore")
