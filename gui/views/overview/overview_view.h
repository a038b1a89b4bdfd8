// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The first page: what went wrong, the worst first, how good the capture is, and when it happened.
#pragma once

#include <QWidget>

#include <vector>

#include "models/findings/finding_table.h"
#include "models/overview/overview_model.h"
#include "models/selection.h"

class QBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace iwarpscope::gui {

class IncidentCard;
class ThroughputStrip;

/// With a daemon, its cards do not move while the mouse is over one of them.
class OverviewView : public QWidget {
  Q_OBJECT

 public:
  /// The model outlives the view. `of_file`: words for a file, not for a daemon.
  OverviewView(OverviewModel& model, bool of_file, QWidget* parent = nullptr);
  void set_status(const StatusPtr& status);
  /// Why there will be nothing to show; empty: there may be.
  void set_hint(const QString& hint);
  /// Errors and warnings about no queue pair: no incident has them, and some say why there is no queue pair.
  void set_findings_of_no_qp(const FindingTable::OfNoQp& some);
  /// To the context menus of incidents and of the throughput, at the end. Call it once.
  void add_to_menus(const QList<QAction*>& actions);
  /// All that it says.
  [[nodiscard]] QString plain_text() const;
  [[nodiscard]] const std::vector<IncidentCard*>& cards() const noexcept { return cards_; }

 signals:
  void frame_wanted(const iwarpscope::gui::Focus& focus);
  void qps_wanted(const QString& filter, quint64 qp);
  void qp_chosen(quint64 qp);
  void findings_wanted();
  void finding_wanted(quint64 sequence);
  void hosts_wanted();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* make_cards();
  QWidget* make_side();
  void refresh();
  void refresh_later();
  void show_cards();
  void show_sentences();
  [[nodiscard]] QString title(const QString& outcomes, bool is_reading) const;
  void show_quality();
  void follow_link(const QString& link);
  void show_throughput();
  void place_throughput();
  IncidentCard* make_card();
  [[nodiscard]] bool is_held() const;

  OverviewModel& model_;
  const bool of_file_;
  StatusPtr status_;
  QString hint_;
  bool is_waiting_ = false;  ///< the mouse holds the cards, and there is something newer
  QScrollArea* scroll_;
  QVBoxLayout* rows_ = nullptr;
  QBoxLayout* columns_ = nullptr;
  QWidget* side_ = nullptr;
  QVBoxLayout* side_column_ = nullptr;
  QWidget* throughput_ = nullptr;
  std::optional<findings::Severity> worst_of_no_qp_;
  bool is_below_ = false;  ///< throughput_ is below the columns, not beside the incidents
  QVBoxLayout* list_ = nullptr;
  QLabel *title_, *none_, *repaired_, *more_, *of_no_qp_, *first_, *blamed_, *quality_, *traffic_;
  QPushButton *all_seen_, *findings_, *hosts_;
  ThroughputStrip* strip_;
  std::vector<IncidentCard*> cards_;
  QList<QAction*> of_others_;  ///< at the end of the context menus
};

}  // namespace iwarpscope::gui
