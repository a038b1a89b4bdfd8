// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/reload.h"

#include <algorithm>
#include <filesystem>

#include "service/keys.h"

namespace iwarpscope::service {
namespace {

bool is_in_one(const std::string& file, const std::vector<std::string>& folders) {
  const auto path = std::filesystem::path(file).lexically_normal();
  return folders.empty() || std::any_of(folders.begin(), folders.end(), [&path](const std::string& folder) {
           const auto normal = (std::filesystem::path(folder) / "").lexically_normal();  // ends with a slash
           return path.string().starts_with(normal.string());
         });
}

}  // namespace

Reloaded reloaded(const Configuration& begun, const Configuration& now, const Configuration& read,
                  const std::vector<std::string>& writable) {
  Reloaded all{now, {}, {}};
  for (const Key& key : keys()) {
    const std::string text = key.text(read);
    if (key.reload == Reload::applied) {
      if (text == key.text(now)) continue;
      if (key.full_name() == "event_log.path" && !is_in_one(read.event_log.options.path, writable)) {
        all.restarts.push_back(key.full_name());
        continue;
      }
      key.copy(all.next, read);
      all.applied.push_back(key.full_name());
    } else if (text != key.text(begun)) {
      all.restarts.push_back(key.full_name());
    }
  }
  return all;
}

}  // namespace iwarpscope::service
