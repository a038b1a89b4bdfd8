// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a Terminate names, compared with the messages that its sender had received.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/wording.h"
#include "ddp/header.h"
#include "qp/direction/terminate_rules.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

constexpr std::uint8_t kLlp = 2;  // layer of errors that say the octets themselves are not to be trusted
constexpr std::size_t kTagged = 14, kUntagged = 18;

/// The DDP header that a Terminate carries, whole.
class Quoted {
 public:
  explicit Quoted(Octets octets) noexcept : octets_(octets) {}
  [[nodiscard]] bool is_whole() const noexcept {
    return octets_.size() >= kTagged && (is_tagged() || octets_.size() >= kUntagged);
  }
  /// Its fields are set to zero where the error belongs to no message. Source: RFC 5040 §7.1.
  [[nodiscard]] bool is_zero() const noexcept {
    return std::all_of(octets_.begin(), octets_.end(), [](std::byte o) { return o == std::byte{0}; });
  }
  [[nodiscard]] bool is_tagged() const noexcept { return (to_u8(octets_[0]) & 0x80) != 0; }
  [[nodiscard]] bool is_last() const noexcept { return (to_u8(octets_[0]) & 0x40) != 0; }
  [[nodiscard]] rdmap::Opcode opcode() const noexcept { return rdmap::opcode_of(to_u8(octets_[1])); }
  [[nodiscard]] std::size_t octets() const noexcept { return is_tagged() ? kTagged : kUntagged; }
  /// Where in its message, which begins at `position` when it is tagged, the DDP segment is.
  [[nodiscard]] std::uint64_t offset_in(std::uint64_t position) const noexcept {
    return is_tagged() ? load_be<std::uint64_t>(octets_.subspan(6)) - position
                       : load_be<std::uint32_t>(octets_.subspan(14));
  }
  [[nodiscard]] std::string text() const {
    const auto field = [&](std::size_t at) { return load_be<std::uint32_t>(octets_.subspan(at)); };
    if (is_tagged()) {
      return fmt::format("{}, STag 0x{:08x} TO 0x{:016x}", rdmap::title(opcode()), field(2),
                         load_be<std::uint64_t>(octets_.subspan(6)));
    }
    return fmt::format("{}, {} MSN {}", rdmap::title(opcode()), queue_text(QueueNumber{field(6)}), field(10));
  }

 private:
  Octets octets_;
};

/// One Terminate, and the messages before it.
class HistoryJudge {
 public:
  HistoryJudge(const TerminateView& view, findings::Reporter& reporter)
      : view_(view),
        t_(view.terminate),
        history_(view.other.history()),
        reporter_(reporter),
        quoted_(view.terminate.ddp_header),
        errors_(view.common.faults.has_errors(view.named_direction())) {
    const Coverage& named = view.named_coverage();
    const auto acknowledged = named.llp().acknowledged();
    const bool all_seen = !acknowledged || *acknowledged <= named.stream_end();
    certain_ = all_seen && view.common.sees_whole(view.named_direction()) && named.is_framed_to_its_end() &&
               !named.has_bad_crc() && t_.layer != kLlp;
  }

  void names_unsent();
  void segment_length();
  void extension_refused();
  void not_first_error();

 private:
  [[nodiscard]] const History::Entry* named() const noexcept {
    return view_.names ? history_.entry_of(*view_.names) : nullptr;
  }
  [[nodiscard]] std::optional<std::uint64_t> sent_octets() const noexcept;
  /// Without `frames`: those of the Terminate.
  [[nodiscard]] findings::Finding about(FindingId id, std::vector<FrameNumber> frames) const {
    findings::Finding f = finding_about(id, view_.direction, view_.open);
    if (!frames.empty()) f.frames = std::move(frames);
    return f;
  }

  const TerminateView& view_;
  const rdmap::Terminate& t_;
  const History& history_;  ///< of the direction that it speaks of
  findings::Reporter& reporter_;
  const Quoted quoted_;
  const bool errors_;     ///< the direction that it speaks of broke rules
  bool certain_ = false;  ///< all that its sender can have received was seen, and as it was received
};

/// RM-27. Where the other direction broke rules, a DDP segment may be named that was taken for something else here. A
/// Read Request is known by its RDMA header, if that is there (RM-29).
void HistoryJudge::names_unsent() {
  if (view_.names || !certain_ || !quoted_.is_whole() || quoted_.is_zero() || errors_) return;
  if (quoted_.opcode() == rdmap::Opcode::rdma_read_request &&
      (!t_.rdmap_header.empty() || t_.dialect == rdmap::TerminateDialect::siw_le)) {
    return;
  }
  if (!history_.is_whole() && !history_.is_after_newest(t_.ddp_header)) return;
  findings::Finding f = about(FindingId::rdmap_terminate_names_unsent, {});
  f.seen = quoted_.text();
  f.text = fmt::format("The Terminate quotes a DDP header ({}) that the other end never sent.", f.seen);
  reporter_.raise(std::move(f));
}

/// Octets after the DDP header of the DDP segment that is named, as far as it is known.
std::optional<std::uint64_t> HistoryJudge::sent_octets() const noexcept {
  const History::Entry* const entry = named();
  // Linux siw quotes a Read Request with other numbers: which of its fields can be believed is not known.
  if (entry == nullptr || !history_.find(t_.ddp_header)) return std::nullopt;
  // Where the capture cut it, it may break a rule unseen, and be taken for something else.
  if (!entry->is_judged) return std::nullopt;
  const std::uint64_t offset = quoted_.offset_in(entry->position);
  if (offset == 0) return entry->first_octets;
  if (!quoted_.is_last() || offset > entry->length) return std::nullopt;
  return entry->length - offset;
}

/// RM-28. Seen in the field: the whole ULPDU, what follows the DDP header, that without the RDMAP header, and 0.
void HistoryJudge::segment_length() {
  if (!certain_ || !t_.ddp_segment_length || !quoted_.is_whole() || errors_) return;
  const std::optional<std::uint64_t> payload = sent_octets();
  if (!payload) return;
  const std::uint64_t length = *t_.ddp_segment_length;
  const std::uint64_t header = rdmap::header_octets(quoted_.opcode());
  const std::uint64_t ulpdu = *payload + quoted_.octets();
  if (length == 0 || length == *payload || length == ulpdu || length + header == *payload) return;
  findings::Finding f = about(FindingId::rdmap_terminate_segment_length_wrong, {named()->frame, view_.open.last_frame});
  f.seen = std::to_string(length);
  f.expected = std::to_string(ulpdu);
  f.text = fmt::format(
      "The Terminate gives a DDP Segment Length of {}. The DDP segment that it names ({}) has {}, of which {} follow "
      "the DDP header.",
      length, quoted_.text(), counted(ulpdu, "octet"), *payload);
  reporter_.raise(std::move(f));
}

/// AT-18. Linux siw quotes nothing of a message whose opcode it does not know.
void HistoryJudge::extension_refused() {
  constexpr std::uint8_t kOperation = 2, kUnexpectedOpcode = 6;
  if (t_.layer != 0 || t_.error_type != kOperation || t_.error_code != kUnexpectedOpcode) return;
  bool used = false, unknown = false, has_it = false;
  for (const OpcodeCount& c : view_.other.counts()) {
    used = used || rdmap::traits(c.opcode).is_extension;
    unknown = unknown || c.opcode == rdmap::Opcode::unknown;
  }
  for (const OpcodeCount& c : view_.own.counts()) has_it = has_it || rdmap::traits(c.opcode).is_extension;
  // What breaks a rule is refused by those that have the extension, too. Linux siw has not.
  const bool broken = errors_ && t_.dialect != rdmap::TerminateDialect::siw_le;
  if (!used || has_it || broken) return;
  std::string_view what = "an atomic or Immediate Data message";
  if (quoted_.is_whole()) {
    if (!rdmap::traits(quoted_.opcode()).is_extension) return;
    what = rdmap::title(quoted_.opcode());
  } else if (unknown || !certain_) {
    return;
  }
  const History::Entry* const entry = named();
  findings::Finding f =
      about(FindingId::rdmap_extension_refused,
            entry != nullptr ? std::vector{entry->frame, view_.open.last_frame} : std::vector<FrameNumber>{});
  f.seen = what;
  f.text =
      fmt::format("The Terminate refuses {} as an unexpected opcode: this end lacks the extension of RFC 7306.", what);
  reporter_.raise(std::move(f));
}

/// RM-30.
void HistoryJudge::not_first_error() {
  const Fault* const fault = view_.common.faults.first(view_.named_direction());
  const History::Entry* const entry = named();
  if (fault == nullptr || entry == nullptr || !certain_) return;
  if (entry->message <= fault->message || entry->frame <= fault->frame) return;
  findings::Finding f =
      about(FindingId::rdmap_terminate_not_first_error, {fault->frame, entry->frame, view_.open.last_frame});
  f.seen = fmt::format("message {}", entry->message);
  f.expected = fmt::format("message {}", fault->message);
  f.text = fmt::format(
      "The Terminate names message {} (frame {}) of the other direction; message {} (frame {}) before it already broke "
      "{}.",
      entry->message, entry->frame.value, fault->message, fault->frame.value, findings::rule(fault->id).code);
  reporter_.raise(std::move(f));
}

}  // namespace

void judge_terminate_history(const TerminateView& view, findings::Reporter& reporter) {
  // In a Terminate that is not what it has to be, it is not known where its fields are.
  const rdmap::TerminateFit fit = view.terminate.fit;
  const bool sound = fit == rdmap::TerminateFit::exact || fit == rdmap::TerminateFit::without_rdma_header;
  if (view.open.tagged || !sound) return;
  HistoryJudge judge(view, reporter);
  judge.names_unsent();
  judge.segment_length();
  judge.extension_refused();
  judge.not_first_error();
}

TerminateSummary terminate_summary(const TerminateView& view) {
  const rdmap::Terminate& terminate = view.terminate;
  TerminateSummary t;
  t.at = {view.open.last_frame, view.open.placed_time};
  t.layer = terminate.layer;
  t.error_type = terminate.error_type;
  t.error_code = terminate.error_code;
  t.dialect = terminate.dialect;
  if (terminate.ddp_header.size() >= 2) t.quoted = rdmap::opcode_of(to_u8(terminate.ddp_header[1]));
  const History& history = view.other.history();
  const History::Entry* const entry = view.names ? history.entry_of(*view.names) : nullptr;
  if (entry == nullptr) return t;
  t.named = TerminateSummary::Named{};
  TerminateSummary::Named& named = *t.named;
  named.message = entry->message;
  named.opcode = rdmap::opcode_of(entry->rdmap_control);
  named.frame = entry->frame;
  named.tagged = entry->tagged;
  named.stag = STag{entry->stag};
  named.to = TaggedOffset{entry->position};
  named.length = entry->length;
  named.cut = view.other.is_open(entry->message);
  const Exchange::Unfit unfit = view.exchange.unfit(view.named_direction());
  named.unfit = unfit.frame.value != 0 && unfit.message == entry->message;
  if (view.common.breaches != nullptr) {
    named.breaches = view.common.breaches->of_message(view.named_direction(), named);
  }
  const bool takes_receive = !entry->tagged && (entry->position >> 32) == 0;
  if (takes_receive) named.as_long_before = history.as_long_before(*entry);
  named.first_of_queue = !entry->tagged && !history.has_before(*entry);
  const Request* const request = view.named_requests().find(entry->message);
  if (request == nullptr) return t;
  named.target = TerminateSummary::Named::Target{request->source_stag, request->source_to,
                                                 request->atomic ? std::nullopt : std::optional{request->size}};
  return t;
}

void judge_ignored_error(Common& common, Direction d) {
  const Fault* const fault = common.faults.first(d);
  const Coverage& responses = common.covered(opposite(d));
  if (fault == nullptr || fault->answer.value == 0 || common.first_terminate || !common.sees_whole(d) ||
      !responses.is_gapless() || common.covered(d).has_bad_crc()) {
    return;
  }
  findings::Finding f;
  f.id = FindingId::rdmap_error_ignored;
  f.direction = opposite(d);
  f.frames = {fault->frame, fault->request, fault->answer};
  f.broken_in = fault->answer;
  f.seen = findings::rule(fault->id).code;
  f.text = fmt::format(
      "Message {} of the other direction (frame {}) breaks {}, and must be refused. This end answered the later "
      "request of frame {}, and sent no Terminate.",
      fault->message, fault->frame.value, findings::rule(fault->id).code, fault->request.value);
  common.raise(std::move(f));
}

}  // namespace iwarpscope::qp
