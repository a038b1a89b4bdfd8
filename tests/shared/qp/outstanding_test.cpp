// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/outstanding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <random>
#include <utility>
#include <vector>

namespace iwarpscope::qp {
namespace {

Request read(std::uint64_t message, std::uint32_t stag, std::uint64_t to, std::uint32_t size = 100) {
  Request r;
  r.message = message;
  r.sink_stag = STag{stag};
  r.sink_to = TaggedOffset{to};
  r.size = size;
  return r;
}
Request atomic(std::uint64_t message, std::uint32_t id) {
  Request r;
  r.message = message;
  r.atomic = true;
  r.request_id = id;
  return r;
}

/// The message found, or nothing.
std::optional<std::uint64_t> at(const std::optional<Fit>& fit) {
  return fit ? std::optional(fit->message) : std::nullopt;
}

TEST(Outstanding, ReadResponseFitsTheOldestReadWithItsSink) {
  Outstanding o;
  o.add(read(0, 1, 0x1000), 16);
  o.add(read(1, 2, 0x1000), 16);
  o.add(read(2, 2, 0x1000), 16);
  EXPECT_EQ(at(o.find_read(STag{2}, TaggedOffset{0x1000}, false)), 1u);
  EXPECT_EQ(at(o.find_read(STag{2}, TaggedOffset{0x1001}, false)), std::nullopt);
  o.begin_response(1);
  EXPECT_EQ(at(o.find_read(STag{2}, TaggedOffset{0x1000}, false)), 2u);
}

// A request whose segments have another one between them is whole after that.
TEST(Outstanding, OneThatBeganFirstAndEndedLastIsFoundAndTaken) {
  Outstanding o;
  o.add(read(5, 1, 0), 16);
  o.add(read(7, 2, 0), 16);
  o.add(read(6, 3, 0), 16);
  ASSERT_EQ(o.size(), 3u);
  for (const std::uint64_t message : {5u, 6u, 7u}) {
    EXPECT_EQ(o.front().message, message);
    ASSERT_TRUE(o.take(o.front().message));
  }
  EXPECT_TRUE(o.empty());
}

TEST(Outstanding, ZeroLengthResponseFitsOnlyAReadOfNothing) {
  Outstanding o;
  o.add(read(0, 1, 0, 10), 16);
  EXPECT_EQ(at(o.find_read(STag{1}, TaggedOffset{0}, true)), std::nullopt);
  o.add(read(1, 7, 9, 0), 16);
  EXPECT_EQ(at(o.find_read(STag{0xdead}, TaggedOffset{3}, true)), 1u);
}

TEST(Outstanding, RequestThatWasPassedOverIsChosenLastAndMakesTheChoiceDoubtful) {
  Outstanding o;
  o.add(read(0, 1, 0), 16);
  o.add(atomic(1, 9), 16);
  o.add(read(2, 2, 0), 16);
  EXPECT_EQ(o.passed_by(2), 0u);
  o.pass_over(2);
  EXPECT_EQ(o.passed_by(2), std::nullopt);
  o.add(read(3, 1, 0), 16);
  o.add(atomic(4, 9), 16);
  const auto read_fit = o.find_read(STag{1}, TaggedOffset{0}, false);
  EXPECT_EQ(at(read_fit), 3u);
  EXPECT_TRUE(read_fit->doubtful);
  EXPECT_EQ(at(o.find_atomic(9)), 4u);
  EXPECT_TRUE(o.find_atomic(9)->doubtful);
  EXPECT_FALSE(o.find_read(STag{2}, TaggedOffset{0}, false)->doubtful);
  EXPECT_EQ(o.oldest(false), 2u);
  EXPECT_EQ(o.passed_by(4), 2u);
  EXPECT_TRUE(o.take(3).has_value());
  EXPECT_EQ(at(o.find_read(STag{1}, TaggedOffset{0}, false)), 0u);
  EXPECT_FALSE(o.find_read(STag{1}, TaggedOffset{0}, false)->doubtful);
}

TEST(Outstanding, RequestWhoseResponseHasBegunIsNotPassedOver) {
  Outstanding o;
  o.add(read(0, 1, 0), 16);
  o.add(read(1, 2, 0), 16);
  o.begin_response(0);
  EXPECT_EQ(o.passed_by(1), std::nullopt);
  o.pass_over(1);
  EXPECT_FALSE(o.at(0).passed_over);
}

TEST(Outstanding, AGapIsSeenUpToThePositionAskedFor) {
  Outstanding o;
  o.add(read(0, 1, 0), 16);
  Request uncertain = read(1, 2, 0);
  uncertain.before_gap = true;
  o.add(std::move(uncertain), 16);
  EXPECT_FALSE(o.is_gap_before(0));
  EXPECT_TRUE(o.is_gap_before(1));
}

TEST(Outstanding, ReadsAndAtomicsAreDistinguished) {
  Outstanding o;
  o.add(atomic(0, 5), 16);
  o.add(read(1, 1, 0), 16);
  EXPECT_EQ(o.oldest(true), 0u);
  EXPECT_EQ(o.oldest(false), 1u);
  EXPECT_EQ(o.certain_reads(), 1u);
  EXPECT_TRUE(o.take(1).has_value());
  EXPECT_EQ(o.certain_reads(), 0u);
  EXPECT_EQ(o.size(), 1u);
}

TEST(Outstanding, ReadsWhoseResponseMayBeMissingAreNotCertain) {
  Outstanding o;
  o.add(read(0, 1, 0), 16);
  o.add(read(1, 2, 0), 16);
  EXPECT_EQ(o.certain_reads(), 2u);
  o.mark_gap();
  EXPECT_EQ(o.certain_reads(), 0u);
  o.add(read(2, 3, 0), 16);
  EXPECT_EQ(o.certain_reads(), 1u);
  EXPECT_TRUE(o.take(0).has_value());
  EXPECT_EQ(o.certain_reads(), 1u);
  EXPECT_TRUE(o.take(2).has_value());
  EXPECT_EQ(o.certain_reads(), 0u);
  EXPECT_EQ(o.size(), 1u);
}

TEST(Outstanding, AtItsLimitTheOldestIsGivenBack) {
  Outstanding o;
  EXPECT_FALSE(o.add(read(0, 1, 0), 2).has_value());
  EXPECT_FALSE(o.add(read(1, 1, 0), 2).has_value());
  const auto discarded = o.add(read(2, 1, 0), 2);
  ASSERT_TRUE(discarded.has_value());
  EXPECT_EQ(discarded->message, 0u);
  EXPECT_EQ(o.size(), 2u);
}

TEST(Outstanding, AGapMarksWhatWaits) {
  Outstanding o;
  o.add(read(0, 1, 0), 16);
  o.mark_gap();
  o.add(read(1, 1, 0), 16);
  EXPECT_TRUE(o.at(0).before_gap);
  EXPECT_FALSE(o.at(1).before_gap);
}

TEST(Outstanding, AgreesWithAPlainDequeOnRandomUse) {
  std::mt19937 random(7);
  Outstanding o;
  std::deque<std::uint64_t> model;
  std::uint64_t next = 0;
  for (int step = 0; step < 20000; ++step) {
    if (random() % 2 == 0 || model.empty()) {
      if (const auto discarded = o.add(read(next, 1, next), 40)) {
        EXPECT_EQ(discarded->message, model.front());
        model.pop_front();
      }
      model.push_back(next++);
    } else {
      const std::size_t k = random() % 4 == 0 ? random() % model.size() : 0;
      const auto taken = o.take(model[k]);
      ASSERT_TRUE(taken.has_value());
      EXPECT_EQ(taken->message, model[k]);
      model.erase(model.begin() + static_cast<std::ptrdiff_t>(k));
    }
    ASSERT_EQ(o.size(), model.size());
    for (const std::uint64_t message : model) ASSERT_EQ(o.at(message).message, message);
    if (!model.empty()) ASSERT_EQ(o.front().message, model.front());
  }
}

TEST(Outstanding, TakingWhatIsNotThereGivesNothing) {
  Outstanding o;
  EXPECT_FALSE(o.take(3).has_value());
  o.add(read(3, 1, 0), 4);
  EXPECT_FALSE(o.take(2).has_value());
  EXPECT_FALSE(o.take(4).has_value());
  EXPECT_EQ(o.size(), 1u);
}

Request twin(std::uint64_t message, std::uint32_t stag, std::uint32_t size) {
  Request r;
  r.message = message;
  r.sink_stag = STag{stag};
  r.size = size;
  return r;
}

TEST(Outstanding, ReadsIntoOneBufferAreTwins) {
  Outstanding o;
  o.add(twin(0, 1, 100), 10);
  o.add(twin(1, 2, 100), 10);
  o.add(twin(2, 1, 900), 10);
  EXPECT_TRUE(o.has_twin_after(0));
  EXPECT_FALSE(o.has_twin_after(1));
  EXPECT_FALSE(o.has_twin_after(2));
}

TEST(Outstanding, ReadsOfNothingAreTwinsWhereverTheyGo) {
  Outstanding o;
  o.add(twin(0, 1, 0), 10);
  o.add(twin(1, 2, 0), 10);
  o.add(twin(2, 1, 100), 10);
  EXPECT_TRUE(o.has_twin_after(0));
  EXPECT_FALSE(o.has_twin_after(1));
}

TEST(Outstanding, DoubtLastsUntilNoRequestWaits) {
  Outstanding o;
  o.add(twin(0, 1, 100), 10);
  o.add(twin(1, 1, 100), 10);
  o.doubt();
  o.take(0);
  EXPECT_TRUE(o.is_in_doubt());
  o.take(1);
  EXPECT_FALSE(o.is_in_doubt());
}

TEST(Outstanding, BothKindsCountUntilAGapMakesThemUncertain) {
  Outstanding o;
  o.add(twin(0, 1, 100), 10);
  Request atomic;
  atomic.message = 1;
  atomic.atomic = true;
  o.add(std::move(atomic), 10);
  EXPECT_EQ(o.certain(), 2u);
  EXPECT_EQ(o.certain_reads(), 1u);
  o.mark_gap();
  EXPECT_EQ(o.certain(), 0u);
  o.take(0);
  EXPECT_EQ(o.certain(), 0u);
}

/// The same as Outstanding, slow and obvious: a list in the order sent.
class Model {
 public:
  void add(const Request& r) {
    requests_.push_back(
        {r.message, r.atomic, r.request_id, r.sink_stag, r.sink_to, r.size, false, false, r.before_gap});
  }
  void take(std::uint64_t message) {
    std::erase_if(requests_, [&](const One& one) { return one.message == message; });
  }
  void begin(std::uint64_t message) { find(message).begun = true; }
  void pass_over(std::uint64_t message) {
    for (One& one : requests_) {
      if (one.message < message && !one.begun) one.passed = true;
    }
  }
  void mark_gap() {
    for (One& one : requests_) one.gap = true;
  }
  template <class Fits>
  [[nodiscard]] std::optional<Fit> choose(Fits fits) const {
    std::optional<std::uint64_t> passed;
    for (const One& one : requests_) {
      if (one.begun || !fits(one)) continue;
      if (!one.passed) return Fit{one.message, passed.has_value()};
      if (!passed) passed = one.message;
    }
    return passed ? std::optional(Fit{*passed, false}) : std::nullopt;
  }
  [[nodiscard]] std::optional<Fit> find_read(STag stag, TaggedOffset to, bool zero_length) const {
    return choose([&](const One& one) {
      if (one.atomic) return false;
      return zero_length ? one.size == 0 : one.size != 0 && one.stag == stag && one.to == to;
    });
  }
  [[nodiscard]] std::optional<Fit> find_atomic(std::uint32_t id) const {
    return choose([&](const One& one) { return one.atomic && one.id == id; });
  }
  [[nodiscard]] std::optional<std::uint64_t> oldest(bool atomic) const {
    return at(choose([&](const One& one) { return one.atomic == atomic; }));
  }
  [[nodiscard]] std::optional<std::uint64_t> passed_by(std::uint64_t message) const {
    for (const One& one : requests_) {
      if (one.message < message && !one.begun && !one.passed) return one.message;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool is_gap_before(std::uint64_t message) const {
    return std::ranges::any_of(requests_, [&](const One& one) { return one.message <= message && one.gap; });
  }
  [[nodiscard]] bool has_twin_after(std::uint64_t message) const {
    const One one = *std::ranges::find(requests_, message, &One::message);
    return std::ranges::any_of(requests_, [&](const One& other) {
      if (other.message <= message || other.atomic != one.atomic) return false;
      if (one.atomic) return other.id == one.id;
      return (other.size == 0) == (one.size == 0) && (one.size == 0 || (other.stag == one.stag && other.to == one.to));
    });
  }
  [[nodiscard]] std::optional<std::uint64_t> certain_atomic(std::uint32_t id) const {
    for (const One& one : requests_) {
      if (one.atomic && one.id == id && !one.gap) return one.message;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::size_t certain(bool reads_only) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(requests_, [&](const One& one) { return !one.gap && !(reads_only && one.atomic); }));
  }
  [[nodiscard]] std::size_t size() const { return requests_.size(); }
  [[nodiscard]] std::uint64_t message(std::size_t k) const { return requests_[k].message; }

 private:
  struct One {
    std::uint64_t message;
    bool atomic;
    std::uint32_t id;
    STag stag;
    TaggedOffset to;
    std::uint32_t size;
    bool begun, passed, gap;
  };
  One& find(std::uint64_t message) { return *std::ranges::find(requests_, message, &One::message); }
  std::vector<One> requests_;
};

void expect_equal(const Outstanding& o, const Model& model) {
  for (std::uint32_t key = 0; key < 3; ++key) {
    const TaggedOffset to{key};
    const std::array<std::pair<std::optional<Fit>, std::optional<Fit>>, 3> found = {{
        {o.find_read(STag{key}, to, false), model.find_read(STag{key}, to, false)},
        {o.find_read(STag{key}, to, true), model.find_read(STag{key}, to, true)},
        {o.find_atomic(key), model.find_atomic(key)},
    }};
    for (const auto& [fit, expected] : found) {
      ASSERT_EQ(at(fit), at(expected));
      if (fit) ASSERT_EQ(fit->doubtful, expected->doubtful);
    }
    const Request* const certain = o.find_certain_atomic(key);
    ASSERT_EQ(certain != nullptr ? std::optional(certain->message) : std::nullopt, model.certain_atomic(key));
  }
  ASSERT_EQ(o.oldest(true), model.oldest(true));
  ASSERT_EQ(o.oldest(false), model.oldest(false));
  ASSERT_EQ(o.certain(), model.certain(false));
  ASSERT_EQ(o.certain_reads(), model.certain(true));
  for (std::size_t k = 0; k < model.size(); ++k) {
    const std::uint64_t message = model.message(k);
    ASSERT_EQ(o.passed_by(message), model.passed_by(message));
    ASSERT_EQ(o.is_gap_before(message), model.is_gap_before(message));
    ASSERT_EQ(o.has_twin_after(message), model.has_twin_after(message));
  }
}

TEST(Outstanding, AnswersAsAPlainListDoesOnRandomUse) {
  std::mt19937 random(11);
  Outstanding o;
  Model model;
  std::uint64_t next = 0;
  for (int step = 0; step < 20000; ++step) {
    const auto any = [&] { return model.message(random() % model.size()); };
    const unsigned what = random() % 16;
    if (what < 7 || model.size() == 0) {
      Request r = random() % 2 == 0 ? atomic(next, random() % 3)
                                    : read(next, random() % 3, random() % 3, random() % 3 == 0 ? 0 : 100);
      ++next;
      r.before_gap = random() % 8 == 0;
      model.add(r);
      if (const auto discarded = o.add(std::move(r), 20)) model.take(discarded->message);
    } else if (what < 12) {
      const std::uint64_t message = any();
      ASSERT_TRUE(o.take(message).has_value());
      model.take(message);
    } else if (what < 14) {
      const std::uint64_t message = any();
      o.begin_response(message);
      model.begin(message);
    } else if (what == 14) {
      const std::uint64_t message = any();
      o.pass_over(message);
      model.pass_over(message);
    } else if (random() % 4 == 0) {
      o.mark_gap();
      model.mark_gap();
    }
    ASSERT_EQ(o.size(), model.size());
    ASSERT_NO_FATAL_FAILURE(expect_equal(o, model)) << step;
  }
}

TEST(Outstanding, ManyReadsOfOneSTagDoNotHideTheOneThatHolds) {
  Outstanding o;
  for (std::uint64_t k = 0; k < 1000; ++k) o.add(read(k, 1, k * 100), 2000);
  EXPECT_TRUE(o.any_read_holds(STag{1}, TaggedOffset{50'050}, 50));
  EXPECT_FALSE(o.any_read_holds(STag{1}, TaggedOffset{50'050}, 51));
  EXPECT_FALSE(o.any_read_holds(STag{2}, TaggedOffset{50'050}, 50));
}

}  // namespace
}  // namespace iwarpscope::qp
