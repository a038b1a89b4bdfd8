// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Raw packets of the recent past, and recordings made of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "base/ids.h"
#include "base/octets.h"
#include "base/time_point.h"
#include "net/frame.h"

namespace iwarpscope::live {

/// Which packets. Empty members do not filter.
struct PacketQuery {
  std::optional<std::uint64_t> qp{};
  std::optional<TimePoint> from{}, to{};
  std::uint64_t most_octets = std::uint64_t{1} << 30;  ///< of the pcapng file
};

struct Recording {
  std::string file;  ///< name in the folder of recordings
  std::uint64_t qp = 0;
  std::string reason;  ///< a rule's code, or the reason given in the request
  TimePoint started;
  std::uint64_t frames = 0, octets = 0;
  bool complete = false;  ///< false: it is still being written
};

/// For any thread.
class Packets {
 public:
  template <class T>
  using Answer = tl::expected<T, std::string>;
  virtual ~Packets() = default;
  /// Writes a pcapng file in pieces, packets in the order of the capture; `write` returns false to stop. Returns how
  /// many packets there were. Fails when nothing is kept.
  [[nodiscard]] virtual Answer<std::uint64_t> fetch(const PacketQuery& query,
                                                    const std::function<bool(Octets)>& write) = 0;
  /// Calls `visit` with stored packets of the connection of a queue pair, in the order of the capture: from at most
  /// `before` octets of them before packet `number`, until it returns false. Fails with a sentence when packet `number`
  /// is not stored, or is none of this connection.
  [[nodiscard]] virtual Answer<void> visit(std::uint64_t qp, FrameNumber number, std::uint64_t before,
                                           const std::function<bool(const net::Frame&)>& visit) = 0;
  /// Begins a recording of a queue pair: its stored packets and those of the next `seconds`. Returns its file's name.
  [[nodiscard]] virtual Answer<std::string> record(std::uint64_t qp, const std::string& reason, unsigned seconds) = 0;
  [[nodiscard]] virtual std::vector<Recording> recordings() = 0;
};

}  // namespace iwarpscope::live
