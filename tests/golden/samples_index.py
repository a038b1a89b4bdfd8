#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""The index of samples/made, one line per capture: what it holds, its verdicts, and the rules that it breaks.

    samples_index.py IWARPSCOPE-SYNTH IWARPSCOPE-RULE-SAMPLES samples             compares samples/made/README.md with it
    samples_index.py IWARPSCOPE-SYNTH IWARPSCOPE-RULE-SAMPLES samples --update    writes it
"""
import json
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "questions"))
from questions import ANSWERS, QUESTIONS

HEAD = """# Captures made by scripts

Search this page for what you need: a message, a tunnel, a rule (`MS-14`), a verdict. The last columns come from the reports
stored beside the captures: the outcome of each queue pair with the end (a, b) or path that is blamed, and the codes of the findings
(without SX-13, which nearly all have). `iwarpscope explain CODE` says what a code means. Do not edit this page:
`tests/golden/samples_index.py` writes it.
"""
UNPROTECTED = "SX-13"
FOLDERS = {
    "startup": "How connections begin: MPA Request and Reply, revisions, enhanced startup, RTR, refusals.",
    "messages": "Correct messages: each opcode, CRC and Markers on and off, packing. And ordinary traffic that is no iWARP.",
    "network": "What networks and taps do: loss, reordering, duplicates, gaps, joined mid-stream, VLANs, tunnels, link types.",
    "sctp": "DDP over SCTP: sessions, streams, loss, mid-stream, restarts.",
    "faults": "One fault of a sender each, by the names of `iwarpscope-synth faults`.",
    "rules": "Captures named after the rule that they break. `...-nearly` comes close and does not break it.",
    "questions": "One question of an operator each (`tests/questions/`).",
}


def listed(program):
    """What each sample of the synthesizer is, by its name."""
    out = subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout
    return {name: what for _, name, what in (line.split(maxsplit=2) for line in out.splitlines())}


def of_rules(program):
    """What each rule's capture shows, and where, by the rule's name."""
    rules = (Path(__file__).resolve().parents[2] / "docs/rules.md").read_text(encoding="utf-8")
    whats = dict(re.findall(r"^### (\S+) .*?^- \*What\*: (.*?)$", rules, re.M | re.S))
    out = subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout
    rows = re.findall(r"^\| `(\S+)\.pcapng` \| (\S+) \| (.*) \|$", out, re.M)
    return {name: f"{code}: {whats[code]}{place(truth)}" for name, code, truth in rows}


def place(truth):
    """Where a rule's capture breaks it: " (a to b, frame 8: 10 instead of 18)". A value alone says nothing."""
    where = truth if " instead of " in truth else truth.partition(":")[0]
    return f" ({where})" if re.match(r"a to b|b to a|frame \d", where) else ""


def asked():
    """The questions that each capture answers, by its name."""
    out = {}
    for answer in ANSWERS:
        name = Path(answer.sample).name.split(".pcap")[0]
        out.setdefault(name, {})[QUESTIONS[answer.question]] = None
    return {name: " ".join(questions) for name, questions in out.items()}


def row(path, words):
    name = path.name.removesuffix(".expected.json")
    capture = next(p for p in path.parent.glob(name + ".pcap*"))
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("{")]
    verdicts = {}
    for record in records:
        if record["record"] == "qp":
            verdict = record["verdict"]
            blame = f" ({verdict['blame']})" if verdict["blame"] in ("a", "b", "path") else ""
            verdicts[verdict["class"] + blame] = None
    codes = {r["code"] for r in records if r["record"] == "finding"} - {UNPROTECTED}
    what = words.get(name)
    if what is None:
        raise SystemExit(f"{path}: nothing says what it is")
    return f"| [`{name}`]({path.parent.name}/{capture.name}) | {what} | {', '.join(verdicts)} | {' '.join(sorted(codes))} |"


def index(synth, rules, made):
    words = {**asked(), **of_rules(rules), **listed(synth)}
    parts = [HEAD]
    folders = sorted(p.name for p in made.iterdir() if p.is_dir())
    if folders != sorted(FOLDERS):
        raise SystemExit(f"samples/made has the folders {folders}: say what each is in {__file__}")
    for folder, what in FOLDERS.items():
        parts.append(f"\n## {folder}\n\n{what}\n\n| capture | what it holds | verdicts | findings |\n| --- | --- | --- | --- |")
        parts += [row(path, words) for path in sorted((made / folder).glob("*.expected.json"))]
    return "\n".join(parts) + "\n"


def main():
    synth, rules, samples = sys.argv[1:4]
    made = Path(samples) / "made"
    page = made / "README.md"
    now = index(synth, rules, made)
    if sys.argv[4:] == ["--update"]:
        page.write_text(now, encoding="utf-8")
        return 0
    if not page.exists() or page.read_text(encoding="utf-8") != now:
        print(f"{page} is not what its captures are: run {Path(__file__).name} with --update")
        return 1
    print(f"{now.count('| [')} captures are in the index")
    return 0


if __name__ == "__main__":
    sys.exit(main())
