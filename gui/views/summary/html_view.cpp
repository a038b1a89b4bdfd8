// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/summary/html_view.h"

#include <QEvent>
#include <QScrollBar>

#include "views/colors.h"

namespace iwarpscope::gui {

HtmlView::HtmlView(const QString& name, QWidget* parent) : QTextBrowser(parent) {
  setAccessibleName(name);
  setOpenLinks(false);
  setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
  setFrameShape(QFrame::NoFrame);
  document()->setDocumentMargin(fontMetrics().averageCharWidth());
  apply_colors();
}

void HtmlView::show_html(const QString& html) {
  if (html == html_) return;
  html_ = html;
  const int place = verticalScrollBar()->value();
  setHtml(html);
  verticalScrollBar()->setValue(place);
}

void HtmlView::changeEvent(QEvent* event) {
  QTextBrowser::changeEvent(event);
  if (event->type() != QEvent::PaletteChange && event->type() != QEvent::StyleChange) return;
  apply_colors();
  const int place = verticalScrollBar()->value();
  setHtml(html_);
  verticalScrollBar()->setValue(place);
}

void HtmlView::apply_colors() {
  using findings::Severity;
  const auto text = [&](Severity severity) { return severity_color(severity, palette()).name(); };
  const auto area = [&](Severity severity) { return severity_background(severity, palette()).name(); };
  document()->setDefaultStyleSheet(
      QStringLiteral(
          ".error { color: %1; } .warning { color: %2; } .note { color: %3; } .faint { color: %4; "
          "font-weight: normal; } .conflict { background-color: %5; font-weight: bold; } .differs { "
          "background-color: %6; } a { color: %7; } .completed { color: %8; } .sentence { font-size: large; }")
          .arg(text(Severity::error), text(Severity::warning), text(Severity::note), faint_color(palette()).name(),
               area(Severity::error), area(Severity::note), palette().color(QPalette::Link).name(),
               outcome_color(qp::Outcome::completed, palette()).name()));
}

}  // namespace iwarpscope::gui
