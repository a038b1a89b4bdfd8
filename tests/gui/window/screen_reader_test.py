#!/usr/bin/python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The dashboard as a screen reader sees it: screen_reader_test.py DASHBOARD DAEMON

Finds elements by role and name, types, chooses and triggers, and reads the texts.
"""

from dashboard import TEXTS, Atspi, Dashboard, below, has, run, tell, text_of, until

DOCKS = ["Verdict", "Handshake", "Ladder", "Timeline", "Latency", "Buffers", "Atomics", "Findings", "Hosts", "Log Lines"]


class Overview(Dashboard):
    CAPTURE = "siw/viol-crc-error.pcap"

    def test_the_first_page_says_the_cause_and_leads_to_its_frame(self):
        def said():
            self.window.clear_cache()  # a sentence comes after its card
            return "\n".join(one.get_name() for one in below(self.window)
                             if one.get_role() == Atspi.Role.LABEL and has(one, Atspi.StateType.SHOWING))
        until(lambda: "The FPDU in frame 8 has a wrong CRC at the tap, too." in said(), "cause on the first page")
        self.assertIn("Next: Suspect a middlebox before the tap", said())
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
        def entry(name):
            return self.find((Atspi.Role.CHECK_MENU_ITEM, Atspi.Role.MENU_ITEM), name)
        self.assertTrue(until(lambda: self.tab_is("Handshake"), "tab of the Handshake"))
        self.act(entry("Handshake"))
        until(lambda: "Requested by each end" in text_of(self.find(TEXTS, "Handshake")), "text of the Handshake")
        self.act(entry("Close the View"))
        until(lambda: not self.tab_is("Handshake"), "window without the Handshake")
        self.act(entry("Handshake"))
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

    def test_a_click_on_a_row_shows_the_verdict_of_that_queue_pair(self):
        until(lambda: self.table().get_table_iface().get_n_rows() == 3, "rows of the three queue pairs")
        verdicts, shown = {}, ""
        for row in (2, 0, 1, 0, 2):
            self.click(lambda row=row: self.cell(self.table().get_table_iface(), row, 1))
            until(lambda row=row: self.table().get_table_iface().is_row_selected(row), f"selected row {row}")
            shown = until(lambda before=shown: (now := self.verdict()) != before and now, "other verdict after the click")
            self.assertEqual(shown, verdicts.setdefault(row, shown))
        self.assertEqual(len(set(verdicts.values())), 3)


if __name__ == "__main__":
    run()
