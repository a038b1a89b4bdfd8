// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Keys with a passphrase: opened in memory, for clients alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "api/client.h"
#include "api/secret.h"
#include "api/tls_files.h"
#include "daemon/api/certificates.h"
#include "iwarpscope/v1/status.pb.h"

namespace iwarpscope::api::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The client's key, encrypted by openssl(1) in the way that the options name.
TlsFiles with_locked_key(const std::string& name, const std::string& command) {
  TlsFiles files = certificates().files("client");
  const std::string locked = certificates().folder().file(name);
  certificates().openssl(command + " -in " + files.key + " -out " + locked + " -passout pass:horse");
  ::chmod(locked.c_str(), 0600);
  files.key = locked;
  return files;
}

struct Form {
  const char* name;
  const char* command;
};
class LockedKey : public ::testing::TestWithParam<Form> {};
INSTANTIATE_TEST_SUITE_P(Forms, LockedKey,
                         ::testing::Values(Form{"pkcs8", "pkcs8 -topk8"}, Form{"traditional", "ec -aes256"}),
                         [](const auto& form) { return form.param.name; });

TEST_P(LockedKey, WithItsPassphrase_IsReadAndConnects) {
  const TlsFiles files = with_locked_key(GetParam().name, GetParam().command);
  EXPECT_THAT(text_of(files.key), HasSubstr("ENCRYPTED"));
  EXPECT_TRUE(needs_passphrase(files.key));
  EXPECT_TRUE(opens(files.key, Secret("horse")));
  const auto texts = read_tls_files(files, Secret("horse"));
  ASSERT_TRUE(texts) << texts.error();
  EXPECT_THAT(texts->key, HasSubstr("BEGIN PRIVATE KEY"));

  Daemon daemon;
  daemon.options.tcp = "127.0.0.1:0";
  daemon.options.tls = certificates().files("server");
  ASSERT_EQ(daemon.start(), "");
  Place place;
  place.host = "127.0.0.1:" + std::to_string(daemon.server->tcp_port());
  place.tls = files;
  place.passphrase = Secret("horse");
  const auto client = Client::open(place);
  ASSERT_TRUE(client) << client.error();
  const auto status = (*client)->status();
  ASSERT_TRUE(status) << status.error().sentence;
  EXPECT_EQ(status->version(), "1.2.3");
}

TEST_P(LockedKey, WithAnotherPassphraseOrNone_IsNotRead) {
  const TlsFiles files = with_locked_key(GetParam().name, GetParam().command);
  EXPECT_FALSE(opens(files.key, Secret("cow")));
  EXPECT_FALSE(opens(files.key, Secret()));
  EXPECT_FALSE(opens(files.key, Secret(std::string(5000, 'x')))) << "longer than OpenSSL takes";
  Place place;
  place.host = "127.0.0.1:1";
  place.tls = files;
  EXPECT_THAT(Client::open(place).error(), HasSubstr("the key has a passphrase"));
  place.passphrase = Secret("cow");
  const auto refused = Client::open(place);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("the passphrase of this key is wrong"));
  EXPECT_THAT(refused.error(), Not(HasSubstr("cow")));
}

TEST(OpenKey, NeedsNoPassphraseAndIgnoresOne) {
  const TlsFiles files = certificates().files("client");
  EXPECT_FALSE(needs_passphrase(files.key));
  EXPECT_TRUE(opens(files.key, Secret()));
  const auto texts = read_tls_files(files, Secret("horse"));
  ASSERT_TRUE(texts) << texts.error();
  EXPECT_EQ(texts->key, text_of(files.key));
}

TEST(OpenKey, ThatIsNoneNeedsNoPassphraseAndDoesNotOpen) {
  for (const std::string& file : {certificates().files("client").certificate, std::string("/nowhere/key.pem")}) {
    EXPECT_FALSE(needs_passphrase(file));
    EXPECT_FALSE(opens(file, Secret("horse")));
  }
}

TEST(Secret, CopiesAndMovesKeepTheText) {
  const Secret one("horse");
  Secret other = one;
  EXPECT_EQ(other.text(), "horse");
  const Secret moved = std::move(other);
  EXPECT_EQ(moved.text(), "horse");
  Secret third("a longer one than that");
  third = moved;
  EXPECT_EQ(third.text(), "horse");
  std::string text = "battery staple";
  char* const octets = text.data();
  wipe(text);
  EXPECT_TRUE(text.empty());
  EXPECT_EQ(octets[1], '\0');
}

}  // namespace
}  // namespace iwarpscope::api::testing
