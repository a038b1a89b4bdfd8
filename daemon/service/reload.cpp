// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/reload.h"

#include <algorithm>
#include <filesystem>

#include "service/keys.h"
#include "service/output_kinds.h"

namespace iwarpscope::service {
namespace {

bool is_in_one(const std::string& file, const std::vector<std::string>& folders) {
  const auto path = std::filesystem::path(file).lexically_normal();
  return folders.empty() || std::any_of(folders.begin(), folders.end(), [&path](const std::string& folder) {
           const auto normal = (std::filesystem::path(folder) / "").lexically_normal();  // ends with a slash
           return path.string().starts_with(normal.string());
         });
}

/// False: the key names a file of an output outside these folders.
bool can_write(const Key& key, const Configuration& read, const std::vector<std::string>& writable) {
  const auto& kinds = output_kinds();
  return std::none_of(kinds.begin(), kinds.end(), [&](const OutputKind& kind) {
    return kind.section == key.section && kind.written.key == key.name && !is_in_one(kind.written.path(read), writable);
  });
}

/// Interfaces have the same options of their own but for filters.
bool differ_in_filters(const Configuration& begun, const Configuration& read) {
  const auto& a = begun.capture.own;
  const auto& b = read.capture.own;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const capture::InterfaceOptions& x, const capture::InterfaceOptions& y) {
                      return x.name == y.name && x.workers == y.workers && x.promiscuous == y.promiscuous &&
                             x.snap_length == y.snap_length && x.ring_octets == y.ring_octets && x.method == y.method;
                    });
}

}  // namespace

Reloaded reloaded(const Configuration& begun, const Configuration& now, const Configuration& read,
                  const std::vector<std::string>& writable) {
  Reloaded all{now, {}, {}};
  for (const Key& key : keys()) {
    const std::string text = key.text(read);
    const bool is_applied = key.reload == Reload::applied ||
                            (key.reload == Reload::applied_live && begun.capture.replay.empty()) ||
                            (key.full_name() == "capture.interface" && differ_in_filters(begun, read));
    if (is_applied) {
      if (text == key.text(now)) continue;
      if (!can_write(key, read, writable)) {
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
