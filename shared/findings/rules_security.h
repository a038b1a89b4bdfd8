// What a security review looks for (SX): use of STags, probing, exhaustion. Remarks more than faults.
// Source: RFC 5042 §6. Included by catalogue.cpp alone.
#pragma once

#include <array>

#include "findings/catalogue.h"

namespace iwarpscope::findings::table {

using enum FindingId;
using enum Severity;
using enum About;
using enum Repeat;

inline constexpr auto kSecurityRules = std::to_array<Rule>({
    {stag_other_stream, "stag.other-stream", "SX-01", note, peer, per_qp, "RFC 5042 §6.1.1",
     "An STag that one connection uses is used by another peer, to which its owner did not announce it.",
     "Memory may be meant for several peers. If it is not, one peer reaches another's buffer.",
     "Check whether the application shares this buffer; else give each connection a protection domain of its own."},
    {stag_guessing, "stag.guessing", "SX-02", warning, peer, each, "RFC 5042 §6.1.1",
     "One host had many connections terminated for STags that are invalid or belong to others.",
     "A program with old keys does so when it connects again and again. So does somebody who tries STags out.",
     "Find the program on that host; if nobody knows of it, keep the host off the storage network."},
    {stag_bounds_probing, "stag.bounds-probing", "SX-03", warning, peer, each, "RFC 5042 §6.2.1, §6.3.1",
     "One host had many connections terminated for accesses beyond the bounds of a buffer.",
     "A program that has the buffer's size wrong does so at every attempt. So does somebody who looks for its limits.",
     "Compare the offsets: the same one each time points to a fault in a program, a moving one to a search."},
    {stag_written_after_completion, "stag.written-after-completion", "SX-04", warning, peer, per_direction,
     "RFC 5042 §6.2.2", "A buffer is written again after the message that told its owner that it was complete.",
     "The owner may be using what it got. It had not announced the buffer anew.",
     "Check the writer: it sends its completion too early, or repeats a transfer that was done."},
    {stag_read_after_completion, "stag.read-after-completion", "SX-05", note, peer, per_direction, "RFC 5042 §6.3.3",
     "A buffer is read again after the message that ended its transfer.",
     "The owner may have put other data there, which the reader was not meant to see.",
     "Owners should invalidate the STag at the end of a transfer: check whether this one does."},
    {stag_read_of_written_buffer, "stag.read-of-written-buffer", "SX-06", note, peer, per_direction, "RFC 5042 §6.3.5",
     "A buffer that so far was only written by the peer is read by it.",
     "A buffer meant for incoming data is open to reading as well, so what else lies in it can be read too.",
     "Check whether the application needs remote read access to it."},
    {rdmap_read_queue_flooded, "rdmap.read-queue-flooded", "SX-07", warning, peer, per_direction, "RFC 5042 §6.4.3.3",
     "Far more RDMA Reads were outstanding than the negotiation allows.",
     "This is no slip in counting. A requester that ignores the limit can exhaust the responder's read queue.",
     "Check the requester's driver, or who runs it."},
    {rdmap_small_send_flood, "rdmap.small-send-flood", "SX-08", warning, peer, per_direction, "RFC 5042 §6.4.3.1",
     "A great many tiny messages were sent in a short time, and nothing came back.",
     "Each uses up a whole receive buffer, which other connections may share.",
     "Check the sender's program, and whether the receiver shares its receive queue among connections."},
    {stag_invalidated_while_in_use, "stag.invalidated-while-in-use", "SX-09", warning, peer, per_qp, "RFC 5042 §6.4.5",
     "A peer invalidates an STag that another open connection uses.",
     "The other connection's next access fails and ends it.",
     "Owners should not give STags that they share to peers which may invalidate them."},
    {mpa_many_startups, "mpa.many-startups", "SX-10", warning, peer, each, "RFC 5042 §6.4.1; RFC 5044 §7.1.2 rule 10",
     "Many connections to one listener came to nothing in a short time.",
     "The listener's backlog or the adapter's table of queue pairs is full, or the service is not ready. Half-open "
     "connections in great number exhaust it.",
     "See whether they were refused, reset or left without an answer; then the listener's backlog and limits."},
    {stag_predictable, "stag.predictable", "SX-11", note, peer, per_qp, "RFC 5040 §8.1.1; RFC 5042 §6.1.1",
     "The STags that a host hands out follow each other in equal steps.",
     "Who knows one knows the next. STags are to be hard to guess.",
     "Use an adapter or driver that draws STags at random where peers are not trusted."},
    {mpa_clear_text, "mpa.clear-text", "SX-13", note, path, each, "RFC 5044 §9.3; RFC 5043 §13; RFC 7146",
     "The streams are not encrypted: whoever can tap the path reads them and may change them.",
     "IPsec is the protection that the RFCs name. Most deployments rely on a network of their own instead.",
     "Make sure that the network is one that you trust."},
});

}  // namespace iwarpscope::findings::table
