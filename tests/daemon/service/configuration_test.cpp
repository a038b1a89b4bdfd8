// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "daemon/outputs/events.h"
#include "daemon/service/kit.h"
#include "service/keys.h"
#include "service/units.h"

namespace iwarpscope::service {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> mistakes_of(std::string_view text) {
  const auto read = parse_configuration(text, "a.toml");
  std::vector<std::string> all;
  if (!read) {
    for (const Mistake& mistake : read.error()) all.push_back(mistake.text());
  }
  return all;
}

std::string file(const char* path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Sizes, ReadAndWrittenInUnits) {
  EXPECT_EQ(parse_size("64 MiB"), std::uint64_t{64} << 20);
  EXPECT_EQ(parse_size(" 2GiB "), std::uint64_t{2} << 30);
  EXPECT_EQ(parse_size("1500 B"), 1500u);
  for (const char* const text : {"", "64", "MiB", "-1 B", "64 MB", "64 mib", "1.5 KiB", "9999999999 TiB", "1 B x"}) {
    EXPECT_FALSE(parse_size(text)) << text;
  }
  for (const std::uint64_t octets :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1536}, std::uint64_t{64} << 20}) {
    EXPECT_EQ(parse_size(size_text(octets)), octets);
  }
  EXPECT_EQ(size_text(1536), "1536 B");
  EXPECT_EQ(size_text(3 << 10), "3 KiB");
}

TEST(Times, ReadAndWrittenInUnits) {
  EXPECT_EQ(parse_time("30 s"), 30'000'000'000);
  EXPECT_EQ(parse_time("7d"), std::int64_t{7} * 86'400'000'000'000);
  EXPECT_EQ(parse_time("250 ms"), 250'000'000);
  for (const char* const text : {"", "30", "s", "-1 s", "1 month", "1e9 s", "999999999 d"}) {
    EXPECT_FALSE(parse_time(text)) << text;
  }
  for (const std::int64_t ns : {std::int64_t{0}, std::int64_t{1}, std::int64_t{90'000'000'000}}) {
    EXPECT_EQ(parse_time(time_text(ns)), ns);
  }
  EXPECT_EQ(time_text(90'000'000'000), "90 s");
}

TEST(Addresses, NumbersAndPortsOnly) {
  EXPECT_TRUE(parse_address("127.0.0.1:9469")->is_loopback());
  EXPECT_TRUE(parse_address("[::1]:0")->is_loopback());
  EXPECT_FALSE(parse_address("192.0.2.1:80")->is_loopback());
  EXPECT_FALSE(parse_address("[::]:80")->is_loopback());
  for (const char* const text : {"", "127.0.0.1", "localhost:80", "127.0.0.1:", "127.0.0.1:99999", "::1:80", "1:2:3"}) {
    EXPECT_FALSE(parse_address(text)) << text;
  }
}

TEST(Configuration, EmptyFileIsTheDefaults) {
  const Configuration defaults, c = read("");
  for (const Key& key : keys()) EXPECT_EQ(key.text(c), key.text(defaults)) << key.full_name();
}

TEST(Configuration, ValuesArriveWhereTheyBelong) {
  const Configuration c = read(R"(
sensor = "rack 7"
[capture]
interfaces = ["ens1", "ens2"]
filter = "tcp port 4420"
workers = 3
ring = "128 MiB"
snap_length = "512 B"
[limits]
flows = 1000
tcp_hole = "5 s"
idle = "1 h"
[api]
socket_mode = "0600"
[event_log]
path = "/tmp/e.jsonl"
at_least = "error"
[history]
keep = "2 d"
[recorder]
at_least = "none"
rules = ["MF-04", "mpa.crc-mismatch"]
after = "7 s"
[process]
sandbox = "log"
)");
  const capture::IntakeOptions intake = intake_options(c);
  ASSERT_EQ(intake.interfaces.size(), 2u);
  EXPECT_EQ(intake.interfaces[1].name, "ens2");
  EXPECT_EQ(intake.interfaces[1].workers, 3u);
  EXPECT_EQ(intake.interfaces[0].filter, "tcp port 4420");
  EXPECT_EQ(intake.interfaces[0].ring_octets, std::size_t{128} << 20);
  EXPECT_EQ(intake.interfaces[0].snap_length, 512u);
  EXPECT_FALSE(intake.replay);
  EXPECT_EQ(c.sensor, "rack 7");
  EXPECT_EQ(c.analysis.limits.max_flows, 1000u);
  EXPECT_EQ(c.analysis.limits.tcp.hole_timeout_ns, 5'000'000'000);
  EXPECT_EQ(c.analysis.retire.idle_ns, 3600'000'000'000);
  EXPECT_EQ(c.api.socket_mode, 0600u);
  EXPECT_EQ(c.event_log.options.at_least, findings::Severity::error);
  EXPECT_EQ(c.history.options.keep, std::chrono::hours{48});
  EXPECT_FALSE(c.recorder.options.at_least);
  EXPECT_EQ(c.recorder.options.after, std::chrono::seconds{7});
  EXPECT_EQ(c.process.sandbox, SandboxMode::log);
}

TEST(Configuration, InterfacesHaveOptionsOfTheirOwnOverThoseOfAll) {
  const Configuration c = read(R"(
[[capture.interface]]
name = "slow"
ring = "8 MiB"
[capture]
interfaces = ["plain", "fast"]
workers = 2
filter = "tcp"
[[capture.interface]]
name = "fast"
workers = 8
promiscuous = false
snap_length = "128 B"
filter = ""
)");
  const capture::IntakeOptions intake = intake_options(c);
  ASSERT_EQ(intake.interfaces.size(), 3u);
  const auto& plain = intake.interfaces[0];
  const auto& fast = intake.interfaces[1];
  const auto& slow = intake.interfaces[2];
  EXPECT_EQ(plain.name, "plain");
  EXPECT_EQ(plain.workers, 2u);
  EXPECT_EQ(plain.filter, "tcp");
  EXPECT_EQ(plain.ring_octets, std::size_t{64} << 20);
  EXPECT_EQ(fast.name, "fast");
  EXPECT_EQ(fast.workers, 8u);
  EXPECT_EQ(fast.filter, "");
  EXPECT_FALSE(fast.promiscuous);
  EXPECT_EQ(fast.snap_length, 128u);
  EXPECT_EQ(slow.name, "slow");
  EXPECT_EQ(slow.workers, 2u);
  EXPECT_EQ(slow.filter, "tcp");
  EXPECT_TRUE(slow.promiscuous);
  EXPECT_EQ(slow.ring_octets, std::size_t{8} << 20);
}

TEST(Configuration, InterfaceTablesAreReadAsTheyAreWritten) {
  const Key* key = nullptr;
  for (const Key& one : keys()) {
    if (one.full_name() == "capture.interface") key = &one;
  }
  ASSERT_NE(key, nullptr);
  const Configuration c =
      read("[capture]\ninterface = [{name = \"a\", workers = 2}, {name = \"b\", method = \"xdp\"}]\n");
  const std::string text = key->text(c);
  EXPECT_EQ(text,
            "[{name = \"a\", filter = \"\", workers = 2, promiscuous = true, snap_length = \"256 KiB\", ring = \"64 "
            "MiB\", method = \"ring\"}, {name = \"b\", filter = \"\", workers = 1, promiscuous = true, snap_length = "
            "\"256 KiB\", ring = \"64 MiB\", method = \"xdp\"}]");
  EXPECT_EQ(key->text(read("[capture]\ninterface = " + text + "\n")), text);
  EXPECT_EQ(key->reload, Reload::refused);
}

TEST(Configuration, OptionsOfAnInterfaceThatIsNotCapturedAreNotUsed) {
  Configuration c = read("[[capture.interface]]\nname = \"a\"\nworkers = 2\n");
  c.capture.interfaces = {"b"};  // as the command line says
  const capture::IntakeOptions intake = intake_options(c);
  ASSERT_EQ(intake.interfaces.size(), 1u);
  EXPECT_EQ(intake.interfaces[0].name, "b");
  EXPECT_EQ(intake.interfaces[0].workers, 1u);
}

TEST(Configuration, ReplayTakesTheFilterAndNoInterface) {
  const capture::IntakeOptions intake =
      intake_options(read("[capture]\nreplay = [\"a.pcap\", \"-\"]\nreplay_speed = 2\nfilter = \"tcp\"\n"));
  ASSERT_TRUE(intake.replay);
  EXPECT_THAT(intake.replay->files, ElementsAre("a.pcap", "-"));
  EXPECT_EQ(intake.replay->speed, 2);
  EXPECT_EQ(intake.replay->filter, "tcp");
  EXPECT_TRUE(intake.interfaces.empty());
}

TEST(Mistakes, AllAreReportedWithTheirPlaces) {
  EXPECT_THAT(mistakes_of("[capture]\nworkers = 0\nring = \"64 MB\"\n\n[event_log]\n  enabled = \"yes\"\n"),
              ElementsAre(AllOf(HasSubstr("a.toml:2:11: capture.workers: "), HasSubstr("from 1 to 64")),
                          AllOf(HasSubstr("a.toml:3:8: capture.ring: "), HasSubstr("such as \"64 MiB\"")),
                          AllOf(HasSubstr("a.toml:6:13: event_log.enabled: "), HasSubstr("true or false"))));
}

TEST(Mistakes, UnknownKeysAreOnesAndTheNearestIsNamed) {
  EXPECT_THAT(mistakes_of("[capture]\ninterfacs = [\"a\"]\n[historie]\nkeep = \"1 d\"\n[api]\nzzzzzzzz = 1\n"),
              ElementsAre("a.toml:2:1: [capture] has no key \"interfacs\"; did you mean \"interfaces\"?",
                          "a.toml:3:2: The configuration has no key \"historie\"; did you mean \"history\"?",
                          "a.toml:6:1: [api] has no key \"zzzzzzzz\"."));
}

TEST(Mistakes, ThoseOfInterfaceTablesHaveTheirPlaces) {
  EXPECT_THAT(mistakes_of("[[capture.interface]]\nname = \"a\"\nworkers = 0\nring = 7\nworker = 1\nqueue = \"1 MiB\"\n"
                          "[[capture.interface]]\n  name = \"a\"\n"
                          "[[capture.interface]]\nworkers = 2\n"
                          "[[capture.interface]]\nname = \"\"\n"
                          "[[capture.interface]]\nname = 3\n"),
              ElementsAre(AllOf(HasSubstr("a.toml:3:11: capture.interface.workers: "), HasSubstr("from 1 to 64")),
                          AllOf(HasSubstr("a.toml:4:8: capture.interface.ring: "), HasSubstr("such as \"64 MiB\"")),
                          "a.toml:5:1: [[capture.interface]] has no key \"worker\"; did you mean \"workers\"?",
                          "a.toml:6:1: [[capture.interface]] has no key \"queue\".",
                          "a.toml:8:10: capture.interface.name: \"a\" is listed twice.",
                          "a.toml:9:1: capture.interface: it needs a name.",
                          "a.toml:12:8: capture.interface.name: it must be an interface name, in quotes.",
                          "a.toml:14:8: capture.interface.name: it must be an interface name, in quotes."));
  EXPECT_THAT(mistakes_of("[capture]\ninterface = [\"a\"]\n"),
              ElementsAre(AllOf(HasSubstr("a.toml:2:13: "), HasSubstr("plain names belong in capture.interfaces"))));
  EXPECT_THAT(mistakes_of("[capture]\nreplay = [\"b\"]\n[[capture.interface]]\nname = \"a\"\n"),
              ElementsAre(AllOf(HasSubstr("a.toml:2:10: capture.replay: "), HasSubstr("exclude each other"))));
}

TEST(Mistakes, FileThatIsNoTomlHasOne) {
  EXPECT_THAT(mistakes_of("[capture]\nworkers = = 3\n"), ElementsAre(HasSubstr("a.toml:2:")));
  EXPECT_THAT(mistakes_of(std::string_view("\0\1\2", 3)), testing::SizeIs(1));
}

TEST(Mistakes, ContradictionsHaveThePlaceOfTheirKey) {
  EXPECT_THAT(mistakes_of("[capture]\ninterfaces = [\"a\"]\nreplay = [\"b\"]\n"),
              ElementsAre(AllOf(HasSubstr("a.toml:3:10: capture.replay: "), HasSubstr("exclude each other"))));
  EXPECT_THAT(mistakes_of("[api]\ntcp = \"192.0.2.1:7470\"\n"),
              ElementsAre(AllOf(HasSubstr("a.toml:2:7: api.tcp: "), HasSubstr("must use TLS"))));
  EXPECT_THAT(mistakes_of("[metrics]\naddress = \"0.0.0.0:9469\"\n"),
              ElementsAre(HasSubstr("it must be a loopback address")));
  EXPECT_THAT(mistakes_of("[metrics]\naddress = \"localhost\"\n"), ElementsAre(HasSubstr("an address and a port")));
  EXPECT_THAT(mistakes_of("[simulate]\nlimits = [\"flow\"]\n"), ElementsAre(HasSubstr("did you mean \"flows\"?")));
  EXPECT_THAT(mistakes_of("[recorder]\nrules = [\"MF-99\"]\n"), ElementsAre(HasSubstr("\"MF-99\" is not a rule")));
  EXPECT_THAT(mistakes_of("[capture]\ninterfaces = [\"a\", \"a\"]\n"), ElementsAre(HasSubstr("\"a\" is listed twice")));
  for (const char* name : {"", "a/b", "a b", "sixteen-is-a-lot"}) {
    EXPECT_THAT(mistakes_of("[capture]\ninterfaces = [\"b\", \"" + std::string(name) + "\"]\n"),
                ElementsAre(AllOf(HasSubstr("a.toml:2:14: "), HasSubstr("is not an interface name"))));
  }
  EXPECT_THAT(mistakes_of("[[capture.interface]]\nname = \"a/b\"\n"),
              ElementsAre(HasSubstr("a.toml:2:8: capture.interfaces: \"a/b\" is not an interface name")));
}

TEST(Mistakes, EveryKeyRefusesWhatItCannotBe) {
  for (const Key& key : keys()) {
    const std::string head = key.section.empty() ? "" : "[" + std::string(key.section) + "]\n";
    for (const char* const value : {"-1.5", "1979-05-27", "{a = 1}", "[1, 2]"}) {
      EXPECT_THAT(mistakes_of(head + std::string(key.name) + " = " + value + "\n"),
                  ElementsAre(HasSubstr(key.full_name() + ": it must be ")))
          << value;
    }
  }
}

TEST(Mistakes, FileThatIsNoneOrIsTooLargeIsOne) {
  const auto sentence = [](const std::string& path) {
    const Mistakes mistakes = examine_file(path, Depth::text).mistakes;
    return mistakes.size() == 1 ? mistakes.front().text() : fmt::format("{} mistakes", mistakes.size());
  };
  EXPECT_EQ(sentence("/nowhere/at all.toml"), "/nowhere/at all.toml: cannot be read: No such file or directory.");
  EXPECT_EQ(sentence("/etc"), "/etc: cannot be read: it is not a regular file.");
  EXPECT_EQ(sentence("/dev/zero"), "/dev/zero: cannot be read: it is not a regular file.");
  const outputs::Folder folder;
  const std::string pipe = (folder.path() / "pipe").string(), large = (folder.path() / "large").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(sentence(pipe), pipe + ": cannot be read: it is not a regular file.");
  std::ofstream(large) << '#' << std::string((1 << 20) - 1, 'x');
  EXPECT_EQ(sentence(large), "0 mistakes");
  std::ofstream(large, std::ios::app) << 'x';
  EXPECT_EQ(sentence(large), large + ": it is larger than 1 MiB: this is not a configuration.");
}

TEST(Mistakes, ContradictionsAreReportedWithMistakesInSingleKeys) {
  EXPECT_THAT(mistakes_of("[capture]\nworkers = 0\ninterfaces = [\"a\", \"a\"]\n[metrics]\naddress = \"0.0.0.0:1\"\n"),
              ElementsAre(HasSubstr("a.toml:2:11: capture.workers: "), HasSubstr("a.toml:3:14: capture.interfaces: "),
                          HasSubstr("a.toml:5:11: metrics.address: ")));
}

TEST(Mistakes, MetricsAreOfferedOnLoopbackOfBothFamilies) {
  EXPECT_EQ(read("[metrics]\naddress = \"[::1]:9469\"\n").metrics_address, "[::1]:9469");
  EXPECT_THAT(mistakes_of("[metrics]\naddress = \"[::]:9469\"\n"),
              ElementsAre(HasSubstr("a.toml:2:11: metrics.address: it must be a loopback address")));
}

TEST(Mistakes, WhatFollowsFromAnotherMistakeIsNone) {
  EXPECT_THAT(mistakes_of("[api]\ntcp = \"192.0.2.1:7470\"\ncertificate = \"/c\"\nkey = 7\nclient_ca = \"/a\"\n"),
              ElementsAre(HasSubstr("a.toml:4:7: api.key: it must be a path")));
  EXPECT_THAT(mistakes_of("[event_log]\nenabled = 1\npath = \"/a\"\n[history]\npath = \"/a\"\n"),
              ElementsAre(HasSubstr("a.toml:2:11: event_log.enabled: ")));
}

TEST(Mistakes, NoTwoOutputsAreOnOnePath) {
  EXPECT_THAT(mistakes_of("[event_log]\npath = \"/a/../b/c\"\n[history]\npath = \"/b//c\"\n"),
              ElementsAre("a.toml:4:8: history.path: it and event_log.path must not be the same."));
  EXPECT_THAT(mistakes_of("[api]\nsocket = \"/a\"\n[recorder]\nfolder = \"/a/\"\n"),
              ElementsAre("a.toml:4:10: recorder.folder: it and api.socket must not be the same."));
  EXPECT_THAT(mistakes_of("[event_log]\nenabled = false\npath = \"/a\"\n[history]\npath = \"/a\"\n"), IsEmpty());
  EXPECT_THAT(mistakes_of("[event_log]\npath = \"/a\"\n[history]\npath = \"/a.sqlite\"\n"), IsEmpty());
}

TEST(Mistakes, SocketHasAPathThatFits) {
  const auto with = [](std::size_t octets) { return "[api]\nsocket = \"/" + std::string(octets - 1, 's') + "\"\n"; };
  EXPECT_THAT(mistakes_of(with(107)), IsEmpty());
  EXPECT_THAT(mistakes_of(with(108)),
              ElementsAre("a.toml:2:10: api.socket: a socket path has at most 107 octets; this one has 108."));
}

TEST(Mistakes, ExamplesAreInRange) {
  EXPECT_THAT(mistakes_of("[capture]\nsnap_length = 1\n"), ElementsAre(HasSubstr("such as \"256 KiB\"")));
  EXPECT_THAT(mistakes_of("[history]\nkeep = 1\n"), ElementsAre(testing::EndsWith("such as \"7 d\".")));
}

std::vector<std::string> texts(const Mistakes& mistakes) {
  std::vector<std::string> all;
  for (const Mistake& one : mistakes) all.push_back(one.text());
  return all;
}

TEST(Filters, AreMistakesWhereNoKindOfLinkTakesThem) {
  const auto wrong = [](const std::string& text) { return texts(examine(text, "a.toml", Depth::filters).mistakes); };
  EXPECT_THAT(wrong("[capture]\nworkers = 0\nfilter = \"this is not ( a filter\"\n"),
              ElementsAre(HasSubstr("a.toml:2:11: "), HasSubstr("a.toml:3:10: capture.filter: filter 'this is not (")));
  EXPECT_THAT(wrong("[[capture.interface]]\nname = \"x\"\nfilter = \"tcp\"\n[[capture.interface]]\nfilter = \"tpc\"\n"
                    "name = \"y\"\n"),
              ElementsAre(HasSubstr("a.toml:5:10: capture.interface.y.filter: filter 'tpc'")));
  // Interfaces without an Ethernet header have neither of these, those with one do.
  EXPECT_THAT(wrong("[capture]\nfilter = \"ether host 02:00:00:00:00:01 or vlan 7\"\n"), IsEmpty());
  EXPECT_THAT(mistakes_of("[capture]\nfilter = \"(\"\n"), IsEmpty());  // of the text alone
}

TEST(Doubts, SocketThatEverybodyMayOpenIsOne) {
  const auto doubts = [](const std::string& text) {
    const Examined all = examine(text, "a.toml", Depth::text);
    EXPECT_THAT(all.mistakes, IsEmpty());
    return texts(all.doubts);
  };
  EXPECT_THAT(doubts("[api]\nsocket_mode = \"0777\"\n"),
              ElementsAre(HasSubstr(
                  "a.toml:2:15: api.socket_mode: with mode 0777, every user of this machine can fetch packets")));
  EXPECT_THAT(doubts("[api]\nsocket_mode = \"0775\"\n"), IsEmpty());
  EXPECT_THAT(doubts("[api]\nsocket_mode = \"0777\"\nsocket = \"\"\n"), IsEmpty());
  EXPECT_THAT(doubts("[api]\nsocket_mode = \"0777\"\npackets = []\ncontrol = [\"user:0\"]\n"), IsEmpty());
}

TEST(Machine, UsersAndGroupsThatAreMissingAreMistakesWhereTheyAreNamed) {
  const Examined wrong =
      examine("[process]\nuser = \"no such user\"\ngroup = \"no such group\"\n[api]\nsocket_group = \"nor this\"\n",
              "a.toml", Depth::machine);
  EXPECT_THAT(texts(wrong.mistakes),
              ElementsAre("a.toml:2:8: process.user: this machine has no user \"no such user\".",
                          "a.toml:3:9: process.group: this machine has no group \"no such group\".",
                          "a.toml:5:16: api.socket_group: this machine has no group \"nor this\"."));
  EXPECT_THAT(examine("[process]\nuser = \"root\"\ngroup = \"root\"\n", "a.toml", Depth::machine).mistakes, IsEmpty());
  EXPECT_THAT(examine("", "a.toml", Depth::machine).mistakes, IsEmpty());  // the default users may be created later
}

TEST(Machine, CertificatesThatAreMissingAreMistakesOfTheirKey) {
  const outputs::Folder folder;
  const std::string path = (folder.path() / "text.pem").string();
  std::ofstream(path) << "no certificate";
  const auto wrong = [](const std::string& certificate) {
    return texts(
        examine("[api]\ntcp = \"127.0.0.1:1\"\nclient_ca = \"/nowhere/ca\"\nkey = \"/nowhere/key\"\ncertificate = \"" +
                    certificate + "\"\n",
                "a.toml", Depth::machine)
            .mistakes);
  };
  EXPECT_THAT(
      wrong("/nowhere/mine"),
      ElementsAre(HasSubstr("a.toml:5:15: api.certificate: /nowhere/mine: a certificate cannot be read: No such")));
  EXPECT_THAT(wrong(path), ElementsAre(HasSubstr("a.toml:4:7: api.key: /nowhere/key: ")));
}

TEST(Machine, KeyThatTheDaemonsUserMayNotReadIsAMistakeAlthoughRootMay) {
  if (geteuid() != 0) GTEST_SKIP() << "It takes root to ask for another user.";
  const outputs::Folder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms{0755});
  const auto file = [&folder](const std::string& name) { return (folder.path() / name).string(); };
  const std::string make =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=x -keyout '" +
      file("key") + "' -out '" + file("pem") + "' 2>/dev/null";
  ASSERT_EQ(std::system(make.c_str()), 0);
  const auto reported = [&](const std::string& user) {
    const Examined all = examine(
        "[process]\nuser = \"" + user + "\"\ngroup = \"root\"\n[api]\ntcp = \"127.0.0.1:1\"\n" + "certificate = \"" +
            file("pem") + "\"\nclient_ca = \"" + file("pem") + "\"\nkey = \"" + file("key") + "\"\n",
        "a.toml", Depth::machine);
    EXPECT_THAT(all.doubts, IsEmpty());
    return texts(all.mistakes);
  };
  std::filesystem::permissions(file("key"), std::filesystem::perms{0600});
  EXPECT_THAT(reported("root"), IsEmpty());
  EXPECT_THAT(reported("nobody"),
              ElementsAre("a.toml:8:7: api.key: " + file("key") +
                          ": the certificate's key cannot be read: Permission denied (the daemon runs as nobody)."));
  std::filesystem::permissions(file("key"), std::filesystem::perms{0640});  // by its group, which the daemon joins
  EXPECT_THAT(reported("nobody"), IsEmpty());
}

TEST(Sizes, OfFilesThatGrowAreNoneOrEnough) {
  const auto mistakes = [](const std::string& text) { return examine(text, "a.toml", Depth::text).mistakes; };
  for (const std::string key : {"[history]\nsize", "[event_log]\nrotate"}) {
    for (const std::string size : {"1 B", "1023 KiB"}) {
      const auto reported = mistakes(key + " = \"" + size + "\"\n");
      ASSERT_EQ(reported.size(), 1u) << key << ' ' << size;
      EXPECT_THAT(reported[0].text(), HasSubstr("it must be \"0 B\" or a size from 1 MiB up, such as \"64 MiB\""));
    }
    for (const std::string size : {"0 B", "1 MiB"})
      EXPECT_EQ(mistakes(key + " = \"" + size + "\"\n").size(), 0u) << size;
  }
}

TEST(Process, GroupIsTheDefaultOnlyWithAUser) {
  EXPECT_EQ(read("").process.group, "iwarpscope");
  EXPECT_EQ(read("[process]\nuser = \"\"\n").process.group, "");
  EXPECT_EQ(read("[process]\nuser = \"\"\ngroup = \"operators\"\n").process.group, "operators");
}

TEST(Configuration, EmptyFileIsKnownAsOne) {
  EXPECT_TRUE(examine("# nothing\n[capture]\n", "a.toml", Depth::text).is_empty);
  EXPECT_FALSE(examine("sensor = \"a\"\n", "a.toml", Depth::text).is_empty);
}

TEST(Simulation, NamedLimitsAreAsLowAsTheyCanBeAndNoOthers) {
  const Configuration c = read("[simulate]\nlimits = [\"flows\", \"messages\"]\nfull_queue_every = 7\n");
  const AnalysisSettings low = simulated(c);
  EXPECT_EQ(low.limits.max_flows, 1u);
  EXPECT_EQ(low.memory.messages, 1u);
  EXPECT_EQ(low.limits.max_qps, analysis::Limits{}.max_qps);
  EXPECT_EQ(intake_options(c).simulate_full_queue_every, 7u);
}

TEST(Simulation, EveryLimitButOneCanBe) {
  for (const Key& key : keys()) {
    if (key.section != "limits" || key.name == "fragment_timeout") continue;
    ASSERT_TRUE(key.lowest) << key.full_name();
    Configuration c;
    key.lowest(c);
    EXPECT_NE(key.text(c), key.text(Configuration{})) << key.full_name();
    EXPECT_TRUE(parse_configuration("[limits]\n" + std::string(key.name) + " = " + key.text(c), "a"))
        << key.full_name();
  }
}

TEST(DefaultFile, IsTheOneInTheTree) {
  EXPECT_EQ(file(IWARPSCOPE_DEFAULT_FILE), default_file())
      << "write it with: iwarpscoped --print-config >daemon/share/iwarpscoped.toml";
}

TEST(DefaultFile, SaysNothingButTheDefaultsWithAllCommentsTakenAway) {
  const std::string text = file(IWARPSCOPE_DEFAULT_FILE);
  const Configuration defaults;
  for (const Key& key : keys()) EXPECT_EQ(key.text(read(text)), key.text(defaults));
  const std::string all = std::regex_replace(text, std::regex("(^|\n)#([a-z_]+ = )"), "$1$2");
  const Configuration c = read(all);
  for (const Key& key : keys()) {
    EXPECT_EQ(key.text(c), key.text(defaults)) << key.full_name();
    EXPECT_THAT(all, HasSubstr("\n" + std::string(key.name) + " = ")) << key.full_name();
  }
}

TEST(Keys, HaveNamesOfTheirOwnAndASectionThatIsDescribed) {
  std::set<std::string> names, described;
  for (const Section& section : sections()) described.emplace(section.name);
  for (const Key& key : keys()) {
    EXPECT_TRUE(names.insert(key.full_name()).second) << key.full_name();
    EXPECT_TRUE(key.section.empty() || described.count(std::string(key.section)) == 1) << key.section;
  }
}

TEST(Keys, AreAllInTheManual) {
  const std::string manual = file(IWARPSCOPE_MAN_PAGES "/iwarpscope.toml.5");
  for (const Key& key : keys())
    EXPECT_THAT(manual, HasSubstr("\n.B " + std::string(key.name) + "\n")) << key.full_name();
}

TEST(Grants, NameClientsAndNothingElse) {
  const Configuration c = read("[api]\npackets = [\"URI:spiffe://x/a\", \"group:7\"]\ncontrol = []\n");
  EXPECT_THAT(c.api.grants.packets, ElementsAre("URI:spiffe://x/a", "group:7"));
  EXPECT_THAT(c.api.grants.control, IsEmpty());
  EXPECT_THAT(c.api.grants.metadata, ElementsAre("*"));
  for (const char* const wrong : {"ana", "DNS:", "**", "dns:x", ""}) {
    const auto read = parse_configuration(std::string("[api]\ncontrol = [\"") + wrong + "\"]\n", "a.toml");
    ASSERT_FALSE(read) << wrong;
    EXPECT_THAT(read.error().front().text(), HasSubstr("a.toml:2:11: api.control: ")) << wrong;
  }
}

TEST(Keys, CopyTakesOneValueAndNoOther) {
  const Configuration defaults;
  const Configuration other = read("[history]\nkeep = \"1 d\"\nsize = \"1 MiB\"\n");
  for (const Key& key : keys()) {
    Configuration c;
    key.copy(c, other);
    for (const Key& each : keys()) {
      EXPECT_EQ(each.text(c), each.text(&each == &key ? other : defaults))
          << key.full_name() << ' ' << each.full_name();
    }
  }
}

}  // namespace
}  // namespace iwarpscope::service
