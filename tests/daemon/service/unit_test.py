#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""What systemd's own tools say of the unit and the files beside it: unit_test.py SOURCE_DIRECTORY"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = ""
UNITS = ("iwarpscoped.service", "iwarpscope-forward.service", "iwarpscope-centre-upkeep.service")
SERVICES = ("iwarpscoped.service", "iwarpscope-centre-upkeep.service")


def tool(name):
    path = shutil.which(name)
    if path is None:
        raise unittest.SkipTest(f"{name} is not installed (Debian package systemd)")
    return path


class Unit(unittest.TestCase):
    def setUp(self):
        self.share = Path(ROOT) / "daemon/share"

    def test_exposure_is_below_two(self):
        for name in SERVICES:
            run = subprocess.run([tool("systemd-analyze"), "security", "--offline=true", "--no-pager", self.share / name],
                                 capture_output=True, text=True)
            found = re.search(rf"Overall exposure level for {name}: ([\d.]+)", run.stdout)
            self.assertIsNotNone(found, run.stdout + run.stderr)
            self.assertLess(float(found[1]), 2.0, run.stdout)

    def test_unit_has_no_line_that_systemd_does_not_know(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in (*SERVICES, "iwarpscope-centre-upkeep.timer"):
                unit = Path(folder) / name
                text = re.sub(r"/usr/sbin/[a-z-]+", "/bin/true", (self.share / name).read_text())
                unit.write_text(text.replace("Documentation=man", "#"))
            for name in (*SERVICES, "iwarpscope-centre-upkeep.timer"):
                self.assertEqual(self.verify(Path(folder) / name), [])

    def verify(self, unit):
        """What systemd does not understand in a unit and its drop-ins."""
        run = subprocess.run([tool("systemd-analyze"), "verify", "--man=no", "--recursive-errors=no", unit],
                             capture_output=True, text=True)
        return [line for line in run.stderr.splitlines() if unit.name in line]

    def test_template_is_the_unit_with_a_configuration_and_folders_of_its_own(self):
        with tempfile.TemporaryDirectory() as folder:
            template = Path(folder) / "iwarpscoped@.service"
            subprocess.run([tool("cmake"), f"-DUNIT={self.share / 'iwarpscoped.service'}", f"-DTEMPLATE={template}", "-P",
                            Path(ROOT) / "cmake/template_unit.cmake"], check=True)
            one, several = (self.share / "iwarpscoped.service").read_text(), template.read_text()
            for setting in ("ExecStart", "RuntimeDirectory", "StateDirectory", "LogsDirectory"):
                its, others = (re.findall(rf"(?m)^{setting}=(.*)$", text) for text in (one, several))
                self.assertEqual((len(its), len(others)), (1, 1), setting)
                self.assertIn("%i", others[0])
            self.assertEqual([line for line in several.splitlines() if line[:1] not in "#" and "%i" not in line],
                             [line for line, its in zip(one.splitlines(), several.splitlines()[1:])
                              if line[:1] not in "#" and "%i" not in its])
            instance = Path(folder) / "iwarpscoped@second.service"
            instance.write_text(several.replace("/usr/sbin/iwarpscoped", "/bin/true").replace("Documentation=man", "#"))
            self.assertEqual(self.verify(instance), [])

    def test_drop_in_of_the_guide_lets_a_network_in(self):
        guide = (Path(ROOT) / "docs/daemon.md").read_text()
        drop_in = "\n".join(re.search(r"systemctl edit iwarpscoped.*\n\n    (\[Service\])\n    (.*)\n", guide).groups())
        self.assertRegex(drop_in, r"\[Service\]\nIPAddressAllow=[\d.]+/\d+")
        with tempfile.TemporaryDirectory() as folder:
            unit = Path(folder) / "iwarpscoped.service"
            unit.write_text((self.share / "iwarpscoped.service").read_text().replace("/usr/sbin/iwarpscoped", "/bin/true")
                            .replace("Documentation=man", "#"))
            (Path(folder) / "iwarpscoped.service.d").mkdir()
            own = Path(folder) / "iwarpscoped.service.d/override.conf"
            own.write_text(drop_in + "\n")
            self.assertEqual(self.verify(unit), [])
            own.write_text(drop_in.replace("/24", "/240") + "\n")
            self.assertEqual(len(self.verify(unit)), 1)

    def test_mistakes_in_the_configuration_are_not_tried_again_and_all_else_is(self):
        unit = (self.share / "iwarpscoped.service").read_text().splitlines()
        self.assertIn("Restart=on-failure", unit)
        self.assertEqual([line for line in unit if "ExitStatus" in line], ["RestartPreventExitStatus=2"])
        manual = (Path(ROOT) / "docs/man/iwarpscoped.8").read_text()
        self.assertRegex(manual, r"\.B 1\n(?:.*\n)*?The unit restarts the daemon(?:.*\n)*?\.B 2\n(?:.*\n)*?The unit does not restart")

    def test_user_and_folders_are_made(self):
        with tempfile.TemporaryDirectory() as root:
            (Path(root) / "etc").mkdir()
            for name, program in [("iwarpscope.sysusers", "systemd-sysusers"), ("iwarpscope.tmpfiles", "systemd-tmpfiles")]:
                words = [tool(program), f"--root={root}", *(["--create"] if "tmp" in name else []), self.share / name]
                run = subprocess.run(words, capture_output=True, text=True)
                self.assertEqual(run.returncode, 0, run.stderr)
            self.assertRegex((Path(root) / "etc/passwd").read_text(), r"(?m)^iwarpscope:.*:/usr/sbin/nologin$")
            for name in ["run/iwarpscope", "var/lib/iwarpscope", "var/log/iwarpscope"]:
                self.assertTrue((Path(root) / name).is_dir(), name)


if __name__ == "__main__":
    ROOT = sys.argv.pop()
    unittest.main()
