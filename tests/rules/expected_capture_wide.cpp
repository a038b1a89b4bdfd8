// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the scenarios of capture_wide.cpp must give: by rule and note, the first frame of evidence, and seen.
#include "rules/expected.h"

namespace iwarpscope::test {
namespace {

constexpr ExpectedFinding kExpectedOfCaptureWide[] = {
    {"PM-01", "answered", {}, 1, "2", ""},
    {"PM-01", "answered after the second request", {}, 1, "2", ""},
    {"PM-02", "accepted", {}, 1, "1", ""},
    {"PM-03", "a connection to the port named", {}, 1, "1", ""},
    {"TC-08", "another program on the port", {}, 4, "1", ""},
    {"TC-08", "SMB Direct was refused", {}, 7, "1", ""},
    {"SX-10", "four", {}, 1, "6", ""},
    {"SX-10", "a listener of which nothing says that it speaks iWARP", {}, 1, "6", ""},
    {"SX-02", "seven", {}, 7, "8", ""},
    {"SX-03", "seven", {}, 7, "8", ""},
};

}  // namespace

std::span<const ExpectedFinding> expected_of_capture_wide() {
  return kExpectedOfCaptureWide;
}

}  // namespace iwarpscope::test
