// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The window in a pseudo-language in which every string shows its origin, and the English plurals.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QTranslator>

#include "gui/window/open_window.h"
#include "window/server_dialog.h"

namespace iwarpscope::gui::translation_test {
namespace {

const QString kMark = QStringLiteral("⟦");

class Marking : public QTranslator {
 public:
  [[nodiscard]] bool isEmpty() const override { return false; }
  [[nodiscard]] QString translate(const char*, const char* source, const char*, int) const override {
    return kMark + QString::fromUtf8(source);
  }
};

/// Visible and accessible texts of a widget.
QStringList texts_of(const QWidget& widget) {
  QStringList texts{widget.accessibleName(), widget.toolTip(), widget.windowTitle(), widget.accessibleDescription()};
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) texts << button->text();
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) texts << label->text();
  if (const auto* line = qobject_cast<const QLineEdit*>(&widget)) texts << line->placeholderText();
  if (const auto* box = qobject_cast<const QGroupBox*>(&widget)) texts << box->title();
  if (const auto* menu = qobject_cast<const QMenu*>(&widget)) texts << menu->title();
  for (const QAction* action : widget.actions()) texts << action->text();
  if (const auto* header = qobject_cast<const QHeaderView*>(&widget); header != nullptr && header->model() != nullptr) {
    for (int i = 0; i < header->count(); ++i) {
      for (const int role : {int{Qt::DisplayRole}, int{Qt::ToolTipRole}}) {
        texts << header->model()->headerData(i, header->orientation(), role).toString();
      }
    }
  }
  return texts;
}

/// Words that were not translated by tr().
QStringList unmarked(const QWidget& root) {
  static const QRegularExpression word(QStringLiteral("[A-Za-z]{2,}"));
  QStringList found;
  QList<const QWidget*> all{&root};
  for (const QWidget* widget : root.findChildren<QWidget*>()) all << widget;
  for (const QWidget* widget : all) {
    for (const QString& text : texts_of(*widget)) {
      if (text.contains(word) && !text.contains(kMark)) {
        found << QString::fromLatin1(widget->metaObject()->className()) + QStringLiteral(": ") + text;
      }
    }
  }
  return found;
}

TEST(Translation, MarkedWindowHasNoTextThatCannotBeTranslated) {
  Marking marking;
  QCoreApplication::installTranslator(&marking);
  {
    QTemporaryDir folder;
    QSettings settings{folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat};
    MainWindow window(settings);
    window.show();
    EXPECT_EQ(unmarked(window), QStringList()) << unmarked(window).join(QLatin1Char('\n')).toStdString();
    const ServerDialog dialog(settings);
    EXPECT_EQ(unmarked(dialog), QStringList()) << unmarked(dialog).join(QLatin1Char('\n')).toStdString();
    // Views show data and words of a queue pair; the origin of their headers and buttons is visible at once.
    const SessionViews views{Source{}};
    for (const SessionViews::View& view : const_cast<SessionViews&>(views).make_views()) {
      const std::unique_ptr<QWidget> widget(view.widget);
      EXPECT_EQ(unmarked(*widget), QStringList()) << unmarked(*widget).join(QLatin1Char('\n')).toStdString();
    }
  }
  QCoreApplication::removeTranslator(&marking);
}

TEST(Translation, UntranslatedTextIsFound) {
  const QLabel label(QStringLiteral("plain words"));
  EXPECT_EQ(unmarked(label).size(), 1);
}

TEST(English, CountsOneAsOne) {
  QTranslator translator;
  ASSERT_TRUE(translator.load(QStringLiteral(IWARPSCOPE_TRANSLATIONS "/iwarpscope-gui_en.qm")));
  const auto words = [&](int n) {
    return translator.translate("iwarpscope::gui::AtomicView", "&Read %n other queue pair(s) of this responder",
                                nullptr, n);
  };
  EXPECT_EQ(words(1), QStringLiteral("&Read one other queue pair of this responder"));
  EXPECT_EQ(words(2), QStringLiteral("&Read %n other queue pairs of this responder"));
}

}  // namespace
}  // namespace iwarpscope::gui::translation_test
