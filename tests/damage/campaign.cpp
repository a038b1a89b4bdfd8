// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "damage/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <set>

#include "damage/bounds.h"
#include "damage/mutations.h"
#include "damage/shrink.h"
#include "synth/random.h"
#include "synth/wire/capture_file.h"

namespace iwarpscope::test {
namespace {

/// A seed with the result for its whole capture, and how often it is chosen.
struct Prepared {
  Seed seed;
  Accused says;
  std::uint64_t weight = 1;
};

/// Small samples are chosen more often: their analysis takes less time, and each position in them is reached sooner.
std::vector<Prepared> prepare(const CampaignOptions& options) {
  std::vector<Prepared> all;
  for (Seed& seed : seeds(options.most_frames)) {
    if (seed.name.find(options.sample) == std::string::npos) continue;
    Prepared& p = all.emplace_back();
    p.seed = std::move(seed);
    p.weight = std::max<std::uint64_t>(1, 1000 / (100 + p.seed.frames.size()));
    p.says = accused(Built(p.seed, whole(p.seed)).frames());
  }
  return all;
}

const Prepared& choose(const std::vector<Prepared>& all, std::uint64_t total, synth::Random& random) {
  std::uint64_t at = random.below(total);
  for (const Prepared& p : all) {
    if (at < p.weight) return p;
    at -= p.weight;
  }
  return all.back();
}

class Campaign {
 public:
  explicit Campaign(const CampaignOptions& options) : options_(options), seeds_(prepare(options)) {
    for (const Prepared& p : seeds_) total_ += p.weight;
  }

  CampaignResult run() {
    const auto begun = std::chrono::steady_clock::now();
    const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(); };
    if (seeds_.empty()) return result_;
    for (std::uint64_t n = options_.first;; ++n) {
      if (options_.captures && n - options_.first >= *options_.captures) break;
      if (options_.seconds && passed() >= *options_.seconds) break;
      one(n);
    }
    result_.seconds = passed();
    return result_;
  }

 private:
  void one(std::uint64_t number) {
    synth::Random random(options_.seed * 0x9E3779B97F4A7C15ULL + number);
    (void)random.next();
    const Prepared& chosen = choose(seeds_, total_, random);
    const Damage damage = choose_damage(random, options_.mutation);
    if (damage.first == nullptr) return;
    const Pieces pieces = damage.apply(chosen.seed, random);
    ++result_.captures;
    if (pieces.empty()) return;
    const Accused part = accused(Built(chosen.seed, pieces).frames());
    compare(chosen, part);
    for (const Charge& charge : false_charges(chosen.seed.name, chosen.says, part)) {
      count(charge);
      keep(chosen, {number, chosen.seed.name, damage.name(), charge, {}, {}}, pieces);
    }
  }

  void count(const Charge& charge) {
    ++result_.accusations[charge.kind];
    ++result_.by_rule[fmt::format("{}: {}", name(charge.kind), charge.like)];
  }

  void keep(const Prepared& chosen, Case found, const Pieces& pieces) {
    if (!options_.rule.empty() && found.charge.what != options_.rule) return;
    unsigned& kept = kept_[found.charge.like + std::string(name(found.charge.kind))];
    if (kept >= options_.cases || !met_.insert(found.charge.like + found.sample).second) return;
    ++kept;
    if (!options_.folder.empty()) {
      const Smallest small = shrink(chosen.seed, pieces, found.charge);
      found.charge = small.charge;
      found.damage = describe(chosen.seed, small.pieces);
      std::string base = found.sample.substr(found.sample.rfind('/') + 1);
      found.file = fmt::format("{}-{}-{}.pcapng", found.charge.what, base.substr(0, base.find(".pcap")), found.number);
      synth::save(to_write(chosen.seed, small.pieces), options_.folder + "/" + found.file);
    }
    result_.cases.push_back(std::move(found));
  }

  /// Queue pairs whose addresses occur only once, in the whole and in the part.
  void compare(const Prepared& chosen, const Accused& part) {
    std::map<std::string, const Judged*> whole_says;
    for (const Judged& j : chosen.says.verdicts) {
      const auto [it, is_new] = whole_says.emplace(j.charge.pair, &j);
      if (!is_new) it->second = nullptr;
    }
    for (const Judged& j : part.verdicts) {
      const auto it = whole_says.find(j.charge.pair);
      if (it == whole_says.end() || it->second == nullptr) continue;
      Compared compared = Compared::known;
      if (j.charge.accused.empty()) {
        compared = Compared::neither;
      } else if (is_false(chosen.seed.name, chosen.says, j.charge)) {
        compared = j.confidence == qp::Confidence::limited  ? Compared::wrong_limited
                   : j.confidence == qp::Confidence::likely ? Compared::wrong_likely
                                                            : Compared::wrong_certain;
      }
      const std::string& blamed = it->second->charge.accused;
      const std::string_view which = blamed.empty()               ? "neither end"
                                     : blamed.starts_with("path") ? "the path"
                                                                  : "an end";
      ++result_.verdicts[{fmt::format("{}, {} blamed", qp::name(it->second->outcome), which), compared}];
    }
  }

  CampaignOptions options_;
  std::vector<Prepared> seeds_;
  std::uint64_t total_ = 0;
  std::map<std::string, unsigned> kept_;
  std::set<std::string> met_;
  CampaignResult result_;
};

}  // namespace

std::uint64_t CampaignResult::count(AccusationKind kind) const {
  const auto it = accusations.find(kind);
  return it == accusations.end() ? 0 : it->second;
}

bool CampaignResult::holds() const {
  const auto within = [&](AccusationKind kind, double of_a_million) {
    const double expected = of_a_million * static_cast<double>(captures) / 1e6;
    return static_cast<double>(count(kind)) <= expected + bounds::kChance * std::sqrt(expected);
  };
  return within(AccusationKind::error, bounds::kErrors) &&
         within(AccusationKind::blamed_certainly, bounds::kBlamedCertainly) &&
         within(AccusationKind::blamed_likely, bounds::kBlamedLikely) &&
         within(AccusationKind::warning, bounds::kWarnings);
}

std::string CampaignResult::text() const {
  std::string out;
  for (const auto& [rule, times] : by_rule) {
    out += fmt::format("{:>6} ({:.2f} of 10 000)  {}\n", times,
                       1e4 * static_cast<double>(times) / static_cast<double>(captures), rule);
  }
  std::vector<const Case*> order;
  for (const Case& c : cases) order.push_back(&c);
  std::stable_sort(order.begin(), order.end(), [](const Case* x, const Case* y) {
    return std::tie(x->charge.kind, x->charge.like) < std::tie(y->charge.kind, y->charge.like);
  });
  for (const Case* c : order) {
    out += fmt::format("{} {} against {}: {} of {} (number {})\n", c->charge.what, name(c->charge.kind),
                       c->charge.accused, c->mutation, c->sample, c->number);
    if (!c->damage.empty()) out += fmt::format("    {}: {}\n", c->file, c->damage);
    out += "    " + c->charge.text + "\n";
  }
  return out;
}

std::string CampaignResult::line() const {
  const auto rate = [&](std::uint64_t n) {
    return captures == 0 ? 0. : 1e4 * static_cast<double>(n) / static_cast<double>(captures);
  };
  return fmt::format(
      "{} damaged captures in {:.0f} s: {} false errors, {} ends blamed with certainty, {} blamed as likely, "
      "{} false warnings ({:.2f} of 10 000)",
      captures, seconds, count(AccusationKind::error), count(AccusationKind::blamed_certainly),
      count(AccusationKind::blamed_likely), count(AccusationKind::warning), rate(count(AccusationKind::warning)));
}

std::string CampaignResult::verdict_table() const {
  std::map<std::string, std::array<std::uint64_t, 5>> rows;
  for (const auto& [key, times] : verdicts) rows[key.first][static_cast<std::size_t>(key.second)] += times;
  std::string out =
      "| verdict on the whole | what it blames, or its errors | neither end | wrong, limited | wrong, likely | wrong, "
      "certain |\n"
      "| --- | ---: | ---: | ---: | ---: | ---: |\n";
  for (const auto& [row, times] : rows) {
    out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", row, times[0], times[1], times[2], times[3], times[4]);
  }
  return out;
}

CampaignResult run(const CampaignOptions& options) {
  return Campaign(options).run();
}

}  // namespace iwarpscope::test
