# SPDX-FileCopyrightText: The iwarpscope authors
# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the trees of each RDMA message, startup frame and queue pair with the records of the report."""

from tshark import nodes, number, values

DIRECTIONS = ("a_to_b", "b_to_a")
OPCODES = ("rdma_write", "rdma_read_request", "rdma_read_response", "send", "send_invalidate", "send_se",
           "send_se_invalidate", "terminate", "immediate", "immediate_se", "atomic_request", "atomic_response")
OPERATIONS = {"fetch_add": 0, "swap": 1, "cmp_swap": 2}
# Number in a record: field, for messages with displayed FPDUs.
NUMBERS = {
    "stag": "iwarp.ddp.stag", "to": "iwarp.ddp.to", "qn": "iwarp.ddp.qn", "msn": "iwarp.ddp.msn",
    "invalidate_stag": "iwarp.rdmap.invalidate_stag", "sink_stag": "iwarp.rdmap.read.sink_stag",
    "sink_to": "iwarp.rdmap.read.sink_to", "size": "iwarp.rdmap.read.size",
    "source_stag": "iwarp.rdmap.read.source_stag", "source_to": "iwarp.rdmap.read.source_to",
    "remote_stag": "iwarp.rdmap.atomic.stag", "remote_to": "iwarp.rdmap.atomic.to",
    "data": "iwarp.rdmap.atomic.data", "mask": "iwarp.rdmap.atomic.mask", "compare": "iwarp.rdmap.atomic.compare",
    "compare_mask": "iwarp.rdmap.atomic.compare_mask", "original": "iwarp.rdmap.atomic.original",
    "result": "iwarp.rdmap.atomic.result", "immediate": "iwarp.rdmap.immediate",
    "layer": "iwarp.rdmap.terminate.layer", "error_type": "iwarp.rdmap.terminate.type",
    "error_code": "iwarp.rdmap.terminate.code", "terminated_length": "iwarp.rdmap.terminate.ddp_length",
    "length": "iwarp.message.length", "ddp_segments": "iwarp.message.ddp_segments",
}
TEXTS = {"verdict": "iwarp.rdmap.atomic.verdict", "name": "iwarp.rdmap.terminate.error",
         "dialect": "iwarp.rdmap.terminate.dialect"}
STARTUP = {"rev": "iwarp.mpa.revision", "markers": "iwarp.mpa.flags.markers", "crc": "iwarp.mpa.flags.crc",
           "rejected": "iwarp.mpa.flags.reject", "enhanced": "iwarp.mpa.flags.enhanced",
           "reserved": "iwarp.mpa.flags.reserved", "private_data_length": "iwarp.mpa.pd_length"}
REJECTS = (3, 7)  # function codes of session control messages over SCTP
ENHANCED = {"ird": "iwarp.mpa.enhanced.ird", "ord": "iwarp.mpa.enhanced.ord",
            "peer_to_peer": "iwarp.mpa.enhanced.peer_to_peer", "rtr_send": "iwarp.mpa.enhanced.rtr_send",
            "rtr_write": "iwarp.mpa.enhanced.rtr_write", "rtr_read": "iwarp.mpa.enhanced.rtr_read"}


def _nanoseconds(text):
    seconds, _, rest = text.lstrip("-").partition(".")
    return (int(seconds) * 10**9 + int(rest.ljust(9, "0"))) * (-1 if text.startswith("-") else 1)


def _opcode(fpdu):
    """`iwarp.rdmap` of a header quoted in a Terminate has no opcode; that of the FPDU comes first."""
    code = number(values(fpdu, "iwarp.rdmap.opcode")[0])
    return OPCODES[code] if code < len(OPCODES) else "unknown"


class Shown:
    """An FPDU of a message, or over SCTP a DDP segment, with the frame that has its tree."""

    def __init__(self, frame, fpdu):
        self.frame, self.fpdu, self.firsts = frame, fpdu, {}
        self._collect(fpdu)

    def _collect(self, tree):
        for field, all_values in tree.items():
            value = next((v for v in all_values if not isinstance(v, dict)), None)
            if value is not None:
                self.firsts.setdefault(field, value)
        for all_values in tree.values():
            for value in all_values:
                if isinstance(value, dict):
                    self._collect(value)

    def first(self, field):
        """The first value of `field` that is not in a quoted header; None: none."""
        return self.firsts.get(field)


def _messages(frames):
    """By queue pair, direction and index: its FPDUs in the order in which they are displayed."""
    found = {}
    for frame, tree in trees(frames):
        qp = int(next(nodes(tree, "iwarp.qp"))["iwarp.qp"][0])
        usual = next(nodes(tree, "iwarp.direction"))["iwarp.direction"]
        for fpdu in nodes(tree, "iwarp.message"):
            where = qp, _direction(fpdu, usual), int(fpdu["iwarp.message"][0])
            found.setdefault(where, []).append(Shown(frame, fpdu))
    return found


def trees(frames):
    """Frame and tree of each queue pair of a frame; over SCTP there may be several."""
    return [(frame, tree) for frame, all_trees in frames.items() for tree in all_trees["iwarp"]
            if any(nodes(tree, "iwarp.qp")) and any(nodes(tree, "iwarp.direction"))]


def _direction(fpdu, usual):
    """`usual`, the direction of the frame's payload, unless the FPDU names the other direction."""
    return DIRECTIONS[int(fpdu.get("iwarp.direction", usual)[0])]


def _head(record, fpdus, faults):
    """Fields of the FPDU with the message's first octets that the record also has."""
    head = min(fpdus, key=lambda f: int(f.first("iwarp.message.position")))
    if _opcode(head.fpdu) != record["opcode"]:
        faults.append(f"opcode {_opcode(head.fpdu)}")
    for key, field in NUMBERS.items():
        if record.get(key) is None:
            continue
        value = head.first(field)
        # A message without a captured end has no length yet; one without its first octets has no header.
        if value is None and (not record["complete"] or key in ("length", "ddp_segments")):
            if record["complete"]:
                faults.append(f"no {field}")
            continue
        want = record[key] if isinstance(record[key], int) else int(record[key], 16)
        if value is None or number(value) != want:
            faults.append(f"{field} {value}")
    for key, field in TEXTS.items():
        if record.get(key) is not None and head.first(field) != record[key]:
            faults.append(f"{field} {head.first(field)}")
    if record.get("operation") in OPERATIONS:
        if number(head.first("iwarp.rdmap.atomic.operation") or "99") != OPERATIONS[record["operation"]]:
            faults.append(f"operation {head.first('iwarp.rdmap.atomic.operation')}")
    identifier = head.first("iwarp.rdmap.atomic.request_id") or head.first("iwarp.rdmap.atomic.original_request_id")
    if record.get("request_id") is not None and number(identifier or "-1") != record["request_id"]:
        faults.append(f"request identifier {identifier}")
    for key, field in (("terminated_ddp", "iwarp.rdmap.terminate.ddp_header"),
                       ("terminated_rdmap", "iwarp.rdmap.terminate.rdma_header")):
        text = head.first(field)
        text = text.replace(":", "") if text is not None else None
        if record["opcode"] == "terminate" and record["complete"] and text != record[key]:
            faults.append(f"{field} {text}")
    return head


def _frames_and_times(record, fpdus, faults):
    if not record["complete"]:
        return
    first = int(fpdus[0].first("iwarp.message.first_frame") or fpdus[0].frame)
    placed = max(int(f.first("iwarp.placed_in")) for f in fpdus)
    if (first, placed) != (record["first_frame"], record["last_frame"]):
        faults.append(f"frames {first} to {placed}")
    if len(fpdus) != record["ddp_segments"]:
        faults.append(f"{len(fpdus)} FPDUs")
    if fpdus[0].first("iwarp.message.complete") != "1":
        faults.append("not complete")
    if record["delivered_time"] is not None:
        wait = _nanoseconds(record["delivered_time"]) - _nanoseconds(record["placed_time"])
        shown = fpdus[0].first("iwarp.head_of_line_wait")
        if max(wait, 0) != _nanoseconds(shown or "0"):
            faults.append(f"head-of-line wait {shown}")


def _links(key, record, head, records, faults):
    """The response of a request, the request of a response, and the message that a Terminate names."""
    qp, direction, _ = key
    other = DIRECTIONS[direction == "a_to_b"]
    response, request = record.get("response"), record.get("request_index")
    answer = records.get((qp, other, response["index"])) if response else None
    question = records.get((qp, other, request)) if request is not None else None
    for field, peer in (("iwarp.response_in", answer), ("iwarp.request_in", question)):
        want = str(peer["last_frame"]) if peer else None
        if head.first(field) != want:
            faults.append(f"{field} {head.first(field)} instead of {want}")
    if response:
        shown = [_nanoseconds(head.first(f"iwarp.response_time{end}") or "-1") for end in (".first", "")]
        if shown != [response["first_octet_ns"], response["last_octet_ns"]]:
            faults.append(f"response times {shown}")
    if record.get("names"):
        named = records[qp, record["names"]["direction"], record["names"]["index"]]
        if head.first("iwarp.rdmap.terminate.message_in") != str(named["first_frame"]):
            faults.append(f"names the message in {head.first('iwarp.rdmap.terminate.message_in')}")


def _startup(name, record, tree, faults):
    where = [n for n in nodes(tree, "iwarp.mpa.revision")]
    if not where:
        faults.append(f"{name}: not shown")
        return
    node = where[-1] if name == "reply" else where[0]
    wanted = dict(STARTUP)
    if record["enhanced"] and record["ird"] is not None:
        wanted |= ENHANCED
    for key, field in wanted.items():
        shown = values(node, field)
        # Flags of a startup frame that arrived in several parts are not shown bit by bit.
        if key in ("rev", "private_data_length") or "iwarp.mpa.key" in node:
            if not shown or number(shown[0]) != int(record[key]):
                faults.append(f"{name}: {field} {shown}")
    text = values(node, "iwarp.mpa.private_data")
    if text and text[0].replace(":", "") != record["private_data"]:
        faults.append(f"{name}: private data {text[0]}")


def _session_startup(name, record, shown, faults):
    """`shown`: trees of all control messages of the queue pair, for a session over SCTP."""
    placed = [node for node in shown if int(node["iwarp.placed_in"][0]) == record["frame"] and
              int(node["iwarp.sctp.function_code"][0]) == record["function_code"]]
    if len(placed) != 1:
        faults.append(f"{name}: shown {len(placed)} times")
        return
    node = placed[0]
    for key, field in (ENHANCED if record["ird"] is not None else {}).items():
        if not values(node, field) or number(values(node, field)[0]) != int(record[key]):
            faults.append(f"{name}: {field} {values(node, field)}")
    if record["rejected"] != (record["function_code"] in REJECTS):
        faults.append(f"{name}: function code {record['function_code']}")
    text = values(node, "iwarp.mpa.private_data")
    if (text[0].replace(":", "") if text else "") != record["private_data"]:
        faults.append(f"{name}: private data {text}")
    if values(node, "iwarp.mpa.private_data.text") != [record["private_data_text"]][:bool(record["private_data"])]:
        faults.append(f"{name}: private data in words {values(node, 'iwarp.mpa.private_data.text')}")


def _came_whole(record):
    """If the sender closed in the middle of the Private Data, only a finding reports the startup frame."""
    return len(record["private_data"]) // 2 + (4 if record["enhanced"] else 0) >= record["private_data_length"]


def _session(qp, mine, faults):
    """In which reports a queue pair is over SCTP, and on which stream."""
    streams = {v for tree in mine for v in tree.get("iwarp.sctp.stream", [])}
    want = {str(qp["sctp_stream"])} if qp["transport"] == "sctp" else set()
    if streams != want:
        faults.append(f"QP {qp['qp']}: stream {streams} instead of {want}")


def _queue_pair(qp, mine, frames, faults):
    """`mine`: the trees of the queue pair."""
    _session(qp, mine, faults)
    for name in ("request", "reply"):
        record = (qp["startup"] or {}).get(name)
        if record is not None and qp["transport"] == "sctp":
            _session_startup(f"QP {qp['qp']} {name}", record,
                             [node for tree in mine for node in nodes(tree, "iwarp.sctp.function_code")], faults)
        elif record is not None and _came_whole(record):
            _startup(f"QP {qp['qp']} {name}", record, frames.get(record["frame"], {}), faults)
    reported = {v for tree in mine for v in values(tree, "iwarp.verdict")}
    want = {qp["verdict"]["text"]} if qp["verdict"] else set()
    if reported != want:
        faults.append(f"QP {qp['qp']}: verdict {reported} instead of {want}")
    codes = {v for tree in mine for v in values(tree, "iwarp.verdict.code")}
    if codes != ({qp["verdict"]["code"]} if qp["verdict"] else set()):
        faults.append(f"QP {qp['qp']}: verdict code {codes} instead of {qp['verdict']['code']}")
    _crcs(qp, mine, faults)


def _crcs(qp, mine, faults):
    seen = {direction: [0, 0] for direction in DIRECTIONS}
    for tree in mine:
        usual = next(nodes(tree, "iwarp.direction"))["iwarp.direction"]
        for fpdu in nodes(tree, "iwarp.mpa.crc.status"):
            if fpdu["iwarp.mpa.crc.status"][0] in "01":
                seen[_direction(fpdu, usual)][int(fpdu["iwarp.mpa.crc.status"][0])] += 1
    for direction in DIRECTIONS:
        want = [qp[direction]["crc_ok"], qp[direction]["crc_bad"]]
        if seen[direction] != want:
            faults.append(f"QP {qp['qp']} {direction}: CRCs good and bad {seen[direction]} instead of {want}")


def differences(frames, report):
    """Faults as text."""
    faults, shown = [], _messages(frames)
    for key, record in report.messages.items():
        fpdus, wrong = shown.get(key), []
        if fpdus is None:
            faults.append(f"message {key}, frames {record['first_frame']} to {record['last_frame']}: not shown")
            continue
        head = _head(record, fpdus, wrong)
        _frames_and_times(record, fpdus, wrong)
        _links(key, record, head, report.messages, wrong)
        faults += [f"message {key}, {record['opcode']} in frame {record['last_frame']}: {w}" for w in wrong]
    faults += [f"message {key} is shown but not reported" for key in shown.keys() - report.messages.keys()]
    of_qp = {}
    for _, tree in trees(frames):
        of_qp.setdefault(tuple(values(tree, "iwarp.qp")), []).append(tree)
    for qp in report.qps:
        _queue_pair(qp, of_qp.get((str(qp["qp"]),), []), frames, faults)
    return faults
