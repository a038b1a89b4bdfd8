// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The services of iwarpscope.v1, without their generated headers: those are heavy.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "live/archive.h"
#include "live/directory.h"
#include "live/forwarding.h"
#include "live/packets.h"
#include "live/site.h"

namespace grpc {
class Service;
}

namespace iwarpscope::v1 {
class Frame;
class GetFrameRequest;
}  // namespace iwarpscope::v1

namespace iwarpscope::api {

class Access;
class Fetches;
class Subscribers;
class Tails;
class Unread;
class Work;
struct Use;

/// Reads the configuration again. Returns a sentence about the result; fails with the cause if the old one is kept.
using Reload = std::function<tl::expected<std::string, std::string>()>;

/// Reads no more of what is replayed. Any thread.
using EndReplay = std::function<void()>;

/// What services answer from. Borrowed; `packets`, `archive` and `forwarding` may be null, the functions empty: the
/// daemon runs without.
struct Sources {
  live::Directory& directory;
  live::Packets* packets = nullptr;
  live::Archive* archive = nullptr;
  Reload reload;
  EndReplay end_replay;  ///< empty: nothing is replayed
  std::function<void(const std::string& sentence)>
      tell{};  ///< sentences for the log that clients cannot get. Any thread
  std::function<void(const std::string& sentence)> audit{};  ///< who did what. Any thread
  live::Forwarding* forwarding = nullptr;  ///< gets what clients that read the history forward have delivered
  /// Answers GetFrame where another server has the packets. Empty: `packets` has them.
  std::function<tl::expected<void, std::string>(const v1::GetFrameRequest& request, v1::Frame& reply)> frame{};
  bool is_centre = false;      ///< `directory` answers for many sensors
  live::Site* site = nullptr;  ///< of a centre
};

/// What services run with. Borrowed.
struct Machinery {
  Work& work;
  Subscribers& subscribers;
  Fetches& fetches;
  Tails& tails;
  Use& use;
  std::size_t most_subscribers;
  Access& access;
  const Unread& unread;
};

[[nodiscard]] std::unique_ptr<grpc::Service> make_observer(const Sources& sources, const Machinery& machinery);
[[nodiscard]] std::unique_ptr<grpc::Service> make_control(const Sources& sources, const Machinery& machinery);

}  // namespace iwarpscope::api
