// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What went wrong in all queue pairs together: the incidents, the new ones, and when.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "models/overview/throughput.h"
#include "report/incidents.h"
#include "session/session.h"

namespace iwarpscope::gui {

/// An incident as the page shows it.
struct OverviewCard {
  report::Incident incident;        ///< with the verdict's text when that has arrived
  std::uint64_t fresh = 0;          ///< queue pairs that ended badly and that the user has not seen yet
  std::set<std::string> sensors{};  ///< that saw queue pairs which ended badly, at a centre; else empty

  friend bool operator==(const OverviewCard& one, const OverviewCard& other) {
    const qp::VerdictRecord &a = one.incident.verdict, &b = other.incident.verdict;
    return one.incident.key == other.incident.key && one.incident.qp == other.incident.qp &&
           one.incident.count == other.incident.count && one.fresh == other.fresh && one.sensors == other.sensors &&
           a.text == b.text && a.confidence == b.confidence && a.evidence == b.evidence && a.next == b.next;
  }
};

/// Groups the rows of a session again when they have changed: at most once a second, in slices of a few milliseconds.
/// Rows have no text, so the queue pairs that the page shows are requested, one after the other.
class OverviewModel : public QObject {
  Q_OBJECT

 public:
  /// As Session::ask_qp().
  using AskQp = std::function<void(std::uint64_t, QObject*, Session::Then<live::QpView>)>;
  static constexpr std::size_t kMostCards = 20;
  static constexpr std::size_t kMostFailures = 20'000;
  static constexpr int kEveryMs = 1000;
  static constexpr int kSliceMs = 8;

  /// `rows` outlive this object. `live`: failures that come later are new until they are seen.
  OverviewModel(const QpRows& rows, AskQp ask, bool live, QObject* parent = nullptr);

  /// All rows were replaced. What is there the first time is not new.
  void replaced();
  /// Rows were added, changed or dropped.
  void touch();
  /// The daemon began at this time. At another time than before: it was restarted, and it counts queue pairs from 0.
  void set_started(std::int64_t ns);

  /// The rows when they were last grouped.
  [[nodiscard]] const report::Incidents& incidents() const noexcept { return incidents_; }
  /// At most kMostCards: those with new failures, then the others; the worst first.
  [[nodiscard]] const std::vector<OverviewCard>& cards() const noexcept { return cards_; }
  /// Queue pairs of incidents without a card.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }
  /// The last frames of queue pairs that ended badly, of at most kMostFailures.
  [[nodiscard]] const std::vector<FailedQp>& failures() const noexcept { return failures_; }
  /// Failures that the user has not seen yet.
  [[nodiscard]] std::uint64_t fresh() const noexcept { return fresh_count_; }
  /// All rows are grouped, and all cards have their texts.
  [[nodiscard]] bool is_settled() const noexcept {
    return has_begun_ && !dirty_ && !building_ && !asking_ && !again_.isActive();
  }
  void see(const report::IncidentKey& key);
  void see_all();

 signals:
  void changed();
  /// There are more new failures than before: `count` of them.
  void failed(quint64 count);

 private:
  using Numbers = std::unordered_set<std::uint64_t>;
  using FreshByKey = std::map<report::IncidentKey, Numbers>;
  using SensorsByKey = std::map<report::IncidentKey, std::set<std::string>>;
  /// What is grouped in slices, and then replaces what is shown.
  struct Building {
    std::size_t next = 0;  ///< the place of the next row
    report::Incidents incidents;
    std::vector<FailedQp> failures;
    Numbers seen;
    FreshByKey fresh;
    SensorsByKey sensors;
  };
  void schedule();
  void slice();
  void take(const live::QpView& row);
  void finish();
  void make_cards();
  void add_text(OverviewCard& card) const;
  void ask_next();

  const QpRows& rows_;
  const AskQp ask_;
  const bool live_;
  bool has_begun_ = false;  ///< the first rows have come
  bool dirty_ = false;
  std::optional<std::int64_t> started_;
  QTimer timer_;
  QTimer again_;  ///< until a card is asked about that got no text
  QElapsedTimer since_last_;
  std::unique_ptr<Building> building_;
  report::Incidents incidents_;
  std::vector<FailedQp> failures_;
  Numbers seen_;  ///< that ended badly and are not new
  FreshByKey fresh_;
  SensorsByKey sensors_;
  std::uint64_t fresh_count_ = 0;
  std::vector<OverviewCard> cards_;
  std::uint64_t left_out_ = 0;
  /// The queue pairs of cards.
  struct Text {
    qp::VerdictRecord verdict;
    QElapsedTimer age;
  };
  std::map<std::uint64_t, Text> texts_;
  bool asking_ = false;
};

}  // namespace iwarpscope::gui
