// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The map of tagged buffers, operated by mouse and keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QTreeView>

#include <optional>

#include "gui/views/message_views.h"
#include "views/buffers/buffer_view.h"

namespace iwarpscope::gui::buffer_view_test {
namespace {

using namespace message_views;
using enum rdmap::Opcode;

class BufferViews : public LightAndDark {};
INSTANTIATE_TEST_SUITE_P(LightAndDark, BufferViews, testing::Values(false, true));

TEST_P(BufferViews, TheStagThatIsShownFirstHasAMap) {
  Shown shown;
  qp::MessageRecord read = made::read_request(Direction::b_to_a, 0, 1000, 2000);
  shown.filled.messages = {read, made::tagged(Direction::a_to_b, 1, rdma_write, 0x7000, 0, 700)};
  BufferView view(shown.filled.store, shown.selection);
  ASSERT_TRUE(shown.open());
  view.set_qp(shown.view());
  show(view);
  ASSERT_TRUE(wait_until([&] { return view.table()->model()->rowCount() >= 2; }));
  EXPECT_TRUE(wait_until([&] {
    return view.table()->currentIndex().siblingAtColumn(0).data().toString() == QStringLiteral("0x00007000");
  })) << view.table()->currentIndex().siblingAtColumn(0).data().toString().toStdString();
  // What the user chooses stays.
  const QModelIndex first = view.table()->model()->index(0, 0);
  ASSERT_NE(first, view.table()->currentIndex().siblingAtColumn(0));
  QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, {}, view.table()->visualRect(first).center());
  view.set_qp(shown.view());
  QTest::qWait(300);
  EXPECT_EQ(view.table()->currentIndex().siblingAtColumn(0), first);
}

TEST_P(BufferViews, PiecesOfMemoryAreWalkedThroughByKeys) {
  Shown shown;
  qp::MessageRecord invalidate =
      made::message(Direction::a_to_b, 5000, send_invalidate, 1'700'000'000, 1'700'000'000, 8);
  invalidate.invalidate_stag = STag{0x1000};
  qp::MessageRecord late = made::tagged(Direction::a_to_b, 5001, rdma_write, 0x1000, 512 * 20, 700);
  late.first_time = late.placed_time = {1'900'000'000};
  shown.filled.messages.push_back(invalidate);
  shown.filled.messages.push_back(late);
  BufferView view(shown.filled.store, shown.selection);
  ASSERT_TRUE(shown.open());
  view.set_qp(shown.view());
  show(view);
  ASSERT_TRUE(wait_until([&] { return view.table()->model()->rowCount() >= 1; }));
  const QModelIndexList found =
      view.table()->model()->match(view.table()->model()->index(0, 0), Qt::DisplayRole, QStringLiteral("0x00001000"));
  ASSERT_EQ(found.size(), 1);
  view.table()->setCurrentIndex(found.front());
  BufferCanvas& canvas = *view.canvas();
  ASSERT_TRUE(wait_until([&] { return canvas.current() != nullptr; }));
  std::optional<Focus> focus;
  QObject::connect(&shown.selection, &Selection::focused, &view, [&](const Focus& f) { focus = f; });
  canvas.setFocus();
  QTest::keyClick(&canvas, Qt::Key_Home);
  EXPECT_EQ(canvas.current()->begin, 0u);
  QTest::keyClick(&canvas, Qt::Key_Right);
  EXPECT_EQ(canvas.current()->begin, 512u);
  QTest::keyClick(&canvas, Qt::Key_End);
  EXPECT_EQ(canvas.current()->end, 512u * 40);
  QTest::keyClick(&canvas, Qt::Key_Return);
  ASSERT_TRUE(focus && focus->message);
  EXPECT_EQ(*focus->message, canvas.current()->last.index);
  QTest::keyClick(&canvas, Qt::Key_Plus);
  QTest::keyClick(&canvas, Qt::Key_0);
  EXPECT_FALSE(canvas.accessibleDescription().isEmpty());
  keep(view, QStringLiteral("buffers") + shade());
}

}  // namespace
}  // namespace iwarpscope::gui::buffer_view_test
