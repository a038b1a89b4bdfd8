// What a Terminate claims, held against what the wire showed.
#include <fmt/format.h>

#include "ddp/header.h"
#include "qp/half.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

constexpr std::uint64_t kLargestSegment = 64768;  // RFC 5044 §3

bool is_send(rdmap::Opcode opcode) noexcept {
  return rdmap::traits(opcode).has_payload && rdmap::traits(opcode).qn == QueueNumber{0};
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

/// Why the claim cannot be true of the quoted DDP header; empty when it can.
std::string contradiction(const rdmap::Terminate& t) {
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
      if (!tagged && is_send(opcode) && field(6) == 0) {
        return fmt::format("its opcode {} is valid on queue 0 at any time", rdmap::name(opcode));
      }
      break;
    case 0x010201:
      if (!tagged && rdmap::traits(opcode).qn == QueueNumber{field(6)})
        return fmt::format("queue {} fits its opcode", field(6));
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

void Half::tell_terminate(const OpenMessage& open, const rdmap::Terminate& t, std::optional<std::uint64_t> names) {
  findings::Finding f = about(FindingId::rdmap_terminate_sent, open);
  f.seen = fmt::format("{}/{}/{:02x}", t.layer, t.error_type, t.error_code);
  f.text = fmt::format("Terminate {} ({})", rdmap::error_name(t.layer, t.error_type, t.error_code), f.seen);
  if (names) {
    f.text += fmt::format("; it names message {} of the other direction", *names);
    if (const auto frame = other_->history_.frame_of(*names)) {
      f.frames = {*frame, open.last_frame};
      f.text += fmt::format(" ({} in frame {})", rdmap::name(rdmap::opcode_of(to_u8(t.ddp_header[1]))), frame->value);
    }
  }
  f.text += '.';
  common_.raise(std::move(f));
}

void judge_terminate(Half& half, const OpenMessage& open, const rdmap::Terminate& t) {
  Half& other = *half.other_;
  // What the sender of the Terminate had received and the capture lacks may be what it speaks of.
  const auto acknowledged = half.connection_->acknowledged(other.direction_);
  const bool all_seen = !acknowledged || acknowledged->value <= other.stream_end_ + 1;  // +1: a FIN
  const bool certain = other.gapless_ && all_seen && !half.common_.midstream && !half.common_.one_sided;
  const bool crc_error = t.layer == 2 && t.error_type == 0 && t.error_code == 2;
  const bool marker_error = t.layer == 2 && t.error_type == 0 && t.error_code == 3;

  if (crc_error && other.first_bad_crc_frame_.value != 0) {
    other.bad_crc_explained_ = true;
    findings::Finding f = half.about(FindingId::mpa_crc_mismatch_reaction, open);
    f.direction = other.direction_;
    f.message.reset();
    f.offset = other.first_bad_crc_offset_;
    f.frames = {other.first_bad_crc_frame_, open.last_frame};
    f.text = fmt::format(
        "The receiver answered the FPDU of frame {} (bad CRC) with a Terminate in frame {}: it saw the "
        "same damage as the capture.",
        other.first_bad_crc_frame_.value, open.last_frame.value);
    half.common_.raise(std::move(f));
  }
  if ((crc_error || marker_error) && certain && other.framer_ != nullptr) {
    const mpa::FramerStatistics& s = other.framer_->statistics();
    const bool clean = s.crc_good > 0 && s.crc_bad == 0 && s.crc_unjudged == 0 && s.skipped_octets == 0 &&
                       !half.common_.marker_errors[index(other.direction_)];
    if (clean) {
      findings::Finding f = half.about(FindingId::mpa_reported_error_not_seen, open);
      f.seen = fmt::format("2/0/{}", t.error_code);
      f.text = fmt::format("The Terminate reports {}, but all {} FPDUs of the other direction are right at the tap.",
                           crc_error ? "a CRC error" : "a marker error", s.fpdus);
      half.common_.raise(std::move(f));
    }
  }

  auto decoded = rdmap::ReadRequestHeader::parse(t.rdmap_header);
  if (const auto* header = std::get_if<rdmap::ReadRequestHeader>(&decoded); header != nullptr && certain) {
    bool known = false;
    for (std::size_t k = 0; k < other.outstanding_.size() && !known; ++k) {
      known = is_request_or_advanced(other.outstanding_.at(k), *header);
    }
    if (!known && rdmap::opcode_of(to_u8(t.ddp_header[1])) == rdmap::Opcode::rdma_read_request) {
      findings::Finding f = half.about(FindingId::rdmap_terminate_rdma_header_wrong, open);
      f.seen = fmt::format("source STag 0x{:08x} TO 0x{:016x} size {}", header->source_stag().value,
                           header->source_to().value, header->size());
      f.text = fmt::format("The Terminate quotes a Read Request ({}) that matches none that was outstanding.", f.seen);
      half.common_.raise(std::move(f));
    }
  }
  if (t.ddp_header.size() >= 14 && ((to_u8(t.ddp_header[0]) & 0x80) != 0 || t.ddp_header.size() >= 18)) {
    const std::string why = contradiction(t);
    if (!why.empty()) {
      findings::Finding f = half.about(FindingId::rdmap_terminate_claim_false, open);
      f.seen = fmt::format("{}/{}/{:02x}", t.layer, t.error_type, t.error_code);
      f.text = fmt::format("The Terminate claims \"{}\" of the DDP segment it quotes, but {}.",
                           rdmap::error_name(t.layer, t.error_type, t.error_code), why);
      half.common_.raise(std::move(f));
    }
  }
}

}  // namespace iwarpscope::qp
