#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""samples/demo --site as a user sees it: demo_test.py BUILD_DIRECTORY SOURCE_DIRECTORY"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD, SOURCE = sys.argv[1:3]
del sys.argv[1:3]


@unittest.skipUnless(os.geteuid() == 0, "it makes network namespaces")
class Demo(unittest.TestCase):
    def test_it_shows_the_damage_between_two_taps_and_leaves_nothing(self):
        folder = Path(tempfile.mkdtemp(prefix="site-"))
        self.addCleanup(shutil.rmtree, folder)
        folder.chmod(0o755)
        done = subprocess.run([Path(SOURCE) / "samples/site"], capture_output=True, text=True, check=False, timeout=280,
                              env={**os.environ, "IWARPSCOPE_SITE_BUILD": BUILD, "TMPDIR": str(folder)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")
        status, site, failed, qp = done.stdout.split("\n---- ")[1:]
        self.assertIn("a centre of 3 sensors", status)
        self.assertIn("Loss or damage between taps", site)
        self.assertRegex(site, r"was lost between leaf 1 and leaf 2, \d+ times")
        self.assertRegex(site, r"10\.77\.0\.1 - 10\.77\.0\.2: [1-9]\d* of \d+ queue pairs failed, were refused or stalled on 1 day")
        new = site.split("New since yesterday:")[1].split("Loss or damage between taps")[0]
        for rule in ("site.loss-between-taps (SI-10)", "site.damage-between-taps (SI-11)"):
            self.assertIn(rule, new)
        self.assertIn("these sensors share a machine", site)
        self.assertNotIn(" that was.", done.stdout)
        self.assertEqual("; lost: " in status, "no sensor lost anything" not in site)
        self.assertEqual(set(re.findall(r"\n\d{11,} +(\S+)", failed)), {"rack7"})
        self.assertRegex(qp, r"Data from \S+ was damaged between leaf 1 and leaf 2, 8 times\.")
        self.assertRegex(qp, r"Also seen at leaf 2: QP \d{11,} of sensor leaf2")
        self.assertEqual(list(folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
