// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Connections octet by octet, while they are analysed: for a face that shows single frames.
#pragma once

#include "analysis/shard.h"
#include "qp/observation.h"
#include "qp/tcp_queue_pair.h"
#include "sctp/association.h"

namespace iwarpscope::analysis {

/// Follows one connection that is, or may be, a queue pair. It gets everything on it as it happens, the models'
/// findings and all that crosses queue pairs excepted: those come by Observer.
class Watcher : public qp::Observation {
 public:
  /// It is a queue pair; Observer::numbered() says which. Before the first startup_frame() or fpdu() of it.
  virtual void confirmed(QpPlace place) = 0;
  /// The current frame carries a TCP segment of it. What follows until the next frame may be of earlier ones, too.
  virtual void available() {}
  /// It is none. The last call.
  virtual void dropped() = 0;
};

/// Chooses who follows a connection.
class Trace {
 public:
  /// A connection begins to look like a queue pair. Returns who follows it, and must live until it was dropped() or the
  /// analyser is gone; null: none.
  [[nodiscard]] virtual Watcher* follow(const qp::Beginning& beginning) = 0;
  /// The same of a DDP stream session over SCTP, which is a queue pair. `association`: of the session, as it is
  /// reported with the association's chunks.
  [[nodiscard]] virtual Watcher* follow(std::uint64_t association, const sctp::SessionStart& session) = 0;
  /// A DATA chunk of PPID 16 or 17, before what it brings about.
  virtual void data(std::uint64_t association, const sctp::DataSeen& chunk) = 0;

 protected:
  ~Trace() = default;
};

}  // namespace iwarpscope::analysis
