// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/checks.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <net/if.h>
#include <pwd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <system_error>
#include <utility>

#include "api/tls_files.h"
#include "capture/filter.h"
#include "capture/tap_groups.h"
#include "findings/catalogue.h"
#include "live/threshold.h"
#include "service/identity.h"
#include "service/keys.h"
#include "service/output_kinds.h"
#include "service/units.h"

namespace iwarpscope::service {
namespace {

using Contradictions = std::vector<Contradiction>;

void check_capture(const Configuration& c, Contradictions& wrong) {
  if (!c.capture.interfaces.empty() && !c.capture.replay.empty()) {
    wrong.push_back({"capture.replay",
                     "capture.replay and capture.interfaces exclude each other: empty one of them",
                     {"capture.interfaces", "capture.interface"}});
  }
  auto names = c.capture.interfaces;
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end()) {
    wrong.push_back({"capture.interfaces", fmt::format("\"{}\" is listed twice", *twice)});
  }
  for (const std::string& name : names) {
    if (name.empty() || name.size() >= IFNAMSIZ || name.find_first_of("/ \t\n") != std::string::npos) {
      wrong.push_back({"capture.interfaces", fmt::format("\"{}\" is not an interface name", name)});
    }
  }
}

void check_tap_groups(const CaptureSettings& capture, Contradictions& wrong) {
  const auto groups = capture::TapGroups::parse(capture.tap_groups, capture.separate_interfaces);
  if (!groups) return wrong.push_back({"capture.tap_groups", groups.error()});
  if (capture.interfaces.empty()) return;  // what a file has is not known
  for (const std::string& name : groups->names()) {
    const auto& all = capture.interfaces;
    if (std::find(all.begin(), all.end(), name) != all.end()) continue;
    wrong.push_back({"capture.tap_groups", fmt::format("\"{}\" is not captured on", name), {"capture.interfaces"}});
  }
}

void check_names(const Configuration& c, Contradictions& wrong) {
  std::vector<std::string> limits;
  for (const Key& key : keys()) {
    if (key.lowest) limits.emplace_back(key.name);
  }
  for (const std::string& name : c.simulate.limits) {
    if (std::find(limits.begin(), limits.end(), name) != limits.end()) continue;
    const std::string meant = nearest(name, limits);
    wrong.push_back(
        {"simulate.limits", fmt::format("\"{}\" is not a limit that can be simulated{}", name,
                                        meant.empty() ? "" : fmt::format("; did you mean \"{}\"?", meant))});
  }
  const auto check_rules = [&wrong](const std::string& key, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (findings::find_rule(name) != nullptr) continue;
      wrong.push_back({key, fmt::format("\"{}\" is not a rule; `iwarpscope rules` lists all rules", name)});
    }
  };
  check_rules("recorder.rules", c.recorder.options.rules);
  check_rules("recorder.not_rules", c.recorder.options.not_rules);
  const auto check_thresholds = [&wrong](const std::string& key, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      if (const auto read = live::Threshold::parse(line); !read) {
        wrong.push_back({key, fmt::format("\"{}\": {}", line, read.error())});
      }
    }
  };
  check_thresholds("findings.thresholds", c.thresholds);
  check_thresholds("journal.thresholds", c.journal.thresholds);
}

void check_addresses(const Configuration& c, Contradictions& wrong) {
  const api::TlsFiles& tls = c.api.tls;
  if (!tls.crl.empty() && tls.ca.empty()) {
    wrong.push_back({"api.client_crl", "it needs api.client_ca, the CA that signed it", {"api.client_ca"}});
  }
  if (!c.api.tcp.empty() && (tls.certificate.empty() || tls.key.empty() || tls.ca.empty())) {
    wrong.push_back({"api.tcp",
                     "it needs api.certificate, api.key and api.client_ca: TCP clients must use TLS",
                     {"api.certificate", "api.key", "api.client_ca"}});
  }
  if (!c.api.tcp.empty() && !parse_address(c.api.tcp)) {
    wrong.push_back({"api.tcp", "it must be an address and a port, such as \"192.0.2.1:7470\" or \"[::]:7470\""});
  }
  if (c.metrics_address.empty()) return;
  const auto address = parse_address(c.metrics_address);
  if (!address) {
    wrong.push_back({"metrics.address", "it must be an address and a port, such as \"127.0.0.1:9469\""});
  } else if (!address->is_loopback()) {
    wrong.push_back(
        {"metrics.address", "it must be a loopback address (127.0.0.1), because metrics are not encrypted"});
  }
}

void check_paths(const Configuration& c, Contradictions& wrong) {
  constexpr std::size_t kLongest = sizeof(sockaddr_un::sun_path) - 1;
  if (c.api.socket.size() > kLongest) {
    wrong.push_back({"api.socket", fmt::format("a socket path has at most {} octets; this one has {}", kLongest,
                                               c.api.socket.size())});
  }
  struct Taken {
    std::string key, path, enabled;
  };
  std::vector<Taken> all;
  const auto take = [&](bool enabled, const std::string& section, const std::string& name, const std::string& path) {
    if (!enabled || path.empty()) return;
    std::string normal = std::filesystem::path(path).lexically_normal().string();
    while (normal.size() > 1 && normal.back() == '/') normal.pop_back();
    const std::string key = section + "." + name;
    for (const Taken& other : all) {
      if (other.path != normal) continue;
      wrong.push_back({key, fmt::format("it and {} must not be the same", other.key), {other.key, other.enabled}});
      return;
    }
    all.push_back({key, std::move(normal), section + ".enabled"});
  };
  take(true, "api", "socket", c.api.socket);
  for (const OutputKind& kind : output_kinds()) {
    if (kind.written.path == nullptr) continue;
    take(kind.settings_of(c).enabled, std::string(kind.section), std::string(kind.written.key), kind.written.path(c));
  }
}

/// libpcap's error for the most common link type; empty: the filter compiles for at least one link type.
std::string refused_by_libpcap(const std::string& expression) {
  using net::LinkType;
  std::string words;
  for (const LinkType link : {LinkType::ethernet, LinkType::linux_sll2, LinkType::linux_sll, LinkType::raw_ip,
                              LinkType::ipv4, LinkType::ipv6, LinkType::null, LinkType::openbsd_loop}) {
    const auto program = capture::Filter(expression).compile(link);
    if (program) return {};
    if (words.empty()) words = program.error();
  }
  return words;
}

/// What is wrong with the files, read as the user that the daemon runs as; empty: nothing, or it is not known.
/// A child process switches the user, because a process that gave up root cannot get it back.
std::string wrong_with_tls_files(const Configuration& c) {
  const auto wrong = [&c] {
    const auto texts = api::read_tls_files(c.api.tls);
    return texts ? std::string{} : texts.error();
  };
  if (geteuid() != 0 || (c.process.user.empty() && c.process.group.empty())) return wrong();
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return wrong();
  const pid_t child = fork();
  if (child == 0) {
    Identity identity{c.process.user, c.process.group, {}};
    if (!c.api.socket_group.empty()) identity.groups.push_back(c.api.socket_group);
    // A missing user or group is reported separately.
    const std::string user = become(identity) ? c.process.user : std::string{};
    const std::string text = with_user_of(wrong(), user);
    [[maybe_unused]] const ssize_t written = write(ends[1], text.data(), std::min<std::size_t>(text.size(), PIPE_BUF));
    _exit(0);
  }
  close(ends[1]);
  std::string text(PIPE_BUF, '\0');
  const ssize_t octets = child > 0 ? read(ends[0], text.data(), text.size()) : 0;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(octets, 0)));
  return text;
}

std::vector<std::pair<std::string, const std::vector<std::string>*>> grants_of(const Configuration& c) {
  const api::Grants& grants = c.api.grants;
  return {{"api.metadata", &grants.metadata}, {"api.packets", &grants.packets}, {"api.control", &grants.control}};
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// The configuration key of the file whose path begins the error.
std::string key_of(const api::TlsFiles& files, const std::string& error) {
  if (error.starts_with(files.key + ":")) return "api.key";
  if (error.starts_with(files.ca + ":")) return "api.client_ca";
  if (!files.crl.empty() && error.starts_with(files.crl + ":")) return "api.client_crl";
  return "api.certificate";
}

}  // namespace

std::vector<Contradiction> contradictions(const Configuration& c) {
  Contradictions wrong;
  for (const auto& [key, names] : grants_of(c)) {
    for (const std::string& name : *names) {
      if (api::is_grantee(name)) continue;
      wrong.push_back({key, fmt::format("\"{}\" is not a client: it must be \"*\" or begin with DNS:, URI:, email:, "
                                        "IP:, user: or group:",
                                        name)});
    }
  }
  check_capture(c, wrong);
  check_tap_groups(c.capture, wrong);
  check_addresses(c, wrong);
  check_names(c, wrong);
  check_paths(c, wrong);
  return wrong;
}

std::vector<Contradiction> doubts(const Configuration& c) {
  Contradictions doubtful;
  constexpr unsigned kWrittenByAll = 0002;  // needed to connect
  const auto is_for_all = [](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), "*") != names.end();
  };
  const bool is_open = is_for_all(c.api.grants.packets) || is_for_all(c.api.grants.control);
  if (is_open && !c.api.socket.empty() && (c.api.socket_mode & kWrittenByAll) != 0) {
    doubtful.push_back({"api.socket_mode",
                        fmt::format("with mode {:04o}, every user of this machine can fetch packets or give commands, "
                                    "because api.packets or api.control includes \"*\"",
                                    c.api.socket_mode),
                        {"api.socket", "api.packets", "api.control"}});
  }
  return doubtful;
}

std::string filter_key(const std::string& interface) {
  return fmt::format("capture.interface.{}.filter", interface);
}

void add_filters(const Configuration& c, std::vector<Contradiction>& wrong) {
  const auto check = [&wrong](const std::string& key, const std::string& expression) {
    if (expression.empty()) return;
    if (std::string words = refused_by_libpcap(expression); !words.empty()) wrong.push_back({key, std::move(words)});
  };
  check("capture.filter", c.capture.each.filter);
  for (const capture::InterfaceOptions& own : c.capture.own) {
    if (own.filter != c.capture.each.filter) check(filter_key(own.name), own.filter);
  }
}

void add_machine(const Configuration& c, const std::function<bool(const std::string&)>& is_named,
                 std::vector<Contradiction>& wrong, std::vector<Contradiction>& doubtful) {
  const auto missing = [&](const std::string& key, const char* what, const std::string& name) {
    (is_named(key) ? wrong : doubtful)
        .push_back({key, fmt::format("this machine has no {} \"{}\"", what, name), {"process.user"}});
  };
  if (!c.process.user.empty() && getpwnam(c.process.user.c_str()) == nullptr) {
    missing("process.user", "user", c.process.user);
  }
  for (const auto& [key, name] : {std::pair<std::string, std::string>{"process.group", c.process.group},
                                  {"api.socket_group", c.api.socket_group}}) {
    if (!name.empty() && getgrnam(name.c_str()) == nullptr) missing(key, "group", name);
  }
  for (const auto& [key, names] : grants_of(c)) {
    for (const std::string& name : *names) {
      const std::string own = name.substr(name.find(':') + 1);
      if (is_number(own)) continue;
      if (name.starts_with(api::kUserName) && getpwnam(own.c_str()) == nullptr) missing(key, "user", own);
      if (name.starts_with(api::kGroupName) && getgrnam(own.c_str()) == nullptr) missing(key, "group", own);
    }
  }
  const api::TlsFiles& tls = c.api.tls;
  if (c.api.tcp.empty() || tls.certificate.empty() || tls.key.empty() || tls.ca.empty()) return;
  const std::string text = wrong_with_tls_files(c);
  if (text.empty()) return;
  const bool is_hidden = geteuid() != 0 && text.ends_with(std::generic_category().message(EACCES));
  (is_hidden ? doubtful : wrong)
      .push_back(
          {key_of(tls, text), text, {"api.certificate", "api.key", "api.client_ca", "api.client_crl", "process.user"}});
}

}  // namespace iwarpscope::service
