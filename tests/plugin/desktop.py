# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Wireshark's window on its own screen, without a user: an Xvfb with a frame buffer in a file, and xdotool.

Everything runs without root rights and with its own home, and is ended by its process id."""

import os
import re
import shutil
import struct
import subprocess
import time
import zlib
from pathlib import Path

from tshark import UNPRIVILEGED, Tshark

ROOT = Path(__file__).resolve().parents[2]
PROFILE = ROOT / "samples" / "wireshark-profile" / "iwarpscope"
WIDTH, HEIGHT = 1440, 900
TIME_LIMIT = 240  # timeout in seconds for everything that must appear, on a slow machine
# The position of the window and the widths of columns: a home in which Wireshark was used before.
RECENT_COMMON = f"gui.geometry_main_x: 0\ngui.geometry_main_y: 0\ngui.geometry_main_width: {WIDTH}\n" \
                f"gui.geometry_main_height: {HEIGHT}\ngui.geometry_main_maximized: FALSE\n"
# Output that must never occur. "plugin": plugins that could not be loaded.
FAULTS = re.compile(r"critical|dissector bug|assert|AddressSanitizer|runtime error:|plugin|segmentation|QFatal|nested", re.I)


class Screenshot:
    """Pixels of the screen: rows of octets; blue, green, red and one unused octet per pixel."""

    def __init__(self, width, height, rows):
        self.width, self.height, self.rows = width, height, rows

    def count(self, colour, region=None):
        """The number of pixels with the colour (red, green, blue). `region`: left, top, right, bottom."""
        left, top, right, bottom = region or (0, 0, self.width, self.height)
        return sum(self.in_row(colour, y, left, right) for y in range(top, bottom))

    def in_row(self, colour, y, left=0, right=None):
        row = self.rows[y][4 * left:4 * (right or self.width)]
        pixel, found, at = bytes(reversed(colour)), 0, row.find(bytes(reversed(colour)))
        while at >= 0:
            found += at % 4 == 0
            at = row.find(pixel, at + 1)
        return found

    def first_row(self, colour, pixels, top):
        """The first row from `top` on with more than this number of pixels of the colour; None: no such row."""
        return next((y for y in range(top, self.height) if self.in_row(colour, y) > pixels), None)

    def differing(self, other, region):
        left, top, right, bottom = region
        return sum(self.rows[y][4 * x:4 * x + 3] != other.rows[y][4 * x:4 * x + 3]
                   for y in range(top, bottom) for x in range(left, right))

    def save(self, path, region=None):
        """As PNG with a palette: the 256 most frequent colours; all others become the nearest of them."""
        left, top, right, bottom = region or (0, 0, self.width, self.height)
        rows = [[row[i:i + 3] for i in range(4 * left, 4 * right, 4)] for row in self.rows[top:bottom]]
        often = {}
        for row in rows:
            for pixel in row:
                often[pixel] = often.get(pixel, 0) + 1
        palette = sorted(often, key=lambda p: (-often[p], p))[:256]
        nearest = {p: i for i, p in enumerate(palette)}
        for pixel in often:
            if pixel not in nearest:
                nearest[pixel] = min(range(256), key=lambda i: sum((a - b) ** 2 for a, b in zip(palette[i], pixel)))
        octets = b"".join(b"\0" + bytes(nearest[p] for p in row) for row in rows)
        header = struct.pack(">IIBBBBB", right - left, bottom - top, 8, 3, 0, 0, 0)
        colours = b"".join(bytes(reversed(p)) for p in palette)
        with open(path, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"PLTE", colours) +
                       _chunk(b"IDAT", zlib.compress(octets, 9)) + _chunk(b"IEND", b""))


def _chunk(name, octets):
    return struct.pack(">I", len(octets)) + name + octets + struct.pack(">I", zlib.crc32(name + octets))


def eventually(what, condition, time_limit=TIME_LIMIT):
    """The first true value of condition(). Raises TimeoutError."""
    end = time.monotonic() + time_limit
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {time_limit} s")
        time.sleep(0.1)


class Desktop:
    """A screen, and a home with the sample profile. Use it in a with statement."""

    def __init__(self, plugin, wireshark="wireshark"):
        self.wireshark = wireshark
        self._user = Tshark(plugin)
        self.folder = Path(self._user.folder)
        profile = self.folder / "home/.config/wireshark/profiles/iwarpscope"
        shutil.copytree(PROFILE, profile)
        (self.folder / "home/.config/wireshark/recent_common").write_text(RECENT_COMMON, encoding="utf-8")
        for name in ["run", "screen"]:
            (self.folder / name).mkdir()
        if os.geteuid() == 0:
            for path in [self.folder, *self.folder.rglob("*")]:
                os.chown(path, int(UNPRIVILEGED), int(UNPRIVILEGED))
        (self.folder / "run").chmod(0o700)
        self._screen, self._display = None, ""

    def __enter__(self):
        reader, writer = os.pipe()
        command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp",
                   "-noreset", "-fbdir", str(self.folder / "screen")]
        self._screen = subprocess.Popen([*self._as_nobody(), *command], pass_fds=[writer], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        os.close(writer)
        with os.fdopen(reader) as ready:
            self._display = ":" + ready.readline().strip()  # ends when Xvfb is ready, or has ended
        if self._display == ":":
            raise RuntimeError(f"Xvfb ended with {self._screen.wait()}")
        self.xdotool("mousemove", WIDTH - 1, HEIGHT - 1)  # the item under the pointer has another colour
        return self

    def __exit__(self, *_):
        end(self._screen)

    def open(self, capture, *arguments):
        """Wireshark on a copy of the capture."""
        copy = self.folder / Path(capture).name
        shutil.copyfile(capture, copy)
        copy.chmod(0o644)
        return Window(self, copy, arguments)

    def screenshot(self):
        """Source: the format of xwd, X11/XWDFile.h."""
        octets = (self.folder / "screen/Xvfb_screen0").read_bytes()
        header = struct.unpack(">25I", octets[:100])
        size, width, height, line, colours = header[0], header[4], header[5], header[12], header[19]
        begin = size + 12 * colours
        if header[7] != 0 or header[11] != 32:
            raise RuntimeError("the frame buffer is not of 32 bits, least significant octet first")
        return Screenshot(width, height, [octets[begin + y * line:begin + y * line + 4 * width] for y in range(height)])

    def xdotool(self, *arguments):
        done = subprocess.run([*self._as_nobody(), "env", f"DISPLAY={self._display}", "xdotool", *map(str, arguments)],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
        return done.stdout

    def titles(self):
        """All visible windows: {title: window}."""
        windows = self.xdotool("search", "--onlyvisible", "--name", ".").split()
        return {self.xdotool("getwindowname", w).strip(): w for w in windows}

    def as_user(self, *command):
        """The command, with that user, home and screen."""
        home, sanitizer = self.folder / "home", self._user.sanitizer
        environment = [f"HOME={home}", f"XDG_CONFIG_HOME={home}/.config", f"XDG_RUNTIME_DIR={self.folder}/run",
                       f"WIRESHARK_PLUGIN_DIR={self._user.plugins}",
                       f"WIRESHARK_EXTCAP_DIR={os.path.join(self._user.folder, 'extcap')}",
                       f"DISPLAY={self._display}", "QT_QPA_PLATFORM=xcb", "LC_ALL=C.UTF-8", "TZ=UTC"]
        if sanitizer:
            environment += [f"LD_PRELOAD={sanitizer}", "ASAN_OPTIONS=detect_leaks=0"]  # Qt's are no business of ours
        path = os.environ.get("PATH", "/usr/bin:/bin")
        return [*self._as_nobody(), "env", "-i", f"PATH={path}", *environment, *command]

    @staticmethod
    def _as_nobody():
        if os.geteuid() != 0:
            return []
        return ["setpriv", "--reuid", UNPRIVILEGED, "--regid", UNPRIVILEGED, "--clear-groups"]


class Window:
    """Wireshark with a capture. Use it in a with statement: it is then ended if quit() did not end it."""

    def __init__(self, desktop, capture, arguments):
        self.desktop, self.capture = desktop, capture
        self._log = open(desktop.folder / "wireshark.log", "w+", encoding="utf-8", errors="replace")
        self._process = subprocess.Popen(desktop.as_user(desktop.wireshark, "-C", "iwarpscope", "-r", str(capture),
                                                         *arguments), cwd=desktop.folder,
                                         stdin=subprocess.DEVNULL, stdout=self._log, stderr=subprocess.STDOUT)

    def __enter__(self):
        try:
            window = self.wait_for(re.escape(self.capture.name))
            self.desktop.xdotool("windowsize", window, WIDTH, HEIGHT, "windowmove", window, 0, 0, "windowfocus", window)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        end(self._process)
        self._log.close()

    def find(self, title):
        """The window whose complete title matches the regular expression; None: no such window."""
        if self._process.poll() is not None:
            raise RuntimeError(f"Wireshark ended with {self._process.returncode}: {self.log()}")
        return next((w for t, w in self.desktop.titles().items() if re.fullmatch(title, t)), None)

    def wait_for(self, title):
        return eventually(f"a window '{title}'", lambda: self.find(title))

    def press(self, done, what, *keys):
        """Sends keys to the main window until done() is true, and returns it: a busy window may miss some keys."""
        def press_and_look():
            window = self.desktop.titles().get(self.capture.name)
            if window is not None:
                self.desktop.xdotool("windowfocus", window, "key", *keys)
            try:
                return eventually(what, done, 3)
            except TimeoutError:
                return None
        return eventually(what, press_and_look)

    def quit(self):
        """As a user would do. Returns the exit status."""
        self.press(lambda: self._process.poll() is not None, "Wireshark's end", "ctrl+q")
        return self._process.returncode

    def log(self):
        """Its output, without the name of the temporary folder."""
        text = Path(self._log.name).read_text(encoding="utf-8", errors="replace")
        return text.replace(str(self.desktop.folder), "")


def end(process):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
