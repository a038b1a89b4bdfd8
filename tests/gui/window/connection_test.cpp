// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Behaviour of the window when its daemon ends, when a passphrase is needed, or when the window is closed and opened
// again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>

#include <chrono>
#include <map>

#include "daemon/api/certificates.h"
#include "gui/own_daemon.h"
#include "gui/wait.h"
#include "iwarpscope/v1/status.pb.h"
#include "session/keyring.h"
#include "views/banner.h"
#include "views/health_bar.h"
#include "views/queue_pairs/qp_table_view.h"
#include "window/connection_banner.h"
#include "window/main_window.h"
#include "window/passphrase_dialog.h"
#include "window/server_dialog.h"
#include "window/session_views.h"

namespace iwarpscope::gui::connection_test {
namespace {

using test::wait_until;
using testing::HasSubstr;
using testing::Not;
using Clock = std::chrono::steady_clock;

void look(QWidget& widget, const char* name) {
  const QString folder = qEnvironmentVariable("IWARPSCOPE_SCREENSHOTS");
  QCoreApplication::processEvents();
  if (!folder.isEmpty()) widget.grab().save(folder + QLatin1Char('/') + QLatin1String(name));
}

struct Places {
  QTemporaryDir folder;
  QString file = folder.filePath(QStringLiteral("settings.ini"));
  QSettings settings{file, QSettings::IniFormat};
};

struct Shown {
  explicit Shown(QSettings& settings) : window(settings) { window.show(); }
  [[nodiscard]] QpTableView* table() const { return window.findChild<QpTableView*>(); }
  [[nodiscard]] ConnectionBanner* banner() const { return window.findChild<ConnectionBanner*>(); }
  [[nodiscard]] Link::State state() { return window.views()->session().link().state; }
  [[nodiscard]] bool becomes(Link::State wanted) {
    return wait_until([&] { return state() == wanted; });
  }
  /// Text of the status bar.
  [[nodiscard]] std::string connection() const {
    for (const QLabel* label : window.statusBar()->findChildren<QLabel*>()) {
      if (label->accessibleDescription() == QLatin1String("State of the connection"))
        return label->text().toStdString();
    }
    return {};
  }
  /// In the first row.
  [[nodiscard]] std::string cell(QpColumn column) const {
    return table()->model().index_of(0, static_cast<int>(column)).data().toString().toStdString();
  }
  MainWindow window;
};

class LostDaemon : public testing::Test {
 protected:
  void SetUp() override {
    shown.window.resize(1500, 900);
    daemon.start(first);
    shown.window.open(daemon.source());
    shown.window.show_page(MainWindow::Page::details);
    ASSERT_TRUE(wait_until([&] {
      return shown.state() == Link::State::connected && shown.table()->model().known() == 1 &&
             shown.table()->model().find(0)->ended;
    }));
  }
  void lose() {
    first.kill();
    ASSERT_TRUE(first.waitForFinished());
    ASSERT_TRUE(shown.becomes(Link::State::lost));
  }
  void TearDown() override {
    shown.window.close_session();
    second.terminate();
    second.waitForFinished();
  }
  const test::OwnDaemon daemon{"siw/viol-crc-error.pcap"};
  QProcess first, second;
  Places places;
  Shown shown{places.settings};
};

TEST_F(LostDaemon, MarksRowsStaleUntilItIsBack) {
  const std::string fresh = shown.cell(QpColumn::state);
  EXPECT_THAT(fresh, Not(HasSubstr("stale")));
  EXPECT_FALSE(shown.banner()->isVisible());
  const auto* const health = shown.window.findChild<HealthBar*>();
  ASSERT_TRUE(wait_until([&] { return !health->findChildren<QToolButton*>().isEmpty(); }));
  lose();
  EXPECT_EQ(shown.cell(QpColumn::state), "stale: " + fresh);
  const QTreeView& tree = shown.table()->tree();
  EXPECT_NE(tree.palette().color(QPalette::Text), QApplication::palette().color(QPalette::Text));
  EXPECT_TRUE(shown.banner()->isVisible());
  EXPECT_THAT(shown.banner()->sentence().toStdString(), HasSubstr("stale, from 20"));
  EXPECT_THAT(shown.connection(), HasSubstr("data is stale"));
  const auto stages = health->findChildren<QToolButton*>();
  EXPECT_FALSE(stages.isEmpty());
  for (const QToolButton* stage : stages) {
    EXPECT_FALSE(stage->text().contains(QStringLiteral("✓"))) << stage->text().toStdString();
    EXPECT_TRUE(stage->text().endsWith(QLatin1String("stale"))) << stage->text().toStdString();
  }
  EXPECT_THAT(shown.connection(), testing::ContainsRegex("lost at [0-9][0-9]:[0-9][0-9]:[0-9][0-9] UTC"));
  EXPECT_TRUE(wait_until([&] { return shown.banner()->countdown().startsWith(QLatin1String("Next attempt in ")); }));
  look(shown.window, "connection-lost.png");
  daemon.start(second);
  ASSERT_TRUE(shown.becomes(Link::State::connected));
  EXPECT_EQ(shown.cell(QpColumn::state), fresh);
  EXPECT_EQ(tree.palette().color(QPalette::Text), QApplication::palette().color(QPalette::Text));
  EXPECT_FALSE(shown.banner()->isVisible());
  EXPECT_THAT(shown.connection(), HasSubstr("Connected"));
  EXPECT_TRUE(wait_until([&] {
    const auto banners = shown.window.findChildren<Banner*>();
    return std::any_of(banners.begin(), banners.end(), [](const Banner* one) {
      return one->isVisible() && one->sentence().contains(QLatin1String("The daemon was restarted at "));
    });
  })) << "it is another daemon, without what the first one saw";
}

TEST_F(LostDaemon, IsTriedAtOnceWhenTheButtonIsPressed) {
  lose();
  auto* button = shown.banner()->findChild<QPushButton*>();
  const auto retry_at = [&] { return shown.window.views()->session().link().retry_at.value_or(Clock::time_point{}); };
  ASSERT_TRUE(wait_until([&] { return retry_at() - Clock::now() > std::chrono::seconds{7}; })) << "8 s, then 10 s";
  const Clock::time_point planned = retry_at();
  const std::string since = shown.connection();
  daemon.start(second);
  // The socket of the killed daemon still exists: only an answer shows that the new daemon listens.
  ASSERT_TRUE(wait_until([&] { return api::Client::open(daemon.source().place).value()->status().has_value(); }));
  EXPECT_EQ(shown.connection(), since);
  if (Clock::now() > planned - std::chrono::seconds{3}) GTEST_SKIP() << "the machine is too slow for this test";
  QTest::mouseClick(button, Qt::LeftButton);
  EXPECT_EQ(shown.banner()->countdown(), QStringLiteral("Connecting..."));
  EXPECT_FALSE(button->isEnabled());
  EXPECT_TRUE(shown.becomes(Link::State::connected));
  EXPECT_LT(Clock::now(), planned);
}

TEST_F(LostDaemon, LeavesNothingStaleWhenItIsClosed) {
  lose();
  shown.window.close_session();
  EXPECT_FALSE(shown.banner()->isVisible());
  EXPECT_EQ(shown.connection(), "Not connected");
}

/// Stores secrets, or reports that it cannot.
class FakeKeyring final : public Keyring {
 public:
  struct State {
    std::map<QString, std::string> kept;
    QString trouble;
    int writes = 0;
  };
  explicit FakeKeyring(State& state) : state_(state) {}
  void read(const QString& name, QObject* asker, Then then) override {
    answer(asker, std::move(then),
           state_.kept.contains(name) ? std::optional(api::Secret(state_.kept[name])) : std::nullopt);
  }
  void write(const QString& name, const api::Secret& secret, QObject* asker, Then then) override {
    ++state_.writes;
    if (state_.trouble.isEmpty()) state_.kept[name] = secret.text();
    answer(asker, std::move(then), std::nullopt);
  }
  void forget(const QString& name) override { state_.kept.erase(name); }

 private:
  void answer(QObject* asker, Then then, const std::optional<api::Secret>& secret) {
    const Kept kept{state_.trouble.isEmpty() ? secret : std::nullopt, state_.trouble};
    QMetaObject::invokeMethod(
        asker, [kept, then = std::move(then)] { then(kept); }, Qt::QueuedConnection);
  }
  State& state_;
};

/// A server over TCP, and a saved daemon whose key has the passphrase "horse battery".
class LockedServer : public testing::Test {
 protected:
  void SetUp() override {
    server.options.tcp = "127.0.0.1:0";
    server.options.tls = api::testing::certificates().files("server");
    server.directory.known_qps = {api::testing::qp_view(1)};
    ASSERT_EQ(server.start(), "");
    source.name = QStringLiteral("lab");
    source.place.host = "127.0.0.1:" + std::to_string(server.server->tcp_port());
    source.place.tls = api::testing::certificates().files("client");
    const std::string key = places.folder.filePath(QStringLiteral("locked.key")).toStdString();
    api::testing::certificates().openssl("pkcs8 -topk8 -in " + source.place.tls.key + " -out " + key +
                                         " -passout 'pass:horse battery'");
    QFile::setPermissions(QString::fromStdString(key), QFile::ReadOwner | QFile::WriteOwner);
    source.place.tls.key = key;
    name = QStringLiteral("key %1").arg(QString::fromStdString(key));
    use(std::make_unique<FakeKeyring>(keyring));
  }
  void use(std::unique_ptr<Keyring> other) { shown.window.set_keyring(std::move(other)); }
  [[nodiscard]] PassphraseDialog* dialog() const {
    for (auto* one : shown.window.findChildren<PassphraseDialog*>()) {
      if (one->isVisible()) return one;
    }
    return nullptr;
  }
  [[nodiscard]] bool is_asked() const {
    return wait_until([this] { return dialog() != nullptr; });
  }
  void type(const char* passphrase) const {
    auto* field = dialog()->findChild<QLineEdit*>();
    QTest::keyClicks(field, QString::fromLatin1(passphrase));
    QTest::keyClick(field, Qt::Key_Return);
  }
  [[nodiscard]] std::string dialog_text() const {
    QString all;
    for (const QLabel* label : dialog()->findChildren<QLabel*>()) {
      if (!label->isHidden()) all += label->text() + QLatin1Char('\n');
    }
    return all.toStdString();
  }
  [[nodiscard]] bool is_connected() {
    return wait_until([this] { return shown.window.views() && shown.state() == Link::State::connected; }) &&
           wait_until([this] { return shown.window.views()->qps().size() == 1; });
  }
  Places places;
  FakeKeyring::State keyring;
  api::testing::Daemon server;
  Source source;
  QString name;
  Shown shown{places.settings};
};

TEST_F(LockedServer, AsksUntilThePassphraseFitsAndKeepsItInTheKeyring) {
  shown.window.open(source);
  ASSERT_TRUE(is_asked());
  EXPECT_EQ(shown.window.views(), nullptr);
  EXPECT_EQ(dialog()->findChild<QLineEdit*>()->echoMode(), QLineEdit::Password);
  look(*dialog(), "passphrase.png");
  type("cow");
  ASSERT_NE(dialog(), nullptr);
  EXPECT_THAT(dialog_text(), HasSubstr("does not open the key"));
  EXPECT_EQ(dialog()->findChild<QLineEdit*>()->text(), QString());
  look(*dialog(), "passphrase-wrong.png");
  dialog()->findChild<QCheckBox*>()->setChecked(true);
  type("horse battery");
  ASSERT_TRUE(is_connected());
  EXPECT_EQ(keyring.kept[name], "horse battery");
  EXPECT_TRUE(shown.window.views()->session().source().place.passphrase.is_empty()) << "it is not needed any more";
  // The next time, the user is not asked.
  shown.window.open(source);
  ASSERT_TRUE(is_connected());
  EXPECT_EQ(dialog(), nullptr);
}

TEST_F(LockedServer, KeepsNothingUnlessItIsAskedTo) {
  shown.window.open(source);
  ASSERT_TRUE(is_asked());
  type("horse battery");
  ASSERT_TRUE(is_connected());
  EXPECT_EQ(keyring.writes, 0);
}

TEST_F(LockedServer, WhoseKeptPassphraseIsOldIsAskedAgain) {
  keyring.kept[name] = "cow";
  shown.window.open(source);
  ASSERT_TRUE(is_asked());
  EXPECT_THAT(dialog_text(), HasSubstr("in the keyring no longer opens the key"));
  type("horse battery");
  EXPECT_TRUE(is_connected());
}

TEST_F(LockedServer, WithoutAKeyringSaysSoAndAsksEachTime) {
  // No keyring service listens: as on a machine without a desktop.
  const QByteArray before = qgetenv("DBUS_SESSION_BUS_ADDRESS");
  qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + places.folder.filePath(QStringLiteral("no-bus")).toUtf8());
  use(std::make_unique<DesktopKeyring>());
  for (int i = 0; i < 2; ++i) {
    shown.window.open(source);
    ASSERT_TRUE(is_asked());
    EXPECT_THAT(dialog_text(), HasSubstr("No keyring answers on this desktop"));
    EXPECT_THAT(dialog_text(), HasSubstr("asked each time"));
    EXPECT_FALSE(dialog()->findChild<QCheckBox*>()->isVisible());
    look(*dialog(), "passphrase-no-keyring.png");
    type("horse battery");
    ASSERT_TRUE(is_connected());
  }
  before.isNull() ? qunsetenv("DBUS_SESSION_BUS_ADDRESS") : qputenv("DBUS_SESSION_BUS_ADDRESS", before);
}

TEST_F(LockedServer, IsNotConnectedToWithoutThePassphrase) {
  shown.window.open(source);
  ASSERT_TRUE(is_asked());
  QTest::keyClick(dialog()->findChild<QLineEdit*>(), Qt::Key_Escape);
  EXPECT_TRUE(wait_until([&] { return dialog() == nullptr; }));
  EXPECT_EQ(shown.window.views(), nullptr);
  EXPECT_THAT(shown.window.statusBar()->currentMessage().toStdString(), HasSubstr("needs its passphrase"));
  // If the user opens another source, the question is cancelled.
  shown.window.open(source);
  ASSERT_TRUE(is_asked());
  shown.window.open_files({test::sample("siw/viol-crc-error.pcap")});
  EXPECT_EQ(dialog(), nullptr);
  EXPECT_NE(shown.window.views(), nullptr);
}

TEST_F(LockedServer, SettingsNeverHoldThePassphrase) {
  SavedServers(places.settings).save({source.name, source.place});
  source.place.passphrase = api::Secret("horse battery");
  SavedServers(places.settings).save({source.name, source.place});
  source.place.passphrase = {};
  shown.window.open(source);
  ASSERT_TRUE(is_asked());
  dialog()->findChild<QCheckBox*>()->setChecked(true);
  type("horse battery");
  ASSERT_TRUE(is_connected());
  shown.window.close();
  places.settings.sync();
  QFile file(places.file);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  const QByteArray text = file.readAll();
  EXPECT_TRUE(text.contains("locked.key"));
  EXPECT_FALSE(text.contains("horse"));
  EXPECT_FALSE(text.contains("battery"));
}

TEST_F(LockedServer, IsDiscardedWithTheLastDaemonThatHasTheKey) {
  SavedServers saved(places.settings);
  saved.save({QStringLiteral("lab"), source.place});
  saved.save({QStringLiteral("lab again"), source.place});
  ServerDialog servers(places.settings);
  QStringList unused;
  QObject::connect(&servers, &ServerDialog::key_unused, &servers, [&](const QString& key) { unused << key; });
  const auto remove = [&] {
    servers.findChild<QComboBox*>()->setCurrentIndex(1);
    for (auto* button : servers.findChildren<QPushButton*>()) {
      if (button->accessibleName() == QLatin1String("Remove the saved daemon")) button->click();
    }
  };
  remove();
  EXPECT_EQ(unused, QStringList());
  remove();
  EXPECT_EQ(unused, QStringList{QString::fromStdString(source.place.tls.key)});
  EXPECT_TRUE(saved.all().isEmpty());
}

TEST(WindowLayout, OfTableDocksAndWindowIsKeptFromRunToRun) {
  Places places;
  const auto ends = static_cast<int>(QpColumn::ends), crc = static_cast<int>(QpColumn::crc);
  const auto rate = static_cast<int>(QpColumn::rate);
  QSize size;
  QRect popped;
  {
    Shown shown(places.settings);
    shown.window.resize(1234, 777);
    shown.window.open_files({test::sample("siw/viol-crc-error.pcap")});
    shown.window.show_page(MainWindow::Page::details);
    QTreeView& tree = shown.table()->tree();
    tree.header()->resizeSection(ends, 123);
    tree.setColumnHidden(crc, true);
    tree.header()->moveSection(tree.header()->visualIndex(rate), 2);
    tree.sortByColumn(rate, Qt::DescendingOrder);
    shown.table()->set_grouped(true);
    shown.table()->filter_bar().set_text(QStringLiteral("qp < 100"));
    auto* dock = shown.window.findChild<QDockWidget*>(QStringLiteral("ladder"));
    dock->setFloating(true);
    dock->setGeometry(60, 70, 500, 400);
    QCoreApplication::processEvents();
    popped = dock->geometry();
    size = shown.window.size();
    shown.window.findChild<QDockWidget*>(QStringLiteral("findings"))->close();
    shown.window.close();
  }
  Shown again(places.settings);
  again.window.open_files({test::sample("siw/viol-crc-error.pcap")});
  again.window.show_page(MainWindow::Page::details);
  EXPECT_EQ(again.window.size(), size);
  auto* dock = again.window.findChild<QDockWidget*>(QStringLiteral("ladder"));
  EXPECT_TRUE(dock->isFloating());
  EXPECT_TRUE(dock->isVisible());
  EXPECT_EQ(dock->geometry(), popped);
  EXPECT_FALSE(again.window.findChild<QDockWidget*>(QStringLiteral("findings"))->isVisible());
  QTreeView& tree = again.table()->tree();
  EXPECT_EQ(tree.header()->sectionSize(ends), 123);
  EXPECT_TRUE(tree.isColumnHidden(crc));
  EXPECT_EQ(tree.header()->visualIndex(rate), 2);
  EXPECT_EQ(tree.header()->sortIndicatorSection(), rate);
  EXPECT_EQ(tree.header()->sortIndicatorOrder(), Qt::DescendingOrder);
  EXPECT_TRUE(again.table()->model().is_grouped());
  EXPECT_EQ(again.table()->filter_bar().text(), QStringLiteral("qp < 100"));
  // Another capture in the same window, and then the first one again.
  again.window.open_files({test::sample("made/messages/atomics.pcapng")});
  again.window.show_page(MainWindow::Page::details);
  EXPECT_TRUE(again.table()->tree().isColumnHidden(crc));
  EXPECT_EQ(again.table()->filter_bar().text(), QString()) << "it was for the other one";
  for (QAction* action : again.window.findChildren<QAction*>()) {
    if (action->text().remove(QLatin1Char('&')) == QLatin1String("Reset the Layout")) action->trigger();
  }
  EXPECT_FALSE(again.table()->tree().isColumnHidden(crc));
  EXPECT_FALSE(again.table()->model().is_grouped());
  EXPECT_EQ(again.table()->filter_bar().text(), QString());
  EXPECT_EQ(again.table()->tree().header()->sortIndicatorSection(), static_cast<int>(QpColumn::verdict));
  EXPECT_FALSE(dock->isFloating());
}

}  // namespace
}  // namespace iwarpscope::gui::connection_test
