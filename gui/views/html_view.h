// Rich text with the colours of the window: what verdict, handshake and help are shown in.
#pragma once

#include <QTextBrowser>

namespace iwarpscope::gui {

/// Keeps its place when the text is set anew, and follows the palette. Follows no links by itself: anchorClicked().
class HtmlView : public QTextBrowser {
  Q_OBJECT

 public:
  /// `name`: for those who cannot see it.
  explicit HtmlView(const QString& name, QWidget* parent = nullptr);
  void show_html(const QString& html);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void apply_colors();
  QString html_;
};

}  // namespace iwarpscope::gui
