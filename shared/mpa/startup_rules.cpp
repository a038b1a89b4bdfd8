// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "mpa/startup_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/wording.h"
#include "mpa/enhanced_rules.h"
#include "mpa/startup_frame_view.h"

namespace iwarpscope::mpa {

using enum findings::FindingId;

namespace {

/// Legacy IRD and ORD: the first eight octets of a plain revision 1 frame, both values 1..0x3FFF, big-endian or, from
/// some senders, little-endian. Source: [MS-SMBD] §6.1.
std::optional<EnhancedData> read_legacy(Octets data, bool& little_endian) {
  if (data.size() < 8) return std::nullopt;
  const auto in_range = [](std::uint32_t v) { return v >= 1 && v <= kDepthNotNegotiated; };
  EnhancedData depths;
  const std::uint32_t be0 = load_be<std::uint32_t>(data);
  const std::uint32_t be1 = load_be<std::uint32_t>(data.subspan(4));
  const std::uint32_t le0 = swap_octets(be0);
  const std::uint32_t le1 = swap_octets(be1);
  little_endian = !(in_range(be0) && in_range(be1));
  if (little_endian && !(in_range(le0) && in_range(le1))) return std::nullopt;
  depths.ird = static_cast<std::uint16_t>(little_endian ? le0 : be0);
  depths.ord = static_cast<std::uint16_t>(little_endian ? le1 : be1);
  return depths;
}

/// Raises findings about one frame.
class Judge {
 public:
  Judge(const StartupFrame& frame, Direction direction, findings::Reporter& reporter)
      : frame_(frame), direction_(direction), reporter_(reporter) {}
  void raise(findings::FindingId id, std::string seen, std::string expected, std::string text) const {
    raise_startup(frame_,
                  {.id = id,
                   .direction = direction_,
                   .seen = std::move(seen),
                   .expected = std::move(expected),
                   .text = std::move(text)},
                  reporter_);
  }
  [[nodiscard]] const char* kind() const { return frame_.reply_key ? "Reply" : "Request"; }

  void key() const {
    if (frame_.key_exact) return;
    if (frame_.reply_key) {
      raise(mpa_reply_key_wrong, escaped(frame_.key), "MPA ID Rep Frame", "The key of the MPA Reply is damaged.");
    } else {
      raise(mpa_request_key_wrong, escaped(frame_.key), "MPA ID Req Frame", "The key of the MPA Request is damaged.");
    }
  }

  void flags() const {
    const StartupFrame& f = frame_;
    if (!f.reply_key && f.rejected) {
      raise(mpa_request_reject_bit, "1", "0", "R is set in an MPA Request.");
    }
    if (f.reserved != 0) {
      raise(mpa_startup_reserved_bits, fmt::format("0x{:x}", f.reserved), "0x0",
            fmt::format("The reserved flag bits of the MPA {} are 0x{:x}{}.", kind(), f.reserved,
                        f.reserved == kSiwGsoBit ? ", as Linux siw sets them for FPDUs above one TCP segment" : ""));
    }
    if (f.revision > 2) {
      raise(mpa_revision_unknown, std::to_string(f.revision), "0..2",
            fmt::format("The MPA {} is of revision {}.", kind(), f.revision));
    }
    if (f.revision == 0 && !(f.markers && f.crc)) {
      raise(mpa_revision_0_settings, fmt::format("M={} C={}", int{f.markers}, int{f.crc}), "M=1 C=1",
            fmt::format("The MPA {} of revision 0 has M={} and C={}.", kind(), int{f.markers}, int{f.crc}));
    }
    if (f.enhanced_flag && f.revision < 2) {
      raise(f.reply_key ? mpa_enhanced_reply_below_revision_2 : mpa_enhanced_below_revision_2,
            std::to_string(f.revision), "at least 2",
            fmt::format("The MPA {} has S set at revision {}.", kind(), f.revision));
    }
    if (f.private_data_length > kMaxPrivateData) {
      raise(mpa_private_data_too_long, std::to_string(f.private_data_length), "at most 512",
            fmt::format("PD_Length of the MPA {} is {}.", kind(), f.private_data_length));
    }
    if (f.enhanced_flag && f.private_data_length < EnhancedDataView::kOctets) {
      raise(
          mpa_enhanced_data_missing, std::to_string(f.private_data_length), "at least 4",
          fmt::format("S announces enhanced data, but PD_Length of the MPA {} is {}.", kind(), f.private_data_length));
    }
  }

  void legacy() const {
    if (!frame_.legacy) return;
    bool little_endian = false;
    (void)read_legacy(frame_.private_data, little_endian);
    raise(mpa_legacy_read_depths, fmt::format("IRD {} ORD {}", frame_.legacy->ird, frame_.legacy->ord), "",
          fmt::format("The private data of the MPA {} looks like legacy IRD {} and ORD {}{}.", kind(),
                      frame_.legacy->ird, frame_.legacy->ord, little_endian ? ", in little-endian order" : ""));
  }

 private:
  const StartupFrame& frame_;
  Direction direction_;
  findings::Reporter& reporter_;
};

}  // namespace

unsigned key_damage(Octets octets, bool reply_key) noexcept {
  const auto& key = reply_key ? kReplyKey : kRequestKey;
  unsigned damage = 0;
  for (std::size_t i = 0; i < kKeyOctets; ++i) damage += octets[i] != key[i] ? 1U : 0U;
  return damage;
}

StartupFrame read_startup_frame(Octets octets, bool reply_key) {
  const auto view = std::get<StartupFrameView>(StartupFrameView::parse(octets));
  StartupFrame frame;
  frame.reply_key = reply_key;
  frame.key_exact = key_damage(octets, reply_key) == 0;
  std::copy(view.key().begin(), view.key().end(), frame.key.begin());
  frame.markers = view.markers();
  frame.crc = view.crc();
  frame.rejected = view.rejected();
  frame.enhanced_flag = view.enhanced_flag();
  frame.reserved = view.reserved();
  frame.revision = view.revision();
  frame.private_data_length = view.private_data_length();
  Octets data = octets.subspan(StartupFrameView::kOctets);
  data = data.first(std::min<std::size_t>({data.size(), frame.private_data_length, kMaxPrivateData}));
  if (frame.enhanced_flag) {
    frame.enhanced = take_enhanced(data);
  } else if (frame.revision == 1) {
    bool little_endian = false;
    frame.legacy = read_legacy(data, little_endian);
  }
  frame.private_data.assign(data.begin(), data.end());
  return frame;
}

bool is_malformed(const StartupFrame& frame) noexcept {
  return !frame.key_exact || frame.private_data_length > kMaxPrivateData;
}

void judge_frame(const StartupFrame& frame, Direction direction, findings::Reporter& reporter) {
  const Judge judge(frame, direction, reporter);
  judge.key();
  judge.flags();
  judge_enhanced(frame, direction, kMpaFrameNames, reporter);
  judge.legacy();
}

void judge_pair(const StartupFrame& request, const StartupFrame& reply, Direction reply_direction,
                findings::Reporter& reporter) {
  const Judge judge(reply, reply_direction, reporter);
  if (request.enhanced_flag != reply.enhanced_flag && reply.revision != 0) {
    judge.raise(mpa_enhanced_bit_differs, reply.enhanced_flag ? "1" : "0", request.enhanced_flag ? "1" : "0",
                fmt::format("S is {} in the Request and {} in the Reply.", int{request.enhanced_flag},
                            int{reply.enhanced_flag}));
  }
  if (reply.revision > request.revision) {
    judge.raise(mpa_reply_revision_higher, std::to_string(reply.revision), std::to_string(request.revision),
                fmt::format("The Reply has revision {}, the Request {}.", reply.revision, request.revision));
  }
  if (reply.rejected) return;
  if (!request.crc && !reply.crc) {
    judge.raise(mpa_crc_off, "0", "", "Neither the Request nor the Reply asks for CRC.");
  }
  judge_enhanced_pair(request, reply, reply_direction, kMpaFrameNames, reporter);
}

Agreement agree(const StartupFrame* request, const StartupFrame* reply, Direction initiator) {
  Agreement a;
  a.initiator = initiator;
  const Direction responder = opposite(initiator);
  if (request != nullptr && reply != nullptr) {
    a.crc = request->crc || reply->crc;
  } else if ((request != nullptr && request->crc) || (reply != nullptr && reply->crc)) {
    a.crc = true;
  }
  if (reply != nullptr) a.markers[index(initiator)] = reply->markers;
  if (request != nullptr) a.markers[index(responder)] = request->markers;
  a.rdmac = (request != nullptr && request->revision == 0) || (reply != nullptr && reply->revision == 0);
  if (a.rdmac) {
    // Markers and CRC are on in both directions whatever a revision 1 Request said. A revision 0 frame that says
    // otherwise leaves open what its sender does.
    const bool usual = (request == nullptr || request->revision != 0 || (request->markers && request->crc)) &&
                       (reply == nullptr || reply->revision != 0 || (reply->markers && reply->crc));
    a.crc = usual ? std::optional<bool>{true} : std::nullopt;
    a.markers.fill(usual ? std::optional<bool>{true} : std::nullopt);
  }
  const auto enhanced = [](const StartupFrame* f) { return f == nullptr || (f->enhanced && f->revision >= 2); };
  a.enhanced = enhanced(request) && enhanced(reply);
  if (a.enhanced && reply != nullptr) {
    if (reply->enhanced->ird != kDepthNotNegotiated) a.read_depth[index(initiator)] = reply->enhanced->ird;
    if (reply->enhanced->ord != kDepthNotNegotiated) a.read_depth[index(responder)] = reply->enhanced->ord;
  }
  if (request != nullptr) a.sequence_start[index(initiator)] = request->end;
  if (reply != nullptr) a.sequence_start[index(responder)] = reply->end;
  return a;
}

void raise_startup(const StartupFrame& frame, findings::Finding finding, findings::Reporter& reporter) {
  finding.frame = frame.frame;
  finding.time = frame.time;
  finding.offset = frame.start;
  reporter.raise(std::move(finding));
}

}  // namespace iwarpscope::mpa
