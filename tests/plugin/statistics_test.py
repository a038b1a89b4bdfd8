#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin's statistics in tshark equal the report of the program.

    statistics_test.py PLUGIN IWARPSCOPE SAMPLES
"""
import hashlib
import os
import re
import sys
import unittest
from collections import Counter, defaultdict

import synth
from reports import analyzed
from tshark import Tshark

PLUGIN, IWARPSCOPE, SAMPLES = sys.argv[1:4]
DIRECTIONS = ("a_to_b", "b_to_a")
SENDS = ("send", "send_invalidate", "send_se", "send_se_invalidate")
OVER_SCTP = {"mpa_requested": "requested", "mpa_rejected": "rejected", "awaiting_first_fpdu": "awaiting first segment"}
PAYLOAD = (*SENDS, "rdma_write", "rdma_read_response")
TITLES = {
    "rdma_write": "RDMA Write", "rdma_read_request": "RDMA Read Request", "rdma_read_response": "RDMA Read Response",
    "send": "Send", "send_invalidate": "Send with Invalidate", "send_se": "Send with SE",
    "send_se_invalidate": "Send with SE and Invalidate", "terminate": "Terminate", "immediate": "Immediate Data",
    "immediate_se": "Immediate Data with SE", "atomic_request": "Atomic Request", "atomic_response": "Atomic Response",
    "unknown": "message of unknown opcode"}

# IPv4 and IPv6, markers, no CRC, atomics, Terminates, refusals, loss, mid-stream, many queue pairs.
CAPTURES = ("siw/rping-ipv4-crc.pcap", "siw/rping-ipv6.pcap", "siw/term-write-oob.pcap", "siw/mpa-crc-strict-reject.pcap",
            "siw/perf-read-64k-ord4-crc.pcap.gz", "siw/verbs-all-opcodes-crc.pcap", "siw/many-64qp-write-crc.pcap.gz",
            "siw/midstream-rping-crc.pcap.gz", "siw/perf-send-bidir-10000-crc.pcap.gz", "made/messages/atomics.pcapng",
            "made/messages/all-opcodes-markers.pcapng", "made/messages/all-opcodes-nocrc.pcapng", "made/network/effects.pcapng",
            "siw/lossy-read-64k-crc-at-server.pcap.gz", "siw/lossy-send-64k-crc-at-server.pcap.gz",
            "siw/packed-write-200-crc.pcap.gz", "siw/midstream-send-64k-crc.pcap.gz", "made/rules/ddp.message-unfinished.pcapng",
            "made/sctp/sctp-streams.pcapng.gz", "made/sctp/sctp-bundled.pcapng", "made/sctp/sctp-lossy.pcapng.gz", "made/sctp/sctp-enhanced-rtr.pcapng")
# Captures whose upper layer octets are compared by digest: every message is complete, and none is inside another.
FOLLOWED = ("siw/rping-ipv4-crc.pcap", "siw/rping-ipv6.pcap", "siw/perf-read-64k-ord4-crc.pcap.gz",
            "siw/perf-send-bidir-10000-crc.pcap.gz", "siw/packed-write-200-crc.pcap.gz", "made/messages/all-opcodes-markers.pcapng",
            "siw/verbs-all-opcodes-crc.pcap", "made/sctp/sctp-bundled.pcapng", "made/sctp/sctp-streams.pcapng.gz")

# Each group is joined into one capture, with one start of tshark for it.
GROUPS = {"followed": FOLLOWED, "others": tuple(name for name in CAPTURES if name not in FOLLOWED)}
MANY = "siw/many-64qp-write-crc.pcap.gz"
ALL = ("iwarp,qp", "iwarp,findings", "iwarp,ops,tree", "iwarp,srt", "flow,iwarp,standard", "conv,iwarp", "endpoints,iwarp")


class Report:
    """The program's report on a capture."""

    def __init__(self, report):
        self.qps, self.messages, self.findings = (report.of(kind) for kind in ("qp", "message", "finding"))

    def worst(self, qp):
        mine = [f for f in self.findings if f["qp"] == qp]
        if not mine:
            return "none"
        order = ("error", "warning", "note")
        worst = min(mine, key=lambda f: order.index(f["severity"]))  # the first of them
        return f'{worst["code"]} {worst["id"]}'

    def sum(self, what, opcode):
        return sum(qp[d][what][opcode] for qp in self.qps for d in DIRECTIONS)


def end_text(end):
    address = f'[{end["address"]}]' if ":" in end["address"] else end["address"]
    return f'{address}:{end["port"]}'


def receiver_text(qp):
    """End B, and for a session over SCTP its stream."""
    return end_text(qp["b"]) + (f' stream {qp["sctp_stream"]}' if qp["transport"] == "sctp" else "")


def table(text, title):
    """The rows of a table that the plugin writes, as dictionaries."""
    lines = text.split(f"\n{title}\n\n", 1)[1].split("\n")
    if lines[0] == "None.":
        return []
    edges = [m.span() for m in re.finditer("-+", lines[1])]
    columns = [lines[0][a:b].strip() for a, b in edges]
    rows = []
    for line in lines[2:]:
        if not line:
            break
        cells = [line[a:b].strip() for a, b in edges[:-1]] + [line[edges[-1][0]:].strip()]
        rows.append(dict(zip(columns, cells)))
    return rows


def tree(text):
    """Count and average of each node of the statistics tree, by path."""
    nodes, path = {}, []
    for line in text.splitlines():
        found = re.match(r"( *)(\S.*?) {2,}(\d+)(?: +(\d+\.\d\d) +\d+ +\d+)? ", line)
        if not found or line.startswith("="):
            continue
        path = path[:len(found[1])] + [found[2]]
        nodes[tuple(path)] = (int(found[3]), float(found[4]) if found[4] else None)
    return nodes


class Statistics(unittest.TestCase):
    maxDiff = None
    capture = ""  # the capture under test
    written = {}

    @classmethod
    def setUpClass(cls):
        cls.tshark, cls.folder = Tshark(PLUGIN), synth.Folder()
        samples = {name: [os.path.join(SAMPLES, part) for part in GROUPS.get(name, [name])] for name in (*GROUPS, MANY)}
        cls.paths = {name: cls.folder.joined(*parts) if name in GROUPS else parts[0] for name, parts in samples.items()}
        cls.reports = dict(zip(cls.paths, cls.analyzed(cls.paths.values())))
        cls.single = cls.analyzed(part for name in GROUPS for part in samples[name])

    @staticmethod
    def analyzed(paths):
        options = ("--messages", "--digest", "--separate-interfaces")
        return [Report(report) for _, report in analyzed.reports(IWARPSCOPE, paths, *options)]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_tshark(self, name, *statistics, options=()):
        done = self.tshark.run(["-n", "-q", *synth.SEPARATE, *options, *(part for s in statistics for part in ("-z", s))], self.paths[name])
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def all_of(self, name, *options):
        """The output of all statistics in one run."""
        if (name, options) not in self.written:
            followed = [f"follow,iwarp,raw,{qp['qp']}" for qp in self.reports[name].qps] if name == "followed" else []
            self.written[name, options] = self.run_tshark(name, *ALL, *followed, options=options)
        return self.written[name, options]

    def each(self, names=GROUPS):
        """Each capture's report, and the output of all statistics."""
        for self.capture in names:
            yield self.reports[self.capture], self.all_of(self.capture)

    def _formatMessage(self, msg, standardMsg):
        return super()._formatMessage(f"{self.capture} {msg or ''}", standardMsg)

    def test_joined_captures_stay_apart(self):
        joined = [self.reports[name] for name in GROUPS]
        for many in ("qps", "messages"):
            counts = [sum(len(getattr(report, many)) for report in reports) for reports in (joined, self.single)]
            self.assertEqual(counts[0], counts[1], many)
        codes = [{f["code"] for report in reports for f in report.findings} for reports in (joined, self.single)]
        self.assertEqual(codes[1] - codes[0], set())

    def test_names_are_listed_once_and_others_are_refused(self):
        listed = self.tshark.run(["-z", "help"])
        words = Counter((listed.stdout + listed.stderr).split())
        for name in ("iwarp,qp", "iwarp,findings", "iwarp,ops,tree", "iwarp,srt", "follow,iwarp", "flow,iwarp", "conv,iwarp",
                     "endpoints,iwarp"):
            self.assertEqual(words[name], 1, name)
        refused = self.tshark.run(["-q", "-z", "iwarp,nothing"], os.path.join(SAMPLES, CAPTURES[0]))
        self.assertNotEqual(refused.returncode, 0)
        refused = self.tshark.run(["-q", "-z", "iwarp,qp,no such filter"], os.path.join(SAMPLES, CAPTURES[0]))
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("iwarp,qp", refused.stderr)

    def qp_row(self, report, qp):
        def on(setting):
            return {True: "on", False: "off", None: "?"}[setting]

        def depth(value):
            return "?" if value in (None, 0x3FFF) else str(value)

        def total(direction, what):
            if not direction["captured"]:
                return "not captured"
            return str(sum(direction[what].values())) + ("+" if direction["unframed_octets"] else "")

        crc, markers, verdict = qp["crc"], qp["markers"], qp["verdict"]
        both = [on(markers[d]) for d in DIRECTIONS]
        blame = f' ({verdict["blame"]})' if verdict["blame"] in ("a", "b", "path", "capture") else ""
        a, b = (qp[d] for d in DIRECTIONS)
        over_sctp = qp["transport"] == "sctp"  # SCTP has no FPDUs
        return {"QP": str(qp["qp"]), "A": end_text(qp["a"]), "B": receiver_text(qp),
                "State": (OVER_SCTP if qp["transport"] == "sctp" else {}).get(qp["state"], qp["state"]).replace("_", " ") + (f' ({qp["closed_by"].upper().replace("_", " ")})' if qp["closed_by"] else ""),
                "CRC": "-" if over_sctp else
                       on(crc["in_use"]) + ("~" if crc["in_use"] is not None and crc["inferred"] else ""),
                "Markers": "-" if over_sctp else (both[0] if both[0] == both[1] else "/".join(both)) +
                           ("~" if markers["inferred"] and both != ["?", "?"] else ""),
                "Depth": "/".join(depth(qp["read_depth"][d]) for d in DIRECTIONS),
                "A>B msgs": total(a, "messages"), "A>B octets": total(a, "payload_octets"),
                "B>A msgs": total(b, "messages"), "B>A octets": total(b, "payload_octets"),
                "Retrans": str(a["retransmitted_octets"] + b["retransmitted_octets"]),
                "Outcome": verdict["class"] + blame, "Worst finding": report.worst(qp["qp"])}

    def test_queue_pairs_are_those_of_the_report(self):
        for report, text in self.each():
            self.assertEqual(table(text, "iWARP queue pairs"), [self.qp_row(report, qp) for qp in report.qps])

    def test_queue_pairs_that_failed_are_shown_with_their_verdict(self):
        for report, text in self.each():
            reported = " ".join(text.split())
            for qp in report.qps:
                sentence = f'QP {qp["qp"]}: ' + " ".join(qp["verdict"]["text"].split())
                failed = qp["verdict"]["class"] in ("failed", "stalled", "refused")
                self.assertEqual(sentence in reported, failed, sentence)

    def test_findings_are_counted_as_in_the_report(self):
        for report, text in self.each():
            groups = defaultdict(list)
            for finding in report.findings:
                groups[finding["code"]].append(finding)
            rows = {row["Code"]: row for row in table(text, "iWARP findings")}
            self.assertEqual(set(rows), set(groups))
            for code, group in groups.items():
                frames = [f["frame"] for f in group if f["frame"]]
                expected = {"Code": code, "Finding": group[0]["id"], "Severity": group[0]["severity"],
                            "About": group[0]["about"], "Count": str(len(group)),
                            "QPs": str(len({f["qp"] for f in group} - {None})),
                            "First frame": str(min(frames)) if frames else "-"}
                self.assertEqual(rows[code], expected)

    def test_a_filter_selects_queue_pairs_and_findings(self):
        self.capture = MANY
        filtered = ("iwarp,qp,iwarp.qp == 13", "conv,iwarp,iwarp.qp == 13", 'iwarp,findings,iwarp.finding.code == "MF-03"',
                    "iwarp,findings,iwarp.qp == 13")
        self.assertEqual([f["code"] for f in self.reports[MANY].findings if f["qp"] == 13], ["TC-03"])
        for options in ((), ("-2",)):
            text = self.run_tshark(MANY, *filtered, options=options)
            self.assertEqual([row["QP"] for row in table(text, "iWARP queue pairs")], ["13"])
            self.assertEqual([row["QP"] for row in table(text, "iWARP conversations")], ["13"])
            by_code, by_qp = sorted(text.split("\niWARP findings\n")[1:], key=lambda part: "MF-03" not in part)
            codes = [row["Code"] for row in table("\niWARP findings\n" + by_code, "iWARP findings")]
            self.assertIn("MF-03", codes)
            self.assertNotIn("SX-13", codes)
            # Findings that no filter saw, as they were made at the end, are reported.
            codes = [row["Code"] for row in table("\niWARP findings\n" + by_qp, "iWARP findings")]
            self.assertEqual(("TC-03" in codes, "more" in by_qp), (True, False) if options else (False, True))
            self.assertEqual((codes == [], "\n1 more" in by_qp), (not options,) * 2)

    def test_operations_are_counted_by_opcode_and_queue_pair(self):
        for report, text in self.each():
            nodes = tree(text)
            by_opcode = Counter(m["opcode"] for m in report.messages)
            self.assertEqual(nodes["RDMA messages",][0], len(report.messages))
            for opcode, title in TITLES.items():
                self.assertEqual(nodes.get(("RDMA messages", title), (0,))[0], by_opcode[opcode], title)
            octets = {o: report.sum("payload_octets", o) for o in TITLES}
            self.assertEqual(nodes["Payload octets",][0], sum(octets.values()))
            for opcode, title in TITLES.items():
                self.assertEqual(nodes.get(("Payload octets", title), (0,))[0], octets[opcode], title)
            for (qp, direction, opcode), count in Counter((m["qp"], m["direction"], m["opcode"])
                                                          for m in report.messages).items():
                who = f'QP {qp}, {"A to B" if direction == "a_to_b" else "B to A"}'
                self.assertEqual(nodes["RDMA messages by queue pair", who, TITLES[opcode]][0], count)

    def test_lengths_of_whole_messages_are_averaged(self):
        for report, text in self.each(["followed"]):
            nodes = tree(text)
            for opcode in PAYLOAD:
                lengths = [m["length"] for m in report.messages if m["opcode"] == opcode]
                if lengths:
                    count, average = nodes["Length of messages with a captured end", TITLES[opcode]]
                    self.assertEqual(count, len(lengths))
                    self.assertAlmostEqual(average, sum(lengths) / count, delta=0.006)

    def test_fpdus_and_ddp_segments_are_counted_as_in_the_report(self):
        for report, text in self.each():
            nodes = tree(text)
            for path, what in (("FPDUs (ULPDU octets)",), "fpdus"), (("DDP segments (payload octets)",), "ddp_segments"), \
                    (("FPDUs (ULPDU octets)", "CRC bad"), "crc_bad"):
                counted = [qp for qp in report.qps if qp["transport"] == "tcp" or what == "ddp_segments"]
                self.assertEqual(nodes.get(path, (0, 0))[0], sum(qp[d][what] for qp in counted for d in DIRECTIONS), path)
            startup = [qp["startup"] for qp in report.qps if qp["startup"] and qp["transport"] == "tcp"]
            for word in ("request", "reply"):
                count = sum(s[word] is not None for s in startup)
                self.assertEqual(nodes.get(("MPA startup frames", f"MPA {word.capitalize()}"), (0, 0))[0], count, word)

    def test_session_control_messages_are_counted_by_function_code(self):
        for report, text in self.each():
            codes = Counter(int(found[1]) for path, (count, _) in tree(text).items()
                            for found in [re.search(r"\(code (\d)\)$", path[-1])] if found and len(path) == 2
                            for _ in range(count))
            reported = [s[w]["function_code"] for qp in report.qps if qp["transport"] == "sctp" and qp["startup"]
                    for s in [qp["startup"]] for w in ("request", "reply") if s[w]]
            self.assertEqual({code: n for code, n in codes.items() if code != 4}, Counter(reported))

    def test_response_times_are_those_of_the_report(self):
        for report, text in self.each():
            times = defaultdict(list)
            for m in report.messages:
                if m.get("response"):
                    read = m["opcode"] == "rdma_read_request"
                    times["RDMA Read" if read else "Atomic"].append(m["response"]["last_octet_ns"] / 1e9)
                    times[f'{"Reads" if read else "Atomics"} QP {m["qp"]}'].append(m["response"]["last_octet_ns"] / 1e9)
            kind, rows = "", {}
            for line in text.partition("SRT Statistics")[2].partition("====")[0].splitlines():
                if line.startswith("Index"):
                    kind = line.split()[1]
                found = re.match(r" *\d+  (\S.*?) +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +([\d.]+)$", line)
                if found:
                    name = found[1] if kind == "Request" else f"{kind} {found[1]}"
                    rows[name] = (int(found[2]), *(float(v) for v in found.groups()[2:5]))
            self.assertEqual(set(rows), set(times))
            for name, row in rows.items():
                t = times[name]
                self.assertEqual(row[0], len(t), name)
                for seen, true in zip(row[1:], (min(t), max(t), sum(t) / len(t))):
                    self.assertAlmostEqual(seen, true, delta=1.1e-6, msg=name)

    def followed(self, text, qp):
        """The records of both directions as octets."""
        head = f'Filter: iwarp.qp == {qp["qp"]}\nNode 0: {end_text(qp["a"])}\nNode 1: {end_text(qp["b"])}\n'
        self.assertEqual(text.count(head), 1, head)
        records = {d: [] for d in DIRECTIONS}
        for line in text.partition(head)[2].partition("====")[0].splitlines():
            records[DIRECTIONS[line.startswith("\t")]].append(bytes.fromhex(line.strip()))
        return records

    def test_followed_octets_are_those_of_the_messages(self):
        for report, text in self.each(["followed"]):
            for qp in report.qps:
                records = self.followed(text, qp)
                for direction in DIRECTIONS:
                    with self.subTest(qp=qp["qp"], direction=direction):
                        self.compare_followed(records[direction], [
                            m for m in report.messages if m["qp"] == qp["qp"] and m["direction"] == direction and
                            m["opcode"] in PAYLOAD and m["length"] != 0])

    def compare_followed(self, records, messages):
        records = iter(records)
        for message in messages:
            octets = next(records)
            while message["opcode"] not in SENDS and len(octets) < message["length"]:
                octets += next(records)
            self.assertEqual(len(octets), message["length"])
            self.assertEqual(hashlib.sha256(octets).hexdigest(), message["sha256"])
        self.assertIsNone(next(records, None))

    def test_flow_has_an_arrow_for_each_startup_frame_and_whole_message(self):
        for report, text in self.each():
            comments = [line.rpartition("|")[2].strip() for line in text.splitlines() if re.match(r"\d* *\|-?\d", line)]
            reported = Counter(m[1] for m in (re.match(r"(QP \d+: [A-Z][\w ]+, message \d+, \d+ octets)", c) for c in comments)
                           if m)
            true = {whole: Counter(f'QP {m["qp"]}: {TITLES[m["opcode"]]}, message {m["index"]}, {m["length"]} octets'
                                   for m in report.messages if m["opcode"] != "terminate" and m["complete"] >= whole)
                    for whole in (False, True)}
            self.assertFalse(true[True] - reported)
            self.assertFalse(reported - true[False])
            terminates = Counter(f'QP {m["qp"]}: Terminate: {m["name"]}' for m in report.messages
                                 if m["opcode"] == "terminate")
            self.assertEqual(Counter(c for c in comments if ": Terminate: " in c), terminates)
            for word, transport in (("revision", "tcp"), ("DDP-SSN 0,", "sctp")):
                startup = sum(qp["startup"][w] is not None for qp in report.qps
                              if qp["startup"] and qp["transport"] == transport for w in ("request", "reply"))
                self.assertEqual(sum(word in c for c in comments), startup)

    def test_conversations_have_the_octets_of_the_report(self):
        for report, text in self.each():
            rows = {row["QP"]: row for row in table(text, "iWARP conversations")}
            for qp in report.qps:
                row = rows[str(qp["qp"])]
                self.assertEqual((row["A"], row["B"]), (end_text(qp["a"]), receiver_text(qp)))
                for direction, column in zip(DIRECTIONS, ("A>B octets", "B>A octets")):
                    self.assertEqual(int(row[column]), sum(qp[direction]["payload_octets"].values()))

    def test_endpoints_add_up_to_the_conversations(self):
        for report, text in self.each():
            sent, received = Counter(), Counter()
            for qp in report.qps:
                for direction, sender, receiver in (("a_to_b", "a", "b"), ("b_to_a", "b", "a")):
                    octets = sum(qp[direction]["payload_octets"].values())
                    sent[end_text(qp[sender])] += octets
                    received[end_text(qp[receiver])] += octets
            rows = {row["Address"]: row for row in table(text, "iWARP endpoints")}
            self.assertEqual(set(rows), set(sent))
            for end, row in rows.items():
                self.assertEqual((int(row["Tx octets"]), int(row["Rx octets"])), (sent[end], received[end]))

    def test_two_passes_say_what_one_says(self):
        for name in GROUPS:
            with self.subTest(capture=name):
                one, two = (self.all_of(name, *options) for options in ((), ("-2",)))
                self.assertEqual(tree(one), tree(two))
                # The tree of counts also has rates.
                one, two = (re.sub(r"=+\niWARP.*?\n\n-+\n", "", text, flags=re.DOTALL) for text in (one, two))
                self.assertEqual(one, two)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
