// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The outputs of the daemon: one row each. The configuration, its checks, the sandbox, start and reload read it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "outputs/run.h"
#include "outputs/sink.h"
#include "service/configuration.h"
#include "service/keys.h"

namespace iwarpscope::service {

/// What an output writes: its folder must be writable, and no other output may write it.
struct Written {
  std::string_view key{};                               ///< "path"; empty: no file
  std::string (*path)(const Configuration&) = nullptr;  ///< null: no file
  bool is_folder = false;
};

struct OutputKind {
  using Make = std::unique_ptr<outputs::Sink>(const Configuration&, const outputs::Run&,
                                              const outputs::HistorySurroundings&);

  std::string_view section;  ///< of the configuration
  std::string_view meaning;  ///< of the section, a sentence or two
  std::vector<Key> keys;     ///< of the section, in the order of the file
  Written written;
  OutputSettings& (*settings)(Configuration&);
  const OutputSettings& (*settings_of)(const Configuration&);
  /// A sink, and another one when a reload changes a key. Null: the daemon makes it, because clients use it, too.
  Make* make;
};

/// In the order of the file.
[[nodiscard]] const std::vector<OutputKind>& output_kinds();

}  // namespace iwarpscope::service
