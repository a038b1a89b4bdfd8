// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Samples of MPA startup: revisions, rejection, ready-to-receive, and faults in the frames.
#include "synth/connection.h"
#include "synth/samples.h"

namespace iwarpscope::synth {

namespace {

using FrameKind = wire::StartupFrame::Kind;

Frames talk(const Startup& startup) {
  Connection c;
  c.connect();
  c.startup(startup);
  if (!startup.reject) {
    c.send(kI, 100);
    c.send(kR, 100);
  }
  c.close(startup.reject ? kR : kI);
  return c.frames();
}

Frames talk(const wire::StartupFrame& request, const wire::StartupFrame& reply, bool messages = true) {
  Connection c;
  c.connect();
  c.startup(request, reply);
  if (messages) {
    c.send(kI, 100);
    c.send(kR, 100);
  }
  c.close();
  return c.frames();
}

// Only a Request, and the Responder closes.
Frames unanswered(const wire::StartupFrame& request) {
  Connection c;
  c.connect();
  c.request(request);
  c.close(kR);
  return c.frames();
}

wire::EnhancedData peer_to_peer(bool send, bool write, bool read) {
  return {.peer_to_peer = true, .rtr_send = send, .rtr_write = write, .rtr_read = read, .ird = 16, .ord = 16};
}

Frames rtr(std::string_view name) {
  const Rtr kind = name == "rtr-send" ? Rtr::send : name == "rtr-write" ? Rtr::write : Rtr::read;
  return talk({.request_enhanced = peer_to_peer(true, true, true),
               .reply_enhanced = peer_to_peer(kind == Rtr::send, kind == Rtr::write, kind == Rtr::read),
               .rtr = kind});
}

// RFC 6581 §9.2: no common type, so the Initiator terminates with 2/0/7.
Frames rtr_no_match(std::string_view) {
  Connection c;
  c.connect();
  c.startup({.request_enhanced = peer_to_peer(false, true, false), .reply_enhanced = peer_to_peer(false, false, true)});
  c.terminate(kI, {.layer = 2, .error_type = 0, .error_code = 7});
  c.close();
  return c.frames();
}

Frames reject_then_again(std::string_view) {
  Connection c;
  c.connect();
  c.startup({.reject = true, .reply_private_data = text("not now")});
  c.startup({.request_private_data = text("again")});
  c.send(kI, 100);
  c.send(kR, 100);
  c.close();
  return c.frames();
}

Frames streaming_first(std::string_view) {
  Connection c;
  c.connect();
  c.stream(kI, "LOGIN user\r\n");
  c.stream(kR, "OK; RDMA next\r\n");
  c.startup({.markers = true});
  c.send(kI, 2000);
  c.send(kR, 2000);
  c.close();
  return c.frames();
}

// The MPA Initiator accepted the TCP connection.
Frames passive_initiator(std::string_view) {
  Connection c({.opener = kR});
  c.connect();
  c.startup();
  c.send(kI, 100);
  c.send(kR, 100);
  c.close();
  return c.frames();
}

Frames both_request(std::string_view) {
  Connection c;
  c.connect();
  c.request({}, kI);
  c.request({}, kR);
  c.close();
  return c.frames();
}

Frames first_fpdu_with_reply(std::string_view) {
  Connection c;
  c.connect();
  c.startup();
  c.send(kR, 30);  // before the Initiator's first FPDU, which RFC 5044 §7.1.2 forbids
  c.send(kI, 30);
  c.close();
  return c.frames();
}

}  // namespace

std::vector<Sample> startup_samples() {
  return {
      {"rev0", "RDMAC mode: revision 0, Markers, CRC, DV and RV 0",
       [](std::string_view) { return talk({.revision = 0, .markers = true}); }},
      {"rev0-reply", "revision 1 answered by revision 0: both go on in RDMAC mode",
       [](std::string_view) { return talk({}, {.kind = FrameKind::reply, .markers = true, .revision = 0}); }},
      {"rev1", "revision 1 with Private Data",
       [](std::string_view) {
         return talk({.request_private_data = text("hello"), .reply_private_data = text("welcome")});
       }},
      {"rev1-nocrc", "revision 1, CRC off", [](std::string_view) { return talk({.crc = false}); }},
      {"rev1-crc-by-reply", "CRC asked for by the Reply alone",
       [](std::string_view) { return talk({.request_crc = false}); }},
      {"rev1-legacy-ird-ord", "revision 1 with IRD and ORD in 8 octets of Private Data",
       [](std::string_view) {
         return talk(
             {.request_private_data = hex("00000010 00000008"), .reply_private_data = hex("00000008 00000010")});
       }},
      {"rev2", "revision 2, enhanced, IRD and ORD",
       [](std::string_view) {
         return talk({.request_enhanced = wire::EnhancedData{.ird = 32, .ord = 16},
                      .reply_enhanced = wire::EnhancedData{.ird = 16, .ord = 32},
                      .request_private_data = text("hello")});
       }},
      {"rev2-plain", "revision 2 without enhanced data", [](std::string_view) { return talk({.revision = 2}); }},
      {"rev2-not-negotiated", "IRD and ORD 0x3FFF in both frames",
       [](std::string_view) {
         return talk({.request_enhanced = wire::EnhancedData{.ird = 0x3FFF, .ord = 0x3FFF},
                      .reply_enhanced = wire::EnhancedData{.ird = 0x3FFF, .ord = 0x3FFF}});
       }},
      {"rev3", "a revision that no RFC defines, closed without a Reply",
       [](std::string_view) { return unanswered({.revision = 3}); }},
      {"reject", "rejected with Private Data",
       [](std::string_view) { return talk({.reject = true, .reply_private_data = text("no")}); }},
      {"reject-then-again", "rejected, then started again on the same TCP connection", reject_then_again},
      {"rtr-send", "peer-to-peer mode, RTR is a zero-length Send", rtr},
      {"rtr-write", "peer-to-peer mode, RTR is a zero-length RDMA Write", rtr},
      {"rtr-read", "peer-to-peer mode, RTR is a zero-length RDMA Read", rtr},
      {"rtr-no-match", "no common RTR: the Initiator terminates", rtr_no_match},
      {"rtr-missing", "peer-to-peer mode, but the first FPDU is an ordinary Send",
       [](std::string_view) {
         return talk(
             {.request_enhanced = peer_to_peer(true, true, true), .reply_enhanced = peer_to_peer(false, false, true)});
       }},
      {"streaming-first", "text before MPA, then Markers", streaming_first},
      {"passive-initiator", "the MPA Initiator is the TCP passive side", passive_initiator},
      {"both-request", "both sides send a Request", both_request},
      {"responder-first", "the Responder sends an FPDU before the Initiator's first", first_fpdu_with_reply},
      {"startup-reserved", "reserved flag bits set, as siw does with GSO",
       [](std::string_view) { return talk({.reserved = 8}, {.kind = FrameKind::reply, .reserved = 8}); }},
      {"startup-enhanced-rev1", "S with revision 1",
       [](std::string_view) {
         return talk({.revision = 1, .enhanced = wire::EnhancedData{.ird = 1, .ord = 1}},
                     {.kind = FrameKind::reply, .enhanced = wire::EnhancedData{.ird = 1, .ord = 1}});
       }},
      {"startup-long-private-data", "PD_Length 600",
       [](std::string_view) { return unanswered({.private_data = Buffer(600)}); }},
      {"startup-lying-length", "PD_Length 40, but 8 octets follow before the FIN",
       [](std::string_view) { return unanswered({.private_data = Buffer(8), .private_data_length = 40}); }},
      {"startup-bad-reply-key", "the Reply's key is wrong",
       [](std::string_view) { return talk({}, {.kind = FrameKind::reply, .key = text("MPA ID Rxp Frame")}, false); }},
      {"startup-ird-exceeded", "Reply ORD above Request IRD",
       [](std::string_view) {
         return talk({.request_enhanced = wire::EnhancedData{.ird = 4, .ord = 4},
                      .reply_enhanced = wire::EnhancedData{.ird = 2, .ord = 8}});
       }},
  };
}

}  // namespace iwarpscope::synth
