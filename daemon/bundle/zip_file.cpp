// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "bundle/zip_file.h"

#include <zip.h>

#include <ctime>
#include <memory>

namespace iwarpscope::bundle {
namespace {

/// Ends without writing anything.
struct Discard {
  void operator()(zip_t* zip) const noexcept { zip_discard(zip); }
};
using Zip = std::unique_ptr<zip_t, Discard>;

std::string cannot_write(const std::string& path, const std::string& cause) {
  return path + ": cannot be written: " + cause;
}

/// libzip stores the parts of local time: this is the local time that looks like `date` in UTC.
std::time_t as_local(TimePoint date) noexcept {
  const auto seconds = static_cast<std::time_t>(date.ns / 1'000'000'000);
  std::tm parts{};
  if (gmtime_r(&seconds, &parts) == nullptr) return seconds;
  parts.tm_isdst = -1;
  return std::mktime(&parts);
}

bool add(zip_t* zip, const ZipMember& member, std::time_t date) {
  zip_source_t* source = zip_source_file(zip, member.path.c_str(), 0, -1);
  if (source == nullptr) return false;
  const zip_int64_t place = zip_file_add(zip, member.name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (place < 0) {
    zip_source_free(source);
    return false;
  }
  const auto number = static_cast<zip_uint64_t>(place);
  return zip_set_file_compression(zip, number, ZIP_CM_DEFLATE, 6) == 0 && zip_file_set_mtime(zip, number, date, 0) == 0;
}

int is_stopped(zip_t* /*zip*/, void* stop) {
  return static_cast<const std::atomic<bool>*>(stop)->load() ? 1 : 0;
}

}  // namespace

std::string write_zip(const std::string& path, const std::vector<ZipMember>& members, TimePoint date,
                      const std::atomic<bool>* stop) {
  int code = 0;
  Zip zip(zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (!zip) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    std::string sentence = cannot_write(path, zip_error_strerror(&error));
    zip_error_fini(&error);
    return sentence;
  }
  for (const ZipMember& member : members) {
    if (!add(zip.get(), member, as_local(date))) return cannot_write(path, zip_strerror(zip.get()));
  }
  if (stop != nullptr) {
    zip_register_cancel_callback_with_state(zip.get(), is_stopped, nullptr, const_cast<std::atomic<bool>*>(stop));
  }
  if (zip_close(zip.get()) != 0) return cannot_write(path, zip_strerror(zip.get()));
  (void)zip.release();  // closed
  return {};
}

}  // namespace iwarpscope::bundle
