// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The desktop's keyring: a real Secret Service if tests/gui/session/with_keyring has started one.
#include "session/keyring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gui/wait.h"

namespace iwarpscope::gui::keyring_test {
namespace {

using test::wait_until;

struct Asker : QObject {
  DesktopKeyring keyring;
  [[nodiscard]] std::optional<Keyring::Kept> read(const QString& name) {
    std::optional<Keyring::Kept> answer;
    keyring.read(name, this, [&](const Keyring::Kept& kept) { answer = kept; });
    EXPECT_TRUE(wait_until([&] { return answer.has_value(); }));
    return answer;
  }
  /// Why the secret is not saved; empty: it is.
  [[nodiscard]] QString write(const QString& name, const char* secret) {
    std::optional<Keyring::Kept> answer;
    keyring.write(name, api::Secret(secret), this, [&](const Keyring::Kept& kept) { answer = kept; });
    EXPECT_TRUE(wait_until([&] { return answer.has_value(); }));
    return answer ? answer->trouble : QStringLiteral("no answer");
  }
};

TEST(RealKeyring, KeepsReplacesAndForgetsASecret) {
  if (!qEnvironmentVariableIsSet("IWARPSCOPE_TEST_KEYRING")) GTEST_SKIP() << "no keyring was started for this test";
  Asker one;
  const QString name = QStringLiteral("key /nowhere/\u00e4 key.pem");
  const auto none = one.read(name);
  EXPECT_FALSE(none->secret);
  EXPECT_EQ(none->trouble.toStdString(), "");
  EXPECT_EQ(one.write(name, "horse").toStdString(), "");
  EXPECT_EQ(one.write(name, "battery st\xc3\xa4ple").toStdString(), "");
  EXPECT_EQ(one.write(QStringLiteral("key /nowhere/other.pem"), "cow").toStdString(), "");
  const auto kept = one.read(name);
  ASSERT_TRUE(kept->secret);
  EXPECT_EQ(kept->secret->text(), "battery st\xc3\xa4ple");
  one.keyring.forget(name);
  EXPECT_TRUE(wait_until([&] { return !one.read(name)->secret; }));
  EXPECT_TRUE(one.read(QStringLiteral("key /nowhere/other.pem"))->secret);
}

TEST(RealKeyring, DoesNotCallAReceiverThatIsGone) {
  bool called = false;
  DesktopKeyring keyring;
  {
    QObject gone;
    keyring.read(QStringLiteral("key /nowhere/key.pem"), &gone, [&](const Keyring::Kept&) { called = true; });
  }
  Asker one;
  EXPECT_TRUE(one.read(QStringLiteral("key /nowhere/key.pem")));  // jobs are done one after the other
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace iwarpscope::gui::keyring_test
