// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/source.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace iwarpscope::gui {

namespace {

constexpr char16_t kOctets = 0xDC00;  // lone surrogates from here on represent octets

/// Length of the UTF-8 character at the front; 0: none.
qsizetype character_at(QByteArrayView octets) {
  const auto lead = static_cast<unsigned char>(octets.front());
  const qsizetype size = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return size != 0 && size <= octets.size() && octets.first(size).isValidUtf8() ? size : 0;
}

bool is_octet(const QString& name, qsizetype i) {
  const char16_t unit = name[i].unicode();
  return unit >= kOctets + 0x80 && unit <= kOctets + 0xFF && (i == 0 || !name[i - 1].isHighSurrogate());
}

}  // namespace

QString name_of(const QByteArray& native) {
  QString name;
  for (QByteArrayView rest(native); !rest.isEmpty();) {
    const qsizetype size = character_at(rest);
    if (size == 0) {
      name += QChar(static_cast<char16_t>(kOctets + static_cast<unsigned char>(rest.front())));
    } else {
      name += QString::fromUtf8(rest.first(size));
    }
    rest = rest.sliced(std::max<qsizetype>(size, 1));
  }
  return name;
}

QByteArray native_name(const QString& name) {
  QByteArray native;
  qsizetype from = 0;
  for (qsizetype i = 0; i < name.size(); ++i) {
    if (!is_octet(name, i)) continue;
    native += QFile::encodeName(name.sliced(from, i - from));
    native += static_cast<char>(name[i].unicode() - kOctets);
    from = i + 1;
  }
  return native + QFile::encodeName(name.sliced(from));
}

QString shown_name(const QString& name) {
  QString shown = name;
  for (qsizetype i = 0; i < name.size(); ++i) {
    if (is_octet(name, i)) shown[i] = QChar::ReplacementCharacter;
  }
  return shown;
}

QString Source::title() const {
  if (!is_file()) return name.isEmpty() ? QString::fromStdString(place.text()) : name;
  QString first = QFileInfo(shown_name(files.front())).fileName();
  if (files.size() == 1) return first;
  return QCoreApplication::translate("Source", "%1 and %n more", nullptr, static_cast<int>(files.size()) - 1)
      .arg(first);
}

}  // namespace iwarpscope::gui
