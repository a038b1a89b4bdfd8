// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The walks of docs/dashboard.md, step by step, with the keys and the words in it.
#include <QHeaderView>
#include <QTreeView>

#include "gui/window/open_window.h"
#include "views/atomics/atomic_view.h"
#include "views/buffers/buffer_view.h"
#include "views/findings/finding_list.h"
#include "views/frame/frame_view.h"
#include "views/ladder/ladder_canvas.h"
#include "views/ladder/ladder_view.h"
#include "views/plots/timeline_view.h"
#include "views/summary/handshake_view.h"
#include "views/summary/verdict_view.h"

namespace iwarpscope::gui::walks_test {
namespace {

using test::wait_until;
using testing::HasSubstr;

class Walk : public OpenWindow {
 protected:
  Walk() {
    QFile file(QStringLiteral(IWARPSCOPE_SAMPLES "/../docs/dashboard.md"));
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    guide = QString::fromUtf8(file.readAll()).simplified();
  }

  /// The guide contains these words, and the view shows them.
  void expect_words(const QString& shown, const QStringList& words) const {
    for (const QString& one : words) {
      EXPECT_TRUE(guide.contains(one.simplified())) << "docs/dashboard.md does not contain: " << one.toStdString();
      EXPECT_THAT(shown.simplified().toStdString(), HasSubstr(one.toStdString()));
    }
  }
  /// Presses the keys that the guide names for a view.
  [[nodiscard]] bool go(const char* name, Qt::Key digit) {
    const QString title = dock(name)->accessibleName();  // the title may contain a count
    const QString entry = QStringLiteral("**%1** (Alt+%2)").arg(title, QChar(static_cast<char16_t>(digit)));
    EXPECT_TRUE(guide.contains(entry)) << entry.toStdString();
    press(digit, Qt::AltModifier);
    return wait_until([&] { return dock(name)->isVisible() && !dock(name)->visibleRegion().isEmpty(); }, 5000);
  }
  [[nodiscard]] QString verdict() const { return view<VerdictView>()->plain_text(); }
  [[nodiscard]] QString ladder() const { return view<LadderView>()->canvas().details(); }
  /// The contents of a table, one line per row.
  [[nodiscard]] static QString text(const QTreeView& table) {
    QStringList lines;
    const QAbstractItemModel& model = *table.model();
    for (int row = 0; row < model.rowCount(); ++row) {
      QStringList cells;
      for (int column = 0; column < model.columnCount(); ++column) {
        cells << model.index(row, column).data().toString();
      }
      lines << cells.join(QLatin1Char(' '));
    }
    return lines.join(QLatin1Char('\n'));
  }

  /// Null: no curve has that name.
  [[nodiscard]] static const QCPGraph* curve(const PlotPane& pane, const char* name) {
    for (int i = 0; i < pane.graphCount(); ++i) {
      if (pane.graph(i)->name() == QLatin1String(name)) return pane.graph(i);
    }
    return nullptr;
  }

  QString guide;
};

TEST_F(Walk, WrongCrcLeadsToTheFpduThatWasDamaged) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  expect_words(verdict(), {"failed, likely by the path between them", "MPA Error: CRC mismatch",
                           "has a wrong CRC at the tap, too", "Suspect a middlebox before the tap"});
  ASSERT_TRUE(go("ladder", Qt::Key_3));
  press(Qt::Key_N);
  ASSERT_TRUE(wait_until([&] { return ladder().contains(QLatin1String("MF-04")); })) << ladder().toStdString();
  expect_words(ladder(), {"MF-04", "one bit differs"});
  const QTreeView& fields = *view<FrameView>()->findChild<QTreeView*>();
  const QHeaderView& columns = *fields.header();
  ASSERT_TRUE(wait_until([&] { return view<FrameView>()->model().rowCount() > 0; }));
  EXPECT_TRUE(wait_until([&] { return columns.length() <= fields.viewport()->width(); }))
      << columns.length() << " of " << fields.viewport()->width() << ": the code of the finding is cut";
  picture(window, QStringLiteral("walk-crc"));
}

TEST_F(Walk, UnequalReadDepthsLeadToTheEndThatAskedForTooMany) {
  ASSERT_TRUE(open("siw/viol-mpa-reply-ird-insufficient.pcap"));
  expect_words(verdict(), {"failed, certainly by B", "Insufficient IRD resources", "lower the Responder's ORD"});
  ASSERT_TRUE(go("handshake", Qt::Key_2));
  expect_words(
      view<HandshakeView>()->plain_text(),
      {"✗ conflict", "The Initiator accepts 4 at a time, fewer than the 8,000 that the Responder wants to send"});
  press(Qt::Key_PageDown);
  picture(window, QStringLiteral("walk-read-depths"));
}

TEST_F(Walk, WriteToAnUnknownStagLeadsToTheAnnouncementThatNeverCame) {
  ASSERT_TRUE(open("siw/term-write-bad-stag.pcap"));
  expect_words(verdict(), {"failed, no end blamed", "DDP Tagged Buffer Error: Invalid STag",
                           "the STag is invalid, or does not allow this access"});
  ASSERT_TRUE(go("ladder", Qt::Key_3));
  press(Qt::Key_Home);
  expect_words(ladder().section(QLatin1Char(','), 0, 0).section(QLatin1Char(' '), 1), {"SYN"});
  const auto is_there = [&] { return ladder().contains(QLatin1String("0x00abcd00")); };
  for (int i = 0; i < 5 && !is_there(); ++i) press(Qt::Key_Down);
  ASSERT_TRUE(wait_until(is_there)) << ladder().toStdString();
  expect_words(ladder(), {"RDMA Write", "STag 0x00abcd00"});
  ASSERT_TRUE(go("buffers", Qt::Key_6));
  const QAbstractItemModel& stags = *view<BufferView>()->table()->model();
  ASSERT_TRUE(wait_until([&] { return stags.rowCount() == 1; }));
  expect_words(stags.index(0, BufferModel::kStag).data().toString(), {"0x00abcd00"});
  EXPECT_EQ(stags.headerData(BufferModel::kAnnounced, Qt::Horizontal, Qt::DisplayRole), QStringLiteral("Announced"));
  EXPECT_THAT(stags.index(0, BufferModel::kAnnounced).data().toString().toStdString(), testing::AnyOf("", "-"));
  picture(window, QStringLiteral("walk-stag"));
}

TEST_F(Walk, ReadThatIsNeverAnsweredLeadsToTheEndThatOwesIt) {
  ASSERT_TRUE(open("made/questions/read-never-answered.pcapng"));
  expect_words(verdict(), {"stalled, likely by B", "has not answered the Read Request with MSN 2",
                           "although its TCP has acknowledged it", "may have at most one request outstanding"});
  ASSERT_TRUE(go("ladder", Qt::Key_3));
  press(Qt::Key_N);
  ASSERT_TRUE(wait_until([&] { return ladder().contains(QLatin1String("No response was seen.")); }))
      << ladder().toStdString();
  expect_words(ladder(), {"No response was seen."});
  EXPECT_THAT(ladder().toStdString(), testing::AllOf(HasSubstr("RDMA Read Request"), HasSubstr("MSN 2")));
  picture(window, QStringLiteral("walk-never-answered"));
  ASSERT_TRUE(go("timeline", Qt::Key_4));
  const PlotPane& outstanding = *view<TimelineView>()->pane(1);
  expect_words(outstanding.title(), {"Outstanding requests"});
  const QCPGraph* const waiting = curve(outstanding, "of A");
  const QCPGraph* const limit = curve(outstanding, "limit of Reads of A");
  const QCPGraph* const unanswered = curve(outstanding, "of A, no response seen");
  ASSERT_TRUE(waiting != nullptr && limit != nullptr && unanswered != nullptr);
  expect_words(limit->name(), {"limit of Reads of A"});
  EXPECT_EQ(limit->data()->constBegin()->value, 1) << "its ORD: why it cannot send another";
  expect_words(unanswered->name(), {"of A, no response seen"});
  ASSERT_EQ(unanswered->data()->size(), 1) << "one request was never answered";
  EXPECT_EQ(unanswered->data()->constBegin()->value, 1);
  // It waits until the end, and A may not send another one.
  const double sent = unanswered->data()->constBegin()->key;
  int later = 0;
  for (auto value = waiting->data()->constBegin(); value != waiting->data()->constEnd(); ++value) {
    if (value->key < sent) continue;
    ++later;
    EXPECT_EQ(value->value, 1) << "at " << value->key;
  }
  EXPECT_GT(later, 0);
}

TEST_F(Walk, ImpossibleAtomicResultLeadsToTheWordAndTheOperation) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  ASSERT_TRUE(go("findings", Qt::Key_8));
  QTreeView* findings = view<FindingList>()->table();
  ASSERT_TRUE(wait_until([&] { return text(*findings).contains(QLatin1String("AT-14")); }));
  expect_words(text(*findings), {"AT-14"});
  findings->setFocus();
  for (int row = 0; row < findings->model()->rowCount(); ++row) {
    findings->setCurrentIndex(findings->model()->index(row, 0));
    if (findings->model()->index(row, FindingTable::kRule).data().toString().contains(QLatin1String("AT-14"))) break;
  }
  press(Qt::Key_Return);
  ASSERT_TRUE(is_whole());
  ASSERT_TRUE(go("atomics", Qt::Key_7));
  auto* atomics = view<AtomicView>();
  ASSERT_TRUE(wait_until([&] { return atomics->words()->model()->rowCount() >= 1; }));
  atomics->words()->setCurrentIndex(atomics->words()->model()->index(0, 0));
  expect_words(text(*atomics->words()), {"contradiction"});
  ASSERT_TRUE(wait_until([&] { return atomics->uses()->model()->rowCount() > 1; }));
  expect_words(text(*atomics->uses()), {"contradiction"});
  picture(window, QStringLiteral("walk-atomics"));
}

}  // namespace
}  // namespace iwarpscope::gui::walks_test
