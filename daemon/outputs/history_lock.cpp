// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/history_lock.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace iwarpscope::outputs {
namespace {

std::string file_of(const std::string& path) {
  return path + ".lock";
}

/// On the whole file, and of the open file rather than the process: closing another descriptor leaves it.
struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

/// The open file is the one of that name.
bool is_there(int file, const std::string& name) {
  struct stat open {};
  struct stat named {};
  return fstat(file, &open) == 0 && stat(name.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

}  // namespace

void HistoryLock::release() {
  if (file_ >= 0) ::close(std::exchange(file_, -1));
}

Stored<void> HistoryLock::take(const std::string& path) {
  const std::string name = file_of(path);
  if (file_ >= 0 && is_there(file_, name)) return {};
  release();
  const auto failed = [&](int code, const std::string& text) { return tl::unexpected(DatabaseError{code, text}); };
  file_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0640);
  if (file_ < 0) return failed(SQLITE_CANTOPEN, name + ": " + std::generic_category().message(errno));
  struct flock lock = whole_file();
  if (fcntl(file_, F_OFD_SETLK, &lock) == 0) return {};
  const int error = errno;
  release();
  if (error == EAGAIN || error == EACCES) return failed(SQLITE_PERM, "another daemon writes it");
  return failed(SQLITE_IOERR, name + ": it cannot be locked: " + std::generic_category().message(error));
}

bool HistoryLock::is_taken(const std::string& path) {
  const int file = ::open(file_of(path).c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (file < 0) return false;
  struct flock lock = whole_file();
  const bool is_locked = fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  ::close(file);
  return is_locked;
}

}  // namespace iwarpscope::outputs
