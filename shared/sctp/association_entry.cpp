#include "sctp/association_entry.h"

#include "sctp/association_state.h"

namespace iwarpscope::sctp {

namespace {

/// One message alone, before it has a place.
[[nodiscard]] bool is_ddp_chunk(const Chunk& chunk) noexcept {
  const auto parsed = DataHeader::parse(chunk.octets);
  const auto* data = std::get_if<DataHeader>(&parsed);
  if (data == nullptr || !data->begins()) return false;
  if (data->ppid() != kSegmentPpid && data->ppid() != kControlPpid) return false;
  const Octets user_data = chunk.octets.subspan(DataHeader::kOctets);
  if (user_data.size() < UserMessage::kOctets) return false;
  Arrival arrival;
  arrival.control = data->ppid() == kControlPpid;
  arrival.octets = user_data.subspan(UserMessage::kOctets);
  arrival.length = static_cast<std::uint32_t>(chunk.length - DataHeader::kOctets - UserMessage::kOctets);
  return looks_like_ddp(arrival);
}

}  // namespace

Glance glance(const net::SctpPacket& packet, bool looks_for_ddp) noexcept {
  Glance seen;
  ChunkWalk walk(packet.chunks, packet.chunks_length);
  while (const auto chunk = walk.next()) {
    switch (chunk->type) {
      case chunk_type::init: seen.is_init = true; [[fallthrough]];
      case chunk_type::init_ack: seen.init = chunk; break;
      case chunk_type::abort:
      case chunk_type::shutdown_complete:
        seen.ends = true;
        seen.reflected = (chunk->flags & 1u) != 0;
        break;
      case chunk_type::data:
        seen.carries_data = true;
        seen.carries_ddp = seen.carries_ddp || (looks_for_ddp && is_ddp_chunk(*chunk));
        break;
      default: break;
    }
    if (!looks_for_ddp && chunk->type == chunk_type::data) break;  // control chunks come first
  }
  seen.malformed = walk.is_malformed();
  return seen;
}

}  // namespace iwarpscope::sctp
