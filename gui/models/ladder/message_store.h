// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The messages of one queue pair, as many as it has, in bounded memory.
#pragma once

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <tl/expected.hpp>

#include "api/client.h"
#include "session/session.h"

namespace iwarpscope::gui {

/// Messages of both directions, as counted so far.
[[nodiscard]] std::uint64_t messages_of(const live::QpView& qp) noexcept;

/// Reads all messages of a queue pair once, in the order in which they were decided, page by page, and emits each page
/// when it arrives, for example for curves. It also keeps the pages that were used last. Pages needed for display are
/// fetched first. Follows a queue pair that grows.
class MessageStore : public QObject {
  Q_OBJECT

 public:
  static constexpr std::uint32_t kPage = 2000;  ///< messages
  struct Limits {
    std::size_t pages = 40;  ///< pages kept: 28 MiB, as a message needs about 350 octets
    std::size_t events = 200'000;
    std::uint64_t messages = std::numeric_limits<std::uint64_t>::max();  ///< that the pass reads
  };

  /// Requests messages, or transport events, from a place on. The answer arrives later, from the event loop.
  using AskMessages = std::function<void(std::uint64_t qp, std::uint64_t from, std::uint32_t most, QObject* asker,
                                         Session::Then<MessageRows> then)>;
  using AskTransport = std::function<void(std::uint64_t qp, std::uint64_t from, std::uint32_t most, QObject* asker,
                                          Session::Then<TransportRows> then)>;
  MessageStore(AskMessages ask_messages, AskTransport ask_transport, QObject* parent = nullptr);
  MessageStore(AskMessages ask_messages, AskTransport ask_transport, const Limits& limits, QObject* parent = nullptr);

  /// Starts with another queue pair; empty: with none.
  void open(const std::optional<live::QpView>& qp);
  /// The queue pair has changed: it may have more messages.
  void follow(const live::QpView& qp);

  [[nodiscard]] std::optional<std::uint64_t> qp() const noexcept { return qp_; }
  /// Places of messages: [begin(), end()). The daemon has discarded those before begin().
  [[nodiscard]] std::uint64_t begin() const noexcept { return begin_; }
  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
  /// Null: not loaded; it is requested, and loaded() is emitted when it arrives. Valid until the event loop runs again.
  [[nodiscard]] const qp::MessageRecord* at(std::uint64_t place);
  /// Progress of the first pass, 0..1.
  [[nodiscard]] double progress() const noexcept;
  /// Messages, or the first transport events, of the queue pair are still to come.
  [[nodiscard]] bool is_loading() const noexcept { return progress() < 1 || (qp_ && events_ < Events::idle); }
  /// All events received so far, by frame.
  [[nodiscard]] const std::vector<qp::TransportEvent>& transport() const noexcept { return transport_; }
  /// Number of events above the limit, or discarded by the daemon.
  [[nodiscard]] std::uint64_t transport_left_out() const noexcept { return transport_left_out_; }

 signals:
  /// All data emitted before is invalid.
  void reset();
  /// The next page of the pass over all messages: each message is emitted once, in order of place.
  void passed(const iwarpscope::gui::MessageRows& page);
  /// Messages in [from, from + count) are loaded now.
  void loaded(quint64 from, quint64 count);
  /// begin() or end() has changed.
  void resized();
  void transport_changed();
  /// The daemon did not answer a request; with the reason.
  void failed(const QString& sentence);

 private:
  struct Page {
    std::vector<qp::MessageRecord> messages;
    std::list<std::uint64_t>::iterator use;
  };

  /// Transport events: `first` and `more` wait for an answer.
  enum class Events : std::uint8_t { unasked, first, idle, more };

  void go_on();
  void ask(std::uint64_t from, std::uint32_t most, bool is_pass);
  void take(std::uint64_t asked, bool is_pass, const tl::expected<MessageRows, api::Failure>& answer);
  void keep(std::uint64_t page, const MessageRows& rows);
  void ask_events();
  void set_range(std::uint64_t begin, std::uint64_t end);
  /// The place after the last message that the pass reads.
  [[nodiscard]] std::uint64_t pass_end() const noexcept;

  const AskMessages ask_messages_;
  const AskTransport ask_transport_;
  const Limits limits_;
  std::optional<std::uint64_t> qp_;
  std::uint64_t generation_ = 0;  ///< answers to requests of an earlier one are ignored
  std::uint64_t begin_ = 0, end_ = 0;
  std::uint64_t passed_ = 0;  ///< place after the last message emitted by passed()
  bool asking_ = false;
  Events events_ = Events::unasked;
  std::set<std::uint64_t> wanted_;  ///< pages, by number
  std::map<std::uint64_t, Page> pages_;
  std::list<std::uint64_t> used_;  ///< pages, the latest first
  std::vector<qp::TransportEvent> transport_;
  std::uint64_t next_event_ = 0, transport_left_out_ = 0;
};

}  // namespace iwarpscope::gui
