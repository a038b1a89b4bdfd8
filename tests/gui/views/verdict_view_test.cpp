// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The contents of the verdict pane, and their order.
#include "views/summary/verdict_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace iwarpscope::gui::verdict_view_test {
namespace {

using findings::FindingId;
using testing::HasSubstr;

live::FindingView finding(std::uint64_t sequence, FindingId id, std::optional<std::uint64_t> qp) {
  live::FindingView view;
  view.sequence = sequence;
  view.finding.id = id;
  view.finding.qp = qp;
  view.finding.frame = FrameNumber{sequence};
  view.finding.time = TimePoint{static_cast<std::int64_t>(sequence) * 1000};
  view.finding.text = "what was seen " + std::to_string(sequence) + " times";
  return view;
}

struct Pane {
  Pane() {
    qp.record.qp = 3;
    qp.record.verdict.emplace();
    qp.record.verdict->text = "It was closed.";
    qp.findings.errors = 1;
    qp.findings.worst = FindingId::mpa_crc_mismatch;
    view.set_qp(qp);
  }
  [[nodiscard]] std::string text() const { return view.plain_text().toStdString(); }
  /// Position of these words; fails if they are missing.
  [[nodiscard]] std::size_t place(const char* words) const {
    const std::size_t at = text().find(words);
    EXPECT_NE(at, std::string::npos) << words << " are not in: " << text();
    return at;
  }

  live::QpView qp;
  Selection selection;
  FindingTable findings;
  VerdictView view{selection, findings};
};

TEST(VerdictView, DoesNotSayThatThereIsNoFindingBeforeTheyCame) {
  Pane pane;
  EXPECT_THAT(pane.text(), HasSubstr("Not available"));
  EXPECT_THAT(pane.text(), testing::Not(HasSubstr("No findings.")));
  pane.findings.add({finding(1, FindingId::mpa_crc_mismatch, 3)});
  EXPECT_THAT(pane.text(), testing::Not(HasSubstr("Not available")));
  pane.qp.findings = {};
  pane.findings.replace({});
  pane.view.set_qp(pane.qp);
  EXPECT_THAT(pane.text(), HasSubstr("No findings."));
}

TEST(VerdictView, TheWorstIsFirstThenByTime) {
  Pane pane;
  pane.findings.add({finding(1, FindingId::mpa_crc_off, 3), finding(2, FindingId::mpa_crc_mismatch, 3),
                     finding(4, FindingId::mpa_crc_mismatch, 3), finding(5, FindingId::mpa_crc_off, 9)});
  EXPECT_LT(pane.place("seen 2 times"), pane.place("seen 4 times"));
  EXPECT_LT(pane.place("seen 4 times"), pane.place("seen 1 times"));
  EXPECT_THAT(pane.text(), testing::Not(HasSubstr("seen 5 times"))) << "another queue pair's";
}

/// They can be the cause of all others; the queue pair's own findings fill pages.
TEST(VerdictView, WarningsOfNoQueuePairComeBeforeItsOwn) {
  Pane pane;
  FindingRows rows{finding(1, FindingId::mpa_crc_mismatch, 3)};
  for (std::uint64_t i = 10; i < 20; ++i) rows.push_back(finding(i, FindingId::capture_truncated_file, std::nullopt));
  pane.findings.add(rows);
  EXPECT_LT(pane.place("It was closed."), pane.place("seen 10 times"));
  EXPECT_LT(pane.place("seen 12 times"), pane.place("seen 1 times"));
  EXPECT_THAT(pane.text(), testing::Not(HasSubstr("seen 13 times"))) << "more would hide its own";
}

TEST(VerdictView, SaysThatItsQueuePairWasContinued) {
  Pane pane;
  EXPECT_THAT(pane.text(), testing::Not(HasSubstr("Continued")));
  pane.qp.continued = true;
  pane.view.set_qp(pane.qp);
  EXPECT_LT(pane.place("Continued from the run before"), pane.place("It was closed."));
}

TEST(VerdictView, ARuleSaysWhatDriversLogOfIt) {
  Pane pane;
  pane.findings.add({finding(1, FindingId::mpa_crc_mismatch, 3)});
  EXPECT_THAT(pane.text(), HasSubstr("siw: crc error. in: "));
}

}  // namespace
}  // namespace iwarpscope::gui::verdict_view_test
