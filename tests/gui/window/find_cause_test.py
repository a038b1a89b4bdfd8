#!/usr/bin/python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""From a failing capture to the frame that holds the cause, with the mouse alone:

    find_cause_test.py DASHBOARD DAEMON FirstHalf|SecondHalf

walks.txt has the clicks of each walk. xdotool makes them, as a person does, and AT-SPI says what the window shows. At
the end the frame is decoded, and its row is chosen in the ladder. The first page must have the words of the cause that
the first lines of the text report have.
"""

import json
import re
import sys
import time
from pathlib import Path

from dashboard import ROOT, TABLES, Atspi, Dashboard, children, has, is_in_front, run, text_of, until, without_count

sys.path.insert(0, str(ROOT / "tests/golden"))
from text_report_test import causes

WALKS = 40
MOST_ACTIONS = 8
MOST_ROWS, MOST_COLUMNS = 40, 8  # in which a cell is looked for
BAD = ("failed", "stalled", "refused")
BUTTONS = (Atspi.Role.PUSH_BUTTON, Atspi.Role.TOGGLE_BUTTON, Atspi.Role.CHECK_BOX)
ENTRIES = (Atspi.Role.MENU_ITEM, Atspi.Role.CHECK_MENU_ITEM)
ACTIONS = {
    "tab": re.compile(r"(?P<name>.+)"),
    "view": re.compile(r"(?P<name>.+)"),
    "button": re.compile(r"(?P<name>.+?)(?: in (?P<view>.+))?"),
    "link": re.compile(r"(?P<name>.+?)(?: in (?P<view>.+))?"),
    "row": re.compile(r"(?P<cell>.+) in (?P<view>.+)"),
    "open": re.compile(r"(?P<cell>.+) in (?P<view>.+)"),
}


def walks():
    """(capture, frame, actions)"""
    rows = (Path(__file__).parent / "walks.txt").read_text(encoding="utf-8").splitlines()
    for row in rows:
        if not row.startswith("#"):
            capture, frame, actions = row.split(" | ")
            yield capture, int(frame), actions.split("; ")


def evidence(sample):
    """Frames of the verdicts on queue pairs that did not end well, from the report stored beside the sample."""
    kept = ROOT / "samples" / (sample.split(".pcap")[0] + ".expected.json")
    records = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
    verdicts = [r["verdict"] for r in records if r["record"] == "qp" and r["verdict"]["outcome"] in BAD]
    return {frame for verdict in verdicts for frame in verdict["evidence"]}


def shown(element):
    """The element and those in it that are shown; not the cells of tables."""
    yield element
    if element.get_role() not in TABLES:
        for child in children(element):
            if has(child, Atspi.StateType.SHOWING):
                yield from shown(child)


def one_of(elements, roles, begin):
    return next((one for one in elements if one.get_role() in roles and one.get_name().startswith(begin)), None)


def middle(box):
    """None: it is not laid out."""
    return (box.x + box.width // 2, box.y + box.height // 2) if box.width > 0 and box.height > 0 else None


class Walk(Dashboard):
    def go(self, capture, frame, actions):
        self.assertIn(frame, evidence(capture))
        self.start(capture, self.addCleanup)
        for words in causes()[capture]:
            until(lambda words=words: words in self.page_text(), f"'{words}' on the first page")
        for action in actions:
            verb, _, rest = action.partition(" ")
            getattr(self, verb)(**ACTIONS[verb].fullmatch(rest).groupdict())
        until(lambda: self.decoded() == frame, f"decode of frame {frame}")
        until(lambda: self.tab_in_front("Ladder"), "ladder in front")
        until(lambda: frame in self.ladder_frames(), f"row of frame {frame} chosen in the ladder")
        self.assertLessEqual(self.clicks, MOST_ACTIONS)

    # What the window shows.

    def parts(self, is_view):
        """Of the window: its views, or all else."""
        self.window.clear_cache()
        return [one for one in children(self.window) if (one.get_role() == Atspi.Role.FRAME) == is_view]

    def inside(self, view):
        """All that is shown in a view, or on the page in front."""
        for part in self.parts(view not in (None, "page")):
            if view in (None, "page") or without_count(part.get_name()) == view:
                yield from shown(part)

    def page_text(self):
        return " ".join(" ".join(one.get_name().split()) for one in self.inside("page")
                        if one.get_role() == Atspi.Role.LABEL)

    def decoded(self):
        label = one_of(self.inside("Frame"), (Atspi.Role.LABEL,), "Frame ")
        found = re.match(r"Frame (\d+), ", label.get_name()) if label else None
        return int(found[1]) if found else None

    def tab_in_front(self, name):
        tab = self.find_tab(name)
        return tab is not None and is_in_front(tab)

    def ladder_frames(self):
        """Of the message or event in the chosen row."""
        ladder = one_of(self.inside("Ladder"), (Atspi.Role.FILLER,), "Ladder of messages")
        found = re.search(r"frames? (\d+)(?:-(\d+))?", (ladder.get_description() if ladder else "").partition("\n")[0])
        return range(int(found[1]), int(found[2] or found[1]) + 1) if found else ()

    def find_tab(self, name):
        return next((one for one in self.inside("page")
                     if one.get_role() == Atspi.Role.PAGE_TAB and without_count(one.get_name()) == name), None)

    def find_cell(self, text, view):
        for table in self.inside(view):
            held = table.get_table_iface() if table.get_role() in TABLES else None
            for row in range(min(held.get_n_rows(), MOST_ROWS) if held else 0):
                for column in range(min(held.get_n_columns(), MOST_COLUMNS)):
                    cell = held.get_accessible_at(row, column)
                    if cell is not None and re.match(rf"{re.escape(text)}( |$)", cell.get_name()):
                        return cell
        return None

    def find_entry(self, name):
        """Of a menu that is open."""
        bar = next(one for one in self.parts(False) if one.get_role() == Atspi.Role.MENU_BAR)
        return one_of(shown(bar), ENTRIES, name)

    # What a person does.

    def click_on(self, find, what, times=1):
        """Where it stays: a person does not click on what moves."""
        def place():
            element = find()
            return middle(element.get_component_iface().get_extents(Atspi.CoordType.SCREEN)) if element else None

        self.click_at(*self.quiet(place, what), times)

    @staticmethod
    def quiet(place, what):
        def twice():
            before = place()
            time.sleep(0.05)
            return before if before is not None and before == place() else None
        return until(twice, what)

    def tab(self, name):
        self.click_on(lambda: self.find_tab(name), f"tab {name}")

    def view(self, name):
        self.click_on(lambda: self.find_entry("View"), "menu View")
        self.click_on(lambda: self.find_entry(name), f"entry {name}")

    def button(self, name, view):
        self.click_on(lambda: one_of(self.inside(view), BUTTONS, name), f"button {name}")

    def row(self, cell, view, times=1):
        self.click_on(lambda: self.find_cell(cell, view), f"row with {cell}", times)

    def open(self, cell, view):
        self.row(cell, view, times=2)

    def link(self, name, view):
        """After turns of the wheel if it is out of sight."""
        view = view or "Verdict"
        for _ in range(MOST_ACTIONS):
            (x, y), (top, bottom) = self.quiet(lambda: self.place_of_link(name, view), f"link {name}")
            if top < y < bottom:
                return self.click_at(x, y)
            self.turn_wheel(x, (top + bottom) // 2, 5 if y > top else 4)
        return self.fail(f"the link {name} is not reached")

    def place_of_link(self, name, view):
        """And top and bottom of the text that it is in."""
        browser = one_of(self.inside(view), (Atspi.Role.LABEL,), view)
        text = browser.get_text_iface() if browser else None
        for found in re.finditer(rf"\b{name}\b", text_of(browser) if text else ""):
            if "underline" in text.get_attribute_run(found.start(), False)[0]:
                at = middle(text.get_range_extents(found.start(), found.end(), Atspi.CoordType.SCREEN))
                box = browser.get_component_iface().get_extents(Atspi.CoordType.SCREEN)
                return at and (at, (box.y, box.y + box.height))
        return None


class FirstHalf(Walk):
    pass


class SecondHalf(Walk):
    pass


def make_tests():
    all = list(walks())
    assert len({capture for capture, _, _ in all}) == WALKS
    for number, walk in enumerate(all):
        name = re.sub(r"\W", "_", walk[0].split(".pcap")[0])
        setattr((FirstHalf, SecondHalf)[number % 2], f"test_{name}", lambda self, walk=walk: self.go(*walk))


if __name__ == "__main__":
    make_tests()
    run()
