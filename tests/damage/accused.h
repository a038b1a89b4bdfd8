// Which end a report accuses, and of what; and which accusations a damaged capture makes up.
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

/// How grave an accusation is. blamed_*: by the verdict on a queue pair, an end or the path.
enum class Gravity : std::uint8_t { error, blamed_certainly, blamed_likely, warning };
[[nodiscard]] std::string_view name(Gravity gravity) noexcept;

/// One accusation. Two are the same when both keys are.
struct Charge {
  std::string what;  ///< the code of a rule, or "verdict"
  std::string whom;  ///< "10.0.0.1:4420", "path of ..."; both ends where a finding has no direction
  std::string pair;  ///< both ends of the queue pair, sorted; "capture" without one
  Gravity gravity = Gravity::error;
  std::string text;
  std::string like;  ///< what charges of one cause have in common: the code, or a verdict without numbers and addresses
  bool names_rule_alone = false;  ///< a verdict: the connection did not fail, but a rule was broken

  [[nodiscard]] std::pair<std::string, std::string> key() const { return {what, whom}; }
};

/// The verdict on one queue pair.
struct Judged {
  qp::Outcome outcome = qp::Outcome::unknown;
  qp::Confidence confidence = qp::Confidence::certain;
  Charge charge;  ///< whom: empty when neither end nor the path is blamed
};

/// All that one analysis says.
struct Accused {
  std::vector<Charge> charges;
  std::vector<Judged> verdicts;
  std::set<std::pair<std::string, std::string>> keys;  ///< of the charges, and of limited blame
  std::set<std::string> with_errors;                   ///< pairs of which an error is reported
  std::set<std::string> breakers;                      ///< ends of which an error is reported
};

[[nodiscard]] Accused accused(const std::vector<net::Frame>& frames);

/// The whole capture of this sample does not justify the charge: it has none with this key. Warnings count only about
/// connections without errors in the whole: what follows an error may rightly go by other names. A verdict may say what
/// an error or a refusal of the whole says, though its verdict is another.
[[nodiscard]] bool is_false(std::string_view sample, const Accused& whole, const Charge& charge);

/// The charges of `part` that are false, each key once.
[[nodiscard]] std::vector<Charge> false_charges(std::string_view sample, const Accused& whole, const Accused& part);

}  // namespace iwarpscope::test
