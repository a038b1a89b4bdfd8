// The messages of one queue pair, as many as there are, in bounded memory.
#pragma once

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <tl/expected.hpp>

#include "api/client.h"
#include "session/session.h"

namespace iwarpscope::gui {

/// Of both directions, as counted until now.
[[nodiscard]] std::uint64_t messages_of(const live::QpView& qp) noexcept;

/// Goes once through all messages of a queue pair, in the order in which they were decided, page by page, and tells
/// each page as it comes: who draws curves adds it up. Beside that it keeps the pages that were looked at last, and
/// fetches those that somebody wants to see before all others. Follows a queue pair that grows.
class MessageStore : public QObject {
  Q_OBJECT

 public:
  static constexpr std::uint32_t kPage = 2000;    ///< messages
  static constexpr std::size_t kMostPages = 200;  ///< kept; a message takes about 350 octets
  static constexpr std::size_t kMostEvents = 200'000;

  /// Asks for messages, or transport events, from a place on. The answer comes later, from the event loop.
  using AskMessages = std::function<void(std::uint64_t qp, std::uint64_t from, std::uint32_t most, QObject* asker,
                                         Session::Then<MessageRows> then)>;
  using AskTransport = std::function<void(std::uint64_t qp, std::uint64_t from, std::uint32_t most, QObject* asker,
                                          Session::Then<TransportRows> then)>;
  MessageStore(AskMessages ask_messages, AskTransport ask_transport, QObject* parent = nullptr);

  /// Begins with another queue pair; nothing: with none.
  void open(const std::optional<live::QpView>& qp);
  /// The queue pair has changed: there may be more of it.
  void follow(const live::QpView& qp);

  [[nodiscard]] std::optional<std::uint64_t> qp() const noexcept { return qp_; }
  /// Places of messages: [begin(), end()). Those before begin() were forgotten by the daemon.
  [[nodiscard]] std::uint64_t begin() const noexcept { return begin_; }
  [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
  /// Null: it is not at hand; it is asked for, and loaded() tells when it is. Valid until the event loop runs again.
  [[nodiscard]] const qp::MessageRecord* at(std::uint64_t place);
  /// How much of the first pass is done, 0..1.
  [[nodiscard]] double progress() const noexcept;
  /// All that has come so far, by frame.
  [[nodiscard]] const std::vector<qp::TransportEvent>& transport() const noexcept { return transport_; }
  /// Events beyond kMostEvents, or that the daemon had forgotten.
  [[nodiscard]] std::uint64_t transport_left_out() const noexcept { return transport_left_out_; }

 signals:
  /// Nothing of what was told before holds any more.
  void reset();
  /// The next page of the pass over all messages: each message comes once, in order of place.
  void passed(const iwarpscope::gui::MessageRows& page);
  /// Messages in [from, from + count) are at hand now.
  void loaded(quint64 from, quint64 count);
  /// begin() or end() has moved.
  void resized();
  void transport_changed();
  /// The daemon did not answer a question, and why.
  void failed(const QString& sentence);

 private:
  struct Page {
    std::vector<qp::MessageRecord> messages;
    std::list<std::uint64_t>::iterator use;
  };

  void go_on();
  void ask(std::uint64_t from, std::uint32_t most, bool is_pass);
  void take(std::uint64_t asked, bool is_pass, const tl::expected<MessageRows, api::Failure>& answer);
  void keep(std::uint64_t page, const MessageRows& rows);
  void ask_events();
  void set_range(std::uint64_t begin, std::uint64_t end);

  const AskMessages ask_messages_;
  const AskTransport ask_transport_;
  std::optional<std::uint64_t> qp_;
  std::uint64_t generation_ = 0;  ///< answers to questions of an earlier one are void
  std::uint64_t begin_ = 0, end_ = 0;
  std::uint64_t passed_ = 0;  ///< place behind the last message told by passed()
  bool asking_ = false, asking_events_ = false;
  std::set<std::uint64_t> wanted_;  ///< pages, by number
  std::map<std::uint64_t, Page> pages_;
  std::list<std::uint64_t> used_;  ///< pages, the latest first
  std::vector<qp::TransportEvent> transport_;
  std::uint64_t next_event_ = 0, transport_left_out_ = 0;
};

}  // namespace iwarpscope::gui
