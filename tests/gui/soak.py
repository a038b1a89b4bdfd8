#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The dashboard on a daemon with a growing number of queue pairs and findings: does its memory level off?

    tests/gui/soak.py IWARPSCOPE_GUI IWARPSCOPED SOURCE_DIRECTORY [MINUTES]     (15)

Creates a network namespace with a veth pair, sends samples of failures over it again and again, each time from other
ports, and opens the window, on Qt's offscreen platform, at the daemon's socket. The window keeps MOST queue pairs and
as many findings, and discards the oldest above that. From then on, its resident memory may grow by a tenth plus 8
MiB. Fails if it grows more, if the window ends or never had this number, or if it received nothing. Needs root.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "daemon/service"))
from answers import resident  # noqa: E402
from cable import Sender, enter, metrics  # noqa: E402
from running import Folder, Running  # noqa: E402
from send_capture import frames  # noqa: E402

SAMPLES = ["term-write-bad-stag.pcap", "viol-crc-error.pcap", "viol-mpa-reply-ird-insufficient.pcap",
           "verbs-all-opcodes-crc.pcap", "mpa-crc-strict-reject.pcap"]
CONNECTIONS = 600  # a second, or more in a short run: the window has all it keeps after two thirds of the time
FULL = 1.25        # times what it keeps: from then on its memory must not grow
SECTIONS = """[capture]
interfaces = ["mirror0"]
[limits]
after_end = "1 s"
[recorder]
at_least = "none"
"""


def most(root):
    """What the window keeps of each."""
    for name in ("queue_pairs/qp_model", "findings/finding_table"):
        text = (Path(root) / f"gui/models/{name}.h").read_text(encoding="utf-8")
        yield int(re.search(r"kMost = ([\d']+);", text)[1].replace("'", ""))


def processor_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(window, program, root, minutes="15"):
    enter()
    seconds = float(minutes) * 60
    every = min(10.0, seconds / 20)
    captures = [frame for name in SAMPLES for frame in frames(Path(root) / "samples/siw" / name)]
    full = max(most(root))
    troubles, seen = [], []  # of the latter: seconds, KiB, queue pairs, findings
    with Folder() as own, Running(program, own.path, SECTIONS) as daemon:
        home = own.path / "window"
        home.mkdir(mode=0o700)
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8", "HOME": str(home),
                       "XDG_CONFIG_HOME": str(home), "XDG_RUNTIME_DIR": str(home)}
        gui = subprocess.Popen([window, "--socket", str(daemon.socket)], env=environment, stdin=subprocess.DEVNULL)
        sender = Sender(captures, os.cpu_count() - 1)
        try:
            time.sleep(3)  # for its window
            before = resident(gui.pid)
            rate = max(CONNECTIONS, FULL * full * 3 / 2 / seconds)
            sender.begin(rate * len(captures) / len(SAMPLES), seconds)
            begun = time.monotonic()
            print(f"   time     RSS KiB  queue pairs     findings     ({before} KiB before)")
            while time.monotonic() - begun < seconds:
                time.sleep(every)
                if gui.poll() is not None:
                    troubles.append(f"the window ended with {gui.returncode}")
                    break
                now = metrics(daemon)
                seen.append((time.monotonic() - begun, resident(gui.pid), now["iwarp_qp_opened_total"],
                             now["iwarp_findings_total"]))
                print("{:7.0f} {:11} {:12.0f} {:12.0f}".format(*seen[-1]), flush=True)
            sender.result()
            processor = processor_seconds(gui.pid) if gui.poll() is None else 0
        finally:
            gui.kill()
            gui.wait()
            sender.close()
    kept = [kib for _, kib, qps, findings in seen if min(qps, findings) >= full * FULL]
    if not kept:
        troubles.append(f"{seen[-1][2:] if seen else 'no'} queue pairs and findings: fewer than it keeps, {full} of each")
    elif max(kept) > kept[0] * 1.1 + 8192:
        troubles.append(f"memory grew from {kept[0]} to {max(kept)} KiB")
    elif kept[0] < before + 16 * 1024:
        troubles.append(f"memory is {kept[0]} KiB, and was {before} KiB when there was nothing: it took nothing")
    if kept:
        print(f"{seen[-1][2]:.0f} queue pairs, {seen[-1][3]:.0f} findings in {seconds:.0f} s; resident memory of the window "
              f"{before} KiB before, {kept[0]} KiB with all it keeps, at most {max(kept)} KiB from then on; "
              f"{processor / seconds:.0%} of a processor.")
    for trouble in troubles:
        print("FAILED:", trouble)
    sys.exit(1 if troubles else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
