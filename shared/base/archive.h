// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// State as octets: one description of each class writes it and reads it.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/archive_layout.h"
#include "base/archived_words.h"
#include "base/members.h"
#include "base/octets.h"

namespace iwarpscope {

class Archive;

namespace detail {

template <class T>
concept ArchivesItself = requires(T& value, Archive& a) {
  value.archive(a);
};
template <class T>
concept MapLike = requires(T& t) {
  typename T::key_type;
  typename T::mapped_type;
  t.clear();
};
template <class T>
concept SetLike = !MapLike<T> && requires(T & t) {
  typename T::key_type;
  t.clear();
};
template <class T>
concept SequenceLike = !MapLike<T> && !SetLike<T> && requires(T & t) {
  t.emplace_back();
  t.clear();
};

}  // namespace detail

/// Writes state into octets, or reads it from them: `archive(a, b)` does either with each of its arguments. A third
/// kind describes the state: it reads without octets as if everything that may be there were there, and once. A class
/// with private members has a member `template <class A> void archive(A& a)` that names them; an aggregate needs
/// nothing. Reading is total: a count is bounded by what is left, an enumerator must exist, and what a class knows of
/// its members it says by check(). It fails once and stays failed; what was read then is of no use, but safe to
/// destroy. Writing changes nothing, even if it fails. Little-endian; integers above 16 bits take as many groups of 7
/// bits as they need, so that the many small ones are short.
class Archive {
 public:
  /// Writes at most so many octets.
  explicit Archive(std::size_t most) : most_(most) {}
  /// Takes what is written, piece by piece. False: it takes no more, and the archive fails.
  using Into = std::function<bool(Octets)>;
  /// Writes at most so many octets and holds a piece of them. flush() hands on the last one.
  Archive(std::size_t most, Into into) : most_(most), into_(std::move(into)) {}
  /// Reads. Both must outlive it.
  Archive(Octets from, ArchivedWords& words) : left_(from), words_(&words) {}

  /// Describes. What was read then is of no use, but safe to destroy.
  Archive(ArchiveLayout& layout, ArchivedWords& words) : words_(&words), layout_(&layout) {}

  [[nodiscard]] bool is_describing() const noexcept { return layout_ != nullptr; }
  /// For a member whose number depends on others: describes one.
  template <class T>
  void describe() {
    if (!is_describing()) return;
    T one_of_them{};
    one(one_of_them);
  }
  [[nodiscard]] bool is_reading() const noexcept { return words_ != nullptr; }
  [[nodiscard]] bool has_failed() const noexcept { return failed_; }
  /// Nothing failed, and when reading, nothing is left.
  [[nodiscard]] bool is_complete() const noexcept { return !failed_ && left_.empty(); }
  void fail() noexcept {
    failed_ = true;
    left_ = {};
    most_ = used_;
    out_.resize(used_);
  }
  /// When reading, what was read must be so. For members that depend on one another.
  void check(bool is_so) noexcept {
    if (is_reading() && !is_so && !is_describing()) fail();
  }
  /// Precondition: the archive has an `Into`.
  void flush();
  [[nodiscard]] Octets written() const noexcept { return Octets{out_}.first(used_); }
  [[nodiscard]] std::vector<std::byte> take_written() noexcept {
    out_.resize(std::exchange(used_, 0));
    return std::exchange(out_, {});
  }
  /// Octets written, or left to read.
  [[nodiscard]] std::size_t size() const noexcept { return is_reading() ? left_.size() : handed_on_ + used_; }

  template <class... Members>
  void operator()(Members&... members) {
    (one(members), ...);
  }
  /// For bit-fields, which nothing can refer to: gives back what was read, or the value itself.
  template <class T>
  [[nodiscard]] T value(T member) {
    one(member);
    return member;
  }
  /// A count: at most `most`, and each of what is counted takes an octet at least.
  [[nodiscard]] std::size_t count(std::size_t here, std::size_t most) {
    std::uint64_t number = here;
    one(number);
    if (is_describing()) return 1;
    if (is_reading() && (number > left_.size() || number > most)) fail();
    return failed_ ? 0 : static_cast<std::size_t>(number);
  }
  /// What a pointer owns, when `make()` creates it: an object that needs more than its members.
  template <class Pointer, class Make>
  void owned(Pointer& pointer, Make make) {
    if (!has_or_resets(pointer)) return;
    if (is_reading()) pointer = make();
    one(*pointer);
  }
  /// Whether there is something here, or was.
  [[nodiscard]] bool has(bool here) {
    one(here);
    return (here || is_describing()) && !failed_;
  }

 private:
  /// has() of a pointer or std::optional. When reading, what is not there is reset.
  template <class Owner>
  [[nodiscard]] bool has_or_resets(Owner& owner) {
    const bool is_there = has(static_cast<bool>(owner));
    if (!is_there && is_reading()) owner.reset();
    return is_there;
  }
  template <class T>
  void one(T& member);
  template <class T>
  void one_of_its_kind(T& member);
  template <class T>
  void note(T what) noexcept {
    if (is_describing()) layout_->add(static_cast<std::uint64_t>(what));
  }
  template <std::integral T>
  void integer(T& number);
  template <class T>
  void sequence(T& elements);
  template <class T>
  void map(T& elements);
  template <class T>
  void set(T& elements);
  template <class... T>
  void variant(std::variant<T...>& alternatives);
  template <class T>
  void optional(std::optional<T>& value);
  void octets(std::byte* at, std::size_t count) noexcept;
  void bulk(std::vector<std::byte>& those);
  void text(std::string& those);
  void word(std::string_view& view);
  void variable(std::uint64_t& number);
  void put(const std::byte* from, std::size_t count) {
    if (count > out_.size() - used_ && !make_room(count)) return;
    if (count != 0) std::memcpy(out_.data() + used_, from, count);
    used_ += count;
  }
  [[nodiscard]] bool make_room(std::size_t count);

  std::vector<std::byte> out_;  ///< larger than what is written
  std::size_t used_ = 0;
  std::size_t most_ = 0;
  Into into_;
  std::size_t handed_on_ = 0;  ///< not in `out_` and `most_`
  Octets left_;
  ArchivedWords* words_ = nullptr;
  ArchiveLayout* layout_ = nullptr;
  bool failed_ = false;
};

namespace detail {

template <class T>
inline constexpr bool kIsArray = false;
template <class T, std::size_t kSize>
inline constexpr bool kIsArray<std::array<T, kSize>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;
template <class T>
inline constexpr bool kIsOwner = false;
template <class T>
inline constexpr bool kIsOwner<std::unique_ptr<T>> = true;
template <class T>
inline constexpr bool kIsTuple = false;
template <class... T>
inline constexpr bool kIsTuple<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool kIsTuple<std::pair<A, B>> = true;
template <class T>
concept StrongLike = requires(T& t) {
  t.value;
  requires std::is_integral_v<decltype(t.value)>;
}
&&sizeof(T) == sizeof(decltype(T::value));

/// Its address stands for a type.
template <class T>
inline constexpr char kTypeMark = 0;

/// What is added to an ArchiveLayout beside integers.
enum class Shape : std::uint64_t { octets = 0x100, text, array, sequence, map, set, optional, variant, owner, again };

}  // namespace detail

template <class T>
void Archive::one(T& member) {
  if constexpr (std::is_class_v<T>) {
    if (is_describing()) {
      if (!layout_->enter(&detail::kTypeMark<T>)) return note(detail::Shape::again);
      one_of_its_kind(member);
      return layout_->leave();
    }
  }
  one_of_its_kind(member);
}

// More than 60 lines: one branch for each kind.
template <class T>
void Archive::one_of_its_kind(T& member) {
  using detail::Shape;
  if constexpr (detail::ArchivesItself<T>) {
    member.archive(*this);
  } else if constexpr (std::is_integral_v<T>) {
    integer(member);
  } else if constexpr (std::is_same_v<T, std::byte>) {
    octets(&member, 1);
  } else if constexpr (std::is_enum_v<T>) {
    note(kEnumeratorsHash<T>);
    auto number = static_cast<std::underlying_type_t<T>>(member);
    integer(number);
    member = static_cast<T>(number);
    if constexpr (requires { is_set_of(member); }) {
      check(is_set_of(member));
    } else {
      check(is_enumerator(member));
    }
    if (failed_ && is_reading()) member = T{};
  } else if constexpr (std::is_same_v<T, std::string>) {
    note(Shape::text);
    text(member);
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    note(Shape::text);
    word(member);
  } else if constexpr (std::is_same_v<T, std::vector<std::byte>>) {
    note(Shape::octets);
    bulk(member);
  } else if constexpr (detail::kIsArray<T>) {
    note(Shape::array);
    note(member.size());
    if constexpr (std::is_same_v<typename T::value_type, std::byte>) {
      octets(member.data(), member.size());
    } else {
      for (auto& element : member) one(element);
    }
  } else if constexpr (detail::kIsOptional<T>) {
    note(Shape::optional);
    optional(member);
  } else if constexpr (detail::kIsVariant<T>) {
    note(Shape::variant);
    variant(member);
  } else if constexpr (detail::kIsOwner<T>) {
    note(Shape::owner);
    owned(member, [] { return std::make_unique<typename T::element_type>(); });
  } else if constexpr (detail::kIsTuple<T>) {
    std::apply([this](auto&... members) { (*this)(members...); }, member);
  } else if constexpr (detail::MapLike<T>) {
    note(Shape::map);
    map(member);
  } else if constexpr (detail::SetLike<T>) {
    note(Shape::set);
    set(member);
  } else if constexpr (detail::SequenceLike<T>) {
    note(Shape::sequence);
    sequence(member);
  } else if constexpr (detail::StrongLike<T>) {
    integer(member.value);
  } else if constexpr (std::is_same_v<T, std::monostate>) {
    static_cast<void>(member);
  } else {
    static_assert(std::is_aggregate_v<T>, "a class with private members has to name them: archive(A&)");
    with_members(member, [this](auto&... members) { (*this)(members...); });
  }
}

template <std::integral T>
void Archive::integer(T& number) {
  note(2 * sizeof(T) + (std::is_signed_v<T> ? 1 : 0) + (std::is_same_v<T, bool> ? 64 : 0));
  if constexpr (std::is_same_v<T, bool>) {
    std::byte octet{number ? std::uint8_t{1} : std::uint8_t{0}};
    octets(&octet, 1);
    check(to_u8(octet) <= 1);
    number = to_u8(octet) == 1;
  } else if constexpr (sizeof(T) <= 2) {
    std::array<std::byte, sizeof(T)> as{};
    for (std::size_t k = 0; k < sizeof(T); ++k)
      as[k] = static_cast<std::byte>(static_cast<std::uint32_t>(number) >> 8 * k);
    octets(as.data(), as.size());
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < sizeof(T); ++k) value |= std::uint32_t{to_u8(as[k])} << 8 * k;
    number = static_cast<T>(value);
  } else if constexpr (std::is_signed_v<T>) {
    // The sign goes last, so that small negative numbers are short, too.
    const auto wide = static_cast<std::int64_t>(number);
    std::uint64_t folded = static_cast<std::uint64_t>(wide) << 1 ^ static_cast<std::uint64_t>(wide >> 63);
    variable(folded);
    const auto value = static_cast<std::int64_t>(folded >> 1 ^ (~(folded & 1) + 1));
    check(std::in_range<T>(value));
    number = static_cast<T>(value);
  } else {
    std::uint64_t value = number;
    variable(value);
    check(std::in_range<T>(value));
    number = static_cast<T>(value);
  }
}

template <class T>
void Archive::sequence(T& elements) {
  std::size_t count = this->count(elements.size(), ~std::size_t{0});
  if (!is_reading()) {
    for (auto& element : elements) one(element);
    return;
  }
  elements.clear();
  for (; count != 0 && !failed_; --count) one(elements.emplace_back());
}

template <class T>
void Archive::map(T& elements) {
  std::size_t count = this->count(elements.size(), ~std::size_t{0});
  if (!is_reading()) {
    for (auto& [key, value] : elements) {
      auto copy = key;
      (*this)(copy, value);
    }
    return;
  }
  elements.clear();
  for (; count != 0 && !failed_; --count) {
    typename T::key_type key{};
    one(key);
    const auto [at, is_new] = elements.try_emplace(std::move(key));
    check(is_new);
    if (!failed_) one(at->second);
  }
}

template <class T>
void Archive::set(T& elements) {
  std::size_t count = this->count(elements.size(), ~std::size_t{0});
  if (!is_reading()) {
    for (auto key : elements) one(key);
    return;
  }
  elements.clear();
  for (; count != 0 && !failed_; --count) {
    typename T::key_type key{};
    one(key);
    check(elements.insert(std::move(key)).second);
  }
}

template <class T>
void Archive::optional(std::optional<T>& value) {
  if (!has_or_resets(value)) return;
  if (is_reading()) value.emplace(T{});  // clang 14 cannot tell that a nested struct needs no arguments
  one(*value);
}

template <class... T>
void Archive::variant(std::variant<T...>& alternatives) {
  auto which = static_cast<std::uint8_t>(alternatives.index());
  integer(which);
  if (is_describing()) {
    note(sizeof...(T));
    return (describe<T>(), ...);
  }
  check(which < sizeof...(T));
  if (failed_) return;
  if (is_reading()) {
    [&]<std::size_t... kIndices>(std::index_sequence<kIndices...>) {
      ((which == kIndices ? static_cast<void>(alternatives.template emplace<kIndices>()) : void()), ...);
    }
    (std::index_sequence_for<T...>{});
  }
  std::visit([this](auto& one_of_them) { this->one(one_of_them); }, alternatives);
}

}  // namespace iwarpscope
