// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One thread or several: the same octets of JSON. Stopping, damage, standard input.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "report/json.h"
#include "support/rounds.h"
#include "synth/connection.h"
#include "synth/load.h"
#include "synth/ordinary.h"

namespace iwarpscope::engine {
namespace {

using synth::Side;
using test::rounds;

/// A file that goes away with its test.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& name)
      : path(testing::TempDir() + "iwarpscope-engine-" + std::to_string(::getpid()) + "-" + name) {}
  ~TemporaryFile() { std::filesystem::remove(path); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path;
};

struct Result {
  std::string json;
  Outcome outcome;
};

Request request(const std::string& file, unsigned threads) {
  Request r;
  r.file = file;
  r.options = {.messages = true, .digest = true};
  r.threads = threads;
  return r;
}

Result run(const Request& request) {
  Result result;
  report::JsonObserver observer([&](std::string_view text) { result.json += text; }, {.digest = true});
  auto outcome = analyze(request, observer);
  EXPECT_TRUE(outcome) << outcome.error();
  if (outcome) result.outcome = *outcome;
  return result;
}

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

/// Where two reports part, in a line or two.
std::string difference(const std::string& one, const std::string& other) {
  const auto at =
      static_cast<std::size_t>(std::mismatch(one.begin(), one.end(), other.begin(), other.end()).first - one.begin());
  const std::size_t line = at == 0 ? 0 : one.rfind('\n', at - 1) + 1;
  return "one thread: " + one.substr(line, 300) + "\nseveral:    " + other.substr(line, 300);
}

void expect_same_with_any_threads(const std::string& file) {
  const Result one = run(request(file, 1));
  EXPECT_EQ(count(one.json, "{\"record\":\"summary\""), 1u) << file;
  for (const unsigned threads : {2U, 3U, 8U, 40U}) {
    const Result several = run(request(file, threads));
    EXPECT_TRUE(one.json == several.json) << file << " in " << threads << " threads\n"
                                          << difference(one.json, several.json);
    EXPECT_EQ(one.outcome.truncated, several.outcome.truncated);
    EXPECT_EQ(one.outcome.damaged, several.outcome.damaged);
  }
}

/// Many connections of all kinds at once, over a bad network and a bad tap, each on addresses of its own.
synth::Frames busy(unsigned connections) {
  std::vector<synth::Frames> all;
  for (unsigned i = 0; i < connections; ++i) {
    synth::ConnectionOptions options;
    options.initiator.port = static_cast<std::uint16_t>(40000 + i);
    options.initiator.isn = i * 0x01234567U;
    options.responder.port = static_cast<std::uint16_t>(5000 + i % 7);
    options.seed = i + 1;
    synth::Connection c(options);
    c.impair({.seed = i, .lose_after_tap = 10, .miss = 15, .hold_back = 10, .mirror_duplicate = 10, .corrupt = 5});
    c.connect();
    c.wait(std::int64_t{i} * 3'000);
    if (i % 5 == 4) {
      synth::ordinary(c, synth::Ordinary::http, 3, i);
      all.push_back(c.frames());
      continue;
    }
    c.startup({.crc = i % 3 != 0, .markers = i % 2 == 0});
    for (unsigned round = 0; round < 4; ++round) {
      c.send(Side::initiator, 100 + 777 * round);
      if (i % 6 == 1 && round == 2) c.fault("crc-mismatch");
      c.write(Side::responder, STag{i}, TaggedOffset{0x1000}, 5000);
      c.read(Side::initiator, {.size = 3000});
    }
    if (i % 4 != 0) c.close();
    all.push_back(c.frames());
  }
  return synth::merge(all);
}

void save(const std::string& path, const synth::Frames& frames) {
  synth::FileSink file(path);
  for (const synth::Frame& f : frames) file.add(f);
  file.close();
}

TEST(Threads, OfAnyNumberGiveTheSameReportOfEverySample) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(IWARPSCOPE_SAMPLES)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".pcap") == std::string::npos) continue;
    ++files;
    if (files % (8 / rounds(8U)) == 0) expect_same_with_any_threads(entry.path().string());
  }
  EXPECT_GT(files, 200u);
}

TEST(Threads, OfAnyNumberGiveTheSameReportOfManyBusyQueuePairs) {
  const TemporaryFile file("busy.pcapng");
  save(file.path, busy(150));
  const Result one = run(request(file.path, 1));
  EXPECT_GT(count(one.json, "{\"record\":\"qp\""), 100u);
  EXPECT_GT(count(one.json, "{\"record\":\"message\""), 1000u);
  EXPECT_GT(count(one.json, "{\"record\":\"finding\""), 100u);
  expect_same_with_any_threads(file.path);
}

TEST(Threads, OfAnyNumberGiveTheSameReportOfManyIdleQueuePairs) {
  const TemporaryFile file("idle.pcapng");
  synth::FileSink sink(file.path);
  synth::idle_qps(3000, [&](synth::Frame&& f) { sink.add(f); });
  sink.close();
  expect_same_with_any_threads(file.path);
}

TEST(Threads, OfAnyNumberKeepToTheSameLimits) {
  const TemporaryFile file("limits.pcapng");
  save(file.path, busy(150));
  std::string first;
  for (const unsigned threads : {1U, 2U, 8U}) {
    Request r = request(file.path, threads);
    r.options.limits.max_qps = 48;
    r.options.limits.max_flows = 96;
    r.options.limits.buffer_octets = 64 << 10;
    r.options.limits.findings_per_rule = 2;
    const Result result = run(r);
    if (threads == 1) first = result.json;
    EXPECT_TRUE(first == result.json) << threads << " threads\n" << difference(first, result.json);
  }
  EXPECT_LE(count(first, "{\"record\":\"qp\""), 48u);
}

/// All records but the one of the capture, which names files and interfaces.
std::string without_capture(const std::string& json) {
  std::istringstream lines(json);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("{\"record\":\"capture\"") == std::string::npos) out += line + '\n';
  }
  return out;
}

TEST(MergedFiles, GiveTheReportOfOne) {
  const TemporaryFile whole("whole.pcapng"), one("one.pcapng"), two("two.pcapng");
  const synth::Frames frames = busy(40);
  std::array<synth::Frames, 2> parts;
  std::size_t to = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    // Frames of one time stay together: which of two files has the first is not known.
    if (i != 0 && frames[i].time_ns != frames[i - 1].time_ns) to = 1 - to;
    parts[to].push_back(frames[i]);
  }
  save(whole.path, frames);
  save(one.path, parts[0]);
  save(two.path, parts[1]);
  Request merged = request(one.path, 1);
  merged.merged = {two.path};
  const std::string expected = without_capture(run(request(whole.path, 1)).json);
  EXPECT_GT(count(expected, "{\"record\":\"qp\""), 20u);
  EXPECT_EQ(without_capture(run(merged).json), expected);
}

TEST(MergedFiles, OneThatIsMissingFails) {
  const TemporaryFile one("one.pcapng");
  save(one.path, busy(1));
  Request merged = request(one.path, 1);
  merged.merged = {one.path + ".missing"};
  report::JsonObserver observer([](std::string_view) { FAIL() << "a record"; });
  EXPECT_FALSE(analyze(merged, observer));
}

TEST(StopFlag, SetWhileReadingReportsWhatWasFound) {
  const TemporaryFile file("stop.pcapng");
  synth::FileSink sink(file.path);
  synth::small({.octets = 8'000'000}, [&](synth::Frame&& f) { sink.add(f); });
  sink.close();
  const Result whole = run(request(file.path, 1));
  EXPECT_FALSE(whole.outcome.interrupted);
  for (const unsigned threads : {1U, 4U}) {
    std::atomic<bool> stop{false};
    Request r = request(file.path, threads);
    r.stop = &stop;
    unsigned calls = 0;
    r.progress = [&](std::uint64_t, std::optional<std::uint64_t>) {
      if (++calls == 3) stop = true;
    };
    const Result part = run(r);
    EXPECT_TRUE(part.outcome.interrupted);
    EXPECT_EQ(count(part.json, "\"interrupted\":true"), 1u);
    EXPECT_EQ(count(whole.json, "\"interrupted\":false"), 1u);
    EXPECT_EQ(calls, 3u);
    EXPECT_EQ(count(part.json, "{\"record\":\"summary\""), 1u);
    EXPECT_EQ(count(part.json, "{\"record\":\"qp\""), count(whole.json, "{\"record\":\"qp\""));
    EXPECT_GT(count(part.json, "{\"record\":\"message\""), 0u);
    EXPECT_LT(count(part.json, "{\"record\":\"message\""), count(whole.json, "{\"record\":\"message\""));
  }
}

TEST(StopFlag, SetBeforeTheStartGivesAnEmptyReport) {
  const std::atomic<bool> stop{true};
  for (const unsigned threads : {1U, 4U}) {
    Request r = request(IWARPSCOPE_SAMPLES "/made/startup/rev1.pcapng", threads);
    r.stop = &stop;
    const Result result = run(r);
    EXPECT_TRUE(result.outcome.interrupted);
    EXPECT_EQ(count(result.json, "\n"), 2u) << result.json;  // the capture and the summary
  }
}

/// The lines of a report without those that hold `what`.
std::string lines_without(const std::string& text, std::string_view what) {
  std::string kept;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.find(what) == std::string::npos) kept += line + "\n";
  }
  return kept;
}

/// `text` with the one place that holds `from` changed to `to`.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_EQ(count(text, from), 1u) << from;
  const std::size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {(std::istreambuf_iterator<char>(in)), {}};
}

TEST(DamagedFile, GivesWhatIsBeforeTheDamageAndSaysWhere) {
  const std::string octets = read(IWARPSCOPE_SAMPLES "/made/network/classic-pcap.pcap");
  ASSERT_GT(octets.size(), 3000u);
  // The 10th record claims more octets than any frame has.
  std::size_t at = 24;
  const auto length = [&](std::size_t where) {
    return static_cast<std::size_t>(static_cast<unsigned char>(octets[where])) |
           static_cast<std::size_t>(static_cast<unsigned char>(octets[where + 1])) << 8;
  };
  for (unsigned record = 1; record < 10; ++record) at += 16 + length(at + 8);
  std::string damaged = octets;
  damaged.replace(at + 8, 4, "\xFF\xFF\xFF\x7F");
  const TemporaryFile file("damaged.pcap"), before("before.pcap");
  std::ofstream(file.path, std::ios::binary) << damaged;
  std::ofstream(before.path, std::ios::binary) << octets.substr(0, at);
  for (const unsigned threads : {1U, 3U}) {
    const Result result = run(request(file.path, threads));
    EXPECT_NE(result.outcome.damaged.find(file.path), std::string::npos) << result.outcome.damaged;
    EXPECT_NE(result.outcome.damaged.find("octet " + std::to_string(at)), std::string::npos) << result.outcome.damaged;
    EXPECT_EQ(count(result.json, "\"id\":\"capture.damaged-file\""), 1u) << result.json;
    EXPECT_EQ(count(result.json, "\"warnings\":1,"), 1u) << result.json;
    const Result good = run(request(before.path, threads));
    EXPECT_EQ(good.outcome.damaged, "");
    std::string expected = replaced(good.json, before.path, file.path);
    expected = replaced(expected, "\"damaged_at\":null", "\"damaged_at\":" + std::to_string(at));
    const auto comparable = [](const std::string& json) {
      return lines_without(lines_without(json, "capture.damaged-file\",\"code"), "{\"record\":\"summary\"");
    };
    EXPECT_EQ(comparable(result.json), comparable(expected));
  }
}

TEST(DamagedFile, ThatIsCompressedSaysSoToo) {
  const std::string octets = read(IWARPSCOPE_SAMPLES "/made/network/capture-loss.pcapng.gz");
  std::string damaged = octets;
  for (std::size_t at = octets.size() / 2; at < octets.size() / 2 + 64; ++at) damaged[at] = '\x55';
  const TemporaryFile file("damaged.pcapng.gz");
  std::ofstream(file.path, std::ios::binary) << damaged;
  const Result result = run(request(file.path, 1));
  EXPECT_NE(result.outcome.damaged, "");
  EXPECT_EQ(count(result.json, "\"id\":\"capture.damaged-file\""), 1u) << result.json;
  EXPECT_EQ(count(result.json, "\"damaged_at\":null"), 0u);
}

TEST(TruncatedFile, IsAnalysedToItsEndAndSaysSo) {
  const std::string octets = read(IWARPSCOPE_SAMPLES "/made/startup/rev1.pcapng");
  const TemporaryFile file("truncated.pcapng");
  std::ofstream(file.path, std::ios::binary) << octets.substr(0, octets.size() / 2 + 1);
  for (const unsigned threads : {1U, 3U}) {
    const Result result = run(request(file.path, threads));
    EXPECT_NE(result.outcome.truncated.find(file.path), std::string::npos);
    EXPECT_EQ(result.outcome.damaged, "");
    EXPECT_EQ(count(result.json, "\"truncated_file\":true"), 1u);
  }
}

TEST(Request, ForNoCaptureFailsWithOneLineAndNoRecord) {
  const TemporaryFile text("text"), empty("empty");
  std::ofstream(text.path) << "this is no capture file";
  std::ofstream(empty.path) << "";
  for (const std::string& path : {text.path, empty.path, std::string("/no/such/file")}) {
    std::string json;
    report::JsonObserver observer([&](std::string_view t) { json += t; });
    const auto outcome = analyze(request(path, 2), observer);
    ASSERT_FALSE(outcome);
    EXPECT_NE(outcome.error().find(path), std::string::npos);
    EXPECT_EQ(outcome.error().find('\n'), std::string::npos);
    EXPECT_EQ(json, "");
  }
}

TEST(StandardInput, IsReadLikeAFile) {
  const std::string path = IWARPSCOPE_SAMPLES "/made/messages/all-opcodes.pcapng";
  const int saved = ::dup(0);
  ASSERT_GE(saved, 0);
  for (const unsigned threads : {1U, 4U}) {
    Result expected = run(request(path, threads));
    const std::size_t name = expected.json.find(path);
    ASSERT_NE(name, std::string::npos);
    expected.json.replace(name, path.size(), "-");
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_GE(file, 0);
    ASSERT_EQ(::dup2(file, 0), 0);
    ::close(file);
    const Result result = run(request("-", threads));
    EXPECT_EQ(result.json, expected.json);
  }
  EXPECT_EQ(::dup2(saved, 0), 0);
  ::close(saved);
}

}  // namespace
}  // namespace iwarpscope::engine
