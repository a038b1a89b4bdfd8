// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/direction/first_fpdus.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/wording.h"

namespace iwarpscope::qp {

using findings::FindingId;

namespace {

/// No FPDU is shorter, and the rest of it may be pad and CRC: ULPDU_Length and a tagged DDP header. Source: RFC 5044
/// §4.1, RFC 5041 §4.2.
constexpr std::uint64_t kSmallestFpdu = 16;

/// Both startup frames were seen, nothing of this connection is missing up to this first FPDU, and it is where it has
/// to be.
bool is_judgeable_first(Direction d, const mpa::Fpdu& fpdu, const Common& common) noexcept {
  if (common.one_sided || !common.agreement || common.agreement->rdmac || !common.knows_startup()) return false;
  const auto& start = common.agreement->sequence_start;
  const bool whole = common.covered(d).is_gapless() && common.covered(opposite(d)).is_gapless() && !fpdu.after_gap;
  return whole && start[0] && start[1] && fpdu.start == *start[index(d)];
}

}  // namespace

void FirstFpdus::judge(Direction d, const mpa::Fpdu& fpdu, Common& common) {
  if (!is_judgeable_first(d, fpdu, common)) return;
  if (common.agreement->initiator == d) {
    if (fpdu.crc != mpa::CrcVerdict::bad) initiator_begins(fpdu, common);  // its length counts
  } else if (fpdu.has_acknowledged) {
    responder_begins({fpdu.acknowledged, fpdu.start, fpdu.first_frame}, common);
  }
}

/// MS-13, for an FPDU that the capture shows after the Reply.
void FirstFpdus::initiator_begins(const mpa::Fpdu& fpdu, Common& common) {
  const StreamOffset reply = common.startup_reply->end;
  // Startup has judged octets that came before the Reply.
  if (!initiator_was_early_ && fpdu.has_acknowledged && fpdu.acknowledged < reply) {
    findings::Finding f;
    f.id = FindingId::mpa_fpdu_before_reply;
    f.direction = common.agreement->initiator;
    f.offset = fpdu.start;
    f.frames = {common.startup_reply->frame, fpdu.first_frame};
    f.broken_in = fpdu.first_frame;
    f.seen = std::to_string(relative(fpdu.acknowledged));
    f.expected = fmt::format("at least {}", relative(reply));
    f.text = fmt::format(
        "The Initiator's first FPDU was sent when it had received the Responder's octets up to offset {}; the MPA "
        "Reply ends at offset {}.",
        relative(fpdu.acknowledged), relative(reply));
    common.raise(std::move(f));
  }
  const StreamOffset needed = common.needed_end(common.agreement->initiator);
  initiator_octets_ = static_cast<std::uint32_t>(distance(fpdu.start, needed));
  if (responder_ != nullptr) responder_begins(*responder_, common);
}

/// MS-23. Without the Initiator's first FPDU it is judged when that comes, unless the ACK number shows that there was
/// none.
void FirstFpdus::responder_begins(const Sent& sent, Common& common) {
  const StreamOffset start = *common.agreement->sequence_start[index(common.agreement->initiator)];
  const bool known = initiator_octets_ != 0;
  const StreamOffset needed = start + (known ? initiator_octets_ : kSmallestFpdu);
  if (sent.acknowledged >= needed) {
    if (!known) responder_ = std::make_unique<Sent>(sent);
    return;
  }
  findings::Finding f;
  f.id = FindingId::mpa_responder_sends_first;
  f.direction = opposite(common.agreement->initiator);
  f.offset = sent.offset;
  f.frames = {common.startup_reply->frame, sent.frame};
  f.broken_in = sent.frame;
  const StreamOffset received = std::max(sent.acknowledged, start);
  f.seen = std::to_string(distance(start, received));
  f.expected = fmt::format("at least {}", distance(start, needed));
  f.text = fmt::format("The Responder sent an FPDU when it had received {} of the Initiator's first FPDU.",
                       received == start ? "no octet" : counted(distance(start, received), "octet"));
  common.raise(std::move(f));
}

}  // namespace iwarpscope::qp
