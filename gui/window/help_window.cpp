#include "window/help_window.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

#include "findings/catalogue.h"
#include "models/qp_html.h"

namespace iwarpscope::gui {

HelpWindow::HelpWindow(QWidget* parent) : QDialog(parent), text_(new HtmlView(tr("Explanation"), this)) {
  setWindowTitle(tr("Help"));
  setAccessibleName(windowTitle());
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(text_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->button(QDialogButtonBox::Close)->setAccessibleName(tr("Close"));
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::hide);
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

QString rule_help_html(const QString& code) {
  const findings::Rule* rule = findings::find_rule(code.toStdString());
  if (rule == nullptr) return {};
  const auto text = [](std::string_view words) {
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())).toHtmlEscaped();
  };
  return QStringLiteral("<h2>%1 %2</h2>").arg(text(rule->code), text(rule->name)) + rule_html(*rule);
}

QString help_html(const QWidget* widget) {
  QString html;
  for (; widget != nullptr; widget = widget->parentWidget()) {
    html += rule_help_html(widget->property("rule").toString());
    if (widget->whatsThis().isEmpty()) continue;
    return html + QStringLiteral("<h2>%1</h2><p>%2</p>")
                      .arg(widget->accessibleName().toHtmlEscaped(), widget->whatsThis().toHtmlEscaped());
  }
  return html;
}

}  // namespace iwarpscope::gui
