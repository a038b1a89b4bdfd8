#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the analyser's verdicts on atomics with those of two judges that share no code with it.

    judge.py PROGRAM [--histories N] [--from SEED] [--solver z3] [--jobs N]

PROGRAM (iwarpscope-atomic-histories) writes the histories. Rules for each response, in the order of the responses, up
to the first impossible one: "inconsistent" if and only if no order exists. "verified" if and only if an order exists
in which the operation found a known value. "undecidable" is allowed if the capture has unanswered operations or
Writes, and is counted. The report of a history has AT-14 or AT-15 if and only if a verdict is "inconsistent".
"""
import argparse
import collections
import json
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

from orders import Search, Solver

MOST_FOR_SOLVER = 9  # operations; more take seconds
VERDICTS = ("verified", "first", "inconsistent", "undecidable")
NUMBERS = ("data", "mask", "compare", "compare-mask", "memory", "original")


def parse(line):
    history = json.loads(line)
    for at, operation in enumerate(history["operations"]):
        operation["at"] = at
        for key in NUMBERS:
            if key in operation:
                operation[key] = int(operation[key], 16)
    return history


def first_impossible(possible, turns):
    """The number of responses that an order explains. If it explains all, it also explains fewer."""
    if possible(turns):
        return len(turns)
    return next(k for k in range(len(turns)) if not possible(turns[:k + 1]))


def judge(history, solver, tally):
    """Differences between the judges and the analyser, as lines."""
    operations = history["operations"]
    turns = sorted((o["at"] for o in operations if "answered" in o), key=lambda at: operations[at]["answered"])
    if not turns:
        return []
    search = Search(operations)
    explained = first_impossible(search.possible, turns)
    tally["histories"] += 1
    tally["impossible"] += explained < len(turns)
    problems = ask_solver(operations, turns, explained, solver, tally)
    if history["defect"] == "none" and explained < len(turns):
        problems.append("a correct responder's history is impossible")
    for k, at in enumerate(turns[:explained + 1]):
        tally[operations[at]["verdict"]] += 1
        known = k < explained and search.possible(turns[:k + 1], known=at)
        wrong = compare(operations, at, k == explained, known, tally)
        if wrong:
            return problems + [f"answer {k + 1} of {len(turns)} (operation {at}): {wrong}"]
        if operations[at]["verdict"] == "undecidable" and k == explained:
            return problems
    raised = history["AT-14"] + history["AT-15"]
    if raised != sum(operations[at]["verdict"] == "inconsistent" for at in turns):
        problems.append(f"{raised} findings AT-14 and AT-15 for another number of inconsistent answers")
    return problems


def ask_solver(operations, turns, explained, solver, tally):
    """The solver explains the same number of responses as the search."""
    if len(operations) > MOST_FOR_SOLVER:
        return []
    tally["judged by the solver, too"] += 1
    return [f"the judges disagree: the search explains {explained} answers, the solver thinks otherwise of {count}"
            for count in (explained, explained + 1)
            if count <= len(turns) and solver.possible(operations, turns[:count]) != (count == explained)]


def compare(operations, at, impossible, known, tally):
    """The fault in the verdict on one response; None if it is correct."""
    verdict = operations[at]["verdict"]
    if verdict not in VERDICTS:
        return "no verdict"
    if impossible and verdict == "undecidable":
        tally["undecidable though impossible"] += 1
    elif impossible != (verdict == "inconsistent"):
        return f"{verdict}, but " + ("no order exists" if impossible else "an order exists")
    elif verdict == "verified" and not known:
        return "verified, but no order gives it a known value"
    elif verdict in ("first", "undecidable") and known:
        tally[f"{verdict} though an order with a known value exists"] += 1
        if not any(o["f"] == "write" or "answered" not in o for o in operations):
            return f"{verdict}, but an order gives it a known value"
    return None


def judge_all(lines_and_solver):
    lines, program = lines_and_solver
    solver, tally, bad = Solver(program), collections.Counter(), []
    for line in lines:
        problems = judge(parse(line), solver, tally)
        if problems:
            bad.append((line, problems))
    solver.close()
    return tally, bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--histories", type=int, default=300)
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--solver", default="z3")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    command = [options.program, "--histories", str(options.histories), "--from", str(options.first)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    shares = [(lines[i::options.jobs], options.solver) for i in range(options.jobs)]
    tally, bad = collections.Counter(), []
    with ProcessPoolExecutor(options.jobs) as pool:
        for counts, some in pool.map(judge_all, shares):
            tally += counts
            bad += some
    for line, problems in bad[:10]:
        print(line, *problems, sep="\n  ")
    of_histories = ("histories", "impossible", "judged by the solver, too")
    print(f"{tally['histories']} histories, {tally['impossible']} of them impossible, {tally[of_histories[2]]} {of_histories[2]}; answers: "
          + ", ".join(f"{count} {what}" for what, count in sorted(tally.items()) if what not in of_histories)
          + f"; {len(bad)} disagreements")
    if tally["histories"] == 0 or tally["impossible"] == 0:
        print("nothing was judged")
        return 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
