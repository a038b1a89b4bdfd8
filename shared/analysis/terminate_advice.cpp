#include "analysis/terminate_advice.h"

#include <array>

namespace iwarpscope::analysis {
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

}  // namespace

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

}  // namespace iwarpscope::analysis
