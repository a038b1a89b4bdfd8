// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a Terminate names, held against the messages that its sender had received.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/wording.h"
#include "ddp/header.h"
#include "qp/half.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

constexpr std::uint8_t kLlp = 2;  // layer of errors that say the octets themselves are not to be trusted
constexpr std::size_t kTagged = 14, kUntagged = 18;

bool is_extension(rdmap::Opcode opcode) noexcept {
  return opcode == rdmap::Opcode::immediate || opcode == rdmap::Opcode::immediate_se ||
         opcode == rdmap::Opcode::atomic_request || opcode == rdmap::Opcode::atomic_response;
}

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
  /// Where in its message, which begins at `position` when it is tagged, the DDP segment stands.
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

}  // namespace

/// One Terminate, and the messages before it. `names`: the message of the other half that it speaks of.
class TerminateHistoryJudge {
 public:
  TerminateHistoryJudge(Half& half, const OpenMessage& open, const rdmap::Terminate& t,
                        std::optional<std::uint64_t> names)
      : half_(half), other_(*half.other_), open_(open), t_(t), names_(names), quoted_(t.ddp_header) {
    const auto acknowledged = other_.llp_->acknowledged();
    const bool all_seen = !acknowledged || *acknowledged <= other_.stream_end_;
    certain_ = other_.gapless_ && all_seen && other_.is_framed_to_its_end() && !half.common_.midstream &&
               !half.common_.one_sided && other_.rare().first_bad_crc_frame.value == 0 && t.layer != kLlp;
  }

  void names_unsent();
  void segment_length();
  void extension_refused();
  void not_first_error();

 private:
  [[nodiscard]] std::optional<std::uint64_t> sent_octets() const noexcept;
  void raise(FindingId id, std::vector<FrameNumber> frames, std::string seen, std::string expected, std::string text) {
    findings::Finding f = half_.about(id, open_);
    if (!frames.empty()) f.frames = std::move(frames);
    f.seen = std::move(seen);
    f.expected = std::move(expected);
    f.text = std::move(text);
    half_.common_.raise(std::move(f));
  }

  Half& half_;
  Half& other_;
  const OpenMessage& open_;
  const rdmap::Terminate& t_;
  const std::optional<std::uint64_t> names_;
  const Quoted quoted_;
  bool certain_ = false;  ///< all that its sender can have received was seen, and as it was received
};

/// RM-27. Where the other direction broke rules, a DDP segment may be named that was taken for something else here. A
/// Read Request is known by its RDMA header, if that is there (RM-29).
void TerminateHistoryJudge::names_unsent() {
  if (names_ || !certain_ || !quoted_.is_whole() || quoted_.is_zero()) return;
  if (half_.common_.errors[index(other_.direction_)]) return;
  if (quoted_.opcode() == rdmap::Opcode::rdma_read_request &&
      (!t_.rdmap_header.empty() || t_.dialect == rdmap::TerminateDialect::siw_le)) {
    return;
  }
  if (!other_.history_.is_whole() && !other_.history_.is_behind_newest(t_.ddp_header)) return;
  raise(FindingId::rdmap_terminate_names_unsent, {}, quoted_.text(), "",
        fmt::format("The Terminate quotes a DDP header ({}) that the other end never sent.", quoted_.text()));
}

/// Octets after the DDP header of the DDP segment that is named, as far as it is known.
std::optional<std::uint64_t> TerminateHistoryJudge::sent_octets() const noexcept {
  const History::Entry* const entry = names_ ? other_.history_.entry_of(*names_) : nullptr;
  // Linux siw quotes a Read Request with other numbers: which of its fields can be believed is not known.
  if (entry == nullptr || !other_.history_.find(t_.ddp_header)) return std::nullopt;
  const std::uint64_t offset = quoted_.offset_in(entry->position);
  if (offset == 0) return entry->first_octets;
  if (!quoted_.is_last() || offset > entry->length) return std::nullopt;
  return entry->length - offset;
}

/// RM-28. Seen in the field: the whole ULPDU, what follows the DDP header, that without the RDMAP header, and 0.
void TerminateHistoryJudge::segment_length() {
  if (!certain_ || !t_.ddp_segment_length || !quoted_.is_whole() || half_.common_.errors[index(other_.direction_)]) {
    return;
  }
  const std::optional<std::uint64_t> payload = sent_octets();
  if (!payload) return;
  const std::uint64_t length = *t_.ddp_segment_length;
  const std::uint64_t header = rdmap::header_octets(quoted_.opcode());
  const std::uint64_t ulpdu = *payload + quoted_.octets();
  if (length == 0 || length == *payload || length == ulpdu || length + header == *payload) return;
  raise(
      FindingId::rdmap_terminate_segment_length_wrong, {other_.history_.entry_of(*names_)->frame, open_.last_frame},
      std::to_string(length), std::to_string(ulpdu),
      fmt::format("The Terminate gives a DDP Segment Length of {}; the DDP segment that it names ({}) has {}, of which "
                  "{} follow the DDP header.",
                  length, quoted_.text(), counted(ulpdu, "octet"), *payload));
}

/// AT-18. Linux siw quotes nothing of a message whose opcode it does not know.
void TerminateHistoryJudge::extension_refused() {
  constexpr std::uint8_t kOperation = 2, kUnexpectedOpcode = 6;
  if (t_.layer != 0 || t_.error_type != kOperation || t_.error_code != kUnexpectedOpcode) return;
  bool used = false, unknown = false, has_it = false;
  for (const OpcodeCount& c : other_.counts_) {
    used = used || is_extension(c.opcode);
    unknown = unknown || c.opcode == rdmap::Opcode::unknown;
  }
  for (const OpcodeCount& c : half_.counts_) has_it = has_it || is_extension(c.opcode);
  // What breaks a rule is refused by those that have the extension, too. Linux siw has not.
  const bool broken = half_.common_.errors[index(other_.direction_)] && t_.dialect != rdmap::TerminateDialect::siw_le;
  if (!used || has_it || broken) return;
  std::string_view what = "an atomic or Immediate Data message";
  if (quoted_.is_whole()) {
    if (!is_extension(quoted_.opcode())) return;
    what = rdmap::title(quoted_.opcode());
  } else if (unknown || !certain_) {
    return;
  }
  std::vector<FrameNumber> frames;
  if (names_) {
    if (const auto frame = other_.history_.frame_of(*names_)) frames = {*frame, open_.last_frame};
  }
  raise(
      FindingId::rdmap_extension_refused, std::move(frames), std::string(what), "",
      fmt::format("The Terminate refuses {} as an unexpected opcode: this end lacks the extension of RFC 7306.", what));
}

/// RM-30.
void TerminateHistoryJudge::not_first_error() {
  const Fault* const fault = half_.common_.fault(other_.direction_);
  const History::Entry* const entry = names_ ? other_.history_.entry_of(*names_) : nullptr;
  if (fault == nullptr || entry == nullptr || !certain_) return;
  if (entry->message <= fault->message || entry->frame <= fault->frame) return;
  raise(FindingId::rdmap_terminate_not_first_error, {fault->frame, entry->frame, open_.last_frame},
        fmt::format("message {}", entry->message), fmt::format("message {}", fault->message),
        fmt::format("The Terminate names message {} (frame {}) of the other direction; message {} (frame {}) before it "
                    "already broke {}.",
                    entry->message, entry->frame.value, fault->message, fault->frame.value,
                    findings::rule(fault->id).code));
}

void judge_terminate_history(Half& half, const OpenMessage& open, const rdmap::Terminate& terminate,
                             std::optional<std::uint64_t> names) {
  // Of a Terminate that is not what it has to be nobody knows where its fields are.
  const bool sound =
      terminate.fit == rdmap::TerminateFit::exact || terminate.fit == rdmap::TerminateFit::without_rdma_header;
  if (open.tagged || !sound) return;
  TerminateHistoryJudge judge(half, open, terminate, names);
  judge.names_unsent();
  judge.segment_length();
  judge.extension_refused();
  judge.not_first_error();
}

// ---- what a receiver has to refuse ----

void Common::note_error(const findings::Finding& finding) {
  const findings::Rule& rule = findings::rule(finding.id);
  if (!finding.direction || rule.severity != findings::Severity::error) return;
  const std::size_t d = index(*finding.direction);
  if (findings::is_about_full_operation(rule)) errors[d] = true;
  if (!finding.message || !rule.refused_with.is_always()) return;
  if (faults == nullptr) faults = std::make_unique<std::array<Fault, 2>>();
  Fault& fault = (*faults)[d];
  if (fault.frame.value == 0) fault = {finding.id, *finding.message, finding.frames.front(), {}, {}};
}

/// RM-32: `open` answers a request that came behind a message which had to be refused.
void Half::note_answer_after_fault(const OpenMessage& open, const Request& request) {
  if (common_.faults == nullptr) return;
  Fault& fault = (*common_.faults)[index(other_->direction_)];
  if (fault.frame.value == 0 || fault.answer.value != 0 || !open.intact) return;
  if (request.message <= fault.message || request.frame <= fault.frame) return;
  fault.request = request.frame;
  fault.answer = open.last_frame;
}

/// RM-32, at the end: nobody refused it. A bad CRC or a gap would explain that the receiver saw something else.
void Half::judge_ignored_error() const {
  const Fault* const fault = common_.fault(direction_);
  if (fault == nullptr || fault->answer.value == 0 || common_.first_terminate || common_.midstream ||
      common_.one_sided || !gapless_ || !other_->gapless_ || rare().first_bad_crc_frame.value != 0) {
    return;
  }
  findings::Finding f;
  f.id = FindingId::rdmap_error_ignored;
  f.direction = other_->direction_;
  f.frames = {fault->frame, fault->request, fault->answer};
  f.seen = findings::rule(fault->id).code;
  f.text = fmt::format(
      "Message {} of the other direction (frame {}) breaks {}, and must be refused. This end answered the later "
      "request of frame {}, and sent no Terminate.",
      fault->message, fault->frame.value, findings::rule(fault->id).code, fault->request.value);
  common_.raise(std::move(f));
}

}  // namespace iwarpscope::qp
