# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Two judges of a history of atomics, written only from RFC 7306 and the definition of linearisability.

A history is possible if its operations can be put in an order in which - an operation that was answered before
another one was invoked comes before it, - an atomic comes after everything that its connection invoked before it (RFC
7306 §5.4), a Write after nothing, - each answered atomic found the value in its response, which is the value that the
previous operation left. Unanswered operations took effect once or never. The first value of the word and the order of
octets in the responder's memory are not known. A history is judged up to a response: operations answered later took
effect once or not yet.
"""
import subprocess

ALL = (1 << 64) - 1


def fetch_add(original, data, mask):
    """The pseudocode of RFC 7306 §5.1.1, bit by bit."""
    value, carry = 0, 0
    for bit in range(64):
        total = carry + (original >> bit & 1) + (data >> bit & 1)
        value |= (total & 1) << bit
        carry = (total >> 1) & ~(mask >> bit) & 1
    return value


def left_by(operation, original):
    """The value that the atomic leaves in a word that had the value `original`."""
    if operation["f"] == "fetch-add":
        return fetch_add(original, operation["data"], operation["mask"])
    if operation["f"] == "swap":
        return operation["data"]
    if (operation["compare"] ^ original) & operation["compare-mask"]:
        return original
    return (original & ~operation["mask"] & ALL) | (operation["data"] & operation["mask"])


def written(operation, little_endian):
    octets = operation["memory"].to_bytes(8, "big")
    return int.from_bytes(octets, "little" if little_endian else "big")


def comes_before(a, b):
    """Whether `a` certainly took effect before `b`, if both took effect. Operations are dictionaries; `at` is their
    position by invocation."""
    if a.get("answered", b["invoked"]) < b["invoked"]:
        return True
    return b["f"] != "write" and a["connection"] == b["connection"] and a["at"] < b["at"]


def may_be_missing(operation):
    """It may never take effect: an atomic without a response."""
    return operation["f"] != "write" and "answered" not in operation


class Search:
    """Tries one operation after another, and remembers visited states (Wing and Gong, with Lowe's memory)."""

    def __init__(self, operations):
        self.operations = operations
        n = len(operations)
        self.before = [sum(1 << j for j in range(n) if j != i and comes_before(operations[j], operations[i])) for i in range(n)]
        self.required = sum(1 << i for i in range(n) if not may_be_missing(operations[i]))

    def possible(self, responses, known=None):
        """`responses`: positions of the operations that must have taken effect. `known`: the position of one that must
        find a known value."""
        target = sum(1 << place for place in responses)
        return any(self.walk(target, known, little) for little in (False, True))

    def walk(self, target, known, little_endian):
        todo, seen = [(0, None, False)], set()
        while todo:
            state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            done, value, found = state
            if done & target == target and (known is None or found):
                return True
            for i, operation in enumerate(self.operations):
                if done >> i & 1 or self.before[i] & self.required & ~done:
                    continue
                # Skipped operations may not come after it any more.
                if any(done >> j & 1 and self.before[j] >> i & 1 for j in range(len(self.operations))):
                    continue
                after, found_now = None, found
                if operation["f"] == "write":
                    after = written(operation, little_endian)
                elif "answered" in operation:
                    if value is not None and value != operation["original"]:
                        continue
                    found_now = found or (i == known and value is not None)
                    after = left_by(operation, operation["original"])
                elif value is not None:
                    after = left_by(operation, value)
                elif operation["f"] == "swap":
                    after = operation["data"]
                todo.append((done | 1 << i, after, found_now))
        return False


class Solver:
    """Asks z3 whether an order exists: its unknowns are the positions and the values between them."""

    def __init__(self, program="z3"):
        self.process = subprocess.Popen([program, "-in", "-smt2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def possible(self, operations, responses):
        text = "(reset)\n" + "\n".join(self.question(operations, set(responses))) + "\n(check-sat-using (then simplify propagate-values solve-eqs bit-blast sat))\n"
        self.process.stdin.write(text)
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if answer not in ("sat", "unsat"):
            raise RuntimeError(f"z3 says: {answer}")
        return answer == "sat"

    @staticmethod
    def question(operations, responses):
        """At position p of the order the word has the value v<p>. p<i> is the position of operation i, in<i> whether it
        took effect; operations without effect leave the value unchanged."""
        n = len(operations)
        width = max(1, (n - 1).bit_length())
        values = Solver.Values(operations)
        yield "(set-logic QF_BV)"
        yield "(declare-const little Bool)"
        for i in range(n):
            yield f"(declare-const p{i} (_ BitVec {width}))"
            yield f"(declare-const in{i} Bool)"
            yield f"(assert (bvule p{i} (_ bv{n - 1} {width})))"
            yield from (f"(assert (not (= p{i} p{j})))" for j in range(i))
        for place in range(n + 1):
            yield f"(declare-const v{place} (_ BitVec {values.width}))"
        for i, a in enumerate(operations):
            if i in responses:
                yield f"(assert in{i})"
            for j, b in enumerate(operations):
                if i == j or not comes_before(a, b):
                    continue
                yield f"(assert (=> (and in{i} in{j}) (bvult p{i} p{j})))"
                if not may_be_missing(a):
                    yield f"(assert (=> in{j} in{i}))"
            for place in range(n):
                effect = Solver.effect(a, f"v{place}", f"v{place + 1}", values)
                yield f"(assert (=> (= p{i} (_ bv{place} {width})) (ite in{i} {effect} (= v{place + 1} v{place}))))"

    class Values:
        """How numbers are encoded. If all results are known, values are only compared: the index in a list is
        enough."""

        def __init__(self, operations):
            self.places, self.width = {}, 64
            if any(may_be_missing(o) for o in operations):
                return
            for o in operations:
                found = ([written(o, False), written(o, True)] if o["f"] == "write"
                         else [o["original"], left_by(o, o["original"])])
                for value in found:
                    self.places.setdefault(value, len(self.places))
            self.width = len(self.places).bit_length()  # with room for a value that none of them left

        def __call__(self, value):
            return f"(_ bv{self.places.get(value, value)} {self.width})"

    @staticmethod
    def effect(operation, before, after, number):
        if "answered" in operation:
            original = operation["original"]
            return f"(and (= {before} {number(original)}) (= {after} {number(left_by(operation, original))}))"
        if operation["f"] == "write":
            big, little = written(operation, False), written(operation, True)
            return f"(= {after} (ite little {number(little)} {number(big)}))"
        if operation["f"] == "swap":
            result = number(operation["data"])
        elif operation["f"] == "cmp-swap":
            mask, compared = operation["mask"], operation["compare-mask"]
            swapped = f"(bvor (bvand {before} {number(~mask & ALL)}) {number(operation['data'] & mask)})"
            equal = f"(= (bvand {before} {number(compared)}) {number(operation['compare'] & compared)})"
            result = f"(ite {equal} {swapped} {before})"
        else:
            result = Solver.fields_added(before, operation["data"], operation["mask"])
        return f"(= {after} {result})"

    @staticmethod
    def fields_added(before, data, mask):
        """One sum per field; a bit of the mask marks the top bit of a field."""
        tops = [bit for bit in range(63) if mask >> bit & 1] + [63]
        sums, low = [], 0
        for top in tops:
            size = top - low + 1
            part = data >> low & ((1 << size) - 1)
            sums.append(f"(bvadd ((_ extract {top} {low}) {before}) (_ bv{part} {size}))")
            low = top + 1
        text = sums[0]
        for more in sums[1:]:
            text = f"(concat {more} {text})"
        return text
