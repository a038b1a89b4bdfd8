// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/overview/overview_view.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QResizeEvent>
#include <QScrollArea>
#include <QTextDocumentFragment>

#include <algorithm>

#include "iwarpscope/v1/status.pb.h"
#include "models/health.h"
#include "models/words.h"
#include "report/human.h"
#include "report/incident_words.h"
#include "views/headings.h"
#include "views/overview/incident_card.h"
#include "views/overview/throughput_strip.h"
#include "views/text_button.h"

namespace iwarpscope::gui {
namespace {

constexpr int kSideBySide = 130;                    // letters
constexpr int kMostLetters = 150;                   // longer lines are hard to read
constexpr int kShareOfCards = 5, kShareOfSide = 2;  // of the width
constexpr int kMostStripLines = 24;                 // high
constexpr int kFirstToGrow = 1000;                  // it grows before the room below it does

/// A sentence in which what matches can be clicked: the first part of `pattern` is all of it, and `href` is made of the
/// others. Empty: it is hidden.
void say_with_links(QLabel& label, const QString& sentence, const char* pattern, const QString& href) {
  QString html = sentence.toHtmlEscaped();
  html.replace(QRegularExpression(QLatin1String(pattern)), QStringLiteral("<a href=\"%1\">\\1</a>").arg(href));
  label.setTextFormat(Qt::RichText);
  label.setText(html);
  label.setVisible(!sentence.isEmpty());
}

/// Empty: it is hidden.
void say(QLabel& label, const QString& sentence) {
  label.setText(sentence);
  label.setVisible(!sentence.isEmpty());
}

}  // namespace

OverviewView::OverviewView(OverviewModel& model, bool of_file, QWidget* parent)
    : QWidget(parent),
      model_(model),
      of_file_(of_file),
      scroll_(new QScrollArea(this)),
      title_(heading(tr("What went wrong"))),
      none_(text_label()),
      repaired_(text_label()),
      more_(text_label()),
      of_no_qp_(text_label()),
      first_(text_label()),
      blamed_(text_label()),
      quality_(text_label()),
      traffic_(heading(tr("Throughput of all queue pairs"))),
      all_seen_(new TextButton(tr("Mark All as Seen"))),
      findings_(new TextButton(tr("All findings"))),
      hosts_(new TextButton(tr("All hosts"))),
      strip_(new ThroughputStrip) {
  setWhatsThis(
      tr("Says what went wrong in all queue pairs together. Queue pairs with the same cause at the same place are one "
         "incident, and the worst is on top. The buttons of an incident lead to its queue pairs and to the frames that "
         "show it. The buttons above count the outcomes, and filter the table. In the throughput, ✗ marks a time at "
         "which queue "
         "pairs failed: a click shows the first of them."));
  auto* page = new QWidget;
  rows_ = new QVBoxLayout(page);
  columns_ = new QBoxLayout(QBoxLayout::LeftToRight);
  side_ = make_side();
  QSizePolicy keeps_its_place = side_->sizePolicy();
  keeps_its_place.setRetainSizeWhenHidden(true);
  side_->setSizePolicy(keeps_its_place);
  columns_->addWidget(make_cards(), kShareOfCards);
  columns_->addWidget(side_, kShareOfSide);
  rows_->addLayout(columns_);
  rows_->addStretch(1);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::StrongFocus);
  scroll_->setAccessibleName(tr("Overview"));
  scroll_->setWidget(page);
  auto* around = new QVBoxLayout(this);
  around->setContentsMargins({});
  around->addWidget(scroll_);
  setFocusProxy(scroll_);
  for (QLabel* one : {repaired_, of_no_qp_, first_}) {
    one->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(one, &QLabel::linkActivated, this, &OverviewView::follow_link);
  }
  connect(&model_, &OverviewModel::changed, this, &OverviewView::refresh);
  connect(all_seen_, &QPushButton::clicked, &model_, &OverviewModel::see_all);
  connect(findings_, &QPushButton::clicked, this, &OverviewView::findings_wanted);
  connect(hosts_, &QPushButton::clicked, this, &OverviewView::hosts_wanted);
  connect(strip_, &ThroughputStrip::qp_chosen, this, &OverviewView::qp_chosen);
  connect(strip_, &ThroughputStrip::qp_clicked, this, [this](quint64 qp) { emit qps_wanted({}, qp); });
  show_quality();
  refresh();
}

void OverviewView::add_to_menus(const QList<QAction*>& actions) {
  of_others_ = actions;
  strip_->addActions(actions);
  for (IncidentCard* card : cards_) card->addActions(actions);
}

QWidget* OverviewView::make_cards() {
  auto* column = new QWidget;
  column->setMaximumWidth(kMostLetters * fontMetrics().averageCharWidth());
  list_ = new QVBoxLayout(column);
  auto* top = new QHBoxLayout;
  top->addWidget(title_, 1);
  top->addWidget(all_seen_);
  all_seen_->setVisible(!of_file_);
  list_->addLayout(top);
  list_->addWidget(none_);
  list_->addWidget(repaired_);
  list_->addWidget(more_);
  list_->addWidget(of_no_qp_);
  of_no_qp_->hide();
  list_->addStretch(1);
  return column;
}

QWidget* OverviewView::make_side() {
  auto* side = new QWidget;
  auto* column = new QVBoxLayout(side);
  column->setSpacing(fontMetrics().lineSpacing() * 2 / 3);
  column->addWidget(first_);
  column->addWidget(blamed_);
  column->addWidget(heading(tr("Quality of the capture")));
  column->addWidget(quality_);
  throughput_ = new QWidget(side);
  auto* plot = new QVBoxLayout(throughput_);
  plot->setContentsMargins({});
  plot->addWidget(traffic_);
  plot->addWidget(strip_, 1);
  plot->setAlignment(Qt::AlignTop);  // it does not grow beyond the strip's height
  traffic_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  side_column_ = column;
  column->addWidget(throughput_);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(findings_);
  buttons->addWidget(hosts_);
  buttons->addStretch(1);
  column->addLayout(buttons);
  column->addStretch(1);
  return side;
}

void OverviewView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const bool is_wide = width() >= kSideBySide * fontMetrics().averageCharWidth();
  columns_->setDirection(is_wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  place_throughput();
}

/// Where the incidents leave room, it is below them, as wide as the page. Otherwise it is beside them: in sight.
void OverviewView::place_throughput() {
  if (!of_file_ && strip_->underMouse()) return;  // until the mouse has left it
  const QSize room = scroll_->viewport()->size();
  const bool is_wide = columns_->direction() == QBoxLayout::LeftToRight;
  const int share = is_wide ? room.width() * kShareOfCards / (kShareOfCards + kShareOfSide) : room.width();
  const int cards = list_->totalHeightForWidth(std::min(share, list_->parentWidget()->maximumWidth()));
  const int needed = 3 * fontMetrics().lineSpacing() + strip_->sizeHint().height();
  const bool is_below = is_wide && cards + needed <= room.height();
  if (is_below == is_below_) return;
  is_below_ = is_below;
  strip_->set_most_lines(is_below ? kMostStripLines : 0);
  // The page's columns have margins of their own.
  const QMargins of_column = list_->contentsMargins();
  throughput_->layout()->setContentsMargins(is_below ? of_column.left() : 0, is_below ? of_column.top() : 0,
                                            is_below ? of_column.right() : 0, 0);
  if (is_below) {
    rows_->insertWidget(1, throughput_, kFirstToGrow);
  } else {
    constexpr int kAfterQuality = 4;
    side_column_->insertWidget(kAfterQuality, throughput_);
  }
}

void OverviewView::set_status(const StatusPtr& status) {
  status_ = status;
  show_quality();
  show_sentences();
  show_throughput();
}

void OverviewView::set_hint(const QString& hint) {
  hint_ = hint;
  show_sentences();
}

void OverviewView::set_findings_of_no_qp(const FindingTable::OfNoQp& some) {
  QStringList lines;
  for (const live::FindingView& view : some.worst) {
    const findings::Rule& rule = findings::rule(view.finding.id);
    const QString name =
        tr("%1 %2 %3").arg(severity_sign(rule.severity), QString::fromUtf8(rule.code), QString::fromUtf8(rule.name));
    lines << QStringLiteral("<a href=\"finding:%1\">%2</a>: %3")
                 .arg(view.sequence)
                 .arg(name.toHtmlEscaped(), QString::fromStdString(view.finding.text).toHtmlEscaped());
  }
  if (some.more != 0) lines << tr("...and %L1 more: the list of findings has them all.").arg(some.more);
  if (!lines.isEmpty()) lines.prepend(QStringLiteral("<b>%1</b>").arg(tr("Findings that belong to no queue pair")));
  of_no_qp_->setTextFormat(Qt::RichText);
  of_no_qp_->setText(lines.join(QStringLiteral("<br>")));
  of_no_qp_->setVisible(!lines.isEmpty());
  worst_of_no_qp_.reset();
  if (!some.worst.empty()) worst_of_no_qp_ = findings::rule(some.worst.front().finding.id).severity;
  show_sentences();
}

void OverviewView::show_throughput() {
  const Throughput all = status_ ? throughput_of(*status_, model_.failures()) : Throughput();
  const QString span = QString::fromStdString(report::human_duration(elapsed_ns(all.first, all.last)));
  if (!of_file_) traffic_->setText(tr("Throughput of all queue pairs, the last %1").arg(span));
  strip_->set_throughput(all);
  traffic_->setVisible(!strip_->isHidden());
  place_throughput();
}

/// A file is read once, wherever the mouse is; and a card without its sentence says nothing to hold it for.
bool OverviewView::is_held() const {
  const auto holds = [](const IncidentCard* card) { return card->underMouse() && card->has_text(); };
  return !of_file_ && std::any_of(cards_.begin(), cards_.end(), holds);
}

void OverviewView::refresh() {
  all_seen_->setEnabled(model_.fresh() != 0);
  is_waiting_ = is_held();
  if (!is_waiting_) {
    show_cards();
    show_sentences();
    show_throughput();
    return;
  }
  for (IncidentCard* card : cards_) {
    const auto& all = model_.cards();
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const OverviewCard& one) { return one.incident.key == card->key(); });
    if (same != all.end()) card->set_fresh(same->fresh);
  }
}

/// When the mouse has left a card, it may have gone to another one.
void OverviewView::refresh_later() {
  QMetaObject::invokeMethod(
      this,
      [this] {
        if (is_waiting_) refresh();
      },
      Qt::QueuedConnection);
}

IncidentCard* OverviewView::make_card() {
  auto* card = new IncidentCard(list_->parentWidget());
  connect(card, &IncidentCard::frame_wanted, this, &OverviewView::frame_wanted);
  connect(card, &IncidentCard::qps_wanted, this, &OverviewView::qps_wanted);
  connect(card, &IncidentCard::qp_chosen, this, &OverviewView::qp_chosen);
  card->addActions(of_others_);
  connect(card, &IncidentCard::seen, &model_, &OverviewModel::see);
  connect(card, &IncidentCard::left, this, &OverviewView::refresh_later);
  return card;
}

/// A card stays the same widget as long as its incident is shown, and so keeps the focus.
void OverviewView::show_cards() {
  std::vector<IncidentCard*> before = std::move(cards_);
  cards_.clear();
  constexpr int kFirst = 3;  // below the title and the sentences
  for (const OverviewCard& one : model_.cards()) {
    const auto same = std::find_if(before.begin(), before.end(), [&](const IncidentCard* card) {
      return card != nullptr && card->key() == one.incident.key;
    });
    IncidentCard* card = same == before.end() ? make_card() : std::exchange(*same, nullptr);
    const int place = kFirst + static_cast<int>(cards_.size());
    if (list_->indexOf(card) != place) list_->insertWidget(place, card);
    card->set_card(one);
    card->show();
    cards_.push_back(card);
  }
  for (IncidentCard* card : before) {
    if (card == nullptr) continue;
    list_->removeWidget(card);
    card->hide();
    card->deleteLater();
  }
  // Tab goes from top to bottom.
  const QWidget* last = all_seen_;
  for (IncidentCard* card : cards_) {
    for (QPushButton* button : card->findChildren<QPushButton*>()) {
      setTabOrder(const_cast<QWidget*>(last), button);
      last = button;
    }
  }
}

QString OverviewView::title(const QString& outcomes, bool is_reading) const {
  if (outcomes.isEmpty()) return tr("What went wrong");
  if (!cards_.empty()) return (is_reading ? tr("What went wrong so far: %1") : tr("What went wrong: %1")).arg(outcomes);
  if (is_reading) return tr("No queue pair went wrong so far: %1").arg(outcomes);
  std::optional<findings::Severity> flaw = worst_of_no_qp_;
  if (!flaw && model_.incidents().repairs().qps != 0) flaw = findings::Severity::note;
  return tr("%1 No queue pair went wrong: %2").arg(flaw ? flaw_sign(*flaw) : tr("✓"), outcomes);
}

void OverviewView::show_sentences() {
  const report::Incidents& incidents = model_.incidents();
  const QString outcomes = QString::fromStdString(report::outcomes_text(incidents));
  QString none;
  const bool is_reading = status_ && status_->capturing() && of_file_;
  if (cards_.empty()) {
    if (!hint_.isEmpty()) {
      none = hint_;
    } else if (status_ && !no_iwarp_sentence(*status_).isEmpty()) {
      none = tr("No queue pair was seen: the line above says why.");
    } else if (is_reading || !status_) {
      none = of_file_ ? tr("The file is being read.") : tr("Nothing was received from the daemon yet.");
    } else if (outcomes.isEmpty()) {
      none = tr("No queue pair was seen yet.");
    } else {
      none =
          tr("If an application still has a problem, look at the findings, and check that its connection is in the "
             "table.");
    }
  }
  title_->setText(title(outcomes, is_reading));
  say(*none_, none);
  say_with_links(*repaired_, QString::fromStdString(report::repairs_text(incidents)), "(QP ([0-9]+))",
                 QStringLiteral("qp:\\2"));
  say(*more_, model_.left_out() == 0 ? QString()
                                     : tr("...and other incidents of %Ln queue pair(s): the table has them all.",
                                          nullptr, plural(model_.left_out())));
  const QString first = with_arrows(report::first_words(incidents));
  const QString blamed = QString::fromStdString(report::blamed_words(incidents));
  const bool are_several = cards_.size() > 1;
  say_with_links(*first_, first.isEmpty() || !are_several ? QString() : tr("What came first: %1.").arg(first),
                 "(frame ([0-9]+) of QP ([0-9]+))", QStringLiteral("frame:\\3/\\2"));
  say(*blamed_, blamed.isEmpty() || !are_several ? QString() : tr("Blamed more than once: %1.").arg(blamed));
}

/// "qp:NUMBER", "finding:NUMBER" or "frame:NUMBER OF QUEUE PAIR/NUMBER OF FRAME".
void OverviewView::follow_link(const QString& link) {
  const QStringList numbers = link.section(QLatin1Char(':'), 1).split(QLatin1Char('/'));
  if (link.startsWith(QLatin1String("finding:"))) return emit finding_wanted(numbers.front().toULongLong());
  const quint64 qp = numbers.front().toULongLong();
  if (numbers.size() == 1) return emit qps_wanted({}, qp);
  emit frame_wanted({.qp = qp, .frame = FrameNumber{numbers.back().toULongLong()}, .time = {}});
}

void OverviewView::show_quality() {
  QStringList all;
  side_->setVisible(status_ != nullptr);
  if (!status_) return quality_->clear();
  for (const HealthStage& stage : health_stages(*status_, false, of_file_)) {
    if (stage.state == HealthStage::State::well) continue;
    all << tr("%1 %2: %3. %4").arg(health_word(stage.state).left(1), stage.name, stage.value, stage.meaning);
  }
  if (all.isEmpty()) all << tr("✓ Nothing is known to be missing.");
  const auto& totals = status_->totals();
  const QString frames = tr("%Ln frame(s)", nullptr, plural(totals.frames()));
  const QString qps = tr("%Ln queue pair(s)", nullptr, plural(totals.qps_opened()));
  all << (status_->centre() ? tr("%1, %2 at all sensors since they were started. A connection that several sensors saw "
                                 "counts once for each of them.")
                                  .arg(frames, qps)
                            : tr("%1, %2.").arg(frames, qps));
  if (const QString failed = failed_openings(totals); !failed.isEmpty()) all << failed;
  quality_->setText(all.join(QLatin1Char('\n')));
}

QString OverviewView::plain_text() const {
  const auto text = [](const QLabel& label) {
    return label.textFormat() == Qt::RichText ? QTextDocumentFragment::fromHtml(label.text()).toPlainText()
                                              : label.text();
  };
  QStringList all{title_->text(), none_->text(), text(*repaired_)};
  for (const IncidentCard* card : cards_) all << card->plain_text();
  for (const QLabel* label : {more_, of_no_qp_, first_, blamed_, quality_}) all << text(*label);
  all.removeAll(QString());
  return all.join(QLatin1Char('\n'));
}

}  // namespace iwarpscope::gui
