// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/archive.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>

#include "base/time_point.h"

namespace iwarpscope {
namespace {

enum class Colour : std::uint8_t { red, green = 4 };

struct Inner {
  std::uint16_t small = 0;
  std::optional<std::string> text;
  friend bool operator==(const Inner&, const Inner&) = default;
};

struct Plain {
  bool yes = false;
  std::int64_t negative = 0;
  std::uint64_t large = 0;
  Colour colour{};
  std::array<std::uint32_t, 2> pair{};
  std::vector<Inner> inner;
  std::map<std::uint32_t, TimePoint> times;
  std::variant<std::monostate, Inner, Colour> one;
  std::vector<std::byte> octets;
  std::string_view word;
  friend bool operator==(const Plain&, const Plain&) = default;
};

class Private {
 public:
  void set(unsigned value) { bits_ = value & 7U; }
  [[nodiscard]] unsigned get() const { return bits_; }
  template <class A>
  void archive(A& a) {
    bits_ = a.value(unsigned{bits_}) & 7U;
    a.check(bits_ != 7);
  }

 private:
  unsigned bits_ : 3 = 0;
};

Plain some() {
  Plain plain;
  plain.yes = true;
  plain.negative = std::numeric_limits<std::int64_t>::min();
  plain.large = std::numeric_limits<std::uint64_t>::max();
  plain.colour = Colour::green;
  plain.pair = {1, 0xFFFFFFFF};
  plain.inner = {{3, "three"}, {0xFFFF, std::nullopt}};
  plain.times = {{1, {-1}}, {2, {1}}};
  plain.one = Inner{4, ""};
  plain.octets = {std::byte{1}, std::byte{2}};
  plain.word = "word";
  return plain;
}

template <class T>
std::vector<std::byte> written(T value) {
  Archive archive(std::size_t{1} << 20);
  archive(value);
  EXPECT_FALSE(archive.has_failed());
  return archive.take_written();
}

template <class T>
bool reads(Octets octets, T& value) {
  ArchivedWords words;
  Archive archive(octets, words);
  archive(value);
  return archive.is_complete();
}

TEST(Archive, WhatWasWrittenIsRead) {
  const std::vector<std::byte> octets = written(some());
  ArchivedWords words;
  Archive archive(octets, words);
  Plain plain;
  archive(plain);
  EXPECT_TRUE(archive.is_complete());
  EXPECT_EQ(plain, some());
}

TEST(Archive, SmallNumbersAreShort) {
  EXPECT_EQ(written(std::uint64_t{127}).size(), 1U);
  EXPECT_EQ(written(std::int64_t{-64}).size(), 1U);
  EXPECT_EQ(written(std::uint64_t{128}).size(), 2U);
  EXPECT_EQ(written(std::numeric_limits<std::uint64_t>::max()).size(), 10U);
}

TEST(Archive, EachTruncationFails) {
  const std::vector<std::byte> octets = written(some());
  for (std::size_t size = 0; size < octets.size(); ++size) {
    Plain plain;
    EXPECT_FALSE(reads(Octets{octets}.first(size), plain)) << size;
  }
}

TEST(Archive, ACountAboveWhatIsLeftFailsBeforeAnythingIsAllocated) {
  std::vector<std::byte> octets = written(std::uint64_t{1} << 40);
  octets.resize(64);
  std::vector<std::byte> bulk;
  EXPECT_FALSE(reads(octets, bulk));
  EXPECT_EQ(bulk.capacity(), 0U);
  std::vector<Inner> inner;
  EXPECT_FALSE(reads(octets, inner));
  EXPECT_EQ(inner.capacity(), 0U);
}

TEST(Archive, AValueThatIsNoEnumeratorFails) {
  Colour colour{};
  EXPECT_TRUE(reads(std::array{std::byte{4}}, colour));
  EXPECT_EQ(colour, Colour::green);
  EXPECT_FALSE(reads(std::array{std::byte{3}}, colour));
  EXPECT_EQ(colour, Colour::red);
}

TEST(Archive, AnIndexAboveTheAlternativesFails) {
  std::variant<std::monostate, Inner> one;
  EXPECT_FALSE(reads(std::array{std::byte{2}}, one));
}

TEST(Archive, AKeyThatComesTwiceFails) {
  std::map<std::uint32_t, TimePoint> times;
  EXPECT_FALSE(reads(std::array{std::byte{2}, std::byte{1}, std::byte{0}, std::byte{1}, std::byte{0}}, times));
}

TEST(Archive, ANumberThatDoesNotFitFails) {
  const std::vector<std::byte> octets = written(std::uint64_t{1} << 32);
  std::uint32_t number = 0;
  EXPECT_FALSE(reads(octets, number));
  bool yes = false;
  EXPECT_FALSE(reads(std::array{std::byte{2}}, yes));
}

TEST(Archive, AClassSaysWhatItsMembersMustBe) {
  Private one;
  one.set(6);
  Private other;
  EXPECT_TRUE(reads(written(one), other));
  EXPECT_EQ(other.get(), 6U);
  one.set(7);
  EXPECT_FALSE(reads(written(one), other));
}

TEST(Archive, AWriterStopsAtItsLimit) {
  Archive archive(8);
  Plain plain = some();
  archive(plain);
  EXPECT_TRUE(archive.has_failed());
  EXPECT_LE(archive.written().size(), 8U);
}

TEST(Members, AreCountedAndNamed) {
  static_assert(kMembers<Inner> == 2);
  static_assert(kMembers<Plain> == 10);
  static_assert(is_enumerator(Colour::green) && !is_enumerator(static_cast<Colour>(1)));
}

TEST(Archive, InPieces_GivesTheSameOctets) {
  std::vector<std::string> large;
  for (std::size_t k = 0; k < 40; ++k) large.emplace_back(10'000, static_cast<char>('a' + k % 26));
  const std::vector<std::byte> whole = written(large);
  for (const std::size_t most : {whole.size(), whole.size() - 1}) {
    std::vector<std::byte> all;
    std::size_t longest = 0;
    Archive archive(most, [&](Octets piece) {
      all.insert(all.end(), piece.begin(), piece.end());
      longest = std::max(longest, piece.size());
      return true;
    });
    archive(large);
    archive.flush();
    EXPECT_EQ(archive.has_failed(), most < whole.size());
    EXPECT_LT(longest, whole.size() / 2);
    if (archive.has_failed()) continue;
    EXPECT_EQ(archive.size(), whole.size());
    EXPECT_EQ(all, whole);
  }
}

TEST(Archive, InPieces_FailsWhenTheyAreNotTaken) {
  std::vector<std::string> large(40, std::string(10'000, 'x'));
  std::size_t pieces = 0;
  Archive archive(std::size_t{1} << 20, [&pieces](Octets) { return ++pieces < 2; });
  archive(large);
  archive.flush();
  EXPECT_TRUE(archive.has_failed());
  EXPECT_EQ(pieces, 2u);
}

}  // namespace
namespace archived_layout {  // with names, as clang wants it of what AnyMember stands for

enum class Colour : std::uint8_t { red, green = 4 };
struct Inner {
  std::uint16_t small = 0;
  std::optional<std::string> text;
};

template <class T>
std::uint64_t layout_of() {
  ArchiveLayout layout;
  ArchivedWords words;
  Archive archive(layout, words);
  T state{};
  archive(state);
  return layout.value();
}

/// What the state of an engine is made of, each with one member more or another one than the one before.
template <class Member>
struct Outer {
  std::uint32_t before = 0;
  Member member{};
};
struct Longer {
  std::uint16_t small = 0;
  std::optional<std::string> text;
  bool more = false;
};
enum class Colours : std::uint8_t { red, green = 4, blue };
enum class Renamed : std::uint8_t { red, yellow = 4 };
template <int kBits>
struct WithBits {
  bool one : 1 = false, two : 1 = false;
  template <class A>
  void archive(A& a) {
    one = a.value(one);
    if constexpr (kBits == 2) two = a.value(two);
  }
};
template <class Held>
struct WithOwned {
  std::unique_ptr<Held> held;
  template <class A>
  void archive(A& a) {
    a.owned(held, [] { return std::make_unique<Held>(); });
  }
};
template <class Held>
struct WithHas {
  std::optional<Held> held;
  template <class A>
  void archive(A& a) {
    if (!a.has(held.has_value())) return;
    if (a.is_reading()) held.emplace();
    a(*held);
  }
};
struct OfItself {
  int number = 0;
  std::vector<OfItself> more;
};

/// The state holds none of them: they differ all the same.
template <template <class> class Holder>
void differs_by_a_member() {
  EXPECT_NE(layout_of<Outer<Holder<Inner>>>(), layout_of<Outer<Holder<Longer>>>());
  EXPECT_NE(layout_of<Outer<Holder<WithBits<1>>>>(), layout_of<Outer<Holder<WithBits<2>>>>());
  EXPECT_NE(layout_of<Outer<Holder<Colour>>>(), layout_of<Outer<Holder<Colours>>>());
  EXPECT_EQ(layout_of<Outer<Holder<Inner>>>(), layout_of<Outer<Holder<Inner>>>());
}

template <class T>
using Plainly = T;
template <class T>
using Vector = std::vector<T>;
template <class T>
using Optional = std::optional<T>;
template <class T>
using Owner = std::unique_ptr<T>;
template <class T>
using Map = std::map<std::uint32_t, T>;
template <class T>
using SecondOf = std::variant<std::monostate, T>;
template <class T>
using Array = std::array<T, 2>;

TEST(ArchiveLayout, DiffersWhenAMemberWasAdded) {
  differs_by_a_member<Plainly>();
  differs_by_a_member<Vector>();
  differs_by_a_member<Optional>();
  differs_by_a_member<Owner>();
  differs_by_a_member<Map>();
  differs_by_a_member<SecondOf>();
  differs_by_a_member<Array>();
  differs_by_a_member<WithOwned>();
  differs_by_a_member<WithHas>();
}

TEST(ArchiveLayout, DiffersWhereAKindDoes) {
  EXPECT_NE(layout_of<Outer<Colour>>(), layout_of<Outer<Renamed>>());
  EXPECT_NE(layout_of<Outer<std::uint32_t>>(), layout_of<Outer<std::int32_t>>());
  EXPECT_NE(layout_of<Outer<std::uint32_t>>(), layout_of<Outer<std::uint64_t>>());
  EXPECT_NE(layout_of<Outer<std::uint8_t>>(), layout_of<Outer<bool>>());
  EXPECT_NE((layout_of<std::array<bool, 2>>()), (layout_of<std::array<bool, 3>>()));
}

TEST(ArchiveLayout, EndsForAClassThatContainsItself) {
  EXPECT_EQ(layout_of<OfItself>(), layout_of<OfItself>());
  EXPECT_NE(layout_of<OfItself>(), layout_of<Outer<int>>());
}

}  // namespace archived_layout
}  // namespace iwarpscope
