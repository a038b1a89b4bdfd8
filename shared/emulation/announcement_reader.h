// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Reads the Sends of one queue pair for what they announce.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "qp/observation.h"
#include "rdmap/access.h"
#include "ulp/announcements.h"
#include "ulp/limits.h"

namespace iwarpscope::emulation {

using rdmap::Access;
using ulp::Ulp;

/// Takes announcements as they are made. Outlives the reader.
class AnnouncementSink {
 public:
  /// As StagLife::announced(). `owner`: the direction of the octets that go to the end whose memory it is. `frame`: the
  /// last of the Send.
  virtual void announced(Direction owner, const ulp::Announcement& what, FrameNumber frame) = 0;

 protected:
  ~AnnouncementSink() = default;
};

/// Receives the Sends of one queue pair as qp::Observation does. Only Sends that are complete and intact announce
/// anything; of an SMB2 message only what its first Send carries. A Send of one DDP segment is read where it lies; of a
/// longer one up to 4096 octets are kept until it ends. Without an upper layer that announces nothing is kept or read.
class AnnouncementReader {
 public:
  /// `sink` must outlive it.
  explicit AnnouncementReader(AnnouncementSink& sink) noexcept;
  ~AnnouncementReader();

  /// From the next Send on. At the start it is none.
  void set_ulp(Ulp ulp) noexcept;
  [[nodiscard]] Ulp ulp() const noexcept { return ulp_; }

  void segment(const qp::MessageFacts& facts, const ddp::Segment& segment) {
    if (ulp_ != Ulp::none) take(facts, segment);
  }
  void message_ended(const qp::MessageFacts& facts, const ddp::MessageEnd& end) {
    if (ulp_ != Ulp::none) finish(facts, end);
  }
  void gap(Direction direction) noexcept {
    if (ulp_ != Ulp::none) lose(direction);
  }

  /// SMB Direct: what both ends negotiated in their first Sends. Empty: not seen.
  [[nodiscard]] std::optional<ulp::Limits> negotiated() const;

  /// Octets of memory held beside this object, about.
  [[nodiscard]] std::size_t held() const noexcept;
  /// Gives back what is held of Sends in progress; they announce nothing then. What was negotiated stays.
  void trim() noexcept;

  template <class A>
  void archive(A& a);

 private:
  struct Collected;
  struct Negotiation {
    std::optional<ulp::SmbDirectRequest> request;
    std::optional<ulp::SmbDirectResponse> response;
  };

  void take(const qp::MessageFacts& facts, const ddp::Segment& segment);
  void finish(const qp::MessageFacts& facts, const ddp::MessageEnd& end);
  void lose(Direction direction) noexcept;
  /// A whole Send.
  void read(const qp::MessageFacts& facts, const ulp::SendPayload& payload);
  /// SMB Direct: whether an SMB2 message begins with it.
  bool begins_smb2(const qp::MessageFacts& facts, const ulp::SendPayload& payload);

  AnnouncementSink& sink_;
  std::unique_ptr<Collected> collected_;
  std::unique_ptr<Negotiation> negotiation_;
  std::array<std::uint64_t, 2> read_{};  ///< per direction: index of the last Send that was read, plus one
  std::array<bool, 2> at_start_{};       ///< SMB Direct, per direction: the next data begins an SMB2 message
  Ulp ulp_ = Ulp::none;
};

}  // namespace iwarpscope::emulation
