// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The verdicts on the queue pairs, in the report for people.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/first_trouble.h"
#include "qp/severity_order.h"
#include "report/human.h"
#include "report/text_parts.h"

namespace iwarpscope::report {
namespace {

using qp::Blame;
using qp::Confidence;
using qp::Outcome;

constexpr std::array kOutcomes{Outcome::failed,    Outcome::stalled, Outcome::refused,
                               Outcome::completed, Outcome::running, Outcome::unknown};

/// Higher is worse; the same for all that ended well.
int badness(Outcome outcome) noexcept {
  return qp::ended_badly(outcome) || outcome == Outcome::unknown ? qp::severity_order(outcome) : 0;
}

findings::Severity severity(Outcome outcome) noexcept {
  if (outcome == Outcome::failed || outcome == Outcome::stalled) return findings::Severity::error;
  return badness(outcome) != 0 ? findings::Severity::warning : findings::Severity::note;
}

/// The words for the end or part that is blamed. For several queue pairs: its host only.
std::string blamed(const qp::QpRecord& record, bool of_several) {
  const qp::VerdictRecord& v = *record.verdict;
  const std::string_view how = v.confidence == Confidence::certain  ? "certainly"
                               : v.confidence == Confidence::likely ? "likely"
                                                                    : "perhaps";
  // What ended well may have had a fault on the way.
  const std::string_view on_the_way =
      v.outcome == Outcome::completed || v.outcome == Outcome::running ? ", with a fault on the way" : "";
  switch (v.blame) {
    case Blame::a:
      return fmt::format("{}, {} by A ({})", on_the_way, how, of_several ? record.a.address.text() : record.a.text());
    case Blame::b:
      return fmt::format("{}, {} by B ({})", on_the_way, how, of_several ? record.b.address.text() : record.b.text());
    case Blame::path: return fmt::format("{}, {} by the path between them", on_the_way, how);
    case Blame::capture: return ", limited by the capture";
    case Blame::unknown: return ", no end blamed";
    case Blame::none: break;
  }
  return "";
}

/// The value at `key`, made if there is room; null: no room.
template <class Map>
typename Map::mapped_type* find_or_make(Map& map, const typename Map::key_type& key, std::size_t most) {
  if (const auto it = map.find(key); it != map.end()) return &it->second;
  return map.size() < most ? &map[key] : nullptr;
}

template <class Map>
void count_blame(Map& map, const typename Map::key_type& key, std::size_t most, const std::string& next) {
  auto* blamed = find_or_make(map, key, most);
  if (blamed == nullptr) return;
  ++blamed->qps;
  if (next.empty()) return;
  if (std::uint64_t* times = find_or_make(blamed->next, next, blamed->kMostAdvice)) ++*times;
}

/// The hosts, and the kind of the verdict between them.
std::string kind_of(const qp::QpRecord& record) {
  const qp::VerdictRecord& v = *record.verdict;
  return fmt::format("{} {} {} {} {}", record.a.address.text(), record.b.address.text(), qp::name(v.blame),
                     qp::name(v.confidence), v.kind);
}

/// `who`: the queue pairs it is true of, in words; `count` of them, of which `record` is the first.
void append_group(std::string& out, const Paint& paint, const qp::QpRecord& record, const std::string& who,
                  std::uint64_t count) {
  const qp::VerdictRecord& v = *record.verdict;
  const std::string code = v.code.empty() ? "" : paint.dim(" " + v.code);
  out += fmt::format("  {}  {}{}{}\n", who, paint.severity(severity(v.outcome), qp::name(v.outcome)), code,
                     blamed(record, count > 1));
  const std::string alike = count > 1 ? fmt::format("All alike; example QP {}: ", record.qp) : std::string();
  out += wrapped("      ", "      ", alike + v.text, paint.width());
  if (!v.evidence.empty()) {
    std::string frames;
    for (const FrameNumber frame : v.evidence) frames += fmt::format("{}{}", frames.empty() ? "" : ", ", frame.value);
    out += fmt::format("      {} {}\n", v.evidence.size() == 1 ? "Frame" : "Frames", frames);
  }
  if (!v.next.empty()) out += wrapped("      Next: ", "            ", v.next, paint.width());
}

/// `qps`: the first of `count` queue pairs.
std::string of_all(const std::vector<std::uint64_t>& qps, std::uint64_t count) {
  if (count == qps.size()) return qps_text(qps, false);
  std::string first;
  for (const std::uint64_t qp : qps) first += fmt::format("{}, ", qp);
  return fmt::format("{} QPs ({}...)", count, first);
}

/// The advice given most often; empty: there was none.
std::string_view most_frequent(const std::map<std::string, std::uint64_t>& next) {
  std::string_view best;
  std::uint64_t times = 0;
  for (const auto& [text, n] : next) {
    if (n > times) best = text;
    times = std::max(times, n);
  }
  return best;
}

}  // namespace

void VerdictList::add(const qp::QpRecord& record) {
  if (!record.verdict) return;
  ++counts_[static_cast<std::size_t>(record.verdict->outcome)];
  if (badness(record.verdict->outcome) != 0) {
    remember_blamed(record);
    remember_first(record);
  }
  const int how_bad = badness(record.verdict->outcome);
  std::string kind = how_bad != 0 ? kind_of(record) : std::string();
  for (Alike& alike : worst_) {
    if (kind.empty() || alike.kind != kind || badness(alike.first.verdict->outcome) != how_bad) continue;
    if (alike.qps.size() < Alike::kShown) alike.qps.push_back(record.qp);
    ++alike.count;
    return;
  }
  // The worst first, then as they began.
  const auto worse = [](int bad, const Alike& alike) { return bad > badness(alike.first.verdict->outcome); };
  const auto at = std::upper_bound(worst_.begin(), worst_.end(), how_bad, worse);
  if (worst_.size() >= kListed && at == worst_.end()) return;
  worst_.insert(at, {record, std::move(kind), {record.qp}, 1});
  if (worst_.size() > kListed) worst_.pop_back();
}

void VerdictList::remember_blamed(const qp::QpRecord& record) {
  const Blame blame = record.verdict->blame;
  if (blame == Blame::a || blame == Blame::b) {
    count_blame(hosts_, blame == Blame::a ? record.a.address : record.b.address, kMostHosts, record.verdict->next);
  } else if (blame == Blame::path) {
    const auto& [low, high] = std::minmax(record.a.address, record.b.address);
    count_blame(paths_, std::pair{low, high}, kMostHosts, record.verdict->next);
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
  out += '\n' + paint.bold("Verdicts") + "  " + counts + "\n";
  // Where all went well there is nothing to read, but for the few of a small capture.
  constexpr std::uint64_t kFew = 3;
  std::uint64_t bad = 0;
  for (const Outcome outcome : kOutcomes) {
    if (badness(outcome) != 0) bad += counts_[static_cast<std::size_t>(outcome)];
  }
  std::uint64_t listed = 0;
  for (const Alike& alike : worst_) {
    const bool is_bad = badness(alike.first.verdict->outcome) != 0;
    if (total > kFew && !is_bad) break;
    append_group(out, paint, alike.first, of_all(alike.qps, alike.count), alike.count);
    listed += is_bad ? alike.count : 0;
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
                        t.a.text(), t.b.text());
  }
  out += wrapped("  What came first: ", "    ", text + ".", paint.width());
}

void VerdictList::append_blamed(std::string& out, const Paint& paint) const {
  struct Row {
    std::uint64_t qps = 0;
    std::string who;
    std::string_view next;
  };
  std::vector<Row> blamed;
  for (const auto& [host, b] : hosts_) {
    if (b.qps > 1) blamed.push_back({b.qps, host.text(), most_frequent(b.next)});
  }
  for (const auto& [ends, b] : paths_) {
    if (b.qps < 2) continue;
    blamed.push_back({b.qps, fmt::format("the path between {} and {}", ends.first.text(), ends.second.text()),
                      most_frequent(b.next)});
  }
  if (blamed.empty()) return;
  std::sort(blamed.begin(), blamed.end(),
            [](const Row& l, const Row& r) { return l.qps != r.qps ? l.qps > r.qps : l.who < r.who; });
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(blamed.size(), kShown); ++i) {
    text += fmt::format("{}{} ({})", i == 0 ? "" : ", ", blamed[i].who, counted(blamed[i].qps, "QP"));
  }
  out += wrapped("  Blamed more than once: ", "    ", text + ".", paint.width());
  for (std::size_t i = 0; i < std::min(blamed.size(), kShown); ++i) {
    if (blamed[i].next.empty()) continue;
    out += wrapped("    ", "      ", fmt::format("Next for {}: {}", blamed[i].who, blamed[i].next), paint.width());
  }
}

void append_verdict(std::string& out, const Paint& paint, const qp::QpRecord& record) {
  append_group(out, paint, record, fmt::format("QP {}", record.qp), 1);
}

}  // namespace iwarpscope::report
