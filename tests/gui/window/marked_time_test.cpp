// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One time span for every view; captures that are cut, incomplete or contain something else; refused messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QTreeView>

#include "gui/window/open_window.h"
#include "views/atomics/atomic_view.h"
#include "views/banner.h"
#include "views/buffers/buffer_view.h"
#include "views/empty_note.h"
#include "views/findings/finding_list.h"
#include "views/health_bar.h"
#include "views/hosts/host_view.h"
#include "views/ladder/ladder_view.h"
#include "views/logs/log_view.h"
#include "views/plots/latency_view.h"
#include "views/plots/time_note.h"
#include "views/queue_pairs/qp_table_view.h"
#include "views/summary/verdict_view.h"

namespace iwarpscope::gui::marked_time_test {
namespace {

using test::wait_until;
using testing::HasSubstr;
using testing::Not;

std::string note_of(const QWidget* view) {
  const auto* note = view == nullptr ? nullptr : view->findChild<TimeNote*>();
  return note == nullptr ? std::string() : note->text().toStdString();
}

class MarkedTime : public OpenWindow {
 protected:
  Selection& selection() { return window.views()->selection(); }
  [[nodiscard]] std::vector<QWidget*> views() const {
    return {view<QpTableView>(), view<VerdictView>(), view<LadderView>(), view<LatencyView>(), view<BufferView>(),
            view<AtomicView>(),  view<FindingList>(), view<HostView>(),   view<LogView>()};
  }
  [[nodiscard]] std::string losses() const {
    for (const Banner* banner : window.findChildren<Banner*>()) {
      if (banner->accessibleName() == QStringLiteral("Losses that limit verdicts")) {
        return banner->sentence().toStdString();
      }
    }
    return {};
  }
  [[nodiscard]] std::string why_empty() const {
    return view<QpTableView>()->findChild<EmptyNote*>()->sentence().toStdString();
  }
  [[nodiscard]] bool has_ended() {
    return wait_until([this] {
      const StatusPtr& status = window.views()->session().status();
      return status && status->replay() && !status->capturing();
    });
  }
  /// A copy of a little-endian classic pcap file with frames cut to `octets`.
  [[nodiscard]] QString cut(const char* name, std::uint32_t octets) {
    QFile file(test::sample(name));
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray all = file.readAll();
    QByteArray out = all.left(24);
    for (qsizetype at = 24; at + 16 <= all.size();) {
      std::uint32_t captured = 0;
      std::memcpy(&captured, all.constData() + at + 8, 4);
      const std::uint32_t kept = std::min(captured, octets);
      QByteArray record = all.mid(at, 16);
      std::memcpy(record.data() + 8, &kept, 4);
      out += record + all.mid(at + 16, kept);
      at += 16 + static_cast<qsizetype>(captured);
    }
    const QString copy = folder.filePath(QStringLiteral("cut.pcap"));
    QFile written(copy);
    EXPECT_TRUE(written.open(QIODevice::WriteOnly));
    EXPECT_EQ(written.write(out), out.size());
    return copy;
  }
};

TEST_F(MarkedTime, IsShownByEveryViewAndEscapeClearsIt) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  const qp::QpRecord& record = window.views()->qp()->record;
  for (const QWidget* view : views()) {
    ASSERT_NE(view, nullptr);
    ASSERT_NE(view->findChild<TimeNote*>(), nullptr) << view->accessibleName().toStdString();
    EXPECT_EQ(note_of(view), "") << view->accessibleName().toStdString();
  }
  // Before any of it arrived.
  selection().set_range(TimeRange{{record.first_time.ns - 2000}, {record.first_time.ns - 1000}});
  for (const QWidget* view : views()) {
    EXPECT_THAT(note_of(view), HasSubstr("Marked: ")) << view->accessibleName().toStdString();
  }
  EXPECT_EQ(view<QpTableView>()->model().shown(), 0u);
  EXPECT_THAT(note_of(view<QpTableView>()), HasSubstr("1 queue pair"));
  QTreeView* findings = view<FindingList>()->table();
  EXPECT_EQ(findings->model()->rowCount(), 0);
  EXPECT_THAT(view<VerdictView>()->plain_text().toStdString(), HasSubstr("(outside the marked time)"));
  EXPECT_THAT(view<VerdictView>()->plain_text().toStdString(), Not(HasSubstr("(in the marked time)")));
  for (QWidget* from : {static_cast<QWidget*>(view<QpTableView>()), static_cast<QWidget*>(view<VerdictView>())}) {
    selection().set_range(TimeRange{record.first_time, {record.last_time.ns + 1}});
    EXPECT_THAT(view<VerdictView>()->plain_text().toStdString(), HasSubstr("(in the marked time)"));
    EXPECT_EQ(view<QpTableView>()->model().shown(), 1u);
    EXPECT_GT(findings->model()->rowCount(), 0);
    from->setFocus();
    press(Qt::Key_Escape);
    EXPECT_FALSE(selection().range()) << from->accessibleName().toStdString();
  }
  for (const QWidget* view : views()) EXPECT_EQ(note_of(view), "") << view->accessibleName().toStdString();
  selection().set_range(TimeRange{{1}, {2}});
  auto* const all = view<LadderView>()->findChild<TimeNote*>()->findChild<QPushButton*>();
  ASSERT_NE(all, nullptr);
  all->click();
  EXPECT_FALSE(selection().range());
}

TEST_F(MarkedTime, FiltersTheAtomicsOfAWord) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  auto* atomics = view<AtomicView>();
  ASSERT_TRUE(wait_until([&] { return atomics->uses()->model()->rowCount() > 1; }));
  const int all = atomics->uses()->model()->rowCount();
  // All except the first one.
  std::optional<Focus> first;
  QObject::connect(&selection(), &Selection::focused, atomics, [&](const Focus& focus) { first = focus; });
  atomics->uses()->setCurrentIndex(atomics->uses()->model()->index(0, 0));
  QTest::keyClick(atomics->uses(), Qt::Key_Return);
  ASSERT_TRUE(first);
  selection().set_range(TimeRange{{first->time.ns + 1}, {window.views()->qp()->record.last_time.ns + 1}});
  EXPECT_EQ(atomics->uses()->model()->rowCount(), all - 1);
  EXPECT_THAT(note_of(atomics), HasSubstr("1 operation"));
  selection().set_range(TimeRange{{1}, {2}});
  EXPECT_EQ(atomics->words()->model()->rowCount(), 0);
  EXPECT_EQ(atomics->uses()->model()->rowCount(), 0);
  selection().set_range({});
  ASSERT_TRUE(wait_until([&] { return atomics->uses()->model()->rowCount() == all; }));
}

TEST_F(MarkedTime, AVerdictThatAllWentWellHasNoTickBesideAContradiction) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  const std::string verdict = view<VerdictView>()->plain_text().toStdString();
  EXPECT_THAT(verdict, HasSubstr("completed"));
  EXPECT_THAT(verdict, Not(HasSubstr("✓")));
  EXPECT_THAT(verdict, HasSubstr("AT-14"));
}

TEST_F(MarkedTime, ARefusedWriteIsNotWhatMemoryHolds) {
  ASSERT_TRUE(open("siw/term-write-bad-stag.pcap"));
  auto* buffers = view<BufferView>();
  const QAbstractItemModel& stags = *buffers->table()->model();
  ASSERT_TRUE(wait_until([&] { return stags.rowCount() == 1; }));
  const auto cell = [&](int column) { return stags.index(0, column).data().toString().toStdString(); };
  ASSERT_TRUE(wait_until([&] { return cell(BufferModel::kRefused) == "✗ 1"; })) << cell(BufferModel::kRefused);
  EXPECT_EQ(cell(BufferModel::kPlaced), "0");
  ASSERT_TRUE(wait_until([&] { return buffers->canvas()->current() != nullptr; }));
  const Extent* const piece = buffers->canvas()->current();
  ASSERT_NE(piece, nullptr);
  EXPECT_TRUE(piece->refused);
  EXPECT_THAT(buffers->canvas()->text_of(*piece).toStdString(), HasSubstr("nothing placed here"));
  bool is_said = false;
  for (const QLabel* label : buffers->findChildren<QLabel*>()) {
    is_said = is_said || (!label->isHidden() && label->text().contains(QStringLiteral("Terminate in frame 9")));
  }
  EXPECT_TRUE(is_said);
  picture(*buffers, QStringLiteral("refused"));
}

TEST_F(MarkedTime, ACaptureThatEndsInAFrameSaysSo) {
  ASSERT_TRUE(open("made/rules/capture.truncated-file.pcapng"));
  ASSERT_TRUE(wait_until([this] { return !losses().empty(); }));
  EXPECT_THAT(losses(), HasSubstr("incomplete"));
  EXPECT_THAT(losses(), HasSubstr("ends in the middle of a record"));
}

TEST_F(MarkedTime, ACaptureOfHeadersAloneSaysSo) {
  window.open_files({cut("siw/viol-crc-error.pcap", 66)});
  ASSERT_TRUE(has_ended());
  ASSERT_TRUE(wait_until([this] { return !why_empty().empty() && losses().find("cut") != std::string::npos; }));
  EXPECT_THAT(why_empty(), HasSubstr("no iWARP in this capture"));
  EXPECT_THAT(why_empty(), HasSubstr("only headers were captured"));
  EXPECT_THAT(losses(), HasSubstr("snap length cut"));
}

TEST_F(MarkedTime, ACaptureWithoutIwarpSaysSo) {
  window.open_files({test::sample("siw/connect-closed-port.pcap")});
  ASSERT_TRUE(has_ended());
  ASSERT_TRUE(wait_until([this] { return why_empty().find("no iWARP") != std::string::npos; }));
  EXPECT_THAT(why_empty(), Not(HasSubstr("only headers")));
  EXPECT_THAT(losses(), HasSubstr("no iWARP in this capture"));
}

TEST_F(MarkedTime, AFilterIsNotKeptForAnotherCapture) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  view<QpTableView>()->filter_bar().set_text(QStringLiteral("outcome == failed"));
  ASSERT_TRUE(open("siw/rping-ipv4.pcap"));
  EXPECT_EQ(view<QpTableView>()->filter_bar().text(), QString());
  EXPECT_EQ(view<QpTableView>()->model().shown(), 1u);
  view<QpTableView>()->filter_bar().set_text(QStringLiteral("outcome == failed"));
  ASSERT_TRUE(wait_until([this] { return !why_empty().empty(); }));
  EXPECT_THAT(why_empty(), HasSubstr("No queue pair matches the filter: 1 hidden"));
}

}  // namespace
}  // namespace iwarpscope::gui::marked_time_test
