// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp_vm/socket_stream.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "sctp_vm/player.h"
#include "synth/wire/address.h"

namespace iwarpscope::sctp_vm {

namespace {

constexpr std::size_t kSsnOctets = 2, kFunctionOctets = 2, kTaggedOctets = 14, kUntaggedOctets = 18;
constexpr std::uint64_t kSeed = 0x5C7900;

unsigned octet(Octets octets, std::size_t at) {
  return std::to_integer<unsigned>(octets[at]);
}
unsigned number16(Octets octets, std::size_t at) {
  return octet(octets, at) << 8 | octet(octets, at + 1);
}

std::string digits(Octets octets) {
  std::string out;
  for (const std::byte o : octets) {
    constexpr const char* kDigits = "0123456789abcdef";
    out += kDigits[std::to_integer<unsigned>(o) >> 4];
    out += kDigits[std::to_integer<unsigned>(o) & 0xF];
  }
  return out;
}

std::string name_of(unsigned opcode) {
  constexpr const char* kNames[] = {"rdma_write",      "rdma_read_request", "rdma_read_response", "send",
                                    "send_invalidate", "send_se",           "send_se_invalidate", "terminate",
                                    "immediate",       "immediate_se",      "atomic_request",     "atomic_response"};
  return opcode < std::size(kNames) ? kNames[opcode] : "unknown";
}

}  // namespace

SocketStream::SocketStream(Player& player, std::uint16_t id)
    : SessionStream(id, kSeed + id), player_(player), other_(peer(player.own())) {}

void SocketStream::put_chunk(Side side, synth::wire::Data chunk) {
  if (!begun_) sessions_.push_back({.stream = id()});
  begun_ = true;
  if (side == other_) {
    expected_.push_back({chunk.ppid, std::move(chunk.user_data)});
    return;
  }
  count(chunk);
  player_.socket().send(id(), chunk.ppid, chunk.user_data);
}

void SocketStream::count(const synth::wire::Data& sent) {
  SessionTruth& truth = sessions_.back();
  const Octets data = Octets(sent.user_data).subspan(kSsnOctets);
  if (sent.ppid == synth::wire::kSessionControlPpid) {
    truth.control.push_back({number16(data, 0), digits(data.subspan(kFunctionOctets))});
    return;
  }
  const bool tagged = (octet(data, 0) & 0x80) != 0;
  const bool last = (octet(data, 0) & 0x40) != 0;
  const std::string opcode = name_of(octet(data, 1) & 0xF);
  ++truth.ddp_segments;
  truth.messages[opcode] += last ? 1 : 0;
  truth.payload_octets[opcode] += data.size() - (tagged ? kTaggedOctets : kUntaggedOctets);
}

void SocketStream::arrived(std::uint32_t ppid, Octets user_data) {
  if (user_data.size() < kSsnOctets) throw std::runtime_error("a user message without a DDP-SSN came");
  arrived_.push_back({ppid, synth::Buffer(user_data.begin(), user_data.end()), next_serial_++});
}

SocketStream::UserMessage SocketStream::take(std::uint16_t ddp_ssn) {
  for (;;) {
    const auto it = std::find_if(arrived_.begin(), arrived_.end(),
                                 [ddp_ssn](const UserMessage& m) { return number16(m.user_data, 0) == ddp_ssn; });
    if (it != arrived_.end()) {
      UserMessage found = std::move(*it);
      arrived_.erase(it);
      return found;
    }
    player_.receive_one();
  }
}

void SocketStream::settle(Side side) {
  if (side != other_) return;  // its peer waits
  while (serials_.size() < expected_.size()) {
    const UserMessage& due = expected_[serials_.size()];
    const UserMessage came = take(static_cast<std::uint16_t>(serials_.size()));
    if (came.ppid != due.ppid || came.user_data != due.user_data) {
      throw std::runtime_error("stream " + std::to_string(id()) + ": DDP-SSN " + std::to_string(serials_.size()) +
                               " is not what its sender put");
    }
    serials_.push_back(came.serial);
  }
}

void SocketStream::acknowledge_all() {
  settle(other_);
  player_.socket().wait_acknowledged();
  end_session();
  expected_.clear();
  serials_.clear();
  begun_ = false;
}

// A message of the other side was overtaken if one with a higher DDP-SSN arrived before it.
void SocketStream::end_session() {
  if (!begun_) return;
  SessionTruth& truth = sessions_.back();
  truth.received = serials_.size();
  truth.overtaken = 0;
  std::uint64_t first_of_later = std::numeric_limits<std::uint64_t>::max();
  for (auto it = serials_.rbegin(); it != serials_.rend(); ++it) {
    truth.overtaken += *it > first_of_later ? 1 : 0;
    first_of_later = std::min(first_of_later, *it);
  }
}

std::vector<SessionTruth> SocketStream::sessions() {
  end_session();
  if (!arrived_.empty()) throw std::runtime_error("stream " + std::to_string(id()) + ": more came than was put");
  return sessions_;
}

// For atomic words, only a different owner matters.
Octets SocketStream::owner(Side side) const {
  static const synth::Address active = "10.1.0.1", passive = "10.2.0.1";
  return (side == Side::initiator ? active : passive).octets();
}

}  // namespace iwarpscope::sctp_vm
