// What became of one queue pair, how sure that is, why, and what to check next.
#pragma once

#include <QWidget>

#include <optional>
#include <vector>

#include "models/finding_table.h"
#include "models/frame_clock.h"
#include "models/selection.h"
#include "views/html_view.h"

namespace iwarpscope::gui {

/// Links of frames lead the selection there; those of rules are told.
class VerdictView : public QWidget {
  Q_OBJECT

 public:
  /// All must outlive it.
  VerdictView(Selection& selection, const FindingTable& findings, QWidget* parent = nullptr);
  void set_qp(const live::QpView& qp);
  void clear();
  /// Messages of the queue pair: they tell which frames of the evidence lie in the marked time.
  void note(const MessageRows& page);
  /// Times of the queue pair's frames, as far as they are known here.
  [[nodiscard]] const FrameClock& clock() const noexcept { return clock_; }
  [[nodiscard]] QString plain_text() const { return text_->toPlainText(); }
  /// "Failed...": one sentence to be copied into a mail.
  [[nodiscard]] QString sentence() const;

 signals:
  /// Somebody wants to read about this rule: its code.
  void rule_wanted(const QString& code);
  /// Somebody wants to see this one in the list of findings.
  void finding_wanted(quint64 sequence);

 private:
  bool eventFilter(QObject* watched, QEvent* event) override;
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
  FrameClock clock_;
  std::optional<live::QpView> qp_;
  std::vector<live::FindingView> shown_;
};

}  // namespace iwarpscope::gui
