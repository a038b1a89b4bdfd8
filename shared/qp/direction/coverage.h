// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which octets of one direction the capture has, and which it lacks.
#pragma once

#include <cstdint>
#include <memory>

#include "base/ids.h"
#include "ddp/segment.h"
#include "qp/transport/llp.h"

namespace iwarpscope::qp {

/// Written by the Half of this direction, read by all rules that need it. StreamOffsets count octets of the TCP stream,
/// or messages of the SCTP session.
class Coverage {
 public:
  /// A bad CRC. Shape: `frame` 0: there was none.
  struct BadCrc {
    FrameNumber frame;
    StreamOffset offset;
  };

  /// `llp` must outlive it.
  void attach(const Llp& llp) noexcept { llp_ = &llp; }

  /// Everything before `end` was captured, or will never come.
  void delivered(StreamOffset end) noexcept { stream_end_ = end; }
  /// The same, and something before `end` is missing for any reason.
  void missing(StreamOffset end) noexcept;
  /// Octets or messages before the end of what was delivered are not known: anything may have been in them.
  void lost();
  /// DDP segments before the first one may be missing.
  void begins_midstream() noexcept { gapless_ = false; }
  /// An FPDU or message ends here.
  void framed(StreamOffset end) noexcept { framed_end_ = end; }
  /// An FPDU with a bad CRC. The first one counts.
  void bad_crc(FrameNumber frame, StreamOffset offset);
  /// The receiver's reaction to the first bad CRC is known. False: it was known before.
  bool explain_bad_crc() noexcept;
  /// The direction ends. False: it had ended before.
  bool end();

  /// No octet or message is missing since the first DDP segment that could hold one.
  [[nodiscard]] bool is_gapless() const noexcept { return gapless_; }
  /// No octet is missing, for whatever reason.
  [[nodiscard]] bool has_all_octets() const noexcept { return !octets_missing_; }
  [[nodiscard]] bool has_octets() const noexcept { return stream_end_ != StreamOffset{}; }
  /// Everything before it was delivered or given up.
  [[nodiscard]] StreamOffset stream_end() const noexcept { return stream_end_; }
  /// After the latest FPDU or message.
  [[nodiscard]] StreamOffset framed_end() const noexcept { return framed_end_; }
  /// Where the latest missing octets end; zero: none are missing.
  [[nodiscard]] StreamOffset lost_to() const noexcept { return damage_ != nullptr ? damage_->lost_to : StreamOffset{}; }
  [[nodiscard]] BadCrc first_bad_crc() const noexcept { return damage_ != nullptr ? damage_->bad_crc : BadCrc{}; }
  [[nodiscard]] bool has_bad_crc() const noexcept { return first_bad_crc().frame.value != 0; }
  /// It ended inside an FPDU.
  [[nodiscard]] bool ended_inside_fpdu() const noexcept { return unfinished().octets != 0; }
  /// The FPDU inside which it ended.
  [[nodiscard]] mpa::PendingFpdu unfinished() const noexcept {
    return damage_ != nullptr ? damage_->unfinished : mpa::PendingFpdu{};
  }
  /// `at` is of the other direction. Everything that it acknowledges was delivered here and read as FPDUs. One octet
  /// more may be a FIN that the capture lacks.
  [[nodiscard]] bool covers(const ddp::Carrier& at) const noexcept {
    return llp_->is_framed_to_its_end() && at.has_acknowledged && at.acknowledged <= stream_end_;
  }

  // As in Llp.
  [[nodiscard]] bool is_open() const noexcept { return llp_->is_open(); }
  [[nodiscard]] bool is_captured() const noexcept { return llp_->is_captured(); }
  [[nodiscard]] bool is_framed_to_its_end() const noexcept { return llp_->is_framed_to_its_end(); }
  [[nodiscard]] bool is_framing_lost() const noexcept { return llp_->is_framing_lost(); }
  [[nodiscard]] std::uint64_t pending_octets() const noexcept { return llp_->pending().octets; }
  [[nodiscard]] const Llp& llp() const noexcept { return *llp_; }

  template <class A>
  void archive(A& a) {
    a(stream_end_, framed_end_, damage_);
    gapless_ = a.value(gapless_);
    octets_missing_ = a.value(octets_missing_);
    bad_crc_explained_ = a.value(bad_crc_explained_);
    ended_ = a.value(ended_);
  }

 private:
  /// Most directions have none.
  struct Damage {
    BadCrc bad_crc;
    StreamOffset lost_to;
    mpa::PendingFpdu unfinished;
  };
  [[nodiscard]] Damage& damage();

  const Llp* llp_ = nullptr;
  StreamOffset stream_end_;
  StreamOffset framed_end_;
  std::unique_ptr<Damage> damage_;
  bool gapless_ : 1 = true;
  bool octets_missing_ : 1 = false;
  bool bad_crc_explained_ : 1 = false;
  bool ended_ : 1 = false;
};

}  // namespace iwarpscope::qp
