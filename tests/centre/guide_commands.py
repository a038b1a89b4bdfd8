#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""systemctl, apt-get and scp on the machines of site_guide_test.py, which have no systemd, no mirror of Debian and no sshd.

systemctl starts what the unit says, as its user and with its files, waits until it is ready, and starts it again as the unit says.
apt-get installs packages that are files with dpkg, and checks that the others are installed and named in cmake/dependencies.sh.
scp copies to another machine's folder. Whatever they do not know is an error.
"""

import contextlib
import os
import pwd
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

UNITS = [Path(folder) for folder in ("/etc/systemd/system", "/lib/systemd/system", "/usr/lib/systemd/system")]
WANTED = Path("/etc/systemd/system/multi-user.target.wants")
STATE = Path("/run/units")
READY = 120  # seconds
# Only for systemd: limits and sandboxes, and what orders one unit after another.
WITHOUT_EFFECT = re.compile(r"Description|Documentation|Wants|After|Before|Alias|WantedBy|TimeoutS\w+|Limit\w+|Memory\w+|Restrict\w+|Protect\w+|Private\w+|"
                            r"SystemCall\w+|NoNewPrivileges|CapabilityBoundingSet|UMask|DevicePolicy|RemoveIPC|KeyringMode|LockPersonality|ProcSubset|"
                            r"IPAddress\w+|NotifyAccess|WatchdogSec|RestartPreventExitStatus|PermissionsStartOnly|ConditionPathExists|KillMode|SendSIGKILL")


def refuse(what):
    sys.exit(f"{Path(sys.argv[0]).name}: {what}")


class Unit:
    """A unit and its drop-ins: {key: [values]}."""

    def __init__(self, name):
        self.name = name if name.endswith((".service", ".timer")) else f"{name}.service"
        found = [folder / self.name for folder in UNITS if (folder / self.name).is_file()]
        if not found:
            refuse(f"there is no unit {self.name}")
        self.file, self.keys = found[0], {}
        for path in (self.file, *sorted((UNITS[0] / f"{self.name}.d").glob("*.conf"))):
            for line in path.read_text(encoding="utf-8").splitlines():
                if "=" in line and not line.startswith(("#", ";", "[")):
                    key, value = line.split("=", 1)
                    self.keys.setdefault(key, []).append(value.replace("%H", socket.gethostname()).replace("%p", self.name.split(".")[0]))
        known = {"Type", "User", "Group", "SupplementaryGroups", "Environment", "EnvironmentFile", "ExecStart", "ExecReload", "Restart", "RestartSec",
                 "AmbientCapabilities", "RuntimeDirectory", "RuntimeDirectoryMode", "StateDirectory", "StateDirectoryMode", "LogsDirectory",
                 "LogsDirectoryMode", "ConfigurationDirectory", "OnCalendar", "RandomizedDelaySec", "Persistent"}
        unknown = {key for key in self.keys if key not in known and not WITHOUT_EFFECT.fullmatch(key)}
        if unknown:
            refuse(f"{self.name} has {', '.join(sorted(unknown))}")

    def get(self, key, default=""):
        return self.keys.get(key, [default])[-1]

    def environment(self):
        has = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        if self.get("User"):
            has["HOME"] = pwd.getpwnam(self.get("User")).pw_dir
        for line in self.keys.get("Environment", []):
            has.update(one.split("=", 1) for one in shlex.split(line))
        for name in self.keys.get("EnvironmentFile", []):
            if name.startswith("-") and not Path(name[1:]).exists():
                continue
            for line in Path(name.lstrip("-")).read_text(encoding="utf-8").splitlines():
                if line.strip() and not line.lstrip().startswith(("#", ";")):
                    key, value = line.split("=", 1)
                    has[key] = " ".join(shlex.split(value))
        for key, place in (("Runtime", "/run"), ("State", "/var/lib"), ("Logs", "/var/log")):
            if folder := self.get(f"{key}Directory"):
                path = Path(place, folder)
                path.mkdir(parents=True, exist_ok=True)
                shutil.chown(path, self.get("User"), self.get("Group"))
                path.chmod(int(self.get(f"{key}DirectoryMode", "755"), 8))
                has[f"{key.upper()}_DIRECTORY"] = str(path)
        return has

    def command(self, line, environment):
        """The words of ExecStart=, with variables as systemd replaces them, run as the unit's user."""
        words = []
        for word in shlex.split(line):
            whole = re.fullmatch(r"\$(\w+)", word)
            words += environment.get(whole[1], "").split() if whole else [re.sub(r"\$\{(\w+)\}", lambda m: environment.get(m[1], ""), word)]
        user = self.get("User")
        if not user:
            return words
        groups = self.get("SupplementaryGroups")
        drop = ["setpriv", f"--reuid={user}", f"--regid={self.get('Group') or pwd.getpwnam(user).pw_gid}", f"--groups={groups}" if groups else "--clear-groups"]
        if capability := self.get("AmbientCapabilities"):
            names = ",".join("+" + one.removeprefix("CAP_").lower() for one in capability.split())
            drop += [f"--inh-caps=-all,{names}", f"--ambient-caps=-all,{names}", f"--bounding-set=-all,{names}"]
        return [*drop, *words]

    def pid_file(self):
        return STATE / self.name

    def pid(self):
        """Of its supervisor; 0: it does not run."""
        try:
            pid = int(self.pid_file().read_text(encoding="ascii"))
            os.kill(pid, 0)
            return pid
        except (OSError, ValueError):
            return 0

    def main_pid(self):
        return int((STATE / f"{self.name}.main").read_text(encoding="ascii"))

    def start(self):
        if self.name.endswith(".timer"):  # Persistent=yes: for the first time at once
            Unit(self.name.removesuffix(".timer")).run_once()
        elif not self.pid():
            self.supervise()

    def run_once(self):
        for line in self.keys["ExecStart"]:
            environment = self.environment()
            done = subprocess.run(self.command(line, environment), env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                refuse(f"{self.name}: {line} ended with {done.returncode}:\n{done.stdout}{done.stderr}")

    def supervise(self):
        """Returns when the service is ready; another process stays with it."""
        readable, writable = os.pipe()
        if os.fork() == 0:
            os.setsid()
            os.close(readable)
            os.dup2(os.open("/dev/null", os.O_RDWR), 0)
            log = os.open(f"/var/log/{self.name}.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            os.dup2(log, 1)
            os.dup2(log, 2)
            self.stay(writable)
            os._exit(0)
        os.close(writable)
        with os.fdopen(readable) as end:
            if end.read() != "ready":
                refuse(f"{self.name} does not start:\n" + Path(f"/var/log/{self.name}.log").read_text(encoding="utf-8", errors="replace")[-3000:])

    def stay(self, writable):
        self.pid_file().write_text(str(os.getpid()), encoding="ascii")
        stopping = []
        signal.signal(signal.SIGTERM, lambda *_: stopping.append(1))
        while True:
            process = self.launch()
            if writable is not None:
                os.write(writable, b"ready" if self.wait_for_ready(process) else b"")
                os.close(writable)
                writable = None
            while process.poll() is None and not stopping:
                self.listen()
            if stopping:
                process.terminate()
                process.wait()
                return
            if self.get("Restart") not in ("always", "on-failure", "on-abnormal") or self.get("Restart") != "always" and process.returncode == 0:
                return
            time.sleep(float(self.get("RestartSec", "0.1").removesuffix("s")))

    def launch(self):
        environment = self.environment()
        if self.get("Type") == "notify":
            path = STATE / f"{self.name}.notify"
            path.unlink(missing_ok=True)
            self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self.notify.bind(str(path))
            path.chmod(0o777)
            self.notify.settimeout(0.1)
            environment["NOTIFY_SOCKET"] = str(path)
        process = subprocess.Popen(self.command(self.keys["ExecStart"][0], environment), env=environment)
        (STATE / f"{self.name}.main").write_text(str(process.pid), encoding="ascii")
        return process

    def listen(self):
        """What the service says within a moment; a full socket would stop the service."""
        if self.get("Type") == "notify":
            with contextlib.suppress(TimeoutError):
                return self.notify.recv(65536)
        else:
            time.sleep(0.1)
        return b""

    def wait_for_ready(self, process):
        end = time.monotonic() + READY
        while process.poll() is None and time.monotonic() < end:
            if self.get("Type") != "notify" or b"READY=1" in self.listen():
                return True
        return False

    def stop(self):
        if pid := self.pid():
            os.kill(pid, signal.SIGTERM)
            while self.pid():
                time.sleep(0.05)

    def reload(self):
        if not self.pid():
            refuse(f"{self.name} is not running")
        environment = {**self.environment(), "MAINPID": str(self.main_pid())}
        subprocess.run(self.command(self.get("ExecReload"), environment), env=environment, check=True)

    def enable(self):
        WANTED.mkdir(parents=True, exist_ok=True)
        link = WANTED / self.name
        if not link.exists():
            link.symlink_to(self.file)


def systemctl(words):
    STATE.mkdir(exist_ok=True)
    if words == ["daemon-reload"]:
        return
    if words == ["--boot"]:  # as a machine that starts
        shutil.rmtree(STATE)
        STATE.mkdir()
        for link in sorted(WANTED.glob("*.service")):
            Unit(link.name).start()
        return
    verb, now = words[0], words[1:2] == ["--now"]
    names = words[2:] if now else words[1:]
    if verb == "try-restart":  # what package scripts say
        for path in [path for name in names for path in STATE.glob(name) if path.suffix == ".service" and Unit(path.name).pid()]:
            Unit(path.name).stop()
            Unit(path.name).start()
        return
    if verb not in ("enable", "start", "stop", "restart", "reload") or now and verb != "enable" or not names or any(one.startswith("-") for one in names):
        refuse(f"unknown: {' '.join(words)}")
    for unit in [Unit(name) for name in names]:
        if verb == "enable":
            unit.enable()
        if verb in ("stop", "restart"):
            unit.stop()
        if verb in ("start", "restart") or now:
            unit.start()
        if verb == "reload":
            unit.reload()


def apt_get(words):
    if words[:1] != ["install"] or len(words) < 2 or any(word.startswith("-") for word in words):
        refuse(f"unknown: {' '.join(words)}")
    known = {name for line in Path("/etc/iwarpscope-guide-packages").read_text(encoding="utf-8").split() for name in line.split("|")}
    files = [word for word in words[1:] if word.startswith("./")]
    for name in words[1:]:
        status = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Abbrev}", name], capture_output=True, text=True, check=False).stdout
        if name not in files and (name not in known or not status.startswith("ii")):
            refuse(f"{name} is not among the packages of cmake/dependencies.sh, or not installed")
    if files:
        done = subprocess.run(["dpkg", "--install", "--no-triggers", *files], stdin=subprocess.DEVNULL, check=False)
        sys.exit(done.returncode)


def scp(words):
    *files, to = words
    place = re.fullmatch(r"root@(\w+)\.example\.net:(/.+)", to)
    if not files or not place or not Path("/machines", place[1]).is_dir() or any(file.startswith("-") for file in files):
        refuse(f"unknown: {' '.join(words)}")
    target = Path("/machines", place[1]) / place[2][1:]
    if (len(files) > 1 or place[2].endswith("/")) and not target.is_dir() or not target.parent.is_dir():
        refuse(f"there is no folder {place[2]}")
    for file in files:
        its = target / Path(file).name if target.is_dir() else target
        mode = os.stat(file).st_mode & 0o777
        shutil.copyfile(file, its)
        its.chmod(mode)


if __name__ == "__main__":
    {"systemctl": systemctl, "apt-get": apt_get, "scp": scp}[Path(sys.argv[0]).name](sys.argv[1:])
