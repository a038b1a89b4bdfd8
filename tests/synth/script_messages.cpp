// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Commands of messages: whole ones, DDP segments and octets.
#include <stdexcept>

#include "synth/script_player.h"

namespace iwarpscope::synth {

namespace {

using wire::AtomicOperation;
using wire::Opcode;
using wire::TerminateDialect;

constexpr std::uint64_t kMostU32 = 0xFFFFFFFF;

STag stag_of(Words& w, std::string_view key, STag otherwise) {
  return STag{w.given_or(key, otherwise.value)};
}
TaggedOffset to_of(Words& w, std::string_view key, TaggedOffset otherwise) {
  return TaggedOffset{w.given_or(key, otherwise.value)};
}

void sends(Player& p, Words& w, Opcode opcode) {
  const bool invalidate = opcode == Opcode::send_invalidate || opcode == Opcode::send_se_invalidate;
  const Side side = w.side();
  const std::uint32_t stag = invalidate ? w.given_or<std::uint32_t>("stag", 0x1234) : 0;
  p.messages().untagged_message(side, opcode, QueueNumber{0}, stag, w.payload());
}

void write(Player& p, Words& w) {
  const Side side = w.side();
  const STag stag = stag_of(w, "stag", STag{0x1234});
  const TaggedOffset to = to_of(w, "to", TaggedOffset{0x1000});
  p.messages().write(side, stag, to, w.payload());
}

wire::ReadRequest read_of(Words& w) {
  wire::ReadRequest r;
  r.size = w.given_or("size", r.size);
  r.sink_stag = stag_of(w, "sink-stag", r.sink_stag);
  r.sink_to = to_of(w, "sink-to", r.sink_to);
  r.source_stag = stag_of(w, "source-stag", r.source_stag);
  r.source_to = to_of(w, "source-to", r.source_to);
  return r;
}

void read_response(Player& p, Words& w) {
  const Side side = w.side();
  const std::optional<Payload> payload = w.has_payload() ? std::optional(w.payload()) : std::nullopt;
  p.messages().read_response(side, payload);
}

void immediate(Player& p, Words& w) {
  const bool solicited = w.flag("se");
  const Side side = w.side();
  p.messages().immediate(side, w.number("the value"), solicited);
}

wire::AtomicRequest atomic_of(Words& w) {
  wire::AtomicRequest r;
  const std::string operation = w.next("the operation");
  r.operation = Words::chosen<AtomicOperation>("the operation", operation,
                                               {{"fetch_add", AtomicOperation::fetch_add},
                                                {"fetch-add", AtomicOperation::fetch_add},
                                                {"cmp_swap", AtomicOperation::cmp_swap},
                                                {"cmp-swap", AtomicOperation::cmp_swap},
                                                {"swap", AtomicOperation::swap}});
  r.remote_stag = stag_of(w, "stag", r.remote_stag);
  r.remote_to = to_of(w, "to", r.remote_to);
  r.request_id = w.given_or("id", r.request_id);
  r.data = w.given_or("data", r.data);
  r.mask = w.given_or("mask", r.mask);
  r.compare = w.given_or("compare", r.compare);
  r.compare_mask = w.given_or("compare-mask", r.compare_mask);
  r.reserved = w.given_or("reserved", r.reserved, 0x0FFFFFFF);
  return r;
}

void terminate(Player& p, Words& w) {
  const Side side = w.side();
  wire::Terminate t;
  t.layer = w.given_or("layer", t.layer, 15);
  t.error_type = w.given_or("type", t.error_type, 15);
  t.error_code = w.given_or("code", t.error_code);
  t.dialect = w.choice<TerminateDialect>("dialect", {{"rfc5040", TerminateDialect::rfc5040},
                                                     {"siw", TerminateDialect::siw_little_endian},
                                                     {"bare", TerminateDialect::bare}})
                  .value_or(t.dialect);
  const bool alone = w.flag("alone");
  const auto length = w.given<std::uint16_t>("ddp-length");
  const auto ddp = w.octets("ddp");
  const auto rdmap = w.octets("rdmap");
  t.m = w.on_off("m");
  t.d = w.on_off("d");
  t.r = w.on_off("r");
  t.reserved = w.given_or("reserved", t.reserved, 0x1FFF);
  const bool own = alone || length || ddp || rdmap || t.m || t.d || t.r || t.reserved != 0;
  if (!own) {
    p.messages().terminate_last(side, t.layer, t.error_type, t.error_code, t.dialect);
    return;
  }
  t.ddp_length = length;
  t.ddp_header = ddp.value_or(Buffer{});
  t.rdmap_header = rdmap.value_or(Buffer{});
  p.messages().terminate(side, t);
}

std::uint8_t opcode_of(Words& w, Opcode otherwise) {
  return w.given_or("opcode", static_cast<std::uint8_t>(otherwise), 15);
}

void tagged(Player& p, Words& w) {
  const Side side = w.side();
  wire::DdpTagged h;
  h.control = wire::ddp_control(true, w.on_off("last").value_or(true));
  h.rdmap_control = wire::rdmap_control(static_cast<Opcode>(opcode_of(w, Opcode::rdma_write)));
  h.stag = stag_of(w, "stag", STag{0x1234});
  h.to = to_of(w, "to", TaggedOffset{0x1000});
  p.messages().tagged(side, h, w.payload());
}

void untagged(Player& p, Words& w) {
  const Side side = w.side();
  wire::DdpUntagged h;
  h.control = wire::ddp_control(false, w.on_off("last").value_or(true));
  h.rdmap_control = wire::rdmap_control(static_cast<Opcode>(opcode_of(w, Opcode::send)));
  h.invalidate_stag = w.given_or("invalidate", h.invalidate_stag);
  h.qn = QueueNumber{w.given_or("qn", h.qn.value)};
  h.msn = MessageSequence{w.given_or("msn", h.msn.value)};
  h.mo = MessageOffset{w.given_or("mo", h.mo.value)};
  p.messages().untagged(side, h, w.payload());
}

Buffer octets_given(Words& w) {
  auto octets = w.octets("hex");
  if (octets) return *std::move(octets);
  const auto words = w.value("text");
  if (!words) throw std::invalid_argument("hex=... or text=\"...\" is missing");
  return text(*words);
}

constexpr Command kMessages[] = {
    {"send", "SIDE [PAYLOAD]", "a Send; PAYLOAD is a number of octets, hex=... or text=\"...\"",
     [](Player& p, Words& w) { sends(p, w, Opcode::send); }},
    {"send-se", "SIDE [PAYLOAD]", "with Solicited Event", [](Player& p, Words& w) { sends(p, w, Opcode::send_se); }},
    {"send-invalidate", "SIDE [stag=N] [PAYLOAD]", "with Invalidate",
     [](Player& p, Words& w) { sends(p, w, Opcode::send_invalidate); }},
    {"send-se-invalidate", "SIDE [stag=N] [PAYLOAD]", "with both",
     [](Player& p, Words& w) { sends(p, w, Opcode::send_se_invalidate); }},
    {"write", "SIDE [stag=N] [to=N] [PAYLOAD]", "an RDMA Write", write},
    {"read", "SIDE [size=N] [sink-stag=N] [sink-to=N] [source-stag=N] [source-to=N]",
     "an RDMA Read Request of the side, and its Response",
     [](Player& p, Words& w) {
       const Side side = w.side();
       p.messages().read(side, read_of(w));
     }},
    {"read-request", "SIDE, as read", "only the Request",
     [](Player& p, Words& w) {
       const Side side = w.side();
       p.messages().read_request(side, read_of(w));
     }},
    {"read-response", "SIDE [PAYLOAD]", "the side answers its peer's oldest Read Request", read_response},
    {"immediate", "SIDE VALUE [se]", "Immediate Data, 64 bits", immediate},
    {"atomic",
     "SIDE fetch-add|cmp-swap|swap [stag=N] [to=N] [data=N] [mask=N] [compare=N] [compare-mask=N] [id=N] [reserved=N]",
     "an Atomic Request of the side, and its Response",
     [](Player& p, Words& w) {
       const Side side = w.side();
       p.messages().atomic(side, atomic_of(w));
     }},
    {"atomic-request", "SIDE, as atomic", "only the Request",
     [](Player& p, Words& w) {
       const Side side = w.side();
       p.messages().atomic_request(side, atomic_of(w));
     }},
    {"atomic-response", "SIDE [original=N]", "the side answers its peer's oldest Atomic Request",
     [](Player& p, Words& w) {
       const Side side = w.side();
       p.messages().atomic_response(side, w.given("original"));
     }},
    {"terminate",
     "SIDE [layer=N] [type=N] [code=N] [dialect=rfc5040|siw|bare] [alone] [ddp-length=N] [ddp=HEX] [rdmap=HEX]"
     " [m=on|off] [d=on|off] [r=on|off] [reserved=N]",
     "a Terminate; it names the last DDP segment that the side received if its error requires this, unless alone or "
     "headers are given",
     terminate},
    {"keep-named", "SIDE",
     "a Terminate of its peer names the last DDP segment that the side has sent so far, not a later one",
     [](Player& p, Words& w) { p.messages().keep_named(w.side()); }},
    {"tagged", "SIDE [stag=N] [to=N] [opcode=N] [last=on|off] [PAYLOAD]", "one tagged DDP segment", tagged},
    {"untagged", "SIDE [qn=N] [msn=N] [mo=N] [opcode=N] [invalidate=N] [last=on|off] [PAYLOAD]",
     "one untagged DDP segment; the counters of send do not change", untagged},
    {"ulpdu", "SIDE hex=HEX | text=TEXT", "one FPDU with any contents",
     [](Player& p, Words& w) {
       const Side side = w.side();
       p.messages().raw_ulpdu(side, octets_given(w));
     }},
    {"octets", "SIDE hex=HEX | text=TEXT", "octets in place of FPDUs",
     [](Player& p, Words& w) {
       const Side side = w.side();
       p.connection().raw_octets(side, octets_given(w));
     }},
    {"msn", "SIDE QN N", "the MSN of the next message on this queue",
     [](Player& p, Words& w) {
       const Side side = w.side();
       const auto qn = static_cast<std::uint32_t>(w.number("QN", kMostU32));
       p.messages().set_msn(side, QueueNumber{qn},
                            MessageSequence{static_cast<std::uint32_t>(w.number("MSN", kMostU32))});
     }},
    {"fill", "random|zeros|counting", "the octets of payloads that are given as a number (random)",
     [](Player& p, Words& w) {
       using Fill = DdpStream::Fill;
       p.messages().fill(
           Words::chosen<Fill>("the octets", w.next("the octets"),
                               {{"random", Fill::random}, {"zeros", Fill::zeros}, {"counting", Fill::counting}}));
     }},
    {"repeat", "N COMMAND", "repeats the command N times (at most 1000000)",
     [](Player& p, Words& w) {
       const std::uint64_t count = w.number("the count", 1'000'000);
       if (!w.has_next()) throw std::invalid_argument("repeat: the command is missing");
       const std::string command = w.rest();
       if (Words(command).command() == "repeat") throw std::invalid_argument("repeat cannot be repeated");
       for (std::uint64_t i = 0; i < count; ++i) p.run(command);
     }},
};

}  // namespace

std::span<const Command> message_commands() {
  return kMessages;
}

}  // namespace iwarpscope::synth
