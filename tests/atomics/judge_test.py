#!/usr/bin/env python3
# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests the judges on histories with obvious results, and on wrong verdicts.

    judge_test.py [SOLVER]
"""
import collections
import copy
import sys
import unittest

import judge
from orders import Search, Solver, fetch_add, left_by, written

SOLVER = Solver(sys.argv.pop() if len(sys.argv) > 1 else "z3")


def operation(connection, invoked, answered=None, original=None, f="fetch-add", verdict="verified", **fields):
    one = {"connection": connection, "f": f, "invoked": invoked, "data": 1, "mask": 0, "compare": 0, "compare-mask": 0}
    if answered is not None:
        one.update(answered=answered, original=original, verdict=verdict)
    return one | fields


def history(*operations, inconsistent=0):
    for at, one in enumerate(operations):
        one["at"] = at
    return {"seed": 1, "defect": "changed", "AT-14": 0, "AT-15": inconsistent, "operations": list(operations)}


def explained(one):
    """The number of explained responses, from the search and from the solver."""
    operations = one["operations"]
    turns = sorted((o["at"] for o in operations if "answered" in o), key=lambda at: operations[at]["answered"])
    return tuple(judge.first_impossible(possible, turns)
                 for possible in (Search(operations).possible, lambda some: SOLVER.possible(operations, some)))


class Orders(unittest.TestCase):
    def both(self, count, *operations):
        self.assertEqual(explained(history(*operations)), (count, count))

    def test_one_after_another(self):
        self.both(2, operation(0, 1, 2, 5), operation(1, 3, 4, 6))
        self.both(1, operation(0, 1, 2, 5), operation(1, 3, 4, 5))

    def test_at_the_same_time_either_order_will_do(self):
        self.both(2, operation(0, 1, 4, 6), operation(1, 2, 3, 5))
        self.both(1, operation(0, 1, 4, 5), operation(1, 2, 3, 5))

    def test_one_connection_keeps_its_order(self):
        self.both(1, operation(0, 1, 3, 6), operation(0, 2, 4, 5))

    def test_what_was_not_answered_may_have_taken_effect(self):
        self.both(2, operation(0, 1, 2, 5), operation(1, 3), operation(2, 4, 5, 7))
        self.both(2, operation(0, 1, 2, 5), operation(1, 3), operation(2, 4, 5, 6))
        self.both(1, operation(0, 1, 2, 5), operation(1, 3), operation(2, 4, 5, 8))

    def test_a_write_is_in_the_responders_order_of_octets(self):
        write = operation(1, 3, f="write", memory=7 << 56)
        self.both(2, operation(0, 1, 2, 5), write, operation(1, 4, 5, 7))
        self.both(2, operation(0, 1, 2, 5), write, operation(1, 4, 5, 7 << 56))
        self.both(1, operation(0, 1, 2, 5), write, operation(1, 4, 5, 6))

    def test_a_write_may_come_late_for_others(self):
        write = operation(1, 3, f="write", memory=0)
        self.both(3, operation(0, 1, 2, 5), write, operation(0, 4, 5, 6), operation(0, 6, 7, 0))

    def test_operations(self):
        self.assertEqual(fetch_add(0xFF, 1, 0x80), 0)
        self.assertEqual(fetch_add(0xFF, 1, 0), 0x100)
        self.assertEqual(left_by(operation(0, 1, f="cmp-swap", data=0xAB, mask=0x0F, compare=0x50, **{"compare-mask": 0xF0}), 0x51), 0x5B)
        self.assertEqual(left_by(operation(0, 1, f="cmp-swap", data=0xAB, mask=0x0F, compare=0x60, **{"compare-mask": 0xF0}), 0x51), 0x51)
        self.assertEqual(written({"memory": 1}, True), 1 << 56)


class Verdicts(unittest.TestCase):
    GOOD = history(operation(0, 1, 2, 5, verdict="first"), operation(1, 3, 4, 5, verdict="inconsistent"), inconsistent=1)

    def problems(self, verdicts, inconsistent):
        one = copy.deepcopy(self.GOOD)
        one["AT-15"] = inconsistent
        for o, verdict in zip(one["operations"], verdicts):
            o["verdict"] = verdict
        return judge.judge(one, SOLVER, collections.Counter())

    def test_right_ones_are_taken(self):
        self.assertEqual(self.problems(["first", "inconsistent"], 1), [])

    def test_wrong_ones_are_not(self):
        self.assertNotEqual(self.problems(["first", "verified"], 0), [])
        self.assertNotEqual(self.problems(["inconsistent", "verified"], 1), [])
        self.assertNotEqual(self.problems(["verified", "inconsistent"], 1), [])
        self.assertNotEqual(self.problems(["first", "inconsistent"], 0), [])
        self.assertNotEqual(self.problems(["none", "inconsistent"], 1), [])


if __name__ == "__main__":
    try:
        unittest.main()
    finally:
        SOLVER.close()
