// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A recorder of two queue pairs, in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "daemon/live/fake_directory.h"
#include "daemon/outputs/events.h"
#include "daemon/outputs/packets.h"
#include "outputs/recorder.h"

namespace iwarpscope::outputs {

inline constexpr std::int64_t kMinute = 60'000'000'000;
inline constexpr std::int64_t kStart = 1'700'000'000'000'000'000;

/// Two queue pairs, 1 and 2, whose packets come in turn, one each a minute: however slow the machine is, no
/// recording ends because nothing comes for a while of its clock.
struct RecorderOf : ::testing::Test {
  Folder folder;
  PacketRing ring{{.most_octets = std::uint64_t{4} << 20}};
  live::FakeDirectory directory;
  RecorderOptions options;
  std::unique_ptr<Recorder> recorder;
  std::uint64_t number = 0;

  RecorderOf() {
    options.folder.path = folder / "recordings";
    options.before = std::chrono::minutes{5};
    options.after = std::chrono::minutes{3};
    options.longest = std::chrono::hours{1000};
    for (const std::uint64_t qp : {1u, 2u}) {
      auto view = std::make_shared<live::QpView>(*qp_view(qp));
      view->ended = false;
      directory.known_qps.push_back(std::move(view));
    }
    directory.now.numbered_interfaces = {{"mirror0", "mirror0,mirror1"}};
    directory.now.origin = std::make_shared<const live::Origin>(kOrigin);
    ring.batch(nullptr);
  }
  void start() { recorder = std::make_unique<Recorder>(options, ring, directory); }
  /// The packets of so many minutes: odd numbers are queue pair 1's.
  void pass(unsigned minutes) {
    for (unsigned i = 0; i < minutes; ++i) {
      for (const std::uint64_t qp : {1u, 2u}) {
        ++number;
        const std::int64_t minute = static_cast<std::int64_t>((number + 1) / 2);
        const OwnedFrame own = owned_frame(number, 100, kStart + minute * kMinute);
        ring.frame(own.frame, flow_of_qp(qp));
      }
    }
  }
  /// A finding of the newest packet of a queue pair.
  live::FindingPtr find(std::uint64_t qp, std::string text = "It is so.",
                        findings::FindingId id = findings::FindingId::mpa_crc_mismatch) {
    auto view =
        std::make_shared<live::FindingView>(*finding_view(qp, qp == 1 ? number - 1 : number, std::move(text), id));
    view->finding.time = TimePoint{kStart + static_cast<std::int64_t>(number / 2) * kMinute};
    return view;
  }
  template <class Done>
  [[nodiscard]] static bool await(Done done) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{60};
    while (!done()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    return true;
  }
  [[nodiscard]] bool begun(std::uint64_t count) {
    return await([&] { return recorder->counts().begun == count; });
  }
  [[nodiscard]] bool complete(std::uint64_t count) {
    return await([&] { return recorder->counts().complete == count; });
  }
  std::string file(std::size_t at = 0) {
    const auto all = recorder->recordings();
    if (at < all.size()) return options.folder.path + "/" + all[at].file;
    ADD_FAILURE() << "there are " << all.size() << " recordings";
    return {};
  }
  /// Numbers of a file's frames as the capture had them, by the octets that owned_frame() gives them.
  static std::vector<int> numbers(const std::string& path) {
    std::vector<int> all;
    for (const OwnedFrame& own : frames_of(path)) all.push_back(std::to_integer<int>(own.octets.front()));
    return all;
  }
  std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(options.folder.path)) {
      all.push_back(entry.path().filename());
    }
    return all;
  }
};

}  // namespace iwarpscope::outputs
