// The first FPDU of each direction: who may send first, and when.
#include <fmt/format.h>

#include <utility>

#include "base/wording.h"
#include "qp/half.h"

namespace iwarpscope::qp {

using findings::FindingId;

namespace {

/// No FPDU is shorter, and the rest of it may be pad and CRC: ULPDU_Length and a tagged DDP header. Source: RFC 5044
/// §4.1, RFC 5041 §4.2.
constexpr std::uint64_t kSmallestFpdu = 16;

}  // namespace

/// Both startup frames were seen, nothing of this connection is missing up to this first FPDU, and it stands where it
/// has to.
bool Half::is_judgeable_first(const mpa::Fpdu& fpdu) const noexcept {
  if (common_.midstream || common_.one_sided || !common_.agreement || common_.agreement->rdmac ||
      startup_request_ == nullptr || startup_reply_ == nullptr) {
    return false;
  }
  const auto& start = common_.agreement->sequence_start;
  const bool whole = gapless_ && other_->gapless_ && !fpdu.after_gap && fpdu.crc != mpa::CrcVerdict::bad;
  return whole && start[0] && start[1] && fpdu.start == *start[index(direction_)];
}

void Half::first_fpdu(const mpa::Fpdu& fpdu) {
  if (!is_judgeable_first(fpdu)) return;
  if (common_.agreement->initiator == direction_) {
    initiator_begins(fpdu);
  } else if (fpdu.has_acknowledged) {
    responder_begins({fpdu.acknowledged, fpdu.start, fpdu.first_frame});
  }
}

/// MS-13, for an FPDU that the capture shows behind the Reply.
void Half::initiator_begins(const mpa::Fpdu& fpdu) {
  const StreamOffset reply = startup_reply_->end;
  if (fpdu.has_acknowledged && fpdu.acknowledged < reply) {
    findings::Finding f;
    f.id = FindingId::mpa_fpdu_before_reply;
    f.direction = direction_;
    f.offset = fpdu.start;
    f.frames = {startup_reply_->frame, fpdu.first_frame};
    f.seen = std::to_string(relative(fpdu.acknowledged));
    f.expected = fmt::format("at least {}", relative(reply));
    f.text = fmt::format(
        "The Initiator's first FPDU was sent when it had received the Responder's octets up to offset {}; the MPA "
        "Reply ends at offset {}.",
        relative(fpdu.acknowledged), relative(reply));
    common_.raise(std::move(f));
  }
  first_fpdu_octets_ = static_cast<std::uint32_t>(distance(fpdu.start, needed_end()));
  if (other_->rare().first_sent) other_->responder_begins(*other_->rare().first_sent);
}

/// MS-23. Without the Initiator's first FPDU it is judged when that comes, unless the ACK number shows that there was
/// none.
void Half::responder_begins(const FirstSent& sent) {
  const StreamOffset start = *common_.agreement->sequence_start[index(common_.agreement->initiator)];
  const bool known = other_->first_fpdu_octets_ != 0;
  const StreamOffset needed = start + (known ? other_->first_fpdu_octets_ : kSmallestFpdu);
  if (sent.acknowledged >= needed) {
    if (!known) make_rare().first_sent = sent;
    return;
  }
  findings::Finding f;
  f.id = FindingId::mpa_responder_sends_first;
  f.direction = direction_;
  f.offset = sent.offset;
  f.frames = {startup_reply_->frame, sent.frame};
  f.seen = std::to_string(relative(sent.acknowledged));
  f.expected = fmt::format("at least {}", relative(needed));
  f.text = sent.acknowledged <= start
               ? "The Responder sent an FPDU when it had received none of the Initiator."
               : fmt::format(
                     "The Responder sent an FPDU when it had received {} of the Initiator's first, "
                     "which has more.",
                     counted(distance(start, sent.acknowledged), "octet"));
  common_.raise(std::move(f));
}

}  // namespace iwarpscope::qp
