// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
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
     "Another peer uses an STag of this connection, although the owner did not advertise the STag to that peer.",
     "The application may share memory between peers. If it does not, one peer accesses another peer's buffer.",
     "Check whether the application shares this buffer. If not, give each connection a protection domain of its own."},
    {stag_guessing, "stag.guessing", "SX-02", warning, peer, each, "RFC 5042 §6.1.1",
     "One host had many connections terminated for STags that are invalid or belong to others.",
     "A program with old keys can cause this when it connects again and again. It can also be someone guessing STags.",
     "Find the program on that host. If it is unknown, keep the host off the storage network."},
    {stag_bounds_probing, "stag.bounds-probing", "SX-03", warning, peer, each, "RFC 5042 §6.2.1, §6.3.1",
     "One host had many connections terminated for accesses beyond the bounds of a buffer.",
     "A program with a wrong buffer size can cause this at every attempt. It can also be someone searching for the "
     "limits.",
     "Compare the offsets: the same one each time points to a fault in a program, a moving one to a search."},
    {stag_written_after_completion, "stag.written-after-completion", "SX-04", warning, peer, per_direction,
     "RFC 5042 §6.2.2",
     "A buffer is written again after the message that reported to its owner that the buffer was complete.",
     "The owner may already use the data. It had not advertised the buffer again.",
     "Check the writer: it sends its completion too early, or repeats a transfer that was complete."},
    {stag_read_after_completion, "stag.read-after-completion", "SX-05", note, peer, per_direction, "RFC 5042 §6.3.3",
     "A buffer is read again after the message that ended its transfer.",
     "The owner may have put other data there, which the reader was not meant to see.",
     "Owners should invalidate the STag at the end of a transfer: check whether this one does."},
    {stag_read_of_written_buffer, "stag.read-of-written-buffer", "SX-06", note, peer, per_direction, "RFC 5042 §6.3.5",
     "The peer reads a buffer that it has only written until now.",
     "A buffer for incoming data can be read as well, so the peer can also read other data in it.",
     "Check whether the application needs remote read access to it."},
    {rdmap_read_queue_flooded, "rdmap.read-queue-flooded", "SX-07", warning, peer, per_direction, "RFC 5042 §6.4.3.3",
     "Far more RDMA Reads were outstanding than the negotiation allows.",
     "This is more than a counting error. A requester that ignores the limit can exhaust the responder's read queue.",
     "Check the requester's driver and application."},
    {rdmap_small_send_flood, "rdmap.small-send-flood", "SX-08", warning, peer, per_direction, "RFC 5042 §6.4.3.1",
     "A large number of tiny messages was sent in a short time, and no answer came.",
     "Each uses up a whole receive buffer, which other connections may share.",
     "Check the sender's program, and whether the receiver shares its receive queue among connections."},
    {stag_invalidated_while_in_use, "stag.invalidated-while-in-use", "SX-09", warning, peer, per_qp, "RFC 5042 §6.4.5",
     "A peer invalidates an STag that another open connection uses.",
     "The other connection's next access fails and ends it.",
     "Owners should not give STags that they share to peers which may invalidate them."},
    {mpa_many_startups, "mpa.many-startups", "SX-10", warning, peer, each, "RFC 5042 §6.4.1; RFC 5044 §7.1.2 rule 10",
     "Many connection attempts to one listener failed within a short time.",
     "The listener's backlog or the adapter's table of queue pairs is full, or the service is not ready. A large "
     "number of half-open connections exhausts it.",
     "See whether they were refused, reset or never answered; then the listener's backlog and limits."},
    {stag_predictable, "stag.predictable", "SX-11", note, peer, per_qp, "RFC 5040 §8.1.1; RFC 5042 §6.1.1",
     "The STags that a host issues follow each other in equal steps.",
     "A peer that knows one STag can predict the next. STags should be hard to guess.",
     "If you do not trust the peers, use an adapter or driver that chooses STags at random."},
    {mpa_clear_text, "mpa.clear-text", "SX-13", note, path, each, "RFC 5044 §9.3; RFC 5043 §13; RFC 7146",
     "The streams are not encrypted: any host on the path can read and change them.",
     "The RFCs name IPsec as protection. Most deployments rely on a separate network instead.",
     "Make sure that you can trust the network."},
});

}  // namespace iwarpscope::findings::table
