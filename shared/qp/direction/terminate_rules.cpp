// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a Terminate claims, compared with what the wire showed.
#include "qp/direction/terminate_rules.h"

#include <fmt/format.h>

#include <utility>

#include "base/wording.h"
#include "ddp/header.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

constexpr std::uint64_t kLargestSegment = 64768;      // RFC 5044 §3
constexpr std::uint8_t kMpaCrc = 2, kMpaMarkers = 3;  // of the LLP, MPA: RFC 5044 §8

bool is_llp_error(const rdmap::Terminate& t, std::uint8_t code) noexcept {
  return t.layer == 2 && t.error_type == 0 && t.error_code == code;
}

/// A Read Request that was answered in part names the octets that are left. Source: RFC 5040 §4.8.
bool is_request_or_advanced(const Request& request, const rdmap::ReadRequestHeader& header) noexcept {
  if (request.atomic || request.sink_stag != header.sink_stag() || request.source_stag != header.source_stag()) {
    return false;
  }
  const std::uint64_t advanced = header.sink_to().value - request.sink_to.value;
  return advanced <= request.size && header.source_to().value - request.source_to.value == advanced &&
         header.size() == request.size - static_cast<std::uint32_t>(advanced);
}

/// Adding any length that a DDP segment or a Read can have.
bool cannot_wrap(TaggedOffset to, std::uint64_t length) noexcept {
  return to.value + length >= to.value;
}

/// A tagged offset that wraps: the one of a tagged DDP segment, or those of a Read Request. Source: RFC 5040 §4.8,
/// §5.2.1; RFC 5041 §7.1.
std::string unwrapped(const rdmap::Terminate& t, bool tagged) {
  if (tagged) {
    const TaggedOffset to{load_be<std::uint64_t>(t.ddp_header.subspan(6))};
    return cannot_wrap(to, kLargestSegment) ? fmt::format("TO 0x{:016x} plus any length does not wrap", to.value) : "";
  }
  const auto decoded = rdmap::ReadRequestHeader::parse(t.rdmap_header);
  const auto* const read = std::get_if<rdmap::ReadRequestHeader>(&decoded);
  const bool is_read = rdmap::opcode_of(to_u8(t.ddp_header[1])) == rdmap::Opcode::rdma_read_request;
  if (read == nullptr || !is_read) return {};
  const bool fits = cannot_wrap(read->source_to(), read->size()) && cannot_wrap(read->sink_to(), read->size());
  if (!fits) return {};
  return fmt::format("its Read of {} octets wraps neither at TO 0x{:016x} nor at TO 0x{:016x}", read->size(),
                     read->source_to().value, read->sink_to().value);
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
    case 0x000104: return unwrapped(t, tagged);
    case 0x010103: return tagged ? unwrapped(t, tagged) : std::string();
    default: break;
  }
  return {};
}

}  // namespace

std::optional<std::uint64_t> find_terminated(const rdmap::Terminate& terminate, const History& history,
                                             const Outstanding& requests) {
  if (const auto named = history.find(terminate.ddp_header)) return named;
  // Linux siw quotes a Read Request with the read's size in place of its MSN: the RDMAP header shows which it was.
  if (terminate.ddp_header.size() < 2 ||
      rdmap::opcode_of(to_u8(terminate.ddp_header[1])) != rdmap::Opcode::rdma_read_request) {
    return std::nullopt;
  }
  auto decoded = rdmap::ReadRequestHeader::parse(terminate.rdmap_header);
  const auto* header = std::get_if<rdmap::ReadRequestHeader>(&decoded);
  if (header == nullptr) return std::nullopt;
  // Requests are carried out in order, so that the one refused is among the oldest. There may be many Terminates.
  constexpr std::size_t kMostLookedAt = 1024;
  const Request* const named =
      requests.find_if([&](const Request& r) { return is_request_or_advanced(r, *header); }, kMostLookedAt);
  return named != nullptr ? std::optional(named->message) : std::nullopt;
}

bool answers_bad_crc(const TerminateView& view) noexcept {
  return is_llp_error(view.terminate, kMpaCrc) && view.named_coverage().has_bad_crc();
}

findings::Finding unreadable_terminate(Direction d, const OpenMessage& open) {
  findings::Finding f = finding_about(FindingId::rdmap_terminate_sent, d, open);
  f.seen = counted(open.payload_length, "octet");
  f.text = fmt::format("A Terminate of {}, too short to contain an error code.", f.seen);
  return f;
}

findings::Finding terminate_sent(const TerminateView& view) {
  const rdmap::Terminate& t = view.terminate;
  findings::Finding f = finding_about(FindingId::rdmap_terminate_sent, view.direction, view.open);
  f.seen = fmt::format("{}/{}/{:02x}", t.layer, t.error_type, t.error_code);
  f.text = fmt::format("Terminate {} ({}).", rdmap::error_name(t.layer, t.error_type, t.error_code), f.seen);
  if (view.names) {
    f.text += fmt::format(" It names message {} of the other direction", *view.names);
    if (const auto frame = view.other.history().frame_of(*view.names)) {
      f.frames = {*frame, view.open.last_frame};
      f.text += fmt::format(" ({} in frame {})", rdmap::title(rdmap::opcode_of(to_u8(t.ddp_header[1]))), frame->value);
    }
    f.text += '.';
  }
  return f;
}

TerminateDetail terminate_detail(const TerminateView& view) {
  const rdmap::Terminate& t = view.terminate;
  TerminateDetail detail;
  detail.layer = t.layer;
  detail.error_type = t.error_type;
  detail.error_code = t.error_code;
  detail.name = rdmap::error_name(t.layer, t.error_type, t.error_code);
  if (view.names) detail.names = NamedMessage{view.named_direction(), *view.names};
  detail.dialect = rdmap::name(t.dialect);
  if (t.ddp_segment_length) detail.terminated_length = *t.ddp_segment_length;
  detail.terminated_ddp.assign(t.ddp_header.begin(), t.ddp_header.end());
  detail.terminated_rdmap.assign(t.rdmap_header.begin(), t.rdmap_header.end());
  return detail;
}

namespace {

/// One Terminate, and what it claims.
class ClaimJudge {
 public:
  ClaimJudge(const TerminateView& view, findings::Reporter& reporter)
      : view_(view), t_(view.terminate), named_(view.named_coverage()), reporter_(reporter) {
    // What the sender of the Terminate had received and the capture lacks may be what it speaks of.
    const auto acknowledged = named_.llp().acknowledged();
    const bool all_seen = !acknowledged || *acknowledged <= named_.stream_end() + 1;  // +1: a FIN
    certain_ = all_seen && view.common.sees_whole(view.named_direction());
  }

  void answer_to_bad_crc();
  void reported_error_not_seen();
  void quoted_request();
  void claim();

 private:
  [[nodiscard]] findings::Finding about(FindingId id) const { return finding_about(id, view_.direction, view_.open); }
  void raise(findings::Finding finding) { reporter_.raise(std::move(finding)); }

  const TerminateView& view_;
  const rdmap::Terminate& t_;
  const Coverage& named_;
  findings::Reporter& reporter_;
  bool certain_ = false;  ///< all that its sender can have received was seen
};

/// MF-19.
void ClaimJudge::answer_to_bad_crc() {
  if (!answers_bad_crc(view_)) return;
  const Coverage::BadCrc bad = named_.first_bad_crc();
  findings::Finding f = about(FindingId::mpa_crc_mismatch_reaction);
  f.direction = view_.named_direction();
  f.message.reset();
  f.offset = bad.offset;
  f.frames = {bad.frame, view_.open.last_frame};
  f.broken_in = bad.frame;
  f.text = fmt::format(
      "The receiver answered the FPDU of frame {} (bad CRC) with a Terminate in frame {}. It saw the same {} as the "
      "capture.",
      bad.frame.value, view_.open.last_frame.value,
      view_.common.no_crcs[index(view_.named_direction())] ? "octets" : "damage");
  raise(std::move(f));
}

/// MF-20.
void ClaimJudge::reported_error_not_seen() {
  const bool is_crc_error = is_llp_error(t_, kMpaCrc);
  if (!(is_crc_error || is_llp_error(t_, kMpaMarkers)) || !certain_ || !named_.is_framed_to_its_end()) return;
  // An FPDU that is not complete may lack a marker, which its receiver found out.
  const std::uint64_t fpdus = named_.llp().right_crcs();
  const bool has_marker_errors = view_.common.marker_errors[index(view_.named_direction())];
  if (fpdus == 0 || named_.pending_octets() != 0 || has_marker_errors) return;
  findings::Finding f = about(FindingId::mpa_reported_error_not_seen);
  f.seen = fmt::format("2/0/{}", t_.error_code);
  const std::string checked = fpdus == 1 ? "the one FPDU" : fmt::format("all {} FPDUs", fpdus);
  f.text = fmt::format("The Terminate reports {}, but {} of the other direction {} right at the tap.",
                       is_crc_error ? "a CRC error" : "a marker error", checked, fpdus == 1 ? "is" : "are");
  raise(std::move(f));
}

/// RM-29.
void ClaimJudge::quoted_request() {
  auto decoded = rdmap::ReadRequestHeader::parse(t_.rdmap_header);
  const auto* header = std::get_if<rdmap::ReadRequestHeader>(&decoded);
  // A request that could not be read, or whose response may be missing, may be the one.
  const bool all_known = certain_ && named_.is_framed_to_its_end() &&
                         view_.exchange.has_certain_requests(view_.named_direction()) &&
                         view_.common.covered(view_.direction).is_gapless();
  if (header == nullptr || !all_known || t_.ddp_header.size() < 2 ||
      rdmap::opcode_of(to_u8(t_.ddp_header[1])) != rdmap::Opcode::rdma_read_request) {
    return;
  }
  const Outstanding& requests = view_.named_requests();
  const auto is_quoted = [&](const Request& r) { return is_request_or_advanced(r, *header); };
  if (requests.find_if(is_quoted, requests.size()) != nullptr) return;
  findings::Finding f = about(FindingId::rdmap_terminate_rdma_header_wrong);
  f.seen = fmt::format("source STag 0x{:08x} TO 0x{:016x} size {}", header->source_stag().value,
                       header->source_to().value, header->size());
  f.text = fmt::format("The Terminate quotes a Read Request ({}) that matches no outstanding Read Request.", f.seen);
  raise(std::move(f));
}

/// RM-31.
void ClaimJudge::claim() {
  if (t_.ddp_header.size() < 14) return;
  const bool tagged = (to_u8(t_.ddp_header[0]) & 0x80) != 0;
  if (!tagged && t_.ddp_header.size() < 18) return;
  const std::string why = contradiction(t_, certain_ && !view_.common.faults.has_errors(view_.named_direction()));
  if (why.empty()) return;
  findings::Finding f = about(FindingId::rdmap_terminate_claim_false);
  f.seen = fmt::format("{}/{}/{:02x}", t_.layer, t_.error_type, t_.error_code);
  f.text = fmt::format("The Terminate reports \"{}\" for the DDP segment that it quotes. That is impossible: {}.",
                       rdmap::error_name(t_.layer, t_.error_type, t_.error_code), why);
  raise(std::move(f));
}

}  // namespace

void judge_terminate(const TerminateView& view, findings::Reporter& reporter) {
  ClaimJudge judge(view, reporter);
  judge.answer_to_bad_crc();
  judge.reported_error_not_seen();
  judge.quoted_request();
  judge.claim();
}

}  // namespace iwarpscope::qp
