// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Questions that only the sensor itself can answer: messages, transport events, frames and packets of one queue pair.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <tl/expected.hpp>

#include "api/client.h"
#include "api/services.h"
#include "api/tls_files.h"
#include "centre/pool.h"
#include "live/directory.h"
#include "live/packets.h"

namespace iwarpscope::centre {

/// Asks the sensor that has a queue pair, over TLS, as long as its daemon is the one that saw the queue pair. What
/// fails is a sentence with the sensor's name. A few sensors are asked at a time, and one that did not answer a moment
/// ago is not asked again: one that hangs takes few of the threads that answer clients. Any thread.
class Remote final : public live::Packets {
 public:
  template <class T>
  using Answer = tl::expected<T, std::string>;
  /// `tls`: of the centre as a client of sensors; empty: no sensor can be asked. `pool` must outlive it.
  Remote(Pool& pool, api::TlsFiles tls) : pool_(pool), tls_(std::move(tls)) {}

  [[nodiscard]] Answer<live::MessagePage> messages(std::uint64_t qp, std::uint64_t from, std::size_t most);
  [[nodiscard]] Answer<live::TransportPage> transport(std::uint64_t qp, std::uint64_t from, std::size_t most);
  /// Certificates are read again.
  void reload();
  [[nodiscard]] Answer<void> frame(const v1::GetFrameRequest& request, v1::Frame& reply);

  [[nodiscard]] Answer<std::uint64_t> fetch(const live::PacketQuery& query,
                                            const std::function<bool(Octets)>& write) override;
  /// Fails: frame() asks the sensor.
  [[nodiscard]] Answer<void> visit(std::uint64_t qp, FrameNumber number, std::uint64_t before,
                                   const std::function<bool(const net::Frame&)>& visit) override;
  [[nodiscard]] Answer<std::string> record(std::uint64_t qp, const std::string& reason, unsigned seconds) override;
  /// Empty: they are on the sensors.
  [[nodiscard]] std::vector<live::Recording> recordings() override;

 private:
  using Clock = std::chrono::steady_clock;
  /// The sensor of a queue pair. As long as it lives, the sensor is being asked.
  struct Found {
    std::string sensor;
    std::shared_ptr<api::Client> client;
    std::uint64_t qp = 0;  ///< its number there
    std::shared_ptr<const void> asking;
  };
  struct Away {
    Clock::time_point until;
    std::string sentence;
  };
  [[nodiscard]] Answer<Found> find(std::uint64_t qp);
  [[nodiscard]] Answer<std::shared_ptr<api::Client>> client_of(const std::string& sensor, const std::string& address);
  /// Null: as many as allowed are being asked.
  [[nodiscard]] std::shared_ptr<const void> begin_asking();
  /// What failed, as a sentence, which is remembered if the sensor does not answer.
  [[nodiscard]] tl::unexpected<std::string> failed(const std::string& sensor, const api::Failure& why);

  Pool& pool_;
  const api::TlsFiles tls_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<api::Client>> clients_;  ///< by address
  std::map<std::string, Away> away_;                             ///< by sensor
  std::size_t asked_ = 0;                                        ///< sensors, now
};

}  // namespace iwarpscope::centre
