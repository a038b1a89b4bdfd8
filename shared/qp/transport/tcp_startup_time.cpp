// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How long startup took, and what a reset cut off.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/wording.h"
#include "qp/transport/tcp_queue_pair_state.h"

namespace iwarpscope::qp {

using findings::FindingId;

namespace {

/// Linux siw gives up after 5 to 10 seconds, others later. Ours.
constexpr std::int64_t kSlowNs = 10'000'000'000;

std::string seconds(std::int64_t ns) {
  return fmt::format("{:.1f} s", static_cast<double>(ns) / 1e9);
}

}  // namespace

/// Nothing that the capture lacks, and nothing that the network lost, can have made startup slow.
bool TcpQueuePair::Impl::is_startup_time_known() const noexcept {
  for (const Direction d : kDirections) {
    if (!covered(d).has_all_octets() || connection_.statistics(d).retransmitted_octets != 0) return false;
  }
  return !one_sided && !midstream && !may_lack(first_time_);
}

/// MS-04, of the Request: the connection was idle since its handshake.
void TcpQueuePair::Impl::judge_request_time(const mpa::StartupFrame& request) {
  if (!handshake_seen_ || request.start != kStreamOrigin || !is_startup_time_known()) return;
  const std::int64_t took = elapsed_ns(first_time_, request.time);
  if (took <= kSlowNs) return;
  raise_slow(Direction::a_to_b, {first_frame_, request.frame}, request.start, took,
             fmt::format("The MPA Request came {} after the TCP connection was opened.", seconds(took)));
}

/// MS-04, of the Reply that came.
void TcpQueuePair::Impl::judge_reply_time(const mpa::StartupFrame& request, const mpa::StartupFrame& reply) {
  if (!is_startup_time_known()) return;
  const std::int64_t took = elapsed_ns(request.time, reply.time);
  if (took <= kSlowNs) return;
  raise_slow(Direction::b_to_a, {request.frame, reply.frame}, reply.start, took,
             fmt::format("The MPA Reply came {} after the Request.", seconds(took)));
}

/// MS-04, of a Reply that never came: until either end closed, or until the end of the capture.
void TcpQueuePair::Impl::judge_missing_reply() {
  if (startup_ == nullptr || startup_->phase() != mpa::StartupPhase::await_reply || startup_->request() == nullptr ||
      !is_startup_time_known()) {
    return;
  }
  const mpa::StartupFrame& request = *startup_->request();
  const auto acknowledged = connection_.acknowledged(Direction::a_to_b);
  if (!acknowledged || *acknowledged < request.end) return;  // it may never have arrived
  Moment end{frame, time};
  if (endings_ != nullptr) {
    for (const Ending& ending : *endings_) {
      for (const Moment& closed : {ending.fin, ending.rst}) {
        if (closed.happened() && closed.time < end.time) end = closed;
      }
    }
  }
  const std::int64_t waited = elapsed_ns(request.time, end.time);
  if (waited <= kSlowNs) return;
  raise_slow(Direction::b_to_a, {request.frame, end.frame}, request.start, waited,
             fmt::format("{} after the MPA Request there was no Reply.", seconds(waited)));
}

void TcpQueuePair::Impl::raise_slow(Direction late, std::vector<FrameNumber> frames, StreamOffset offset,
                                    std::int64_t took, std::string text) {
  findings::Finding f;
  f.id = FindingId::mpa_startup_slow;
  f.direction = late;
  f.frames = std::move(frames);
  f.offset = offset;
  f.seen = seconds(took);
  f.expected = fmt::format("at most {}", seconds(kSlowNs));
  f.text = std::move(text);
  raise(std::move(f));
}

/// The startup frames that are there now tell how long they took.
void TcpQueuePair::Impl::judge_startup_time() {
  const mpa::StartupFrame* const request = startup_->request();
  const mpa::StartupFrame* const reply = startup_->reply();
  if (request == nullptr || reply == nullptr) return;
  judge_request_time(*request);
  judge_reply_time(*request, *reply);
}

/// A Terminate explains a reset, or the capture lacks what may.
bool TcpQueuePair::Impl::may_explain_reset() const noexcept {
  if (first_terminate || midstream || one_sided || is_reset_beyond_seen()) return true;
  return std::any_of(kDirections.begin(), kDirections.end(),
                     [&](Direction d) { return !covered(d).has_all_octets() || !covered(d).is_gapless(); });
}

/// QP-03: `by` reset the connection in the middle of work. Not when a Terminate or the capture's own loss explains it.
void TcpQueuePair::Impl::judge_reset(Direction by) {
  if (may_explain_reset()) return;
  // What the other end sent last, nothing would show.
  if (may_lack(last_segments_[index(opposite(by))].last.time)) return;
  std::string what;
  for (const Direction d : kDirections) {
    const Half& half = halves_[index(d)];
    if (llps_[index(d)].is_open() && !half.coverage().is_framed_to_its_end()) return;
    const std::string open = half.unfinished();
    if (open.empty()) continue;
    if (!what.empty()) what += "; ";
    what += fmt::format("{}: {}", direction_text(d), open);
  }
  if (what.empty()) return;
  // Without an ACK number it answers a TCP segment to a closed connection (RFC 9293 §3.10.7.1): what closed it may come
  // later, or only later show that the capture lacks it.
  if (ending(by).rst_acknowledges) return raise_reset(by, what);
  ending(by).rst_cut_off = std::make_unique<std::string>(std::move(what));
}

void TcpQueuePair::Impl::raise_reset(Direction by, const std::string& what) {
  findings::Finding f;
  f.id = FindingId::rdmap_reset_inside_message;
  f.direction = by;
  f.frames = {ending(by).rst.frame};
  f.seen = what;
  f.text = fmt::format("The connection was reset while work was outstanding. {}.", what);
  raise(std::move(f));
}

/// QP-03 that waited for the end.
void TcpQueuePair::Impl::raise_late_reset() {
  if (endings_ == nullptr || may_explain_reset()) return;
  for (const Direction by : kDirections) {
    const auto what = std::move((*endings_)[index(by)].rst_cut_off);
    if (what != nullptr) raise_reset(by, *what);
  }
}

}  // namespace iwarpscope::qp
