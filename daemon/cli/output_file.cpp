// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace iwarpscope::cli {
namespace {

std::string cannot_write(const std::string& path, const std::string& cause) {
  return path + ": cannot be written: " + cause;
}
std::string cannot_write(const std::string& path) {
  return cannot_write(path, std::generic_category().message(errno));
}

/// What a new file may be by the process's mask; mkstemp() gives it to its owner alone.
mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

OutputFile::OutputFile(std::string path, std::string beside, int descriptor)
    : path_(std::move(path)), beside_(std::move(beside)), descriptor_(descriptor), output_(descriptor) {}

tl::expected<std::unique_ptr<OutputFile>, std::string> OutputFile::open(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) == 0 && !S_ISREG(about.st_mode)) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return tl::unexpected(cannot_write(path));
    return std::unique_ptr<OutputFile>(new OutputFile(path, {}, descriptor));
  }
  std::string beside = path + ".XXXXXX";
  const int descriptor = ::mkostemp(beside.data(), O_CLOEXEC);
  if (descriptor < 0) return tl::unexpected(cannot_write(path));
  (void)::fchmod(descriptor, usual_mode());
  return std::unique_ptr<OutputFile>(new OutputFile(path, std::move(beside), descriptor));
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!beside_.empty()) ::unlink(beside_.c_str());
}

std::string OutputFile::commit() {
  struct stat about {};
  const bool is_empty = !beside_.empty() && ::fstat(descriptor_, &about) == 0 && about.st_size == 0;
  const bool is_closed = ::close(std::exchange(descriptor_, -1)) == 0;
  if (output_.has_failed()) return cannot_write(path_, output_.error_text());
  if (!is_closed) return cannot_write(path_);
  if (beside_.empty() || is_empty) return {};
  if (std::rename(beside_.c_str(), path_.c_str()) != 0) return cannot_write(path_);
  beside_.clear();
  return {};
}

}  // namespace iwarpscope::cli
