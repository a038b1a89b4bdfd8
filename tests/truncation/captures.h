// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The sample captures in memory, and the results of analysing their frames, or a part of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/octets.h"
#include "net/frame.h"

namespace iwarpscope::test {

/// One sample. The frames borrow `file`.
struct Capture {
  std::string path;  ///< below the samples folder
  std::string full_path;
  bool compressed = false;
  std::vector<std::byte> file;  ///< the octets of the file, decompressed
  std::vector<net::Frame> frames;

  /// Small enough to try every position: an uncompressed file below 20 000 octets.
  [[nodiscard]] bool is_small() const { return !compressed && file.size() < 20'000; }
};

/// All captures of the samples folder, in order of their paths. Read once. Fails the test program if the folder has
/// none.
[[nodiscard]] const std::vector<Capture>& captures();

/// The frames that the in-memory parser finds in the first octets of a capture file, all numbered.
[[nodiscard]] std::vector<net::Frame> parse(Octets file);

/// True for each frame that is, or is a fragment of, a TCP segment or SCTP packet from the lower of its two ends.
[[nodiscard]] std::vector<bool> from_low(const std::vector<net::Frame>& frames);

/// All requested: every position and every frame of every sample instead of a systematic choice. Set by the environment
/// variable IWARPSCOPE_EXHAUSTIVE.
[[nodiscard]] bool exhaustive();

/// The parts of an analysis that can be compared with an analysis of fewer or other frames.
struct Outcome {
  /// How often each sender broke each rule of error severity. Sender: "address:port", or "capture".
  std::map<std::pair<std::string, std::string>, std::uint64_t> errors;
  /// Texts of the errors, for messages of failed tests.
  std::vector<std::string> texts;
  /// Complete messages, each with its sender and all fields that do not depend on the frames around it.
  std::multiset<std::string> messages;
  /// Incomplete messages, without their contents.
  std::multiset<std::string> incomplete;
  std::uint64_t qps = 0;
};

/// One fault that has another rule's name if part of the startup, of the frames before it or of the fault itself is
/// missing. All other errors in changed frames must be errors of the whole, by the same sender, as often.
struct OtherName {
  std::string_view path;   ///< how the path of the sample begins
  std::string_view codes;  ///< the other names: "DD-02 RM-01"
  std::string_view why;
};
[[nodiscard]] bool is_other_name(std::string_view sample, std::string_view code);

struct Wanted {
  bool messages = false;  ///< with SHA-256
};

/// Feeds the frames, numbered again from 1 without gaps, to the analyser.
[[nodiscard]] Outcome outcome(const std::vector<net::Frame>& frames, const Wanted& wanted = {});

/// Compares the findings in changed frames with those in all frames, and collects false ones.
class Comparison {
 public:
  explicit Comparison(const Capture& capture, const Wanted& wanted = {});

  /// The frames with missing or moved ones, as `change` describes: "without frame 7".
  void expect_nothing_new(const std::vector<net::Frame>& frames, const std::string& change);

  [[nodiscard]] const Outcome& whole() const { return whole_; }

 private:
  const Capture& capture_;
  Wanted wanted_;
  Outcome whole_;
};

/// Lines about faults, for all captures; the first few are printed on request.
class Faults {
 public:
  static Faults& all();
  void add(std::string line);
  void count_run() { ++runs_; }
  /// Fails the running test if there are faults, and discards them. At least `least` analyses must have run.
  void settle(std::uint64_t least);

 private:
  std::vector<std::string> lines_;
  std::uint64_t total_ = 0;
  std::uint64_t runs_ = 0;
};

}  // namespace iwarpscope::test
