// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// States of engines that an earlier build of this program stored: an engine of today goes on with them. The fingerprint
// of the layout knows kinds and order of members, not their meaning: if two members of one kind change places, it stays
// the same, and the report after such a state shows it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "checkpoint/kit.h"
#include "report/json.h"

namespace iwarpscope::test {
namespace {

/// Set, the states are stored again: for a change that gives the state another layout.
constexpr const char* kUpdate = "IWARPSCOPE_UPDATE_STATES";

/// In front of each state: the fingerprint of its layout.
constexpr std::size_t kLayoutOctets = 8;

std::filesystem::path file_of(const Capture& capture) {
  return std::filesystem::path(IWARPSCOPE_STATES) / (std::filesystem::path(capture.path).stem().string() + ".state");
}

void store(const std::filesystem::path& path, Octets state) {
  std::uint64_t layout = layout_of_engine().value();
  std::string all;
  for (std::size_t k = 0; k < kLayoutOctets; ++k, layout >>= 8) all += static_cast<char>(layout);
  all.append(reinterpret_cast<const char*>(state.data()), state.size());
  std::ofstream(path, std::ios::binary) << all;
}

std::size_t cut_of(const Capture& capture) {
  return capture.frames.size() / 2;
}

std::vector<std::byte> state_of_today(const Capture& capture) {
  struct : analysis::Observer {
  } ignored;
  analysis::Engine engine(all_options(), ignored);
  for (std::size_t k = 0; k < cut_of(capture); ++k) engine.feed(capture.frames[k]);
  Archive archive(std::size_t{1} << 24);
  engine.archive(archive);
  return archive.take_written();
}

/// What an engine reports that goes on with a state; empty: it cannot.
std::string report_after(Octets state, const Capture& capture) {
  std::string report;
  report::JsonObserver observer([&report](std::string_view piece) { report += piece; }, {});
  analysis::Engine engine(all_options(), observer);
  Archive archive(state, engine.words());
  engine.archive(archive);
  if (!archive.is_complete()) return {};
  for (std::size_t k = cut_of(capture); k < capture.frames.size(); ++k) engine.feed(capture.frames[k]);
  engine.conclude(analysis::CaptureInfo{.file = "sample"});
  return report;
}

using Stored = testing::TestWithParam<const char*>;

TEST_P(Stored, StateOfAnEarlierBuildGivesTheReportOfToday) {
  const Capture& capture = sample(GetParam());
  const std::vector<std::byte> state = state_of_today(capture);
  const std::filesystem::path path = file_of(capture);
  if (std::getenv(kUpdate) != nullptr) store(path, state);
  std::ifstream in(path, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(in), {}};
  ASSERT_GT(file.size(), kLayoutOctets) << path;
  const Octets stored = std::as_bytes(std::span{file});
  const std::string expected = report_after(state, capture);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(report_after(stored.subspan(kLayoutOctets), capture), expected)
      << (load_le<std::uint64_t>(stored) == layout_of_engine().value()
              ? "The state has another meaning, and the fingerprint of its layout does not show it: raise kMeaning of "
                "daemon/live/handover.cpp, and store the states again with "
              : "The state has another layout. Store the states again with ")
      << kUpdate << "=1.";
}

INSTANTIATE_TEST_SUITE_P(OfSamples, Stored,
                         testing::Values("made/messages/reads-outstanding.pcapng", "made/messages/atomics.pcapng",
                                         "made/messages/all-opcodes-markers.pcapng",
                                         "made/rules/mpa.framing-lost.pcapng", "made/network/fragments-reversed.pcapng",
                                         "made/sctp/sctp-reordered.pcapng", "made/sctp/sctp-sessions-in-turn.pcapng"));

}  // namespace
}  // namespace iwarpscope::test
