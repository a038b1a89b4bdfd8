// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/site/site_view.h"

#include <QAbstractButton>
#include <QBoxLayout>
#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStyleOptionHeader>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTreeView>

#include <algorithm>
#include <array>
#include <cmath>

#include "iwarpscope/v1/observer.pb.h"
#include "iwarpscope/v1/status.pb.h"
#include "models/words.h"
#include "report/human.h"
#include "views/colors.h"
#include "views/column_fit.h"
#include "views/empty_note.h"
#include "views/first_click.h"
#include "views/headings.h"
#include "views/sensor_box.h"
#include "views/sentence_delegate.h"
#include "views/table_actions.h"
#include "views/text_button.h"

namespace iwarpscope::gui {
namespace {

/// What can be asked about.
struct Period {
  std::uint32_t days, buckets;
};
constexpr std::array kPeriods{Period{2, 48}, Period{7, 7}, Period{30, 30}, Period{90, 90}};
constexpr int kFirstPeriod = 1;

/// The more failures, the stronger is the colour. The text of the cell is their number.
class ShareDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant share = index.data(site_share_role);
    if (!share.isValid()) return;
    constexpr double kLeast = 0.12, kMore = 0.3;
    const QColor error = severity_color(findings::Severity::error, option->palette);
    option->backgroundBrush =
        mixed(error, option->palette.color(QPalette::Base), kLeast + kMore * std::sqrt(share.toDouble()));
  }
};

/// Draws cells that say that something is wrong in the colour of its severity; their text has a sign or a letter.
class SiteDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant found = index.data(site_severity_role);
    if (!found.isValid()) return;
    const auto severity = static_cast<findings::Severity>(found.toInt());
    option->palette.setColor(QPalette::Text, severity_color(severity, option->palette));
    option->font.setBold(severity == findings::Severity::error);
  }
};

/// Names of rows. One that is too long loses its middle; QHeaderView would cut off its end without a sign.
class RowNames : public QHeaderView {
 public:
  RowNames() : QHeaderView(Qt::Vertical) { setHighlightSections(true); }

 protected:
  void initStyleOptionForIndex(QStyleOptionHeader* option, int row) const override {
    QHeaderView::initStyleOptionForIndex(option, row);
    const int margin = style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, this);
    option->text = option->fontMetrics.elidedText(option->text, Qt::ElideMiddle, viewport()->width() - 3 * margin);
  }
};

/// The newest time at which a pair failed: hours of today that are still to come are empty.
int newest_failure(const SitePairTable& pairs) {
  const auto failed = [&](int row, int bucket) { return pairs.index(row, bucket).data(site_share_role).isValid(); };
  for (int bucket = pairs.buckets() - 1; bucket >= 0; --bucket) {
    for (int row = 0; row < pairs.rowCount(); ++row) {
      if (failed(row, bucket)) return bucket;
    }
  }
  return 0;
}

/// Keeps the newest failures of the matrix in sight when its size changes, until it is scrolled to another time.
class NewestInSight : public QObject {
 public:
  NewestInSight(QTableView& table, const SitePairTable& pairs) : QObject(&table), table_(table), pairs_(pairs) {
    table_.viewport()->installEventFilter(this);
    connect(table_.horizontalScrollBar(), &QAbstractSlider::actionTriggered, this, [this] { is_scrolled_ = true; });
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Resize && !is_scrolled_)
      QMetaObject::invokeMethod(this, &NewestInSight::show, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
  }

 private:
  void show() {
    const int row = std::max(table_.rowAt(0), 0);
    if (pairs_.rowCount() != 0) table_.scrollTo(pairs_.index(row, newest_failure(pairs_)));
  }
  QTableView& table_;
  const SitePairTable& pairs_;
  bool is_scrolled_ = false;
};

/// Fills a table; the row that was the current one stays it, wherever it is then.
template <class Fill>
void keep_row(QAbstractItemView& table, const Fill& fill) {
  const QModelIndex before = table.currentIndex();
  const QString key = before.data(site_key_role).toString();
  const int column = std::max(before.column(), 0);
  fill();
  if (key.isEmpty() || table.currentIndex().data(site_key_role).toString() == key) return;
  const QAbstractItemModel& model = *table.model();
  for (int row = 0; row < model.rowCount(); ++row) {
    const QModelIndex index = model.index(row, std::min(column, model.columnCount() - 1));
    if (index.data(site_key_role).toString() != key) continue;
    const bool by_rows = table.selectionBehavior() == QAbstractItemView::SelectRows;
    return table.selectionModel()->setCurrentIndex(
        index, QItemSelectionModel::ClearAndSelect |
                   (by_rows ? QItemSelectionModel::Rows : QItemSelectionModel::SelectionFlags()));
  }
}

QString clock_of(TimePoint time) {
  constexpr int kLetters = 8;
  return SiteView::tr("%1 UTC").arg(QString::fromStdString(report::time_of_day(time)).left(kLetters));
}

QString days_text(std::uint32_t days) {
  return SiteView::tr("%Ln day(s)", nullptr, plural(days));
}

}  // namespace

SiteView::SiteView(SiteModel& model, QWidget* parent)
    : QWidget(parent), model_(model), summary_(heading(tr("Site"))), when_(text_label()), pairs_heading_(heading({})) {
  setAccessibleName(tr("Site"));
  setWhatsThis(
      tr("Shows what needs a look at a site with many sensors. The matrix has one row for each pair of hosts whose "
         "queue pairs failed, those that fail again and again first, and one column for each day or hour: the number "
         "of failures. Beside it are the sensors: which are silent, lose frames, or have another version or "
         "configuration than the others. Below are the rules that were broken since yesterday and not in the days "
         "before, and the connections of which octets were lost or damaged between two taps. Enter or a click leads "
         "to the queue pairs or to the findings. A connection that several sensors saw counts once."));
  auto* const all = new QVBoxLayout(this);
  all->addWidget(make_top());
  all->addWidget(when_);
  all->addWidget(make_tables(), 1);
  setFocusProxy(pairs_);
  connect_all();
  refresh();
}

QWidget* SiteView::make_top() {
  auto* const top = new QWidget(this);
  time_ = new QComboBox(top);
  time_->setAccessibleName(tr("Time to look at"));
  for (const Period& period : kPeriods) {
    time_->addItem(period.buckets == period.days ? days_text(period.days)
                                                 : tr("%1, by hour").arg(days_text(period.days)));
  }
  time_->setCurrentIndex(kFirstPeriod);
  sensor_ = new SensorBox(tr("Only what this sensor saw"), top);
  again_ = new TextButton(tr("Ask A&gain"), top);
  again_->setToolTip(tr("The centre is asked every 30 s while this page is shown."));
  auto* const row = new QHBoxLayout(top);
  row->setContentsMargins({});
  row->addWidget(summary_, 1);
  row->addWidget(time_);
  row->addWidget(sensor_);
  row->addWidget(again_);
  return top;
}

QWidget* SiteView::make_tables() {
  make_pairs();
  sensors_ = make_tree(of_sensors_, tr("Sensors of the site"), QStringLiteral("sensors"));
  new ColumnFit(*sensors_);
  sensors_->setAccessibleDescription(tr("Enter shows the queue pairs of the sensor."));
  news_ = make_tree(of_news_, tr("Rules that are new since yesterday"), QStringLiteral("new-rules"));
  new ColumnFit(*news_);
  news_->setAccessibleDescription(tr("Enter shows the findings of the rule."));
  connections_ = make_tree(of_connections_, tr("Connections with loss between taps"), QStringLiteral("connections"));
  // What happened comes first; where and when follow.
  connections_->header()->moveSection(SiteConnectionTable::kWhat, 0);
  SentenceDelegate::apply(*connections_, SiteConnectionTable::kWhat);
  connections_->setAccessibleDescription(tr("Enter shows the queue pair."));
  auto* const upper = new QSplitter(Qt::Horizontal);
  upper->addWidget(pane(*pairs_heading_, *pairs_, no_pairs_));
  upper->addWidget(pane(*heading(tr("Sensors")), *sensors_, no_sensors_));
  auto* const lower = new QSplitter(Qt::Horizontal);
  lower->addWidget(pane(*heading(tr("New since yesterday")), *news_, no_news_));
  lower->addWidget(pane(*heading(tr("Lost or damaged between two taps")), *connections_, no_connections_));
  auto* const split = new QSplitter(Qt::Vertical, this);
  split->addWidget(upper);
  split->addWidget(lower);
  constexpr int kUpper = 3, kLower = 2, kWhole = 1000;
  split->setSizes({kUpper * kWhole, kLower * kWhole});
  for (QSplitter* one : {split, upper, lower}) one->setChildrenCollapsible(false);
  for (QSplitter* one : {upper, lower}) one->setSizes({kWhole, kWhole});
  return split;
}

QWidget* SiteView::pane(QLabel& heading, QAbstractItemView& table, EmptyNote*& empty) {
  auto* const around = new QWidget;
  auto* const column = new QVBoxLayout(around);
  column->setContentsMargins({});
  column->addWidget(&heading);
  column->addWidget(&table, 1);
  table.setMinimumHeight(3 * fontMetrics().lineSpacing());
  empty = new EmptyNote(table);
  return around;
}

void SiteView::make_pairs() {
  pairs_ = new QTableView(this);
  pairs_->setModel(&of_pairs_);
  pairs_->setItemDelegate(new ShareDelegate(pairs_));
  pairs_->setAccessibleName(tr("Failures of pairs of hosts over time"));
  pairs_->setAccessibleDescription(tr("Rows are pairs of hosts, columns are times. Enter shows their queue pairs."));
  pairs_->setSelectionMode(QAbstractItemView::SingleSelection);
  pairs_->setCornerButtonEnabled(false);
  for (auto* corner : pairs_->findChildren<QAbstractButton*>()) corner->setAccessibleName(tr("Corner"));
  pairs_->setTabKeyNavigation(false);
  pairs_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  pairs_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  pairs_->setVerticalHeader(new RowNames);
  QHeaderView& rows = *pairs_->verticalHeader();
  rows.setDefaultSectionSize(fontMetrics().height() * 7 / 4);
  constexpr int kMostLetters = 42;
  rows.setMaximumWidth(kMostLetters * fontMetrics().averageCharWidth());
  new NewestInSight(*pairs_, of_pairs_);
  (new TableActions(*pairs_, QStringLiteral("host-pairs"), [](const QModelIndex& index) {
    return index.data(Qt::ToolTipRole).toString().replace(QLatin1Char('\n'), tr("; "));
  }))->set_row_key(QStringLiteral("hosts"));
}

QTreeView* SiteView::make_tree(QAbstractItemModel& model, const QString& name, const QString& stem) {
  auto* const tree = new QTreeView(this);
  auto* const sorted = new QSortFilterProxyModel(tree);
  sorted->setSourceModel(&model);
  sorted->setSortRole(kValueRole);
  sorted->setSortCaseSensitivity(Qt::CaseInsensitive);
  tree->setModel(sorted);
  // As the table has them, until a header is clicked; after a third click again.
  tree->header()->setSortIndicatorClearable(true);
  tree->header()->setSortIndicator(-1, Qt::AscendingOrder);
  tree->setSortingEnabled(true);
  tree->setItemDelegate(new SiteDelegate(tree));
  tree->setAccessibleName(name);
  tree->setRootIsDecorated(false);
  tree->setUniformRowHeights(true);
  tree->setAllColumnsShowFocus(true);
  tree->setAlternatingRowColors(true);
  tree->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  new TableActions(*tree, stem, [](const QModelIndex& index) {
    return index.data(Qt::ToolTipRole).toString().replace(QLatin1Char('\n'), tr("; "));
  });
  return tree;
}

void SiteView::connect_all() {
  connect(&model_, &SiteModel::changed, this, &SiteView::refresh);
  connect(again_, &QPushButton::clicked, &model_, &SiteModel::ask_now);
  connect(time_, &QComboBox::currentIndexChanged, this, &SiteView::ask);
  connect(sensor_, &SensorBox::chosen, this, &SiteView::ask);
  const auto lead = [this](QAbstractItemView* table, void (SiteView::*go)(const QModelIndex&)) {
    connect(table, &QAbstractItemView::activated, this, go);
    auto* const first = new FirstClick(*table->viewport());
    connect(table, &QAbstractItemView::clicked, this, [this, first, go](const QModelIndex& index) {
      (this->*go)(index);
      first->has_led();
    });
  };
  lead(pairs_, &SiteView::go_to_pair);
  QHeaderView& names = *pairs_->verticalHeader();
  names.setSectionsClickable(true);
  auto* const first = new FirstClick(*names.viewport());
  connect(&names, &QHeaderView::sectionClicked, this, [this, first](int row) {
    go_to_pair(of_pairs_.index(row, 0));
    first->has_led();
  });
  lead(sensors_, &SiteView::go_to_sensor);
  lead(news_, &SiteView::go_to_rule);
  lead(connections_, &SiteView::go_to_connection);
}

void SiteView::set_status(const StatusPtr& status) {
  if (!status) return;
  keep_row(*sensors_, [&] { of_sensors_.show(*status); });
  sensor_->set_names(sensor_names(*status));
  say_summary();
  say_empty();
}

void SiteView::ask() {
  const Period& period = kPeriods[static_cast<std::size_t>(std::max(time_->currentIndex(), 0))];
  model_.set_question({.days = period.days, .buckets = period.buckets, .sensor = sensor_->sensor()});
}

void SiteView::refresh() {
  const int before = of_pairs_.rowCount() == 0 ? 0 : of_pairs_.buckets();
  keep_row(*pairs_, [this] { of_pairs_.show(model_.site(), model_.answered()); });
  keep_row(*news_, [this] { of_news_.show(model_.site()); });
  keep_row(*connections_, [this] { of_connections_.show(model_.site()); });
  if (of_pairs_.rowCount() != 0 && of_pairs_.buckets() != before) {
    pairs_->resizeColumnsToContents();
    pairs_->scrollTo(of_pairs_.index(0, newest_failure(of_pairs_)));
  }
  say_summary();
  say_when();
  say_empty();
}

void SiteView::say_summary() {
  const int sensors = of_sensors_.rowCount();
  QStringList parts{tr("%Ln sensor(s)", nullptr, sensors)};
  if (const std::size_t silent = of_sensors_.silent(); silent != 0)
    parts << tr("✗ %Ln silent", nullptr, plural(silent));
  if (const std::size_t noted = of_sensors_.noted(); noted != 0) parts << tr("▲ %Ln to check", nullptr, plural(noted));
  for (const QString& difference : of_sensors_.differences()) parts << tr("▲ %1").arg(difference);
  if (model_.site()) {
    const auto count = static_cast<std::uint64_t>(of_pairs_.rowCount());
    constexpr std::uint64_t kMostAnswered = 50;  // a centre lists no more
    parts << (count < kMostAnswered ? tr("%Ln pair(s) of hosts failed", nullptr, plural(count))
                                    : tr("%Ln pair(s) of hosts failed, or more", nullptr, plural(count)));
  }
  summary_->setText(tr("Site: %1").arg(parts.join(tr(", "))));
  const QString time = days_text(model_.answered().days);
  pairs_heading_->setText(model_.answered().buckets == model_.answered().days
                              ? tr("Pairs of hosts that failed in %1, by day").arg(time)
                              : tr("Pairs of hosts that failed in %1, by hour").arg(time));
}

/// When it was asked, and why there is no answer.
void SiteView::say_when() {
  const auto at = model_.answered_at();
  QString text = at ? tr("The centre answered at %1.").arg(clock_of(*at)) : QString();
  if (!model_.trouble().isEmpty()) {
    text = tr("✗ No answer: %1").arg(model_.trouble());
    if (!text.endsWith(QLatin1Char('.'))) text += QLatin1Char('.');
    if (at)
      text += QLatin1Char(' ') +
              tr("What is shown is from %1, about %2.").arg(clock_of(*at), days_text(model_.answered().days));
  } else if (!at || model_.answered().sensor != sensor_->sensor()) {
    text = tr("The centre is being asked.");
  } else if (!model_.answered().sensor.isEmpty()) {
    text += QLatin1Char(' ') + tr("Except for the sensors, only what %1 saw is shown.").arg(model_.answered().sensor);
  }
  when_->setText(text);
}

void SiteView::say_empty() {
  const QString waits = model_.trouble().isEmpty() ? tr("The centre has not answered yet.") : tr("Not known.");
  const auto say = [&](EmptyNote& note, const QAbstractItemModel& table, const QString& sentence) {
    note.say(table.rowCount() != 0 ? QString() : model_.site() ? sentence : waits);
  };
  say(*no_pairs_, of_pairs_, tr("No queue pair failed in %1.").arg(days_text(model_.answered().days)));
  say(*no_news_, of_news_, tr("No rule was broken since yesterday that was not broken in the days before."));
  const QString& sensor = model_.answered().sensor;
  say(*no_connections_, of_connections_,
      sensor.isEmpty() ? tr("No octets were lost or damaged between two taps.")
                       : tr("No octets of connections that %1 saw were lost or damaged between two taps.").arg(sensor));
  no_sensors_->say(of_sensors_.rowCount() != 0 ? QString() : tr("The centre has no sensors."));
}

void SiteView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  model_.set_watched(true);
}

void SiteView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  model_.set_watched(false);
}

void SiteView::go_to_pair(const QModelIndex& index) {
  if (!index.isValid()) return;
  const auto [a, b] = of_pairs_.hosts(index.row());
  const QString& sensor = model_.answered().sensor;
  QString filter = QStringLiteral("host == %1 and host == %2").arg(a, b);
  if (!sensor.isEmpty()) filter += QStringLiteral(" and sensor == \"%1\"").arg(sensor);
  emit qps_wanted(filter);
}

void SiteView::go_to_sensor(const QModelIndex& index) {
  if (!index.isValid()) return;
  const QString name = index.data(site_key_role).toString();
  emit qps_wanted(QStringLiteral("sensor == \"%1\"").arg(name));
}

void SiteView::go_to_rule(const QModelIndex& index) {
  if (index.isValid()) emit rule_wanted(index.data(site_key_role).toString());
}

void SiteView::go_to_connection(const QModelIndex& index) {
  if (!index.isValid()) return;
  const auto* const sorted = qobject_cast<const QSortFilterProxyModel*>(index.model());
  const QModelIndex its = sorted == nullptr ? index : sorted->mapToSource(index);
  if (const auto qp = of_connections_.qp(its.row())) emit qp_wanted(*qp);
}

}  // namespace iwarpscope::gui
