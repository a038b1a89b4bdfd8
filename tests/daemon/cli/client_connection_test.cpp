// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How the commands find the daemon, by socket and by TLS, and what they say when they do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "cli/exit_status.h"
#include "daemon/api/certificates.h"
#include "daemon/cli/client_kit.h"

namespace iwarpscope::cli::testing {
namespace {

using api::testing::Daemon;
using api::testing::finding_view;
using api::testing::qp_view;
using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
namespace sample = report::sample;

/// From another machine.
class ClientByTls : public ::testing::Test {
 protected:
  void SetUp() override {
    daemon.options.tcp = "127.0.0.1:0";
    daemon.options.tls = api::testing::certificates().files("server");
    ASSERT_EQ(daemon.start(), "");
    daemon.directory.known_qps = {qp_view(7)};
    daemon.directory.known_findings = {finding_view(1, sample::crc_finding(7))};
  }
  Result ask(std::vector<std::string> words, const std::string& name = "client") const {
    const api::TlsFiles files = api::testing::certificates().files(name);
    words.insert(words.begin() + 1, {"--host", "localhost:" + std::to_string(daemon.server->tcp_port()), "--ca",
                                     files.ca, "--cert", files.certificate, "--key", files.key});
    return run_with(words);
  }
  Daemon daemon;
};

TEST_F(ClientByTls, EveryCommandIsAnswered) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> all = {
      {{"status"}, "iwarpscoped 1.2.3, running for"},
      {{"qps"}, "10.0.0.1:45000 -> 10.0.0.2:4420"},
      {{"qp", "7"}, "QP 7\n  A: 10.0.0.1:45000, MPA Initiator"},
      {{"findings"}, "mpa.crc-mismatch (MF-04)  QP 7"},
      {{"findings", "--follow", "--limit", "1"}, "mpa.crc-mismatch (MF-04)  QP 7"},
      {{"watch", "--once"}, "10.0.0.1:45000 -> 10.0.0.2:4420"},
      {{"record", "7"}, "qp7.pcapng"},
      {{"history"}, "2023-11-14"}};
  for (const auto& [words, answer] : all) {
    const Result result = ask(words);
    EXPECT_EQ(result.status, kExitDone) << words[0] << ": " << result.err;
    EXPECT_THAT(result.out, HasSubstr(answer)) << words[0];
    EXPECT_EQ(result.err, "") << words[0];
  }
}

TEST_F(ClientByTls, UnknownClientsAreAdvisedWhatToCheck) {
  for (const char* command : {"status", "qps", "findings", "history", "watch"}) {
    const Result result = ask({command}, "stranger");
    EXPECT_EQ(result.status, kExitTrouble) << command;
    EXPECT_EQ(result.out, "") << command;
    EXPECT_THAT(result.err, HasSubstr("do both ends accept each other's certificates")) << command;
  }
}

TEST_F(ClientByTls, PortWithoutAListenerIsNoCertificateProblem) {
  const int port = daemon.server->tcp_port();
  daemon.server.reset();
  const api::TlsFiles files = api::testing::certificates().files("client");
  const Result result = run_with({"status", "--host", "127.0.0.1:" + std::to_string(port), "--ca", files.ca, "--cert",
                                  files.certificate, "--key", files.key});
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_THAT(result.err, HasSubstr("no process listens there; is iwarpscoped running"));
  EXPECT_THAT(result.err, Not(HasSubstr("certificate")));
}

TEST(ClientWithoutADaemon, SaysWhatToCheck) {
  const api::testing::Folder folder;
  for (const char* command : {"status", "qps", "findings", "watch", "history"}) {
    const Result result = run_with({command, "--socket", folder.file("none")});
    EXPECT_EQ(result.status, kExitTrouble);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err,
              std::string("iwarpscope: ") + command + ": " + folder.file("none") +
                  ": the socket does not exist; is iwarpscoped running, and does it listen there (--socket)?\n");
  }
  EXPECT_THAT(run_with({"status", "--host", "127.0.0.1:1"}).err, HasSubstr("--host"));
  EXPECT_EQ(run_with({"status", "--host", "h:1", "--ca", "/none/a", "--cert", "/none/b", "--key", "/none/c"}).err,
            "iwarpscope: status: /none/b: a certificate cannot be read: No such file or directory\n");
}

TEST_F(Client, SocketMayComeFromTheEnvironment) {
  ::setenv("IWARPSCOPE_SOCKET", daemon.options.socket.c_str(), 1);
  const Result result = run_with({"status"});
  ::unsetenv("IWARPSCOPE_SOCKET");
  EXPECT_EQ(result.status, kExitDone) << result.err;
}

TEST_F(Client, SocketThatIsNamedBeatsTheEnvironment) {
  const api::testing::Folder folder;
  ::setenv("IWARPSCOPE_SOCKET", folder.file("none").c_str(), 1);
  const Result named = run_with({"status", "--socket", daemon.options.socket});
  const Result other = run_with({"status"});
  ::setenv("IWARPSCOPE_SOCKET", daemon.options.socket.c_str(), 1);
  const Result missing = run_with({"status", "--socket", folder.file("none")});
  ::unsetenv("IWARPSCOPE_SOCKET");
  EXPECT_EQ(named.status, kExitDone) << named.err;
  EXPECT_EQ(other.status, kExitTrouble);
  EXPECT_EQ(missing.status, kExitTrouble);
  EXPECT_THAT(missing.err, HasSubstr(folder.file("none")));
}

TEST(ClientsHost, NeedsAPort) {
  for (const char* host : {"127.0.0.1", "sensor:", "sensor:0", "sensor:65536", ":7470", "fd00::1", "fd00::1:7470",
                           "sensor:80x", "[fd00::1]", ""}) {
    const Result result = run_with({"status", "--host", host, "--ca", "a", "--cert", "b", "--key", "c"});
    EXPECT_EQ(result.status, kExitTrouble) << host;
    EXPECT_THAT(result.err, AnyOf(HasSubstr("is not HOST:PORT"), HasSubstr("--host"))) << host;
  }
  EXPECT_THAT(run_with({"status", "--host", "[fd00::1]:7470", "--ca", "/a", "--cert", "/b", "--key", "/c"}).err,
              HasSubstr("cannot be read"));
}

TEST(ClientCommands, AreCompleted) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = run_with({"completion", shell}).out;
    for (const char* word :
         {"status", "watch", "record", "history", "at-least", "stalled", "outstanding", "socket", "timeline"}) {
      EXPECT_THAT(script, HasSubstr(word)) << shell;
    }
  }
  // The option of watch itself: the other commands have it, too.
  EXPECT_THAT(run_with({"completion", "fish"}).out,
              ContainsRegex("seen_subcommand_from watch' -l format [^\n]*text json"));
  EXPECT_THAT(run_with({"watch", "--help"}).out, HasSubstr("--format"));
}

TEST(ClientManPage, NamesEveryOption) {
  std::ifstream file(IWARPSCOPE_MAN_PAGES "/iwarpscope-client.1");
  ASSERT_TRUE(file) << IWARPSCOPE_MAN_PAGES "/iwarpscope-client.1";
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  std::set<std::string> names;
  const std::regex option("--([a-z-]+)");
  for (const char* command : {"status", "qps", "qp", "findings", "watch", "record", "history"}) {
    const std::string help = run_with({command, "--help"}).out;
    for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at) names.insert((*at)[1]);
  }
  names.erase("help");
  EXPECT_GE(names.size(), 20u);
  for (const std::string& name : names) {
    EXPECT_THAT(page, HasSubstr("\\-\\-" + std::regex_replace(name, std::regex("-"), "\\-"))) << name;
  }
}

}  // namespace
}  // namespace iwarpscope::cli::testing
