// What a script says of any transport: two ends, the network between them and the tap on it.
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
  /// An acknowledgement alone.
  virtual void acknowledge(Side side) = 0;
  /// Sends what packing holds, and what was lost again.
  virtual void flush() = 0;
  /// Lets time pass. Nanoseconds.
  void wait(std::int64_t ns) { clock_->now_ns += ns; }

  // ---- network and tap ----
  /// Befalls a packet with payload.
  virtual void channel(Side side, Effect effect, EffectOptions options = {}) = 0;
  void impair(const Impairment& impairment) { dice_.use(impairment); }
  /// Turns the capture off (what is sent is received but not seen) and on again.
  void capture(bool on) {
    flush();
    capturing_ = on;
  }
  /// Captures only what this side sends.
  void capture_only(Side side) { only_ = side; }

  // ---- results ----
  /// All frames so far, in order of the tap. Flushes; what was lost is retransmitted first.
  [[nodiscard]] virtual Frames frames() = 0;
  void save(const std::string& path, const FileOptions& options = {}) { synth::save(frames(), path, options); }
  /// Frames go here as they are seen instead of being kept.
  void sink(std::function<void(Frame&&)> sink) { sink_ = std::move(sink); }

  // ---- state that tests compare with ----
  [[nodiscard]] const ConnectionOptions& options() const { return options_; }
  [[nodiscard]] Path& path() { return framer_.path(); }
  /// The clock: the time of the packet last sent. Nanoseconds.
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
