// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The file in which one run leaves its queue pairs to the next.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "analysis/options.h"
#include "base/time_point.h"
#include "live/watch.h"
#include "service/configuration.h"

namespace iwarpscope::service {

/// An interface, known by its place among all, and the network that it sees.
struct CheckpointInterface {
  std::string name;
  std::uint32_t tap_group = 0;  ///< as net::Frame::tap_group
  friend bool operator==(const CheckpointInterface&, const CheckpointInterface&) = default;
};

/// What the state in a checkpoint depends on.
struct CheckpointKey {
  std::uint64_t layout = 0;  ///< live::state_layout() of the program that wrote it; its version does not matter
  std::string sensor_uuid;
  bool emulation = true;
  std::vector<CheckpointInterface> interfaces;  ///< more may follow in the next run
  analysis::Limits limits;                      ///< the next run's may be higher
};
[[nodiscard]] CheckpointKey checkpoint_key(const Configuration& configuration, std::uint64_t layout,
                                           const std::string& sensor_uuid);

/// What is before the state in the file.
struct CheckpointHeader {
  CheckpointKey key;
  std::string run_uuid;  ///< of the run that wrote it
  TimePoint written;     ///< by the clock of this machine
  TimePoint last_frame;  ///< the capture's time
  std::uint64_t qps = 0;
  std::uint64_t left_out = 0;  ///< queue pairs that did not fit
};

/// Writes a new file, which takes the place of an old one. Empty: done; else why not, a phrase. What is not written
/// by then is discarded, and a disk that accepts nothing is left to a thread that ends with the process.
[[nodiscard]] std::string write_checkpoint(const std::string& path, CheckpointHeader header,
                                           std::vector<std::byte> state, std::chrono::steady_clock::time_point until);

struct ReadCheckpoint {
  CheckpointHeader header;
  std::shared_ptr<const std::vector<std::byte>> state;  ///< null: not usable, or no file
  std::string refused;  ///< why what is there is not used, a phrase; empty: it is used, or no file exists
  std::string reason;   ///< the same as a word for metrics
};
/// Reads and removes the file. `most`: octets of the state; `oldest`: written before that, it is not used.
[[nodiscard]] ReadCheckpoint take_checkpoint(const std::string& path, const CheckpointKey& key, std::size_t most,
                                             TimePoint oldest, TimePoint now);

}  // namespace iwarpscope::service
