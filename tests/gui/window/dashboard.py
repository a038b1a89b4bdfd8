# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The built dashboard on an X server with a window manager, in a D-Bus session of its own: found and read by AT-SPI, as a
screen reader does it, and clicked by xdotool, as a person does it. A test calls run(), which exits with 77 if one of them
is missing.
"""

import contextlib
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

try:
    import gi
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi, GLib
except (ImportError, ValueError) as trouble:
    print(f"AT-SPI for Python is missing: {trouble}", file=sys.stderr)
    sys.exit(SKIPPED)

TEXTS = (Atspi.Role.LABEL, Atspi.Role.TEXT, Atspi.Role.DOCUMENT_FRAME)
TABLES = (Atspi.Role.TREE, Atspi.Role.TREE_TABLE, Atspi.Role.TABLE, Atspi.Role.LIST)


def in_a_session():
    """Runs the test again, with private buses."""
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
    is_table = element.get_role() in TABLES
    for i, child in enumerate(children(element)):
        if is_table and i >= most_rows * 20:
            break
        yield from below(child, most_rows)


def has(element, *states):
    held = element.get_state_set()
    return all(held.contains(state) for state in states)


def is_in_front(tab):
    """Qt reports the current tab in either way."""
    return has(tab, Atspi.StateType.SELECTED) or has(tab, Atspi.StateType.FOCUSED)


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
    CAPTURE = None  # None: each test starts its own
    clicks = 0  # of this test, and turns of the wheel

    @classmethod
    def setUpClass(cls):
        if cls.CAPTURE:
            cls.start(cls.CAPTURE, cls.addClassCleanup)

    @classmethod
    def start(cls, capture, add_cleanup):
        cls.launch([ROOT / "samples" / capture], add_cleanup)

    @classmethod
    def launch(cls, arguments, add_cleanup):
        Atspi.init()
        cls.home = tempfile.TemporaryDirectory()
        environment = os.environ | {"QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1", "QT_QPA_PLATFORM": "xcb", "LC_ALL": "C.UTF-8",
                                    "HOME": cls.home.name, "XDG_CONFIG_HOME": cls.home.name, "IWARPSCOPED": cls.DAEMON}
        cls.program = subprocess.Popen([cls.PROGRAM, *arguments], env=environment,
                                       stdin=subprocess.DEVNULL)
        add_cleanup(cls.home.cleanup)
        add_cleanup(cls.program.wait)
        add_cleanup(cls.program.terminate)
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
        """Whether that dock is in front of the others."""
        return any(is_in_front(one) for one in below(self.window)
                   if one.get_role() == Atspi.Role.PAGE_TAB and without_count(one.get_name()) == name)

    def act(self, element):
        held = element.get_action_iface()
        names = [held.get_action_name(i) for i in range(held.get_n_actions())]
        self.assertIn("Press", names, tell(element))
        self.assertTrue(held.do_action(names.index("Press")))

    def verdict(self):
        return text_of(self.find(TEXTS, "Verdict"))

    def place_of(self, element):
        """The middle of an element, on the screen."""
        box = until(lambda: element().get_component_iface().get_extents(Atspi.CoordType.SCREEN), "place to click on")
        return box.x + box.width // 2, box.y + box.height // 2

    def click(self, element):
        """With the pointer. `element` finds it: what is on the screen may change meanwhile."""
        self.click_at(*self.place_of(element))

    def click_at(self, x, y, times=1):
        self.clicks += times
        subprocess.run(["xdotool", "mousemove", str(x), str(y), "click", "--repeat", str(times), "--delay", "20", "1"],
                       check=True)

    def turn_wheel(self, x, y, button):
        """One turn of three notches: button 4 is up, 5 is down."""
        self.clicks += 1
        subprocess.run(["xdotool", "mousemove", str(x), str(y), "click", "--repeat", "3", str(button)], check=True)


@contextlib.contextmanager
def window_manager():
    """Windows have frames, places and the focus as on a desktop."""
    with tempfile.TemporaryDirectory() as home:
        manager = subprocess.Popen(["openbox", "--sm-disable"], env=os.environ | {"HOME": home, "XDG_CONFIG_HOME": home},
                                   stdin=subprocess.DEVNULL)
        try:
            until(lambda: subprocess.run(["xdotool", "get_num_desktops"], check=False, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL).returncode == 0, "window manager")
            yield
        finally:
            manager.terminate()
            manager.wait()


def run():
    """The tests of the main module: TEST DASHBOARD DAEMON [ARGUMENT OF UNITTEST...]"""
    for program in ("xdotool", "openbox"):
        if not shutil.which(program):
            print(f"{program} is not installed", file=sys.stderr)
            sys.exit(SKIPPED)
    if INSIDE not in os.environ:
        sys.exit(in_a_session())
    Dashboard.PROGRAM, Dashboard.DAEMON = (str(Path(argument).resolve()) for argument in sys.argv[1:3])
    del sys.argv[1:3]
    with window_manager():
        unittest.main(module="__main__", warnings="ignore")
