// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the scenarios of acknowledged.cpp and unfinished.cpp must give: by rule and note, the direction, the first frame
// of evidence, seen, expected.
#include "rules/expected.h"

namespace iwarpscope::test {
namespace {

constexpr ExpectedFinding kExpectedOfAcknowledged[] = {
    {"MS-04", "the Reply comes in time", kToA, 4, "11.0 s", "at most 10.0 s"},
    {"MS-04", "the Initiator gives up earlier", kToA, 4, "11.0 s", "at most 10.0 s"},
    {"MS-04", "the capture ends earlier", kToA, 4, "11.0 s", "at most 10.0 s"},
    {"MS-04", "the Request comes in time", kToB, 1, "11.0 s", "at most 10.0 s"},
    {"RM-27", "a Send that was sent", kToA, 9, "Send, QN 0 (Send) MSN 3", ""},
    {"RM-27",
     "a later DDP segment of an RDMA Write",
     kToA,
     {},
     "RDMA Write, STag 0x00000bad TO 0x00007f12000013e8",
     ""},
    {"RM-28", "the whole ULPDU", kToA, 8, "117", "118"},
    {"RM-28", "the first of several DDP segments", kToA, 8, "4000", "1014"},
    {"RM-28", "the last of several DDP segments", kToA, 8, "1013", "1014"},
    {"RM-30", "the first is named", kToA, 8, "message 2", "message 1"},
    {"RM-32", "a Terminate follows", kToA, 8, "DD-07", ""},
    {"AT-18", "for another reason", kToA, 8, "Atomic Request", ""},
    {"AT-18", "another message is refused so", kToA, 8, "Immediate Data", ""},
    {"QP-03", "the read was answered", kToA, 9, "A -> B: 1 request has no whole response yet, the oldest in frame 8",
     ""},
    {"QP-03", "the end of the message is not in the capture, as the RST shows", kToB, 9},
    {"MS-13", "the FPDU comes first at the tap, but acknowledges the Reply", kToB, 5, "0", "at least 20"},
    {"MS-13", "the whole Reply is acknowledged", kToB, 5, "19", "at least 20"},
    {"MS-13", "the Reply is not in the capture", kToB, 5, "0", "at least 20"},
    {"MS-14", "the whole Request is acknowledged", kToA, 4, "19", "at least 20"},
    {"MS-14", "the Request has two TCP segments, and both are acknowledged", kToA, 4, "300", "at least 520"},
    {"MS-23", "the Initiator's FPDU comes later at the tap, but is acknowledged", kToA, 5, "20", "at least 36"},
    {"MS-23", "the RTR is the first FPDU", kToA, 5, "143", "at least 144"},
    {"MS-23", "the Initiator's first FPDU is not in the capture", kToA, 5, "20", "at least 36"},
    {"MS-23", "without CRC no end waits for the CRC field", kToA, 5, "143", "at least 144"},

    {"RM-15", "the whole request is acknowledged", kToA, 8, "195", "at least 196"},
    {"RM-15", "without CRC no end waits for the CRC field", kToA, 8, "144", "at least 196"},
    {"RM-15", "the Response comes first at the tap, but acknowledges the request", kToA, 8, "166", "at least 196"},
    {"RM-15", "a part of the requests is not in the capture", kToA, 8, "186", "at least 196"},
    {"RM-15", "an Atomic Response, of which the request is acknowledged whole", kToA, 8, "219", "at least 220"},

    {"RM-15", "a Response that comes first at the tap, and fits no request", kToA, 8, "144", "at least 196"},
    {"RM-15", "a Response that was received when the request was sent", kToA, 8, "144", "at least 196"},
    {"RM-15", "a hole before the request, filled before the Response", kToA, 8, "144", "at least 272"},
    {"RM-15", "an Atomic Response that comes first at the tap, and fits no request", kToA, 8, "144", "at least 220"},

    {"RM-17", "as many as the Reply's IRD", kToB, 11, "3", "at most 2"},
    {"RM-17", "the first Response is acknowledged whole", kToB, {}, "3", "at most 2"},
    {"RM-17", "of the Responder, as many as the Reply's ORD", kToA, {}, "2", "at most 1"},
    {"RM-17", "no limit was negotiated", kToB, 11, "3", "at most 2"},
    {"RM-17", "the RTR takes the one place there is", kToB, 8, "1", "at most 0"},
    {"AT-13", "reads and atomics, as many as the Reply's IRD", kToB, 11, "3", "at most 2"},
    {"AT-13", "too many reads are RM-17", kToB, 11, "3", "at most 2"},
    {"SX-07", "not that many more", kToB, {}, "10", "at most 2"},
    {"SX-07", "four times a higher limit, less one", kToB, {}, "20", "at most 5"},
};

}  // namespace

std::span<const ExpectedFinding> expected_of_acknowledged() {
  return kExpectedOfAcknowledged;
}

}  // namespace iwarpscope::test
