// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the scenarios of the models must give: by rule and note, the direction, the first frame of evidence, seen,
// expected.
#include "rules/expected.h"

namespace iwarpscope::test {
namespace {

constexpr ExpectedFinding kExpectedOfModels[] = {
    {"RM-35", "its owner sent something in between, which may have made it valid again", kToB, 8, "0x00012301", ""},
    {"RM-35", "an RDMA Write of no octets, to nowhere", kToB, 8, "0x00012301", ""},
    {"RM-35", "another key of the same region", kToB, 8, "0x00012301", ""},
    {"RM-36", "its owner sent something in between", kToB, 8, "0x00012301", ""},
    {"RM-36", "an STag of each end, with the same value", kToA, 8, "0x00012301", ""},
    {"RM-37", "invalidated before the Request named it again", kToA, 8, "0x00007701", ""},
    {"RM-37", "another STag", kToA, 8, "0x00007701", ""},
    {"RM-38", "it returns what was written", kToA, 8, "6368616e67656421", "7772697474656e21"},
    {"RM-38", "the owner's software was notified, and may have changed it", kToA, 8, "52697474656e21",
     "72697474656e21"},
    {"RM-38", "a later RDMA Write may show in the data of an earlier Read", kToA, 8, "4e21", "6e21"},
    {"RM-38", "an RDMA Write between is not in the capture", kToA, 8, "3030303030303021", "7772697474656e21"},
    {"RM-39", "a Send in between delivers the first", kToB, 8, "0x00012301", ""},
    {"RM-39", "side by side", kToB, 8, "0x00012301", ""},
    {"RM-39", "a Read Response delivers what came before its Request", kToB, 8, "0x00012301", ""},
    {"AT-14", "each finds what the one before left", kToA, 10, "0x0000000000000006", "0x0000000000000007"},
    {"AT-14", "another connection added in between", kToA, 13, "0x0000000000000007", "0x0000000000000006"},
    {"AT-14", "a request of this connection is not in the capture", kToA, 7, "0x0000000000000009",
     "0x0000000000000006"},
    {"AT-14", "its STag was invalidated: it may name other memory now", kToA, 7, "0x0000000000000009",
     "0x0000000000000006"},
    {"AT-15", "the second finds what the first left", kToA, 13, "0x0000000000000005", "0x0000000000000006"},
    {"AT-15", "both at once: either may have come first", kToA, 19, "0x0000000000000007", "0x0000000000000008"},
    {"AT-15", "an RDMA Write set the word", kToA, 13, "0x0000000000000009", "0x0000000000000006"},
    {"AT-19", "the word beside it", {}, 10, "RDMA Write", ""},
    {"AT-19", "a Read of another STag", {}, 11, "RDMA Read", ""},
    {"SX-04", "the client said something in between", kToA, 9, "0x00012301", ""},
    {"SX-04", "no message in between: it is not complete yet", kToA, 9, "0x00012301", ""},
    {"SX-04", "a buffer that neither end announced", kToA, 9, "0x00012301", ""},
    {"SX-05", "the client said something in between", kToA, 9, "0x00012301", ""},
    {"SX-05", "another part of it", kToA, 9, "0x00012301", ""},
    {"SX-01", "two connections of one host", kToB, 13, "0x00012301", ""},
    {"SX-01", "the first connection was closed before", kToB, 13, "0x00012301", ""},
    {"SX-06", "another buffer", kToB, 8, "0x00012301", ""},
    {"SX-06", "it was read before it was written", kToB, 8, "0x00012301", ""},
    {"SX-09", "its own", kToB, 13, "0x00012301", ""},
    {"SX-11", "seven", kToB, 18, "0x00012a01", ""},
    {"SX-11", "the last is out of step", kToB, 18, "0x00012371", ""},
    {"SX-08", "the other end answers now and then", kToB, 12, "2048", ""},
};

}  // namespace

std::span<const ExpectedFinding> expected_of_models() {
  return kExpectedOfModels;
}

}  // namespace iwarpscope::test
