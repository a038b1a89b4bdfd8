// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/overview/incident_card.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

#include "models/words.h"
#include "report/incident_words.h"
#include "views/colors.h"
#include "views/headings.h"
#include "views/table_actions.h"
#include "views/text_button.h"

namespace iwarpscope::gui {
namespace {

constexpr std::size_t kMostFrames = 6;

/// "✗ failed V-56, likely by the path between them".
QString head_of(const report::Incident& incident) {
  const report::HeadWords words = report::head_words(incident);
  return outcome_sign(words.outcome, report::severity(words.flaw)) + QLatin1Char(' ') +
         QString::fromStdString(report::head_text(words));
}

/// For the table. A few queue pairs by their numbers; else by what they have in common.
QString filter_of(const report::Incident& incident) {
  QStringList all;
  if (incident.count == incident.qps.size()) {
    for (const std::uint64_t qp : incident.qps) all << QStringLiteral("qp == %1").arg(qp);
    return all.join(QStringLiteral(" or "));
  }
  all << QStringLiteral("outcome == ") + QString::fromLatin1(qp::name(incident.key.outcome).data());
  if (!incident.verdict.code.empty() && !incident.rule) {
    all << QStringLiteral("verdict == ") + QString::fromStdString(incident.verdict.code);
  }
  for (const net::IpAddress& host : {incident.key.host, incident.key.other}) {
    if (host != net::IpAddress{}) all << QStringLiteral("host == ") + QString::fromStdString(host.text());
  }
  if (incident.key.port != 0) all << QStringLiteral("port == %1").arg(incident.key.port);
  if (incident.rule) {
    const bool is_error = report::flaw(*incident.rule) == report::Flaw::error;
    all << (is_error ? QStringLiteral("errors > 0") : QStringLiteral("warnings > 0"));
  }
  return all.join(QStringLiteral(" and "));
}

}  // namespace

QString with_arrows(const std::string& words) {
  return QString::fromStdString(words).replace(QStringLiteral("->"), QStringLiteral("→"));
}

IncidentCard::IncidentCard(QWidget* parent)
    : QFrame(parent),
      head_(text_label()),
      new_(new QLabel(this)),
      who_(text_label()),
      text_(text_label()),
      next_(text_label()),
      buttons_(new QHBoxLayout) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  head_->setFont(larger(font(), 1.2, true));
  text_->setFont(larger(font(), 1.1, false));
  new_->setFont(larger(font(), 1, true));
  new_->setAlignment(Qt::AlignTop | Qt::AlignRight);
  QSizePolicy keeps_its_place = new_->sizePolicy();
  keeps_its_place.setRetainSizeWhenHidden(true);
  new_->setSizePolicy(keeps_its_place);
  auto* top = new QHBoxLayout;
  top->addWidget(head_, 1);
  top->addWidget(new_);
  auto* copy = new QAction(tr("&Copy as Text"), this);
  addAction(copy);
  setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(copy, &QAction::triggered, this, [this] {
    QGuiApplication::clipboard()->setText(plain_text());
    tell(*this, tr("Incident copied to the clipboard."));
  });
  buttons_->addStretch(1);
  qps_ = add_button();
  auto* column = new QVBoxLayout(this);
  column->addLayout(top);
  for (QLabel* label : {who_, text_, next_}) column->addWidget(label);
  column->addLayout(buttons_);
  connect(qps_, &QPushButton::clicked, this, [this] {
    emit seen(key());
    emit qps_wanted(filter_of(card_.incident), card_.incident.qp);
  });
}

QPushButton* IncidentCard::add_button() {
  auto* button = new TextButton({}, this);
  button->setAutoDefault(false);
  buttons_->insertWidget(buttons_->count() - 1, button);  // before the stretch
  return button;
}

void IncidentCard::set_card(const OverviewCard& card) {
  const bool is_other =
      card_.incident.verdict.evidence != card.incident.verdict.evidence || card_.incident.qp != card.incident.qp;
  card_ = card;
  const report::Incident& incident = card_.incident;
  const QString head = head_of(incident);
  setAccessibleName(head);
  head_->setText(head);
  QStringList sensors;
  for (const std::string& name : card.sensors) sensors << QString::fromStdString(name);
  const QString who = with_arrows(report::who_words(incident));
  who_->setText(sensors.isEmpty() ? who : tr("%1; seen by %2").arg(who, few_names(sensors)));
  // The sentence of a queue pair that ended well is about its end: first what was wrong in it.
  std::string text = incident.rule ? std::string(findings::rule(*incident.rule).what) + ' ' : std::string();
  text += incident.verdict.text;
  text_->setText(QString::fromStdString(report::example_words(incident) + text));
  text_->setVisible(!text.empty());
  next_->setText(tr("Next: %1").arg(QString::fromStdString(incident.verdict.next)));
  next_->setVisible(!incident.verdict.next.empty());
  qps_->setText(tr("Show the %Ln queue pair(s)", nullptr, plural(incident.count)));
  qps_->setAccessibleName(tr("%1: %2").arg(qps_->text(), who_->text()));
  if (is_other) show_frames();
  set_fresh(card.fresh);
  apply_colors();
}

void IncidentCard::show_frames() {
  const std::vector<FrameNumber>& evidence = card_.incident.verdict.evidence;
  const std::size_t count = std::min(evidence.size(), kMostFrames);
  while (frames_.size() > count) {
    delete frames_.back();
    frames_.pop_back();
  }
  while (frames_.size() < count) {
    const std::size_t place = frames_.size();
    frames_.push_back(add_button());
    frames_.back()->show();  // the layout would do it later
    connect(frames_.back(), &QPushButton::clicked, this, [this, place] {
      const FrameNumber frame = card_.incident.verdict.evidence[place];
      emit seen(key());
      emit frame_wanted({.qp = card_.incident.qp, .frame = frame, .time = {}});
    });
  }
  for (std::size_t i = 0; i < count; ++i) {
    frames_[i]->setText(tr("Frame %1").arg(evidence[i].value));
    frames_[i]->setAccessibleName(tr("%1 of QP %2").arg(frames_[i]->text()).arg(card_.incident.qp));
    frames_[i]->setToolTip(tr("Shows this frame in the ladder, and its octets."));
  }
}

void IncidentCard::set_fresh(std::uint64_t fresh) {
  card_.fresh = fresh;
  if (fresh != 0) new_->setText(tr("● %L1 new").arg(fresh));
  new_->setVisible(fresh != 0);
}

QString IncidentCard::plain_text() const {
  QStringList all{head_->text(), who_->text(), text_->text(), next_->text()};
  if (card_.fresh != 0) all.prepend(new_->text());
  return all.join(QLatin1Char('\n'));
}

void IncidentCard::mousePressEvent(QMouseEvent* event) {
  QFrame::mousePressEvent(event);
  emit seen(key());
  if (event->button() == Qt::RightButton) emit qp_chosen(card_.incident.qp);
}

void IncidentCard::leaveEvent(QEvent* event) {
  QFrame::leaveEvent(event);
  emit left();
}

void IncidentCard::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::ApplicationPaletteChange) apply_colors();
}

void IncidentCard::apply_colors() {
  QPalette colors = parentWidget() != nullptr ? parentWidget()->palette() : QPalette();
  colors.setColor(QPalette::Window, colors.color(QPalette::Base));
  colors.setColor(QPalette::WindowText, colors.color(QPalette::Text));
  setPalette(colors);
  QPalette of_head = colors;
  of_head.setColor(QPalette::WindowText, card_.incident.rule
                                             ? severity_color(findings::rule(*card_.incident.rule).severity, colors)
                                             : outcome_color(card_.incident.verdict.outcome, colors));
  head_->setPalette(of_head);
  QPalette of_new = colors;
  of_new.setColor(QPalette::WindowText, severity_color(findings::Severity::error, colors));
  new_->setPalette(of_new);
}

}  // namespace iwarpscope::gui
