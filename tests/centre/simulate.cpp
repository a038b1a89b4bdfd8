// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope-simulated-site PAIRS WEEKS SEED: findings on unchanged traffic, one a line, and how many there were. Fails
// if there were more than one a week.
#include <cstdio>
#include <cstdlib>

#include "simulated_site.h"

int main(int argc, char** argv) {
  using namespace iwarpscope::centre;
  if (argc != 4) return 2;
  constexpr std::int64_t kWeek = 168, kLearning = 8;  // weeks in which nothing can be found
  const std::int64_t weeks = std::strtoll(argv[2], nullptr, 10);
  SimulatedSite site(std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[3], nullptr, 10));
  std::int64_t found = 0;
  while (site.hour() < weeks * kWeek) {
    for (const Departure& one : site.pass()) {
      ++found;
      std::printf("week %ld: pair %zu (habit %d), trial %d, %u hours, %zu of %zu pairs\n",
                  static_cast<long>(site.hour() / kWeek), one.series, static_cast<int>(site.habit(one.series)),
                  static_cast<int>(one.trial), one.hours, one.pairs, one.of_pairs);
      std::fflush(stdout);
    }
  }
  std::printf("%s pairs, %ld weeks: %ld findings on unchanged traffic\n", argv[1], static_cast<long>(weeks),
              static_cast<long>(found));
  return found > weeks - kLearning ? 1 : 0;
}
