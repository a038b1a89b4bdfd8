# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The blocks of docs/site.md, and the machines they are for.

Each block of a guide is one of these, and the line before it says which:
  "On db1 and db2:"                                      commands, for root on each of these machines
  "In /etc/x.conf on db1:"                               that file
  "In /etc/x.toml on db1, under `[part]`:"               lines below [part] in that file
  ```text                                                a picture
Any other block is an error. Where another test runs a section, the section has a comment <!-- run by tests/x.py -->, and
that test reads the guide.
"""

import dataclasses
import os
import re
import shutil
import subprocess
from pathlib import Path

from patroni import Host

ROOT = Path(__file__).resolve().parents[2]
PLACE = Path("/run/machines")  # on the tmpfs of patroni.enter()
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ON = re.compile(r"(?:^|\s)On (\w+(?:(?:, | and )\w+)*):$")
IN = re.compile(r"(?:^|\s)In (/\S+) on (\w+(?:(?:, | and )\w+)*)(?:, under `(\[\w+\])`)?:$")


@dataclasses.dataclass
class Block:
    section: str
    machines: list
    text: str
    path: str = ""
    under: str = ""


class Wrong(Exception):
    """What is wrong with the guide."""


def marked(section, before, text):
    before = " ".join(before.split())
    if found := ON.search(before):
        return Block(section, re.split(r", | and ", found[1]), text)
    if found := IN.search(before):
        return Block(section, re.split(r", | and ", found[2]), text, found[1], found[3] or "")
    raise Wrong(f"{section}: no line says where this belongs:\n{text}")


def blocks(guide):
    """In their order; those of sections that other tests run are left out."""
    found = []
    for part in re.split(r"(?m)^(?=## )", guide):
        section = part.splitlines()[0].removeprefix("## ") if part else ""
        if elsewhere := re.search(r"<!-- run by (\S+) -->", part):
            test = ROOT / elsewhere[1]
            if not test.is_file() or "site.md" not in test.read_text(encoding="utf-8"):
                raise Wrong(f"{section}: {test} does not read it")
            continue
        part = re.sub(r"(?ms)^```text\n.*?^```$", "", part)
        if "```" in part or "~~~" in part or "\t" in part:
            raise Wrong(f"{section}: a block between fences that is no text, or a tab")
        for match in re.finditer(r"(?m)(?:^ {4}.*\n(?:\n+(?= {4}))?)+", part):
            before = part[:match.start()].rstrip().rsplit("\n\n", 1)[-1]
            found.append(marked(section, before, re.sub(r"(?m)^ {4}", "", match[0]).strip("\n") + "\n"))
    return found


def sh(*words, **more):
    return subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, check=True, **more)


class Machine(Host):
    """A network namespace, a host name, and a copy of this system's files that only it changes."""

    def __init__(self, name, address, names):
        super().__init__(name, address)
        self.root = PLACE / name / "root"
        for folder in ("upper", "work", "root"):
            (PLACE / name / folder).mkdir(parents=True)
        sh("mount", "-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir={PLACE}/{name}/upper,workdir={PLACE}/{name}/work", self.root)
        for wanted in (self.root / "etc/systemd/system").glob("*.wants"):
            shutil.rmtree(wanted)  # what is enabled on this system is not on that one
        for folder in ("run", "root", "tmp"):
            sh("mount", "-t", "tmpfs", "-o", f"mode={'1777' if folder == 'tmp' else '755'}", "tmpfs", self.root / folder)
        sh("mount", "-t", "proc", "proc", self.root / "proc")
        sh("mount", "--rbind", "/dev", self.root / "dev")
        hosts = ["127.0.0.1 localhost", *(f"{its} {other}.example.net {other}" for other, its in names.items())]
        (self.root / "etc/hosts").write_text("\n".join(hosts) + "\n", encoding="ascii")
        commands = (Path(__file__).parent / "guide_commands.py").read_bytes()
        for program in ("systemctl", "apt-get", "scp"):
            path = self.root / "usr/local/sbin" / program
            path.write_bytes(commands)
            path.chmod(0o755)
        packages = sh(ROOT / "cmake/dependencies.sh", "--list", "test", "patroni", capture_output=True, text=True).stdout
        clients = packages.replace("postgresql-", "postgresql-client-")  # each server's package needs its client's
        (self.root / "etc/iwarpscope-guide-packages").write_text(packages + clients, encoding="ascii")
        self.run("mkdir -p /run/systemd/system && install -d -o postgres -g postgres -m 2775 /run/postgresql")

    def command(self, *words):
        inside = f'hostname {self.name} && mount --rbind /sys {self.root}/sys && exec chroot {self.root} "$@"'
        return super().command("unshare", "--mount", "--uts", "sh", "-c", inside, "sh", "env", "-i", f"PATH={PATH}", "HOME=/root", "LANG=C.UTF-8",
                               "USER=root", "DEBIAN_FRONTEND=noninteractive", *words)

    def ask(self, script, patience=60):
        """As in one shell of root after another: variables that are exported, and the folder, stay."""
        whole = ('[ ! -e /root/.shell ] || . /root/.shell\ncd "$(cat /root/.folder 2>/dev/null || echo /root)"\n'
                 f"{script}\nexport -p >/root/.shell\npwd >/root/.folder\n")
        try:
            return subprocess.run(self.command("bash", "-e", "-o", "pipefail", "-c", whole), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  check=False, timeout=patience)
        except subprocess.TimeoutExpired:
            raise Wrong(f"{self.name}: not done within {patience} s:\n{script}") from None

    def run(self, script):
        """What it prints; Wrong if one of its commands fails."""
        done = self.ask(script)
        if done.returncode != 0:
            raise Wrong(f"{self.name}: ended with {done.returncode}:\n{script}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
        return done.stdout

    def write(self, block):
        path = self.root / block.path.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        text = block.text
        if block.under:
            whole = path.read_text(encoding="utf-8")
            if whole.count(f"\n{block.under}\n") != 1:
                raise Wrong(f"{block.path} on {self.name} has no {block.under}")
            text = whole.replace(f"\n{block.under}\n", f"\n{block.under}\n{block.text}")
        path.write_text(text, encoding="utf-8")

    def service_log(self, unit):
        path = self.root / f"var/log/{unit}.service.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def main_pid(self, unit):
        return int((self.root / f"run/units/{unit}.service.main").read_text(encoding="ascii"))

    def kill_service(self, unit):
        os.kill(self.main_pid(unit), 9)

    def power_on(self):
        """After kill(): what is enabled starts."""
        self.run("systemctl --boot")
