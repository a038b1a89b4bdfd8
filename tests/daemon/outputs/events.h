// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Events for tests of outputs, and folders to put files into.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "live/event.h"
#include "outputs/run.h"

namespace iwarpscope::outputs {

inline const live::Origin kOrigin{"rack 7", "11111111-2222-4333-8444-555555555555",
                                  "66666666-7777-4888-9999-aaaaaaaaaaaa", 3};
inline const Run kRun{"20260101T000000Z-1", "0.1.0", TimePoint{1'700'000'000'000'000'001}, kOrigin};

/// As the analysis names the record of this sequence.
inline live::RecordName record_name(std::uint64_t sequence) {
  return {.origin = std::make_shared<const live::Origin>(kOrigin),
          .sequence = sequence,
          .interface = "mirror0",
          .tap_group = "mirror0,mirror1"};
}

inline net::Endpoint end_a(std::uint16_t port = 4000) {
  return {net::IpAddress::v4(0x0A000001), port};
}
inline net::Endpoint end_b() {
  return {net::IpAddress::v4(0x0A000002), 5445};
}

/// The flow of queue pair `qp` of these tests.
inline std::uint64_t flow_of_qp(std::uint64_t qp) {
  const net::Endpoint a = end_a(static_cast<std::uint16_t>(4000 + qp)), b = end_b();
  return net::stable_hash(a < b ? net::FlowKey{a, b, 0} : net::FlowKey{b, a, 0});
}

inline live::FindingPtr finding_view(std::uint64_t qp, std::uint64_t frame, std::string text = "It is so.",
                                     findings::FindingId id = findings::FindingId::mpa_crc_mismatch) {
  auto view = std::make_shared<live::FindingView>();
  view->sequence = frame;
  view->finding.id = id;
  view->finding.qp = qp;
  view->finding.direction = Direction::a_to_b;
  view->finding.frame = FrameNumber{frame};
  view->finding.time = TimePoint{1'700'000'000'000'000'000 + static_cast<std::int64_t>(frame)};
  view->finding.text = std::move(text);
  view->ends = std::pair{end_a(static_cast<std::uint16_t>(4000 + qp)), end_b()};
  view->flow = flow_of_qp(qp);
  return view;
}
inline live::Event finding(std::uint64_t qp, std::uint64_t frame, std::string text = "It is so.",
                           findings::FindingId id = findings::FindingId::mpa_crc_mismatch) {
  return live::FindingReported{finding_view(qp, frame, std::move(text), id)};
}

inline std::shared_ptr<live::QpView> qp_view(std::uint64_t qp, qp::Outcome outcome = qp::Outcome::completed) {
  auto view = std::make_shared<live::QpView>();
  view->record.qp = qp;
  view->record.a = end_a(static_cast<std::uint16_t>(4000 + qp));
  view->record.b = end_b();
  view->record.first_time = TimePoint{1'700'000'000'000'000'000};
  view->record.last_time = TimePoint{1'700'000'001'000'000'000 + static_cast<std::int64_t>(qp)};
  view->record.verdict = qp::VerdictRecord{};
  view->record.verdict->outcome = outcome;
  view->record.verdict->text = "It ended.";
  view->flow = flow_of_qp(qp);
  view->ended = true;
  return view;
}
inline live::Event ended(std::uint64_t qp, qp::Outcome outcome = qp::Outcome::completed) {
  return live::QpEnded{qp_view(qp, outcome)};
}

/// A folder that goes when the test does.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "iwarpscope-outputs-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no folder " << name;
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// The lines of a text; one that no line feed ends is marked by a '!' at its end.
inline std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t feed = text.find('\n', at);
    all.push_back(feed == std::string::npos ? text.substr(at) + "!" : text.substr(at, feed - at));
    at = feed == std::string::npos ? text.size() : feed + 1;
  }
  return all;
}

/// The same with names.
inline live::Event named_finding(std::uint64_t qp, std::uint64_t sequence) {
  auto view = std::make_shared<live::FindingView>(*finding_view(qp, sequence));
  view->name = record_name(sequence);
  return live::FindingReported{std::move(view)};
}
inline live::Event named_end(std::uint64_t qp, std::uint64_t sequence) {
  auto view = qp_view(qp);
  view->name = record_name(sequence);
  return live::QpEnded{std::move(view)};
}

}  // namespace iwarpscope::outputs
