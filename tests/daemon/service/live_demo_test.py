#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""samples/demo --live without a display: live_demo_test.py IWARPSCOPED IWARPSCOPE SOURCE_DIRECTORY

Needs root, namespaces and tcpreplay; skips without them.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import uuid
from pathlib import Path

DAEMON = CLIENT = ROOT = None
SECONDS = 8
WAIT = 30  # seconds until a test gives up
SKIPPED = 77


def why_not():
    missing = [name for name in ("unshare", "nsenter", "ip", "mount", "tcpreplay") if shutil.which(name) is None]
    if missing:
        return f"{missing} are not installed"
    if os.geteuid() != 0:
        return "it needs root"
    spaces = ["unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc", "true"]
    return "" if subprocess.run(spaces, check=False, capture_output=True).returncode == 0 else "no namespaces can be made"


class Live(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        folder = Path(folder.name)
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        (folder / "bin").mkdir()
        for program in (DAEMON, CLIENT):
            (folder / "bin" / program.name).symlink_to(program)
        self.mark = f"IWARPSCOPE_LIVE_TEST={uuid.uuid4()}"
        name, value = self.mark.split("=")
        self.environment = {**os.environ, "IWARPSCOPE_LIVE_BUILD": str(folder), "TMPDIR": str(self.temporary),
                            "LC_ALL": "C.UTF-8", name: value}
        self.before = self.machine()

    def machine(self):
        """What a demo could leave outside its namespaces."""
        named = Path("/run/netns")
        return (sorted(os.listdir("/sys/class/net")), sorted(os.listdir(named)) if named.exists() else [],
                Path("/proc/self/mounts").read_text(encoding="utf-8"), sorted(os.listdir(self.temporary)))

    def processes(self):
        """Names of the programs that the demo runs."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if self.mark.encode() in (process / "environ").read_bytes().split(b"\0"):
                    found.append((process / "comm").read_text(encoding="utf-8").strip())
            except OSError:
                pass  # it has ended meanwhile
        return found

    def wait_for(self, true, what):
        end = time.monotonic() + WAIT
        while not true(self.processes()):
            self.assertLess(time.monotonic(), end, f"{what}; there are: {self.processes()}")
            time.sleep(0.05)

    def leaves_nothing(self):
        self.wait_for(lambda running: not running, "not all processes ended")
        self.assertEqual(self.machine(), self.before)

    def test_shows_queue_pairs_and_findings(self):
        done = subprocess.run([ROOT / "samples/live", str(SECONDS)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env=self.environment, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("capturing on mirror0", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^Losses   ")
        for row in (r"10\.77\.0\.1:45888 -> 10\.77\.0\.2:7300 .* completed",
                    r"10\.77\.0\.1:46740 -> 10\.77\.0\.2:7500 .* error: mpa\.crc-mis.* failed",
                    r"10\.77\.0\.1:52579 -> 10\.77\.0\.2:7400 .* refused"):
            self.assertRegex(done.stdout, rf"(?m)^\d+ +{row}")
        self.assertRegex(done.stdout, r"(?m)^\S+ \S+ UTC  error +mpa\.crc-mismatch \(MF-04\)  QP \d+, ")
        self.leaves_nothing()

    def test_that_is_killed_leaves_nothing(self):
        with subprocess.Popen([ROOT / "samples/live", "600"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=self.environment) as demo:
            try:
                self.wait_for(lambda running: {"iwarpscoped", "tcpreplay"} <= set(running), "nothing is sent and watched")
            finally:
                demo.kill()
        self.leaves_nothing()


if __name__ == "__main__":
    DAEMON, CLIENT, ROOT = (Path(word).resolve() for word in sys.argv[1:4])
    if why_not():
        print(f"Skipped: {why_not()}.")
        sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1], verbosity=2)
