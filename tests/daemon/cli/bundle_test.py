#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Incident bundles: bundle_test.py IWARPSCOPE IWARPSCOPE_SYNTH IWARPSCOPED SAMPLES

What is in the zip file is used as its reader would: the packets are analysed again, and the verdict on the queue pair
has to be the same. Cut packets must not lead to an accusation that the whole ones do not make.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "service"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "golden"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "started"))
import analyzed  # pylint: disable=wrong-import-position
from running import Folder, Running, wait_until  # pylint: disable=wrong-import-position
from started import Started  # pylint: disable=wrong-import-position

PROGRAM = SYNTH = DAEMON = ""
STARTED = Started("")
SAMPLES = Path()
MEMBERS = ["README.txt", "report.html", "report.json", "packets.pcapng", "events.jsonl"]
SECRET = "the password is swordfish"


def run(*arguments, environment=None):
    if not environment:
        return STARTED.run(*arguments)
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=500,
                          env={**os.environ, **environment})


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def analysed(path, *options):
    return lines(run("analyze", "--format", "json", *options, path).stdout)


def queue_pairs(records):
    return [record for record in records if record["record"] == "qp"]


def ends(record):
    return (record["a"]["address"], record["a"]["port"], record["b"]["address"], record["b"]["port"],
            record.get("sctp_stream"))


def blamed(record):
    return record["verdict"]["blame"] if record["verdict"]["blame"] in ("a", "b", "path") else None


def synth(path, script):
    subprocess.run([SYNTH, "script", "-o", str(path)], input=script, capture_output=True, text=True, check=True)


def unpacked(path, folder):
    with zipfile.ZipFile(path) as file:
        assert file.testzip() is None
        file.extractall(folder)
        return file.namelist()


class InAFolder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.zip = self.folder / "out.zip"

    def bundle(self, *arguments, **options):
        done = run("bundle", *arguments, "-o", self.zip, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(unpacked(self.zip, self.folder / "in"), MEMBERS)
        return done

    def inside(self, name):
        return (self.folder / "in" / name).read_text(encoding="utf-8")


class OfAFile(InAFolder):
    def test_has_everything_about_one_queue_pair(self):
        for name, qp in (("siw/viol-crc-error.pcap", 0), ("siw/term-write-bad-stag.pcap", 0),
                         ("made/questions/read-never-answered.pcapng", 0)):
            sample = SAMPLES / name
            done = self.bundle(sample, "--qp", qp)
            self.assertEqual(done.stderr, "")
            whole = queue_pairs(analysed(sample, "--qp", qp))[0]
            again = [one for one in queue_pairs(analysed(self.folder / "in/packets.pcapng")) if ends(one) == ends(whole)]
            self.assertEqual(len(again), 1, name)
            for key in ("code", "outcome", "blame", "confidence"):
                self.assertEqual(again[0]["verdict"][key], whole["verdict"][key], name)
            self.assertEqual(lines(self.inside("report.json")), analysed(sample, "--qp", qp))
            self.assertIn(f'id="qp{qp}"', self.inside("report.html"))
            events = lines(self.inside("events.jsonl"))
            self.assertEqual(events[-1]["record"], "qp")
            self.assertTrue(all(one["qp"] == qp and one["a"] and one["b"] for one in events))
            self.assertEqual([one["id"] for one in events[:-1]],
                             [one["id"] for one in analysed(sample, "--qp", qp) if one["record"] == "finding"])
            for member in MEMBERS[1:]:
                self.assertIn(member, self.inside("README.txt"))

    def test_without_a_number_has_all_that_did_not_end_well(self):
        path = self.folder / "three.pcapng"
        synth(path, "connect\nstartup\nsend a 100\nclose\nconnection\nconnect\nstartup\nread-request a\nreset b\n"
                    "connection\nconnect\nstartup\nread-request a\nreset b\n")
        done = self.bundle(path)
        self.assertIn("of 2 queue pairs", done.stdout)
        again = queue_pairs(analysed(self.folder / "in/packets.pcapng"))
        wanted = [one for one in queue_pairs(analysed(path)) if one["verdict"]["outcome"] != "completed"]
        self.assertEqual(sorted(map(ends, again)), sorted(map(ends, wanted)))
        self.assertEqual(len(queue_pairs(lines(self.inside("report.json")))), 3)

    def test_of_healthy_traffic_says_that_it_has_no_packets(self):
        path = self.folder / "one.pcapng"
        synth(path, "connect\nstartup\nsend a 100\nclose\n")
        self.assertIn("choose one with --qp", self.bundle(path).stderr)
        self.assertIn("choose one with --qp", " ".join(self.inside("README.txt").split()))

    def test_is_the_same_for_the_same_input(self):
        contents = []
        for zone in ("UTC", "America/New_York"):
            self.bundle(SAMPLES / "siw/viol-crc-error.pcap", environment={"TZ": zone})
            texts = {name: (self.folder / "in" / name).read_bytes() for name in MEMBERS}
            self.assertEqual(texts["report.html"].count(b">Made 2"), 1)
            texts["report.html"] = b"".join(line for line in texts["report.html"].splitlines(True) if b">Made 2" not in line)
            contents.append(texts)
        self.assertEqual(*contents)

    def test_trouble_is_a_sentence_and_leaves_no_file(self):
        sample = SAMPLES / "siw/viol-crc-error.pcap"
        for arguments, words in ((("none-such.pcap", "-o", self.zip), "none-such.pcap"),
                                 ((sample, "--qp", 77, "-o", self.zip), "QP 77 does not exist"),
                                 (("-", "-o", self.zip), "standard input"),
                                 ((sample, "-o", "/nowhere/at/all.zip"), "/nowhere/at/all.zip"),
                                 ((sample,), "--output"), ((sample, "--socket", "x", "-o", self.zip), "excludes"),
                                 (("--socket", self.folder / "none", "-o", self.zip), "none")):
            done = run("bundle", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_ten_thousand_queue_pairs_are_bounded_and_counted(self):
        path = self.folder / "many.pcapng"
        synth(path, "connection\n".join(
            f"end a address=10.1.{number >> 8}.{number & 255} port=40000\nconnect\nstartup\nread-request a\nreset b\n"
            for number in range(10_000)))
        done = self.bundle(path)
        self.assertIn("of 1000 queue pairs", done.stdout)
        self.assertIn("9000 more queue pairs", done.stderr)
        self.assertEqual(len(queue_pairs(analysed(self.folder / "in/packets.pcapng"))), 1000)
        self.assertLess((self.folder / "in/report.html").stat().st_size, 2_000_000)


class Cut(InAFolder):
    def test_has_no_payload_and_no_private_data(self):
        path = self.folder / "secret.pcapng"
        words, long = f'text="{SECRET}"', f'text="{SECRET * 90}"'
        tcp = f"connect\nstartup rev=2 ird=4 ord=4 private-{words}\n"
        sctp = f"sctp\nconnect\nsession a enhanced-initiate private-{words}\nsession b enhanced-accept\n"
        markers = tcp.replace("startup", "startup markers")
        for begin in (tcp, tcp + "pack a\n", tcp + "offload a\n", tcp + "cut a 700,100\n", markers, sctp):
            with self.subTest(begin=begin):
                synth(path, f"{begin}send a {words}\nwrite a {words}\nsend b {words}\nrepeat 3 send a {long}\nclose\n")
                self.assertIn(SECRET.encode(), path.read_bytes())
                self.bundle(path, "--qp", 0, "--cut-payload")
                cut = (self.folder / "in/packets.pcapng").read_bytes()
                for part in (SECRET[i:i + 6] for i in range(len(SECRET) - 6)):
                    self.assertNotIn(part.encode(), cut)
                self.assertIn("first octet of ULP payload", " ".join(self.inside("README.txt").split()))

    def test_of_no_sample_accuses_more_than_the_whole_packets(self):
        rules = {row["id"]: row for row in lines(run("rules", "--format", "json").stdout)}
        samples = analyzed.captures(SAMPLES)
        self.assertGreater(len(samples), 100)
        bundles = {}
        with ThreadPoolExecutor(2) as pool:
            for sample, report in analyzed.reports(PROGRAM, samples):
                for qp in report.of("qp")[:2]:
                    at = self.folder / str(len(bundles))
                    bundles[at] = (sample, qp["qp"], report, pool.submit(cut_packets, sample, qp["qp"], at))
        packets = [done.result() for *_, done in bundles.values()]
        for (sample, qp, whole, _), (_, cut) in zip(bundles.values(), analyzed.reports(PROGRAM, packets), strict=True):
            with self.subTest(sample=str(sample.relative_to(SAMPLES)), qp=qp):
                self.assertEqual(accusations(whole, cut, rules), [])


def cut_packets(sample, qp, folder):
    """The packets of its bundle without payload."""
    folder.mkdir()
    done = run("bundle", sample, "--qp", qp, "--cut-payload", "-o", folder / "out.zip")
    assert done.returncode == 0, f"{sample}, QP {qp}: {done.stderr}"
    unpacked(folder / "out.zip", folder)
    return folder / "packets.pcapng"


def accusations(whole, cut, rules):
    """What the cut packets are blamed for, and the whole ones are not. A verdict that says that the capture limits it
    blames no end."""
    known = {one["id"] for one in whole.of("finding")}
    known_ends = {(ends(one), blamed(one)) for one in whole.of("qp")}
    more = [one["verdict"]["text"] for one in cut.of("qp")
            if blamed(one) and (ends(one), blamed(one)) not in known_ends and one["verdict"]["confidence"] != "limited"]
    for one in cut.of("finding"):
        rule = rules[one["id"]]
        if one["id"] not in known and rule["severity"] != "note" and rule["about"] != "capture":
            more.append(f"{rule['code']} {one['text']}")
    return more


class OfADaemon(InAFolder):
    def test_has_everything_about_one_queue_pair(self):
        sample = SAMPLES / "siw/viol-crc-error.pcap"
        with Folder() as place, Running(DAEMON, place.path, arguments=("-r", sample)) as daemon:
            wait_until(lambda: not json.loads(run("status", "--socket", daemon.socket, "--format", "json").stdout)["capturing"],
                       "the end of the replay")
            for options in (("--qp", 0), (), ("--qp", 0, "--cut-payload")):
                done = self.bundle("--socket", daemon.socket, *options)
                self.assertEqual(done.stderr, "")
                whole, again = (queue_pairs(analysed(path))[0] for path in (sample, self.folder / "in/packets.pcapng"))
                if "--cut-payload" not in options:
                    self.assertEqual(again["verdict"]["code"], whole["verdict"]["code"])
                self.assertEqual(queue_pairs(lines(self.inside("report.json")))[0]["verdict"]["code"], whole["verdict"]["code"])
                html = self.inside("report.html")
                for words in ("1 failed", "Findings: 1 error, 1 warning, 2 notes" if not options else "Findings: 1 error",
                              'id="qp0"', "MPA Request", "TCP FIN", "MF-04"):
                    self.assertIn(words, html)
                events = lines(self.inside("events.jsonl"))
                self.assertEqual([one["record"] for one in events], ["finding"] * (len(events) - 1) + ["qp"])
                self.assertIn("mpa.crc-mismatch", [one.get("id") for one in events])
                # The names are those of the event log.
                log = {(one["run_uuid"], one["sequence"]): one for one in lines((place.path / "events.jsonl").read_text())}
                for one in events:
                    self.assertEqual(one, log[one["run_uuid"], one["sequence"]])
            done = run("bundle", "--socket", daemon.socket, "--qp", 77, "-o", self.zip)
            self.assertEqual(done.returncode, 2)
            self.assertIn("77", done.stderr)


if __name__ == "__main__":
    PROGRAM, SYNTH, DAEMON = sys.argv[1:4]
    SAMPLES = Path(sys.argv[4])
    with Started(PROGRAM) as STARTED:
        unittest.main(argv=sys.argv[:1] + sys.argv[5:])
