// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "sctp_vm/sctp_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/sctp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "synth/wire/sctp.h"

namespace iwarpscope::sctp_vm {

namespace {

constexpr int kBufferOctets = 4 << 20;  // more than any scenario has in flight, so that no end waits for the other
constexpr time_t kPatienceSeconds = 120;

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

void check(int result, const std::string& what) {
  if (result < 0) fail(what);
}

template <class T>
void set(int descriptor, int level, int option, const T& value, const char* what) {
  check(setsockopt(descriptor, level, option, &value, sizeof value), what);
}

/// The addresses in sequence, as sctp_bindx() needs them.
std::vector<std::byte> packed(const std::vector<std::string>& addresses, std::uint16_t port, int& family) {
  std::vector<std::byte> out;
  for (const std::string& text : addresses) {
    sockaddr_in v4{};
    sockaddr_in6 v6{};
    v4.sin_family = AF_INET;
    v6.sin6_family = AF_INET6;
    v4.sin_port = v6.sin6_port = htons(port);
    const bool is_v4 = inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1;
    if (!is_v4 && inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) != 1)
      throw std::runtime_error(text + ": no address");
    family = is_v4 ? AF_INET : AF_INET6;
    const Octets one = is_v4 ? std::as_bytes(std::span(&v4, 1)) : std::as_bytes(std::span(&v6, 1));
    out.insert(out.end(), one.begin(), one.end());
  }
  return out;
}

int open_socket(const SctpSocket::Settings& settings) {
  int family = AF_INET;
  (void)packed(settings.own, 0, family);
  const int descriptor = socket(family, SOCK_STREAM, IPPROTO_SCTP);
  check(descriptor, "socket of SCTP");
  return descriptor;
}

std::string text_of(const sctp_assoc_change& change) {
  switch (change.sac_state) {
    case SCTP_COMM_UP: return "association up";
    case SCTP_COMM_LOST: return "association lost";
    case SCTP_RESTART: return "association restarted";
    case SCTP_SHUTDOWN_COMP: return "association shut down";
    case SCTP_CANT_STR_ASSOC: return "association refused";
    default: return "association changed";
  }
}

std::string text_of(const sctp_paddr_change& change) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  sockaddr_storage address{};
  std::memcpy(&address, &change.spc_aaddr, sizeof address);
  const void* const octets = address.ss_family == AF_INET
                                 ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in&>(address).sin_addr)
                                 : &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  const char* const where = inet_ntop(address.ss_family, octets, text.data(), text.size());
  const std::string path = std::string("path to ") + (where == nullptr ? "?" : where);
  switch (change.spc_state) {
    case SCTP_ADDR_AVAILABLE: return path + " available";
    case SCTP_ADDR_UNREACHABLE: return path + " unreachable";
    case SCTP_ADDR_CONFIRMED: return path + " confirmed";
    default: return path + " changed";
  }
}

template <class T>
T as(Octets octets) {
  T out{};
  std::memcpy(&out, octets.data(), std::min(octets.size(), sizeof out));
  return out;
}

}  // namespace

SctpSocket::SctpSocket(SctpSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      ended_(other.ended_),
      dry_(other.dry_),
      adaptation_(other.adaptation_),
      waiting_(std::move(other.waiting_)),
      events_(std::move(other.events_)) {}

SctpSocket::~SctpSocket() {
  if (descriptor_ >= 0) close(descriptor_);
}

SctpSocket SctpSocket::passive(const Settings& settings) {
  const SctpSocket listening(open_socket(settings));
  listening.prepare(settings);
  listening.bind(settings);
  check(listen(listening.descriptor_, 1), "listen");
  const int descriptor = accept(listening.descriptor_, nullptr, nullptr);
  check(descriptor, "accept");
  SctpSocket one(descriptor);
  one.prepare(settings);
  return one;
}

SctpSocket SctpSocket::active(const Settings& settings) {
  SctpSocket one(open_socket(settings));
  one.prepare(settings);
  one.bind(settings);
  int family = AF_INET;
  const std::vector<std::byte> peer = packed({settings.peers.front()}, settings.peer_port, family);
  sockaddr_storage address{};
  std::memcpy(&address, peer.data(), peer.size());
  check(connect(one.descriptor_, reinterpret_cast<const sockaddr*>(&address), static_cast<socklen_t>(peer.size())),
        "connect");
  return one;
}

void SctpSocket::prepare(const Settings& settings) const {
  sctp_initmsg streams{};
  streams.sinit_num_ostreams = streams.sinit_max_instreams = settings.streams;
  set(descriptor_, IPPROTO_SCTP, SCTP_INITMSG, streams, "SCTP_INITMSG");
  set(descriptor_, IPPROTO_SCTP, SCTP_ADAPTATION_LAYER, sctp_setadaptation{synth::wire::kDdpAdaptation},
      "SCTP_ADAPTATION_LAYER");
  set(descriptor_, IPPROTO_SCTP, SCTP_NODELAY, settings.nagle ? 0 : 1, "SCTP_NODELAY");
  set(descriptor_, SOL_SOCKET, SO_RCVBUFFORCE, kBufferOctets, "SO_RCVBUFFORCE");
  set(descriptor_, SOL_SOCKET, SO_SNDBUFFORCE, kBufferOctets, "SO_SNDBUFFORCE");
  set(descriptor_, SOL_SOCKET, SO_RCVTIMEO, timeval{.tv_sec = kPatienceSeconds, .tv_usec = 0}, "SO_RCVTIMEO");
  subscribe(false);
}

void SctpSocket::bind(const Settings& settings) const {
  int family = AF_INET;
  std::vector<std::byte> own = packed(settings.own, settings.own_port, family);
  check(sctp_bindx(descriptor_, reinterpret_cast<sockaddr*>(own.data()), static_cast<int>(settings.own.size()),
                   SCTP_BINDX_ADD_ADDR),
        "sctp_bindx");
}

void SctpSocket::subscribe(bool dry) const {
  sctp_event_subscribe events{};
  events.sctp_data_io_event = 1;
  events.sctp_association_event = 1;
  events.sctp_address_event = 1;
  events.sctp_shutdown_event = 1;
  events.sctp_adaptation_layer_event = 1;
  events.sctp_sender_dry_event = dry ? 1 : 0;
  set(descriptor_, IPPROTO_SCTP, SCTP_EVENTS, events, "SCTP_EVENTS");
}

void SctpSocket::send(std::uint16_t stream, std::uint32_t ppid, Octets user_data) const {
  const auto sent = sctp_sendmsg(descriptor_, user_data.data(), user_data.size(), nullptr, 0, htonl(ppid),
                                 SCTP_UNORDERED, stream, 0, 0);
  if (sent != static_cast<ssize_t>(user_data.size())) fail("sctp_sendmsg on stream " + std::to_string(stream));
}

std::optional<Arrival> SctpSocket::receive() {
  if (!waiting_.empty()) {
    Arrival first = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    return first;
  }
  while (!ended_) {
    if (auto arrival = read_once()) return arrival;
  }
  return {};
}

std::optional<Arrival> SctpSocket::read_once() {
  Arrival arrival;
  sctp_sndrcvinfo about{};
  int flags = 0;
  do {
    std::array<std::byte, 65536> piece{};
    flags = 0;
    const int count = sctp_recvmsg(descriptor_, piece.data(), piece.size(), nullptr, nullptr, &about, &flags);
    if (count < 0 && errno == ECONNRESET) events_.emplace_back("connection reset");
    if (count < 0 && errno != ECONNRESET) fail("sctp_recvmsg");
    if (count <= 0) {
      ended_ = true;
      return {};
    }
    arrival.user_data.insert(arrival.user_data.end(), piece.begin(), piece.begin() + count);
  } while ((flags & MSG_EOR) == 0);
  if ((flags & MSG_NOTIFICATION) != 0) {
    notification(arrival.user_data);
    return {};
  }
  arrival.stream = about.sinfo_stream;
  arrival.ppid = ntohl(about.sinfo_ppid);
  if ((about.sinfo_flags & SCTP_UNORDERED) == 0) throw std::runtime_error("an ordered user message came");
  return arrival;
}

void SctpSocket::notification(Octets octets) {
  switch (as<decltype(sctp_notification::sn_header)>(octets).sn_type) {
    case SCTP_ASSOC_CHANGE: {
      const auto change = as<sctp_assoc_change>(octets);
      events_.push_back(text_of(change));
      ended_ = ended_ || change.sac_state == SCTP_COMM_LOST || change.sac_state == SCTP_SHUTDOWN_COMP;
      return;
    }
    case SCTP_PEER_ADDR_CHANGE: events_.push_back(text_of(as<sctp_paddr_change>(octets))); return;
    case SCTP_SHUTDOWN_EVENT: events_.emplace_back("shutdown of the peer"); return;
    case SCTP_ADAPTATION_INDICATION: adaptation_ = as<sctp_adaptation_event>(octets).sai_adaptation_ind; return;
    case SCTP_SENDER_DRY_EVENT: dry_ = true; return;
    default: return;
  }
}

// The kernel notifies a subscriber at once if nothing is unacknowledged, otherwise when nothing is left.
void SctpSocket::wait_acknowledged() {
  dry_ = false;
  subscribe(true);
  while (!dry_ && !ended_) {
    if (auto arrival = read_once()) waiting_.push_back(std::move(*arrival));
  }
  subscribe(false);
  if (!dry_) throw std::runtime_error("the association ended before all was acknowledged");
}

void SctpSocket::fragment_at(std::uint32_t octets) const {
  sctp_assoc_value value{};
  value.assoc_value = octets;
  set(descriptor_, IPPROTO_SCTP, SCTP_MAXSEG, value, "SCTP_MAXSEG");
}

void SctpSocket::shutdown() const {
  check(::shutdown(descriptor_, SHUT_WR), "shutdown");
}

void SctpSocket::abort() {
  set(descriptor_, SOL_SOCKET, SO_LINGER, linger{.l_onoff = 1, .l_linger = 0}, "SO_LINGER");
  close(std::exchange(descriptor_, -1));
  ended_ = true;
}

SctpSocket::Status SctpSocket::status() const {
  sctp_status status{};
  socklen_t size = sizeof status;
  check(getsockopt(descriptor_, IPPROTO_SCTP, SCTP_STATUS, &status, &size), "SCTP_STATUS");
  return {status.sstat_instrms, status.sstat_outstrms, status.sstat_fragmentation_point};
}

}  // namespace iwarpscope::sctp_vm
