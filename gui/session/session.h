// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The dashboard's connection to a daemon: updates and requests.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QTimer>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <tl/expected.hpp>

#include "api/client.h"
#include "api/feed.h"
#include "api/records.h"
#include "bundle/bundle.h"
#include "session/decoded_frame.h"
#include "session/private_daemon.h"
#include "session/source.h"

namespace iwarpscope::v1 {
class Site;
class Status;
}  // namespace iwarpscope::v1

namespace iwarpscope::gui {

class Lane;

/// State of the connection to the daemon.
struct Link {
  enum class State : std::uint8_t { connecting, connected, lost, failed };
  State state = State::connecting;  ///< lost: the connection is tried again. failed: no more data will arrive
  QString sentence{};               ///< why it is lost or has failed
  /// Time since which it is lost, by the clock of this machine.
  std::optional<TimePoint> since{};
  /// Time of the next attempt while it is lost; empty: now, or within a second.
  std::optional<std::chrono::steady_clock::time_point> retry_at{};

  friend bool operator==(const Link&, const Link&) = default;
};

using StatusPtr = std::shared_ptr<const v1::Status>;
using SitePtr = std::shared_ptr<const v1::Site>;
using QpRows = std::vector<live::QpView>;
using FindingRows = std::vector<live::FindingView>;

/// Messages of one queue pair, in the order in which they were decided.
struct MessageRows {
  std::uint64_t from = 0;  ///< place of the first of them
  std::vector<qp::MessageRecord> messages;
  std::optional<std::uint64_t> next{};  ///< place after the last message; empty: there are no more now
  std::uint64_t discarded = 0;          ///< before the first one that can still be requested
};
struct TransportRows {
  std::uint64_t from = 0;
  std::vector<qp::TransportEvent> events;
  std::optional<std::uint64_t> next{};
  std::uint64_t discarded = 0;
};

/// Which packets to save. Empty members do not filter.
struct PacketsWanted {
  std::optional<std::uint64_t> qp{};
  std::optional<TimePoint> from{}, to{};
};
struct PacketsSaved {
  QString file;
  std::uint64_t packets = 0;
};

/// What to ask a centre about its site.
struct SiteQuestion {
  std::uint32_t days = 7;     ///< that are looked at, today in UTC among them
  std::uint32_t buckets = 7;  ///< of these days, at most 24 for each
  QString sensor{};           ///< only what this one saw, by its name; empty: all
  friend bool operator==(const SiteQuestion&, const SiteQuestion&) = default;
};

/// Lives in the thread of the windows and does not block. Emits data from the daemon at most four times per second.
class Session : public QObject, private api::FeedTaker {
  Q_OBJECT

 public:
  template <class T>
  using Then = std::function<void(const tl::expected<T, api::Failure>&)>;

  /// While paused: above this number and an eighth, the oldest queue pairs and the oldest findings are dropped.
  static constexpr std::size_t kMostWaiting = 200'000;

  explicit Session(Source source, QObject* parent = nullptr, std::size_t most_waiting = kMostWaiting);
  /// Ends all current work within a second.
  ~Session() override;

  void start();
  [[nodiscard]] const Source& source() const noexcept { return source_; }
  [[nodiscard]] const Link& link() const noexcept { return link_; }
  [[nodiscard]] const StatusPtr& status() const noexcept { return status_now_; }
  /// While the connection is lost: tries again at once.
  void try_now();
  /// While paused nothing is emitted; changes in the meantime are emitted at once afterwards.
  void set_paused(bool paused);
  [[nodiscard]] bool is_paused() const noexcept { return paused_; }

  // Requests. The answer arrives later, in this thread, unless `asker` was deleted before.
  void ask_qp(std::uint64_t qp, QObject* asker, Then<live::QpView> then);
  void ask_messages(std::uint64_t qp, std::uint64_t from, std::uint32_t most, QObject* asker, Then<MessageRows> then);
  void ask_transport(std::uint64_t qp, std::uint64_t from, std::uint32_t most, QObject* asker,
                     Then<TransportRows> then);
  /// One frame of that queue pair.
  void ask_frame(std::uint64_t qp, FrameNumber frame, QObject* asker, Then<DecodedFrame> then);
  /// Asks a centre; another daemon refuses. Waits like save_packets().
  void ask_site(const SiteQuestion& question, QObject* asker, Then<SitePtr> then);
  /// The file appears under its name when it is complete. Other requests do not wait for it, but one fetch waits for
  /// another.
  void save_packets(const PacketsWanted& wanted, const QString& file, QObject* asker, Then<PacketsSaved> then);
  /// The HTML report of all queue pairs, or of one, by this program's name. Waits like save_packets().
  void make_report(std::optional<std::uint64_t> qp, QObject* asker, Then<QByteArray> then);
  /// The incident bundle of a queue pair as a zip file. Waits like save_packets().
  void save_bundle(std::uint64_t qp, bool cut_payload, const QString& file, QObject* asker, Then<bundle::Result> then);
  /// Files: reads no more of them. What was read stays, and status() says so when it is analysed.
  void end_replay(QObject* asker, Then<bool> then);
  /// The daemon records the following packets. Returns the name of the recording.
  void record(std::uint64_t qp, const QString& reason, std::uint32_t seconds, QObject* asker, Then<QString> then);

 signals:
  void link_changed(const iwarpscope::gui::Link& link);
  void status_changed(const iwarpscope::gui::StatusPtr& status);
  /// All existing ones: earlier data is invalid.
  void qps_replaced(const iwarpscope::gui::QpRows& qps);
  /// New or changed ones, each once.
  void qps_changed(const iwarpscope::gui::QpRows& qps);
  void findings_replaced(const iwarpscope::gui::FindingRows& findings);
  void findings_added(const iwarpscope::gui::FindingRows& findings);
  /// Number of older ones that arrived while paused and were dropped.
  void qps_dropped(quint64 count);
  void findings_dropped(quint64 count);

 private:
  // api::FeedTaker, on the feed's threads
  void status(std::shared_ptr<const v1::Status> status) override;
  void replace(std::vector<live::QpView> qps) override;
  void apply(live::QpView qp) override;
  void forget_findings() override;
  void finding(live::FindingView&& view) override;
  void trouble(const api::Failure* failure) override;
  void retrying(std::chrono::milliseconds pause) override;

  void open(const api::Place& place);
  [[nodiscard]] bundle::Request report_request(std::optional<std::uint64_t> qp) const;
  void fail(const QString& sentence);
  void set_link(Link link);
  void lose(const QString& why, const std::optional<std::chrono::steady_clock::time_point>& retry_at);
  void deliver();
  template <class T>
  void ask(Lane* lane, QObject* asker, Then<T> then,
           std::function<tl::expected<T, api::Failure>(api::Client&)> question);

  /// Data received and not emitted yet; protected by mutex_.
  struct Inbox {
    StatusPtr status;
    bool has_trouble = false, is_well = false;
    QString trouble;
    std::optional<std::chrono::steady_clock::time_point> retry_at;
    bool replaced = false;
    QpRows qps;
    std::map<std::uint64_t, std::size_t> places;  ///< in `qps`, by number
    bool findings_replaced = false;
    FindingRows findings;
    std::uint64_t qps_dropped = 0, findings_dropped = 0;
  };

  Source source_;
  Link link_;
  StatusPtr status_now_;
  const std::size_t most_waiting_;
  std::atomic<bool> paused_ = false;
  QTimer timer_;
  std::unique_ptr<PrivateDaemon> daemon_;
  // The feed uses the streams of its client. So requests have their own client, and long requests another one.
  std::unique_ptr<api::Client> feed_client_;
  std::unique_ptr<Lane> questions_, fetches_;
  std::atomic<bool> ending_ = false;
  std::mutex mutex_;
  Inbox inbox_;
  std::unique_ptr<api::Feed> feed_;
};

}  // namespace iwarpscope::gui
