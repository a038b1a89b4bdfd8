// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The errors that a receiver's Terminate may report for a violated rule.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace iwarpscope::findings {

/// An error as a Terminate reports it, in the RFC's order: {2, 0, 2} is "LLP, MPA, CRC". Source: RFC 5040 §4.8.
struct TerminateCode {
  std::uint8_t layer = 0;
  std::uint8_t error_type = 0;
  std::uint8_t error_code = 0;

  friend constexpr bool operator==(const TerminateCode&, const TerminateCode&) = default;
};

/// The Terminate errors with which receivers refuse a message or startup frame that violates one rule: those of the
/// RFCs, and those that implementations are known to use. 0/0/xx is not among them: it reports a fault of its own
/// sender. Sources: RFC 5040 §4.8, §7; RFC 5041 §7; RFC 5044 §8; RFC 6581 §8, §9; RFC 7306 §5.2, §8; Linux siw, irdma,
/// cxgb4.
class RefusedWith {
 public:
  static constexpr std::size_t kMost = 12;

  constexpr RefusedWith() noexcept = default;
  /// `always`: every receiver has to check the rule and to terminate.
  constexpr RefusedWith(std::initializer_list<TerminateCode> codes, bool always)
      : count_(codes.size()), always_(always), refused_(true) {
    std::copy(codes.begin(), codes.end(), codes_.begin());  // more than kMost do not compile in a row
  }

  [[nodiscard]] constexpr std::span<const TerminateCode> codes() const noexcept {
    return std::span(codes_).first(count_);
  }
  [[nodiscard]] constexpr bool contains(TerminateCode code) const noexcept {
    return std::find(codes_.begin(), codes_.begin() + static_cast<std::ptrdiff_t>(count_), code) !=
           codes_.begin() + static_cast<std::ptrdiff_t>(count_);
  }
  /// No receiver refuses it, or not by a Terminate.
  [[nodiscard]] constexpr bool is_empty() const noexcept { return !refused_; }
  /// Every receiver checks this rule and answers a violation with a Terminate. Source: RFC 5041 §7.1, RFC 5040 §7.
  [[nodiscard]] constexpr bool is_always() const noexcept { return always_; }

 private:
  std::array<TerminateCode, kMost> codes_{};
  std::size_t count_ = 0;
  bool always_ = false;
  bool refused_ = false;
};

/// For rows of the catalogue: a receiver may refuse it with one of these.
[[nodiscard]] constexpr RefusedWith may_be_refused_with(std::initializer_list<TerminateCode> codes) {
  return {codes, false};
}
/// For rows of the catalogue: a receiver may refuse it, but no error is usual.
[[nodiscard]] constexpr RefusedWith may_be_refused_somehow() {
  return {{}, false};
}
/// For rows of the catalogue with more members: no receiver refuses it, or not by a Terminate.
[[nodiscard]] constexpr RefusedWith never_refused() {
  return {};
}
/// For rows of the catalogue: every receiver has to refuse it.
[[nodiscard]] constexpr RefusedWith must_be_refused_with(std::initializer_list<TerminateCode> codes) {
  return {codes, true};
}

}  // namespace iwarpscope::findings
