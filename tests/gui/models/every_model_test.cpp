// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Each table, tree and proxy of the dashboard under QAbstractItemModelTester: empty, with one row, with many, while
// rows are added and change, after a reset. A model without a test fails the first test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QCompleter>
#include <QDirIterator>
#include <QFile>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTest>
#include <QTreeView>

#include <functional>
#include <memory>

#include "gui/models/qp_rows.h"
#include "gui/models/site_subjects.h"
#include "gui/models/subject.h"
#include "gui/models/timeline_made.h"
#include "gui/wait.h"
#include "models/atomics/atomic_words.h"
#include "models/findings/finding_filter.h"
#include "models/findings/finding_table.h"
#include "models/frame/frame_model.h"
#include "models/hosts/host_table.h"
#include "models/logs/log_tables.h"
#include "models/plots/latency_slowest.h"
#include "models/queue_pairs/qp_model.h"
#include "models/selection.h"
#include "models/time_proxy.h"
#include "views/buffers/buffer_view.h"
#include "views/plots/latency_view.h"
#include "views/queue_pairs/filter_bar.h"

namespace iwarpscope::gui::every_model_test {
namespace {

using iwarpscope::test::made_qp;
using iwarpscope::test::made_qps;
using iwarpscope::test::wait_until;
using testing::UnorderedElementsAreArray;

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

class OfQueuePairs : public Subject {
 public:
  explicit OfQueuePairs(bool grouped) { model_.set_grouped(grouped); }
  QAbstractItemModel& model() override { return model_; }
  void fill(int rows) override { model_.replace(made_qps(0, static_cast<std::uint64_t>(rows))); }
  void change() override {
    live::QpView other = made_qp(1);
    iwarpscope::test::fail_qp(other);
    model_.change({other, made_qp(90)});
  }

 private:
  QpModel model_;
};

live::FindingView finding(std::uint64_t sequence) {
  live::FindingView view;
  view.sequence = sequence;
  view.finding.id = findings::FindingId::mpa_crc_mismatch;
  view.finding.qp = sequence;
  view.finding.frame = FrameNumber{sequence};
  view.finding.time = TimePoint{static_cast<std::int64_t>(1000 - sequence)};
  view.ends = std::pair{net::Endpoint{net::IpAddress::v4(1), 1}, net::Endpoint{net::IpAddress::v4(2), 2}};
  return view;
}

class OfFindings : public Subject {
 public:
  QAbstractItemModel& model() override { return table_; }
  void fill(int rows) override {
    FindingRows all;
    for (int i = 0; i < rows; ++i) all.push_back(finding(static_cast<std::uint64_t>(i + 1)));
    table_.replace(all);
  }
  void change() override { table_.add({finding(400), finding(401)}); }

 protected:
  FindingTable table_;
};

class OfFilteredFindings : public OfFindings {
 public:
  QAbstractItemModel& model() override { return filter_; }
  void change() override {
    OfFindings::change();
    filter_.set_qp(1);
    filter_.set_qp({});
    selection_.set_range(TimeRange{{600}, {998}});
    selection_.set_range({});
    filter_.sort(FindingTable::kQp, Qt::DescendingOrder);
  }

 private:
  Selection selection_;
  FindingFilter filter_{table_, selection_};
};

/// Every other row is in the marked time.
class OfMarkedTime : public OfFindings {
 public:
  QAbstractItemModel& model() override { return proxy_; }
  void change() override {
    OfFindings::change();
    selection_.set_range(TimeRange{{0}, {1}});
    EXPECT_EQ(proxy_.hidden(), table_.rowCount() / 2);
    selection_.set_range({});
    EXPECT_EQ(proxy_.hidden(), 0);
  }

 private:
  Selection selection_;
  TimeProxy proxy_{selection_, table_, [](int row, const TimeRange& range) { return row % 2 == range.from.ns; }};
};

/// Models that are fed by a store.
class OfMessages : public Subject {
 public:
  void fill(int rows) override {
    filled_.store.open({});
    filled_.messages.clear();
    for (int i = 0; i < rows; ++i) filled_.messages.push_back(message(static_cast<std::uint64_t>(i)));
    open();
  }
  void change() override {
    filled_.messages.push_back(message(filled_.messages.size()));
    filled_.store.follow(filled_.view());
    wait();
  }
  void reset() override { filled_.store.open({}); }

 protected:
  [[nodiscard]] virtual qp::MessageRecord message(std::uint64_t place) const = 0;
  void open() {
    if (filled_.messages.empty()) return;
    filled_.open();
    wait();
  }
  void wait() {
    ASSERT_TRUE(wait_until([this] { return filled_.store.progress() >= 1; }));
    const int rows = static_cast<int>(filled_.messages.size());
    EXPECT_TRUE(wait_until([&] { return model().rowCount() == rows; }, 2000)) << model().rowCount();
  }

  made::Filled filled_{std::vector<qp::MessageRecord>()};
  Selection selection_;
};

class OfSlowest : public OfMessages {
 public:
  QAbstractItemModel& model() override { return model_; }

 protected:
  qp::MessageRecord message(std::uint64_t place) const override {
    const auto at = static_cast<std::int64_t>(1000 * place);
    return made::read_request(Direction::a_to_b, place, at, static_cast<std::int64_t>(100 + place * 37 % 1000));
  }

 private:
  SlowestModel model_{filled_.store};
};

class OfSortedSlowest : public OfSlowest {
 public:
  QAbstractItemModel& model() override { return *view_.list()->model(); }
  void change() override {
    OfSlowest::change();
    view_.list()->sortByColumn(SlowestModel::kLatency, Qt::AscendingOrder);
    selection_.set_range(TimeRange{{0}, {3000}});
    selection_.set_range({});
  }

 private:
  LatencyView view_{filled_.store, selection_};
};

class OfBuffers : public OfMessages {
 public:
  QAbstractItemModel& model() override { return model_; }

 protected:
  qp::MessageRecord message(std::uint64_t place) const override {
    return made::tagged(Direction::a_to_b, place, rdmap::Opcode::rdma_write, static_cast<std::uint32_t>(7 + place), 0,
                        64);
  }

 private:
  BufferModel model_{filled_.store};
};

class OfSortedBuffers : public OfBuffers {
 public:
  QAbstractItemModel& model() override { return *view_.table()->model(); }
  void change() override {
    OfBuffers::change();
    view_.table()->sortByColumn(BufferModel::kPlaced, Qt::DescendingOrder);
  }

 private:
  BufferView view_{filled_.store, selection_};
};

qp::MessageRecord atomic(std::uint64_t place) {
  qp::MessageRecord out = made::message(Direction::a_to_b, place, rdmap::Opcode::atomic_request, 0, 0, 52);
  out.detail = qp::AtomicRequestDetail{"fetch_add", 1, STag{7}, TaggedOffset{8 * place}, 1, 0, 0, 0, {}};
  return out;
}

class OfWords : public OfMessages {
 public:
  OfWords() {
    live::QpView view;
    view.record.directions[0].messages[static_cast<std::size_t>(rdmap::Opcode::atomic_request)] = 1;
    model_.set_qp(view);
  }
  QAbstractItemModel& model() override { return model_; }

 protected:
  qp::MessageRecord message(std::uint64_t place) const override { return atomic(place); }

 private:
  AtomicWordsModel model_{filled_.store, {}};
};

class OfUses : public Subject {
 public:
  QAbstractItemModel& model() override { return model_; }
  void fill(int rows) override {
    history_ = {};
    for (int i = 0; i < rows; ++i) add();
    model_.show(history_);
  }
  void change() override {
    add();
    model_.show(history_);
  }

 private:
  void add() {
    AtomicUse use;
    use.index = history_.uses.size();
    use.operation = "fetch_add";
    use.original = use.index;
    use.result = use.index + 1;
    use.invoked = {static_cast<std::int64_t>(100 * use.index)};
    use.first_octet_ns = 10;
    history_.uses.push_back(use);
  }
  WordHistory history_;
  AtomicUsesModel model_;
};

live::QpView between(std::uint64_t number) {
  live::QpView view = made_qp(number);
  view.record.a.address = net::IpAddress::v4(0x0A000100U + static_cast<std::uint32_t>(number));
  view.record.b.address = net::IpAddress::v4(0x0A000001U);
  return view;
}

class OfHosts : public Subject {
 public:
  QAbstractItemModel& model() override { return model_; }
  void fill(int rows) override {
    QpRows all;
    for (int i = 0; i < rows; ++i) all.push_back(between(static_cast<std::uint64_t>(i + 1)));
    hosts_.replace(all);
    model_.show(hosts_.sums());
  }
  void change() override {
    live::QpView other = between(1);
    iwarpscope::test::fail_qp(other);
    hosts_.change({other});
    model_.show(hosts_.sums());
    hosts_.change({between(80)});
    model_.show(hosts_.sums());
    model_.set_words(QStringLiteral("failed"));
    model_.set_words({});
  }

 private:
  HostMatrix hosts_;
  HostTable model_;
};

class OfWorst : public Subject {
 public:
  QAbstractItemModel& model() override { return model_; }
  void fill(int rows) override {
    hosts_.replace(made_qps(1, static_cast<std::uint64_t>(rows)));
    model_.show(hosts_.worst(Ranking::traffic, WorstTable::kMost));
  }
  void change() override {
    hosts_.change({made_qp(90)});
    model_.show(hosts_.worst(Ranking::traffic, WorstTable::kMost));
  }

 private:
  HostMatrix hosts_;
  WorstTable model_;
};

class OfMeanings : public Subject {
 public:
  QAbstractItemModel& model() override { return model_; }
  void fill(int rows) override {
    std::vector<LogMeaning> all(static_cast<std::size_t>(rows));
    for (LogMeaning& one : all) one.sentence = QStringLiteral("It means something.");
    model_.show(all);
  }
  void change() override { fill(3); }

 private:
  LogMeaningTable model_;
};

class OfMatches : public Subject {
 public:
  QAbstractItemModel& model() override { return model_; }
  void fill(int rows) override {
    std::vector<LogMatch> all(static_cast<std::size_t>(rows));
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].qp = i;
      all[i].score = 1 + static_cast<int>(i);
    }
    model_.show(all);
  }
  void change() override { fill(3); }

 private:
  LogMatchTable model_;
};

/// Completions of the filter: as many as there are host addresses with that beginning.
class OfCompletions : public Subject {
 public:
  OfCompletions() {
    bar_.set_occurring([this](const QpField&) { return words_; });
  }
  QAbstractItemModel& model() override { return *bar_.findChild<QCompleter*>()->model(); }
  void fill(int rows) override {
    words_.clear();
    for (int i = 0; i < rows; ++i) words_ << QStringLiteral("made-%1").arg(i);
    offer();
  }
  void change() override {
    words_ << QStringLiteral("made-x");
    offer();
  }

 private:
  void offer() {
    auto* edit = bar_.findChild<QLineEdit*>();
    edit->clear();
    QTest::keyClicks(edit, QStringLiteral("ulp == mad"));
  }
  QStringList words_;
  FilterBar bar_;
};

/// A row for each layer.
class OfFields : public Subject {
 public:
  QAbstractItemModel& model() override { return model_; }
  void fill(int rows) override {
    DecodedFrame frame;
    frame.octets = QByteArray(rows, 'x');
    for (int i = 0; i < rows; ++i) {
      frame.fields.push_back({.layer = QStringLiteral("layer %1").arg(i),
                              .name = QStringLiteral("field"),
                              .value = QStringLiteral("value"),
                              .offset = static_cast<std::uint32_t>(i),
                              .length = 1});
    }
    model_.set_frame(std::move(frame), {});
  }
  void change() override { fill(7); }
  void reset() override { model_.clear(); }

 private:
  FrameModel model_;
};

struct Case {
  const char* model;  ///< as in the sources: a class, or a member of a class in a file
  const char* how;
  std::function<std::unique_ptr<Subject>()> make;
  int many;  ///< rows; 0: as many as were added
};

template <class T>
std::function<std::unique_ptr<Subject>()> made() {
  return [] { return std::make_unique<T>(); };
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"QpModel", "Flat", [] { return std::make_unique<OfQueuePairs>(false); }, 0},
      {"QpModel", "Grouped", [] { return std::make_unique<OfQueuePairs>(true); }, 0},
      {"FindingTable", "", made<OfFindings>(), 0},
      {"FindingFilter", "", made<OfFilteredFindings>(), 0},
      {"TimeProxy", "", made<OfMarkedTime>(), 0},
      {"SlowestModel", "", made<OfSlowest>(), 0},
      {"latency_view.h: sorted_", "", made<OfSortedSlowest>(), 0},
      {"BufferModel", "", made<OfBuffers>(), 0},
      {"buffer_view.h: sorted_", "", made<OfSortedBuffers>(), 0},
      {"AtomicWordsModel", "", made<OfWords>(), 0},
      {"AtomicUsesModel", "", made<OfUses>(), 0},
      {"HostTable", "", made<OfHosts>(), 0},
      {"WorstTable", "", made<OfWorst>(), static_cast<int>(WorstTable::kMost)},
      {"SitePairTable", "", made<OfSite<SitePairTable>>(), 0},
      {"SiteNewsTable", "", made<OfSite<SiteNewsTable>>(), 0},
      {"SiteConnectionTable", "", made<OfSite<SiteConnectionTable>>(), 0},
      {"SensorTable", "", made<OfSensors>(), 0},
      {"site_view.cpp: new QSortFilterProxyModel", "", made<OfSortedSensors>(), 0},
      {"LogMeaningTable", "", made<OfMeanings>(), 0},
      {"LogMatchTable", "", made<OfMatches>(), 0},
      {"filter_bar.h: words_", "", made<OfCompletions>(), 0},
      {"FrameModel", "", made<OfFields>(), 0},
  };
  return all;
}

/// Classes that are models, and members that are Qt's own models.
QStringList models_in_sources() {
  const QString base = QStringLiteral(
      "Q(?:Abstract(?:Item|Table|List|Proxy)Model|SortFilterProxyModel|IdentityProxyModel|TransposeProxyModel|"
      "ConcatenateTablesProxyModel|StandardItemModel|StringListModel|FileSystemModel)");
  const QRegularExpression derived(QStringLiteral("class (\\w+)(?: final)? : (?:public \\w+, )*public ") + base);
  const QRegularExpression member(
      QStringLiteral("^\\s*(?:const )?") + base + QStringLiteral("\\*?(?: const)? (\\w+)\\b[^(]*;"),
      QRegularExpression::MultilineOption);
  const QRegularExpression made_there(QStringLiteral("new ") + base);
  QStringList found;
  QDirIterator files(QStringLiteral(IWARPSCOPE_SAMPLES "/../gui"), {QStringLiteral("*.h"), QStringLiteral("*.cpp")},
                     QDir::Files, QDirIterator::Subdirectories);
  while (files.hasNext()) {
    QFile file(files.next());
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    const QString name = files.fileName();
    for (auto all = derived.globalMatch(text); all.hasNext();) found << all.next().captured(1);
    for (auto all = member.globalMatch(text); all.hasNext();)
      found << name + QStringLiteral(": ") + all.next().captured(1);
    for (auto all = made_there.globalMatch(text); all.hasNext();)
      found << name + QStringLiteral(": ") + all.next().captured(0);
  }
  return found;
}

TEST(EveryModel, OfTheSourcesIsWatchedHere) {
  std::set<std::string> watched, there;
  for (const Case& one : cases()) watched.insert(one.model);
  for (const QString& one : models_in_sources()) there.insert(one.toStdString());
  EXPECT_GE(there.size(), 10u);
  EXPECT_THAT(watched, UnorderedElementsAreArray(there));
}

class Watched : public testing::TestWithParam<Case> {};

TEST_P(Watched, EmptyWithOneRowWithManyChangingAndReset) {
  constexpr int kMany = 60;
  const std::unique_ptr<Subject> subject = GetParam().make();
  QAbstractItemModel& model = subject->model();
  const QAbstractItemModelTester tester(&model, kFatal);
  EXPECT_EQ(model.rowCount(), 0) << "empty";
  subject->fill(1);
  EXPECT_EQ(model.rowCount(), 1);
  int emitted = 0;
  for (const auto signal : {&QAbstractItemModel::modelReset})
    QObject::connect(&model, signal, &model, [&] { ++emitted; });
  QObject::connect(&model, &QAbstractItemModel::rowsInserted, &model, [&] { ++emitted; });
  QObject::connect(&model, &QAbstractItemModel::dataChanged, &model, [&] { ++emitted; });
  subject->fill(kMany);
  EXPECT_EQ(model.rowCount(), GetParam().many == 0 ? kMany : GetParam().many);
  EXPECT_GT(emitted, 0);
  emitted = 0;
  subject->change();
  EXPECT_GT(emitted, 0) << "no signal for the change";
  // What views read from every cell, in every column.
  for (int row = 0; row < model.rowCount(); ++row) {
    for (int column = 0; column < model.columnCount(); ++column) {
      const QModelIndex index = model.index(row, column);
      for (const int role :
           {int{Qt::DisplayRole}, int{Qt::ToolTipRole}, int{Qt::AccessibleTextRole}, int{Qt::UserRole}}) {
        (void)index.data(role);
      }
    }
  }
  for (int column = 0; column < model.columnCount(); ++column) {
    const auto is_right = [](const QVariant& alignment) { return (alignment.toInt() & Qt::AlignRight) != 0; };
    EXPECT_EQ(is_right(model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole)),
              is_right(model.index(0, column).data(Qt::TextAlignmentRole)))
        << "the header of column " << column << " is equal to another header";
  }
  subject->reset();
  EXPECT_EQ(model.rowCount(), 0) << "after the reset";
  subject->fill(kMany);
  subject->fill(1);
  EXPECT_EQ(model.rowCount(), 1) << "filled again";
}

INSTANTIATE_TEST_SUITE_P(EveryModel, Watched, testing::ValuesIn(cases()), [](const auto& one) {
  QString name = QString::fromLatin1(one.param.model) + QString::fromLatin1(one.param.how);
  name.replace(QRegularExpression(QStringLiteral("\\W")), QStringLiteral("_"));
  return name.toStdString();
});

}  // namespace
}  // namespace iwarpscope::gui::every_model_test
