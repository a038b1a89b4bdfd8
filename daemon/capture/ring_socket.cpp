// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/ring_socket.h"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <pcap/pcap.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "capture/parser.h"

namespace iwarpscope::capture {
namespace {

/// The EtherType of a parked socket: never on the wire. Source: IEEE 802, Local Experimental Ethertype 1.
constexpr std::uint16_t kParked = 0x88B5;

/// 100 Gb/s. Units: octets a millisecond.
constexpr std::size_t kFastestWire = 12'500'000;

[[nodiscard]] std::string cause_of(int error) {
  return std::generic_category().message(error);
}

/// Whether libpcap offers the adapter's time stamps, in step with the host's clock. Those of an adapter's own clock are
/// not asked for: frames of two interfaces could not be put in order by them.
[[nodiscard]] bool has_adapter_time(pcap_t* handle) {
  int* types = nullptr;
  const int count = pcap_list_tstamp_types(handle, &types);
  if (count <= 0) return false;
  const bool has = std::find(types, types + count, PCAP_TSTAMP_ADAPTER) != types + count;
  pcap_free_tstamp_types(types);
  return has;
}

[[nodiscard]] RingSocket::Failure failure_of(int status, pcap_t* handle, const std::string& name) {
  using Why = RingSocket::Why;
  switch (status) {
    case PCAP_ERROR_NO_SUCH_DEVICE: return {Why::no_such_interface, "the interface does not exist"};
    case PCAP_ERROR_PERM_DENIED:
    case PCAP_ERROR_PROMISC_PERM_DENIED:
      return {Why::not_permitted, "capturing needs root or the capability CAP_NET_RAW"};
    case PCAP_ERROR_IFACE_NOT_UP:
      return {Why::down, "the interface is down; bring it up with 'ip link set " + name + " up'"};
    default: break;
  }
  std::string cause = pcap_geterr(handle);
  if (cause.empty()) cause = pcap_statustostr(status);
  return {Why::other, std::move(cause)};
}

struct Reading {
  const std::function<void(const RingSocket::Captured&)>& take;
  std::int64_t fraction_ns;
  unsigned frames = 0;
};

// The signature is libpcap's. NOLINTNEXTLINE(readability-non-const-parameter)
void on_frame(u_char* user, const pcap_pkthdr* header, const u_char* octets) {
  auto& reading = *reinterpret_cast<Reading*>(user);
  ++reading.frames;
  constexpr std::int64_t kSecond = 1'000'000'000;
  reading.take({TimePoint{std::int64_t{header->ts.tv_sec} * kSecond + header->ts.tv_usec * reading.fraction_ns},
                header->len, Octets{reinterpret_cast<const std::byte*>(octets), header->caplen}});
}

}  // namespace

struct RingSocket::Program {
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { pcap_freecode(&code); }
  bpf_program code{};
};

RingSocket::RingSocket() = default;
RingSocket::RingSocket(RingSocket&&) noexcept = default;
RingSocket& RingSocket::operator=(RingSocket&&) noexcept = default;
RingSocket::~RingSocket() = default;

void RingSocket::Close::operator()(pcap* handle) const noexcept {
  pcap_close(handle);
}

tl::expected<RingSocket, RingSocket::Failure> RingSocket::open(const InterfaceOptions& options) {
  auto socket = activate(options, true);
  // To turn an adapter's time stamps on takes CAP_NET_ADMIN, which capturing does not: the host's will do.
  const bool may_be_the_time =
      !socket && (socket.error().why == Why::other || socket.error().why == Why::not_permitted);
  if (may_be_the_time) {
    const Failure refused = std::move(socket.error());
    socket = activate(options, false);
    if (socket && has_adapter_time(socket->handle_.get())) socket->tell_time_refused(refused);
  }
  if (!socket) return socket;
  // Frames from before the group is known belong to no socket: they are discarded and not counted.
  socket->refuse();
  socket->empty_ring();
  if (auto compiled = socket->compile(options.filter); !compiled) {
    return tl::unexpected(Failure{Why::other, compiled.error()});
  }
  return socket;
}

void RingSocket::tell_time_refused(const Failure& refused) {
  time_refused_ = "the time stamps of the adapter are not available (";
  time_refused_ += refused.why == Why::not_permitted ? "enabling them needs CAP_NET_ADMIN" : refused.cause;
  time_refused_ += "): the host sets the time stamps";
}

tl::expected<RingSocket, RingSocket::Failure> RingSocket::activate(const InterfaceOptions& options, bool adapter) {
  std::array<char, PCAP_ERRBUF_SIZE> error{};
  RingSocket socket;
  socket.handle_.reset(pcap_create(options.name.c_str(), error.data()));
  pcap_t* handle = socket.handle_.get();
  if (handle == nullptr) return tl::unexpected(Failure{Why::other, error.data()});
  const std::uint32_t wanted = options.snap_length == 0 ? kLongestSnap : options.snap_length;
  socket.snap_length_ = std::min(wanted, kLongestSnap);
  const std::size_t ring = std::min<std::size_t>(options.ring_octets, std::numeric_limits<int>::max());
  pcap_set_snaplen(handle, static_cast<int>(socket.snap_length_));
  pcap_set_promisc(handle, options.promiscuous ? 1 : 0);
  pcap_set_timeout(handle, static_cast<int>(kBlockTime.count()));
  pcap_set_immediate_mode(handle, 0);  // which is what makes libpcap take TPACKET_V3
  if (ring != 0) pcap_set_buffer_size(handle, static_cast<int>(ring));
  socket.longest_nap_ = std::chrono::milliseconds(ring / 4 * 3 / kFastestWire);
  const bool nanoseconds = pcap_set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO) == 0;
  const bool by_adapter = adapter && has_adapter_time(handle) && pcap_set_tstamp_type(handle, PCAP_TSTAMP_ADAPTER) == 0;
  const int status = pcap_activate(handle);
  if (status < 0) return tl::unexpected(failure_of(status, handle, options.name));
  if (status == PCAP_WARNING_PROMISC_NOTSUP) {
    socket.warning_ = "promiscuous mode is not available: only frames to this host are captured";
  }
  if (nanoseconds) socket.fraction_ns_ = 1;
  socket.time_source_ = nanoseconds ? "host-ns" : "host";
  if (by_adapter && status != PCAP_WARNING_TSTAMP_TYPE_NOTSUP) {
    socket.time_source_ = "adapter";
  } else if (by_adapter) {
    socket.tell_time_refused({Why::other, "its driver does not enable them"});
  }
  if (pcap_setnonblock(handle, 1, error.data()) != 0) return tl::unexpected(Failure{Why::other, error.data()});
  socket.descriptor_ = pcap_get_selectable_fd(handle);
  socket.name_ = options.name;
  socket.promiscuous_ = options.promiscuous;
  socket.hardware_ = socket.hardware().value_or(0);
  socket.link_ = link_of(static_cast<std::uint32_t>(pcap_datalink(handle)));
  return socket;
}

tl::expected<void, std::string> RingSocket::compile(const std::string& filter) {
  auto program = std::make_unique<Program>();
  constexpr int kOptimize = 1;
  if (pcap_compile(handle_.get(), &program->code, filter.c_str(), kOptimize, PCAP_NETMASK_UNKNOWN) != 0) {
    return tl::unexpected("filter '" + filter + "': " + pcap_geterr(handle_.get()));
  }
  program_ = std::move(program);
  return {};
}

tl::expected<void, std::string> RingSocket::join(std::optional<std::uint16_t>& group) {
  // PACKET_FANOUT_HASH takes the kernel's flow hash, which is made of addresses and ports in sorted order: both
  // directions of a connection meet in one socket. Fragments have no ports and may go to another one; the order of
  // all frames is put right by their times in any case. PACKET_FANOUT_FLAG_DEFRAG is not wanted: it changes frames.
  const unsigned flags = group ? PACKET_FANOUT_HASH : PACKET_FANOUT_HASH | PACKET_FANOUT_FLAG_UNIQUEID;
  const unsigned argument = group.value_or(0) | flags << 16;
  if (::setsockopt(descriptor_, SOL_PACKET, PACKET_FANOUT, &argument, sizeof argument) != 0) {
    return tl::unexpected("the kernel cannot divide the traffic among workers: " + cause_of(errno));
  }
  in_group_ = true;
  unsigned joined = 0;
  socklen_t size = sizeof joined;
  if (::getsockopt(descriptor_, SOL_PACKET, PACKET_FANOUT, &joined, &size) != 0) {
    return tl::unexpected("the kernel does not report the group of the socket: " + cause_of(errno));
  }
  group = static_cast<std::uint16_t>(joined & 0xFFFFu);
  return {};
}

tl::expected<void, std::string> RingSocket::accept() {
  (void)counts();
  counts_ = {};
  if (pcap_setfilter(handle_.get(), &program_->code) != 0) {
    return tl::unexpected(std::string("the kernel does not accept the filter: ") + pcap_geterr(handle_.get()));
  }
  return {};
}

tl::expected<void, std::string> RingSocket::change_filter(const std::string& filter) {
  const bool was_long = program_->code.bf_len > BPF_MAXINSNS;
  if (auto compiled = compile(filter); !compiled) return compiled;
  const bpf_program& code = program_->code;
  // pcap_setfilter() lets no frame through for a moment, and counts none of them. It is needed only where libpcap
  // itself filters, or changes the program.
  if (link_ == net::LinkType::ethernet && !was_long && code.bf_len <= BPF_MAXINSNS) {
    const sock_fprog program{static_cast<unsigned short>(code.bf_len), reinterpret_cast<sock_filter*>(code.bf_insns)};
    static_assert(sizeof(sock_filter) == sizeof(bpf_insn));
    if (::setsockopt(descriptor_, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0) return {};
  }
  if (pcap_setfilter(handle_.get(), &program_->code) != 0) {
    return tl::unexpected(std::string("the kernel does not accept the filter: ") + pcap_geterr(handle_.get()));
  }
  return {};
}

void RingSocket::refuse() noexcept {
  // Past libpcap, which would let what is in the ring through this filter as well.
  sock_filter nothing{BPF_RET | BPF_K, 0, 0, 0};
  const sock_fprog program{1, &nothing};
  (void)::setsockopt(descriptor_, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

bool RingSocket::bind(unsigned link_index, std::uint16_t protocol) noexcept {
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(protocol);
  address.sll_ifindex = static_cast<int>(link_index);
  return ::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

std::optional<std::uint16_t> RingSocket::hardware() const noexcept {
  ifreq request{};
  if (name_.size() >= sizeof request.ifr_name) return std::nullopt;
  std::memcpy(request.ifr_name, name_.data(), name_.size());
  if (::ioctl(descriptor_, SIOCGIFHWADDR, &request) != 0) return std::nullopt;
  return request.ifr_hwaddr.sa_family;
}

void RingSocket::park() noexcept {
  refuse();
  sockaddr_ll address{};
  socklen_t size = sizeof address;
  if (::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &size) == 0 && address.sll_ifindex > 0) {
    (void)bind(static_cast<unsigned>(address.sll_ifindex), kParked);
  }
}

tl::expected<void, std::string> RingSocket::move_to(unsigned link_index) {
  const auto hardware_now = hardware();
  if (!hardware_now) return tl::unexpected(std::string("the interface disappeared again"));
  if (*hardware_now != hardware_) {
    return tl::unexpected(
        std::string("the interface is back with another link type; restart the daemon to capture on it"));
  }
  refuse();
  if (!bind(link_index, ETH_P_ALL))
    return tl::unexpected("the socket cannot be bound to the interface: " + cause_of(errno));
  // What the old interface ended with is no error of the new one.
  int error = 0;
  socklen_t size = sizeof error;
  (void)::getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size);
  packet_mreq membership{};
  membership.mr_ifindex = static_cast<int>(link_index);
  membership.mr_type = PACKET_MR_PROMISC;
  if (promiscuous_ &&
      ::setsockopt(descriptor_, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &membership, sizeof membership) != 0) {
    warning_ = "promiscuous mode is not available: only frames to this host are captured";
  }
  // The adapter's time would have to be turned on there, which takes a privilege.
  if (std::string_view(time_source_) == "adapter") {
    const int hosts = 0;
    (void)::setsockopt(descriptor_, SOL_PACKET, PACKET_TIMESTAMP, &hosts, sizeof hosts);
    time_source_ = fraction_ns_ == 1 ? "host-ns" : "host";
  }
  return {};
}

void RingSocket::empty_ring() {
  std::uint64_t seen = 0;
  for (int i = 0; i < 4; ++i) {
    const auto count = read(std::numeric_limits<int>::max(), [](const Captured&) {});
    if (!count) return;
    seen += *count;
    if (seen == counts().received) return;
    std::this_thread::sleep_for(kBlockTime);
  }
}

tl::expected<unsigned, std::string> RingSocket::read(unsigned most, const std::function<void(const Captured&)>& take) {
  Reading reading{take, fraction_ns_};
  const int status =
      pcap_dispatch(handle_.get(), static_cast<int>(most), on_frame, reinterpret_cast<u_char*>(&reading));
  if (status < 0 && reading.frames == 0) return tl::unexpected(std::string(pcap_geterr(handle_.get())));
  return reading.frames;
}

RingSocket::Counts RingSocket::counts() noexcept {
  // The kernel starts from 0 again with each question. `tp_packets` holds the dropped ones as well. Source: packet(7).
  tpacket_stats_v3 kernel{};
  socklen_t size = sizeof kernel;
  if (::getsockopt(descriptor_, SOL_PACKET, PACKET_STATISTICS, &kernel, &size) == 0) {
    counts_.received += kernel.tp_packets - kernel.tp_drops;
    counts_.dropped += kernel.tp_drops;
  }
  return counts_;
}

}  // namespace iwarpscope::capture
