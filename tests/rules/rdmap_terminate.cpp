// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// RM-18 to RM-33: the Terminate, what it carries and claims, and what follows it.
#include "rules/message_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Buffer;
using synth::Connection;
using synth::Effect;
using synth::wire::ddp_control;
using synth::wire::DdpTagged;
using synth::wire::DdpUntagged;
using synth::wire::Opcode;
using synth::wire::rdmap_control;
using synth::wire::ReadRequest;
using synth::wire::Terminate;
using synth::wire::TerminateDialect;

constexpr ReadRequest kReadOfStag{.size = 1000};

void read_request(Connection& c) {
  c.read_request(kInit, kReadOfStag);
}
void wrapping_read(Connection& c) {
  ReadRequest read = kReadOfStag;
  read.source_to = TaggedOffset{0xFFFFFFFFFFFFFF00};
  c.read_request(kInit, read);
}
// `message` of the Initiator is answered by a Terminate that names it.
Play refused(Play message, unsigned layer, unsigned type, unsigned code,
             TerminateDialect dialect = TerminateDialect::rfc5040) {
  return [=](Connection& c) {
    message(c);
    c.terminate_last(kResp, static_cast<std::uint8_t>(layer), static_cast<std::uint8_t>(type),
                     static_cast<std::uint8_t>(code), dialect);
  };
}
// The Responder's Terminate, as given.
Play terminated(Terminate t, Play message = send_100) {
  return [t = std::move(t), message = std::move(message)](Connection& c) {
    message(c);
    c.terminate(kResp, t);
  };
}
Play terminated_by(Buffer header) {
  return [header = std::move(header)](Connection& c) {
    c.acknowledge(kResp);
    c.untagged_message(kResp, Opcode::terminate, QueueNumber{2}, 0, header);
  };
}
Terminate about(std::uint8_t layer, std::uint8_t type, std::uint8_t code, Buffer ddp_header = {},
                Buffer rdmap_header = {}) {
  Terminate t{.layer = layer, .error_type = type, .error_code = code};
  if (!ddp_header.empty()) t.ddp_length = 118;
  t.ddp_header = std::move(ddp_header);
  t.rdmap_header = std::move(rdmap_header);
  return t;
}
// The headers of the messages above, as the second on their queue of whole().
const Buffer kSendHeader = synth::wire::write(DdpUntagged{.msn = MessageSequence{2}});
const Buffer kWriteHeader =
    synth::wire::write(DdpTagged{.rdmap_control = rdmap_control(Opcode::rdma_write), .stag = kStag, .to = kTo});
const Buffer kReadHeader =
    synth::wire::write(DdpUntagged{.rdmap_control = rdmap_control(Opcode::rdma_read_request), .qn = QueueNumber{1}});

Buffer with_zeros(Buffer octets, std::size_t count) {
  octets.resize(octets.size() + count);
  return octets;
}
Buffer with_octet(Buffer octets) {
  octets.push_back(std::byte{0x5A});
  return octets;
}
ReadRequest advanced(std::uint32_t octets) {
  return {.sink_to = TaggedOffset{kReadOfStag.sink_to.value + octets},
          .size = kReadOfStag.size - octets,
          .source_to = TaggedOffset{kReadOfStag.source_to.value + octets}};
}
MakeTraffic ends_with_reset(Play play) {
  return bare([=](Connection& c) {
    c.send(kInit, 100);
    c.send(kResp, 100);
    play(c);
    c.reset(kResp);
  });
}

std::vector<Scenario> place_scenarios() {
  const Play terminate = [](Connection& c) { c.terminate_last(kInit, 0, 0, 0); };
  return {
      {rdmap_terminate_malformed,
       "as it should be",
       {kToB, 8, "MSN 2", "MSN 1, Last"},
       whole([=](Connection& c) {
         c.set_msn(kInit, QueueNumber{2}, MessageSequence{2});
         terminate(c);
       }),
       whole(terminate)},
      {rdmap_terminate_malformed,
       "with 52 octets of headers, in one DDP segment",
       {kToA, 9, "MSN 1, not Last", "MSN 1, Last"},
       whole([](Connection& c) {
         c.limit_mulpdu(kResp, 40);
         read_request(c);
         c.terminate_last(kResp, 0, 1, 0);
       }),
       whole(refused(read_request, 0, 1, 0))},
      {rdmap_terminate_malformed,
       "damaged",
       {kToB, 8, "MSN 1, not Last", "MSN 1, Last"},
       whole(altered({.last = false}, terminate)),
       whole(altered({.last = false, .msn = 9, .fpdu = {.crc_xor = 1}}, terminate)),
       {},
       {mpa_crc_mismatch}},
      {rdmap_terminate_malformed,
       "a second Terminate is RM-19",
       {kToB, 8, "MSN 0", "MSN 1, Last"},
       whole([=](Connection& c) {
         c.set_msn(kInit, QueueNumber{2}, MessageSequence{0});
         terminate(c);
       }),
       whole([=](Connection& c) {
         terminate(c);
         terminate(c);
       }),
       {},
       {rdmap_message_after_terminate}},

      {rdmap_message_after_terminate,
       "both ends terminate at once",
       {kToB, 9, "terminate", ""},
       whole([=](Connection& c) {
         terminate(c);
         terminate(c);
       }),
       whole([=](Connection& c) {
         terminate(c);
         c.terminate_last(kResp, 0, 0, 0);
       })},
      {rdmap_message_after_terminate,
       "the other end goes on until it knows",
       {kToB, 9, "rdma_write", ""},
       whole([=](Connection& c) {
         terminate(c);
         c.write(kInit, kStag, kTo, 4000);
       }),
       whole([=](Connection& c) {
         terminate(c);
         c.send(kResp, 4000);
         c.write(kResp, kStag, kTo, 4000);
       })},
      {rdmap_message_after_terminate,
       "the Terminate is sent again by TCP",
       {kToA, 10, "rdma_read_response", ""},
       whole([](Connection& c) {
         read_request(c);
         c.terminate_last(kResp, 0, 1, 0);
         c.read_response(kResp);
       }),
       whole([=](Connection& c) {
         c.channel(kInit, Effect::lose_after_tap, {.delay = 0});
         terminate(c);
       })},
      {rdmap_message_after_terminate,
       "the Terminate may be damage",
       {kToB, 9, "send", ""},
       whole([=](Connection& c) {
         terminate(c);
         c.send(kInit);
       }),
       whole([=](Connection& c) {
         c.alter(kInit, {.fpdu = {.crc_xor = 1}});
         terminate(c);
         c.send(kInit);
       }),
       {},
       {mpa_crc_mismatch}},
      {rdmap_message_after_terminate,
       "a new connection on the same ports",
       {kToB, 9, "", ""},
       whole([=](Connection& c) {
         terminate(c);
         c.immediate(kInit, 7);
       }),
       [=] {
         Connection c;
         for (int i = 0; i < 2; ++i) {
           if (i == 1) c.reuse_ports();
           c.connect();
           c.startup();
           c.send(kInit, 100);
           terminate(c);
           c.close();
         }
         return Traffic{.frames = c.frames()};
       }},
  };
}

std::vector<Scenario> named_header_scenarios() {
  Terminate reserved = about(1, 1, 0, kWriteHeader);
  reserved.reserved = 0x0100;
  Terminate d_alone = about(1, 1, 0, kWriteHeader);
  d_alone.m = false;
  Terminate r_alone = about(0, 1, 0, {}, synth::wire::write(kReadOfStag));
  r_alone.ddp_length = 46;
  Terminate m_alone = about(0, 2, 6);
  m_alone.ddp_length = 118;
  Terminate says_d = about(1, 2, 2);
  says_d.ddp_length = 118;
  says_d.d = true;
  return {
      {rdmap_terminate_reserved_bits,
       "none set",
       {kToA, 9, "0x0100", "0"},
       whole(terminated(reserved, write_100)),
       whole(refused(write_100, 1, 1, 0))},
      {rdmap_terminate_reserved_bits,
       "Linux siw's order of bits",
       {kToA, 9, "0x0100", "0"},
       whole(terminated(reserved, write_100)),
       whole(refused(send_100, 1, 2, 2, TerminateDialect::siw_little_endian))},
      {rdmap_terminate_reserved_bits,
       "Linux siw's order of bits, without headers",
       {kToA, 9, "0x0100", "0"},
       whole(terminated(reserved, write_100)),
       whole(
           terminated({.layer = 0, .error_type = 2, .error_code = 6, .dialect = TerminateDialect::siw_little_endian}))},

      {rdmap_terminate_code_unregistered,
       "a local catastrophic error may have any code",
       {kToA, 9, "0/2/00", ""},
       whole(refused(send_100, 0, 2, 0)),
       whole(refused(send_100, 0, 0, 0x42))},
      {rdmap_terminate_code_unregistered,
       "what RFC 6581 added",
       {kToA, 9, "2/0/00", ""},
       whole(refused(send_100, 2, 0, 0)),
       bare([](Connection& c) {
         c.terminate(kInit, {.layer = 2, .error_type = 0, .error_code = 6});
         c.close();
       })},
      {rdmap_terminate_code_unregistered,
       "the one code that two error types have",
       {kToA, 9, "1/2/00", ""},
       whole(refused(send_100, 1, 2, 0)),
       whole(refused(send_100, 0, 2, 9))},
      {rdmap_terminate_code_unregistered,
       "reserved for the lower layer, any code",
       {kToA, 9, "3/0/00", ""},
       whole(refused(send_100, 3, 0, 0)),
       whole(refused(send_100, 1, 3, 0x77))},

      {rdmap_terminate_length_wrong,
       "without headers",
       {kToA, 9, "3 octets", "4 or more"},
       whole(terminated_by(Buffer(3))),
       whole(terminated(about(0, 0, 0)))},
      {rdmap_terminate_length_wrong,
       "a tagged header is shorter",
       {kToA, 9, "25 octets", ""},
       whole(terminated_by(with_octet(synth::wire::write(about(1, 2, 2, kSendHeader))))),
       whole(refused(write_100, 1, 1, 0))},
      {rdmap_terminate_length_wrong,
       "an untagged header is longer",
       {kToA, 9, "6 octets", ""},
       whole(terminated(says_d)),
       whole(refused(send_100, 1, 2, 2))},
      {rdmap_terminate_length_wrong,
       "zeros after it (RM-22Z)",
       {kToA, 9, "5 octets", ""},
       whole(terminated_by(with_octet(synth::wire::write(about(0, 0, 0))))),
       whole(terminated_by(with_zeros(synth::wire::write(about(0, 0, 0)), 48)))},
      {rdmap_terminate_length_wrong,
       "with the Read Request",
       {kToA, 10, "48 octets", ""},
       whole([](Connection& c) {
         c.read_request(kInit, kReadOfStag);
         Buffer octets = synth::wire::write(about(0, 1, 0, kReadHeader, synth::wire::write(kReadOfStag)));
         octets.resize(octets.size() - 4);
         c.acknowledge(kResp);
         c.untagged_message(kResp, Opcode::terminate, QueueNumber{2}, 0, octets);
       }),
       whole(refused(read_request, 0, 1, 0))},
      {rdmap_terminate_length_wrong,
       "the capture cut the frame",
       {kToA, 9, "6 octets", ""},
       whole(terminated(says_d)),
       whole(refused(read_request, 0, 1, 0), {}, {.path = {.snap_length = 14 + 20 + 32 + 2 + 18 + 20}})},

      {rdmap_terminate_trailing_zeros,
       "the whole of it, and nothing after",
       {kToA, 9, "52 octets", ""},
       whole(terminated_by(with_zeros(synth::wire::write(about(0, 0, 0)), 48))),
       whole(terminated(about(0, 0, 0)))},
      {rdmap_terminate_trailing_zeros,
       "zeros that are the octets of a header",
       {kToA, 9, "25 octets", ""},
       whole(terminated_by(with_zeros(synth::wire::write(about(1, 2, 2, kSendHeader)), 1))),
       whole(refused([](Connection& c) { c.write(kInit, STag{0}, TaggedOffset{0}, 10); }, 1, 1, 0))},

      {rdmap_terminate_flags_inconsistent,
       "the length alone",
       {kToA, 9, "M=0 D=1 R=0", "D with M, R with D"},
       whole(terminated(d_alone, write_100)),
       whole(terminated(m_alone))},
      {rdmap_terminate_flags_inconsistent,
       "all three",
       {kToA, 9, "M=1 D=0 R=1", "D with M, R with D"},
       whole(terminated(r_alone, read_request)),
       whole(refused(read_request, 0, 1, 0))},
      {rdmap_terminate_flags_inconsistent,
       "Linux siw's order of bits",
       {kToA, 9, "M=0 D=1 R=0", "D with M, R with D"},
       whole(terminated(d_alone, write_100)),
       whole(refused(write_100, 1, 1, 0, TerminateDialect::siw_little_endian))},

      {rdmap_terminate_rdma_header_unexpected,
       "a Read Request",
       {kToA, 9, "send", "rdma_read_request"},
       whole(terminated(about(0, 1, 9, kSendHeader, synth::wire::write(kReadOfStag)))),
       whole(refused(read_request, 0, 1, 0))},
      {rdmap_terminate_rdma_header_unexpected,
       "a Send with Invalidate, without it",
       {kToA, 9, "rdma_write", "rdma_read_request"},
       whole(terminated(about(1, 1, 0, kWriteHeader, synth::wire::write(kReadOfStag)), write_100)),
       whole(refused([](Connection& c) { c.send_invalidate(kInit, kStag, 10); }, 0, 1, 9))},

      {rdmap_terminate_ddp_header_unexpected,
       "an error of DDP",
       {kToA, 9, "M=1 D=1 R=0", "M=0 D=0 R=0"},
       whole(terminated(about(2, 0, 2, kSendHeader))),
       whole(refused(send_100, 1, 2, 2))},
      {rdmap_terminate_ddp_header_unexpected,
       "a local error without it",
       {kToA, 9, "M=1 D=1 R=0", "M=0 D=0 R=0"},
       whole(terminated(about(0, 0, 0, kSendHeader))),
       whole(refused(send_100, 0, 0, 0))},
      {rdmap_terminate_ddp_header_unexpected,
       "a remote operation error, which may have it",
       {kToA, 9, "M=1 D=1 R=0", "M=0 D=0 R=0"},
       whole(terminated(about(2, 0, 1, kSendHeader))),
       whole(refused(send_100, 0, 2, 7))},

      {rdmap_terminate_ddp_header_missing,
       "with it",
       {kToA, 9, "M=0 D=0 R=0", "M=1 D=1"},
       whole(refused(send_100, 1, 2, 2, TerminateDialect::bare)),
       whole(refused(send_100, 1, 2, 2))},
      {rdmap_terminate_ddp_header_missing,
       "an error of RDMAP: if possible, says the RFC",
       {kToA, 9, "M=0 D=0 R=0", "M=1 D=1"},
       whole(refused(write_100, 1, 1, 0, TerminateDialect::bare)),
       whole(refused(read_request, 0, 1, 0, TerminateDialect::bare))},
      {rdmap_terminate_ddp_header_missing,
       "a local catastrophic error of DDP belongs to no message",
       {kToA, 9, "M=0 D=0 R=0", "M=1 D=1"},
       whole(refused(write_100, 1, 1, 1, TerminateDialect::bare)),
       whole(terminated(about(1, 0, 0)))},
  };
}

std::vector<Scenario> claim_scenarios() {
  const auto read_error = [](const ReadRequest& quoted) {
    return about(0, 1, 1, kReadHeader, synth::wire::write(quoted));
  };
  ReadRequest other_size = kReadOfStag;
  other_size.size = 999;
  ReadRequest beyond = advanced(0);
  beyond.sink_to = TaggedOffset{kReadOfStag.sink_to.value + 8};
  const Play invalid_mo = [](Connection& c) { c.send(kInit, 2500); };
  const Play other_opcode = [](Connection& c) {
    c.fault(kInit, "opcode-other", 1);
    c.limit_mulpdu(kInit, 512);
    c.send(kInit, 700);
  };
  return {
      {rdmap_terminate_rdma_header_wrong,
       "the request as sent",
       {kToA, 9, "source STag 0x00005200 TO 0x0000000000020000 size 999", ""},
       whole(terminated(read_error(other_size), read_request)),
       whole(terminated(read_error(kReadOfStag), read_request))},
      {rdmap_terminate_rdma_header_wrong,
       "advanced by the octets answered",
       {kToA, 9, "source STag 0x00005200 TO 0x0000000000020000 size 1000", ""},
       whole(terminated(read_error(beyond), read_request)),
       whole([=](Connection& c) {
         read_request(c);
         c.tagged(kResp,
                  {.control = ddp_control(true, false),
                   .rdmap_control = rdmap_control(Opcode::rdma_read_response),
                   .stag = kReadOfStag.sink_stag,
                   .to = kReadOfStag.sink_to},
                  400);
         c.terminate(kResp, read_error(advanced(400)));
       })},
      {rdmap_terminate_rdma_header_wrong,
       "the request is not in the capture",
       {kToA, 9, "source STag 0x00000001 TO 0x0000000000020000 size 1000", ""},
       whole(terminated(read_error({.size = 1000, .source_stag = STag{1}}), read_request)),
       whole([=](Connection& c) {
         c.channel(kInit, Effect::miss);
         read_request(c);
         c.send(kInit, 10);
         c.terminate(kResp, read_error(kReadOfStag));
       })},
      {rdmap_terminate_rdma_header_wrong,
       "Linux siw quotes it with the read size as MSN",
       {kToA, 9, "source STag 0x00005200 TO 0x0000000000020000 size 999", ""},
       whole(terminated(read_error(other_size), read_request)),
       whole([=](Connection& c) {
         read_request(c);
         Terminate t = read_error(kReadOfStag);
         t.dialect = TerminateDialect::siw_little_endian;
         t.ddp_length = 0;
         t.ddp_header = synth::wire::write(DdpUntagged{.rdmap_control = rdmap_control(Opcode::rdma_read_request),
                                                       .qn = QueueNumber{1},
                                                       .msn = MessageSequence{kReadOfStag.size}});
         c.terminate(kResp, t);
       })},

      {rdmap_terminate_claim_false,
       "its DDP version is really 0",
       {kToA, 9, "1/1/04", ""},
       whole(refused(write_100, 1, 1, 4)),
       whole(refused(altered({.ddp_version = 0}, write_100), 1, 1, 4)),
       {},
       {ddp_version_wrong}},
      {rdmap_terminate_claim_false,
       "its DDP version is really 2",
       {kToA, 9, "1/2/06", ""},
       whole(refused(send_100, 1, 2, 6)),
       whole(refused(altered({.ddp_version = 2}, send_100), 1, 2, 6)),
       {},
       {ddp_version_wrong}},
      {rdmap_terminate_claim_false,
       "its RDMAP version is really 0",
       {kToA, 9, "0/2/05", ""},
       whole(refused(send_100, 0, 2, 5)),
       whole(refused(altered({.rdmap_version = 0}, send_100), 0, 2, 5)),
       {},
       {rdmap_version_wrong}},
      {rdmap_terminate_claim_false,
       "Immediate Data, which the receiver may not know",
       {kToA, 9, "0/2/06", ""},
       whole(refused(send_100, 0, 2, 6)),
       whole(refused([](Connection& c) { c.immediate(kInit, 7); }, 0, 2, 6))},
      {rdmap_terminate_claim_false,
       "of a later DDP segment, whose opcode is not that of the first",
       {kToA, 9, "0/2/06", ""},
       whole(refused(send_100, 0, 2, 6)),
       whole(refused(other_opcode, 0, 2, 6)),
       {},
       {ddp_rsvdulp_changed}},
      {rdmap_terminate_claim_false,
       "joined mid-stream, with a right CRC",
       {kToA, 0, "0/2/06", ""},
       midstream(refused(send_100, 0, 2, 6)),
       midstream(refused([](Connection& c) { c.immediate(kInit, 7); }, 0, 2, 6))},
      {rdmap_terminate_claim_false,
       "its queue is really unassigned",
       {kToA, 9, "1/2/01", ""},
       whole(refused(send_100, 1, 2, 1)),
       whole(refused(altered({.qn = 9}, send_100), 1, 2, 1)),
       {},
       {ddp_queue_unknown}},
      {rdmap_terminate_claim_false,
       "a message offset that the receiver may not expect",
       {kToA, 9, "1/2/04", ""},
       whole(refused(send_100, 1, 2, 4)),
       whole(refused(invalid_mo, 1, 2, 4))},
      {rdmap_terminate_claim_false,
       "the offset may wrap with the length",
       {kToA, 9, "1/1/03", ""},
       whole(refused(write_100, 1, 1, 3)),
       whole(refused([](Connection& c) { c.write(kInit, kStag, TaggedOffset{0xFFFFFFFFFFFF8000}, 100); }, 1, 1, 3))},
      {rdmap_terminate_claim_false,
       "the offset may wrap with the length, as RDMAP reports it",
       {kToA, 9, "0/1/04", ""},
       whole(refused(write_100, 0, 1, 4)),
       whole(refused([](Connection& c) { c.write(kInit, kStag, TaggedOffset{0xFFFFFFFFFFFF8000}, 100); }, 0, 1, 4))},
      {rdmap_terminate_claim_false,
       "a Read that wraps at its source or its sink",
       {kToA, 9, "0/1/04", ""},
       whole(refused(read_request, 0, 1, 4)),
       whole(refused(wrapping_read, 0, 1, 4)),
       {},
       {rdmap_read_request_to_wraps}},
      {rdmap_terminate_claim_false,
       "only the receiver knows its STags and buffers",
       {kToA, 9, "0/2/06", ""},
       whole(refused([](Connection& c) { c.send_se_invalidate(kInit, kStag); }, 0, 2, 6)),
       whole([](Connection& c) {
         write_100(c);
         c.terminate_last(kResp, 1, 1, 2);
         c.send(kInit, 10);
         c.terminate_last(kInit, 1, 2, 2);
       })},
  };
}

std::vector<Scenario> terminated_end_scenarios() {
  const Play refuse = refused(write_100, 1, 1, 0);
  return {
      {rdmap_reset_after_terminate, "closed gracefully", {kToA, 10, "", ""}, ends_with_reset(refuse), whole(refuse)},
      {rdmap_reset_after_terminate,
       "reset without a Terminate",
       {kToA, 10, "", ""},
       ends_with_reset(refuse),
       ends_with_reset(write_100)},
      {rdmap_reset_after_terminate,
       "reset after both FINs",
       {kToA, 10, "", ""},
       ends_with_reset(refuse),
       bare([=](Connection& c) {
         c.send(kInit, 100);
         c.send(kResp, 100);
         refuse(c);
         c.close();
         c.reset(kInit);
       })},
  };
}

}  // namespace

std::vector<Scenario> rdmap_terminate_scenarios() {
  return joined({place_scenarios(), named_header_scenarios(), claim_scenarios(), terminated_end_scenarios()});
}

}  // namespace iwarpscope::test
