#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Does what docs/guide.md says, and holds what comes against what it shows: guide_test.py IWARPSCOPED IWARPSCOPE SOURCE

In a network namespace of its own, where the interface has the guide's name: the daemon watches it with the guide's
[capture] and [api], the captures of samples/live come over it, and the guide's own commands are run. Each line that the
guide shows below a command has to be printed by it, in that order; numbers of times, rates and durations may differ.
Prometheus runs with the guide's configuration, and the recording is read by tshark. --show prints what the commands print.
What the guide says of packages, systemd and its drop-in is done by tests/packages.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from cable import FAR, NEAR, SKIPPED, enter, metrics  # noqa: E402
from certificates import certificate  # noqa: E402
from running import Folder, Running, wait_until  # noqa: E402
from send_capture import frames  # noqa: E402
from watch_client_test import Terminal  # noqa: E402

CAPTURES = ["verbs-all-opcodes-crc.pcap", "term-write-bad-stag.pcap", "viol-crc-error.pcap",
            "viol-mpa-reply-ird-insufficient.pcap", "mpa-crc-strict-reject.pcap"]
METRICS = 9469     # the port of the guide
PROMETHEUS = 9090  # of Prometheus
# What another run has differently: dates and times, durations, frames of other traffic; Wireshark's arrows.
VARIES = [(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+", "TIME"), (r"run \d{8}T\d{6}Z-\d+", "RUN"),
          (r"\d{8}T\d{6}Z", "TIME"), (r"@\[[\d.]+\]", "@[TIME]"),
          (r"\b\d+(\.\d+)? (ns|us|ms|s)\b", "DURATION"), ("→", ">"), (r"\b\d+ frames, [\d.]+ KiB", "FRAMES")]


class Guide:
    def __init__(self, text):
        found = re.findall(r"(?m)(?:^    .*\n(?:\n(?=    ))?)+", text)
        self.blocks = [part.strip("\n") + "\n" for block in found
                       for part in re.split(r"(?m)^(?=\$ )", re.sub(r"(?m)^    ", "", block)) if part.strip()]

    def block_with(self, word):
        """The one block that begins so."""
        found = [block for block in self.blocks if block.startswith(word)]
        if len(found) != 1:
            raise AssertionError(f"the guide has {len(found)} blocks that begin with {word!r}")
        return found[0]

    def transcripts(self):
        """(command, lines that are shown), for each; a line of dots matches any."""
        for n, block in enumerate(self.blocks):
            if block.startswith("$ "):
                command, *lines = block.splitlines()
                # `iwarpscope qp 2` is in the text above its block.
                yield command[2:], [line for line in lines if line.strip() and line.strip() != "..."]
            elif block.startswith("QP 2\n"):
                yield "iwarpscope qp 2", [line for line in block.splitlines() if line.strip() not in ("", "...")]


def plain(line):
    """Without what another run has differently; a word cut by dots in the guide ends the line."""
    for pattern, word in VARIES:
        line = re.sub(pattern, word, line)
    return " ".join(line.split())


def missing(wanted, printed):
    """The lines that are not printed after the ones before them; one that ends in dots is the beginning of its line."""
    rest = iter([plain(line) for line in printed])

    def there(line):
        if line.endswith(" ..."):
            return any(one.startswith(line.removesuffix(" ...")) for one in rest)
        return line in rest

    return [line for line in map(plain, wanted) if not there(line)]


def send(root):
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as cable:
        cable.bind((NEAR, 0))
        count = 0
        for name in CAPTURES:
            for frame in frames(Path(root) / "samples/siw" / name):
                cable.send(frame)
                count += 1
        return count


class Walk:
    """One walk through the guide."""

    def __init__(self, program, client, root, folder):
        root = Path(root).resolve()
        self.root, self.folder, self.troubles = root, folder, []
        self.guide = Guide((root / "docs/guide.md").read_text(encoding="utf-8"))
        capture = re.search(r"\[capture\] (interfaces = .*)", self.guide.block_with("sudoedit"))[1]
        self.interface = tomllib.loads(capture)["interfaces"][0]
        for words in (["set", FAR, "down"], ["set", FAR, "name", self.interface], ["set", self.interface, "up"]):
            subprocess.run(["ip", "link", *words], check=True)
        self.daemon = Running(program, folder)
        self.daemon.port = METRICS
        subprocess.run(["ip", "address", "add", "192.0.2.1/32", "dev", "lo"], check=True)  # the guide's sensor, and its client
        for name, signer in (("ca", None), ("sensor", "ca"), ("me", "ca")):
            certificate(folder, name, signer, "192.0.2.1")
        shutil.copy(folder / "ca.pem", folder / "operators.pem")
        api = self.guide.block_with("[api]").replace("/etc/iwarpscope", str(folder))
        self.daemon.configure(f'sensor = "vm"\n[capture]\n{capture}\n{api}[limits]\nafter_end = "1 s"\n[recorder]\nafter = "1 s"\n')
        programs = folder / "bin"
        programs.mkdir()
        (programs / "iwarpscope").symlink_to(Path(client).resolve())
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                            "IWARPSCOPE_SOCKET": str(self.daemon.socket)}

    def prometheus(self):
        """Started with what the guide says of its configuration."""
        text = self.guide.block_with("scrape_configs:").replace("/usr/share/iwarpscope", f"{self.root}/daemon/share")
        path = self.folder / "prometheus.yml"
        path.write_text("global: {scrape_interval: 200ms, scrape_timeout: 200ms}\n" + text)
        log = open(self.folder / "prometheus.txt", "wb")
        return subprocess.Popen(["prometheus", f"--config.file={path}", f"--storage.tsdb.path={self.folder}/tsdb",
                                 f"--web.listen-address=127.0.0.1:{PROMETHEUS}"], stdout=log, stderr=log)

    def run(self, command):
        if command.startswith("iwarpscope watch"):
            command += " --once"
        name = re.search(r"\d{8}T\d{6}Z(\S+)", command)
        if name:
            found = [path.name for path in (self.folder / "recordings").iterdir() if path.name.endswith(name[1])]
            if len(found) != 1:
                self.troubles.append(f"{len(found)} recordings are named TIME{name[1]}")
                return []
            command = command.replace(name[0], found[0])
        where = self.folder / "recordings" if name else self.folder
        done = subprocess.run(["bash", "-c", command], cwd=where, env=self.environment,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60)
        if done.returncode != 0:
            self.troubles.append(f"{command}: {done.stderr}")
        return done.stdout.splitlines()

    def compare(self, show):
        count = 0
        for command, lines in self.guide.transcripts():
            count += 1
            printed = self.run(command)
            if not lines and not printed:
                self.troubles.append(f"`{command}` prints nothing")
            if show:
                print(f"$ {command}", *printed, sep="\n")
            for line in missing(lines, printed):
                self.troubles.append(f"`{command}` does not print what the guide shows: {line}")
        if count < 8:
            self.troubles.append(f"the guide has {count} transcripts only")

    def options(self):
        """Those of every command that the guide names are known, and each command prints records where it says so."""
        text = "\n".join(self.guide.blocks) + (Path(self.root) / "docs/guide.md").read_text(encoding="utf-8")
        for words in sorted(set(re.findall(r"\biwarpscope ((?:status|qps|qp|findings|watch|record|history)[^`\n|#]*)", text))):
            known = "\n".join(self.run(f"iwarpscope {words.split()[0]} --help"))
            for option in re.findall(r"--[a-z][a-z-]+", words):
                if option not in known:
                    self.troubles.append(f"iwarpscope {words.split()[0]} has no {option}")
        for words in ("status", "qps", "qp 2", "findings", "watch --once", "history"):
            printed = self.run(f"iwarpscope {words} --format json")
            if not printed or not all(isinstance(json.loads(line), dict) for line in printed):
                self.troubles.append(f"iwarpscope {words} --format json prints no records: {printed[:3]}")

    def watch(self):
        """On a terminal: the queue pairs of the guide are drawn."""
        os.environ["IWARPSCOPE_SOCKET"] = str(self.daemon.socket)
        terminal = Terminal([str(self.folder / "bin/iwarpscope"), "watch"], columns=160)
        try:
            for _, lines in (one for one in self.guide.transcripts() if one[0] == "iwarpscope watch"):
                for line in lines[1:]:
                    ends = re.search(r"[\d.]+:\d+ -> [\d.]+:\d+", line)[0]
                    terminal.wait_for_screen(re.escape(ends))
            terminal.press("q")
            if terminal.status() != 0:
                self.troubles.append(f"watch ended with {terminal.status()}")
        finally:
            terminal.close()

    def closed(self):
        """Time is that of frames: other traffic lets it go on. True when all connections have been given up."""
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as cable:
            cable.bind((NEAR, 0))
            cable.send(b"\xff" * 6 + b"\x02" + b"\0" * 5 + b"\x08\x06" + b"\0" * 28)  # ARP
        return metrics(self.daemon).get("iwarp_qp_closed_total") == len(CAPTURES)

    def all(self, show):
        with self.daemon:
            server = self.prometheus()
            try:
                sent = send(self.root)
                wait_until(lambda: metrics(self.daemon)["iwarp_capture_packets_total"] == sent, f"{sent} frames")
                wait_until(self.closed, "the verdicts")
                recordings = self.folder / "recordings"
                wait_until(lambda: len(list(recordings.glob("*.pcapng"))) == 2, "two recordings")

                def scraped():
                    try:
                        with urllib.request.urlopen(f"http://127.0.0.1:{PROMETHEUS}/api/v1/query?query="
                                                    "sum(iwarp_qp_closed_total)", timeout=10) as answer:
                            return f'"{len(CAPTURES)}"' in answer.read().decode()
                    except OSError:
                        return False

                wait_until(scraped, "a scrape by Prometheus")
                self.compare(show)
                self.options()
                self.watch()
            finally:
                server.terminate()
                server.wait(30)
                self.daemon.stop()


def main(program, client, root, *show):
    enter()
    absent = [name for name in ("prometheus", "promtool", "tshark", "curl") if shutil.which(name) is None]
    if absent:
        print(f"Skipped: {absent} are not installed.")
        sys.exit(SKIPPED)
    assert missing(["a", "c 1 ms", "d ..."], ["a", "b", "c 22.5 s", "d e f"]) == []
    assert missing(["a", "c"], ["c", "a"]) == ["c"]
    with Folder() as own:
        walk = Walk(program, client, root, own.path)
        walk.all(bool(show))
        for trouble in walk.troubles:
            print("FAILED:", trouble)
        sys.exit(1 if walk.troubles else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
