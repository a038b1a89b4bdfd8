// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/sctp_queue_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/archive.h"
#include "base/serial.h"
#include "base/wording.h"
#include "mpa/startup_frame_view.h"
#include "mpa/startup_rules.h"
#include "qp/direction/open_message.h"
#include "qp/ending_order.h"
#include "qp/queue_pair_state.h"
#include "qp/transport/session_half.h"
#include "qp/transport_event.h"

namespace iwarpscope::qp {

using findings::FindingId;
namespace code = sctp::function_code;

namespace {

/// It ended otherwise than by its own ends closing it.
[[nodiscard]] bool is_unfinished(sctp::Ending how) noexcept {
  return how == sctp::Ending::rejected || how == sctp::Ending::refused || how == sctp::Ending::aborted ||
         how == sctp::Ending::reused || how == sctp::Ending::restarted;
}

[[nodiscard]] std::string_view name_of(std::uint16_t function) noexcept {
  switch (function) {
    case code::accept:
    case code::enhanced_accept: return "Session Accept";
    case code::reject:
    case code::enhanced_reject: return "Session Reject";
    case code::terminate: return "Session Terminate";
    default: return "session control messages";
  }
}

}  // namespace

class SctpQueuePair::Impl final : public QueuePair::Impl, public sctp::SessionSink {
 public:
  Impl(Environment& environment, const sctp::SessionStart& start, Events& sink, Observation* observer);

  // QueuePair::Impl
  [[nodiscard]] bool is_closed() const noexcept override { return how_.has_value(); }
  [[nodiscard]] std::uint64_t mirror_duplicates() const noexcept override {
    return llps_[0].statistics().mirror_duplicates + llps_[1].statistics().mirror_duplicates;
  }

  // sctp::SessionSink
  void control(Direction d, const sctp::ControlMessage& message) override;
  void segment(Direction d, const sctp::Message& message) override;
  void missing(Direction d, const sctp::MissingMessages& messages, FrameNumber at_frame, TimePoint at_time) override;
  void chunk(Direction d, sctp::ChunkEvent what, std::uint32_t octets, FrameNumber at_frame,
             TimePoint at_time) override;
  void ended(sctp::Ending how, std::optional<Direction> by, bool whole, FrameNumber at_frame,
             TimePoint at_time) override;
  findings::Reporter& reporter(FrameNumber at_frame, TimePoint at_time) override {
    frame = at_frame;
    time = at_time;
    return *this;
  }

  [[nodiscard]] sctp::SessionStart start() const;
  void resume(const sctp::SessionView& view) noexcept {
    for (SessionHalf& llp : llps_) llp.resume(view);
  }
  template <class A>
  void archive(A& a) {
    QueuePair::Impl::archive(a);
    a(recognised_by_, llps_, kept_, last_, last_octets_, tsns_, terminated_, aborted_, terminates_, how_);
    if (a.is_reading()) find_startup_frames();
  }

 private:
  void finish_llp() override;
  void conclude() override;
  [[nodiscard]] std::optional<StartupRecord> startup_record() const override;
  void fill(QpRecord& record) const override;
  void fill(Summary& summary) const override;
  [[nodiscard]] std::string midstream_text() const override {
    return fmt::format("The capture contains no Initiate of this session; it was recognised by its {}.",
                       recognised_by_);
  }

  /// From the lowest TSN that was seen to the highest.
  struct TsnRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    void see(std::uint32_t from, std::uint32_t to) noexcept {
      if (count == 0) first = from;
      if (serial_distance(first, from) < 0) {
        count += first - from;
        first = from;
      }
      count = std::max(count, to - first + 1);
    }
  };
  [[nodiscard]] std::optional<SequenceRecord> numbers(Direction d) const;
  void find_startup_frames() noexcept;
  void take(Direction d, const sctp::Message& message);
  void keep(std::optional<mpa::StartupFrame>& to, const sctp::ControlMessage& message);
  void accepted();
  void raise_rejected(const sctp::ControlMessage& message);
  void raise_reset_inside(Direction by);
  void end_half(Direction d, bool orderly);
  void note_end(sctp::Ending how, std::optional<Direction> by);
  void note_terminate(Direction d);
  [[nodiscard]] std::optional<Moment> shut_down(Direction d) const noexcept;
  [[nodiscard]] bool is_cut_off(std::optional<Direction> by) const;

  const std::uint16_t stream_;
  const std::array<std::optional<sctp::OpeningPlace>, 2> openings_;
  std::string_view recognised_by_ = "DDP segments";
  std::array<SessionHalf, 2> llps_;
  std::unique_ptr<StartupFrames> kept_;
  std::array<Moment, 2> last_{}, last_octets_{};
  std::array<TsnRange, 2> tsns_{};
  std::array<Moment, 2> terminated_{}, aborted_{};
  std::array<Terminated, 2> terminates_{};
  std::optional<sctp::Ending> how_;
};

SctpQueuePair::Impl::Impl(Environment& environment, const sctp::SessionStart& start, Events& sink,
                          Observation* observer)
    : QueuePair::Impl(environment,
                      {start.endpoints[0], start.endpoints[1],
                       start.joined || !start.asked ? Roles::address : Roles::mpa, start.frame, start.time},
                      sink, observer),
      stream_(start.stream),
      openings_(start.openings),
      llps_{SessionHalf(halves_[0], *this, start.view), SessionHalf(halves_[1], *this, start.view)} {
  midstream = start.joined;
  for (const Direction d : kDirections) {
    halves_[index(d)].connect(halves_[index(opposite(d))], llps_[index(d)]);
    llps_[index(d)].connect(llps_[index(opposite(d))]);
  }
  if (midstream) {
    for (SessionHalf& llp : llps_) llp.begin(false);
  }
}

void SctpQueuePair::Impl::take(Direction d, const sctp::Message& message) {
  frame = last_frame_ = message.delivery_frame;
  time = last_time_ = message.delivered_time;
  last_[index(d)] = last_octets_[index(d)] = {frame, time};
  tsns_[index(d)].see(message.tsn, message.last_tsn);
  one_sided = !(coverage[0].is_captured() && coverage[1].is_captured());
  confirm();
}

void SctpQueuePair::Impl::control(Direction d, const sctp::ControlMessage& message) {
  if (!confirmed) recognised_by_ = name_of(message.code);
  take(d, message.message);
  if (observation != nullptr) observation->control(d, message);
  llps_[index(d)].passed(message.message);
  if (kept_ == nullptr && message.code != code::terminate) kept_ = std::make_unique<StartupFrames>();
  switch (message.code) {
    case code::initiate:
    case code::enhanced_initiate:
      keep(kept_->request, message);
      move(Event::request);
      break;
    case code::accept:
    case code::enhanced_accept:
      keep(kept_->reply, message);
      accepted();
      break;
    case code::reject:
    case code::enhanced_reject:
      keep(kept_->reply, message);
      move(Event::reject);
      raise_rejected(message);
      break;
    case code::terminate: note_terminate(d); break;
    default: break;  // an illegal code was reported where it was read
  }
  if (observation == nullptr || message.code == code::terminate) return;
  observation->startup_frame(d, message.startup);
}

/// The first one counts; its place is in messages.
void SctpQueuePair::Impl::keep(std::optional<mpa::StartupFrame>& to, const sctp::ControlMessage& message) {
  if (to) return;
  to = message.startup;
  find_startup_frames();
}

/// The frames that all else refers to.
void SctpQueuePair::Impl::find_startup_frames() noexcept {
  if (kept_ == nullptr) return;
  startup_request = kept_->request ? &*kept_->request : nullptr;
  startup_reply = kept_->reply ? &*kept_->reply : nullptr;
}

void SctpQueuePair::Impl::accepted() {
  if (!midstream) {
    agreement = mpa::agree(kept_->request ? &*kept_->request : nullptr, &*kept_->reply, Direction::a_to_b);
    agreement->crc = true;  // SCTP's own, over every packet: RFC 5043 §1
  }
  move(Event::reply);
  for (SessionHalf& llp : llps_) llp.begin(!midstream);
}

void SctpQueuePair::Impl::raise_rejected(const sctp::ControlMessage& message) {
  findings::Finding f;
  f.id = FindingId::mpa_rejected;
  f.direction = Direction::b_to_a;  // A is the active side
  f.frames = {message.startup.frame};
  f.broken_in = message.startup.frame;
  if (kept_->request) f.frames.push_back(kept_->request->frame);
  f.offset = message.startup.start;
  const std::size_t enhanced = message.startup.enhanced ? mpa::EnhancedDataView::kOctets : 0;
  f.text = fmt::format("The DDP Stream Session Reject refuses the session; it carries {} of private data.",
                       counted(message.startup.private_data_length - enhanced, "octet"));
  raise(std::move(f));
}

void SctpQueuePair::Impl::segment(Direction d, const sctp::Message& message) {
  take(d, message);
  last_octets_[index(d)] = {frame, time};
  if (observation != nullptr) observation->session_segment(d, message);
  llps_[index(d)].segment(message);
}

void SctpQueuePair::Impl::missing(Direction d, const sctp::MissingMessages& messages, FrameNumber at_frame,
                                  TimePoint at_time) {
  frame = at_frame;
  time = at_time;
  llps_[index(d)].missing(messages);
  if (messages.reason == tcp::Missing::capture_gap && env.transport && confirmed) {
    events.transport({.kind = TransportEventKind::capture_gap,
                      .direction = d,
                      .frame = frame,
                      .time = time,
                      .offset = kStreamOrigin + messages.ssn});
  }
}

void SctpQueuePair::Impl::chunk(Direction d, sctp::ChunkEvent what, std::uint32_t octets, FrameNumber at_frame,
                                TimePoint at_time) {
  if (!env.transport || !confirmed) return;
  using enum TransportEventKind;
  events.transport({.kind = what == sctp::ChunkEvent::sent_again ? retransmission : out_of_order,
                    .direction = d,
                    .frame = at_frame,
                    .time = at_time,
                    .octets = octets});
}

void SctpQueuePair::Impl::end_half(Direction d, bool orderly) {
  llps_[index(d)].ended(orderly);
}

void SctpQueuePair::Impl::ended(sctp::Ending how, std::optional<Direction> by, bool whole, FrameNumber at_frame,
                                TimePoint at_time) {
  frame = at_frame;
  time = at_time;
  if (whole && how == sctp::Ending::terminated && is_cut_off(by)) how = sctp::Ending::capture_end;
  const bool seen = how != sctp::Ending::capture_end;
  if (seen) {
    last_frame_ = at_frame;
    last_time_ = at_time;
  }
  if (!whole) {
    terminated_[index(*by)] = {frame, time};
    end_half(*by, true);
    move(Event::fin_one);
    return;
  }
  one_sided = !(coverage[0].is_captured() && coverage[1].is_captured());
  // One Terminate ends a session: its other side has closed nothing, whatever the end of the capture shows of it.
  std::array<bool, 2> closed{};
  for (const Direction d : kDirections) {
    closed[index(d)] = how == sctp::Ending::shutdown ||
                       (how == sctp::Ending::terminated && (terminated_[index(d)].happened() || by == d));
  }
  note_end(how, by);
  for (SessionHalf& llp : llps_) llp.note_unseen_end();
  if (how == sctp::Ending::aborted) {
    if (by) raise_reset_inside(*by);
  }
  const bool orderly = how == sctp::Ending::terminated || how == sctp::Ending::shutdown;
  for (const Direction d : kDirections) end_half(d, closed[index(d)]);
  if (how == sctp::Ending::aborted) {
    move(Event::reset);
  } else if (seen) {
    move(Event::fin_both);
  }
  if (seen) {
    how_ = how;
    for (Half& half : halves_) half.settle(orderly);
  }
  for (SessionHalf& llp : llps_) llp.settle();
}

/// The capture ends while one side has not closed and may yet respond, or complete a message.
bool SctpQueuePair::Impl::is_cut_off(std::optional<Direction> by) const {
  if (!llps_[0].is_cut_off()) return false;
  for (const Direction d : kDirections) {
    if (by == d || terminated_[index(d)].happened()) continue;
    if (exchange_.waiting(opposite(d)) || !halves_[index(d)].unfinished().empty()) return true;
  }
  return false;
}

/// Who ended it goes first; a session that one side terminated, or that its association took with it, is over for both.
void SctpQueuePair::Impl::note_end(sctp::Ending how, std::optional<Direction> by) {
  const Moment now{frame, time};
  if (how == sctp::Ending::aborted) {
    if (by) aborted_[index(*by)] = now;
    return;
  }
  if (how == sctp::Ending::refused) {
    terminated_[index(Direction::b_to_a)] = now;
    return;
  }
  if (how != sctp::Ending::terminated && how != sctp::Ending::shutdown) return;
  for (const Direction d : kDirections) {
    Moment& each = terminated_[index(d)];
    if (each.happened()) continue;
    each = shut_down(d).value_or(now);
    // A SHUTDOWN ACK that came before the SHUTDOWN at the tap was sent after it nevertheless.
    const std::optional<Moment> others = shut_down(opposite(d));
    if (others && each.frame < others->frame) each = *others;
  }
}

/// Its SACKs come before it, and what they acknowledge before them: packets are taken in causal order.
void SctpQueuePair::Impl::note_terminate(Direction d) {
  Terminated& its = terminates_[index(d)];
  if (its.sent) return;
  its.sent = true;
  const bool was_sent = terminates_[index(opposite(d))].sent;
  const std::uint64_t unacknowledged = llps_[index(opposite(d))].unacknowledged();
  its.had_terminate = was_sent && unacknowledged == 0;
  its.had_all = unacknowledged == 0 || (was_sent && unacknowledged == 1);  // all but the Terminate
}

/// When the end that sends `d` began to shut the association down.
std::optional<Moment> SctpQueuePair::Impl::shut_down(Direction d) const noexcept {
  const std::optional<sctp::Shutdown> first = llps_[0].shutdown();
  if (!first || first->by != d) return std::nullopt;
  return Moment{first->frame, first->time};
}

/// QP-03.
void SctpQueuePair::Impl::raise_reset_inside(Direction by) {
  if (first_terminate || midstream || one_sided || may_lack(last_[index(opposite(by))].time)) return;
  std::string what;
  for (const Direction d : kDirections) {
    const Half& half = halves_[index(d)];
    // An ABORT has no TSN: what would complete the work may be missing just before it, with its SACK or without.
    if (llps_[index(d)].unacknowledged() != 0 && !llps_[index(d)].was_sent_again()) return;
    if (elapsed_ns(last_octets_[index(d)].time, time) < kMostSackDelayNs) return;
    if (!half.coverage().has_all_octets() || !half.coverage().is_gapless()) return;
    const std::string open = half.unfinished();
    if (open.empty()) continue;
    if (!what.empty()) what += "; ";
    what += fmt::format("{}: {}", direction_text(d), open);
  }
  if (what.empty()) return;
  findings::Finding f;
  f.id = FindingId::rdmap_reset_inside_message;
  f.direction = by;
  f.seen = what;
  f.text = fmt::format("The association was aborted while work was outstanding. {}.", what);
  raise(std::move(f));
}

void SctpQueuePair::Impl::finish_llp() {
  one_sided = !(coverage[0].is_captured() && coverage[1].is_captured());
  for (SessionHalf& llp : llps_) {
    llp.ended(false);
    llp.settle();
  }
}

void SctpQueuePair::Impl::conclude() {
  QueuePair::Impl::conclude();
  if (one_sided) raise_one_sided("Only this direction of the association is in the capture.");
}

std::optional<StartupRecord> SctpQueuePair::Impl::startup_record() const {
  if (kept_ == nullptr) return std::nullopt;
  StartupRecord r;
  r.request = kept_->request;
  r.reply = kept_->reply;
  if (rtr != nullptr) r.rtr = *rtr;
  return r;
}

std::optional<SequenceRecord> SctpQueuePair::Impl::numbers(Direction d) const {
  const auto& opening = openings_[index(d)];
  const TsnRange& seen = tsns_[index(d)];
  if (!opening && seen.count == 0) return std::nullopt;
  SequenceRecord numbers;
  numbers.first = seen.first;
  numbers.octets = seen.count;
  if (opening) {
    numbers.initial = opening->initial_tsn;
    numbers.tag = opening->initiate_tag;
  }
  return numbers;
}

void SctpQueuePair::Impl::fill(QpRecord& record) const {
  record.sctp_stream = stream_;
  for (const Direction d : kDirections) record.directions[index(d)].sequence = numbers(d);
  if (!how_) return;
  switch (*how_) {
    case sctp::Ending::terminated:
    case sctp::Ending::refused: record.closed_by = "session_terminate"; break;
    case sctp::Ending::rejected: break;
    case sctp::Ending::shutdown: record.closed_by = "shutdown"; break;
    case sctp::Ending::aborted: record.closed_by = "abort"; break;
    case sctp::Ending::reused: record.closed_by = "replaced"; break;
    case sctp::Ending::restarted: record.closed_by = "restart"; break;
    case sctp::Ending::capture_end: break;
  }
}

void SctpQueuePair::Impl::fill(Summary& summary) const {
  for (const Direction d : kDirections) {
    DirectionSummary& to = summary.directions[index(d)];
    if (const auto& opening = openings_[index(d)]) {
      to.syn = {opening->frame, opening->time};
      to.init_ack = opening->is_ack;
    }
    to.last = last_[index(d)];
    to.last_octets = last_octets_[index(d)];
    to.fin = terminated_[index(d)];
    if (!to.fin.happened() && !(how_ && is_unfinished(*how_))) to.fin = shut_down(d).value_or(Moment{});
    to.lacks_end = llps_[index(d)].lacks_end();
    to.rst = aborted_[index(d)];
    to.unacknowledged = llps_[index(d)].unacknowledged();
    to.fin_acknowledged = terminates_[index(d)].sent && to.unacknowledged == 0;
    const bool shuts_down = llps_[0].shutdown() && llps_[0].shutdown()->by == d;
    const bool has_all = shuts_down && llps_[index(opposite(d))].unacknowledged() == 0;
    to.had_all = terminates_[index(d)].sent ? terminates_[index(d)].had_all : has_all;
    if (const auto closed = llps_[index(d)].window_closed()) to.window_closed = {closed->frame, closed->time};
  }
  summary.may_pass_elsewhere = llps_[0].may_pass_elsewhere();
  if (const auto first = llps_[0].shutdown()) summary.shut_down_by = first->by;
  summary.ended_first = first_to_terminate(summary, terminates_);
  // The Initiate is the first message of its side.
  const SessionHalf& initiator = llps_[0];
  summary.request_acknowledged = initiator.unacknowledged() < initiator.statistics().data_chunks;
}

SctpQueuePair::SctpQueuePair(Environment& environment, const sctp::SessionStart& start, Events& events,
                             Observation* observation)
    : QueuePair(std::make_unique<Impl>(environment, start, events, observation)) {}

SctpQueuePair::Impl& SctpQueuePair::sctp() const noexcept {
  return static_cast<Impl&>(*impl_);
}
sctp::SessionSink& SctpQueuePair::session() noexcept {
  return sctp();
}

sctp::SessionStart SctpQueuePair::Impl::start() const {
  sctp::SessionStart start;
  start.stream = stream_;
  start.endpoints = {a_, b_};
  start.frame = first_frame_;
  start.time = first_time_;
  start.openings = openings_;
  return start;
}

sctp::SessionStart SctpQueuePair::start() const {
  return sctp().start();
}

template <class A>
void SctpQueuePair::archive(A& a) {
  sctp().archive(a);
}
template void SctpQueuePair::archive(Archive& a);

void SctpQueuePair::resume(const sctp::SessionView& view) noexcept {
  sctp().resume(view);
}

}  // namespace iwarpscope::qp
