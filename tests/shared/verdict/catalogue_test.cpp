// What holds of every row of the verdict catalogue; the compiler checks the rest.
#include "verdict/catalogue.h"

#include <gtest/gtest.h>

#include <string>

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

}  // namespace
}  // namespace iwarpscope::test
