// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/help_window.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QKeyEvent>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include "findings/catalogue.h"
#include "models/summary/qp_html.h"
#include "window/guide.h"

namespace iwarpscope::gui {

HelpWindow::HelpWindow(QWidget* parent) : QDialog(parent), text_(new HtmlView(tr("Explanation"), this)) {
  setWindowTitle(tr("Help"));
  setAccessibleName(windowTitle());
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(text_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->button(QDialogButtonBox::Close)->setAccessibleName(tr("Close"));
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::hide);
  QPushButton* const guide = buttons->addButton(tr("&Guide"), QDialogButtonBox::HelpRole);
  guide->setAccessibleName(tr("Contents of the guide"));
  guide->setAutoDefault(false);
  connect(guide, &QPushButton::clicked, this, [this] { explain(tr("Guide"), guide_contents_html()); });
  connect(text_, &QTextBrowser::anchorClicked, this, &HelpWindow::go);
  layout->addWidget(buttons);
  const QFontMetrics metrics = fontMetrics();
  resize(80 * metrics.averageCharWidth(), 24 * metrics.lineSpacing());
}

void HelpWindow::explain(const QString& title, const QString& html) {
  setWindowTitle(title);
  text_->show_html(html);
  show();
  raise();
  text_->setFocus();
}

void HelpWindow::explain_widget(const QWidget* widget) {
  const QString html = help_html(widget);
  if (!html.isEmpty()) return explain(tr("Help"), html);
  explain(
      tr("Help"),
      QStringLiteral("<p>%1</p>").arg(tr("Go to a view or a finding and press F1 to read about it.").toHtmlEscaped()) +
          guide_contents_html());
}

void HelpWindow::go(const QUrl& link) {
  if (link.scheme() == QLatin1String("chapter")) {
    const QString title = link.path(QUrl::FullyDecoded);
    explain(title, guide_chapter_html(title));
  } else if (link.scheme() == QLatin1String("rule")) {
    explain(tr("Rule %1").arg(link.path()), rule_help_html(link.path()));
  }
}

HelpKey::HelpKey(QObject* parent) : QObject(parent) {
  QCoreApplication::instance()->installEventFilter(this);
}

bool HelpKey::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::HelpContents)) {
    return QObject::eventFilter(watched, event);
  }
  auto* const widget = qobject_cast<QWidget*>(watched);
  auto* const dialog = widget == nullptr ? nullptr : qobject_cast<QDialog*>(widget->window());
  if (dialog == nullptr || qobject_cast<HelpWindow*>(dialog) != nullptr) return QObject::eventFilter(watched, event);
  auto* help = dialog->findChild<HelpWindow*>();
  if (help == nullptr) help = new HelpWindow(dialog);
  help->explain_widget(widget);
  return true;
}

QString rule_help_html(const QString& code) {
  const findings::Rule* rule = findings::find_rule(code.toStdString());
  if (rule == nullptr) return {};
  const auto text = [](std::string_view words) { return QString::fromUtf8(words).toHtmlEscaped(); };
  return QStringLiteral("<h2>%1 %2</h2>").arg(text(rule->code), text(rule->name)) + rule_html(*rule);
}

QString help_html(const QWidget* widget) {
  QString html;
  for (; widget != nullptr; widget = widget->parentWidget()) {
    html += rule_help_html(widget->property("rule").toString());
    if (widget->whatsThis().isEmpty()) continue;
    html += QStringLiteral("<h2>%1</h2><p>%2</p>")
                .arg(widget->accessibleName().toHtmlEscaped(), widget->whatsThis().toHtmlEscaped());
    return html + guide_chapter_html(widget->property("chapter").toString());
  }
  return html;
}

}  // namespace iwarpscope::gui
