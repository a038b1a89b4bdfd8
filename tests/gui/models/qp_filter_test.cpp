// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The language of the filter: its meaning, its error texts, its completions.
#include "models/queue_pairs/qp_filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QRegularExpression>

#include <random>

#include "gui/models/qp_rows.h"
#include "models/queue_pairs/qp_columns.h"
#include "models/queue_pairs/qp_filter_fields.h"

namespace iwarpscope::gui::qp_filter_test {
namespace {

bool holds(const char* text, const live::QpView& view) {
  const auto filter = QpFilter::parse(QString::fromUtf8(text));
  EXPECT_TRUE(filter) << text << ": " << filter.error().sentence.toStdString();
  return filter && filter->matches(row_of(view));
}

live::QpView good() {
  live::QpView view = test::made_qp(7);
  view.record.verdict->code = "V-30";
  view.record.verdict->id = "end.closed";
  return view;
}
live::QpView bad() {
  live::QpView view = test::made_qp(7);
  test::fail_qp(view);
  view.continued = true;
  view.record.crc_in_use = false;
  view.record.directions[0].capture_gap_octets = 10;
  view.record.directions[0].retransmitted_octets = 70'000;
  view.record.summary.directions[0].waiting.emplace();
  view.record.summary.directions[0].waiting->count = 2;
  return view;
}

TEST(QpFilter, EachFieldMeansWhatItSays) {
  for (const char* text : {"",
                           "   ",
                           "host == 10.0.0.8",
                           "host==10.0.1.8",
                           "host != 10.0.0.9",
                           "host contains 0.1.",
                           "port == 4420",
                           "port != 80",
                           "ulp == nvme",
                           "ULP == NVMe",
                           "state == rts",
                           "outcome == running",
                           "blame == none",
                           "verdict == V-30",
                           "verdict contains end.",
                           "rate > 50k",
                           "rate < 1M",
                           "rate <= 64Ki",
                           "not reads",
                           "crc == on",
                           "crc",
                           "not markers",
                           "markers == off",
                           "severity == none",
                           "severity < note",
                           "not ended",
                           "ended == no",
                           "not continued",
                           "qp == 7",
                           "depth >= 32",
                           "lasted == 5s",
                           "lasted > 4999ms and lasted < 1min",
                           "messages = 7",
                           "octets == 700",
                           "not rule",
                           "findings == 0"}) {
    EXPECT_TRUE(holds(text, good())) << text;
  }
  for (const char* text : {"errors > 0",
                           "errors",
                           "warnings == 2",
                           "notes == 3",
                           "findings == 6",
                           "ended",
                           "continued",
                           "outcome == failed",
                           "blame == a",
                           "confidence == certain",
                           "confidence > limited",
                           "rule == MF-04",
                           "rule == mf-04",
                           "rule == mpa.crc-mismatch",
                           "rule contains crc",
                           "severity >= warning",
                           "severity == error",
                           "crc == off",
                           "gaps",
                           "gaps == 10",
                           "retransmitted > 64Ki",
                           "reads == 2",
                           "state == error"}) {
    EXPECT_TRUE(holds(text, bad())) << text;
    EXPECT_FALSE(holds(text, good())) << text;
  }
}

TEST(QpFilter, ANotEqualHostIsNeitherEnd) {
  EXPECT_FALSE(holds("host != 10.0.0.8", good()));
  EXPECT_FALSE(holds("host != 10.0.1.8", good()));
  EXPECT_FALSE(holds("port != 4420", good()));
}

TEST(QpFilter, AndBindsTighterThanOrAndNotTightest) {
  EXPECT_TRUE(holds("qp == 7 or qp == 8 and qp == 9", good()));
  EXPECT_FALSE(holds("(qp == 7 or qp == 8) and qp == 9", good()));
  EXPECT_FALSE(holds("not qp == 7 or qp == 9", good()));
  EXPECT_TRUE(holds("not (qp == 7 and qp == 9)", good()));
  EXPECT_TRUE(holds("qp == 7 && !(qp == 8) || ended", good()));
  EXPECT_TRUE(holds("!ended qp==7", good())) << "one after the other means and";
  EXPECT_FALSE(holds("qp == 7 ended", good()));
  EXPECT_TRUE(holds("not not qp == 7", good()));
}

TEST(QpFilter, AnyOtherWordIsLookedForInWhatTheRowShows) {
  EXPECT_TRUE(holds("10.0.0.8:40007", good()));
  EXPECT_TRUE(holds("NVME", good()));
  EXPECT_TRUE(holds("\"error (rst)\"", bad()));
  EXPECT_TRUE(holds("crc-mismatch failed", bad()));
  EXPECT_FALSE(holds("crc-mismatch", good()));
  EXPECT_TRUE(holds("not elephant", good()));
}

TEST(QpFilter, TheTitleOfAColumnIsTheNameOfAField) {
  const QStringList without{"a_b", "activity", "began"};  // two ends, a drawing, a time
  for (int i = 0; i < kQpColumns; ++i) {
    QString name = QpWords::title(static_cast<QpColumn>(i)).toLower();
    name.replace(QRegularExpression("[^a-z]+"), "_");
    EXPECT_EQ(find_field(name) != nullptr, !without.contains(name)) << name.toStdString();
  }
  EXPECT_TRUE(holds("verdict == failed", bad())) << "what the column shows";
  EXPECT_FALSE(holds("verdict == failed", good()));
  EXPECT_TRUE(holds("lost_frames == 0", good()));
}

TEST(QpFilter, MistakesHaveAPlaceAndASentence) {
  struct Mistake {
    const char* text;
    qsizetype position;
    const char* says;
  };
  for (const Mistake& m : std::initializer_list<Mistake>{
           {"qp ==", 5, "value is missing"},
           {"qp == seven", 6, "not a number"},
           {"elephant == 3", 0, "Unknown field “elephant”"},
           {"elephant == 3", 0, "The fields are blame, confidence, continued, crc, "},
           {"state == rtr", 9, "Possible values: mpa_requested"},
           {"state > rts", 6, "no order"},
           {"rate contains 3", 5, "not a text field"},
           {"lasted > 5k", 9, "not a duration"},
           {"ended == perhaps", 9, "yes or no"},
           {"(qp == 7", 0, "not closed"},
           {"qp == 7)", 7, "no opening one"},
           {"qp == 7 and", 11, "must follow"},
           {"and qp", 0, "both sides"},
           {"qp == 7 or or", 11, "both sides"},
           {"== 7", 0, "field is missing before"},
           {"\"abc", 0, "closing quotation mark"},
           {"\"\"", 0, "quotation marks are empty"},
           {"qp == 7 == 8", 8, "field is missing before"},
           {"()", 1, "before this parenthesis"},
           {"qp == (", 6, "value is missing"},
       }) {
    const auto filter = QpFilter::parse(QString::fromUtf8(m.text));
    ASSERT_FALSE(filter) << m.text;
    EXPECT_EQ(filter.error().position, m.position) << m.text;
    EXPECT_THAT(filter.error().sentence.toStdString(), testing::HasSubstr(m.says)) << m.text;
  }
}

TEST(QpFilter, DepthAndLengthAreBounded) {
  const auto nested = [](int depth) { return QString(depth, '(') + "ended" + QString(depth, ')'); };
  EXPECT_TRUE(QpFilter::parse(nested(QpFilter::kMostDepth - 1)));
  EXPECT_FALSE(QpFilter::parse(nested(QpFilter::kMostDepth + 1)));
  EXPECT_FALSE(QpFilter::parse(QString(1999, '!') + "ended"));
  EXPECT_FALSE(QpFilter::parse(QString(5000, 'a')));
  QString many = "ended";
  while (many.size() < QpFilter::kMostCharacters - 10) many += " or qp";
  const auto filter = QpFilter::parse(many);
  ASSERT_TRUE(filter);
  EXPECT_TRUE(filter->matches(row_of(good())));
}

TEST(QpFilter, RandomTextNeverFailsOtherwiseThanWithASentence) {
  std::mt19937 random(1);
  const QStringList parts{"host",
                          "==",
                          "qp",
                          "and",
                          "or",
                          "not",
                          "(",
                          ")",
                          "!",
                          "\"",
                          ">",
                          "7",
                          "rate",
                          "1M",
                          " ",
                          "state",
                          "rts",
                          "ended",
                          "contains",
                          "&&",
                          "||",
                          "=",
                          QString::fromUtf8("é"),
                          "\n",
                          "-"};
  const QpRow row = row_of(bad());
  for (int i = 0; i < 20'000; ++i) {
    QString text;
    for (auto n = random() % 14; n > 0; --n) {
      text += random() % 10 == 0 ? QString(QChar(static_cast<char16_t>(random() % 0x3000)))
                                 : parts[static_cast<qsizetype>(random() % static_cast<unsigned>(parts.size()))];
      if (random() % 2 == 0) text += ' ';
    }
    const auto filter = QpFilter::parse(text);
    if (filter) {
      static_cast<void>(filter->matches(row));
    } else {
      EXPECT_FALSE(filter.error().sentence.isEmpty());
      EXPECT_LE(filter.error().position + filter.error().length, text.size());
      EXPECT_GE(filter.error().position, 0);
    }
    const qsizetype cursor = static_cast<qsizetype>(random() % static_cast<unsigned>(text.size() + 1));
    const FilterCompletion words = complete_filter(text, cursor, [](const QpField&) { return QStringList{"x1"}; });
    EXPECT_LE(words.from + words.length, text.size());
    EXPECT_LE(words.from, cursor);
  }
}

QStringList offered(const char* text) {
  const QString whole = QString::fromUtf8(text);
  return complete_filter(
             whole, whole.size(),
             [](const QpField& field) {
               return field.name == std::string_view("host") ? QStringList{"10.0.0.1", "10.0.0.2"} : QStringList();
             })
      .words;
}

TEST(QpFilter, OffersWhatMayFollow) {
  EXPECT_TRUE(offered("").contains("host"));
  EXPECT_EQ(offered("ret"), QStringList{"retransmitted"});
  EXPECT_TRUE(offered("rate ").contains(">"));
  EXPECT_FALSE(offered("host ").contains(">"));
  EXPECT_TRUE(offered("host ").contains("contains"));
  EXPECT_EQ(offered("host == "), (QStringList{"10.0.0.1", "10.0.0.2"}));
  EXPECT_EQ(offered("state == cl"), (QStringList{"closing", "closed"}));
  EXPECT_TRUE(offered("state==").contains("rts"));
  EXPECT_EQ(offered("state == rts "), (QStringList{"and", "or"}));
  EXPECT_EQ(offered("state == rts a"), QStringList{"and"});
  EXPECT_TRUE(offered("state == rts and (").contains("ulp"));
  EXPECT_TRUE(offered("elephant == ").isEmpty());
}

TEST(QpFilter, ACompletionReplacesTheWordThatIsBegun) {
  const FilterCompletion c = complete_filter("errors and sta == rts", 14, [](const QpField&) { return QStringList(); });
  EXPECT_EQ(c.from, 11);
  EXPECT_EQ(c.length, 3);
  EXPECT_EQ(c.words, QStringList{"state"});
}

}  // namespace
}  // namespace iwarpscope::gui::qp_filter_test
