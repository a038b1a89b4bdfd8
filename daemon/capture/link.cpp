// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/link.h"

#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>
#include <system_error>
#include <utility>

namespace iwarpscope::capture {
namespace {

/// IFF_LOWER_UP, which the kernel's and the C library's headers do not both let one have. Unlike IFF_RUNNING it is not
/// up to a second late. Source: linux/if.h.
constexpr unsigned kLowerUp = 1u << 16;

/// A question and room for the interface's name. Source: rtnetlink(7).
struct Question {
  nlmsghdr header;
  ifinfomsg link;
  rtattr attribute;
  std::array<char, IFNAMSIZ> name;
};

/// The link message at `message`, `size` octets long.
[[nodiscard]] LinkState read_link(const nlmsghdr* message) {
  const auto* link = static_cast<const ifinfomsg*>(NLMSG_DATA(message));
  LinkState state;
  state.index = static_cast<unsigned>(link->ifi_index);
  state.up = (link->ifi_flags & IFF_UP) != 0 && (link->ifi_flags & kLowerUp) != 0;
  auto left = static_cast<unsigned>(IFLA_PAYLOAD(message));
  for (const rtattr* a = IFLA_RTA(link); RTA_OK(a, left); a = RTA_NEXT(a, left)) {
    if (a->rta_type != IFLA_STATS64) continue;
    rtnl_link_stats64 counters{};
    std::memcpy(&counters, RTA_DATA(a), std::min<std::size_t>(RTA_PAYLOAD(a), sizeof counters));
    state.dropped = counters.rx_dropped + counters.rx_missed_errors;
  }
  return state;
}

[[nodiscard]] bool ask_driver(int descriptor, const std::string& name, void* command) {
  ifreq request{};
  if (name.size() >= sizeof request.ifr_name) return false;
  std::memcpy(request.ifr_name, name.data(), name.size());
  request.ifr_data = static_cast<char*>(command);
  return ::ioctl(descriptor, SIOCETHTOOL, &request) == 0;
}

/// An ethtool command, whose header is followed by a list, in memory aligned for both.
template <class Header>
class Command {
 public:
  explicit Command(std::size_t list_octets) : words_((sizeof(Header) + list_octets + 7) / 8) {}
  [[nodiscard]] Header* operator->() noexcept { return reinterpret_cast<Header*>(words_.data()); }
  [[nodiscard]] void* data() noexcept { return words_.data(); }
  template <class T>
  [[nodiscard]] T* list() noexcept {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(words_.data()) + sizeof(Header));
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// The kernel's names of its features, in the order of their bits.
[[nodiscard]] std::vector<std::string> feature_names(int descriptor, const std::string& interface) {
  Command<ethtool_sset_info> size(sizeof(std::uint32_t));
  size->cmd = ETHTOOL_GSSET_INFO;
  size->sset_mask = std::uint64_t{1} << ETH_SS_FEATURES;
  if (!ask_driver(descriptor, interface, size.data()) || size->sset_mask == 0) return {};
  const std::uint32_t count = std::min<std::uint32_t>(*size.list<std::uint32_t>(), 1024);
  Command<ethtool_gstrings> strings(std::size_t{count} * ETH_GSTRING_LEN);
  strings->cmd = ETHTOOL_GSTRINGS;
  strings->string_set = ETH_SS_FEATURES;
  strings->len = count;
  if (!ask_driver(descriptor, interface, strings.data())) return {};
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < count; ++i) {
    const char* name = strings.list<char>() + std::size_t{i} * ETH_GSTRING_LEN;
    names.emplace_back(name, ::strnlen(name, ETH_GSTRING_LEN));
  }
  return names;
}

struct Feature {
  const char* kernel;
  const char* shown;
};

/// Those of `wanted` that are on.
[[nodiscard]] std::vector<std::string> active_features(int descriptor, const std::string& interface,
                                                       std::span<const Feature> wanted) {
  const std::vector<std::string> names = feature_names(descriptor, interface);
  if (names.empty()) return {};
  const auto blocks = static_cast<std::uint32_t>((names.size() + 31) / 32);
  Command<ethtool_gfeatures> features(blocks * sizeof(ethtool_get_features_block));
  features->cmd = ETHTOOL_GFEATURES;
  features->size = blocks;
  if (!ask_driver(descriptor, interface, features.data())) return {};
  std::vector<std::string> on;
  for (const Feature& feature : wanted) {
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), feature.kernel) - names.begin());
    if (at == names.size()) continue;
    const std::uint32_t active = features.list<ethtool_get_features_block>()[at / 32].active;
    if ((active >> at % 32 & 1u) != 0) on.emplace_back(feature.shown);
  }
  return on;
}

}  // namespace

tl::expected<LinkQuery, std::string> LinkQuery::open() {
  const int descriptor = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (descriptor < 0) {
    return tl::unexpected("the interfaces cannot be read from the kernel: " + std::generic_category().message(errno));
  }
  // The kernel answers at once; this is for one that does not.
  const timeval wait{1, 0};
  (void)::setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  return LinkQuery(descriptor);
}

LinkQuery::LinkQuery(LinkQuery&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), sequence_(other.sequence_) {}

LinkQuery& LinkQuery::operator=(LinkQuery&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  sequence_ = other.sequence_;
  return *this;
}

LinkQuery::~LinkQuery() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<LinkState> LinkQuery::ask(const std::string& name) {
  Question question{};
  if (name.size() >= question.name.size()) return std::nullopt;
  std::memcpy(question.name.data(), name.data(), name.size());
  question.header.nlmsg_len = sizeof question;
  question.header.nlmsg_type = RTM_GETLINK;
  question.header.nlmsg_flags = NLM_F_REQUEST;
  question.header.nlmsg_seq = ++sequence_;
  question.link.ifi_family = AF_UNSPEC;
  question.attribute.rta_type = IFLA_IFNAME;
  question.attribute.rta_len = static_cast<unsigned short>(RTA_LENGTH(name.size() + 1));
  if (::send(descriptor_, &question, sizeof question, 0) < 0) return std::nullopt;
  alignas(nlmsghdr) std::array<char, 32768> answer;
  for (;;) {
    const ssize_t count = ::recv(descriptor_, answer.data(), answer.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    auto left = static_cast<unsigned>(count);
    for (auto* m = reinterpret_cast<nlmsghdr*>(answer.data()); NLMSG_OK(m, left); m = NLMSG_NEXT(m, left)) {
      if (m->nlmsg_seq != sequence_) continue;  // the answer to a question that took too long
      if (m->nlmsg_type != RTM_NEWLINK) return std::nullopt;
      return read_link(m);
    }
  }
}

std::vector<std::string> LinkQuery::offloads(const std::string& name) const {
  return active_features(
      descriptor_, name,
      std::array{Feature{"rx-gro", "gro"}, Feature{"rx-lro", "lro"}, Feature{"rx-gro-hw", "rx-gro-hw"}});
}

ReceivePath LinkQuery::receive_path(const std::string& name) const {
  ReceivePath path;
  ethtool_drvinfo driver{};
  driver.cmd = ETHTOOL_GDRVINFO;
  if (ask_driver(descriptor_, name, &driver))
    path.driver.assign(driver.driver, ::strnlen(driver.driver, sizeof driver.driver));
  ethtool_channels channels{};
  channels.cmd = ETHTOOL_GCHANNELS;
  if (ask_driver(descriptor_, name, &channels)) path.queues = std::max(channels.rx_count + channels.combined_count, 1u);
  ifreq request{};
  if (name.size() < sizeof request.ifr_name) std::memcpy(request.ifr_name, name.data(), name.size());
  if (::ioctl(descriptor_, SIOCGIFMTU, &request) == 0) path.mtu = static_cast<std::size_t>(request.ifr_mtu);
  // The tag of a frame on a virtual cable is still in it.
  path.takes_tags_off = path.driver != "veth" &&
                        !active_features(descriptor_, name, std::array{Feature{"rx-vlan-hw-parse", "rxvlan"}}).empty();
  return path;
}

}  // namespace iwarpscope::capture
