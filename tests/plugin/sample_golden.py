# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares chosen fields of a sample's trees with golden/samples/. One line per frame and one per FPDU, startup frame
and finding in it; over SCTP one per message and DATA chunk. Columns are not included: golden/ has some samples with
their columns."""

import difflib
import hashlib
import os

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden", "samples")
LARGEST = 12000  # maximum characters of one frame: of a larger one as many lines as fit, their number and a hash
KEPT = 4000  # maximum characters of a sample, plus its last frame; of the other frames a number and a hash
# A frame, and subtrees with their own line; the fields that are printed for each.
OF_A_FRAME = ("qp", "direction", "stream_offset", "sctp.stream", "sctp.session", "shown_in", "fpdus_not_shown",
              "verdict.code", "verdict.outcome", "verdict.blame", "verdict.confidence")
OF_A_STARTUP = ("mpa.flags.markers", "mpa.flags.crc", "mpa.flags.reject", "mpa.flags.enhanced", "mpa.revision",
                "mpa.pd_length", "mpa.private_data.text", "mpa.enhanced.ird", "mpa.enhanced.ord",
                "mpa.enhanced.peer_to_peer", "mpa.legacy.ird", "mpa.legacy.ord")
OF_AN_FPDU = ("mpa.ulpdu_length", "mpa.markers", "mpa.crc.status", "mpa.fpdu.first_frame", "direction", "placed_in",
              "delivered_in", "ddp.last", "ddp.stag", "ddp.to", "ddp.qn", "ddp.msn", "ddp.mo", "rdmap.opcode",
              "rdmap.invalidate_stag", "rdmap.read.size", "rdmap.atomic.operation", "rdmap.atomic.verdict",
              "rdmap.immediate", "rdmap.terminate.error", "rdmap.terminate.dialect", "rdmap.terminate.message_in",
              "message", "message.position", "message.length", "message.complete", "message.ends_in", "request_in",
              "response_in", "response_time", "head_of_line_wait", "outstanding", "outstanding.limit",
              "stag.first_frame")
OF_A_CHUNK = ("sctp.tsn", "sctp.stream", "sctp.ppid", "sctp.fragment", "sctp.ddp_ssn", "sctp.length", "sctp.chunks",
              "sctp.chunk_in", "sctp.repeated", "sctp.repeats", "sctp.shown_in", "sctp.function_code", "sctp.phase",
              "sctp.answered_in", "sctp.answers", *OF_A_STARTUP, *OF_AN_FPDU)
OF_A_FINDING = ("finding.code", "finding.severity", "finding.qp", "finding.direction", "finding.message",
                "finding.seen", "finding.expected")
KINDS = {"iwarp.mpa.ulpdu_length": OF_AN_FPDU, "iwarp.mpa.revision": OF_A_STARTUP, "iwarp.finding.code": OF_A_FINDING,
         "iwarp.sctp.tsn": OF_A_CHUNK}


def _collect(tree, lines, shown):
    """The fields of `tree` outside subtrees with their own lines; those subtrees go to `lines`."""
    for key, values in tree.items():
        for value in values:
            if not isinstance(value, dict):
                shown.setdefault(key.removeprefix("iwarp."), value)
                continue
            kind = next((fields for field, fields in KINDS.items() if field in value), None)
            if kind is None:
                _collect(value, lines, shown)
            else:
                below = []
                lines.append((kind, inner := {}, below))
                _collect(value, below, inner)


def _written(lines, depth):
    for fields, shown, below in lines:
        text = " ".join(f"{field}={_quoted(shown[field])}" for field in fields if field in shown)
        yield "  " * depth + text
        yield from _written(below, depth + 1)


def _quoted(value):
    return f'"{value}"' if " " in value or not value else value


def _frame(number, tree, known):
    """Its lines. A queue pair's verdict is in all its frames: it is printed in the first one; `known`: queue pairs
    whose verdict was printed."""
    text = []
    for part in tree["iwarp"]:  # over SCTP one per queue pair
        lines, shown = [], {}
        _collect(part, lines, shown)
        if shown.get("qp") in known:
            shown = {key: value for key, value in shown.items() if not key.startswith("verdict")}
        known.add(shown.get("qp"))
        head = "".join(_written([(OF_A_FRAME, shown, [])], 0))
        text += [f"frame {number} {head}".rstrip(), *_written(lines, 1)]
    return "\n".join(text) + "\n"


def _cut(text):
    if len(text) <= LARGEST:
        return text
    head, _, _ = text[:LARGEST].rpartition("\n")
    rest = text[len(head) + 1:]
    digest = hashlib.sha256(rest.encode()).hexdigest()[:16]
    return f"{head}\n  and {rest.count(chr(10))} lines more; their SHA-256 begins with {digest}\n"


def _shortened(shown):
    kept = size = 0
    while kept < len(shown) and size < KEPT:
        size += len(shown[kept])
        kept += 1
    rest, lines = shown[kept:], [_cut(text) for text in shown[:kept]]
    if rest:
        digest = hashlib.sha256("".join(rest).encode()).hexdigest()[:16]
        lines.append(f"and {len(rest)} frames more; the SHA-256 of their lines begins with {digest}\n")
    return "".join(lines)


def _write(path, shown):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(shown)


def differences(frames, name, update=False, whole=None):
    """Faults as text. `name`: the sample's, such as siw/rping-crc. With `update` the file is written first; `whole`
    names a folder that gets the lines of all frames."""
    known = set()
    lines = [_frame(number, tree, known) for number, tree in sorted(frames.items())]
    path, shown = os.path.join(GOLDEN, name + ".txt"), _shortened(lines)
    if whole:
        _write(os.path.join(whole, name + ".txt"), "".join(lines))
    if update:
        _write(path, shown)
    if not os.path.exists(path):
        return [f"no {path}; --update writes it"]
    with open(path, encoding="utf-8") as f:
        kept = f.read()
    return [line for line in difflib.unified_diff(kept.splitlines(), shown.splitlines(), "kept", "shown", "", "", 1,
                                                  lineterm="")]


def left_over(names):
    """Files stored for samples that are not in `names`."""
    kept = {os.path.relpath(os.path.join(at, name), GOLDEN).removesuffix(".txt")
            for at, _, files in os.walk(GOLDEN) for name in files}
    return sorted(kept - names)
