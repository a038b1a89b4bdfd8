// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope-attack MODE OCTETS FILE: writes a capture that is made to be expensive to analyse. --list: the modes.
#include <array>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <span>
#include <string_view>

#include "attack/modes.h"

namespace iwarpscope::attack {
namespace {

using Family = std::span<const Mode> (*)();
constexpr std::array<Family, 8> kFamilies = {segment_modes, network_modes,    framing_modes, operation_modes,
                                             atomic_modes,  queue_pair_modes, ulp_modes,     sctp_modes};

int list() {
  for (const Family family : kFamilies) {
    for (const Mode& mode : family()) std::cout << mode.name << '\t' << mode.what << '\n';
  }
  return 0;
}

int write(std::string_view name, const char* octets, const char* path) {
  for (const Family family : kFamilies) {
    for (const Mode& mode : family()) {
      if (mode.name != name) continue;
      Load load(path, std::strtoull(octets, nullptr, 10));
      mode.run(load);
      return 0;
    }
  }
  std::cerr << "iwarpscope-attack: no mode " << name << '\n';
  return 2;
}

int run(std::span<char*> arguments) {
  if (arguments.size() == 2 && std::string_view{arguments[1]} == "--list") return list();
  if (arguments.size() == 4) return write(arguments[1], arguments[2], arguments[3]);
  std::cerr << "usage: iwarpscope-attack --list | MODE OCTETS FILE\n";
  return 2;
}

}  // namespace
}  // namespace iwarpscope::attack

int main(int count, char** arguments) {
  try {
    return iwarpscope::attack::run({arguments, static_cast<std::size_t>(count)});
  } catch (const std::exception& e) {
    std::cerr << "iwarpscope-attack: " << e.what() << '\n';
    return 1;
  }
}
