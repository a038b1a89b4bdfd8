// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The start page and the dialogs, used by mouse.
#include <QComboBox>

#include <utility>

#include "gui/window/mouse.h"
#include "session/keyring.h"
#include "window/passphrase_dialog.h"
#include "window/server_dialog.h"

namespace iwarpscope::gui::dialogs_test {
namespace {

using test::wait_until;

class Dialogs : public Mouse {};

TEST_F(Dialogs, StartPageConnectsAndOpens) {
  bool has_asked = false;
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
    auto* dialog = qobject_cast<ServerDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr || std::exchange(has_asked, true)) return;
    dialog->reject();
  });
  timer.start(20);
  press_button(nullptr, QStringLiteral("Connect to a daemon..."));
  EXPECT_TRUE(wait_until([&] { return has_asked; }));
  const Answers answers(test::sample("siw/viol-crc-error.pcap"));
  press_button(nullptr, QStringLiteral("Open captures..."));
  EXPECT_TRUE(wait_until([&] { return window.views() != nullptr; }));
}

TEST_F(Dialogs, ServersAreSavedConnectedAndRemoved) {
  ServerDialog dialog(settings, &window);
  dialog.show();
  dialog.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&dialog));
  const auto in = [&]<class Control>(const char* name, Control* /*kind*/) -> Control& {
    for (auto* one : dialog.findChildren<Control*>()) {
      if (one->accessibleName() == QLatin1String(name)) return *one;
    }
    ADD_FAILURE() << "no " << name;
    static Control none;
    return none;
  };
  const auto button = [&](const char* name) -> QAbstractButton& {
    for (auto* one : dialog.findChildren<QAbstractButton*>()) {
      if (one->accessibleName() == QLatin1String(name)) return *one;
    }
    ADD_FAILURE() << "no " << name;
    return *dialog.findChild<QAbstractButton*>();
  };
  const auto field = [&](const char* name) -> QLineEdit& { return in(name, static_cast<QLineEdit*>(nullptr)); };
  const auto type = [&](const char* name, const QString& text) {
    dialog.activateWindow();  // without a window manager no window is active after a dialog of files
    ASSERT_TRUE(QTest::qWaitForWindowActive(&dialog));
    QTest::mouseClick(&field(name), Qt::LeftButton);
    ASSERT_TRUE(wait_until([&] { return field(name).hasFocus(); }, 2000)) << name;
    field(name).selectAll();
    QTest::keyClicks(&field(name), text);
    EXPECT_EQ(field(name).text(), text);
  };
  const auto press_radio = [&](const char* name) {
    QTest::mouseClick(&button(name), Qt::LeftButton, {}, {8, button(name).height() / 2});
    EXPECT_TRUE(button(name).isChecked());
  };
  press_radio("Over the network, with TLS");
  type("Address and port of the daemon", QStringLiteral("sensor.example:7470"));
  for (const char* name : {"Certificate of this user (PEM)", "Key of the certificate (PEM)",
                           "Certificate that signs the daemon's (PEM)"}) {
    const QString file = folder.filePath(QStringLiteral("one.pem"));
    ASSERT_TRUE(QFile(file).open(QIODevice::WriteOnly));
    const Answers answers(file);
    click(button((std::string("Choose the file: ") + name).c_str()));
    EXPECT_EQ(field(name).text(), file);
  }
  EXPECT_TRUE(button("Connect").isEnabled());
  press_radio("By its socket on this machine");
  EXPECT_FALSE(button("Choose the file: Key of the certificate (PEM)").isEnabled()) << "a socket needs no key";
  type("Socket of the daemon", QStringLiteral("/run/one.sock"));
  type("Name to save it under", QStringLiteral("one"));
  click(button("Save under this name"));
  auto& known = in("Daemon", static_cast<QComboBox*>(nullptr));
  EXPECT_EQ(known.count(), 2);
  choose_in(known, 0);
  choose_in(known, 1);
  EXPECT_EQ(field("Socket of the daemon").text(), QStringLiteral("/run/one.sock"));
  click(button("Remove the saved daemon"));
  EXPECT_EQ(known.count(), 1);
  type("Socket of the daemon", QStringLiteral("/run/two.sock"));
  click(button("Connect"));
  EXPECT_EQ(dialog.result(), QDialog::Accepted);
}

TEST_F(Dialogs, PassphraseIsKeptAndCancelled) {
  PassphraseDialog dialog("/etc/key.pem", {}, {}, &window);
  dialog.show();
  dialog.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&dialog));
  const auto press_it = [&](const char* text) {
    for (auto* one : dialog.findChildren<QAbstractButton*>()) {
      if (bare(one->text()) == QLatin1String(text)) return press_at(*one, {8, one->height() / 2});
    }
    ADD_FAILURE() << text;
  };
  press_it("Keep it in this desktop's keyring");
  EXPECT_TRUE(dialog.is_to_be_kept());
  auto& field = *dialog.findChild<QLineEdit*>();
  click(field);
  QTest::keyClicks(&field, QStringLiteral("wrong"));
  press_it("Connect");
  EXPECT_TRUE(dialog.isVisible()) << "it does not open the key";
  EXPECT_EQ(field.text(), QString());
  press_it("Cancel");
  EXPECT_FALSE(dialog.isVisible());
}

}  // namespace
}  // namespace iwarpscope::gui::dialogs_test
