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
    {terminate_usual_stag, "terminate.usual.stag-invalid", "V-125", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the STag was never registered "
     "there, or was invalidated before.",
     "Compare the STag with the one that was announced, and look for an Invalidate or a deregistration before this "
     "frame. Its low 8 bits are the key, which changes with a new registration."},
    {terminate_usual_bounds, "terminate.usual.bounds", "V-126", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the access reaches beyond the "
     "registered buffer.",
     "Compare TO and length with the buffer that was announced. An offset counted from 0 instead of the virtual "
     "address, or the reverse, causes this too."},
    {terminate_usual_rights, "terminate.usual.access-rights", "V-127", failed, B::unknown, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the buffer does not allow "
     "this access.",
     "Check the access flags of the registration: remote write, remote read or remote atomic. On iWARP the sink of an "
     "RDMA Read needs remote write as well."},
    {terminate_usual_protection_domain, "terminate.usual.protection-domain", "V-128", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the STag belongs to another "
     "queue pair or protection domain.",
     "Check that the queue pair and the memory region belong to the same protection domain, and that the STag is not "
     "another connection's."},
    {terminate_usual_offset, "terminate.usual.offset", "V-129", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because its offset is a negative "
     "number or an address.",
     "Compare TO and length with the buffer that was announced. An offset counted from 0 instead of the virtual "
     "address, or the reverse, causes this too."},
    {terminate_usual_invalidate, "terminate.usual.invalidate", "V-130", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the STag is not one that can "
     "be invalidated remotely.",
     "Check that the STag of the Send with Invalidate is a memory window or fast-registered region of this queue pair: "
     "only these can be invalidated remotely."},
    {terminate_usual_protection, "terminate.usual.protection-unspecified", "V-131", failed, B::unknown, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because of a protection error that it "
     "does not specify.",
     "Check the access flags of the registration: remote write, remote read or remote atomic. On iWARP the sink of an "
     "RDMA Read needs remote write as well."},
    {terminate_usual_rdmap_version, "terminate.usual.rdmap-version", "V-132", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the ends run different RDMAP "
     "versions, or octets were damaged.",
     "Check that both ends run IETF mode, or both RDMAC mode (version 0, MPA revision 0)."},
    {terminate_usual_opcode, "terminate.usual.opcode", "V-133", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because it does not know that opcode, "
     "or allows fewer Reads outstanding.",
     "Check that both ends support the operation, and the number of outstanding Reads against the IRD."},
    {terminate_usual_stream, "terminate.usual.stream-local", "V-134", failed, B::unknown, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because of an error in this stream "
     "that it does not specify.",
     "Look at the kernel log of the end that sent the Terminate, at that time."},
    {terminate_usual_rnic, "terminate.usual.whole-rnic", "V-135", failed, B::who, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because of an error that concerns its "
     "whole RNIC.",
     "Look at the kernel log of the end that sent the Terminate: its other queue pairs should fail at the same time."},
    {terminate_usual_operation, "terminate.usual.operation-unspecified", "V-136", failed, B::unknown, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because of an operation error that it "
     "does not specify.",
     "Look at the kernel log of the end that sent the Terminate, at that time."},
    {terminate_usual_stag_or_rights, "terminate.usual.stag-not-associated", "V-137", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the STag belongs elsewhere, "
     "or does not allow this access.",
     "Check that the queue pair and the memory region belong to the same protection domain, and that the STag is not "
     "another connection's."},
    {terminate_usual_ddp_version, "terminate.usual.ddp-version", "V-138", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the ends run different DDP "
     "versions, or it lost the FPDU boundary.",
     "Look at the findings on the named message. The fault is in the sending RNIC or driver, or octets were changed on "
     "the way where CRC is off."},
    {terminate_usual_queue, "terminate.usual.queue", "V-139", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the driver is wrong, octets "
     "are damaged, or an extension is unknown.",
     "Look at the findings on the named message. The fault is in the sending RNIC or driver, or octets were changed on "
     "the way where CRC is off."},
    {terminate_usual_no_receive, "terminate.usual.no-receive", "V-140", failed, B::who, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because no receive was posted when "
     "the message arrived.",
     "Check how many receives the receiver keeps posted, and the upper layer's credits: one Send too many arrived "
     "before a receive was posted."},
    {terminate_usual_msn, "terminate.usual.msn", "V-141", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because a message number was skipped, "
     "or too few receives were posted.",
     "Look at the findings on the named message. The fault is in the sending RNIC or driver, or octets were changed on "
     "the way where CRC is off."},
    {terminate_usual_mo, "terminate.usual.mo", "V-142", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the sender lost count, or a "
     "DDP segment was lost.",
     "Look at the findings on the named message. The fault is in the sending RNIC or driver, or octets were changed on "
     "the way where CRC is off."},
    {terminate_usual_too_long, "terminate.usual.too-long", "V-143", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the message is longer than "
     "the receive posted for it.",
     "Compare the message's length with the size of the receiver's buffers, and with the limit that the upper layer "
     "negotiated."},
    {terminate_usual_ddp, "terminate.usual.ddp-unspecified", "V-144", failed, B::unknown, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because of an unspecified DDP error, "
     "such as a wrong L bit.",
     "Look at the findings on the named message, and at the kernel log of the end that sent the Terminate."},
    {terminate_usual_llp, "terminate.usual.llp-lost", "V-145", failed, B::path, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the TCP connection was "
     "closed, ended or lost.",
     "Look at what TCP did just before."},
    {terminate_usual_markers, "terminate.usual.markers", "V-146", failed, B::unknown, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because markers are missing, or are "
     "in the wrong place.",
     "Compare the two startup frames, and look for findings about the first FPDUs."},
    {terminate_usual_startup_frame, "terminate.usual.startup-frame", "V-147", failed, B::unknown, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because it rejects the key, revision "
     "or length of a startup frame.",
     "Compare the two startup frames, and look for findings about the first FPDUs."},
    {terminate_usual_startup_local, "terminate.usual.startup-local", "V-148", failed, B::who, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because of an error inside it while "
     "the connection was set up.",
     "Look at the kernel log of the end that sent the Terminate, at that time."},
    {terminate_usual_ird, "terminate.usual.insufficient-ird", "V-149", failed, B::unknown, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the Responder's IRD is below "
     "the ORD that the Initiator insists on.",
     "Compare IRD and ORD of Request and Reply, and raise the Responder's responder_resources."},
    {terminate_usual_rtr, "terminate.usual.rtr", "V-150", failed, B::unknown, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the two ends have no common "
     "kind of RTR message.",
     "Compare the A, B, C and D bits of Request and Reply: peer-to-peer mode must be echoed, and one kind of RTR "
     "message be common to both."},
    {terminate_usual_siw_receive, "terminate.usual.siw-receive", "V-151", failed, B::unknown, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because no receive was posted, or "
     "(Linux siw) one too small.",
     "Compare the message's length with the size of the receiver's buffers, and check how many receives it keeps "
     "posted."},
    {terminate_usual_siw_stag, "terminate.usual.siw-stag", "V-152", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because the STag is invalid, or "
     "(Linux siw) does not allow this access.",
     "Compare the STag with the one that was announced, look for an Invalidate before this frame, and check the access "
     "flags of the registration."},
    {terminate_usual_siw_stream, "terminate.usual.siw-read-queue", "V-153", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because too many Reads were "
     "outstanding (Linux siw), or of local trouble.",
     "Compare the number of outstanding Reads with the IRD agreed, and look at the kernel log of the end that sent the "
     "Terminate."},
    {terminate_usual_cxgb4_msn, "terminate.usual.cxgb4-msn", "V-154", failed, B::peer, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because too few receives were posted, "
     "or (Chelsio) too many Reads outstanding.",
     "Compare the number of outstanding Reads with the IRD agreed, and look for gaps in the MSNs."},
    {terminate_usual_local, "terminate.usual.local-catastrophic", "V-155", failed, B::who, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because of an error inside it, such "
     "as a bad local key.",
     "Look at the kernel log of the end that sent the Terminate, and at the completion with error on its side."},
    {terminate_usual_unregistered, "terminate.usual.unregistered", "V-156", failed, B::unknown, C::likely,
     "{who} ended the stream with a Terminate in frame {frame} ({what}), usually because of an error that is not in "
     "the registry.",
     "Look at the kernel logs of both hosts at that time."},
});

}  // namespace iwarpscope::verdict::table
