# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Captures that iwarpscope-synth plays from scripts."""

import os
import shutil
import subprocess
import tempfile
import unittest


FREE_PORT = 7174
SEPARATE = ("-o", "iwarp.separate_interfaces:TRUE")


class Folder:
    """Captures live as long as this object."""

    def __init__(self, program=None):
        self.program = program
        self.path = tempfile.mkdtemp(prefix="iwarpscope-captures-")
        self.count = 0

    def cleanup(self):
        shutil.rmtree(self.path, ignore_errors=True)

    def play(self, script, name=None):
        """The path of a capture made from the script. The Responder's port is not used by a dissector of Wireshark
        (5000, the synthesiser's default, is used by gsm_ipa) unless the script begins with another port."""
        if not script.startswith("end b port="):
            script = f"end b port={FREE_PORT}; {script}"
        self.count += 1
        path = os.path.join(self.path, f"{name or self.count}.pcapng")
        subprocess.run([self.program, "script", "-o", path, "-e", script], check=True, capture_output=True)
        return path

    def joined(self, *captures):
        """The path of a capture with the frames of all, one capture after the other, each on its own interfaces: tshark
        reads it in one start. Many have the same addresses and sequence numbers; with SEPARATE they stay apart."""
        self.count += 1
        path = os.path.join(self.path, f"{self.count}-joined.pcapng")
        subprocess.run(["mergecap", "-a", "-I", "none", "-F", "pcapng", "-w", path, *captures], check=True,
                       capture_output=True)
        return path


class Case(unittest.TestCase):
    """Each test has its own folder. The program is in `synth`, which a derived class sets."""

    synth = None

    def setUp(self):
        self.folder = Folder(self.synth)
        self.addCleanup(self.folder.cleanup)
