// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/live_reader.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>
#include <utility>

namespace iwarpscope::capture {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

// A batch. Units: octets, frames. Source: ours.
constexpr std::size_t kBufferOctets = std::size_t{512} << 10;
constexpr std::size_t kBufferFrames = 8192;
constexpr std::size_t kSpareBuffers = 32;
static_assert(kBufferOctets >= kLongestSnap);

constexpr unsigned kFramesARead = 4096;        // between two looks at the rest of the world
constexpr milliseconds kIdle{10};              // between two words to the merge that nothing came
constexpr milliseconds kLook{100};             // between two looks at counters and interface
constexpr seconds kLookAtOffloads{5};          //
constexpr milliseconds kLongestBackOff{5000};  // between two attempts to open an interface again
constexpr milliseconds kRest{100};             // for what the ring still holds when no more comes
constexpr milliseconds kLongestNap{4};         // between two readings of the ring while frames come

/// Sleeps until a descriptor is readable. Returns whether `stop` is.
[[nodiscard]] bool wait(int descriptor, int stop, milliseconds most) {
  std::array<pollfd, 2> wanted{pollfd{stop, POLLIN, 0}, pollfd{descriptor, POLLIN, 0}};
  const int count = ::poll(wanted.data(), descriptor < 0 ? 1 : 2, static_cast<int>(most.count()));
  return count > 0 && wanted[0].revents != 0;
}

}  // namespace

LiveReader::LiveReader(LiveInterface& interface, bool is_first, Lane lane, std::unique_ptr<CaptureSocket> socket,
                       LinkQuery link)
    : interface_(interface),
      lane_(lane.number),
      handover_(lane.handover),
      socket_(std::move(socket)),
      link_(std::move(link)),
      is_first_(is_first),
      pool_(BufferPool::make(kSpareBuffers)) {
  frames_.reserve(kBufferFrames);
  if (interface_.has_link()) {
    const auto state = link_.ask(interface_.name());
    if (state) link_index_ = state->index;
    if (is_first_) interface_.see(state);
  }
}

void LiveReader::accept() {
  const auto accepted = socket_->accept();
  if (!accepted) lost(accepted.error());
}

void LiveReader::run(int stop) {
  while (!handover_.is_stopped()) {
    if (socket_) {
      capture(stop);
    } else {
      wait_for_interface(stop);
    }
  }
  if (socket_) {
    socket_->refuse();
    read_rest();
    next_look_ = {};
    look_after(steady_clock::now());
  }
  hand_over();
  handover_.end(lane_);
}

void LiveReader::capture(int stop) {
  const milliseconds idle = handover_.lanes() > 1 ? kIdle : kLook;
  milliseconds nap{};
  SteadyTime last{};
  bool napping = false;
  while (!(napping ? wait(-1, stop, nap) : wait(socket_->descriptor(), stop, idle))) {
    // Frames come in blocks: when the ring is empty, what there is goes on its way.
    SteadyTime now = steady_clock::now();
    const std::uint64_t before = read_;
    const bool often = napping || now - std::exchange(last, now) < nap;
    for (; read_some() && !handover_.is_stopped(); now = steady_clock::now()) look_after(now);
    hand_over();
    if (gone_.empty()) handover_.clear(lane_, now);
    look_after(now);
    if (!gone_.empty()) {
      lost(std::exchange(gone_, {}));
      return;
    }
    nap = std::min(kLongestNap, socket_->longest_nap());
    // Blocks that come often are read several at once: each reading wakes this thread, the analysis and a worker.
    napping = often && read_ != before;
  }
}

bool LiveReader::read_some() {
  const auto count = socket_->read(kFramesARead, [this](const CaptureSocket::Captured& frame) { take(frame); });
  if (!count) {
    gone_ = count.error();
    return false;
  }
  read_ += *count;
  const std::uint64_t known = std::min<std::uint64_t>(in_ring_, *count);
  in_ring_ -= known;
  interface_.captured.fetch_add(*count - known, std::memory_order_relaxed);
  drained_ = *count < kFramesARead;
  return !drained_;
}

void LiveReader::take(const CaptureSocket::Captured& frame) {
  if (!buffer_ || used_ + frame.octets.size() > buffer_->size() || frames_.size() == kBufferFrames) {
    hand_over();
    next_buffer(frame.octets.size());
  }
  std::byte* to = buffer_->data() + used_;
  if (!frame.octets.empty()) std::memcpy(to, frame.octets.data(), frame.octets.size());
  used_ += frame.octets.size();
  frames_.push_back({FrameNumber{0}, frame.time, socket_->link(), interface_.index(), frame.original_length,
                     Octets{to, frame.octets.size()}, interface_.tap_group()});
}

/// Batches that come soon after one another share a buffer, so that none is copied again.
void LiveReader::next_buffer(std::size_t octets) {
  if (buffer_ && used_ + octets <= buffer_->size()) return;
  buffer_ = pool_->take(kBufferOctets);
  used_ = handed_ = 0;
}

void LiveReader::hand_over() {
  if (frames_.empty()) return;
  Batch batch;
  batch.octets = used_ - handed_;
  batch.frames = std::exchange(frames_, handover_.frames(lane_));
  frames_.reserve(kBufferFrames);
  batch.storage = buffer_;
  const std::size_t count = batch.frames.size();
  if (handover_.offer(lane_, batch)) {
    handed_ = used_;
    return;
  }
  used_ = handed_;  // its room is free again
  interface_.dropped_by_queue.fetch_add(count, std::memory_order_relaxed);
  handover_.give_back(lane_, std::move(batch.frames));
}

void LiveReader::look_after(SteadyTime now) {
  if (now < next_look_) return;
  next_look_ = now + kLook;
  count();
  look_for_filter();
  if (!interface_.has_link()) return;
  const auto state = link_.ask(interface_.name());
  if (state && link_index_ != 0 && state->index != link_index_) gone_ = "another interface with this name replaced it";
  if (!is_first_ || !gone_.empty()) return;
  interface_.see(state);
  if (now < next_look_at_offloads_) return;
  next_look_at_offloads_ = now + kLookAtOffloads;
  interface_.see_offloads(link_.offloads(interface_.name()));
}

void LiveReader::look_for_filter() {
  const unsigned filters = interface_.filters();
  if (std::exchange(filters_, filters) == filters) return;
  const std::string filter = interface_.filter();
  auto changed = socket_->change_filter(filter);
  if (changed && kept_) changed = kept_->keep_filter(filter);
  if (!changed) interface_.say("the filter was not changed: " + changed.error());
}

void LiveReader::count() {
  const CaptureSocket::Counts now = socket_->counts();
  see_ring(drained_ ? 0 : std::max(now.received, read_) - read_);
  interface_.dropped_by_kernel.fetch_add(now.dropped - counted_.dropped, std::memory_order_relaxed);
  counted_ = now;
}

void LiveReader::see_ring(std::uint64_t holds) {
  interface_.captured.fetch_add(holds - in_ring_, std::memory_order_relaxed);
  in_ring_ = holds;
}

void LiveReader::read_rest() {
  const SteadyTime deadline = steady_clock::now() + kRest;
  for (;;) {
    while (read_some()) continue;
    count();
    if (read_ >= counted_.received || steady_clock::now() >= deadline) break;
    std::this_thread::sleep_for(milliseconds(1));
  }
  gone_.clear();
}

void LiveReader::lost(const std::string& cause) {
  read_rest();
  hand_over();
  auto* const ring = dynamic_cast<RingSocket*>(socket_.get());
  if (ring != nullptr && is_first_ && !ring->is_in_group() && interface_.has_link()) kept_ = std::move(*ring);
  socket_.reset();
  see_ring(0);
  handover_.clear(lane_, SteadyTime::max());
  interface_.socket_lost();
  interface_.trouble("the capture failed (" + cause + "); it is reopened when possible");
  if (interface_.has_link()) interface_.see(std::nullopt);
}

void LiveReader::wait_for_interface(int stop) {
  milliseconds back_off = kLook;
  SteadyTime next_attempt{};
  while (!wait(-1, stop, kLook)) {
    std::optional<LinkState> state;
    if (interface_.has_link()) {
      state = link_.ask(interface_.name());
      if (!state || !state->up) continue;
    }
    const SteadyTime now = steady_clock::now();
    if (now < next_attempt) continue;
    if (reopen(state)) return;
    next_attempt = now + back_off;
    back_off = std::min(2 * back_off, kLongestBackOff);
  }
}

bool LiveReader::reopen(const std::optional<LinkState>& state) {
  auto socket = interface_.open();
  if (!socket) {
    if (socket.error().why == RingSocket::Why::not_permitted) return state && kept_ && move_kept(*state);
    if (socket.error().why == RingSocket::Why::other) {
      interface_.trouble("the interface cannot be reopened: " + socket.error().cause);
    }
    return false;
  }
  link_index_ = state ? state->index : 0;
  auto ready = interface_.join(*socket, link_index_);
  if (ready) ready = socket->accept();
  if (!ready) {
    interface_.trouble(ready.error());
    return false;
  }
  begin_with(std::move(*socket), state);
  interface_.say("the interface was reopened; frames in between were not captured");
  return true;
}

bool LiveReader::move_kept(const LinkState& state) {
  auto ready = kept_->move_to(state.index);
  if (ready) ready = kept_->accept();
  if (!ready) {
    interface_.trouble(ready.error());
    return false;
  }
  interface_.see_moved(*kept_);
  interface_.captured_by_one();
  link_index_ = state.index;
  begin_with(std::move(*kept_), state);
  kept_.reset();
  interface_.say("the socket was bound to the interface again; frames in between were not captured");
  if (interface_.options().workers > 1) {
    interface_.say(
        "only one socket captures, because the daemon has dropped the privileges to open several; restart the daemon "
        "to divide the traffic among workers again");
  }
  return true;
}

void LiveReader::begin_with(RingSocket socket, const std::optional<LinkState>& state) {
  interface_.captured_by_rings(socket.time_source());
  socket_ = std::make_unique<RingSocket>(std::move(socket));
  handover_.clear(lane_, steady_clock::now());
  counted_ = {};
  read_ = 0;
  interface_.goes_on();
  interface_.socket_back();
  if (is_first_) interface_.see(state);
}

}  // namespace iwarpscope::capture
