// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What holds of every row of the verdict catalogue; the compiler checks the rest.
#include "verdict/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "findings/catalogue.h"

namespace iwarpscope::test {
namespace {

using verdict::find_verdict;
using verdict::row;

TEST(VerdictCatalogue, RowIsFoundByNameAndByCodeInAnyCase) {
  for (const auto& r : verdict::verdicts()) {
    EXPECT_EQ(find_verdict(r.name), &row(r.id));
    EXPECT_EQ(find_verdict(r.code), &row(r.id));
  }
  EXPECT_EQ(find_verdict("v-01"), &verdict::verdicts().front());
  EXPECT_EQ(find_verdict("V-00"), nullptr);
}

TEST(VerdictCatalogue, SentencesEndWithAFullStopOrWithAWholeSentenceThatTheyQuote) {
  const auto ends_well = [](std::string_view text) {
    return text.ends_with('.') || text.ends_with("{rule_what}") || text.ends_with("{what}");
  };
  for (const auto& r : verdict::verdicts()) EXPECT_TRUE(ends_well(r.sentence)) << r.name;
  for (const auto& r : verdict::remarks()) EXPECT_TRUE(ends_well(r.sentence)) << r.name;
}

// Advice on the capture is given once: the rows say whether theirs is, whatever its words are.
TEST(VerdictCatalogue, RowsThatSayHowToCaptureAreMarked) {
  std::vector<std::string_view> marked;
  for (const auto& r : verdict::verdicts()) {
    if (r.says_how_to_capture) marked.push_back(r.code);
  }
  for (const auto& r : verdict::remarks()) {
    if (r.says_how_to_capture) marked.push_back(r.code);
  }
  std::ranges::sort(marked);
  const std::vector<std::string_view> expected{"V-04",  "V-58",  "V-59",  "VR-40", "VR-43", "VR-44",
                                               "VR-45", "VR-46", "VR-48", "VR-49", "VR-56", "VR-92"};
  EXPECT_EQ(marked, expected);
}

/// The longest sentence of a text, in words. A sentence ends with a full stop.
std::size_t words_of_longest_sentence(std::string_view text) {
  std::size_t most = 0, words = 1;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != ' ') continue;
    words = text[i - 1] == '.' ? 1 : words + 1;
    most = std::max(most, words);
  }
  return most;
}

TEST(PlainWords, NoSentenceOfARuleAVerdictOrARemarkHasMoreThan25) {
  constexpr std::size_t kMost = 25;
  for (const findings::Rule& r : findings::rules()) {
    for (const std::string_view text : {r.what, r.why, r.next}) {
      EXPECT_LE(words_of_longest_sentence(text), kMost) << r.code << ": " << text;
    }
  }
  for (const auto& r : verdict::verdicts()) {
    for (const std::string_view text : {r.sentence, r.next}) {
      EXPECT_LE(words_of_longest_sentence(text), kMost) << r.code << ": " << text;
    }
  }
  for (const auto& r : verdict::remarks()) {
    for (const std::string_view text : {r.sentence, r.next}) {
      EXPECT_LE(words_of_longest_sentence(text), kMost) << r.code << ": " << text;
    }
  }
}

TEST(PlainWords, AreCountedFromEachFullStop) {
  EXPECT_EQ(words_of_longest_sentence("One two three. Four five."), 3U);
  EXPECT_EQ(words_of_longest_sentence("One. Two three four (5.1) six."), 5U);
}

}  // namespace
}  // namespace iwarpscope::test
