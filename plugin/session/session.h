// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A capture that is open in Wireshark: feeds every frame to the core once, and stores what each frame's tree shows.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/analyzer.h"
#include "analysis/trace.h"
#include "findings/finding.h"
#include "session/chunks.h"
#include "session/connection.h"
#include "session/entries.h"
#include "session/octet_store.h"

namespace iwarpscope::plugin {

/// Options of the user. Units: octets.
struct SessionOptions {
  bool emulation = true;
  std::size_t keep_octets = std::size_t{512} << 20;     ///< of FPDUs in several frames and of complete messages
  std::size_t largest_message = std::size_t{16} << 20;  ///< untagged; larger ones are not reassembled
  std::size_t largest_untaken = std::size_t{16}
                                << 10;  ///< kept if no upper layer accepts it; for tagged messages: always the limit
};

/// The items of a frame's tree. Valid until the next call of feed() or finish().
struct FrameView {
  const PayloadEntry* payload = nullptr;      ///< null: no TCP payload of a queue pair
  std::span<const Item> items;                ///< in the order in which they were found
  std::span<const Item> late;                 ///< found at the end of the capture
  std::uint32_t first_chunk = 0, chunks = 0;  ///< DATA chunks of the frame: Session::chunk()
};

/// Analyses frames when they are dissected for the first time. Not thread-safe. Memory grows with the capture, as
/// Wireshark's own memory does; the octets kept are bounded.
class Session final : private analysis::Observer, private analysis::Trace {
 public:
  explicit Session(const SessionOptions& options);
  ~Session();

  /// Feeds the next frame, in the order of the capture. Does nothing after finish().
  void feed(const net::Frame& frame);
  /// The capture has ended: computes the results that need the end. Further calls do nothing.
  void finish();
  /// Frees the octets of a message that no upper layer accepted, if it is large.
  void none_took(std::uint32_t connection, Direction direction, std::uint32_t message);
  [[nodiscard]] bool is_finished() const noexcept { return finished_; }
  /// Number of the frame fed last; 0: none.
  [[nodiscard]] Frame last_frame() const noexcept { return last_; }

  [[nodiscard]] FrameView frame(Frame number) const;
  /// The queue pair of the frame's TCP payload, or over SCTP of its first DATA chunk that is part of a message; null:
  /// none. Cheap: called for each TCP segment.
  [[nodiscard]] const Connection* queue_pair_of(Frame number) const;
  /// The frame's TCP payload belongs to a connection that is, or may become, a queue pair.
  [[nodiscard]] bool is_followed(Frame number) const;
  /// The frame has DATA chunks of an association that carries DDP.
  [[nodiscard]] bool carries_ddp(Frame number) const;
  [[nodiscard]] const ChunkEntry& chunk(std::uint32_t index) const { return chunks_.at(index); }
  /// Frame that shows the message of the chunk, or of the chunk it repeats; 0: no message.
  [[nodiscard]] Frame shown_in(const ChunkEntry& chunk) const;
  /// Null: it was not a queue pair after all.
  [[nodiscard]] const Connection* connection(std::uint32_t id) const { return connections_[id].get(); }
  [[nodiscard]] const findings::Finding& finding(std::uint32_t index) const { return findings_[index]; }
  [[nodiscard]] std::size_t findings() const noexcept { return findings_.size(); }
  [[nodiscard]] const Connection* queue_pair(std::uint64_t number) const;
  [[nodiscard]] std::size_t queue_pairs() const noexcept { return by_number_.size(); }
  /// The record of a queue pair; null before finish().
  [[nodiscard]] const qp::QpRecord* record(std::uint64_t number) const;
  [[nodiscard]] const SessionOptions& options() const noexcept { return options_; }
  /// Octets that were not kept because the limit was reached.
  [[nodiscard]] std::uint64_t octets_refused() const noexcept { return store_.refused(); }

 private:
  friend class Connection;

  // analysis::Trace, analysis::Observer
  analysis::Watcher* follow(const qp::Beginning& beginning) override;
  analysis::Watcher* follow(std::uint64_t association, const sctp::SessionStart& session) override;
  void data(std::uint64_t association, const sctp::DataSeen& chunk) override;
  void numbered(analysis::QpPlace place, std::uint64_t qp) override;
  void message(const qp::MessageRecord& record) override;
  void finding(const findings::Finding& finding) override;
  void qp(const qp::QpRecord& record) override;

  // For connections.
  void confirmed(analysis::QpPlace place, Connection& connection) {
    places_[{place.shard, place.index}] = connection.id;
  }
  void dropped(std::uint32_t id) { connections_[id].reset(); }
  void payload(const Connection& connection, Direction d, const net::TcpPacket& packet,
               std::optional<StreamOffset> offset);
  /// Adds an item to the tree of the current frame; after the end of the capture, of `frame`. Returns its index.
  Frame show(const Item& item, FrameNumber frame);
  /// Position of `octets` in the current frame; kNone: elsewhere.
  [[nodiscard]] std::uint32_t place_in_frame(Octets octets) const noexcept;

  struct FrameEntry {
    Frame number = 0;
    std::uint32_t first_item = 0, items = 0;    ///< into items_
    std::uint32_t first_chunk = 0, chunks = 0;  ///< of chunks_
    PayloadEntry payload;
  };
  FrameEntry& current_entry();
  FrameEntry& entry_of(Frame number);
  void forget_last();
  [[nodiscard]] const FrameEntry* find(Frame number) const;

  const SessionOptions options_;
  OctetStore store_;
  std::deque<FrameEntry> frames_;  ///< by number; only frames with items
  std::vector<Item> items_;
  std::map<Frame, std::vector<Item>> late_;
  std::vector<std::unique_ptr<Connection>> connections_;
  Chunks chunks_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> places_;  ///< connection by shard and index
  std::vector<std::uint32_t> by_number_;                                     ///< connection by queue pair
  std::deque<findings::Finding> findings_;
  std::vector<qp::QpRecord> records_;
  Octets octets_available_;
  Frame last_ = 0;
  std::uint32_t available_ = kNone;  ///< the connection of the TCP segment in the current frame
  bool finished_ = false;
  analysis::Analyzer analyzer_;
};

}  // namespace iwarpscope::plugin
