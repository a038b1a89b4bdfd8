// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A network of the test's own: a namespace, interfaces in it, and a sender.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace iwarpscope::capture::test {

/// A network namespace for this thread, and for those that it starts. It goes away with its last user.
class Namespace {
 public:
  /// Null when it may not be made.
  static std::unique_ptr<Namespace> make() {
    const int before = ::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    if (before < 0) return nullptr;
    if (::unshare(CLONE_NEWNET) != 0) {
      ::close(before);
      return nullptr;
    }
    std::ofstream("/proc/sys/net/ipv6/conf/default/disable_ipv6") << 1;  // nothing is sent but by the test
    return std::unique_ptr<Namespace>(new Namespace(before));
  }
  Namespace(const Namespace&) = delete;
  Namespace& operator=(const Namespace&) = delete;
  ~Namespace() {
    (void)::setns(before_, CLONE_NEWNET);
    ::close(before_);
  }

 private:
  explicit Namespace(int before) : before_(before) {}
  int before_;
};

/// Runs ip(8).
inline void ip(const std::string& arguments) {
  if (std::system(("PATH=$PATH:/usr/sbin:/sbin ip " + arguments).c_str()) != 0) {
    throw std::runtime_error("ip " + arguments + " failed");
  }
}

/// Two interfaces joined by a cable, both up.
inline void make_cable(const std::string& from, const std::string& to) {
  ip("link add name " + from + " mtu 1500 type veth peer name " + to);
  ip("link set dev " + from + " up");
  ip("link set dev " + to + " up");
}

inline void put(std::string& to, std::uint64_t value, unsigned octets) {
  for (unsigned i = octets; i-- > 0;) to.push_back(static_cast<char>(value >> 8 * i & 0xFFu));
}

/// What a frame says.
struct Message {
  std::uint8_t source = 1, destination = 2;  ///< hosts of 10.0.0.0/24
  std::uint16_t from = 1000, to = 5000;      ///< ports
  std::uint64_t sequence = 0;                ///< in the payload
  std::size_t octets = 100;                  ///< of the frame; at least 62
  int vlan = -1;
};

/// A TCP segment in an Ethernet frame; checksums are not filled in.
inline std::string make_frame(const Message& m) {
  std::string f(12, '\x02');
  if (m.vlan >= 0) {
    put(f, 0x8100, 2);
    put(f, static_cast<unsigned>(m.vlan), 2);
  }
  put(f, 0x0800, 2);
  const std::size_t ip_length = m.octets - f.size();
  put(f, 0x4500, 2);
  put(f, ip_length, 2);
  put(f, 0, 4);
  put(f, 0x4006, 2);
  put(f, 0, 2);
  put(f, 0x0A000000u + m.source, 4);
  put(f, 0x0A000000u + m.destination, 4);
  put(f, m.from, 2);
  put(f, m.to, 2);
  put(f, m.sequence, 4);
  put(f, 0, 4);
  put(f, 0x5010FFFF, 4);
  put(f, 0, 4);
  put(f, m.sequence, 8);
  f.resize(m.octets, '\x55');
  return f;
}

/// Sends frames as they are.
class Sender {
 public:
  explicit Sender(const std::string& interface) : socket_(::socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0)) {
    sockaddr_ll address{};
    address.sll_family = AF_PACKET;
    address.sll_ifindex = static_cast<int>(::if_nametoindex(interface.c_str()));
    if (socket_ < 0 || ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error("cannot send on " + interface);
    }
  }
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;
  ~Sender() { ::close(socket_); }
  void send_octets(const std::string& frame) const {
    while (::send(socket_, frame.data(), frame.size(), 0) < 0) {
      if (errno != ENOBUFS && errno != EINTR) throw std::runtime_error("sending failed");
    }
  }
  void send(const Message& message) const { send_octets(make_frame(message)); }
  /// A frame that the other end will drop.
  void waste(const Message& message) const {
    const std::string frame = make_frame(message);
    (void)!::send(socket_, frame.data(), frame.size(), 0);
  }

 private:
  int socket_;
};

}  // namespace iwarpscope::capture::test
