// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which end a report accuses, and of what; and which accusations exist only because a capture is damaged.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "net/frame.h"
#include "qp/verdict_record.h"

namespace iwarpscope::test {

/// The severity of an accusation. blamed_*: by the verdict on a queue pair, an end or the path.
enum class AccusationKind : std::uint8_t { error, blamed_certainly, blamed_likely, warning };
[[nodiscard]] std::string_view name(AccusationKind kind) noexcept;

/// One accusation. Two are the same if both keys are equal.
struct Charge {
  std::string what;     ///< the code of a rule, or "verdict"
  std::string accused;  ///< "10.0.0.1:4420", "path of ..."; both ends where a finding has no direction
  std::string pair;     ///< both ends of the queue pair, sorted; "capture" without one
  AccusationKind kind = AccusationKind::error;
  std::string text;
  std::string like;  ///< common to charges of one cause: the code, or a verdict without numbers and addresses
  bool names_rule_alone = false;  ///< a verdict: the connection did not fail, but a rule was violated

  [[nodiscard]] std::pair<std::string, std::string> key() const { return {what, accused}; }
};

/// The verdict on one queue pair.
struct Judged {
  qp::Outcome outcome = qp::Outcome::unknown;
  qp::Confidence confidence = qp::Confidence::certain;
  Charge charge;  ///< blamed end: empty if neither end nor the path is blamed
};

/// All results of one analysis.
struct Accused {
  std::vector<Charge> charges;
  std::vector<Judged> verdicts;
  std::set<std::pair<std::string, std::string>> keys;  ///< of the charges, and of limited blame
  std::set<std::string> with_errors;                   ///< pairs with a reported error
  std::set<std::string> breakers;                      ///< ends with a reported error
};

[[nodiscard]] Accused accused(const std::vector<net::Frame>& frames);

/// The whole capture of this sample does not justify the charge: it has none with this key. Warnings count only for
/// connections without errors in the whole: consequences of an error may correctly have other names. A verdict may
/// report an error or a refusal of the whole, though its verdict is another one.
[[nodiscard]] bool is_false(std::string_view sample, const Accused& whole, const Charge& charge);

/// The false charges of `part`, each key once.
[[nodiscard]] std::vector<Charge> false_charges(std::string_view sample, const Accused& whole, const Accused& part);

}  // namespace iwarpscope::test
