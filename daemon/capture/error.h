// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What went wrong with a capture file.
#pragma once

#include <string>

namespace iwarpscope::capture {

/// Why a capture cannot be read, or not further. One line for a person: text().
struct Error {
  std::string path;   ///< as it was given; "-" is standard input
  std::string place;  ///< "octet 1234", or empty when the file as a whole is meant
  std::string cause;

  [[nodiscard]] std::string text() const {
    const std::string name = path == "-" ? "standard input" : path;
    return place.empty() ? name + ": " + cause : name + ": " + place + ": " + cause;
  }
};

}  // namespace iwarpscope::capture
