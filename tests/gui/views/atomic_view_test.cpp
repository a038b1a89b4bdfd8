// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Results of atomics, operated by mouse and keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QTreeView>

#include <algorithm>
#include <optional>

#include "gui/views/message_views.h"
#include "views/atomics/atomic_view.h"

namespace iwarpscope::gui::atomic_view_test {
namespace {

using namespace message_views;
using enum rdmap::Opcode;

class AtomicViews : public LightAndDark {};
INSTANTIATE_TEST_SUITE_P(LightAndDark, AtomicViews, testing::Values(false, true));

TEST_P(AtomicViews, AWordWithAContradictionIsShownFirst) {
  Shown shown;
  shown.filled.messages.clear();
  for (std::uint64_t i = 0; i < 12; ++i) {
    const auto at = static_cast<std::int64_t>(1000 * i);
    qp::MessageRecord request = made::message(Direction::a_to_b, i, atomic_request, at, at, 52);
    qp::AtomicRequestDetail detail{"fetch_add", 1, STag{7}, TaggedOffset{8 * (i % 2)}, 1, 0, 0, 0, {}};
    detail.response = qp::ResponseLink{i, 300, 300};
    request.detail = detail;
    qp::MessageRecord response = made::message(Direction::b_to_a, i, atomic_response, at + 300, at + 300, 12);
    const bool is_wrong = i == 9;
    const std::uint64_t original = is_wrong ? 77 : i / 2;
    response.detail = qp::AtomicResponseDetail{i, 1, original, original + 1, is_wrong ? "inconsistent" : "verified"};
    shown.filled.messages.push_back(request);
    shown.filled.messages.push_back(response);
  }
  AtomicView view(shown.filled.store, {}, shown.selection);
  view.set_qp(shown.view());
  ASSERT_TRUE(shown.open());
  show(view);
  ASSERT_TRUE(
      wait_until([&] { return view.words()->model()->rowCount() == 2 && view.uses()->model()->rowCount() == 6; }));
  EXPECT_EQ(view.words()->currentIndex().row(), 1);
  EXPECT_FALSE(view.others()->isEnabled());
  live::FindingView finding;
  finding.finding.id = findings::FindingId::rdmap_atomic_results_inconsistent;
  finding.finding.qp = 0;
  finding.finding.direction = Direction::b_to_a;
  finding.finding.message = 9;
  finding.finding.frame = FrameNumber{18};
  finding.finding.frames = {FrameNumber{10}, FrameNumber{13}};
  finding.began = TimePoint{9300};
  view.set_findings(std::span(&finding, 1));
  const auto is_links = [](const QLabel* label) { return label->text().contains(QLatin1String("AT-14")); };
  const auto labels = view.findChildren<QLabel*>();
  const auto links = std::find_if(labels.begin(), labels.end(), is_links);
  ASSERT_NE(links, labels.end());
  EXPECT_TRUE((*links)->text().contains(QLatin1String("frame 10"))) << "where every view has it: in its first evidence";
  std::optional<Focus> focus;
  QObject::connect(&shown.selection, &Selection::focused, &view, [&](const Focus& f) { focus = f; });
  view.uses()->setCurrentIndex(view.uses()->model()->index(0, 0));
  QTest::keyClick(view.uses(), Qt::Key_Return);
  ASSERT_TRUE(focus && focus->message);
  EXPECT_EQ(*focus->message, 1u);
  keep(view, QStringLiteral("atomics") + shade());
}

/// A FetchAdd on the only word of these tests, and its response.
std::vector<qp::MessageRecord> fetch_add(std::uint64_t qp, std::int64_t at) {
  qp::MessageRecord request = made::message(Direction::a_to_b, 0, atomic_request, at, at, 52);
  qp::AtomicRequestDetail detail{"fetch_add", 1, STag{7}, TaggedOffset{8}, 1, 0, 0, 0, {}};
  detail.response = qp::ResponseLink{0, 300, 300};
  request.detail = detail;
  qp::MessageRecord response = made::message(Direction::b_to_a, 0, atomic_response, at + 300, at + 300, 12);
  response.detail = qp::AtomicResponseDetail{0, 1, 5, 6, "verified"};
  request.qp = response.qp = qp;
  return {request, response};
}

TEST_P(AtomicViews, AContradictionBetweenQueuePairsShowsTheOperationsOfBoth) {
  Selection selection;
  made::Filled filled(fetch_add(0, 1000));
  int asked = 0;
  AtomicView view(
      filled.store,
      [&asked](std::uint64_t qp, std::uint64_t from, std::uint32_t, QObject* asker, const auto& then) {
        ++asked;
        const MessageRows rows{from, from == 0 ? fetch_add(qp, 2000) : std::vector<qp::MessageRecord>{}, {}, 0};
        QMetaObject::invokeMethod(
            asker, [rows, then] { then(rows); }, Qt::QueuedConnection);
      },
      selection);
  live::QpView mine = filled.view(), other = filled.view();
  mine.record.directions[0].messages[static_cast<std::size_t>(atomic_request)] = 1;
  other.record.directions[0].messages[static_cast<std::size_t>(atomic_request)] = 1;
  other.record.qp = 3;
  view.set_qp(mine);
  view.set_all({mine, other});
  filled.open();
  show(view);
  ASSERT_TRUE(wait_until([&] { return view.uses()->model()->rowCount() == 1; }));
  live::FindingView finding;
  finding.finding.qp = 0;
  finding.finding.direction = Direction::b_to_a;
  finding.finding.message = 0;
  finding.finding.id = findings::FindingId::rdmap_atomic_results_inconsistent;
  view.set_findings(std::span(&finding, 1));
  QTest::qWait(50);
  EXPECT_EQ(asked, 0) << "one queue pair contradicts itself";
  finding.finding.id = findings::FindingId::rdmap_atomics_not_linearizable;
  view.set_findings(std::span(&finding, 1));
  EXPECT_TRUE(wait_until([&] { return view.uses()->model()->rowCount() == 2; }));
  EXPECT_FALSE(view.others()->isEnabled()) << "no finding is left";
  view.set_findings(std::span(&finding, 1));
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace iwarpscope::gui::atomic_view_test
