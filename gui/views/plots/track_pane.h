// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One track: a queue pair or a host over capture time.
#pragma once

#include <memory>
#include <vector>

#include "models/plots/track_list.h"
#include "views/plots/time_plot.h"

namespace iwarpscope::gui {

/// Above its middle line is what A sends, or the queue pairs that a host opened; below it what B sends, or the queue
/// pairs that the host accepted. The line itself is the life of the queue pair. Flags are above, transport events
/// below. By keyboard, also: N and P go from flag to flag, Enter shows the flag at the cursor, or chooses the queue
/// pair.
class TrackPane : public TimePlot {
  Q_OBJECT

 public:
  explicit TrackPane(QWidget* parent = nullptr);

  void set_track(std::shared_ptr<const Track> track);
  [[nodiscard]] const std::shared_ptr<const Track>& track() const noexcept { return track_; }
  /// Its queue pair is the one that all views show.
  void set_chosen(bool chosen);
  void redraw();
  [[nodiscard]] QString text_at(double seconds) const override;
  /// The flag that is drawn at a point of the pane; null: none.
  [[nodiscard]] const TrackFlag* flag_at(const QPointF& place) const;
  /// Where a flag is drawn.
  [[nodiscard]] QPointF place_of(const TrackFlag& flag) const;

 signals:
  void flag_clicked(const iwarpscope::gui::Focus& focus);
  /// By Enter.
  void flag_activated(const iwarpscope::gui::Focus& focus);
  void chosen(quint64 qp);

 protected:
  void click(double seconds, const QPointF& place) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void dress_again() override;

 private:
  /// The values above and below the line, by slices of the visible time.
  struct Curves {
    QVector<double> at, above, below;
  };
  void dress();
  void fit_title();
  void draw_life();
  void draw_curves();
  void draw_marks();
  void add_letter(double seconds, double height, QChar sign, const QColor& color);
  [[nodiscard]] Curves traffic() const;
  [[nodiscard]] Curves queue_pairs() const;
  [[nodiscard]] double slice() const;
  [[nodiscard]] const TrackFlag* flag_near(double seconds) const;
  void go_to_flag(bool forward);

  std::shared_ptr<const Track> track_;
  QCPTextElement* const title_;  ///< of the plot
  bool is_chosen_ = false;
  std::vector<const TrackFlag*> drawn_;  ///< of the track
};

}  // namespace iwarpscope::gui
