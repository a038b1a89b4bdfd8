#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""An interface that is deleted and created again ten times under a daemon that gave up root and sits in its sandbox.

made_again_test.py IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY; ends with 77 where it may not make a network namespace."""

import json
import os
import subprocess
import sys
from pathlib import Path

PROGRAM, CLIENT, ROOT = sys.argv[1:4]
sys.path.insert(0, str(Path(ROOT) / "tests/daemon/service"))
from running import Folder, Running, wait_until  # noqa: E402
from send_capture import frames  # noqa: E402

SKIPPED = 77
DELETIONS = 10


def make(inside):
    for words in ("link add wire0 mtu 9000 type veth peer name wire1 mtu 9000", "link set wire0 up", "link set wire1 up"):
        subprocess.run([*inside, "ip", *words.split()], check=True)


def watch(inside, workers, method="ring"):
    sample = Path(ROOT) / "samples/siw/viol-crc-error.pcap"
    count = sum(1 for _ in frames(sample))
    make(inside)
    with Folder() as folder:
        table = f'[capture]\n[[capture.interface]]\nname = "wire1"\nworkers = {workers}\nring = "4 MiB"\nmethod = "{method}"\n'
        with Running(PROGRAM, folder.path, table, before=inside) as daemon:
            def interface():
                answer = subprocess.run([CLIENT, "status", "--socket", str(daemon.socket), "--format", "json"],
                                        capture_output=True, text=True, check=True)
                return json.loads(answer.stdout.splitlines()[0])["interfaces"][0]

            def send():
                subprocess.run([*inside, sys.executable, "-B", Path(ROOT) / "tests/daemon/service/send_capture.py", "wire0",
                                str(sample)], check=True)
            send()
            by_it = interface()["method"].startswith(method)
            assert by_it or "AF_XDP is not available" in " ".join(interface()["warnings"]), interface()
            for deletion in range(1, DELETIONS + 1):
                wait_until(lambda: int(interface()["frames"]) == deletion * count, f"all frames before deletion {deletion}")
                subprocess.run([*inside, "ip", "link", "del", "wire0"], check=True)
                wait_until(lambda: not interface()["up"], f"deletion {deletion}")
                make(inside)
                wait_until(lambda: interface()["up"], f"the interface, after deletion {deletion}")
                send()
            wait_until(lambda: int(interface()["frames"]) == (DELETIONS + 1) * count, "all frames")
            warnings = " ".join(interface()["warnings"])
            assert "was bound to the interface again" in warnings, warnings
            assert interface()["method"] == "ring", interface()
            assert ("only one socket captures" in warnings) == (workers > 1), warnings
            said = daemon.said()
            assert "seccomp cannot" not in said and "sandbox is off" not in said, said
            assert daemon.stop()[1] == 0, daemon.said()
    subprocess.run([*inside, "ip", "link", "del", "wire0"], check=True)


def main():
    space = f"made-again-{os.getpid()}"
    if subprocess.run(["ip", "netns", "add", space], check=False, stderr=subprocess.DEVNULL).returncode != 0:
        print("Skipped: it makes a network namespace, which needs root.")
        sys.exit(SKIPPED)
    try:
        inside = ["ip", "netns", "exec", space]
        for name in ("all", "default"):
            subprocess.run([*inside, "sysctl", "-qw", f"net.ipv6.conf.{name}.disable_ipv6=1"], check=False)
        for workers in (1, 2):
            watch(inside, workers)
        watch(inside, 1, "xdp")
    finally:
        subprocess.run(["ip", "netns", "del", space], check=False)


if __name__ == "__main__":
    main()
