// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Verdicts on streams that a Terminate ended, by what its error usually comes from. Inside of catalogue.cpp.
#pragma once

#include <array>

#include "verdict/catalogue.h"

namespace iwarpscope::verdict::table {

using enum VerdictId;
using enum qp::Outcome;
using B = BlameRule;
using C = qp::Confidence;

// Sources: RFC 5040 §4.8, RFC 5041 §7.2, RFC 5044 §8, RFC 6580 §3, RFC 6581 §8, RFC 7306 §8; and what Linux' siw, cxgb4
// and irdma drivers send.
inline constexpr auto kTerminateUsualRows = std::to_array<VerdictRow>({
    {terminate_usual_stag, "terminate.usual.stag-invalid", "V-75", failed, B::peer, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the STag was never registered at that end, or has "
     "been invalidated.",
     "Compare the STag with the one that was announced: its low 8 bits, the key, change with a new registration. Look "
     "for an Invalidate or a deregistration before this frame."},
    {terminate_usual_bounds, "terminate.usual.bounds", "V-76", failed, B::peer, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the access reaches beyond the registered buffer.",
     "Compare TO and length with the buffer that was announced. An offset counted from 0 instead of the virtual "
     "address, or the reverse, causes this too."},
    {terminate_usual_rights, "terminate.usual.access-rights", "V-77", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the buffer does not allow this access.",
     "Check the access flags of the registration: remote write, remote read or remote atomic. On iWARP the sink of an "
     "RDMA Read needs remote write as well."},
    {terminate_usual_protection_domain, "terminate.usual.protection-domain", "V-78", failed, B::peer, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the STag belongs to another queue pair or protection "
     "domain.",
     "Check that the queue pair and the memory region belong to the same protection domain, and that the STag is not "
     "another connection's."},
    {terminate_usual_offset, "terminate.usual.offset", "V-79", failed, B::peer, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the tagged offset is too high: offset plus length "
     "pass the end of 64 bits.",
     "Compare TO and length with the buffer that was announced. An offset counted from 0 instead of the virtual "
     "address, or the reverse, causes this too."},
    {terminate_usual_invalidate, "terminate.usual.invalidate", "V-80", failed, B::peer, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the STag cannot be invalidated remotely.",
     "Check that this STag is a memory window or fast-registered region of this queue pair. Only these can be "
     "invalidated remotely."},
    {terminate_usual_protection, "terminate.usual.protection-unspecified", "V-81", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. It does not say which protection error this is.",
     "Check the access flags of the registration: remote write, remote read or remote atomic. On iWARP the sink of an "
     "RDMA Read needs remote write as well."},
    {terminate_usual_rdmap_version, "terminate.usual.rdmap-version", "V-82", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the two ends use different RDMAP versions, or octets "
     "were damaged.",
     "Check that both ends run IETF mode, or both RDMAC mode (version 0, MPA revision 0)."},
    {terminate_usual_opcode, "terminate.usual.opcode", "V-83", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually {who} does not know that opcode, or did not "
     "expect it, as with too many outstanding Reads.",
     "Check that both ends support the operation. Compare the number of outstanding Reads with the IRD."},
    {terminate_usual_stream, "terminate.usual.stream-local", "V-84", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. It does not say which error in this stream it is about.",
     "Look at the kernel log of the end that sent the Terminate, at that time."},
    {terminate_usual_rnic, "terminate.usual.whole-rnic", "V-85", failed, B::who, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. It reports an error of the whole RNIC at {who}.",
     "Look at the kernel log of the end that sent the Terminate: its other queue pairs should fail at the same time."},
    {terminate_usual_operation, "terminate.usual.operation-unspecified", "V-86", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. It does not say which operation error this is.",
     "Look at the kernel log of the end that sent the Terminate, at that time."},
    {terminate_usual_stag_or_rights, "terminate.usual.stag-not-associated", "V-87", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the STag belongs to another queue pair, or does not "
     "allow this access.",
     "Check that the queue pair and the memory region belong to the same protection domain. Check the access flags of "
     "the registration, and that the STag is not another connection's."},
    {terminate_usual_ddp_version, "terminate.usual.ddp-version", "V-88", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the two ends use different DDP versions, or {who} "
     "lost the FPDU boundary.",
     "Check that both ends run IETF mode, or both RDMAC mode (version 0, MPA revision 0). Then compare captures from "
     "both ends: octets may have changed on the way."},
    {terminate_usual_queue, "terminate.usual.queue", "V-89", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the sending driver is wrong, octets were damaged, or "
     "{who} lacks an extension.",
     "Look at the findings on the named message, and check which extensions both ends support. Then compare captures "
     "from both ends: octets may have changed on the way."},
    {terminate_usual_no_receive, "terminate.usual.no-receive", "V-90", failed, B::who, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually no receive was posted when the message arrived.",
     "Check how many receives the receiver keeps posted, and the upper layer's credits: one Send too many arrived "
     "before a receive was posted."},
    {terminate_usual_msn, "terminate.usual.msn", "V-91", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually a message number was skipped, or too few receives "
     "were posted.",
     "Look for gaps in the MSNs, and check how many receives the end that sent the Terminate keeps posted."},
    {terminate_usual_mo, "terminate.usual.mo", "V-92", failed, B::peer, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually {peer} counted its message offset wrongly, or a DDP "
     "segment was lost.",
     "Look at the findings on the named message. The fault is in the sending RNIC or driver, or octets were changed on "
     "the way where CRC is off."},
    {terminate_usual_too_long, "terminate.usual.too-long", "V-93", failed, B::peer, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the message is longer than the receive posted for it.",
     "Compare the message's length with the size of the receiver's buffers, and with the limit that the upper layer "
     "negotiated."},
    {terminate_usual_ddp, "terminate.usual.ddp-unspecified", "V-94", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the error has no code of its own, for example "
     "a wrong Last flag.",
     "Look at the findings on the named message, and at the kernel log of the end that sent the Terminate."},
    {terminate_usual_llp, "terminate.usual.llp-lost", "V-95", failed, B::path, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually TCP had failed at {who} just before.",
     "Look for retransmissions, an RST or missing octets before this frame, and at the kernel log of that end."},
    {terminate_usual_markers, "terminate.usual.markers", "V-96", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually markers are missing, or are in the wrong place.",
     "Compare the two startup frames, and look for findings about the first FPDUs."},
    {terminate_usual_startup_frame, "terminate.usual.startup-frame", "V-97", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually {who} rejects the key, revision or length of a "
     "startup frame.",
     "Compare the two startup frames, and look for findings about the first FPDUs."},
    {terminate_usual_startup_local, "terminate.usual.startup-local", "V-98", failed, B::who, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. It reports an error inside {who} while the connection was set "
     "up.",
     "Look at the kernel log of the end that sent the Terminate, at that time."},
    {terminate_usual_ird, "terminate.usual.insufficient-ird", "V-99", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the read depths (IRD and ORD) of the two ends do not "
     "fit.",
     "Compare IRD and ORD of Request and Reply, and raise the Responder's IRD (in rdma_cm: responder_resources)."},
    {terminate_usual_rtr, "terminate.usual.rtr", "V-100", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the two ends have no common kind of RTR message.",
     "Compare the A, B, C and D bits of Request and Reply. Both must set A, and both must set one kind of RTR "
     "message."},
    {terminate_usual_siw_receive, "terminate.usual.siw-receive", "V-101", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually no receive was posted, or one too small; Linux siw "
     "reports both this way.",
     "Compare the message's length with the size of the receiver's buffers, and check how many receives it keeps "
     "posted."},
    {terminate_usual_siw_stag, "terminate.usual.siw-stag", "V-102", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually the STag is invalid, or does not allow this access; "
     "Linux siw reports both this way.",
     "Compare the STag with the one that was announced, look for an Invalidate before this frame, and check the access "
     "flags of the registration."},
    {terminate_usual_siw_stream, "terminate.usual.siw-read-queue", "V-103", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually too many Reads were outstanding, or something failed "
     "inside {who}; Linux siw reports both this way.",
     "Compare the number of outstanding Reads with the IRD agreed, and look at the kernel log of the end that sent the "
     "Terminate."},
    {terminate_usual_cxgb4_msn, "terminate.usual.cxgb4-msn", "V-104", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually too few receives were posted, or too many Reads were "
     "outstanding; Chelsio reports both this way.",
     "Check how many receives the end that sent the Terminate keeps posted, and compare the number of outstanding "
     "Reads with the IRD agreed."},
    {terminate_usual_local, "terminate.usual.local-catastrophic", "V-105", failed, B::who, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. It reports an error inside {who}, such as a bad local key.",
     "Look at the kernel log of the end that sent the Terminate, and at the completion with error on its side."},
    {terminate_usual_unregistered, "terminate.usual.unregistered", "V-106", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. IANA's registry does not have this error.",
     "Look at the kernel logs of both hosts at that time."},
    {terminate_usual_request_queue, "terminate.usual.request-queue", "V-107", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. Usually {who} had no room for another Read or Atomic Request.",
     "Compare the number of outstanding Read and Atomic Requests with the IRD of the end that sent the Terminate."},
    {terminate_usual_takes_none, "terminate.usual.takes-no-receive", "V-108", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. That error is about posted receives, and the message takes "
     "none.",
     "Look at the kernel log of the end that sent the Terminate, at that time."},
    {terminate_usual_cannot_occur, "terminate.usual.cannot-occur", "V-109", failed, B::unknown, C::likely,
     "{who} sent a Terminate ({what}) in frame {frame}. The kind of message that it quotes cannot have that error.",
     "Look at the kernel log of the end that sent the Terminate, at that time."},
});

}  // namespace iwarpscope::verdict::table
