// The sample captures in memory, and what an analysis of their frames, or of what is left of them, tells.
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

  /// Small enough for every place to be tried: an uncompressed file below 20 000 octets.
  [[nodiscard]] bool is_small() const { return !compressed && file.size() < 20'000; }
};

/// All captures of the samples folder, in order of their paths. Read once. Fails the test program when there are none.
[[nodiscard]] const std::vector<Capture>& captures();

/// The frames that the in-memory parser finds in the first octets of a capture file, all numbered.
[[nodiscard]] std::vector<net::Frame> parse(Octets file);

/// True for each frame that is, or is a fragment of, a TCP segment or SCTP packet from the lower of its two ends.
[[nodiscard]] std::vector<bool> from_low(const std::vector<net::Frame>& frames);

/// Everything asked for: every place and every frame of every sample instead of a systematic choice. Set by the
/// environment variable IWARPSCOPE_EXHAUSTIVE.
[[nodiscard]] bool exhaustive();

/// What of an analysis can be held against another one of fewer or other frames.
struct Outcome {
  /// How often each rule of error severity was broken by each sender. Sender: "address:port", or "capture".
  std::map<std::pair<std::string, std::string>, std::uint64_t> errors;
  /// Texts of the errors, for messages of failed tests.
  std::vector<std::string> texts;
  /// Whole messages, each with its sender and everything that does not depend on the frames around it.
  std::multiset<std::string> messages;
  /// Messages that are not whole, without what they carry.
  std::multiset<std::string> incomplete;
  std::uint64_t qps = 0;
};

/// One fault that goes by another rule's name when part of the startup, of the frames before it or of it is missing.
/// All other errors in changed frames must be errors of the whole, by the same sender, as often.
struct OtherName {
  std::string_view path;   ///< how the path of the sample begins
  std::string_view codes;  ///< the other names: "DD-02 RM-01"
  std::string_view why;
};
[[nodiscard]] bool is_other_name(std::string_view sample, std::string_view code);

struct Wanted {
  bool messages = false;  ///< with SHA-256
};

/// Feeds the frames, numbered anew from 1 without gaps, to the analyser.
[[nodiscard]] Outcome outcome(const std::vector<net::Frame>& frames, const Wanted& wanted = {});

/// Compares what was found in changed frames with what was found in all of them, and collects what was made up.
class Comparison {
 public:
  explicit Comparison(const Capture& capture, const Wanted& wanted = {});

  /// The frames, of which something is missing or moved, as `change` says: "without frame 7".
  void expect_nothing_new(const std::vector<net::Frame>& frames, const std::string& change);

  [[nodiscard]] const Outcome& whole() const { return whole_; }

 private:
  const Capture& capture_;
  Wanted wanted_;
  Outcome whole_;
};

/// Lines about what went wrong, over all captures; the first few are printed when it is asked for.
class Faults {
 public:
  static Faults& all();
  void add(std::string line);
  void count_run() { ++runs_; }
  /// Fails the running test when there are faults, and forgets them. `least` analyses must have run.
  void settle(std::uint64_t least);

 private:
  std::vector<std::string> lines_;
  std::uint64_t total_ = 0;
  std::uint64_t runs_ = 0;
};

}  // namespace iwarpscope::test
