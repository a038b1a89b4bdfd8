// Says that the connection is lost, since when, and when it is tried again.
#pragma once

#include <QTimer>

#include "session/session.h"
#include "views/banner.h"

class QLabel;
class QPushButton;

namespace iwarpscope::gui {

class ConnectionBanner : public Banner {
  Q_OBJECT

 public:
  explicit ConnectionBanner(QWidget* parent = nullptr);
  /// `as_of`: the time of what is shown; empty: nothing is.
  void show_link(const Link& link, const QString& as_of);
  /// "Trying again in 4 s"; empty: it is not.
  [[nodiscard]] QString countdown() const;

 signals:
  /// The button was pressed.
  void try_wanted();

 private:
  void count();
  Link link_;
  QLabel* countdown_;
  QPushButton* now_;
  QTimer ticks_;
};

/// "05:40:12 UTC", of today or of a day long ago.
[[nodiscard]] QString clock_text(TimePoint time);

}  // namespace iwarpscope::gui
