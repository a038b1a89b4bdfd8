// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Several queue pairs, or hosts, over the same time.
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

#include "models/plots/track_list.h"
#include "models/selection.h"
#include "views/plots/time_axis.h"
#include "views/plots/track_pane.h"

class QAction;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace iwarpscope::gui {

class TimeBar;

/// One pane for each track, and the axis of time below them, which does not scroll. A marked span is set in the
/// Selection, and so in every view. A click on a pane chooses its queue pair.
class TrackView : public QWidget {
  Q_OBJECT

 public:
  /// Both outlive the view.
  TrackView(TrackList& list, Selection& selection, QWidget* parent = nullptr);
  [[nodiscard]] const std::vector<TrackPane*>& panes() const noexcept { return panes_; }
  [[nodiscard]] TimeAxis& axis() noexcept { return *axis_; }
  /// How many are shown, and of how many.
  [[nodiscard]] QString count_text() const;

 signals:
  void flag_clicked(const iwarpscope::gui::Focus& focus);
  void frame_wanted(const iwarpscope::gui::Focus& focus);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void make_bar(QVBoxLayout& all);
  void make_menu();
  void copy_chosen();
  void show_tracks();
  void draw();
  void mark_chosen();
  void explain();
  TrackPane* make_pane();

  TrackList& list_;
  Selection& selection_;
  QComboBox* kind_ = nullptr;
  QAction* keep_ = nullptr;
  TimeBar* bar_;
  QLabel* legend_;
  QLabel* values_;
  QScrollArea* area_;
  QVBoxLayout* column_ = nullptr;
  TimeAxis* axis_;
  QHBoxLayout* axis_row_ = nullptr;
  std::vector<TrackPane*> panes_;
  std::optional<QCPRange> span_;  ///< chosen span; else the whole time
};

}  // namespace iwarpscope::gui
