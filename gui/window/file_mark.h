// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a file is still the one that was opened.
#pragma once

#include <sys/stat.h>

#include <QFile>

#include <optional>
#include <utility>

namespace iwarpscope::gui {

/// Identity of the file, its minimum size, and its first octets: a file number can be used again.
class FileMark {
 public:
  /// Empty: it cannot be read.
  [[nodiscard]] static std::optional<FileMark> of(const QString& name) {
    QFile file(name);
    struct stat facts {};
    // Opening a pipe would wait for its writer.
    if (stat(QFile::encodeName(name).constData(), &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
    if (!file.open(QIODevice::ReadOnly) || fstat(file.handle(), &facts) != 0) return {};
    return FileMark(facts, file.read(kHead));
  }
  /// The file may have grown since.
  [[nodiscard]] bool is_still(const FileMark& now) const {
    return now.device_ == device_ && now.inode_ == inode_ && now.size_ >= size_ && now.head_.startsWith(head_);
  }

 private:
  static constexpr qint64 kHead = 4096;  // octets

  FileMark(const struct stat& facts, QByteArray head)
      : device_(facts.st_dev), inode_(facts.st_ino), size_(facts.st_size), head_(std::move(head)) {}

  dev_t device_;
  ino_t inode_;
  off_t size_;
  QByteArray head_;
};

}  // namespace iwarpscope::gui
