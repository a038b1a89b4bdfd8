// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One direction of a TCP connection with MPA: turns octets into startup frames and FPDUs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "mpa/framer.h"
#include "mpa/startup.h"
#include "qp/direction/first_fpdus.h"
#include "qp/direction/half.h"
#include "qp/transport/llp.h"
#include "tcp/connection.h"

namespace iwarpscope::qp {

class MpaHalf;

/// What both directions of a connection with MPA share.
class MpaConnection {
 public:
  explicit MpaConnection(const std::array<tcp::Origin, 2>& origins, const Environment& environment,
                         BufferBudget& budget)
      : connection_(origins, environment.tcp, budget) {}

  [[nodiscard]] virtual MpaHalf& llp(Direction d) noexcept = 0;
  /// The startup machine has processed octets or the end of this direction: its phase may have changed.
  virtual void startup_moved(Direction by) = 0;
  [[nodiscard]] const tcp::Connection& connection() const noexcept { return connection_; }
  /// Null: startup is over, or was never seen.
  [[nodiscard]] mpa::Startup* startup() const noexcept { return startup_.get(); }
  [[nodiscard]] FirstFpdus& first_fpdus() noexcept { return first_fpdus_; }

 protected:
  ~MpaConnection() = default;

  tcp::Connection connection_;
  std::unique_ptr<mpa::Startup> startup_;  ///< until Full Operation begins
  FirstFpdus first_fpdus_;
};

class MpaHalf final : public tcp::StreamSink, public mpa::FpduSink, public Llp {
 public:
  /// Hands DDP segments to `half`. Both must outlive it.
  MpaHalf(Half& half, MpaConnection& connection) : half_(half), mpa_(connection) {}

  /// Full Operation: octets from now on are FPDUs.
  void begin_framing(const mpa::FramingSettings& settings);
  /// Octets [from, end) came during startup and were not kept for framing.
  void passed_over(StreamOffset from, StreamOffset end, FrameNumber frame, TimePoint time);
  /// The half connection ended. `orderly`: FIN in order.
  void ended(bool orderly);
  /// Without a captured startup, the FPDUs of either direction show whether both use CRC. `at_end`: no more FPDUs come.
  /// MF-05, MF-25.
  void compare_crcs(bool at_end);

  // Calls from the lower layer.
  void octets(const tcp::Chunk& chunk) override;
  void missing(StreamOffset offset, std::uint64_t length, tcp::Missing reason, FrameNumber frame,
               TimePoint time) override;
  void fpdu(const mpa::Fpdu& fpdu) override;
  void zero_crc_was_sent() override { common().zero_crc_was_sent(half_.direction()); }
  void marker(StreamOffset at, std::uint32_t value) override;

  // Calls from the upper layer.
  [[nodiscard]] bool is_open() const noexcept override { return framer_.has_value(); }
  [[nodiscard]] bool is_framed_to_its_end() const noexcept override {
    return framer_ && framer_->state() == mpa::FramerState::framing && !framer_->is_pending_doubtful();
  }
  [[nodiscard]] bool is_framing_lost() const noexcept override;
  [[nodiscard]] mpa::PendingFpdu pending() const noexcept override;
  [[nodiscard]] bool is_captured() const noexcept override;
  [[nodiscard]] std::optional<StreamOffset> acknowledged() const noexcept override;
  [[nodiscard]] bool was_sent_again() const noexcept override;
  [[nodiscard]] std::uint64_t right_crcs() const noexcept override;
  void fill(DirectionRecord& record) const override;

  [[nodiscard]] const mpa::Framer* framer() const noexcept { return framer_ ? &*framer_ : nullptr; }
  [[nodiscard]] bool has_lost_framing_to_a_cut() const noexcept { return cut_framing_; }

  template <class A>
  void archive(A& a) {
    a(cut_framing_, last_crc_bad_, last_unlike_);
    if (!a.has(framer_.has_value())) return;
    if (a.is_reading()) make_framer({});
    framer_->archive(a);
  }

 private:
  /// Returns how many of its octets belonged to the startup.
  void make_framer(const mpa::FramingSettings& settings);
  std::size_t feed_startup(const tcp::Chunk& chunk);
  void judge_stream_end();

  [[nodiscard]] Common& common() const noexcept { return half_.common(); }
  [[nodiscard]] const tcp::DirectionStatistics& counted() const noexcept {
    return mpa_.connection().statistics(half_.direction());
  }
  [[nodiscard]] MpaHalf& other() const noexcept { return mpa_.llp(opposite(half_.direction())); }

  Half& half_;
  MpaConnection& mpa_;
  std::optional<mpa::Framer> framer_;
  bool cut_framing_ = false;   ///< framing was lost where the capture cut a frame
  bool last_crc_bad_ = false;  ///< of the latest FPDU
  bool last_unlike_ = false;   ///< its header has reserved bits that DDP and RDMAP never set
};

}  // namespace iwarpscope::qp
