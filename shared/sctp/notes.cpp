#include "sctp/notes.h"

#include <utility>

namespace iwarpscope::sctp {

void raise(findings::Reporter& reporter, findings::FindingId id, std::optional<Direction> direction, const Spot& spot,
           std::string seen, std::string expected, std::string text) {
  findings::Finding finding;
  finding.id = id;
  finding.direction = direction;
  finding.frame = spot.frame;
  finding.time = spot.time;
  if (spot.ssn) finding.offset = kStreamOrigin + *spot.ssn;
  finding.seen = std::move(seen);
  finding.expected = std::move(expected);
  finding.text = std::move(text);
  reporter.raise(std::move(finding));
}

}  // namespace iwarpscope::sctp
