// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One queue pair over SCTP: a DDP stream session.
#pragma once

#include "qp/queue_pair.h"
#include "sctp/association.h"
#include "sctp/session.h"

namespace iwarpscope::qp {

/// StreamOffsets count the session's messages: kStreamOrigin plus the DDP-SSN. Source: RFC 5043, RFC 6581 §7.
class SctpQueuePair final : public QueuePair {
 public:
  /// `observation` may be null: no models. What `start` points at must live until the session is over.
  SctpQueuePair(Environment& environment, const sctp::SessionStart& start, Events& events,
                Observation* observation = nullptr);

  /// Where the session's messages go. Lives as long as the queue pair.
  [[nodiscard]] sctp::SessionSink& session() noexcept;

  /// Makes an object for a session that was archived, ready for archive().
  [[nodiscard]] sctp::SessionStart start() const;
  template <class A>
  void archive(A& a);
  /// Its session goes on after it was archived. `view`: as in SessionStart.
  void resume(const sctp::SessionView& view) noexcept;

 private:
  class Impl;
  [[nodiscard]] Impl& sctp() const noexcept;
};

}  // namespace iwarpscope::qp
