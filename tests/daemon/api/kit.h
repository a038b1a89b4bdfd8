// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A server whose daemon is made by hand, in a folder of its own.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/server.h"
#include "daemon/live/fake_directory.h"
#include "shared/report/sample_records.h"

namespace iwarpscope::api::testing {

/// What is done under the thread sanitizer takes so many times as long: bounds of wall-clock time are that much wider.
#if defined(IWARPSCOPE_THREAD_SANITIZER)
inline constexpr int kSlower = 20;
#else
inline constexpr int kSlower = 1;
#endif
/// For data that has to be large.
inline constexpr const char* kTooMuch = "so many octets through gRPC take the thread sanitizer half an hour";
/// So many objects, or as many as show the same where each takes longer.
[[nodiscard]] constexpr std::uint64_t many(std::uint64_t count) {
  constexpr std::uint64_t kEnough = 50;
  return kSlower == 1 ? count : std::min(count, kEnough);
}

/// Waits for a condition that another thread makes true.
template <class Condition>
bool becomes(Condition condition) {
  for (int i = 0; i < 2000 * kSlower; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return condition();
}

/// For a Unix socket. Precondition: the path is short enough.
inline sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

/// Removed with all that is in it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "iwarpscope-api-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

class FakePackets final : public live::Packets {
 public:
  std::string file = "0123456789";  ///< what fetch() writes `pieces` times
  std::size_t pieces = 3;
  live::PacketQuery asked;
  unsigned asked_seconds = 0;
  std::string asked_reason;
  Answer<std::uint64_t> fetch(const live::PacketQuery& query, const std::function<bool(Octets)>& write) override {
    asked = query;
    if (file.empty()) return tl::unexpected(std::string{"nothing is kept"});
    std::size_t i = 0;
    while (i < pieces && write(std::as_bytes(std::span{file}))) ++i;
    return i;
  }
  /// What visit() gives; numbered from 1.
  std::vector<std::vector<std::byte>> stored;
  std::uint64_t first_stored = 1;  ///< those before it were discarded
  bool many = false;               ///< visit() gives the first again and again, for half a minute
  std::atomic<bool> left{false};   ///< and was stopped before
  Answer<void> visit(std::uint64_t, FrameNumber number, std::uint64_t /*before*/,
                     const std::function<bool(const net::Frame&)>& visit) override {
    if (number.value < first_stored || number.value > stored.size()) {
      return tl::unexpected(std::string{"Frame is not stored."});
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    for (std::uint64_t i = first_stored; i <= stored.size(); i += many ? 0 : 1) {
      if (many) std::this_thread::sleep_for(std::chrono::milliseconds{1});
      if (many && std::chrono::steady_clock::now() > end) break;
      net::Frame frame;
      frame.number = FrameNumber{i};
      frame.time = TimePoint{static_cast<std::int64_t>(i)};
      frame.link = net::LinkType::ethernet;
      frame.octets = stored[i - 1];
      frame.original_length = static_cast<std::uint32_t>(frame.octets.size());
      if (visit(frame)) continue;
      left = true;
      break;
    }
    return {};
  }
  Answer<std::string> record(std::uint64_t qp, const std::string& reason, unsigned seconds) override {
    asked_reason = reason;
    asked_seconds = seconds;
    return "qp" + std::to_string(qp) + ".pcapng";
  }
  std::vector<live::Recording> recordings() override {
    return {{"qp7.pcapng", 7, "MF-04", report::sample::kStart, 12, 3456, true}};
  }
};

class FakeArchive final : public live::Archive {
 public:
  live::ArchiveQuery asked;
  std::uint64_t rows = 250;
  tl::expected<std::vector<live::ArchivedRow>, std::string> query(const live::ArchiveQuery& query,
                                                                  const live::Caller&) override {
    asked = query;
    std::vector<live::ArchivedRow> out;
    for (std::uint64_t id = query.before == 0 ? rows : query.before - 1; id > 0 && out.size() < query.most; --id) {
      out.push_back({id, report::sample::after(static_cast<std::int64_t>(id)), "run-1",
                     R"({"record":"finding","n":)" + std::to_string(id) + "}"});
    }
    return out;
  }
  /// It has nothing to read.
  std::unique_ptr<live::ArchiveTail> tail(std::vector<live::ArchivePlace>) override {
    struct Empty final : live::ArchiveTail {
      tl::expected<live::TailPage, std::string> next(std::size_t, const live::Caller&) override {
        return live::TailPage{};
      }
    };
    return std::make_unique<Empty>();
  }
};

/// What a centre adds. Answers come from the server's threads.
class FakeSite final : public live::Site {
 public:
  void set(live::SiteView view) {
    const std::lock_guard lock(mutex_);
    now_ = std::move(view);
    trouble_.clear();
  }
  void fail(std::string sentence) {
    const std::lock_guard lock(mutex_);
    trouble_ = std::move(sentence);
  }
  /// What it was asked, in this order.
  [[nodiscard]] std::vector<live::SiteQuery> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }
  tl::expected<live::SiteView, std::string> site(const live::SiteQuery& query) override {
    const std::lock_guard lock(mutex_);
    asked_.push_back(query);
    if (!trouble_.empty()) return tl::unexpected(trouble_);
    return now_;
  }
  tl::expected<std::optional<live::SiteConnection>, std::string> connection(std::uint64_t) override {
    return std::optional<live::SiteConnection>{};
  }

 private:
  mutable std::mutex mutex_;
  live::SiteView now_;
  std::string trouble_;
  std::vector<live::SiteQuery> asked_;
};

/// A queue pair as a running analysis shows it.
[[nodiscard]] inline std::shared_ptr<live::QpView> qp_view(std::uint64_t number) {
  auto view = std::make_shared<live::QpView>();
  view->record = report::sample::queue_pair(number);
  view->record.verdict = qp::VerdictRecord{"It ended in order.", qp::Outcome::completed,
                                           qp::Blame::none,      qp::Confidence::certain,
                                           {FrameNumber{98}},    "",
                                           "end.closed",         "V-30"};
  view->findings = {1, 2, 3, findings::FindingId::mpa_crc_mismatch};
  view->activity.last_second = 1'700'000'001;
  view->activity.octets[58] = 1 << 20;
  view->activity.messages[58] = 7;
  view->losses = {1, 2, 3, 4, 5};
  view->version = 5;
  view->ended = true;
  return view;
}

/// A finding and, if it speaks of a queue pair, whose it is.
[[nodiscard]] inline live::FindingPtr finding_view(std::uint64_t sequence, findings::Finding finding) {
  auto view = std::make_shared<live::FindingView>();
  view->sequence = sequence;
  if (finding.qp) view->ends = std::pair{report::sample::end(0x0A000001, 45000), report::sample::end(0x0A000002, 4420)};
  view->finding = std::move(finding);
  return view;
}

struct Daemon {
  Folder folder;
  live::FakeDirectory directory;
  FakePackets packets;
  FakeArchive archive;
  FakeSite site;  ///< if the directory says that it is a centre
  ServerOptions options;
  tl::expected<std::string, std::string> reloaded = std::string{"read again"};
  EndReplay end_replay;
  std::unique_ptr<Server> server;

  Daemon() {
    options.socket = folder.file("sock");
    directory.now.version = "1.2.3";
    directory.now.capturing = true;
  }
  /// Why it does not start; empty: it runs.
  std::string start() {
    Sources sources{directory, &packets, &archive, [this] { return reloaded; }, end_replay};
    sources.is_centre = directory.now.is_centre;
    if (sources.is_centre) sources.site = &site;
    auto started = Server::start(options, sources);
    if (!started) return started.error();
    server = std::move(*started);
    return {};
  }
};

}  // namespace iwarpscope::api::testing
