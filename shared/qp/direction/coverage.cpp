// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/coverage.h"

#include <algorithm>

namespace iwarpscope::qp {

void Coverage::missing(StreamOffset end) noexcept {
  stream_end_ = end;
  octets_missing_ = true;
}

void Coverage::lost() {
  gapless_ = false;
  StreamOffset& to = damage().lost_to;
  to = std::max(to, stream_end_);
}

void Coverage::bad_crc(FrameNumber frame, StreamOffset offset) {
  if (!has_bad_crc()) damage().bad_crc = {frame, offset};
}

bool Coverage::explain_bad_crc() noexcept {
  const bool first = !bad_crc_explained_;
  bad_crc_explained_ = true;
  return first;
}

bool Coverage::end() {
  if (ended_) return false;
  ended_ = true;
  if (const mpa::PendingFpdu pending = llp_->pending(); pending.octets != 0) damage().unfinished = pending;
  return true;
}

Coverage::Damage& Coverage::damage() {
  if (damage_ == nullptr) damage_ = std::make_unique<Damage>();
  return *damage_;
}

}  // namespace iwarpscope::qp
