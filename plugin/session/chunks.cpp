// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/chunks.h"

#include "session/connection.h"

namespace iwarpscope::plugin {

std::uint32_t Chunks::association(std::uint64_t number) {
  const auto [known, is_new] = numbers_.try_emplace(number, static_cast<std::uint32_t>(associations_.size()));
  if (is_new) associations_.emplace_back();
  return known->second;
}

void Chunks::add(std::uint32_t association, const sctp::DataSeen& chunk, Frame frame, std::uint32_t at) {
  ChunkEntry entry;
  entry.association = association;
  entry.tsn = chunk.header.tsn();
  entry.at = at;
  entry.captured = static_cast<std::uint32_t>(chunk.user_data.size());
  entry.length = chunk.length;
  entry.ppid = chunk.header.ppid();
  entry.frame = frame;
  entry.stream = chunk.header.stream();
  entry.is_control = entry.ppid == sctp::kControlPpid;
  entry.begins = chunk.header.begins();
  entry.ends = chunk.header.ends();
  entry.again = chunk.again;
  entry.copy = chunk.copy;
  auto& by_tsn = associations_[association].by_tsn[index(chunk.direction)];
  if (!entry.is_repeated()) {
    by_tsn.insert_or_assign(entry.tsn, size());
  } else if (const auto before = by_tsn.find(entry.tsn); before != by_tsn.end()) {
    entry.repeats = before->second;
  }
  chunks_.push_back(entry);
}

std::uint32_t Chunks::join(const Connection& connection, const Item& item, const sctp::Message& message) {
  const SessionPlace& place = *connection.over_sctp;
  const auto& by_tsn = associations_[place.association].by_tsn[index(place.of_association(item.direction))];
  std::uint32_t first = kNone, before = kNone;
  const std::uint32_t count = message.last_tsn - message.tsn + 1;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto known = by_tsn.find(message.tsn + i);
    if (known == by_tsn.end()) break;
    ChunkEntry& chunk = chunks_[known->second];
    chunk.connection = connection.id;
    chunk.index = item.index;
    chunk.direction = item.direction;
    (before != kNone ? chunks_[before].next : first) = known->second;
    before = known->second;
  }
  return first;
}

}  // namespace iwarpscope::plugin
