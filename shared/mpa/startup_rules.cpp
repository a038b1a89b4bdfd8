#include "mpa/startup_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/wording.h"
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

std::string rtr_names(const EnhancedData& e) {
  std::string names;
  const auto add = [&](bool set, const char* name) {
    if (set) names += (names.empty() ? "" : ", ") + std::string(name);
  };
  add(e.rtr_send, "Send");
  add(e.rtr_write, "RDMA Write");
  add(e.rtr_read, "RDMA Read");
  return names.empty() ? "none" : names;
}

/// Raises findings about one frame.
class Judge {
 public:
  Judge(const StartupFrame& frame, Direction direction, findings::Reporter& reporter)
      : frame_(frame), direction_(direction), reporter_(reporter) {}
  void raise(findings::FindingId id, std::string seen, std::string expected, std::string text) const {
    raise_startup(reporter_, id, direction_, frame_.frame, frame_.time, frame_.start, std::move(seen),
                  std::move(expected), std::move(text));
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
            std::to_string(f.revision), "2", fmt::format("The MPA {} has S set at revision {}.", kind(), f.revision));
    }
    if (f.private_data_length > kMaxPrivateData) {
      raise(mpa_private_data_too_long, std::to_string(f.private_data_length), "512",
            fmt::format("PD_Length of the MPA {} is {}.", kind(), f.private_data_length));
    }
    if (f.enhanced_flag && f.private_data_length < EnhancedDataView::kOctets) {
      raise(
          mpa_enhanced_data_missing, std::to_string(f.private_data_length), "4",
          fmt::format("S announces enhanced data, but PD_Length of the MPA {} is {}.", kind(), f.private_data_length));
    }
  }

  void enhanced() const {
    if (!frame_.enhanced) return;
    const EnhancedData& e = *frame_.enhanced;
    const bool any_rtr = e.rtr_send || e.rtr_write || e.rtr_read;
    if (!e.peer_to_peer && any_rtr) {
      raise(mpa_rtr_without_peer_to_peer, rtr_names(e), "none",
            fmt::format("The MPA {} offers RTR by {} although A is not set.", kind(), rtr_names(e)));
    }
    if (e.peer_to_peer && !any_rtr && !frame_.reply_key) {
      raise(mpa_request_offers_no_rtr, "none", "", "The MPA Request asks for peer-to-peer mode without an RTR option.");
    }
    if (e.peer_to_peer && !any_rtr && frame_.reply_key && !frame_.rejected) {
      raise(mpa_reply_offers_no_rtr, "none", "", "The MPA Reply agrees to peer-to-peer mode without an RTR option.");
    }
    if (!frame_.reply_key && !e.peer_to_peer && e.ird == kDepthNotNegotiated && e.ord == kDepthNotNegotiated) {
      raise(mpa_enhanced_asks_nothing, "", "", "The enhanced MPA Request asks for nothing: A=0, IRD and ORD 0x3FFF.");
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

/// The rules of IRD and ORD between Request and accepting Reply. Source: RFC 6581 §9.1.
void judge_depths(const EnhancedData& req, const EnhancedData& rep, const Judge& judge) {
  if (req.ord == kDepthNotNegotiated) {
    if (rep.ird != kDepthNotNegotiated) {
      judge.raise(mpa_unnegotiated_ord_not_answered, std::to_string(rep.ird), "0x3FFF",
                  fmt::format("The Request's ORD 0x3FFF is answered by IRD {}.", rep.ird));
    }
  } else if (rep.ird == kDepthNotNegotiated) {
    judge.raise(mpa_unnegotiated_depth_not_asked, "IRD 0x3FFF", std::to_string(req.ord),
                fmt::format("The Reply's IRD is 0x3FFF although the Request's ORD is {}{}.", req.ord,
                            req.ird == kDepthNotNegotiated ? ", as irdma answers when either depth is 0x3FFF" : ""));
  } else if (rep.ird < req.ord) {
    judge.raise(mpa_reply_ird_too_low, std::to_string(rep.ird), std::to_string(req.ord),
                fmt::format("The Reply's IRD {} is below the Request's ORD {}.", rep.ird, req.ord));
  }
  if (req.ird == kDepthNotNegotiated) {
    if (rep.ord != kDepthNotNegotiated) {
      judge.raise(mpa_unnegotiated_ird_not_answered, std::to_string(rep.ord), "0x3FFF",
                  fmt::format("The Request's IRD 0x3FFF is answered by ORD {}.", rep.ord));
    }
  } else if (rep.ord == kDepthNotNegotiated) {
    judge.raise(mpa_unnegotiated_depth_not_asked, "ORD 0x3FFF", std::to_string(req.ird),
                fmt::format("The Reply's ORD is 0x3FFF although the Request's IRD is {}{}.", req.ird,
                            req.ord == kDepthNotNegotiated ? ", as irdma answers when either depth is 0x3FFF" : ""));
  } else if (rep.ord > req.ird) {
    judge.raise(mpa_reply_ord_too_high, std::to_string(rep.ord), std::to_string(req.ird),
                fmt::format("The Reply's ORD {} is above the Request's IRD {}.", rep.ord, req.ird));
  }
}

void judge_enhanced_pair(const EnhancedData& req, const EnhancedData& rep, const Judge& judge) {
  if (req.peer_to_peer != rep.peer_to_peer) {
    judge.raise(
        mpa_peer_to_peer_differs, rep.peer_to_peer ? "1" : "0", req.peer_to_peer ? "1" : "0",
        fmt::format("A is {} in the Request and {} in the Reply.", int{req.peer_to_peer}, int{rep.peer_to_peer}));
  }
  judge_depths(req, rep, judge);
}

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
  const auto enhanced = EnhancedDataView::parse(data);
  if (frame.enhanced_flag && std::holds_alternative<EnhancedDataView>(enhanced)) {
    const auto& e = std::get<EnhancedDataView>(enhanced);
    frame.enhanced = EnhancedData{.ird = e.ird(),
                                  .ord = e.ord(),
                                  .peer_to_peer = e.peer_to_peer(),
                                  .rtr_send = e.rtr_send(),
                                  .rtr_write = e.rtr_write(),
                                  .rtr_read = e.rtr_read()};
    data = data.subspan(EnhancedDataView::kOctets);
  } else if (!frame.enhanced_flag && frame.revision == 1) {
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
  judge.enhanced();
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
  if (request.enhanced && reply.enhanced) judge_enhanced_pair(*request.enhanced, *reply.enhanced, judge);
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

void raise_startup(findings::Reporter& reporter, findings::FindingId id, Direction direction, FrameNumber frame,
                   TimePoint time, StreamOffset offset, std::string seen, std::string expected, std::string text) {
  findings::Finding finding;
  finding.id = id;
  finding.direction = direction;
  finding.frame = frame;
  finding.time = time;
  finding.offset = offset;
  finding.seen = std::move(seen);
  finding.expected = std::move(expected);
  finding.text = std::move(text);
  reporter.raise(std::move(finding));
}

}  // namespace iwarpscope::mpa
