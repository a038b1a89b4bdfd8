#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Installs a build into a directory of its own and uses it from there: install_test.py CMAKE BUILD_DIRECTORY"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CMAKE = BUILD = ""
COMPLETIONS = {"bash": "share/bash-completion/completions/iwarpscope", "zsh": "share/zsh/site-functions/_iwarpscope",
               "fish": "share/fish/vendor_completions.d/iwarpscope.fish"}


def run(*command, **options):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
                          check=True, **options).stdout


class Elf:
    """An installed program or library, as readelf shows it."""

    def __init__(self, path):
        self.header, self.segments, self.dynamic, self.notes = (run("readelf", "-W", option, path).decode()
                                                                for option in ("-h", "-l", "-d", "-n"))
        self.symbols = set(re.findall(r" UND (\w+)", run("readelf", "-W", "--dyn-syms", path).decode()))


def cache_value(name):
    found = re.search(rf"(?m)^{name}:\w+=(.*)$", (Path(BUILD) / "CMakeCache.txt").read_text(encoding="utf-8"))
    return found[1] if found else ""


def is_optimised():
    flags = cache_value("CMAKE_CXX_FLAGS") + " " + cache_value("CMAKE_CXX_FLAGS_" + (cache_value("CMAKE_BUILD_TYPE") or "Release").upper())
    return re.findall(r"-O(\w*)", flags)[-1:] not in ([], ["0"])


def startup_objects_without_marks():
    """What the compiler links into each program and library: without the marks of all of them, a linker sets none."""
    compiler, without = cache_value("CMAKE_CXX_COMPILER"), []
    for name in ("Scrt1.o", "crti.o", "crtbeginS.o", "crtendS.o", "crtn.o"):
        path = run(compiler, f"-print-file-name={name}").decode().strip()
        if "IBT, SHSTK" not in run("readelf", "-W", "-n", path).decode():
            without.append(name)
    return without


def files_under(directory):
    return {str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file()}


def has_dashboard():
    return "IWARPSCOPE_GUI:BOOL=OFF" not in (Path(BUILD) / "CMakeCache.txt").read_text(encoding="utf-8")


def wanted_files():
    documents = ["README.md", "CHANGELOG.md", "LICENSE", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
                 *(f"docs/{folder}/{path.name}" for folder in ("images", "pictures")
                   for path in (ROOT / "docs" / folder).glob("*.png"))]
    plugin = Path(BUILD) / "plugin-install-directory"
    plugins = {f"{plugin.read_text()}/iwarpscope.so"} if plugin.exists() else set()
    dashboard = {"bin/iwarpscope-gui", "share/man/man1/iwarpscope-gui.1", "share/applications/iwarpscope-gui.desktop",
                 "share/icons/hicolor/scalable/apps/iwarpscope-gui.svg",
                 "share/metainfo/org.iwarpscope.iwarpscope_gui.metainfo.xml"} if has_dashboard() else set()
    return {"bin/iwarpscope", *plugins, *dashboard, "share/man/man1/iwarpscope.1", "share/man/man1/iwarpscope-client.1",
            "sbin/iwarpscoped", "share/man/man5/iwarpscope.toml.5", "share/man/man8/iwarpscoped.8",
            "lib/systemd/system/iwarpscoped.service", "lib/systemd/system/iwarpscoped@.service", "lib/sysusers.d/iwarpscope.conf", "lib/tmpfiles.d/iwarpscope.conf",
            "share/iwarpscope/iwarpscope.rules.yml", "share/iwarpscope/grafana-dashboard.json",
            "share/iwarpscope/prometheus-site.yml", "share/iwarpscope/prometheus-sensors.yml", "share/iwarpscope/grafana-site-dashboard.json",
            "share/iwarpscope/iwarpscope-cluster.sql", "share/iwarpscope/iwarpscope-clusters.sql",
            "sbin/iwarpscope-forward", "share/man/man8/iwarpscope-forward.8", "lib/sysusers.d/iwarpscope-forward.conf",
            "etc/iwarpscope/forward.toml", "lib/systemd/system/iwarpscope-forward.service",
            "sbin/iwarpscope-centre", "share/man/man8/iwarpscope-centre.8", "lib/sysusers.d/iwarpscope-centre.conf", "etc/iwarpscope-centre/database.env",
            "etc/iwarpscope-centre/centre.toml", "lib/systemd/system/iwarpscope-centre.service",
            "share/iwarpscope-centre/patroni.yml", "share/iwarpscope-centre/etcd.env",
            "lib/systemd/system/iwarpscope-centre-upkeep.service", "lib/systemd/system/iwarpscope-centre-upkeep.timer",
            "etc/iwarpscope/iwarpscoped.toml", *COMPLETIONS.values(), "share/pkgconfig/iwarpscope.pc",
            *(f"share/iwarpscope/proto/iwarpscope/v1/{path.name}" for path in (ROOT / "daemon/api/iwarpscope/v1").glob("*.proto")),
            *(f"share/doc/iwarpscope/{name}" for name in documents)}


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.prefix = Path(cls.directory.name)
        run(CMAKE, "--install", BUILD, "--prefix", cls.prefix)
        cls.program = cls.prefix / "bin/iwarpscope"

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def test_files_are_those_and_no_others(self):
        self.assertEqual(files_under(self.prefix), wanted_files())

    def elf_files(self):
        return [path for path in self.prefix.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]

    def test_programs_and_plugin_are_hardened(self):
        if cache_value("IWARPSCOPE_SANITIZE"):
            self.skipTest("a build with sanitizers is not for users")
        files = self.elf_files()
        self.assertGreaterEqual({path.name for path in files}, {"iwarpscope", "iwarpscoped", "iwarpscope-forward", "iwarpscope-centre"})
        checked = set()
        for path in files:
            with self.subTest(file=path.name):
                elf = Elf(path)
                self.assertRegex(elf.header, r"Type: +DYN")
                if path.suffix != ".so":
                    self.assertRegex(elf.dynamic, r"FLAGS_1.*\bPIE\b")
                self.assertIn("GNU_RELRO", elf.segments)
                self.assertRegex(elf.dynamic, r"FLAGS.*\bBIND_NOW\b|FLAGS_1.*\bNOW\b")
                self.assertRegex(elf.segments, r"GNU_STACK +(\w+ +){5}RW +0")
                self.assertNotRegex(elf.segments, r"LOAD.* RWE ")
                self.assertIn("__stack_chk_fail", elf.symbols)
                checked |= {name for name in elf.symbols if name.endswith("_chk")}
        if is_optimised():
            self.assertTrue(checked, "no function of _FORTIFY_SOURCE is called")

    def test_branches_are_protected_on_x86(self):
        if os.uname().machine != "x86_64":
            self.skipTest("another processor")
        unmarked = startup_objects_without_marks()
        for path in self.elf_files():
            with self.subTest(file=path.name):
                if not unmarked:
                    self.assertIn("IBT, SHSTK", Elf(path).notes)
                # The marks or not: our own functions begin as an indirect branch has to find them.
                name = "main" if path.suffix != ".so" else "plugin_register"
                table = run("readelf", "-W", "-s", path).decode()
                address = int(re.search(rf"(?m)^ *\d+: (\w+) .* FUNC .* {name}$", table)[1], 16)
                code = run("objdump", "-d", f"--start-address={address}", f"--stop-address={address + 4}", path).decode()
                self.assertIn("endbr64", code)
        if unmarked:
            self.skipTest("not marked for the kernel, as this system's " + ", ".join(unmarked) + " are not; our code is as it has to be")

    def test_program_runs_from_there(self):
        sample = ROOT / "samples/siw/viol-crc-error.pcap"
        environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
        report = run(self.program, "analyze", sample, cwd=self.prefix, env=environment).decode()
        self.assertIn("mpa.crc-mismatch (MF-04)", report)
        self.assertTrue(run(self.program, "--version", env=environment).startswith(b"iwarpscope "))

    def test_daemon_runs_from_there_and_its_unit_starts_it(self):
        environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
        daemon = self.prefix / "sbin/iwarpscoped"
        self.assertTrue(run(daemon, "--version", env=environment).startswith(b"iwarpscoped "))
        run(daemon, "--check-config", self.prefix / "etc/iwarpscope/iwarpscoped.toml", env=environment)
        for name, file in [("iwarpscoped", "iwarpscoped"), ("iwarpscoped@", "%i")]:
            unit = (self.prefix / f"lib/systemd/system/{name}.service").read_text()
            self.assertIn(f"ExecStart={daemon} --config /etc/iwarpscope/{file}.toml\n", unit)

    def test_the_interface_can_be_compiled_from_there(self):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(self.prefix / "share/pkgconfig")}
        protos = Path(run("pkg-config", "--variable=protodir", "iwarpscope", env=environment).decode().strip())
        with tempfile.TemporaryDirectory() as out:
            run("protoc", f"-I{protos}", f"--python_out={out}", *sorted(protos.glob("iwarpscope/v1/*.proto")))
            self.assertTrue((Path(out) / "iwarpscope/v1/observer_pb2.py").exists())

    def test_completions_are_what_the_program_prints(self):
        for shell, name in COMPLETIONS.items():
            self.assertEqual((self.prefix / name).read_bytes(), run(self.program, "completion", shell), shell)

    def test_manual_page_and_documents_are_those_of_the_tree(self):
        for name, source in [("man/man1/iwarpscope.1", "docs/man/iwarpscope.1"), ("doc/iwarpscope/LICENSE", "LICENSE"),
                             ("doc/iwarpscope/docs/rules.md", "docs/rules.md")]:
            self.assertEqual((self.prefix / "share" / name).read_bytes(), (ROOT / source).read_bytes(), name)

    def test_desktop_entry_and_metainfo_are_valid(self):
        if not has_dashboard():
            self.skipTest("a build without the dashboard")
        share, checked = self.prefix / "share", 0
        for command in (["desktop-file-validate", share / "applications/iwarpscope-gui.desktop"],
                        ["appstreamcli", "validate", "--no-net",
                         share / "metainfo/org.iwarpscope.iwarpscope_gui.metainfo.xml"]):
            if shutil.which(command[0]):
                run(*command)
                checked += 1
        if not checked:
            self.skipTest("neither desktop-file-validate nor appstreamcli is installed")

    def test_staging_directory_of_a_packager_takes_everything(self):
        with tempfile.TemporaryDirectory() as stage:
            run(CMAKE, "--install", BUILD, "--prefix", "/usr", env={**os.environ, "DESTDIR": stage})
            self.assertEqual(files_under(Path(stage)),
                             {name if name.startswith("etc/") else f"usr/{name}" for name in wanted_files()})


if __name__ == "__main__":
    BUILD, CMAKE = sys.argv.pop(), sys.argv.pop()
    unittest.main()
