// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Fields of SCTP chunks, and of the user messages of DDP in them.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "fields/headers.h"
#include "sctp/chunk.h"
#include "sctp/control.h"
#include "sctp/session.h"

namespace iwarpscope::fields {
namespace {

std::string_view type_text(std::uint8_t type) {
  namespace t = sctp::chunk_type;
  switch (type) {
    case t::data: return "DATA";
    case t::init: return "INIT";
    case t::init_ack: return "INIT ACK";
    case t::sack: return "SACK";
    case t::abort: return "ABORT";
    case t::shutdown: return "SHUTDOWN";
    case t::shutdown_ack: return "SHUTDOWN ACK";
    case t::cookie_echo: return "COOKIE ECHO";
    case t::shutdown_complete: return "SHUTDOWN COMPLETE";
    case t::auth: return "AUTH";
    case t::i_data: return "I-DATA";
    case t::pad: return "PAD";
    case t::forward_tsn: return "FORWARD TSN";
    case t::i_forward_tsn: return "I-FORWARD-TSN";
    default: return "other";
  }
}

/// The user data of a DATA chunk that begins a message: DDP-SSN, then a DDP segment or a session control message.
void put_message(const sctp::Chunk& chunk, std::uint32_t ppid, Writer& to) {
  constexpr std::size_t kSsn = sctp::DataHeader::kOctets, kBody = kSsn + sctp::UserMessage::kOctets;
  const Octets body = chunk.octets.subspan(kBody);
  const std::size_t length = chunk.length - kBody;
  to.put("DDP", "DDP-SSN", kSsn, sctp::UserMessage::kOctets,
         std::to_string(load_be<std::uint16_t>(chunk.octets.subspan(kSsn))));
  if (ppid == sctp::kSegmentPpid) return put_ddp(body, length, kBody, to);
  const auto code = sctp::read_code(body);
  if (!code) return;
  to.put("MPA", "Function Code", kBody, sctp::ControlHeader::kOctets,
         sctp::is_known(*code) ? std::string{sctp::code_text(*code)} : std::to_string(*code));
  std::size_t at = kBody + sctp::ControlHeader::kOctets;
  if (*code >= sctp::function_code::enhanced_initiate && *code <= sctp::function_code::enhanced_reject) {
    put_enhanced(chunk.octets, at, to);
    at += 4;
  }
  if (at < chunk.length) to.put("MPA", "Private Data", at, chunk.length - at, octets_text(chunk.length - at));
}

void put_data(const sctp::Chunk& chunk, const Placing& chunk_place, FieldList& list) {
  const auto parsed = sctp::DataHeader::parse(chunk.octets);
  const auto* data = std::get_if<sctp::DataHeader>(&parsed);
  if (data == nullptr) return;
  const bool ddp = data->ppid() == sctp::kSegmentPpid || data->ppid() == sctp::kControlPpid;
  const std::size_t least = sctp::DataHeader::kOctets + sctp::UserMessage::kOctets;
  const bool begins = ddp && data->begins() && chunk.octets.size() >= least;
  Placing placing;
  placing.at = chunk_place.at;
  placing.begin = chunk_place.begin;
  placing.end = chunk_place.end;
  if (begins) placing.unit = kStreamOrigin + load_be<std::uint16_t>(chunk.octets.subspan(sctp::DataHeader::kOctets));
  Writer to(list, placing);
  to.put("SCTP", "U, B, E", 1, 1,
         fmt::format("{}, {}, {}", bit_text(data->unordered()), bit_text(data->begins()), bit_text(data->ends())));
  to.put("SCTP", "TSN", 4, 4, std::to_string(data->tsn()));
  to.put("SCTP", "Stream identifier", 8, 2, std::to_string(data->stream()));
  to.put("SCTP", "PPID", 12, 4, std::to_string(data->ppid()));
  if (begins) return put_message(chunk, data->ppid(), to);
  const std::size_t rest = chunk.length - std::min(chunk.length, sctp::DataHeader::kOctets);
  to.put("SCTP", "User data", sctp::DataHeader::kOctets, rest,
         octets_text(rest) + (ddp && !data->begins() ? ", begins in an earlier chunk" : ""));
}

void put_init(const sctp::Chunk& chunk, Writer& to) {
  const auto parsed = sctp::InitHeader::parse(chunk.octets);
  const auto* init = std::get_if<sctp::InitHeader>(&parsed);
  if (init == nullptr) return;
  to.put("SCTP", "Initiate tag", 4, 4, fmt::format("0x{:08x}", init->initiate_tag()));
  to.put("SCTP", "Outbound streams", 12, 2, std::to_string(init->outbound_streams()));
  to.put("SCTP", "Inbound streams", 14, 2, std::to_string(init->inbound_streams()));
  to.put("SCTP", "Initial TSN", 16, 4, std::to_string(init->initial_tsn()));
}

void put_sack(const sctp::Chunk& chunk, Writer& to) {
  const auto parsed = sctp::SackHeader::parse(chunk.octets);
  const auto* sack = std::get_if<sctp::SackHeader>(&parsed);
  if (sack == nullptr) return;
  to.put("SCTP", "Cumulative TSN ack", 4, 4, std::to_string(sack->cumulative_tsn()));
  to.put("SCTP", "Receive window", 8, 4, std::to_string(sack->window()));
  to.put("SCTP", "Gap ack blocks", 12, 2, std::to_string(sack->blocks()));
}

void put_chunk(const sctp::Chunk& chunk, const Placing& placing, FieldList& list) {
  Writer to(list, placing);
  to.put("SCTP", "Chunk type", 0, 1, fmt::format("{} ({})", chunk.type, type_text(chunk.type)));
  to.put("SCTP", "Chunk length", 2, 2, std::to_string(chunk.length));
  if (chunk.type == sctp::chunk_type::data) return put_data(chunk, placing, list);
  if (chunk.type == sctp::chunk_type::sack) return put_sack(chunk, to);
  if (chunk.type == sctp::chunk_type::init || chunk.type == sctp::chunk_type::init_ack) put_init(chunk, to);
}

}  // namespace

void put_chunks(Octets frame, const Transport& transport, FieldList& to) {
  const Octets chunks = frame.subspan(transport.payload, transport.length);
  sctp::ChunkWalk walk(chunks, std::max<std::size_t>(transport.wire_length, chunks.size()));
  while (const auto chunk = walk.next()) {
    if (chunk->octets.empty()) return;
    const auto at = static_cast<std::uint32_t>(chunk->octets.data() - frame.data());
    put_chunk(*chunk, {.at = at, .begin = at, .end = at + static_cast<std::uint32_t>(chunk->octets.size())}, to);
  }
}

}  // namespace iwarpscope::fields
