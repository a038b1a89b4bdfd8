// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The state of an engine, damaged. Input: {u16 frames before the cut, u8 count, count of {u16 where, u8 change}}, then
// a capture file. An engine analyses the frames before the cut; its state is changed as the input says; another engine
// reads it, and goes on if it can.
#include <vector>

#include "analysis/engine.h"
#include "base/archive.h"
#include "capture/parser.h"
#include "fuzz/script.h"

using namespace iwarpscope;

namespace {

constexpr std::size_t kMostState = std::size_t{1} << 26;

struct Ignored final : analysis::Observer {};

std::vector<net::Frame> frames_of(Octets input) {
  std::vector<net::Frame> frames;
  const auto parser = capture::make_parser(input);
  capture::CaptureInfo info;
  for (std::size_t at = 0; parser != nullptr;) {
    const capture::Progress progress = parser->parse(input.subspan(at), frames, frames.size() + 64, info);
    at += progress.consumed;
    if (!progress.cause.empty() || progress.consumed == 0 || progress.need > input.size() - at) break;
  }
  return frames;
}

struct Change {
  std::size_t at = 0;
  std::byte by{};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Script script(data, size);
  const std::size_t cut = script.u16();
  std::vector<Change> changes(script.u8());
  for (Change& change : changes) {
    change.at = script.u16();
    change.by = std::byte{script.u8()};
  }
  const std::vector<net::Frame> frames = frames_of(script.octets(size));

  analysis::Options options{.messages = true};
  options.limits.max_flows = 64;
  options.limits.max_qps = 64;
  options.limits.buffer_octets = 1 << 20;
  Ignored observer;
  analysis::Engine first(options, observer);
  for (std::size_t k = 0; k < std::min(cut, frames.size()); ++k) first.feed(frames[k]);
  Archive writer(kMostState);
  first.archive(writer);
  std::vector<std::byte> state = writer.take_written();
  for (const Change& change : changes) state[change.at % state.size()] ^= change.by;

  analysis::Engine second(options, observer);
  Archive reader(state, second.words());
  second.archive(reader);
  fuzz::require(reader.is_complete() || !changes.empty(), "what was not changed is read");
  if (!reader.is_complete()) return 0;
  for (std::size_t k = cut; k < frames.size(); ++k) second.feed(frames[k]);
  second.conclude({});
  return 0;
}
