// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict/terminate_subject.h"

#include <algorithm>
#include <array>

namespace iwarpscope::verdict {
namespace {

using enum rdmap::Opcode;

/// What a message must have, or be, to have an error.
enum class Subject : std::uint8_t {
  stag,           ///< an STag: of a tagged buffer, of what a request reads or changes, or to invalidate
  tagged_offset,  ///< the same with an offset; nothing is at an offset of an STag to invalidate
  invalidation,   ///< an STag to invalidate
  unsure_opcode,  ///< an opcode that not every receiver knows, or knows at any time
  tagged,         ///< a tagged DDP header
  untagged,       ///< an untagged one
};

struct SubjectOfCode {
  findings::TerminateCode code;
  Subject subject;
};

/// Errors that are not here can be about any message, or about none. Sources: RFC 5040 §4.8 Figures 9 and 10, §7.2; RFC
/// 5041 §7.1, §7.2; RFC 7306 §8.2. Drivers report errors of tagged DDP segments by 0/1/xx as well.
constexpr auto kSubjects = std::to_array<SubjectOfCode>({
    {{0, 1, 0}, Subject::stag},
    {{0, 1, 1}, Subject::tagged_offset},
    {{0, 1, 2}, Subject::stag},
    {{0, 1, 3}, Subject::stag},
    {{0, 1, 4}, Subject::tagged_offset},
    {{0, 1, 9}, Subject::invalidation},
    {{0, 1, 0xFF}, Subject::stag},
    {{0, 2, 6}, Subject::unsure_opcode},
    {{0, 2, 9}, Subject::invalidation},
    {{1, 1, 0}, Subject::tagged},
    {{1, 1, 1}, Subject::tagged},
    {{1, 1, 2}, Subject::tagged},
    {{1, 1, 3}, Subject::tagged},
    {{1, 1, 4}, Subject::tagged},
    {{1, 2, 1}, Subject::untagged},
    {{1, 2, 4}, Subject::untagged},
    {{1, 2, 6}, Subject::untagged},
});

bool has_target(rdmap::Opcode opcode) noexcept {
  return opcode == rdma_read_request || opcode == atomic_request;
}

/// Every receiver knows these, and has no reason not to expect them. A Read Response needs a request. Source: RFC 5040
/// §4.3, §7.2.
bool is_always_expected(rdmap::Opcode opcode) noexcept {
  return opcode == rdma_write || opcode == terminate || rdmap::is_send(opcode);
}

bool can_be_of(Subject subject, rdmap::Opcode opcode, bool tagged) noexcept {
  const bool invalidates = rdmap::traits(opcode).invalidates;
  switch (subject) {
    case Subject::stag: return tagged || has_target(opcode) || invalidates;
    case Subject::tagged_offset: return tagged || has_target(opcode);
    case Subject::invalidation: return invalidates;
    case Subject::unsure_opcode: return !is_always_expected(opcode);
    case Subject::tagged: return tagged;
    case Subject::untagged: return !tagged;
  }
  return true;
}

}  // namespace

std::optional<rdmap::Opcode> opcode_of(const Claim& claim) noexcept {
  const auto& named = claim.terminate.named;
  return named ? std::optional{named->opcode} : claim.terminate.quoted;
}

bool is_impossible(const Claim& claim) noexcept {
  const auto opcode = opcode_of(claim);
  const auto* const about =
      std::find_if(kSubjects.begin(), kSubjects.end(), [&](const SubjectOfCode& a) { return a.code == claim.code; });
  if (!opcode || *opcode == unknown || about == kSubjects.end()) return false;
  const auto& named = claim.terminate.named;
  const bool tagged = named ? named->tagged : rdmap::traits(*opcode).tagged.value_or(false);
  return !can_be_of(about->subject, *opcode, tagged);
}

bool is_about_buffer(const Claim& claim) noexcept {
  const findings::TerminateCode code = claim.code;
  if (code.layer == 0 && code.error_type == 1) return !claim.is(0, 1, 9);
  return code.layer == 1 && code.error_type == 1 && code.error_code <= 3;
}

}  // namespace iwarpscope::verdict
