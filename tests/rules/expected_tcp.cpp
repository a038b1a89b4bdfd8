// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the CA, TC and QP scenarios must give: by rule and note, the direction, the first frame of evidence, seen,
// expected.
#include "rules/expected.h"

namespace iwarpscope::test {
namespace {

constexpr ExpectedFinding kExpectedOfTcp[] = {
    {"CA-04", "both directions, of which one sends nothing but ACKs", kToB, 1, "", ""},
    {"CA-04", "a single message of the other direction", kToA, 1, "", ""},
    {"CA-07", "none dropped", {}, 0, "17", ""},
    {"CA-09", "by the jitter of interfaces merged", {}, 7, "20000000 ns", ""},
    {"CA-09", "forward, by an hour", {}, 7, "3600000000000 ns", ""},
    {"CA-13", "as many as are listed", kToB, 158, "ddp.reserved-bits", ""},
    {"CA-14", "all of them", {}, 0, "1", ""},
    {"CA-16", "Linux cooked capture", {}, 0, "14", ""},
    {"CA-16", "raw IP", {}, 0, "1", ""},
    {"CA-17", "cut by the snap length", {}, 0, "1", ""},
    {"CA-17", "of a protocol that is none of ours", {}, 0, "1", ""},
    {"TC-01", "a sender whose checksums are never right", kToB, 10, "", ""},
    {"TC-01", "frames cut by a snap length", kToB, 10, "", ""},
    {"TC-01", "a checksum that the adapter was to fill in", kToB, 10, "", ""},
    {"TC-02", "one wrong checksum among right ones", kToB, 17, "8", ""},
    {"TC-02", "frames cut by a snap length", kToB, 17, "8", ""},
    {"TC-01", "one checksum of the pseudo header alone", kToB, 10, "", ""},
    {"TC-03", "a mirror's second copies", kToB, 15, "1", ""},
    {"TC-03", "keep-alives", kToB, 15, "1", ""},
    {"TC-03", "TCP segments out of order", kToB, 15, "1", ""},
    {"TC-03", "the first copy was damaged and is no part of the stream", kToB, 15, "1", ""},
    {"TC-04", "in order, one sent again", kToB, 14, "1", ""},
    {"TC-04", "a capture gap, which is not filled", kToB, 14, "1", ""},
    {"TC-05", "a window of one", kToA, 9, "1", ""},
    {"TC-05", "an RST, whose window means nothing", kToA, 9, "1", ""},
    {"TC-06", "an orderly end", kToB, 10, "", ""},
    {"TC-06", "an RST that does not belong to the connection", kToA, 10, "", ""},
    {"TC-06", "an RST after both FINs", kToA, 12, "", ""},
    {"TC-09", "an RST after which nothing comes ends the connection", kToB, 10, "RST", ""},
    {"TC-09", "an RST at the octet that is expected", kToA, 10, "RST", ""},
    {"TC-07", "the hole is filled at last", kToB, 19, "124", ""},
    {"TC-07", "the receiver acknowledges what was not seen: a capture gap", kToB, 13, "124", ""},
    {"QP-01", "accepted", kToA, 4, "", ""},
    {"QP-01", "closed without a Reply", kToA, 4, "", ""},
    {"QP-01", "the R bit in a Request says nothing (MS-05)", kToA, 4, "", ""},
    {"QP-02", "closed gracefully", kToA, 8, "1/1/00", ""},
    {"QP-02", "reset", kToA, 8, "1/1/00", ""},
    {"QP-02", "damaged: it may be something else", kToA, 9, "1/1/00", ""},
    {"QP-02", "a message of the applications on queue 0 that looks like one", kToA, 13, "0/0/00", ""},
};

}  // namespace

std::span<const ExpectedFinding> expected_of_tcp() {
  return kExpectedOfTcp;
}

}  // namespace iwarpscope::test
