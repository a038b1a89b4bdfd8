#include "views/health_bar.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QWhatsThis>

#include "models/health.h"
#include "views/colors.h"

namespace iwarpscope::gui {
namespace {

QColor color(HealthStage::State state, const QPalette& palette) {
  switch (state) {
    case HealthStage::State::lossy: return severity_color(findings::Severity::error, palette);
    case HealthStage::State::strained: return severity_color(findings::Severity::warning, palette);
    case HealthStage::State::well:
    case HealthStage::State::unknown: break;
  }
  return palette.color(QPalette::ButtonText);
}

}  // namespace

HealthBar::HealthBar(QWidget* parent) : QWidget(parent), row_(new QHBoxLayout(this)) {
  setAccessibleName(tr("Sensor health"));
  setWhatsThis(tr(
      "What was lost on the way from the wire to the analysis and to the outputs, stage by stage. Where something is "
      "missing, verdicts can say less. Press a stage to read what it is."));
  row_->setContentsMargins({});
  row_->addStretch(1);
}

void HealthBar::set_count(std::size_t count) {
  while (buttons_.size() > count) {
    delete buttons_.back();
    buttons_.pop_back();
  }
  while (buttons_.size() < count) {
    auto* button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, button, [button] {
      QWhatsThis::showText(button->mapToGlobal(button->rect().topLeft()), button->toolTip(), button);
    });
    row_->insertWidget(static_cast<int>(buttons_.size()), button);
    buttons_.push_back(button);
  }
}

void HealthBar::set_status(const StatusPtr& status) {
  status_ = status;
  show_stages();
}

void HealthBar::set_stale(bool stale) {
  stale_ = stale;
  show_stages();
}

void HealthBar::show_stages() {
  const std::vector<HealthStage> stages = status_ ? health_stages(*status_, stale_) : std::vector<HealthStage>{};
  set_count(stages.size());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const HealthStage& stage = stages[i];
    QToolButton* button = buttons_[i];
    const QString word = health_word(stage.state);
    button->setText(tr("%1 %2: %3").arg(word.left(1), stage.name, stage.value));
    button->setAccessibleName(tr("%1: %2, %3").arg(stage.name, word, stage.value));
    button->setAccessibleDescription(stage.meaning);
    button->setToolTip(tr("%1: %2\n%3").arg(stage.name, word, stage.meaning));
    QPalette colors = palette();
    colors.setColor(QPalette::ButtonText, color(stage.state, palette()));
    button->setPalette(colors);
  }
}

}  // namespace iwarpscope::gui
