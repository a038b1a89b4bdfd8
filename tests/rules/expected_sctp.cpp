// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the SC scenarios must give: by rule and note, the direction, the first frame of evidence, seen, expected.
#include "rules/expected.h"

namespace iwarpscope::test {
namespace {

constexpr ExpectedFinding kExpectedOfSctp[] = {
    {"SC-01", "joined behind the handshake", kToB, 5, "none", "0x00000001"},
    {"SC-02", "PPID 46 on another association of the same hosts", kToB, 8, "46", "16 or 17"},
    {"SC-03", "an SSN in an unordered chunk, where it means nothing", kToB, 8, "0", "1"},
    {"SC-04", "a DDP-SSN was not captured", kToB, 8, "3", "2"},
    {"SC-05", "function code 0xFFFF, which is for experiments", kToB, 8, "9", "1..7"},
    {"SC-06", "512 octets of private data", kToB, 5, "513", "512"},
    {"SC-07", "an RDMAP Terminate before a Session Terminate that has none", kToB, 8, "3", "0"},
    {"SC-08", "a Session Terminate for an answer, which refuses", kToA, 8, "", ""},
    {"SC-09", "a DDP segment overtakes the Accept before it", kToA, 6, "", ""},
    {"SC-10", "it waits for the SACK alone", kToB, 5, "", ""},
    {"SC-12", "an enhanced Reject, then a Session Terminate answer one", kToA, 6, "2", "6, 7 or 4"},
    {"SC-13", "an enhanced Initiate with four octets, an enhanced Reject with none", kToB, 5, "3", "4"},
    {"SC-14", "DDP segments that no packet can hold", kToB, 0, "4 chunks", "1 chunk"},
    {"SC-15", "four both ways, where the peer would take sixteen", kToA, 2, "8", "4"},
    {"SC-16", "a new session right behind the SACK of the old one's last chunk", kToB, 12, "", ""},
    {"SC-17", "32767 of them", kToB, 126, "32768", "32767"},
    {"SC-18", "on two of three", kToA, 20, "3", ""},
    {"SC-19", "each sends an Initiate on a stream of its own", {}, 6, "an Initiate of the passive side", ""},
    {"CA-22", "of an association that does not announce DDP", {}, 8, "1", ""},
    {"SC-20", "a sender that leaves the CRC32c to its adapter", kToB, 7, "2", "0"},
    {"SC-21", "a loss before the tap: it sees each chunk once", kToB, 17, "2", ""},
    {"SC-22", "a chunk sent again behind the next ones", kToB, 14, "1", ""},
    {"SC-23", "one that has room for one octet", kToA, 9, "2", ""},
    {"SC-24", "a damaged packet among right ones", kToA, 2, "6", "0"},
    {"SC-25", "a Session Terminate and a SHUTDOWN", kToA, 9, "12", ""},
};

}  // namespace

std::span<const ExpectedFinding> expected_of_sctp() {
  return kExpectedOfSctp;
}

}  // namespace iwarpscope::test
