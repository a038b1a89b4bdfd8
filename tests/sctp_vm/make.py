#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes samples/sctp again: boots Debian's kernel in qemu, plays the scenarios there, and copies captures and truth to
the host.

    make.py IWARPSCOPE-SCTP-PEER FOLDER [SCENARIO...]     needs the packages that cmake/dependencies.sh sctp installs

Writes FOLDER/NAME.pcap (or .pcapng for several taps; packed if above 20 kB) and FOLDER/truth.json. The output of qemu
and of the guest is in a folder beside FOLDER, named FOLDER.vm.
"""
import gzip
import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from scenarios import SCENARIOS

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "guest"))
from guest import Guest, run  # noqa: E402

KERNEL = "linux-image-cloud-amd64"
PROGRAMS = ("tcpdump", "ip", "tc", "ethtool")
MODULES = ("virtio_pci", "virtio_blk", "sctp", "veth", "sch_netem")  # as in guest.sh
DISK = 64 << 20
PATIENCE = 1800  # seconds
PACKED = 20_000  # octets
COUNTERS = {"SctpT3Retransmits": "t3", "SctpFastRetransmits": "fast", "SctpAborteds": "aborts", "SctpShutdowns": "shutdowns",
            "SctpFragUsrMsgs": "fragmented", "SctpChecksumErrors": "checksum_errors", "SctpInDataChunkDiscards": "discarded"}


def boot(guest):
    """Runs the machine until it powers off; returns its archive."""
    disk = guest.work / "out.tar"
    with open(disk, "wb") as file:
        file.truncate(DISK)
    with open(guest.work / "console.log", "wb") as console:
        run(*guest.command("-nic", "none", "-drive", f"file={disk},format=raw,if=virtio", memory=1024), stdin=subprocess.DEVNULL,
            stdout=console, stderr=subprocess.STDOUT, timeout=PATIENCE)
    out = guest.work / "out"
    shutil.rmtree(out, ignore_errors=True)
    with tarfile.open(disk) as archive:
        archive.extractall(out)
    return out


def counters(path):
    """The kernel's counters of one host."""
    all = dict(line.split() for line in path.read_text().splitlines())
    return {name: int(all[key]) for key, name in COUNTERS.items() if int(all[key])}


def captured(folder, scenario, target):
    """Writes the capture of one scenario; returns its name."""
    files = [folder / f"{tap}.pcap" for tap in scenario.taps]
    suffix = ".pcap"
    if len(files) > 1:
        suffix = ".pcapng"
        run("mergecap", "-F", "pcapng", "-w", folder / "merged", *files)
        files = [folder / "merged"]
    octets = files[0].read_bytes()
    if len(octets) > PACKED:
        octets, suffix = gzip.compress(octets, 9, mtime=0), suffix + ".gz"
    (target / (scenario.name + suffix)).write_bytes(octets)
    return scenario.name + suffix


def truth(folder, scenario, kernel_release):
    ends = {}
    for side in ("active", "passive"):
        status = (folder / f"{side}.status").read_text().strip()
        if status != "0":
            raise SystemExit(f"{scenario.name}: the {side} side failed: {(folder / f'{side}.err').read_text()}")
        ends[side] = json.loads((folder / f"{side}.json").read_text())
    for tap in scenario.taps:
        if "\n0 packets dropped by kernel" not in (folder / f"{tap}.err").read_text():
            raise SystemExit(f"{scenario.name}: tcpdump lost packets; the machine is too busy")
    for side, host in (("active", "a"), ("passive", "b")):
        ends[side]["kernel"] = counters(folder / f"{host}.snmp")
    return {"what": scenario.what, "script": scenario.script, "kernel": kernel_release, "taps": scenario.taps,
            "network": scenario.before + scenario.middle, "settings": scenario.settings, "complete": not scenario.late,
            "doubled": scenario.doubled, "lost_behind_tap": scenario.lost_behind_tap, "ends": scenario.ends,
            "outcome": scenario.outcome, "outcomes": scenario.outcomes, "must": scenario.must, "may": scenario.may, **ends}


def collect(out, target, scenarios):
    """Captures and truth of the scenarios; returns their number."""
    release = (out / "kernel").read_text().strip()
    truths = [truth(out / scenario.name, scenario, release) for scenario in scenarios]
    target.mkdir(parents=True, exist_ok=True)
    for old in target.glob("*.pcap*"):
        old.unlink()
    names = [captured(out / scenario.name, scenario, target) for scenario in scenarios]
    (target / "truth.json").write_text(json.dumps(dict(zip(names, truths)), indent=1) + "\n", encoding="utf-8")
    return len(names)


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    peer, target, names = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    scenarios = [s for s in SCENARIOS if not names or s.name in names]
    guest = Guest(target.with_name(target.name + ".vm"), KERNEL, MODULES)
    guest.pack(HERE / "guest.sh", [*map(shutil.which, PROGRAMS), peer], {
        "etc/passwd": "root:x:0:0:root:/:/bin/sh\n",  # tcpdump searches it
        "scenarios": "\n".join(s.shell() for s in scenarios) + "\n"})
    out = boot(guest)
    print(f"{collect(out, target, scenarios)} captures in {target}")


if __name__ == "__main__":
    main()
