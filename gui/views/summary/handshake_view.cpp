// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/summary/handshake_view.h"

#include <QVBoxLayout>

#include "models/summary/qp_html.h"

namespace iwarpscope::gui {

HandshakeView::HandshakeView(QWidget* parent) : QWidget(parent), text_(new HtmlView(tr("Handshake"), this)) {
  setAccessibleName(tr("Handshake of the queue pair"));
  setWhatsThis(
      tr("Shows how the queue pair was set up: the contents of the Request (over SCTP: of the Initiate) and of the "
         "answer, their differences and what these mean, and the settings in use."));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(text_);
  setFocusProxy(text_);
  clear();
}

void HandshakeView::set_qp(const live::QpView& qp) {
  text_->show_html(handshake_html(qp.record));
  is_clear_ = false;
}

void HandshakeView::clear() {
  const QString hint = hint_.isEmpty() ? tr("Choose a queue pair to see how it was set up.") : hint_;
  text_->show_html(QStringLiteral("<p>%1</p>").arg(hint.toHtmlEscaped()));
  is_clear_ = true;
}

void HandshakeView::set_hint(const QString& hint) {
  hint_ = hint;
  if (is_clear_) clear();
}

}  // namespace iwarpscope::gui
