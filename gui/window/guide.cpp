// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/guide.h"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QTextDocument>
#include <QUrl>

#include <utility>
#include <vector>

namespace iwarpscope::gui {
namespace {

class Guide {
  Q_DECLARE_TR_FUNCTIONS(Guide)
};

struct Chapter {
  QString title;
  QString text;  ///< Markdown, with its heading
};

std::vector<Chapter> chapters_of(const QString& file) {
  QFile in(file);
  if (!in.open(QIODevice::ReadOnly)) return {};
  std::vector<Chapter> chapters;
  const QStringList lines = QString::fromUtf8(in.readAll()).split(QLatin1Char('\n'));
  for (const QString& line : lines) {
    if (line.startsWith(QLatin1String("## "))) chapters.push_back({line.mid(3).trimmed(), {}});
    if (!chapters.empty()) chapters.back().text += line + QLatin1Char('\n');
  }
  return chapters;
}

const std::vector<Chapter>& all_chapters() {
  static const std::vector<Chapter> all = [] {
    std::vector<Chapter> made;
    for (const char* name : {"user-guide.md", "guide.md"}) {
      for (Chapter& chapter : chapters_of(QStringLiteral(":/guide/%1").arg(QLatin1String(name)))) {
        made.push_back(std::move(chapter));
      }
    }
    return made;
  }();
  return all;
}

}  // namespace

QStringList guide_chapters() {
  QStringList titles;
  for (const Chapter& chapter : all_chapters()) titles << chapter.title;
  return titles;
}

QString guide_chapter_html(const QString& title) {
  static const QRegularExpression picture(QStringLiteral(R"(!\[[^\]]*\]\([^)]*\))"));
  static const QRegularExpression link(QStringLiteral(R"((?<!!)\[([^\]]*)\]\([^)]*\))"));
  for (const Chapter& chapter : all_chapters()) {
    if (chapter.title != title) continue;
    QString text = chapter.text;
    text.remove(picture);
    text.replace(link, QStringLiteral("\\1"));
    QTextDocument document;
    document.setMarkdown(text);
    return document.toHtml();
  }
  return {};
}

QString guide_contents_html() {
  QString html = QStringLiteral("<h2>%1</h2><ul>").arg(Guide::tr("The guide").toHtmlEscaped());
  for (const QString& title : guide_chapters()) {
    html += QStringLiteral("<li><a href=\"chapter:%1\">%2</a></li>")
                .arg(QString::fromLatin1(QUrl::toPercentEncoding(title)), title.toHtmlEscaped());
  }
  return html + QStringLiteral("</ul>");
}

}  // namespace iwarpscope::gui
