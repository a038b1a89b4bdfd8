// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One direction of a DDP stream session over SCTP: each of its messages is a DDP segment.
#pragma once

#include <cstdint>
#include <optional>

#include "qp/direction/half.h"
#include "qp/transport/llp.h"
#include "sctp/association.h"

namespace iwarpscope::qp {

class SessionHalf final : public Llp {
 public:
  /// `half` must outlive it; so must `view`, until settle().
  SessionHalf(Half& half, Common& common, const sctp::SessionView* view);

  void connect(SessionHalf& other) noexcept { other_ = &other; }
  /// The newest message of the other direction acknowledges what lies before `end`, at most.
  void note_acknowledged(StreamOffset end) noexcept { acknowledged_ = end; }
  /// DDP segments may come. `whole`: nothing of this direction is missing before the first of them.
  void begin(bool whole);
  /// A message without a DDP segment.
  void passed(const sctp::Message& message);
  void segment(const sctp::Message& message);
  void missing(const sctp::MissingMessages& messages);
  /// The session is over: notes whether messages after its last one may be missing. Call it before ended().
  void note_unseen_end();
  /// The direction is over. `orderly`: its sender said so.
  void ended(bool orderly);
  /// Copies the counters of the session view, which is about to be destroyed.
  void settle();

  // Calls from the upper layer.
  [[nodiscard]] bool is_open() const noexcept override { return open_; }
  [[nodiscard]] bool is_framed_to_its_end() const noexcept override { return open_; }
  [[nodiscard]] bool is_framing_lost() const noexcept override { return false; }
  [[nodiscard]] mpa::PendingFpdu pending() const noexcept override { return {}; }
  [[nodiscard]] bool is_captured() const noexcept override {
    return view_ != nullptr ? view_->is_seen(half_.direction()) : settled_seen_;
  }
  [[nodiscard]] std::optional<StreamOffset> acknowledged() const noexcept override { return acknowledged_; }
  [[nodiscard]] bool was_sent_again() const noexcept override { return statistics().retransmitted_chunks != 0; }
  [[nodiscard]] std::uint64_t right_crcs() const noexcept override { return 0; }
  void fill(DirectionRecord& record) const override;

  /// Messages that no SACK acknowledged.
  [[nodiscard]] std::uint64_t unacknowledged() const noexcept {
    return view_ != nullptr ? view_->unacknowledged(half_.direction()) : settled_unacknowledged_;
  }
  /// Its session ended, and its sender may have sent more than the capture has.
  [[nodiscard]] bool lacks_end() const noexcept { return lacks_end_; }
  /// When an end began to shut the association down; nothing: neither did while the session lived.
  [[nodiscard]] std::optional<sctp::Shutdown> shutdown() const noexcept {
    return view_ != nullptr ? view_->shutdown() : settled_shutdown_;
  }
  /// Packets of the association may pass where the tap does not see them.
  [[nodiscard]] bool may_pass_elsewhere() const noexcept {
    return view_ != nullptr ? view_->may_pass_elsewhere() : settled_elsewhere_;
  }
  /// As SessionView::is_cut_off(); asked before settle().
  [[nodiscard]] bool is_cut_off() const noexcept { return view_ != nullptr && view_->is_cut_off(); }
  /// Its receiver takes no more, or took no more when the session ended.
  [[nodiscard]] std::optional<sctp::WindowClosed> window_closed() const noexcept {
    return view_ != nullptr ? view_->window_closed(half_.direction()) : settled_window_closed_;
  }
  [[nodiscard]] const sctp::DirectionStatistics& statistics() const noexcept {
    return view_ != nullptr ? view_->statistics(half_.direction()) : settled_;
  }

  /// Its session goes on after it was archived. `view`: as given to the constructor.
  void resume(const sctp::SessionView& view) noexcept { view_ = &view; }
  /// All but the view.
  template <class A>
  void archive(A& a) {
    a(settled_, acknowledged_, segments_, segment_octets_, open_, joins_, settled_seen_, lacks_end_,
      settled_elsewhere_);
    a(settled_unacknowledged_, settled_shutdown_, settled_window_closed_);
  }

 private:
  void take(const sctp::Message& message);

  Half& half_;
  Common& common_;
  SessionHalf* other_ = nullptr;
  const sctp::SessionView* view_;
  sctp::DirectionStatistics settled_;
  std::optional<StreamOffset> acknowledged_;  ///< by the other direction's newest message, at most
  std::uint64_t segments_ = 0, segment_octets_ = 0;
  bool open_ = false;
  bool joins_ = false;  ///< DDP segments before the first one may be missing
  bool settled_seen_ = false;
  bool lacks_end_ = false;
  bool settled_elsewhere_ = false;
  std::uint64_t settled_unacknowledged_ = 0;
  std::optional<sctp::Shutdown> settled_shutdown_;
  std::optional<sctp::WindowClosed> settled_window_closed_;
};

}  // namespace iwarpscope::qp
