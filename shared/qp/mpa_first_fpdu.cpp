// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The first FPDU of each direction: who may send first, and when.
#include <fmt/format.h>

#include <utility>

#include "base/wording.h"
#include "qp/mpa_half.h"

namespace iwarpscope::qp {

using findings::FindingId;

namespace {

/// No FPDU is shorter, and the rest of it may be pad and CRC: ULPDU_Length and a tagged DDP header. Source: RFC 5044
/// §4.1, RFC 5041 §4.2.
constexpr std::uint64_t kSmallestFpdu = 16;

}  // namespace

/// Both startup frames were seen, nothing of this connection is missing up to this first FPDU, and it stands where it
/// has to.
bool MpaHalf::is_judgeable_first(const mpa::Fpdu& fpdu) const noexcept {
  if (common().one_sided || !common().agreement || common().agreement->rdmac || !common().knows_startup()) return false;
  const auto& start = common().agreement->sequence_start;
  const bool whole = half_.coverage().is_gapless() && other().half_.coverage().is_gapless() && !fpdu.after_gap &&
                     fpdu.crc != mpa::CrcVerdict::bad;
  return whole && start[0] && start[1] && fpdu.start == *start[index(half_.direction())];
}

void MpaHalf::first_fpdu(const mpa::Fpdu& fpdu) {
  if (!is_judgeable_first(fpdu)) return;
  if (common().agreement->initiator == half_.direction()) {
    initiator_begins(fpdu);
  } else if (fpdu.has_acknowledged) {
    responder_begins({fpdu.acknowledged, fpdu.start, fpdu.first_frame});
  }
}

/// MS-13, for an FPDU that the capture shows behind the Reply.
void MpaHalf::initiator_begins(const mpa::Fpdu& fpdu) {
  const StreamOffset reply = common().startup_reply->end;
  // Startup has judged octets that came before the Reply.
  if (!mpa_.initiator_was_early_ && fpdu.has_acknowledged && fpdu.acknowledged < reply) {
    findings::Finding f;
    f.id = FindingId::mpa_fpdu_before_reply;
    f.direction = half_.direction();
    f.offset = fpdu.start;
    f.frames = {common().startup_reply->frame, fpdu.first_frame};
    f.seen = std::to_string(relative(fpdu.acknowledged));
    f.expected = fmt::format("at least {}", relative(reply));
    f.text = fmt::format(
        "The Initiator's first FPDU was sent when it had received the Responder's octets up to offset {}; the MPA "
        "Reply ends at offset {}.",
        relative(fpdu.acknowledged), relative(reply));
    common().raise(std::move(f));
  }
  mpa_.first_fpdu_octets_ = static_cast<std::uint32_t>(distance(fpdu.start, common().needed_end(half_.direction())));
  if (mpa_.first_sent_ != nullptr) other().responder_begins(*mpa_.first_sent_);
}

/// MS-23. Without the Initiator's first FPDU it is judged when that comes, unless the ACK number shows that there was
/// none.
void MpaHalf::responder_begins(const FirstSent& sent) {
  const StreamOffset start = *common().agreement->sequence_start[index(common().agreement->initiator)];
  const bool known = mpa_.first_fpdu_octets_ != 0;
  const StreamOffset needed = start + (known ? mpa_.first_fpdu_octets_ : kSmallestFpdu);
  if (sent.acknowledged >= needed) {
    if (!known) mpa_.first_sent_ = std::make_unique<FirstSent>(sent);
    return;
  }
  findings::Finding f;
  f.id = FindingId::mpa_responder_sends_first;
  f.direction = half_.direction();
  f.offset = sent.offset;
  f.frames = {common().startup_reply->frame, sent.frame};
  f.seen = std::to_string(relative(sent.acknowledged));
  f.expected = fmt::format("at least {}", relative(needed));
  f.text =
      sent.acknowledged <= start
          ? "The Responder sent an FPDU when it had received no octet of the Initiator's first FPDU."
          : fmt::format(
                "The Responder sent an FPDU when it had received {} of the Initiator's first FPDU, which is longer.",
                iwarpscope::counted(distance(start, sent.acknowledged), "octet"));
  common().raise(std::move(f));
}

}  // namespace iwarpscope::qp
