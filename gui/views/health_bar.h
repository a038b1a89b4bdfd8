// One line: what was lost at each stage from the wire to the outputs.
#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

#include "session/session.h"

class QHBoxLayout;
class QToolButton;

namespace iwarpscope::gui {

struct HealthStage;

/// A button for each stage; pressed, it says what the stage is and what to do.
class HealthBar : public QWidget {
  Q_OBJECT

 public:
  explicit HealthBar(QWidget* parent = nullptr);
  /// Null: nothing is known.
  void set_status(const StatusPtr& status);
  /// The daemon is out of reach: nothing of it is well any more.
  void set_stale(bool stale);

 private:
  void resizeEvent(QResizeEvent* event) override;
  void show_stages();
  void show_texts();
  [[nodiscard]] QString shorter(const HealthStage& stage);
  void set_count(std::size_t count);
  StatusPtr status_;
  bool stale_ = false;
  QHBoxLayout* row_;
  std::vector<QToolButton*> buttons_;
  QStringList whole_, short_;  ///< what they say, and what they say where there is no room for that
};

}  // namespace iwarpscope::gui
