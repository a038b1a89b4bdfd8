// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a Terminate claims, held against what the wire showed.
#include <fmt/format.h>

#include <utility>

#include "base/wording.h"
#include "ddp/header.h"
#include "qp/half.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

constexpr std::uint64_t kLargestSegment = 64768;  // RFC 5044 §3

/// A Read Request that was answered in part names the octets that are left. Source: RFC 5040 §4.8.
bool is_request_or_advanced(const Request& request, const rdmap::ReadRequestHeader& header) noexcept {
  if (request.atomic || request.sink_stag != header.sink_stag() || request.source_stag != header.source_stag()) {
    return false;
  }
  const std::uint64_t advanced = header.sink_to().value - request.sink_to.value;
  return advanced <= request.size && header.source_to().value - request.source_to.value == advanced &&
         header.size() == request.size - static_cast<std::uint32_t>(advanced);
}

/// Why the claim cannot be true of the quoted DDP header; empty when it can. `first_opcode_alike`: the message it is of
/// began with the same opcode, as far as that is known.
std::string contradiction(const rdmap::Terminate& t, bool first_opcode_alike) {
  const std::uint8_t ddp_control = to_u8(t.ddp_header[0]);
  const std::uint8_t rdmap_control = to_u8(t.ddp_header[1]);
  const bool tagged = (ddp_control & 0x80) != 0;
  const unsigned ddp_version = ddp_control & 0x03U;
  const rdmap::Opcode opcode = rdmap::opcode_of(rdmap_control);
  const unsigned claim = (unsigned{t.layer} << 16) | (unsigned{t.error_type} << 8) | t.error_code;
  const auto field = [&](std::size_t at) { return load_be<std::uint32_t>(t.ddp_header.subspan(at)); };
  switch (claim) {
    case 0x010104:
    case 0x010206:
      if (ddp_version == 1) return "its DDP version is 1";
      break;
    case 0x000205:
      if ((rdmap_control >> 6) == 1) return "its RDMAP version is 1";
      break;
    case 0x000206:
      if (!tagged && rdmap::is_send(opcode) && field(6) == 0 && (field(14) == 0 || first_opcode_alike)) {
        return fmt::format("its opcode, {}, is valid on {} at any time", rdmap::title(opcode),
                           queue_text(QueueNumber{0}));
      }
      break;
    case 0x010201:
      if (!tagged && rdmap::traits(opcode).qn == QueueNumber{field(6)})
        return fmt::format("{} fits its opcode", queue_text(QueueNumber{field(6)}));
      break;
    case 0x010204:
      if (!tagged && field(14) == 0) return "its MO is 0";
      break;
    case 0x010103:
      if (tagged) {
        const auto to = load_be<std::uint64_t>(t.ddp_header.subspan(6));
        if (to + kLargestSegment > to) return fmt::format("TO 0x{:016x} plus any length does not wrap", to);
      }
      break;
    default: break;
  }
  return {};
}

}  // namespace

std::optional<std::uint64_t> Half::find_terminated(const rdmap::Terminate& terminate) const {
  if (const auto named = history_.find(terminate.ddp_header)) return named;
  // Linux siw quotes a Read Request with the read's size in place of its MSN: the RDMAP header tells which it was.
  if (terminate.ddp_header.size() < 2 ||
      rdmap::opcode_of(to_u8(terminate.ddp_header[1])) != rdmap::Opcode::rdma_read_request) {
    return std::nullopt;
  }
  auto decoded = rdmap::ReadRequestHeader::parse(terminate.rdmap_header);
  const auto* header = std::get_if<rdmap::ReadRequestHeader>(&decoded);
  for (std::size_t k = 0; header != nullptr && k < outstanding_.size(); ++k) {
    if (is_request_or_advanced(outstanding_.at(k), *header)) return outstanding_.at(k).message;
  }
  return std::nullopt;
}

void Half::tell_unreadable_terminate(const OpenMessage& open) {
  findings::Finding f = about(FindingId::rdmap_terminate_sent, open);
  f.seen = counted(open.payload_length, "octet");
  f.text = fmt::format("A Terminate of {}, too short to contain an error code.", f.seen);
  common_.raise(std::move(f));
}

void Half::tell_terminate(const OpenMessage& open, const rdmap::Terminate& t, std::optional<std::uint64_t> names) {
  findings::Finding f = about(FindingId::rdmap_terminate_sent, open);
  f.seen = fmt::format("{}/{}/{:02x}", t.layer, t.error_type, t.error_code);
  f.text = fmt::format("Terminate {} ({})", rdmap::error_name(t.layer, t.error_type, t.error_code), f.seen);
  if (names) {
    f.text += fmt::format("; it names message {} of the other direction", *names);
    if (const auto frame = other_->history_.frame_of(*names)) {
      f.frames = {*frame, open.last_frame};
      f.text += fmt::format(" ({} in frame {})", rdmap::title(rdmap::opcode_of(to_u8(t.ddp_header[1]))), frame->value);
    }
  }
  f.text += '.';
  common_.raise(std::move(f));
}

/// One Terminate, and what both halves know of what it speaks of.
class TerminateJudge {
 public:
  TerminateJudge(Half& half, const OpenMessage& open, const rdmap::Terminate& t)
      : half_(half), other_(*half.other_), open_(open), t_(t) {
    // What the sender of the Terminate had received and the capture lacks may be what it speaks of.
    const auto acknowledged = other_.llp_->acknowledged();
    const bool all_seen = !acknowledged || *acknowledged <= other_.stream_end_ + 1;  // +1: a FIN
    certain_ = other_.gapless_ && all_seen && !half.common_.midstream && !half.common_.one_sided;
  }

  void answer_to_bad_crc();
  void reported_error_not_seen();
  void quoted_request();
  void claim();

 private:
  [[nodiscard]] bool is_llp_error(std::uint8_t code) const noexcept {
    return t_.layer == 2 && t_.error_type == 0 && t_.error_code == code;
  }
  [[nodiscard]] bool is_crc_error() const noexcept { return is_llp_error(2); }
  [[nodiscard]] bool is_marker_error() const noexcept { return is_llp_error(3); }
  [[nodiscard]] findings::Finding about(FindingId id) const { return half_.about(id, open_); }
  void raise(findings::Finding finding) { half_.common_.raise(std::move(finding)); }

  Half& half_;
  Half& other_;
  const OpenMessage& open_;
  const rdmap::Terminate& t_;
  bool certain_ = false;  ///< all that its sender can have received was seen
};

/// MF-19.
void TerminateJudge::answer_to_bad_crc() {
  if (!is_crc_error() || other_.rare().first_bad_crc_frame.value == 0) return;
  other_.bad_crc_explained_ = true;
  findings::Finding f = about(FindingId::mpa_crc_mismatch_reaction);
  f.direction = other_.direction_;
  f.message.reset();
  f.offset = other_.rare().first_bad_crc_offset;
  f.frames = {other_.rare().first_bad_crc_frame, open_.last_frame};
  f.text = fmt::format(
      "The receiver answered the FPDU of frame {} (bad CRC) with a Terminate in frame {}: it saw the same {} as the "
      "capture.",
      other_.rare().first_bad_crc_frame.value, open_.last_frame.value,
      half_.common_.no_crcs[index(other_.direction_)] ? "octets" : "damage");
  raise(std::move(f));
}

/// MF-20.
void TerminateJudge::reported_error_not_seen() {
  if (!(is_crc_error() || is_marker_error()) || !certain_ || !other_.is_framed_to_its_end()) return;
  // An FPDU that is not complete may lack a marker, which its receiver found out.
  const std::uint64_t fpdus = other_.llp_->right_crcs();
  if (fpdus == 0 || other_.llp_->pending_octets() != 0 || half_.common_.marker_errors[index(other_.direction_)]) return;
  findings::Finding f = about(FindingId::mpa_reported_error_not_seen);
  f.seen = fmt::format("2/0/{}", t_.error_code);
  const std::string checked = fpdus == 1 ? "the one FPDU" : fmt::format("all {} FPDUs", fpdus);
  f.text = fmt::format("The Terminate reports {}, but {} of the other direction {} right at the tap.",
                       is_crc_error() ? "a CRC error" : "a marker error", checked, fpdus == 1 ? "is" : "are");
  raise(std::move(f));
}

/// RM-29.
void TerminateJudge::quoted_request() {
  auto decoded = rdmap::ReadRequestHeader::parse(t_.rdmap_header);
  const auto* header = std::get_if<rdmap::ReadRequestHeader>(&decoded);
  // A request that could not be read, or whose response may be missing, may be the one.
  const bool all_known = certain_ && other_.is_framed_to_its_end() && other_.requests_certain_ && half_.gapless_;
  if (header == nullptr || !all_known || t_.ddp_header.size() < 2 ||
      rdmap::opcode_of(to_u8(t_.ddp_header[1])) != rdmap::Opcode::rdma_read_request) {
    return;
  }
  for (std::size_t k = 0; k < other_.outstanding_.size(); ++k) {
    if (is_request_or_advanced(other_.outstanding_.at(k), *header)) return;
  }
  findings::Finding f = about(FindingId::rdmap_terminate_rdma_header_wrong);
  f.seen = fmt::format("source STag 0x{:08x} TO 0x{:016x} size {}", header->source_stag().value,
                       header->source_to().value, header->size());
  f.text = fmt::format("The Terminate quotes a Read Request ({}) that matches no outstanding Read Request.", f.seen);
  raise(std::move(f));
}

/// RM-31.
void TerminateJudge::claim() {
  if (t_.ddp_header.size() < 14) return;
  const bool tagged = (to_u8(t_.ddp_header[0]) & 0x80) != 0;
  if (!tagged && t_.ddp_header.size() < 18) return;
  const std::string why = contradiction(t_, certain_ && !half_.common_.errors[index(other_.direction_)]);
  if (why.empty()) return;
  findings::Finding f = about(FindingId::rdmap_terminate_claim_false);
  f.seen = fmt::format("{}/{}/{:02x}", t_.layer, t_.error_type, t_.error_code);
  f.text = fmt::format("The Terminate claims \"{}\" of the DDP segment it quotes, but {}.",
                       rdmap::error_name(t_.layer, t_.error_type, t_.error_code), why);
  raise(std::move(f));
}

void judge_terminate(Half& half, const OpenMessage& open, const rdmap::Terminate& terminate) {
  TerminateJudge judge(half, open, terminate);
  judge.answer_to_bad_crc();
  judge.reported_error_not_seen();
  judge.quoted_request();
  judge.claim();
}

}  // namespace iwarpscope::qp
