#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The dashboard opens a capture of gigabytes: how much memory do its window and its daemon take, and how long?

    tests/gui/large_file.py IWARPSCOPE_GUI IWARPSCOPE IWARPSCOPE_SYNTH [MEGABYTES]     (3000)

Writes a capture of small Sends, the traffic with the most messages for its size, and opens it in the window, on Qt's
offscreen platform. The largest resident memory of the window has to be below MOST_OF_WINDOW, that of its daemon below
MOST_OF_DAEMON. The daemon's own account says when all is read.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MOST_OF_WINDOW = 150  # MiB
MOST_OF_DAEMON = 2600  # four million messages, the ring of packets
PATIENCE = 1800  # seconds


def most_resident(pid):
    """MiB, since it started."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"process {pid} is gone")


def child_of(pid):
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()[0])


def status(client, folder):
    """What the window's daemon says of itself; nothing before it listens."""
    for socket in Path(folder).glob("iwarpscope-gui-*/api"):
        done = subprocess.run([client, "status", "--socket", socket, "--format", "json"], capture_output=True, text=True,
                              timeout=60, check=False)
        if done.returncode == 0:
            return json.loads(done.stdout.splitlines()[0])
    return None


def main(window, client, synth, megabytes="3000"):
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        capture = Path(folder) / "large.pcapng"
        subprocess.run([synth, "small", "--octets", f"{megabytes}mb", "-o", capture], check=True)
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8", "TMPDIR": folder, "HOME": folder,
                       "XDG_CONFIG_HOME": folder, "XDG_RUNTIME_DIR": folder}
        begun = time.monotonic()
        gui = subprocess.Popen([window, capture], env=environment, stdin=subprocess.DEVNULL)
        try:
            now = None
            while (now is None or now["capturing"]) and time.monotonic() - begun < PATIENCE:
                time.sleep(0.5)
                now = status(client, folder)
            took = time.monotonic() - begun
            time.sleep(10)  # it asks for what it shows
            of_window, of_daemon = most_resident(gui.pid), most_resident(child_of(gui.pid))
        finally:
            gui.terminate()
            gui.wait()
        size = capture.stat().st_size
        frames = sum(int(interface["frames"]) for interface in now["interfaces"]) if now else 0
    troubles = [text for text, is_so in (
        ("it was not read to its end", now is None or now["capturing"]),
        (f"the window took {of_window:.0f} MiB, more than {MOST_OF_WINDOW}", of_window > MOST_OF_WINDOW),
        (f"its daemon took {of_daemon:.0f} MiB, more than {MOST_OF_DAEMON}", of_daemon > MOST_OF_DAEMON)) if is_so]
    for trouble in troubles:
        print("FAILED:", trouble)
    print(f"{size / 1e9:.1f} GB, {frames} frames in {took:.0f} s; at most {of_window:.0f} MiB resident in the window "
          f"(bound {MOST_OF_WINDOW}), {of_daemon:.0f} MiB in its daemon (bound {MOST_OF_DAEMON})")
    sys.exit(1 if troubles else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
