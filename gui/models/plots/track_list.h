// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Tracks: several queue pairs, or hosts, over the same time.
#pragma once

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "models/findings/finding_table.h"
#include "models/ladder/message_store.h"
#include "models/plots/track_data.h"
#include "models/selection.h"

namespace iwarpscope::gui {

/// A finding, or the end of a queue pair that failed.
struct TrackFlag {
  TimePoint time;
  QChar sign;      ///< "E", "W", "N", or ✗
  int weight = 0;  ///< of several flags at one place, the one with the highest weight is drawn
  Focus focus;
  std::optional<findings::FindingId> rule;  ///< empty: the end of a queue pair
  qp::Outcome outcome{};                    ///< of that queue pair
  /// In words.
  [[nodiscard]] QString text() const;
};

/// One lane. Belongs to a TrackList.
struct Track {
  std::optional<std::uint64_t> number;  ///< of its queue pair; empty: a host
  net::IpAddress host;                  ///< if it is one
  QString title;
  TimePoint first, last;
  std::vector<TrackFlag> flags;  ///< by time
  std::uint64_t flags_left_out = 0;

  // Queue pairs
  live::QpView qp;  ///< as a row, until the complete one arrives
  TrackData data;
  std::unique_ptr<MessageStore> messages;
  std::size_t events = 0;                  ///< of `messages` that are in `data`
  std::optional<std::uint64_t> asked_for;  ///< its version

  // Hosts: first and last time of their queue pairs
  using Times = std::vector<std::pair<TimePoint, TimePoint>>;
  Times opened, accepted;
};

/// Chooses the tracks and reads what they show, in bounded memory, while they are shown. Signals changes at most four
/// times per second.
class TrackList : public QObject {
  Q_OBJECT

 public:
  static constexpr std::size_t kMost = 12;                 ///< tracks
  static constexpr std::uint64_t kMostMessages = 100'000;  ///< of each queue pair
  static constexpr std::size_t kMostEvents = 20'000;       ///< of each queue pair
  static constexpr std::size_t kMostFlags = 5000;          ///< of each track

  enum class Kind : std::uint8_t { queue_pairs, hosts };
  /// The first queue pairs of the table, in its order, and the number of all that it shows.
  struct Order {
    std::vector<std::uint64_t> first;
    std::size_t all = 0;
  };
  struct Sources {
    std::function<const QpRows&()> rows;
    std::function<Order(std::size_t most)> order;
    std::function<void(std::uint64_t qp, QObject* asker, Session::Then<live::QpView> then)> ask_qp;
    MessageStore::AskMessages ask_messages;
    MessageStore::AskTransport ask_transport;
  };

  /// All outlive it.
  TrackList(Sources sources, const FindingTable& findings, const Selection& selection, QObject* parent = nullptr);

  void set_kind(Kind kind);
  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  /// The track of this queue pair stays, whatever the table shows.
  void keep(std::uint64_t qp, bool kept);
  [[nodiscard]] bool is_kept(std::uint64_t qp) const { return kept_.contains(qp); }
  /// Without it, nothing is read.
  void set_active(bool active);
  /// Something has changed: looks at all sources again.
  void touch();
  /// All data has arrived, other than this.
  void forget();

  [[nodiscard]] const std::vector<std::shared_ptr<Track>>& tracks() const noexcept { return tracks_; }
  /// Queue pairs, or hosts, without a track.
  [[nodiscard]] std::size_t left_out() const noexcept { return left_out_; }
  /// From the first to the last time of all tracks; empty: no tracks.
  [[nodiscard]] std::optional<TimeRange> whole() const;
  /// All messages that the tracks show have arrived.
  [[nodiscard]] bool is_read() const;

 signals:
  void changed();

 private:
  void refresh();
  void arrange_qps();
  void arrange_hosts();
  void fetch(const std::shared_ptr<Track>& track);
  [[nodiscard]] std::shared_ptr<Track> make_track(std::uint64_t number);
  void raise_flags();

  const Sources sources_;
  const FindingTable& findings_;
  const Selection& selection_;
  Kind kind_ = Kind::queue_pairs;
  std::set<std::uint64_t> kept_;
  std::vector<std::shared_ptr<Track>> tracks_;
  std::size_t left_out_ = 0;
  bool active_ = false;
  QTimer timer_;
};

}  // namespace iwarpscope::gui
