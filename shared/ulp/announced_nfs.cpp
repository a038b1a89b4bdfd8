// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// NFS and other RPC programs: the chunk lists of an RPC-over-RDMA version 1 call.
#include <algorithm>

#include "ulp/announcements.h"

namespace iwarpscope::ulp {
namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kMessage = 0;    // RDMA_MSG: the RPC message follows the lists
constexpr std::uint32_t kNoMessage = 1;  // RDMA_NOMSG: it lies in a chunk
constexpr std::uint32_t kCall = 0;       // msg_type of RPC. Source: RFC 5531 §9
constexpr std::uint32_t kRpcVersion = 2;
constexpr std::size_t kSegmentOctets = 16;

/// Takes XDR words from the front. Once they run out, all is zero and good() is false.
class Xdr {
 public:
  explicit Xdr(Octets octets) noexcept : rest_(octets), have_(octets.size()) {}

  std::uint32_t word() noexcept {
    if (rest_.size() < sizeof(std::uint32_t)) return fail();
    const auto value = load_be<std::uint32_t>(rest_);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }
  std::uint64_t hyper() noexcept {
    const std::uint64_t high = word();
    return high << 32 | word();
  }
  /// An "optional-data" discriminator, which is 0 or 1.
  bool more() noexcept {
    const std::uint32_t value = word();
    if (value > 1) fail();
    return good_ && value == 1;
  }
  std::uint32_t fail() noexcept {
    good_ = false;
    rest_ = {};
    return 0;
  }
  [[nodiscard]] bool good() const noexcept { return good_; }
  [[nodiscard]] std::size_t left() const noexcept { return rest_.size(); }
  [[nodiscard]] std::size_t taken() const noexcept { return have_ - rest_.size(); }

 private:
  Octets rest_;
  std::size_t have_;
  bool good_ = true;
};

/// xdr_rdma_segment: handle, length, offset.
void take_segment(Xdr& xdr, Access granted, Announcements& found) noexcept {
  const STag handle{xdr.word()};
  const std::uint32_t length = xdr.word();
  const std::uint64_t offset = xdr.hyper();
  if (xdr.good() && !found.add(handle, offset, length, granted)) xdr.fail();
}

/// The Read list. Returns whether it has a chunk at position 0, which holds the RPC message itself.
bool take_read_list(Xdr& xdr, Announcements& found) noexcept {
  bool holds_message = false;
  while (xdr.more()) {
    const std::uint32_t position = xdr.word();
    if (position % 4 != 0) xdr.fail();
    holds_message |= position == 0;
    take_segment(xdr, Access::read, found);
  }
  return holds_message;
}

/// A counted array of segments: a chunk that the peer writes.
void take_write_chunk(Xdr& xdr, Announcements& found) noexcept {
  const std::uint32_t count = xdr.word();
  if (count > xdr.left() / kSegmentOctets) xdr.fail();
  for (std::uint32_t k = 0; xdr.good() && k < count; ++k) take_segment(xdr, Access::write, found);
}

}  // namespace

Announcements announced_by_nfs(const SendPayload& payload) noexcept {
  Xdr xdr(payload.octets);
  Announcements found;
  const std::uint32_t xid = xdr.word();
  const std::uint32_t version = xdr.word();
  xdr.word();  // credits
  const std::uint32_t procedure = xdr.word();
  if (version != kVersion || (procedure != kMessage && procedure != kNoMessage)) return {};
  const bool holds_message = take_read_list(xdr, found);
  while (xdr.more()) take_write_chunk(xdr, found);
  if (xdr.more()) take_write_chunk(xdr, found);
  bool calls = false;
  if (procedure == kMessage) {
    const bool same = xdr.word() == xid;
    const bool call = xdr.word() == kCall;
    calls = xdr.word() == kRpcVersion && same && call;
  } else {
    // A reply has no Read list; the message is in the chunk at position 0, and nothing follows the lists.
    calls = holds_message && xdr.taken() == payload.length;
  }
  return xdr.good() && calls ? found : Announcements{};
}

}  // namespace iwarpscope::ulp
