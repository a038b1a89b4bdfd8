// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/xdp_socket.h"

#include <linux/if_xdp.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <xdp/xsk.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <limits>
#include <utility>

namespace iwarpscope::capture {
namespace {

/// What the kernel keeps before a frame. Source: linux/bpf.h, XDP_PACKET_HEADROOM.
constexpr std::size_t kHeadroom = 256;
constexpr std::size_t kHalfPage = 2048, kPage = 4096;
static_assert(XdpSocket::kLongestInAPage == kPage - kHeadroom);
constexpr std::uint32_t kBatch = 256;       // descriptors between two words to the kernel
constexpr std::size_t kFewestChunks = 256;  // for a queue
/// What long frames need; headers before Linux 6.6 do not have it. Source: linux/if_xdp.h.
constexpr unsigned kUseSeveralChunks = 1u << 4;  // XDP_USE_SG
constexpr unsigned kGoesOn = 1u << 0;            // XDP_PKT_CONTD
/// The shortest frames at 10 Gb/s, which are more than long ones at 100 Gb/s. Units: frames a millisecond.
constexpr std::size_t kMostFrames = 14'881;
constexpr std::size_t kOfRoom = 16;
constexpr std::chrono::milliseconds kEasyNap{4};
constexpr unsigned kPiecesARead = 16;  // times as many pieces as frames may be read at once
constexpr std::int64_t kSecond = 1'000'000'000;

[[nodiscard]] std::int64_t clock(clockid_t which) noexcept {
  timespec now{};
  ::clock_gettime(which, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

[[nodiscard]] std::string why_not(const char* what, int error) {
  return xdp_refusal(what, error, "CAP_NET_RAW, and CAP_IPC_LOCK or a larger limit of locked memory");
}

}  // namespace

/// The socket of one receive queue, its memory and its rings.
class XdpSocket::Queue {
 public:
  explicit Queue(unsigned number) : number_(number) {}
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue() {
    if (socket_ != nullptr) xsk_socket__delete(socket_);
    if (memory_owner_ != nullptr) (void)xsk_umem__delete(memory_owner_);
    if (memory_ != nullptr) ::munmap(memory_, octets_);
  }

  [[nodiscard]] tl::expected<void, std::string> open(const std::string& interface, std::size_t octets,
                                                     std::size_t longest_frame) {
    chunk_ = longest_frame + kHeadroom <= kHalfPage ? kHalfPage : kPage;
    const std::size_t chunks = std::bit_floor(std::max(octets / chunk_, kFewestChunks));
    octets_ = chunks * chunk_;
    void* const memory = ::mmap(nullptr, octets_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return tl::unexpected(why_not("there is no memory for frames", errno));
    memory_ = static_cast<std::byte*>(memory);
    xsk_umem_config of_memory{};
    of_memory.fill_size = static_cast<std::uint32_t>(chunks);
    of_memory.comp_size = kBatch;
    of_memory.frame_size = static_cast<std::uint32_t>(chunk_);
    if (const int error = xsk_umem__create(&memory_owner_, memory_, octets_, &free_, &sent_, &of_memory); error != 0) {
      return tl::unexpected(why_not("the kernel does not take memory for frames", -error));
    }
    xsk_socket_config of_socket{};
    of_socket.rx_size = static_cast<std::uint32_t>(chunks);
    of_socket.libxdp_flags = XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD;
    unsigned flags = XDP_USE_NEED_WAKEUP;
    if (longest_frame > kLongestInAPage) flags |= kUseSeveralChunks;
    of_socket.bind_flags = static_cast<std::uint16_t>(flags);
    if (const int error =
            xsk_socket__create(&socket_, interface.c_str(), number_, memory_owner_, &received_, nullptr, &of_socket);
        error != 0) {
      if (error == -EINVAL && longest_frame > kLongestInAPage) {
        return tl::unexpected(std::string("frames of more than one page need Linux 6.6: lower the MTU"));
      }
      return tl::unexpected(why_not("the kernel does not bind an AF_XDP socket", -error));
    }
    std::uint32_t at = 0;
    const std::uint32_t all = xsk_ring_prod__reserve(&free_, static_cast<std::uint32_t>(chunks), &at);
    for (std::uint32_t i = 0; i < all; ++i) *xsk_ring_prod__fill_addr(&free_, at + i) = i * chunk_;
    xsk_ring_prod__submit(&free_, all);
    return {};
  }

  [[nodiscard]] unsigned number() const noexcept { return number_; }
  [[nodiscard]] std::size_t chunks() const noexcept { return octets_ / chunk_; }
  [[nodiscard]] int descriptor() const noexcept { return xsk_socket__fd(socket_); }

  /// Calls `take(chunk, octets, goes_on)` for up to `most` pieces of frames. Returns how many there were.
  template <class Take>
  std::uint32_t read(std::uint32_t most, Take take) {
    std::uint32_t from = 0, to = 0;
    const std::uint32_t count = xsk_ring_cons__peek(&received_, most, &from);
    for (std::uint32_t i = 0; i < count; ++i) {
      const xdp_desc& piece = *xsk_ring_cons__rx_desc(&received_, from + i);
      if (piece.addr <= octets_ && piece.len <= octets_ - piece.addr) {
        take(memory_ + piece.addr, piece.len, (piece.options & kGoesOn) != 0);
      }
    }
    // As many are free again as were taken out of this ring of the same size.
    if (count != 0 && xsk_ring_prod__reserve(&free_, count, &to) == count) {
      for (std::uint32_t i = 0; i < count; ++i) {
        *xsk_ring_prod__fill_addr(&free_, to + i) = xsk_ring_cons__rx_desc(&received_, from + i)->addr & ~(chunk_ - 1);
      }
      xsk_ring_prod__submit(&free_, count);
    }
    xsk_ring_cons__release(&received_, count);
    if (xsk_ring_prod__needs_wakeup(&free_) != 0) {
      (void)::recvfrom(descriptor(), nullptr, 0, MSG_DONTWAIT, nullptr, nullptr);
    }
    return count;
  }

  /// Pieces of frames. The kernel writes `producer`; xsk_cons_nb_avail() looks at it only when all before was read.
  [[nodiscard]] std::uint32_t waiting() const noexcept {
    return std::atomic_ref(*received_.producer).load(std::memory_order_acquire) - *received_.consumer;
  }
  [[nodiscard]] std::uint64_t dropped() const noexcept {
    xdp_statistics counted{};
    socklen_t size = sizeof counted;
    if (::getsockopt(descriptor(), SOL_XDP, XDP_STATISTICS, &counted, &size) != 0) return 0;
    return counted.rx_dropped + counted.rx_ring_full;
  }
  [[nodiscard]] bool is_zero_copy() const noexcept {
    xdp_options options{};
    socklen_t size = sizeof options;
    return ::getsockopt(descriptor(), SOL_XDP, XDP_OPTIONS, &options, &size) == 0 &&
           (options.flags & XDP_OPTIONS_ZEROCOPY) != 0;
  }
  /// What is wrong with it; 0: nothing.
  [[nodiscard]] int error() const noexcept {
    int error = 0;
    socklen_t size = sizeof error;
    (void)::getsockopt(descriptor(), SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
  }

  std::vector<std::byte> begun;  ///< a frame whose last piece has not come
  TimePoint begun_at{};

 private:
  const unsigned number_;
  std::byte* memory_ = nullptr;
  std::size_t octets_ = 0, chunk_ = 0;
  xsk_umem* memory_owner_ = nullptr;
  xsk_socket* socket_ = nullptr;
  xsk_ring_prod free_{};
  xsk_ring_cons sent_{}, received_{};
};

XdpSocket::XdpSocket(const InterfaceOptions& options, Share share)
    : share_(std::move(share)),
      snap_length_(options.snap_length == 0 ? std::numeric_limits<std::uint32_t>::max() : options.snap_length),
      filter_(options.filter) {}

XdpSocket::~XdpSocket() {
  refuse();
  if (all_ >= 0) ::close(all_);
}

tl::expected<std::unique_ptr<XdpSocket>, std::string> XdpSocket::open(const InterfaceOptions& options, Share share) {
  std::unique_ptr<XdpSocket> made(new XdpSocket(options, std::move(share)));
  if (auto changed = made->change_filter(options.filter); !changed) return tl::unexpected(changed.error());
  const Share& of = made->share_;
  if (of.queues.size() > 1) made->all_ = ::epoll_create1(EPOLL_CLOEXEC);
  for (const unsigned number : of.queues) {
    made->queues_.push_back(std::make_unique<Queue>(number));
    Queue& queue = *made->queues_.back();
    auto opened = queue.open(options.name, options.ring_octets / of.queues.size(), of.longest_frame);
    if (opened) opened = of.program->serve(number, queue.descriptor());
    if (!opened) return tl::unexpected(opened.error());
    epoll_event readable{};
    readable.events = EPOLLIN;
    if (of.queues.size() > 1 && ::epoll_ctl(made->all_, EPOLL_CTL_ADD, queue.descriptor(), &readable) != 0) {
      return tl::unexpected(why_not("the queues cannot be waited for", errno));
    }
  }
  return made;
}

tl::expected<void, std::string> XdpSocket::accept() {
  for (const auto& queue : queues_) share_.program->accept(queue->number(), true);
  return {};
}

void XdpSocket::refuse() noexcept {
  for (const auto& queue : queues_) share_.program->accept(queue->number(), false);
}

tl::expected<void, std::string> XdpSocket::change_filter(const std::string& filter) {
  Filter changed(filter);
  if (!changed.is_empty()) {
    if (const auto compiled = changed.compile(link()); !compiled) return tl::unexpected(compiled.error());
  }
  filter_ = std::move(changed);
  return {};
}

tl::expected<unsigned, std::string> XdpSocket::read(unsigned most, const std::function<void(const Captured&)>& take) {
  unsigned count = 0;
  for (std::size_t i = 0; i < queues_.size() && count < most; ++i) {
    count += read_queue(*queues_[(next_ + i) % queues_.size()], most - count, take);
  }
  next_ = (next_ + 1) % queues_.size();  // a full queue does not keep the others waiting
  if (count == 0 && queues_.front()->error() == ENETDOWN) return tl::unexpected(std::string("the interface went down"));
  return count;
}

unsigned XdpSocket::read_queue(Queue& queue, unsigned most, const std::function<void(const Captured&)>& take) {
  most_ = std::max<std::size_t>(most_, queue.waiting());
  const std::int64_t now = clock(CLOCK_REALTIME);
  const std::int64_t to_realtime = now - clock(CLOCK_MONOTONIC);
  const bool timed = share_.program->has_times(queue.number());
  unsigned given = 0;
  const auto time_of = [&](const std::byte* frame) {
    std::int64_t monotonic = 0;
    std::memcpy(&monotonic, frame - XdpProgram::kTimeOctets, sizeof monotonic);
    return TimePoint{timed ? monotonic + to_realtime : now};
  };
  const auto give_if_let = [&](TimePoint time, Octets octets) {
    given += give({time, static_cast<std::uint32_t>(octets.size()), octets}, take) ? 1 : 0;
  };
  // Those that the filter does not let through count, too: there may be no end of them.
  for (unsigned left = kPiecesARead * most; given < most && left != 0;) {
    const std::uint32_t pieces = queue.read(std::min({kBatch, most - given, left}),
                                            [&](const std::byte* piece, std::uint32_t octets, bool goes_on) {
                                              if (queue.begun.empty()) {
                                                if (!goes_on) return give_if_let(time_of(piece), {piece, octets});
                                                queue.begun_at = time_of(piece);
                                              }
                                              queue.begun.insert(queue.begun.end(), piece, piece + octets);
                                              if (goes_on) return;
                                              give_if_let(queue.begun_at, queue.begun);
                                              queue.begun.clear();
                                            });
    if (pieces == 0) break;
    left -= pieces;
  }
  given_ += given;
  return given;
}

bool XdpSocket::give(const Captured& frame, const std::function<void(const Captured&)>& take) {
  const Octets kept = frame.octets.first(std::min<std::size_t>(frame.octets.size(), snap_length_));
  if (!filter_.is_empty()) {
    const auto matches = filter_.matches({FrameNumber{0}, frame.time, link(), 0, frame.original_length, frame.octets});
    if (!matches.value_or(true)) return false;
  }
  take({frame.time, frame.original_length, kept});
  return true;
}

CaptureSocket::Counts XdpSocket::counts() noexcept {
  Counts all{given_, 0};
  for (const auto& queue : queues_) {
    all.received += queue->waiting();
    all.dropped += queue->dropped();
  }
  return all;
}

int XdpSocket::descriptor() const noexcept {
  return all_ >= 0 ? all_ : queues_.front()->descriptor();
}

std::chrono::milliseconds XdpSocket::longest_nap() noexcept {
  const std::size_t room = queues_.front()->chunks() / 4 * 3;
  // While few frames wait, the rate would have to grow many times over within the nap.
  if (std::exchange(most_, 0) <= room / kOfRoom) return kEasyNap;
  return std::chrono::milliseconds(room / kMostFrames);
}

bool XdpSocket::is_zero_copy() const noexcept {
  return queues_.front()->is_zero_copy();
}

}  // namespace iwarpscope::capture
