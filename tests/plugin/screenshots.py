#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Takes the pictures of docs/wireshark.md again, by hand: screenshots.py MODULE [DIRECTORY, default docs/pictures]

Windows of statistics need a frame to look like windows: install openbox.
"""

import subprocess
import sys
import time
from pathlib import Path

import desktop
from desktop import ROOT, Desktop, end, eventually

desktop.WIDTH, desktop.HEIGHT = 1400, 900
desktop.RECENT_COMMON = "gui.geometry_main_x: 0\ngui.geometry_main_y: 0\ngui.geometry_main_width: 1400\n" \
                        "gui.geometry_main_height: 900\ngui.geometry_main_maximized: FALSE\n"
# From the profile: how the panes and columns share the window.
RECENT = """gui.geometry_main_upper_pane: 210
gui.geometry_main_lower_pane: 775
column.width: %m, 50, %t, 84, %s, 92, %d, 92, %Cus:iwarp.qp, 34, %Cus:iwarp.direction, 58,\
 %Cus:iwarp.rdmap.opcode, 130,\
 %Cus:iwarp.ddp.stag || iwarp.rdmap.read.source_stag || iwarp.rdmap.atomic.stag, 96,\
 %Cus:iwarp.response_time, 104, %Cus:iwarp.finding.code, 110, %p, 70, %i, 420
"""


def settled(screen):
    """The screen, once it stays as it is."""
    last = [screen.screenshot()]

    def same():
        time.sleep(0.7)
        last.append(screen.screenshot())
        return last[-1].rows == last[-2].rows
    eventually("a screen at rest", same)
    return last[-1]


def packets(screen, to):
    """A damaged FPDU: its row, its tree with the verdict and the finding, its octets."""
    with screen.open(ROOT / "samples/siw/viol-crc-error.pcap", "-g", "8"):
        y = eventually("iWARP's tree", lambda: screen.screenshot().first_row((0xFF, 0x5C, 0x5C), 200, 300))
        settled(screen)
        screen.xdotool("mousemove", 200, y + 4, "click", 1, "key", "Right")
        settled(screen)
        # The finding is last, before it the FPDU, before that the verdict. The FPDU's octets are visible.
        screen.xdotool("key", "End", "Up", "Up", "Right", "End", "Right", "Up")
        settled(screen)
        screen.xdotool("mousemove", desktop.WIDTH - 2, 60)
        settled(screen).save(to / "wireshark.png")


def statistics(screen, to):
    """The three queue pairs of an NVMe-oF connection, and their contents."""
    with screen.open(ROOT / "samples/siw/ulp-nvmeof-crc.pcap.gz", "-z", "iwarp,qp") as window:
        pairs = window.wait_for(".*iWARP Queue Pairs.*")
        operations = window.press(lambda: window.find(".*Operations.*"), "Operations", "Escape", "Escape", "alt+s", "Up",
                                  "Right", "Return")
        screen.xdotool("windowmove", pairs, 8, 60, "windowsize", pairs, 1382, 230)
        screen.xdotool("windowmove", operations, 330, 350, "windowsize", operations, 790, 520)
        settled(screen).save(to / "wireshark-statistics.png", (0, 0, desktop.WIDTH, desktop.HEIGHT - 10))


if __name__ == "__main__":
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "docs/pictures")
    with Desktop(sys.argv[1]) as one:
        (one.folder / "home/.config/wireshark/profiles/iwarpscope/recent").write_text(RECENT, encoding="utf-8")
        packets(one, folder)
        manager = subprocess.Popen(one.as_user("openbox"), stdin=subprocess.DEVNULL)
        try:
            statistics(one, folder)
        finally:
            end(manager)
