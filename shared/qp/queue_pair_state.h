// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The implementation of QueuePair that TCP and SCTP share.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mpa/startup.h"
#include "qp/direction/common.h"
#include "qp/direction/half.h"
#include "qp/finding_filter.h"
#include "qp/queue_pair.h"
#include "qp/requests/exchange.h"

namespace iwarpscope::qp {

inline constexpr std::array<Direction, 2> kDirections{Direction::a_to_b, Direction::b_to_a};

/// The ends of a queue pair and when it was first seen.
struct Identity {
  net::Endpoint a, b;
  Roles roles{};
  FrameNumber first_frame;
  TimePoint first_time;
};

/// The startup frames of a queue pair whose startup is over.
struct StartupFrames {
  std::optional<mpa::StartupFrame> request, reply;
};

class QueuePair::Impl : public Common {
 public:
  Impl(Environment& environment, const Identity& identity, Events& sink, Observation* observer);
  virtual ~Impl();

  void finish(FrameNumber at_frame, TimePoint at_time);
  [[nodiscard]] QpRecord record() const;
  [[nodiscard]] std::optional<std::string_view> ulp() const;
  virtual void trim() {
    for (Half& half : halves_) half.trim();
    exchange_.trim();
    if (breaches != nullptr) breaches->trim();
  }
  [[nodiscard]] virtual bool is_closed() const noexcept = 0;
  /// QueuePair::was_begin_seen().
  [[nodiscard]] virtual bool was_begin_seen() const noexcept { return true; }
  /// QueuePair::first_close().
  [[nodiscard]] virtual Moment first_close() const noexcept {
    return is_closed() ? Moment{last_frame_, last_time_} : Moment{};
  }
  [[nodiscard]] virtual std::uint64_t mirror_duplicates() const noexcept = 0;

  // Common
  /// What all have but a, b, first_frame_ and first_time_. The startup frames that it refers to come with the rest.
  template <class A>
  void archive(A& a) {
    Common::archive(a);
    a(seen_on_, last_frame_, last_time_, found_, exchange_, halves_, pending_);
    for (const Direction d : kDirections) {
      const auto find = [&](std::uint64_t message) { return halves_[index(d)].messages().find_open(message); };
      if (a.is_reading() && !a.has_failed()) a.check(exchange_.find_open(d, find));
    }
  }
  void raise(findings::Finding finding) override;
  void confirm() override;
  void zero_crc_was_sent(Direction d) override;

  const net::Endpoint a_, b_;
  std::array<InterfaceSet, 2> seen_on_{};  ///< by direction: the interfaces of its frames; empty: not known
  const FrameNumber first_frame_;
  const TimePoint first_time_;
  FrameNumber last_frame_;
  TimePoint last_time_;
  /// What was found. Most queue pairs never need it.
  struct Found {
    FindingFilter filter;
    std::vector<NotedFinding> noted;
  };
  std::unique_ptr<Found> found_;
  Exchange exchange_;
  std::array<Half, 2> halves_;

 protected:
  // What the lower layer implements.
  /// The capture ends: pending octets are delivered.
  virtual void finish_llp() = 0;
  /// It would blame a sender whose FPDU boundaries are still a guess.
  [[nodiscard]] virtual bool is_premature(const findings::Finding&) const noexcept { return false; }
  /// Judges what only the end of the queue pair shows.
  virtual void conclude();
  [[nodiscard]] virtual std::optional<StartupRecord> startup_record() const = 0;
  virtual void fill(QpRecord& record) const = 0;
  virtual void fill(Summary& summary) const = 0;
  /// How it was recognised without a startup, as a sentence.
  [[nodiscard]] virtual std::string midstream_text() const = 0;

  void deliver(findings::Finding finding);
  void raise_one_sided(std::string text);
  /// Something that came after `since` may have passed during a capture outage.
  [[nodiscard]] bool may_lack(TimePoint since) const noexcept {
    return env.outages != nullptr && env.outages->between(since, time, interfaces()).any();
  }
  /// The interfaces that its frames come from. All, unless both directions were seen: what was never seen may come
  /// from any.
  [[nodiscard]] InterfaceSet interfaces() const noexcept {
    const bool known = !seen_on_[0].is_empty() && !seen_on_[1].is_empty();
    return known ? seen_on_[0] | seen_on_[1] : InterfaceSet::all();
  }

  // queue_pair_summary.cpp
  void note(const findings::Finding& finding);
  void note_breach(const findings::Finding& finding, const BreachPlace& place);
  [[nodiscard]] Summary summary() const;

  std::unique_ptr<std::vector<findings::Finding>> pending_;  ///< until it is known to be iWARP
};

}  // namespace iwarpscope::qp
