#include "verdict/terminate_advice.h"

#include <array>

namespace iwarpscope::verdict {
namespace {

using enum Culprit;

struct Row {
  std::uint32_t claim;  ///< layer << 16 | error type << 8 | error code
  TerminateAdvice advice;
};

constexpr std::string_view kStagNext =
    "Compare the STag with the one that was announced, and look for an Invalidate or a deregistration before this "
    "frame; "
    "the low 8 bits are the key, which a renewed registration changes.";
constexpr std::string_view kBoundsNext =
    "Compare TO and length with the buffer that was announced; an offset counted from 0 instead of the virtual "
    "address, "
    "or the reverse, gives this too.";
constexpr std::string_view kRightsNext =
    "Check the access flags of the registration: remote write, remote read or remote atomic; on iWARP the sink of an "
    "RDMA Read needs remote write as well.";
constexpr std::string_view kPdNext =
    "Check that the queue pair and the memory region belong to the same protection domain, and that no other "
    "connection's "
    "STag was used.";
constexpr std::string_view kDdpNext =
    "Look at the findings on the named message: this is a fault of the sending RNIC or driver, or of octets changed on "
    "the way where CRC is off.";
constexpr std::string_view kVersionCause =
    "one end runs DDP version 0 (RDMAC mode, MPA revision 0) and the other version 1, or the receiver has lost the "
    "boundary of FPDUs";
constexpr std::string_view kMpaNext = "Compare the two startup frames, and look for findings about the first FPDUs.";

constexpr std::array kRows{
    // RDMAP, remote protection. Source: RFC 5040 §4.8, RFC 6580 §3.1.
    Row{0x000100, {named, "the STag it names was never registered there, or was invalidated before", kStagNext}},
    Row{0x000101, {named, "it reaches beyond the registered buffer", kBoundsNext}},
    Row{0x000102, {either, "the buffer was registered without the right this access needs", kRightsNext}},
    Row{0x000103, {named, "the STag belongs to another queue pair or protection domain", kPdNext}},
    Row{0x000104,
        {named, "its offset counts down from 0: a negative number, or an address taken for an offset", kBoundsNext}},
    Row{0x000109,
        {named, "the STag it wants invalidated is not one that may be invalidated remotely",
         "Check that the STag of the Send with Invalidate is a memory window or fast-registered region of this "
         "queue pair, as only these can be invalidated remotely."}},
    Row{0x0001FF, {either, "a protection error that the sender of the Terminate does not tell", kRightsNext}},
    // RDMAP, remote operation.
    Row{0x000205,
        {named,
         "one end runs RDMAP version 0 (RDMAC mode, MPA revision 0) and the other version 1, or octets were damaged",
         "Check that both run IETF (or both RDMAC) mode."}},
    Row{0x000206,
        {named,
         "the peer does not know that opcode, or not there: an atomic or Immediate Data sent to an RNIC "
         "without RFC 7306, more Reads outstanding than it allows, or the first octet of a message damaged",
         "Check that both ends support the operation and the number of outstanding Reads against the IRD."}},
    Row{0x000207,
        {either, "an error local to this stream that the sender of the Terminate does not tell",
         "Look at that host's kernel log at this time."}},
    Row{0x000208,
        {terminator, "an error that concerns the whole RNIC of the sender of the Terminate",
         "Look at that host's kernel log: other queue pairs of it should fail at the same time."}},
    Row{0x000209, {named, "the STag it wants invalidated is not one that may be invalidated remotely", kStagNext}},
    Row{0x0002FF,
        {either, "an operation error that the sender of the Terminate does not tell",
         "Look at that host's kernel log at this time."}},
    // DDP, tagged buffer. Source: RFC 5041 §7.2.
    Row{0x010100, {named, "the STag it names was never registered there, or was invalidated before", kStagNext}},
    Row{0x010101, {named, "it reaches beyond the registered buffer", kBoundsNext}},
    Row{0x010102,
        {named,
         "the STag belongs to another queue pair or protection domain, or the buffer has not the right "
         "this access needs",
         kPdNext}},
    Row{0x010103,
        {named, "its offset counts down from 0: a negative number, or an address taken for an offset", kBoundsNext}},
    Row{0x010104, {named, kVersionCause, kDdpNext}},
    // DDP, untagged buffer.
    Row{0x010201, {named, "an extension that the receiver does not have, a wrong driver, or damaged octets", kDdpNext}},
    Row{0x010202,
        {terminator, "no receive buffer was posted when the message arrived",
         "Check how many receives the receiver keeps posted, and the upper layer's credits: one Send too many "
         "arrived before a receive was posted."}},
    Row{0x010203,
        {named, "its sender skipped or repeated a message number, or sent more than the receiver has buffers for",
         kDdpNext}},
    Row{0x010204,
        {named, "its sender lost count inside the message, or a DDP segment before this one went missing", kDdpNext}},
    Row{0x010205,
        {named, "the message is longer than the receive buffer posted for it",
         "Compare the message's length with the size of the receiver's buffers and the limit the upper layer "
         "negotiated."}},
    Row{0x010206, {named, kVersionCause, kDdpNext}},
    Row{0x010000,
        {either, "a DDP error that the sender of the Terminate does not tell, such as a wrong T or L bit",
         "Look at the findings on the named message and at that host's kernel log."}},
    // LLP. Source: RFC 5044 §8, RFC 6581 §8.
    Row{0x020001, {path, "the TCP connection was closed, ended or lost", "Look at what TCP did just before."}},
    Row{0x020002,
        {path, "an FPDU reached it with a wrong CRC",
         "Check whether the FPDU of the bad CRC is damaged here too: if not, the damage happened between the tap "
         "and that host, or inside it."}},
    Row{0x020003,
        {either, "the sender places markers where none are due, or leaves them out, or counts them wrongly", kMpaNext}},
    Row{0x020004,
        {either, "a key, revision or length of the Request or Reply that its receiver does not take", kMpaNext}},
    Row{0x020005,
        {terminator, "an error inside the sender of the Terminate while the connection was being set up",
         "Look at that host's kernel log at this time."}},
    Row{0x020006,
        {either, "the Responder allows fewer Reads outstanding (IRD) than the Initiator's application insists on (ORD)",
         "Compare IRD and ORD of Request and Reply; raise the responder's responder_resources."}},
    Row{0x020007,
        {either, "each side can use other kinds of RTR message than the other",
         "Compare the A, B, C and D bits of Request and Reply: peer-to-peer must be echoed and one RTR kind be in "
         "common."}},
};

/// Where an implementation means more, or something else, by a code than the RFC does.
struct Habit {
  std::uint32_t claim;
  rdmap::TerminateDialect dialect;
  TerminateAdvice advice;
};

constexpr std::array kHabits{
    Habit{0x010202,
          rdmap::TerminateDialect::siw_le,
          {either,
           "no receive buffer was posted, or the message was longer than the one posted: Linux siw reports both alike",
           "Compare the message's length with the size of the receiver's buffers, and check how many receives it keeps "
           "posted."}},
    Habit{0x010100,
          rdmap::TerminateDialect::siw_le,
          {named,
           "the STag it names is not registered there, was invalidated, or (Linux siw reports it alike) the buffer has "
           "not "
           "the right this access needs",
           "Compare the STag with the one that was announced, look for an Invalidate before this frame, and check the "
           "access flags of the registration."}},
    Habit{0x000207,
          rdmap::TerminateDialect::siw_le,
          {named,
           "more Reads were outstanding than the responder's IRD (Linux siw reports it so), or another error local to "
           "the stream",
           "Compare the number of outstanding Reads with the IRD agreed, and look at that host's kernel log."}},
    Habit{0x010203,
          rdmap::TerminateDialect::cxgb4,
          {named,
           "its MSN lies outside the posted buffers, or more Reads were outstanding than the RNIC holds (Chelsio "
           "reports both alike)",
           "Compare the number of outstanding Reads with the IRD agreed, and look for gaps in the MSNs."}},
    Habit{0x000100,
          rdmap::TerminateDialect::cxgb4,
          {named,
           "the STag was never registered there, or was invalidated before; Chelsio reports this for RDMA Writes too",
           kStagNext}},
};

constexpr TerminateAdvice kCatastrophic{
    terminator, "an error inside the sender of the Terminate, such as a bad local key or a queue pair put into error",
    "Look at that host's kernel log and at the completion with error on its side."};
constexpr TerminateAdvice kUnknown{either, "an error that is not in the registry",
                                   "Look at the kernel logs of both hosts at this time."};

using findings::FindingId;

/// A rule, and the errors by which its breach is reported, each as layer << 16 | error type << 8 | error code; 0: no
/// more of them (0/0/00 tells of no rule).
struct Breach {
  FindingId id;
  std::array<std::uint32_t, 6> claims;
};

constexpr std::array kBreaches{
    // Octets that are no FPDU, or no iWARP, are read as headers all the same.
    Breach{FindingId::mpa_ulpdu_length_invalid, {0x000205, 0x000206, 0x010104, 0x010201, 0x010206, 0x020003}},
    Breach{FindingId::rdmap_not_rdma, {0x000205, 0x000206, 0x010104, 0x010201, 0x010206}},
    // Markers. Source: RFC 5044 §8.
    Breach{FindingId::mpa_marker_missing, {0x020003}},
    Breach{FindingId::mpa_marker_unexpected, {0x020003}},
    Breach{FindingId::mpa_first_marker_wrong, {0x020003}},
    Breach{FindingId::mpa_marker_pointer_wrong, {0x020003}},
    Breach{FindingId::mpa_marker_pointer_zero, {0x020003}},
    Breach{FindingId::mpa_markers_disagree, {0x020003}},
    // Depths and RTR of startup. Source: RFC 6581 §8, §9.
    Breach{FindingId::mpa_reply_ord_too_high, {0x020006}},
    Breach{FindingId::mpa_unnegotiated_ord_not_answered, {0x020006}},
    Breach{FindingId::mpa_unnegotiated_ird_not_answered, {0x020006}},
    Breach{FindingId::mpa_read_rtr_with_zero_ird, {0x020006, 0x020007}},
    Breach{FindingId::mpa_peer_to_peer_differs, {0x020007}},
    Breach{FindingId::mpa_rtr_without_peer_to_peer, {0x020007}},
    Breach{FindingId::mpa_request_offers_no_rtr, {0x020007}},
    Breach{FindingId::mpa_reply_offers_no_rtr, {0x020007}},
    Breach{FindingId::mpa_rtr_missing, {0x020007}},
    // STags and bounds. Source: RFC 5040 §4.8, §7.2; RFC 5041 §7.1.
    Breach{FindingId::rdmap_stag_used_after_invalidate, {0x000100, 0x000102, 0x010100, 0x010102}},
    Breach{FindingId::rdmap_response_to_invalidated_stag, {0x000100, 0x000102, 0x010100, 0x010102}},
    Breach{FindingId::rdmap_stag_invalidated_twice, {0x000100, 0x000109, 0x000209}},
    Breach{FindingId::rdmap_invalidate_stag_zero, {0x000100, 0x000109, 0x000209}},
    Breach{FindingId::rdmap_read_response_stag_wrong, {0x000100, 0x010100, 0x010102}},
    Breach{FindingId::rdmap_read_response_to_wrong, {0x000101, 0x010101}},
    Breach{FindingId::rdmap_read_response_length_wrong, {0x000101, 0x010101}},
    Breach{FindingId::rdmap_read_request_to_wraps, {0x000101, 0x000104}},
    Breach{FindingId::ddp_stag_changed, {0x010100, 0x010102}},
    Breach{FindingId::ddp_to_not_contiguous, {0x010101}},
    Breach{FindingId::ddp_to_wraps, {0x000104, 0x010101, 0x010103}},
    // Versions, opcodes and queues. Source: RFC 5040 §7.1, RFC 5041 §7.1, RFC 7306 §8.
    Breach{FindingId::rdmap_version_wrong, {0x000205}},
    Breach{FindingId::rdmap_extension_version_wrong, {0x000205}},
    Breach{FindingId::rdmap_opcode_unassigned, {0x000206}},
    Breach{FindingId::rdmap_buffer_model_wrong, {0x000206, 0x010000, 0x010100, 0x010201}},
    Breach{FindingId::rdmap_queue_wrong, {0x000206, 0x010201}},
    Breach{FindingId::rdmap_read_response_unrequested, {0x000206, 0x010100}},
    Breach{FindingId::rdmap_atomic_response_unrequested, {0x000206, 0x010203}},
    Breach{FindingId::rdmap_extension_draft_queue, {0x000206, 0x010201}},
    Breach{FindingId::ddp_version_wrong, {0x010104, 0x010206}},
    Breach{FindingId::ddp_version_changed, {0x010104, 0x010206}},
    Breach{FindingId::ddp_queue_unknown, {0x010201}},
    // More requests than may wait, or requests that cannot be carried out: no error code is theirs alone, and RNICs
    // report them by these. A misaligned atomic: RFC 7306 §8.2.
    Breach{FindingId::rdmap_too_many_reads, {0x000206, 0x000207, 0x010202, 0x010203}},
    Breach{FindingId::rdmap_too_many_atomics, {0x000206, 0x000207, 0x010202, 0x010203}},
    Breach{FindingId::rdmap_atomic_misaligned, {0x000207}},
    Breach{FindingId::rdmap_atomic_request_size, {0x000207, 0x0002FF, 0x010205}},
    Breach{FindingId::rdmap_atomic_operation_unknown, {0x000206, 0x000207, 0x0002FF}},
    Breach{FindingId::rdmap_read_request_malformed, {0x000207, 0x0002FF, 0x010205}},
    Breach{FindingId::rdmap_immediate_size, {0x010205}},
    // MSN, MO and the shape of messages. Source: RFC 5041 §7.1, §7.2.
    Breach{FindingId::ddp_first_msn_wrong, {0x010202, 0x010203}},
    Breach{FindingId::ddp_msn_out_of_sequence, {0x010202, 0x010203}},
    Breach{FindingId::rdmap_atomic_response_msn_wrong, {0x010202, 0x010203}},
    Breach{FindingId::ddp_first_mo_not_zero, {0x010204}},
    Breach{FindingId::ddp_mo_wrong, {0x010204}},
    Breach{FindingId::ddp_message_too_long, {0x010205}},
    Breach{FindingId::ddp_header_short, {0x010000}},
    Breach{FindingId::ddp_last_misplaced, {0x010000}},
    Breach{FindingId::ddp_messages_interleaved, {0x010000, 0x010204}},
};

/// "Invalid MPA Request or Response frame". Source: RFC 5044 §8.
constexpr std::uint32_t kStartupFrameClaim = 0x020004;

}  // namespace

bool is_cause(FindingId id, std::uint8_t layer, std::uint8_t error_type, std::uint8_t error_code) noexcept {
  const std::uint32_t claim = (std::uint32_t{layer} << 16) | (std::uint32_t{error_type} << 8) | error_code;
  if (claim == 0) return false;
  if (claim == kStartupFrameClaim) {
    return id == FindingId::mpa_revision_unknown ||
           (id < FindingId::mpa_peer_to_peer_differs && findings::rule(id).severity == findings::Severity::error);
  }
  for (const Breach& breach : kBreaches) {
    if (breach.id != id) continue;
    for (const std::uint32_t each : breach.claims) {
      if (each == claim) return true;
    }
  }
  return false;
}

TerminateAdvice advice(std::uint8_t layer, std::uint8_t error_type, std::uint8_t error_code,
                       rdmap::TerminateDialect dialect) noexcept {
  const std::uint32_t claim = (std::uint32_t{layer} << 16) | (std::uint32_t{error_type} << 8) | error_code;
  if ((claim & 0xFFFF00U) == 0) return kCatastrophic;  // 0/0: every code means the same
  for (const Habit& habit : kHabits) {
    if (habit.claim == claim && habit.dialect == dialect) return habit.advice;
  }
  for (const Row& row : kRows) {
    if (row.claim == claim) return row.advice;
  }
  return kUnknown;
}

}  // namespace iwarpscope::verdict
