// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a report shows of a queue pair over TCP alone.
#include "qp/transport/tcp_queue_pair_state.h"

namespace iwarpscope::qp {

namespace {

/// What the FPDUs of one direction show, as far as the startup does not tell.
void add_inferred(QpRecord& r, Direction d, const mpa::FramingSettings& s) {
  if (!r.markers[index(d)] && s.markers) {
    r.markers[index(d)] = s.markers;
    r.markers_inferred = r.markers_inferred || s.markers_inferred;
  }
}

}  // namespace

/// A right CRC in either direction shows that CRC is in use in both. Source: RFC 5044 §7.1.1.
std::optional<bool> TcpQueuePair::Impl::inferred_crc() const {
  std::optional<bool> crc;
  for (const MpaHalf& llp : llps_) {
    if (llp.framer() == nullptr || !llp.framer()->settings().crc) continue;
    crc = crc.value_or(false) || *llp.framer()->settings().crc;
  }
  return crc;
}

std::optional<StartupRecord> TcpQueuePair::Impl::startup_record() const {
  StartupRecord r;
  if (kept_ != nullptr) {
    r.request = kept_->request;
    r.reply = kept_->reply;
  } else if (startup_ != nullptr) {
    if (startup_->request() != nullptr) r.request = *startup_->request();
    if (startup_->reply() != nullptr) r.reply = *startup_->reply();
  } else {
    return std::nullopt;
  }
  if (rtr != nullptr) r.rtr = *rtr;
  return r;
}

void TcpQueuePair::Impl::fill(QpRecord& r) const {
  switch (connection_.closed_by()) {
    case tcp::ClosedBy::open: break;
    case tcp::ClosedBy::fin: r.closed_by = "fin"; break;
    case tcp::ClosedBy::rst: r.closed_by = "rst"; break;
  }
  if (agreement) {
    r.crc_in_use = agreement->crc;
    r.markers = agreement->markers;
  }
  if (!r.crc_in_use) {
    r.crc_in_use = inferred_crc();
    r.crc_inferred = r.crc_in_use.has_value();
  }
  for (const Direction d : kDirections) {
    const mpa::Framer* const framer = llps_[index(d)].framer();
    if (framer != nullptr) add_inferred(r, d, framer->settings());
  }
}

}  // namespace iwarpscope::qp
