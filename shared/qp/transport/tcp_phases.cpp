// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Phases of a queue pair: startup, Full Operation, the end.
#include <fmt/format.h>
#include <algorithm>

#include <utility>

#include "base/wording.h"
#include "qp/transport/tcp_queue_pair_state.h"

namespace iwarpscope::qp {

using findings::FindingId;

void TcpQueuePair::Impl::startup_moved(Direction by) {
  const mpa::StartupPhase phase = startup_->phase();
  if (phase == last_phase_) return;
  last_phase_ = phase;
  switch (phase) {
    case mpa::StartupPhase::await_request: return;
    case mpa::StartupPhase::await_reply: move(Event::request); break;
    case mpa::StartupPhase::rejected:
      move(Event::reject);
      judge_startup_time();
      raise_rejected();
      break;
    case mpa::StartupPhase::failed: move(Event::startup_failed); break;
    case mpa::StartupPhase::full_operation:
      judge_startup_time();
      begin_full_operation(by);
      return;
  }
  confirm();
}

namespace {

bool maybe_siw_gso(const mpa::StartupFrame* frame) noexcept {
  return frame == nullptr || (frame->reserved & mpa::kSiwGsoBit) != 0;
}

}  // namespace

void TcpQueuePair::Impl::begin_full_operation(Direction by) {
  agreement = startup_->agreement();
  find_startup_frames();
  move(startup_->request() != nullptr && startup_->reply() == nullptr ? Event::request : Event::reply);
  confirm();
  for (Direction d : kDirections) {
    mpa::FramingSettings settings;
    settings.markers = agreement->markers[index(d)];
    settings.crc = agreement->crc;
    settings.sequence_start = agreement->sequence_start[index(d)];
    if (startup_->reply() != nullptr) settings.ddp_version = agreement->rdmac ? 0 : 1;
    settings.mss = connection_.mss(opposite(d));
    settings.maybe_siw_gso = maybe_siw_gso(startup_->request()) || maybe_siw_gso(startup_->reply());
    llps_[index(d)].begin_framing(settings);
  }
  frame_early_octets(by);
}

/// What the Initiator sent before the Reply was seen, as far as startup kept it.
void TcpQueuePair::Impl::frame_early_octets(Direction by) {
  const Direction initiator = agreement->initiator;
  const auto start = agreement->sequence_start[index(initiator)];
  if (!start) return;
  const StreamOffset end = covered(initiator).stream_end();
  const std::vector<tcp::Chunk> early = startup_->early_chunks();
  if (!early.empty()) first_fpdus_.initiator_was_early();
  for (const tcp::Chunk& chunk : early) llps_[index(initiator)].octets(chunk);
  // Its own octets that ended startup are still to be framed.
  if (by == initiator) return;
  const StreamOffset framed = early.empty() ? *start : early.back().offset + early.back().octets.size();
  llps_[index(initiator)].passed_over(framed, end, taken_.frame, taken_.time);
}

void TcpQueuePair::Impl::keep_startup_frames() {
  kept_ = std::make_unique<StartupFrames>();
  if (startup_->request() != nullptr) kept_->request = *startup_->request();
  if (startup_->reply() != nullptr) kept_->reply = *startup_->reply();
  find_startup_frames();
  startup_.reset();
}

/// The frames that all else refers to, once they agreed.
void TcpQueuePair::Impl::find_startup_frames() noexcept {
  if (kept_ != nullptr) {
    startup_request = kept_->request ? &*kept_->request : nullptr;
    startup_reply = kept_->reply ? &*kept_->reply : nullptr;
  } else if (startup_ != nullptr && startup_->phase() == mpa::StartupPhase::full_operation) {
    startup_request = startup_->request();
    startup_reply = startup_->reply();
  }
}

void TcpQueuePair::Impl::raise_rejected() {
  const mpa::StartupFrame* reply = startup_->reply();
  if (reply == nullptr) return;
  findings::Finding f;
  f.id = FindingId::mpa_rejected;
  f.direction = Direction::b_to_a;  // A is the Initiator
  f.frames = {reply->frame};
  f.broken_in = reply->frame;
  if (const auto* request = startup_->request(); request != nullptr) f.frames.push_back(request->frame);
  f.offset = reply->start;
  f.text = fmt::format("The MPA Reply refuses the connection; it carries {} of private data.",
                       counted(reply->private_data.size(), "octet"));
  raise(std::move(f));
}

void TcpQueuePair::Impl::follow_close() {
  constexpr std::uint8_t kBoth = 3;
  for (Direction d : kDirections) {
    const std::uint8_t its = d == Direction::a_to_b ? 1 : 2;
    if (connection_.fin_delivered(d) && (fins_reported_ & its) == 0) {
      fins_reported_ = static_cast<std::uint8_t>(fins_reported_ | its) & kBoth;
      ending(d).fin = taken_;
      ending(d).fin_had = had_by_now(d);
      end_half(d, true);
      move(fins_reported_ == kBoth ? Event::fin_both : Event::fin_one);
    }
  }
  if (connection_.reset_by() && !reset_reported_) {
    reset_reported_ = true;
    Ending& its = ending(*connection_.reset_by());
    its.rst = {connection_.reset_at().frame, connection_.reset_at().time};
    its.rst_had = had_by_now(*connection_.reset_by());
    judge_reset(*connection_.reset_by());
    if (first_terminate) raise_reset_after_terminate(*connection_.reset_by());
    end_half(*connection_.reset_by(), false);
    // What the other side had on the way still passes the tap: its half ends with its FIN or with the capture.
    end_startup_half(opposite(*connection_.reset_by()), false);
    move(Event::reset);
  }
  if (!settled_ && (reset_reported_ || fins_reported_ == kBoth)) {
    settled_ = true;
    for (Half& half : halves_) half.settle(!reset_reported_);
  }
}

void TcpQueuePair::Impl::end_half(Direction d, bool by_fin) {
  llps_[index(d)].ended(by_fin);
  end_startup_half(d, by_fin);
}

void TcpQueuePair::Impl::end_startup_half(Direction d, bool by_fin) {
  if (startup_ == nullptr || startup_->phase() == mpa::StartupPhase::full_operation) return;
  if (std::exchange(startup_ended_[index(d)], true)) return;
  const Direction other = opposite(d);
  const StreamOffset seen = std::max(covered(other).stream_end(), kStreamOrigin);
  if (connection_.acknowledged(other) > seen) startup_->may_have_ended(other);
  const bool by_rst = connection_.reset_by() == d;
  // Without its SYN nothing says where its octets begin; its Reply may have come before what was seen of it. What the
  // other end acknowledges beyond that, the capture lost.
  const bool lacks = !connection_.syn_seen(d) || connection_.lacks_end(d);
  if (lacks || (by_rst && is_reset_beyond_seen())) startup_->may_lack(d);
  if (connection_.lacks_end(other)) startup_->may_lack(other);
  const bool shows_all = !by_rst || (endings_ != nullptr && (*endings_)[index(d)].rst_acknowledges);
  if (!shows_all || may_lack(last_segments_[index(other)].last_octets.time)) startup_->may_lack_rest(other);
  startup_->ended(d, by_fin, by_rst, taken_.frame, taken_.time);
  startup_moved(d);
}

void TcpQueuePair::Impl::end_startup() {
  if (startup_ == nullptr || startup_->phase() == mpa::StartupPhase::full_operation) return;
  for (Direction d : kDirections) {
    if (std::exchange(startup_ended_[index(d)], true)) continue;
    startup_->ended(d, false, false, frame, time);
    startup_moved(d);
  }
}

void TcpQueuePair::Impl::raise_reset_after_terminate(Direction by) {
  findings::Finding f;
  f.id = FindingId::rdmap_reset_after_terminate;
  f.direction = by;
  f.text = *first_terminate == by ? "The connection was reset by the end that had sent the Terminate."
                                  : "The connection was reset by the end that had received the Terminate.";
  raise(std::move(f));
}

void TcpQueuePair::Impl::raise_unseen_octets() {
  const Direction other = coverage[0].is_captured() ? Direction::b_to_a : Direction::a_to_b;
  if (!seen_[index(other)]) return raise_one_sided("Only this direction of the connection is in the capture.");
  const tcp::DirectionStatistics& s = connection_.statistics(other);
  const std::string seen =
      s.tcp_segments == 1 ? "one TCP segment seen carries" : fmt::format("{} TCP segments seen carry", s.tcp_segments);
  raise_one_sided(
      fmt::format("Only this direction of the connection is in the capture. {} octets of the other were acknowledged, "
                  "but the {} no payload.",
                  s.capture_gap_octets, seen));
}

void TcpQueuePair::Impl::raise_cut_framing(Direction d) {
  const DirectionRecord record = halves_[index(d)].record();
  findings::Finding f;
  f.id = FindingId::capture_cut_framing;
  f.direction = d;
  f.frames = {first_frame_, last_frame_};
  f.seen = std::to_string(record.unframed_octets);
  f.text = fmt::format("{} octets of this direction were skipped, because the starts of FPDUs were cut off.",
                       record.unframed_octets);
  raise(std::move(f));
}

void TcpQueuePair::Impl::conclude() {
  judge_missing_reply();
  raise_late_reset();
  QueuePair::Impl::conclude();
  if (one_sided) raise_unseen_octets();
  for (Direction d : kDirections) {
    if (llps_[index(d)].has_lost_framing_to_a_cut()) raise_cut_framing(d);
  }
  for (MpaHalf& llp : llps_) llp.compare_crcs(true);
  raise_inferred_settings();
}

void TcpQueuePair::Impl::raise_inferred_settings() {
  const std::optional<bool> crc = inferred_crc();
  for (Direction d : kDirections) {
    const mpa::Framer* framer = llps_[index(d)].framer();
    if (framer == nullptr || framer->statistics().fpdus == 0) continue;
    const mpa::FramingSettings& s = framer->settings();
    if (!s.crc_inferred && !s.markers_inferred) continue;
    findings::Finding f;
    f.id = FindingId::capture_inferred_settings;
    f.direction = d;
    f.frames = {first_frame_, last_frame_};
    f.text = fmt::format("{}; from the FPDUs themselves: CRC {}, markers {}.",
                         midstream ? "Startup was not seen" : "Startup was not seen whole and in order",
                         crc ? (*crc ? "in use" : "not in use") : "unknown",
                         s.markers ? (*s.markers ? "in use" : "not in use") : "unknown");
    raise(std::move(f));
  }
}

}  // namespace iwarpscope::qp
