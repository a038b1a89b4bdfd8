#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Questions of operators on iWARP traffic, and whether the report of a sample answers them in plain words.

    questions_test.py IWARPSCOPE IWARPSCOPE-SYNTH PROJECT            asks
    questions_test.py IWARPSCOPE IWARPSCOPE-SYNTH PROJECT --write    makes the samples of scripts.py

Each line of questions.py is a question, its sample, and the required contents of its report. Every question has a
sample, except those that a tap cannot decide according to docs/limits.md. The samples of scripts.py are stored as
their scripts make them.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from questions import ANSWERS, LIMITS, QUESTIONS
from scripts import SCRIPTS, lines


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def plain(text):
    return " ".join(text.split())


class Reports:
    """The reports of a sample, each made once."""

    def __init__(self, program, folder):
        self.program, self.folder, self.made = program, folder, {}

    def path(self, sample):
        return os.path.join(self.folder, sample)

    def text(self, sample, *options):
        key = (sample, *options)
        if key not in self.made:
            self.made[key] = plain(run(self.program, "analyze", *options, self.path(sample)))
        return self.made[key]

    def records(self, sample):
        key = (sample, "json")
        if key not in self.made:
            out = run(self.program, "analyze", "--format", "json", "--messages", self.path(sample))
            self.made[key] = [json.loads(line) for line in out.splitlines()]
        return self.made[key]


def value_at(record, path):
    for name in path.split("."):
        record = record[name]
    return record


def missing(words, text, where):
    return [f"{where} does not say '{w}'" for w in words if plain(w) not in text]


def judge(reports, answer):
    """The faults in the report of this answer's sample."""
    records = reports.records(answer.sample)
    faults = []
    qp = next((r for r in records if r["record"] == "qp" and r["qp"] == answer.qp), None)
    if qp is None and (answer.verdict or answer.fields or answer.says):
        return [f"there is no QP {answer.qp}"]
    if answer.verdict:
        seen = tuple(qp["verdict"][k] for k in ("class", "blame", "confidence"))
        if seen != answer.verdict:
            faults.append(f"the verdict is {seen}, not {answer.verdict}")
    if answer.says:
        said = plain(qp["verdict"]["text"] + " " + qp["verdict"]["next"])
        faults += missing(answer.says, said, f"the verdict ({said})")
        printed = reports.text(answer.sample, "--qp", str(answer.qp))
        faults += missing(answer.says, printed, "the text report")
    for path, due in answer.fields.items():
        if value_at(qp, path) != due:
            faults.append(f"{path} is {value_at(qp, path)!r}, not {due!r}")
    raised = {r["code"] for r in records if r["record"] == "finding"}
    faults += [f"{code} is not raised" for code in answer.raises if code not in raised]
    faults += [f"{code} is raised" for code in answer.not_raised if code in raised]
    texts = plain(" ".join(r["text"] for r in records if r["record"] == "finding"))
    faults += missing(answer.finding_words, texts, f"no finding ({texts})")
    faults += missing(answer.prints, reports.text(answer.sample), "the text report")
    if answer.details:
        faults += missing(answer.details, reports.text(answer.sample, "--qp", str(answer.qp)), "the details in text")
    capture = next(r for r in records if r["record"] == "capture")
    for path, due in answer.capture.items():
        if capture[path] != due:
            faults.append(f"{path} of the capture is {capture[path]!r}, not {due!r}")
    asked = any((answer.verdict, answer.says, answer.fields, answer.raises, answer.finding_words, answer.prints, answer.details,
                 answer.capture))
    return faults if asked else ["nothing is asked of the report"]


def play(synth, name, path):
    subprocess.run([synth, "script", "-o", path], input=lines(name), text=True, check=True, capture_output=True)


def stale(synth, folder):
    """Samples of scripts.py that differ from the output of their scripts."""
    faults = []
    with tempfile.TemporaryDirectory() as scratch:
        for name in SCRIPTS:
            fresh = os.path.join(scratch, name + ".pcapng")
            play(synth, name, fresh)
            kept = os.path.join(folder, "made/questions", name + ".pcapng")
            if not os.path.exists(kept):
                faults.append(f"samples/made/questions/{name}.pcapng is missing")
                continue
            with open(fresh, "rb") as a, open(kept, "rb") as b:
                if a.read() != b.read():
                    faults.append(f"samples/made/questions/{name}.pcapng is not what its script makes")
            if not any(a.sample == f"made/questions/{name}.pcapng" for a in ANSWERS):
                faults.append(f"samples/made/questions/{name}.pcapng poses no question")
    return faults


def main():
    program, synth, project = sys.argv[1:4]
    folder = os.path.join(project, "samples")
    if sys.argv[4:] == ["--write"]:
        for name in SCRIPTS:
            play(synth, name, os.path.join(folder, "made/questions", name + ".pcapng"))
        return 0
    reports = Reports(program, folder)
    faults = []
    for answer in ANSWERS:
        where = f"question {answer.question} ({QUESTIONS[answer.question]}), {answer.sample}"
        try:
            faults += [f"{where}: {fault}" for fault in judge(reports, answer)]
        except (RuntimeError, KeyError, TypeError) as error:
            faults.append(f"{where}: {type(error).__name__}: {error}")
    with open(os.path.join(project, "docs", "limits.md"), encoding="utf-8") as f:
        limits = plain(f.read())
    answered = {a.question for a in ANSWERS}
    for number, question in QUESTIONS.items():
        if number not in answered and number not in LIMITS:
            faults.append(f"question {number} ({question}) has neither a sample nor a reason in docs/limits.md")
    for number, words in LIMITS.items():
        faults += [f"question {number}: {fault}" for fault in missing([words], limits, "docs/limits.md")]
    faults += stale(synth, folder)
    print("\n".join(faults) or f"{len(ANSWERS)} answers to {len(answered)} of {len(QUESTIONS)} questions")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
