// What a report tells of a queue pair.
#include <optional>

#include "qp/queue_pair_state.h"
#include "qp/ulp.h"

namespace iwarpscope::qp {

namespace {

Octets private_data(const std::optional<mpa::StartupFrame>& frame) noexcept {
  return frame ? Octets(frame->private_data) : Octets{};
}

/// What the FPDUs of one direction show, as far as the startup does not tell.
void add_inferred(QpRecord& r, Direction d, const mpa::FramingSettings& s) {
  if (!r.crc_in_use && s.crc) {
    r.crc_in_use = s.crc;
    r.crc_inferred = s.crc_inferred;
  }
  if (!r.markers[index(d)] && s.markers) {
    r.markers[index(d)] = s.markers;
    r.markers_inferred = r.markers_inferred || s.markers_inferred;
  }
}

}  // namespace

std::optional<StartupRecord> QueuePair::Impl::startup_record() const {
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

std::optional<std::string_view> QueuePair::Impl::ulp() const {
  const std::optional<StartupRecord> startup = startup_record();
  return guess_ulp(startup ? private_data(startup->request) : Octets{},
                   startup ? private_data(startup->reply) : Octets{}, b_.port,
                   roles_ == Roles::address ? std::optional(a_.port) : std::nullopt);
}

QpRecord QueuePair::Impl::record() const {
  QpRecord r;
  r.a = a_;
  r.b = b_;
  r.roles = roles_;
  r.joined_midstream = midstream;
  r.state = state;
  r.first_frame = first_frame_;
  r.last_frame = last_frame_;
  r.first_time = first_time_;
  r.last_time = last_time_;
  switch (connection_.closed_by()) {
    case tcp::ClosedBy::open: break;
    case tcp::ClosedBy::fin: r.closed_by = "fin"; break;
    case tcp::ClosedBy::rst: r.closed_by = "rst"; break;
  }
  r.startup = startup_record();
  if (agreement) {
    r.crc_in_use = agreement->crc;
    r.read_depth = agreement->read_depth;
    r.markers = agreement->markers;
  }
  for (Direction d : kDirections) {
    const Half& half = halves_[index(d)];
    r.directions[index(d)] = half.record();
    if (half.framer() == nullptr) continue;
    add_inferred(r, d, half.framer()->settings());
    if (!r.ddp_version) r.ddp_version = half.ddp_version();
    if (!r.rdmap_version) r.rdmap_version = half.rdmap_version();
  }
  r.ulp = ulp();
  r.story = story();
  return r;
}

}  // namespace iwarpscope::qp
