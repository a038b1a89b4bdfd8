// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The calls of a script that are common to all transports: two ends, the network between them and the tap on it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "synth/channel.h"
#include "synth/frame.h"
#include "synth/options.h"
#include "synth/wire/capture_file.h"

namespace iwarpscope::synth {

class Conversation {
 public:
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;
  virtual ~Conversation() = default;

  /// The transport's handshake. Without it the capture has joined mid-stream.
  virtual void connect() = 0;
  /// Only an acknowledgment.
  virtual void acknowledge(Side side) = 0;
  /// Sends held data, and retransmits lost data.
  virtual void flush() = 0;
  /// Lets time pass. Nanoseconds.
  void wait(std::int64_t ns) { clock_->now_ns += ns; }

  // ---- network and tap ----
  /// Applies to a packet with payload.
  virtual void channel(Side side, Effect effect, EffectOptions options = {}) = 0;
  void impair(const Impairment& impairment) { dice_.use(impairment); }
  /// Turns the capture off (sent packets are received but not captured) and on again.
  void capture(bool on) {
    flush();
    capturing_ = on;
  }
  /// Captures only what this side sends.
  void capture_only(Side side) { only_ = side; }

  // ---- results ----
  /// All frames so far, in the order of the tap. Flushes; lost data is retransmitted first.
  [[nodiscard]] virtual Frames frames() = 0;
  void save(const std::string& path, const FileOptions& options = {}) { synth::save(frames(), path, options); }
  /// Frames are passed to this function when they are captured, instead of being stored.
  void sink(std::function<void(Frame&&)> sink) { sink_ = std::move(sink); }

  // ---- state that tests compare with ----
  [[nodiscard]] const ConnectionOptions& options() const { return options_; }
  [[nodiscard]] Path& path() { return framer_.path(); }
  /// The clock: the time of the last packet. Nanoseconds.
  [[nodiscard]] std::int64_t now_ns() const { return clock_->now_ns; }

 protected:
  explicit Conversation(ConnectionOptions options)
      : options_(std::move(options)),
        clock_(options_.clock != nullptr ? options_.clock : &own_clock_),
        framer_(options_.path) {}
  [[nodiscard]] bool sees(Side sender) const { return capturing_ && (!only_ || *only_ == sender); }

  ConnectionOptions options_;
  Clock own_clock_;
  Clock* clock_;
  Framer framer_;
  Dice dice_;
  std::function<void(Frame&&)> sink_;

 private:
  std::optional<Side> only_;
  bool capturing_ = true;
};

}  // namespace iwarpscope::synth
