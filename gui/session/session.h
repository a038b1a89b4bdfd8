// The dashboard's connection to a daemon: what it tells, and what it is asked.
#pragma once

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
#include "session/private_daemon.h"
#include "session/source.h"

namespace iwarpscope::v1 {
class Status;
}

namespace iwarpscope::gui {

class Lane;

/// How it stands with the daemon.
struct Link {
  enum class State : std::uint8_t { connecting, connected, lost, failed };
  State state = State::connecting;  ///< lost: it is tried again. failed: nothing more will come
  QString sentence{};               ///< why it is lost or has failed
  /// Since when it is lost, by the clock of this machine.
  std::optional<TimePoint> since{};
  /// When it is tried again, while it is lost; empty: now, or within a second.
  std::optional<std::chrono::steady_clock::time_point> retry_at{};

  friend bool operator==(const Link&, const Link&) = default;
};

using StatusPtr = std::shared_ptr<const v1::Status>;
using QpRows = std::vector<live::QpView>;
using FindingRows = std::vector<live::FindingView>;

/// Messages of one queue pair, in the order in which they were decided.
struct MessageRows {
  std::uint64_t from = 0;  ///< place of the first of them
  std::vector<qp::MessageRecord> messages;
  std::optional<std::uint64_t> next{};  ///< place behind the last; empty: there are no more now
  std::uint64_t forgotten = 0;          ///< before all that can still be asked for
};
struct TransportRows {
  std::uint64_t from = 0;
  std::vector<qp::TransportEvent> events;
  std::optional<std::uint64_t> next{};
  std::uint64_t forgotten = 0;
};

/// Which packets to save. Empty members ask for nothing.
struct PacketsWanted {
  std::optional<std::uint64_t> qp{};
  std::optional<TimePoint> from{}, to{};
};
struct PacketsSaved {
  QString file;
  std::uint64_t packets = 0;
};

/// Lives in the thread of the windows; waits for nothing. What comes from the daemon is told at most four times a
/// second.
class Session : public QObject, private api::FeedTaker {
  Q_OBJECT

 public:
  template <class T>
  using Then = std::function<void(const tl::expected<T, api::Failure>&)>;

  /// While paused, of queue pairs and of findings each: of more than this and an eighth the oldest are dropped.
  static constexpr std::size_t kMostWaiting = 200'000;

  explicit Session(Source source, QObject* parent = nullptr, std::size_t most_waiting = kMostWaiting);
  /// Ends whatever is going on, within a second.
  ~Session() override;

  void start();
  [[nodiscard]] const Source& source() const noexcept { return source_; }
  [[nodiscard]] const Link& link() const noexcept { return link_; }
  [[nodiscard]] const StatusPtr& status() const noexcept { return status_now_; }
  /// While the connection is lost: tries again at once.
  void try_now();
  /// While paused nothing is told; what changed meanwhile is told at once afterwards.
  void set_paused(bool paused);
  [[nodiscard]] bool is_paused() const noexcept { return paused_; }

  // Questions. The answer comes later, in this thread, unless `asker` is gone by then.
  void ask_qp(std::uint64_t qp, QObject* asker, Then<live::QpView> then);
  void ask_messages(std::uint64_t qp, std::uint64_t from, std::uint32_t most, QObject* asker, Then<MessageRows> then);
  void ask_transport(std::uint64_t qp, std::uint64_t from, std::uint32_t most, QObject* asker,
                     Then<TransportRows> then);
  /// The file appears under its name when it is complete. Other questions do not wait for it; one fetch does for
  /// another.
  void save_packets(const PacketsWanted& wanted, const QString& file, QObject* asker, Then<PacketsSaved> then);
  /// Has the daemon record what follows. Tells the name of the recording.
  void record(std::uint64_t qp, const QString& reason, std::uint32_t seconds, QObject* asker, Then<QString> then);

 signals:
  void link_changed(const iwarpscope::gui::Link& link);
  void status_changed(const iwarpscope::gui::StatusPtr& status);
  /// All there are: what was known before is void.
  void qps_replaced(const iwarpscope::gui::QpRows& qps);
  /// New or changed ones, each once.
  void qps_changed(const iwarpscope::gui::QpRows& qps);
  void findings_replaced(const iwarpscope::gui::FindingRows& findings);
  void findings_added(const iwarpscope::gui::FindingRows& findings);
  /// So many older ones came while it was paused and are not told.
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
  void fail(const QString& sentence);
  void set_link(Link link);
  void lose(const QString& why, const std::optional<std::chrono::steady_clock::time_point>& retry_at);
  void deliver();
  template <class T>
  void ask(Lane* lane, QObject* asker, Then<T> then,
           std::function<tl::expected<T, api::Failure>(api::Client&)> question);

  /// What came and was not told yet; under mutex_.
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
  // The feed's streams are its client's, so questions have one of their own, and what may take long has, too.
  std::unique_ptr<api::Client> feed_client_;
  std::unique_ptr<Lane> questions_, fetches_;
  std::atomic<bool> ending_ = false;
  std::mutex mutex_;
  Inbox inbox_;
  std::unique_ptr<api::Feed> feed_;
};

}  // namespace iwarpscope::gui
