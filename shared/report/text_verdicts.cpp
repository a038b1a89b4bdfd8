// What became of the queue pairs, in the report for people.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/first_trouble.h"
#include "report/human.h"
#include "report/text_parts.h"

namespace iwarpscope::report {
namespace {

using qp::Blame;
using qp::Confidence;
using qp::Outcome;

constexpr std::array kOutcomes{Outcome::failed,    Outcome::stalled, Outcome::refused,
                               Outcome::completed, Outcome::running, Outcome::unknown};

/// Higher is worse.
int badness(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::failed: return 4;
    case Outcome::stalled: return 3;
    case Outcome::refused: return 2;
    case Outcome::unknown: return 1;
    case Outcome::completed:
    case Outcome::running: break;
  }
  return 0;
}

findings::Severity severity(Outcome outcome) noexcept {
  if (outcome == Outcome::failed || outcome == Outcome::stalled) return findings::Severity::error;
  return badness(outcome) != 0 ? findings::Severity::warning : findings::Severity::note;
}

/// Of the end or part that is blamed.
std::string blamed(const qp::QpRecord& record) {
  const qp::VerdictRecord& v = *record.verdict;
  const std::string_view how = v.confidence == Confidence::certain  ? "certainly"
                               : v.confidence == Confidence::likely ? "likely"
                                                                    : "perhaps";
  // What ended well may have had a fault on the way.
  const std::string_view on_the_way =
      v.outcome == Outcome::completed || v.outcome == Outcome::running ? ", with a fault on the way" : "";
  switch (v.blame) {
    case Blame::a: return fmt::format("{}, {} by A ({})", on_the_way, how, endpoint_text(record.a));
    case Blame::b: return fmt::format("{}, {} by B ({})", on_the_way, how, endpoint_text(record.b));
    case Blame::path: return fmt::format("{}, {} by the path between them", on_the_way, how);
    case Blame::capture: return ", as far as this capture tells";
    case Blame::unknown: return ", by whom is not known";
    case Blame::none: break;
  }
  return "";
}

template <class Key>
void count_bounded(std::map<Key, std::uint64_t>& counts, const Key& key, std::size_t most) {
  if (const auto it = counts.find(key); it != counts.end()) {
    ++it->second;
  } else if (counts.size() < most) {
    counts.emplace(key, 1);
  }
}

}  // namespace

void VerdictList::add(const qp::QpRecord& record) {
  if (!record.verdict) return;
  ++counts_[static_cast<std::size_t>(record.verdict->outcome)];
  if (badness(record.verdict->outcome) != 0) {
    remember_blamed(record);
    remember_first(record);
  }
  // The worst first, then as they began.
  const auto worse = [](const qp::QpRecord& l, const qp::QpRecord& r) {
    return badness(l.verdict->outcome) > badness(r.verdict->outcome);
  };
  const auto at = std::upper_bound(worst_.begin(), worst_.end(), record, worse);
  if (worst_.size() >= kListed && at == worst_.end()) return;
  worst_.insert(at, record);
  if (worst_.size() > kListed) worst_.pop_back();
}

void VerdictList::remember_blamed(const qp::QpRecord& record) {
  const Blame blame = record.verdict->blame;
  if (blame == Blame::a || blame == Blame::b) {
    count_bounded(hosts_, blame == Blame::a ? record.a.address : record.b.address, kMostHosts);
  } else if (blame == Blame::path) {
    const auto& [low, high] = std::minmax(record.a.address, record.b.address);
    count_bounded(paths_, std::pair{low, high}, kMostHosts);
  }
}

void VerdictList::remember_first(const qp::QpRecord& record) {
  const auto frame = analysis::first_trouble(record);
  if (!frame) return;
  const auto at = std::upper_bound(first_.begin(), first_.end(), *frame,
                                   [](FrameNumber f, const Trouble& t) { return f < t.frame; });
  if (at == first_.end() && first_.size() >= kFirstTroubles) return;
  first_.insert(at, {*frame, record.qp, record.a, record.b});
  if (first_.size() > kFirstTroubles) first_.pop_back();
}

void VerdictList::append(std::string& out, const Paint& paint) const {
  std::string counts;
  std::uint64_t total = 0;
  for (const Outcome outcome : kOutcomes) {
    const std::uint64_t n = counts_[static_cast<std::size_t>(outcome)];
    if (n == 0) continue;
    total += n;
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", n, qp::name(outcome));
  }
  if (total == 0) return;
  out += '\n' + paint.bold("What became of them") + "  " + counts + "\n";
  // Where all went well there is nothing to read, but for the few of a small capture.
  constexpr std::uint64_t kFew = 3;
  std::uint64_t bad = 0;
  for (const Outcome outcome : kOutcomes) {
    if (badness(outcome) != 0) bad += counts_[static_cast<std::size_t>(outcome)];
  }
  std::uint64_t listed = 0;
  for (const qp::QpRecord& record : worst_) {
    if (total > kFew && badness(record.verdict->outcome) == 0) break;
    append_verdict(out, paint, record);
    listed += badness(record.verdict->outcome) != 0 ? 1 : 0;
  }
  if (bad > listed) out += fmt::format("  ... and {} more that did not end well\n", bad - listed);
  append_first(out, paint);
  append_blamed(out, paint);
}

void VerdictList::append_first(std::string& out, const Paint& paint) const {
  if (first_.size() < 2) return;
  std::string text;
  for (const Trouble& t : first_) {
    text += fmt::format("{}frame {} of QP {} ({} -> {})", text.empty() ? "" : ", then ", t.frame.value, t.qp,
                        endpoint_text(t.a), endpoint_text(t.b));
  }
  out += wrapped("  What came first: ", "    ", text + ".", paint.width());
}

void VerdictList::append_blamed(std::string& out, const Paint& paint) const {
  std::vector<std::pair<std::uint64_t, std::string>> blamed;
  for (const auto& [host, n] : hosts_) {
    if (n > 1) blamed.emplace_back(n, host.text());
  }
  for (const auto& [ends, n] : paths_) {
    if (n > 1) blamed.emplace_back(n, fmt::format("the path between {} and {}", ends.first.text(), ends.second.text()));
  }
  if (blamed.empty()) return;
  std::sort(blamed.begin(), blamed.end(),
            [](const auto& l, const auto& r) { return l.first != r.first ? l.first > r.first : l.second < r.second; });
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(blamed.size(), kShown); ++i) {
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", blamed[i].second, counted(blamed[i].first, "QP"));
  }
  out += wrapped("  Blamed more than once: ", "    ", text + ".", paint.width());
}

void append_verdict(std::string& out, const Paint& paint, const qp::QpRecord& record) {
  const qp::VerdictRecord& v = *record.verdict;
  out += fmt::format("  QP {}  {}{}\n", record.qp, paint.severity(severity(v.outcome), qp::name(v.outcome)),
                     blamed(record));
  out += wrapped("      ", "      ", v.text, paint.width());
  if (!v.evidence.empty()) {
    std::string frames;
    for (const FrameNumber frame : v.evidence) frames += fmt::format("{}{}", frames.empty() ? "" : ", ", frame.value);
    out += fmt::format("      {} {}\n", v.evidence.size() == 1 ? "Frame" : "Frames", frames);
  }
  if (!v.next.empty()) out += wrapped("      Next: ", "            ", v.next, paint.width());
}

}  // namespace iwarpscope::report
