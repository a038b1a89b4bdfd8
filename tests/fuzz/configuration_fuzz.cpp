// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A text as the configuration of iwarpscoped. Input: the file.
#include <algorithm>
#include <string>

#include "fuzz/script.h"
#include "service/configuration.h"
#include "service/keys.h"

using namespace iwarpscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  const auto read = service::parse_configuration(text, "file");
  if (!read) {
    fuzz::require(!read.error().empty(), "what is refused is refused with a sentence");
    for (const service::Mistake& mistake : read.error()) {
      fuzz::require(mistake.line <= lines, "a mistake is in the file");
      fuzz::require(mistake.text().starts_with("file:") && !mistake.sentence.empty(), "a mistake is said");
    }
    return 0;
  }
  // The daemon's requests on it.
  std::string again, section;
  for (const service::Key& key : service::keys()) {
    if (key.section != section) again += "[" + (section = key.section) + "]\n";
    again += std::string(key.name) + " = " + key.text(*read) + "\n";
  }
  const auto second = service::parse_configuration(again, "again");
  fuzz::require(second.has_value(), "what is printed can be read");
  for (const service::Key& key : service::keys()) {
    fuzz::require(key.text(*second) == key.text(*read), "what is printed is what was read");
  }
  (void)service::intake_options(*read);
  (void)service::simulated(*read);
  (void)service::without_files(*read);
  return 0;
}
