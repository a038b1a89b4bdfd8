// What a report tells of a queue pair.
#include "qp/queue_pair_state.h"
#include "qp/ulp.h"

namespace iwarpscope::qp {

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
  if (kept_ != nullptr) {
    r.startup = StartupRecord{kept_->request, kept_->reply, std::nullopt};
  } else if (startup_ != nullptr) {
    r.startup = StartupRecord{};
    if (startup_->request() != nullptr) r.startup->request = *startup_->request();
    if (startup_->reply() != nullptr) r.startup->reply = *startup_->reply();
  }
  if (r.startup) r.startup->rtr = rtr != nullptr ? std::optional(*rtr) : std::nullopt;
  if (agreement) {
    r.crc_in_use = agreement->crc;
    r.read_depth = agreement->read_depth;
    r.markers = agreement->markers;
  }
  for (Direction d : kDirections) {
    const Half& half = halves_[index(d)];
    r.directions[index(d)] = half.record();
    if (half.framer() == nullptr) continue;
    const mpa::FramingSettings& s = half.framer()->settings();
    if (!r.crc_in_use && s.crc) {
      r.crc_in_use = s.crc;
      r.crc_inferred = s.crc_inferred;
    }
    if (!r.markers[index(d)] && s.markers) {
      r.markers[index(d)] = s.markers;
      r.markers_inferred = r.markers_inferred || s.markers_inferred;
    }
    if (!r.ddp_version) r.ddp_version = half.ddp_version();
    if (!r.rdmap_version) r.rdmap_version = half.rdmap_version();
  }
  const auto private_data = [](const std::optional<mpa::StartupFrame>& f) {
    return f ? Octets(f->private_data) : Octets{};
  };
  r.ulp = guess_ulp(r.startup ? private_data(r.startup->request) : Octets{},
                    r.startup ? private_data(r.startup->reply) : Octets{}, b_.port,
                    r.roles == Roles::address ? std::optional(a_.port) : std::nullopt);
  r.story = story();
  return r;
}

}  // namespace iwarpscope::qp
