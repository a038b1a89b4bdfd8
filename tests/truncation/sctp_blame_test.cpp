// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Over SCTP: a frame that the capture misses, or has at another position, causes no finding about a peer or the path
// (including warnings), and no verdict against one, that the whole capture does not have.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "analysis/analyzer.h"
#include "findings/catalogue.h"
#include "report/human.h"
#include "support/analysis.h"
#include "synth/script.h"
#include "truncation/captures.h"

namespace iwarpscope::test {
namespace {

/// Which ends an analysis accuses, and of what.
struct Accused final : analysis::Observer {
  std::multiset<std::string> all;
  std::map<std::string, std::string> texts;

  void finding(const findings::Finding& f) override {
    const findings::Rule& rule = findings::rule(f.id);
    if (rule.severity == findings::Severity::note || rule.about == findings::About::capture) return;
    if (f.id == findings::FindingId::rdmap_failed_otherwise) return;  // repeats the verdict, which is checked
    all.emplace(rule.code);
    texts[std::string(rule.code)] = f.text;
  }
  void qp(const qp::QpRecord& r) override {
    if (!r.verdict) return;
    const qp::VerdictRecord& v = *r.verdict;
    std::string blamed;
    if (v.blame == qp::Blame::a) blamed = r.a.text();
    if (v.blame == qp::Blame::b) blamed = r.b.text();
    if (v.blame == qp::Blame::path) blamed = "path";
    if (blamed.empty()) return;
    const std::string what = fmt::format("{} is blamed on stream {}", blamed, r.sctp_stream.value_or(0));
    all.insert(what);
    texts[what] = v.text;
  }
};

Accused accused(const std::vector<net::Frame>& frames) {
  Accused found;
  analysis::Analyzer analyzer({}, found);
  std::uint64_t number = 0;
  for (net::Frame frame : frames) {
    frame.number = FrameNumber{++number};
    analyzer.feed(frame);
  }
  analyzer.finish({});
  return found;
}

bool is_over_sctp(const Capture& capture) {
  return capture.path.starts_with("made/sctp") || capture.path.starts_with("made/rules/sctp.") ||
         capture.path.starts_with("sctp/");
}

/// The whole of a sample; its changed frames are compared with it.
class Accusations {
 public:
  explicit Accusations(const Capture& capture) : capture_(capture), whole_(accused(capture.frames)) {}

  void expect_none_new(const std::vector<net::Frame>& frames, const std::string& change) {
    Faults::all().count_run();
    const Accused part = accused(frames);
    for (const auto& [what, text] : part.texts) {
      if (part.all.count(what) <= whole_.all.count(what) || is_other_name(capture_.path, what)) continue;
      Faults::all().add(fmt::format("{} {}: {}\n      {}", capture_.path, change, what, text));
    }
  }

 private:
  const Capture& capture_;
  Accused whole_;
};

struct Scripted {
  const char* name;
  const char* script;
};

/// Sessions with a waiting end at the end of the session or of the capture, and correct sessions in sequence and in
/// parallel.
constexpr Scripted kScripted[] = {
    {"made/sctp read without an answer",
     "sctp; connect; startup; send a 10; send b 10; read-request a size=3000; ack b; wait 20s; heartbeat b"},
    {"made/sctp read that is answered in part",
     "sctp; connect; startup; send b 10; read a size=9000; read-request a size=3000; ack b; wait 5s; send b 5; wait "
     "20s\n"
     "heartbeat b"},
    {"made/sctp idle between messages",
     "sctp; connect; startup; send a 100; wait 30s; send b 10; wait 30s; read a size=2000; wait 30s; close; shutdown"},
    {"made/sctp idle, then heartbeats alone",
     "sctp; connect; startup; send a 100; send b 100; wait 30s; heartbeat a; wait 30s; heartbeat b"},
    {"made/sctp/sctp-abort, after a wait, with a read open",
     "sctp; connect; startup; send a 10; read-request a size=100; ack b; wait 2s; abort a"},
    {"made/sctp/sctp-abort by the end that did not answer",
     "sctp; connect; startup; send a 10; read-request a size=100; ack b; wait 2s; abort b"},
    {"made/sctp shut down with a read open", "sctp; connect; startup; read-request a size=100; ack b; shutdown"},
    {"made/sctp never acknowledged",
     "sctp; connect; startup; send a 10; ack b; send a 10; send a 20; wait 20s; heartbeat a"},
    {"made/sctp window closed",
     "sctp; connect; startup; send a 10; a-rwnd b 0; send a 10; ack b; wait 20s; heartbeat a"},
    {"made/sctp Initiate without an answer", "sctp; connect; session a initiate; ack b; wait 20s; heartbeat b"},
    {"made/sctp sessions alternating between the sides",
     "sctp; connect; startup; send a 5; session a terminate; session b terminate; new-session; session b initiate\n"
     "session a accept; send b 5; session b terminate; session a terminate; new-session; startup; read a size=3000\n"
     "close b; new-session; session b initiate; session a reject; new-session; session b enhanced-initiate ird=2 "
     "ord=2\n"
     "session a enhanced-accept ird=2 ord=2; send b 60; session a terminate; session b terminate; shutdown"},
    {"made/sctp sessions that begin where others end",
     "sctp; connect; startup; read-request a size=100; read-response b; close; new-session; session b initiate\n"
     "session a accept; send b 60; session a terminate; session b terminate; new-session; startup; send a 4; close\n"
     "shutdown"},
    {"made/sctp streams of which one is closed by one side only",
     "sctp; connect; startup; send b 5; sctp-stream 1; session b initiate; session a accept; read-request a size=100\n"
     "read-response b; session a terminate; session b terminate; sctp-stream 0; send b 6; session a terminate\n"
     "shutdown b"},
    {"made/sctp after a reject and a refusal",
     "sctp; connect; startup reject; new-session; session a enhanced-initiate ird=1 ord=1\n"
     "session b enhanced-reject ird=1 ord=1; new-session; session a initiate; session b terminate; new-session\n"
     "startup; send a 100; close; shutdown"},
    {"made/sctp closed by the passive side, which goes on",
     "sctp; connect; startup; send a 7; session b terminate; send a 8; send a 9; session a terminate; new-session\n"
     "startup; send b 5; session a terminate; send b 7; wait 30ms; shutdown b"},
};

/// The scripts as captures, whose frames borrow those of the synthesiser.
const std::vector<Capture>& scripted() {
  static const std::vector<Capture> all = [] {
    static std::vector<synth::Frames> made;
    std::vector<Capture> captures;
    made.reserve(std::size(kScripted));
    for (const Scripted& one : kScripted) {
      const synth::Frames& frames = made.emplace_back(synth::play(one.script));
      Capture& capture = captures.emplace_back();
      capture.path = one.name;
      for (const synth::Frame& f : frames) capture.frames.push_back(frame_of(f, capture.frames.size() + 1));
    }
    return captures;
  }();
  return all;
}

/// Larger ones have too many frames; those of one kind are alike.
std::vector<const Capture*> tried() {
  std::vector<const Capture*> all;
  for (const Capture& capture : captures()) {
    if (is_over_sctp(capture) && capture.frames.size() <= 400) all.push_back(&capture);
  }
  for (const Capture& capture : scripted()) all.push_back(&capture);
  return all;
}

TEST(MissedSctpFrames, OneAtATimeAccuseNoEnd) {
  for (const Capture* each : tried()) {
    const Capture& capture = *each;
    Accusations accusations(capture);
    for (std::size_t i = 0; i < capture.frames.size(); ++i) {
      std::vector<net::Frame> left = capture.frames;
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
      accusations.expect_none_new(left, fmt::format("without frame {}", i + 1));
    }
  }
  Faults::all().settle(1500);
}

/// The result of random loss of several frames: single ones, or stretches of them.
std::vector<net::Frame> thinned(const std::vector<net::Frame>& frames, std::mt19937_64& random) {
  std::vector<net::Frame> left = frames;
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const bool stretches = below(2) == 0;
  for (std::size_t n = 1 + below(stretches ? 3 : frames.size() / 2 + 1); n > 0 && left.size() > 2; --n) {
    const std::size_t at = below(left.size());
    const std::size_t count = stretches ? std::min(1 + below(16), left.size() - at) : 1;
    const auto first = left.begin() + static_cast<std::ptrdiff_t>(at);
    left.erase(first, first + static_cast<std::ptrdiff_t>(count));
  }
  return left;
}

/// An ABORT has no TSN: if a stretch just before it is lost, the loss cannot be seen. The same holds if two sessions
/// run at the same time and all of one is lost up to its end.
bool shows_its_losses(const Capture& capture) {
  return capture.path.find("/sctp-abort") == std::string::npos &&
         capture.path.find("/sctp-both-active") == std::string::npos &&
         capture.path.find("/sctp.terminate-on-every-stream") == std::string::npos;
}

TEST(MissedSctpFrames, SeveralAccuseNoEnd) {
  for (const Capture* each : tried()) {
    const Capture& capture = *each;
    if (!shows_its_losses(capture)) continue;
    Accusations accusations(capture);
    for (unsigned seed = 0; seed < (exhaustive() ? 1000u : 14u); ++seed) {
      std::mt19937_64 random(seed);
      accusations.expect_none_new(thinned(capture.frames, random), fmt::format("thinned by seed {}", seed));
    }
  }
  Faults::all().settle(1500);
}

/// Frame `from` comes after frame `to`; the times stay unchanged.
std::vector<net::Frame> delayed(const std::vector<net::Frame>& frames, std::size_t from, std::size_t to) {
  std::vector<net::Frame> moved = frames;
  const auto at = moved.begin() + static_cast<std::ptrdiff_t>(from);
  std::rotate(at, std::next(at), moved.begin() + static_cast<std::ptrdiff_t>(to) + 1);
  for (std::size_t i = from; i <= to; ++i) moved[i].time = frames[i].time;
  return moved;
}

TEST(MovedSctpFrames, OneThatComesLaterAccusesNoEnd) {
  constexpr std::size_t kMostPlaces = 8;
  for (const Capture* each : tried()) {
    const Capture& capture = *each;
    Accusations accusations(capture);
    for (std::size_t from = 0; from < capture.frames.size(); ++from) {
      const std::size_t last = std::min(from + kMostPlaces, capture.frames.size() - 1);
      for (std::size_t to = from + 1; to <= last; ++to) {
        if (!exhaustive() && to != from + 1 && to != last) continue;
        accusations.expect_none_new(delayed(capture.frames, from, to),
                                    fmt::format("with frame {} after frame {}", from + 1, to + 1));
      }
    }
  }
  Faults::all().settle(3000);
}

/// A mirror's ports with different clocks or queues.
TEST(MovedSctpFrames, OfOneSideThatComeLaterAccuseNoEnd) {
  for (const Capture* each : tried()) {
    const Capture& capture = *each;
    Accusations accusations(capture);
    const std::vector<bool> low = from_low(capture.frames);
    for (const bool side : {true, false}) {
      for (const std::int64_t late_us : {10, 30, 50, 100, 200}) {
        std::vector<net::Frame> frames = capture.frames;
        for (std::size_t i = 0; i < frames.size(); ++i) {
          if (low[i] == side) frames[i].time.ns += late_us * 1000;
        }
        std::stable_sort(frames.begin(), frames.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
        accusations.expect_none_new(frames,
                                    fmt::format("with the {} side {} us later", side ? "low" : "high", late_us));
      }
    }
  }
  Faults::all().settle(500);
}

}  // namespace
}  // namespace iwarpscope::test
