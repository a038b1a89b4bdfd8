// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The outcome of one queue pair, its cause, the confidence, the evidence, and what to check next.
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

#include "models/findings/finding_table.h"
#include "models/plots/frame_clock.h"
#include "models/selection.h"
#include "views/summary/html_view.h"

namespace iwarpscope::gui {

/// Links to frames set the selection; links to rules are emitted.
class VerdictView : public QWidget {
  Q_OBJECT

 public:
  /// All must outlive it.
  VerdictView(Selection& selection, const FindingTable& findings, QWidget* parent = nullptr);
  void set_qp(const live::QpView& qp);
  void clear();
  /// While no queue pair is chosen: why, and what to do.
  void set_hint(const QString& hint);
  /// Messages of the queue pair: they show which frames of the evidence are in the marked time.
  void note(const MessageRows& page);
  /// Known times of the queue pair's frames.
  [[nodiscard]] const FrameClock& clock() const noexcept { return clock_; }
  [[nodiscard]] QString plain_text() const { return text_->toPlainText(); }
  /// "Failed...": one sentence to copy into a mail.
  [[nodiscard]] QString sentence() const;
  /// To show all of the text without scrolling.
  [[nodiscard]] int wanted_height() const;

 signals:
  /// wanted_height() has changed.
  void resized();
  /// Request to read about this rule: its code.
  void rule_wanted(const QString& code);
  /// Request to show this frame, of the evidence.
  void frame_wanted(const iwarpscope::gui::Focus& focus);
  /// Request to show this finding in the list of findings.
  void finding_wanted(quint64 sequence);

 private:
  void copy_sentence();
  void show_menu(const QPoint& at);
  void show_all();
  void go(const QUrl& link);
  [[nodiscard]] QString of_no_qp() const;
  [[nodiscard]] TimePoint time_of(FrameNumber frame) const;
  [[nodiscard]] QString place_in_time(FrameNumber frame) const;

  Selection& selection_;
  const FindingTable& findings_;
  HtmlView* text_;
  QAction* copy_ = nullptr;
  QString hint_;
  FrameClock clock_;
  std::optional<live::QpView> qp_;
  std::vector<live::FindingView> shown_;
};

}  // namespace iwarpscope::gui
