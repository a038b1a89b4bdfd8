// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/overview/outcome_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <optional>

#include "models/words.h"
#include "views/colors.h"

namespace iwarpscope::gui {
namespace {

QString filter_of(qp::Outcome outcome) {
  return QStringLiteral("outcome == ") + QString::fromLatin1(qp::name(outcome).data());
}

constexpr std::array kFlaws{report::Flaw::error, report::Flaw::doubtful, report::Flaw::repaired};

QString short_flaw(report::Flaw flaw) {
  switch (flaw) {
    case report::Flaw::error: return OutcomeBar::tr("with errors");
    case report::Flaw::doubtful: return OutcomeBar::tr("doubtful");
    case report::Flaw::repaired: return OutcomeBar::tr("repaired");
    case report::Flaw::none: break;
  }
  return {};
}

/// How many of them have which flaw: "11 ◇ repaired". Empty: all have the same, and the sign before them says it.
QString flaws_text(const report::Incidents::Count& count) {
  QStringList all;
  for (const report::Flaw flaw : kFlaws) {
    const auto some = count.with(flaw);
    if (some != 0 && some != count.qps)
      all << OutcomeBar::tr("%L1 %2 %3").arg(some).arg(flaw_sign(*severity(flaw)), short_flaw(flaw));
  }
  return all.join(QStringLiteral(", "));
}

/// The severity of the least flaw, if every queue pair has one: then the outcome's own colour would hide it.
std::optional<findings::Severity> common_flaw(const report::Incidents::Count& count) {
  if (count.qps == 0 || count.with(report::Flaw::none) != 0) return std::nullopt;
  const auto least = std::find_if(kFlaws.rbegin(), kFlaws.rend(), [&](report::Flaw f) { return count.with(f) != 0; });
  return least == kFlaws.rend() ? std::nullopt : severity(*least);
}

}  // namespace

OutcomeBar::OutcomeBar(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Queue pairs by outcome"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins({});
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    const qp::Outcome outcome = report::kOutcomes[i];
    auto* button = new QToolButton(this);
    button->setObjectName(QString::fromLatin1(qp::name(outcome).data()));
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->hide();
    connect(button, &QToolButton::clicked, this,
            [this, outcome](bool on) { emit filter_wanted(on ? filter_of(outcome) : QString()); });
    row->addWidget(button);
    buttons_[i] = button;
  }
  row->addStretch(1);
  set_incidents({});
}

void OutcomeBar::set_incidents(const report::Incidents& incidents) {
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    const qp::Outcome outcome = report::kOutcomes[i];
    const report::Incidents::Count& count = incidents.count(outcome);
    const std::uint64_t qps = count.qps;
    QToolButton& button = *buttons_[i];
    flaws_[i] = common_flaw(count);
    QString text = tr("%1 %L2 %3")
                       .arg(outcome_sign(outcome, flaws_[i], flaws_[i].has_value()))
                       .arg(qps)
                       .arg(outcome_word(outcome));
    if (const QString flaws = flaws_text(count); !flaws.isEmpty()) text = tr("%1 (%2)").arg(text, flaws);
    button.setText(text);
    const QString words = qps == 0 ? button.text() : QString::fromStdString(report::outcome_words(incidents, outcome));
    button.setAccessibleName(words);
    button.setToolTip(tr("%1. Shows only these in the table; press again to show all.").arg(words));
    // One that is pressed stays, so that it can be released.
    button.setVisible(qps != 0 || button.isChecked());
  }
  apply_colors();
}

void OutcomeBar::set_filter(const QString& filter) {
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    buttons_[i]->setChecked(filter.simplified() == filter_of(report::kOutcomes[i]));
  }
}

void OutcomeBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationPaletteChange) apply_colors();
}

void OutcomeBar::apply_colors() {
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    if (buttons_[i] == nullptr) continue;
    QPalette colors = palette();
    colors.setColor(QPalette::ButtonText,
                    flaws_[i] ? severity_color(*flaws_[i], palette()) : outcome_color(report::kOutcomes[i], palette()));
    buttons_[i]->setPalette(colors);
  }
}

}  // namespace iwarpscope::gui
