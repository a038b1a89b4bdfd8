// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Writes the script of one case: how the connection is set up, what the two ends say, and who is at fault.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "synth/options.h"
#include "synth/random.h"

namespace iwarpscope::truth {

using synth::Side;

/// Who is at fault in a case. `none`: nothing went wrong, or nothing that an end has to handle.
enum class Culprit : std::uint8_t { initiator, responder, path, none };
inline constexpr std::size_t kCulprits = 4;
[[nodiscard]] std::string_view name(Culprit culprit) noexcept;

/// How the connection begins. midstream: the capture begins after the startup.
enum class Start : std::uint8_t { rev1, rev2, rtr_send, rtr_write, rtr_read, midstream };
/// What network and capture do to packets. skew: the frames of one direction have a clock of their own. early_end,
/// late_start: the capture lacks what comes before or after. snapped: it holds the first octets of each frame.
enum class Network : std::uint8_t {
  clean,
  loss,
  reordered,
  duplicates,
  damage,
  skew,
  holes,
  one_direction,
  mixed,
  early_end,
  late_start,
  snapped,
};
inline constexpr std::size_t kNetworks = 12;
/// Whether the capture holds every octet of every packet that arrived.
[[nodiscard]] constexpr bool holds_all(Network network) noexcept {
  return network < Network::holes;
}
[[nodiscard]] std::string_view name(Start start) noexcept;
[[nodiscard]] std::string_view name(Network network) noexcept;

struct Setting {
  bool sctp = false;
  Start start = Start::rev1;
  bool markers_of_culprit = false, markers_of_peer = false;  ///< in the FPDUs that this side sends
  bool crc = true;
  Network network = Network::clean;
  Side culprit = Side::initiator;
  std::int64_t skew_ns = 0;          ///< added to the times of the Responder's frames
  std::string_view fill = "random";  ///< the octets of payloads
  unsigned cut_permille = 0;         ///< of the frames, that early_end or late_start takes away
};

/// What is so, and what a tap can know of it.
struct Truth {
  Culprit culprit = Culprit::none;
  unsigned also = 0;         ///< a bit for each other Culprit that the same packets could have
  bool undecidable = false;  ///< no tap can tell which of them it is: nothing about it is certain
  bool harmless = false;     ///< the receiver need not care: a verdict without blame is right as well
};
[[nodiscard]] constexpr unsigned bit(Culprit c) noexcept {
  return 1U << static_cast<unsigned>(c);
}

/// The three octets of a Terminate that say why. Source: RFC 5040 §4.8, RFC 6580 §3.
struct Code {
  unsigned layer, type, code;
};

class Stage {
 public:
  Stage(const Setting& setting, std::uint64_t seed) : setting_(setting), random_(seed) {}

  [[nodiscard]] const Setting& setting() const { return setting_; }
  [[nodiscard]] synth::Random& random() { return random_; }
  [[nodiscard]] char culprit() const { return setting_.culprit == Side::initiator ? 'a' : 'b'; }
  [[nodiscard]] char peer() const { return setting_.culprit == Side::initiator ? 'b' : 'a'; }
  [[nodiscard]] bool one_of(unsigned count) { return random_.below(count) == 0; }

  /// One line of the script; {c} is not replaced, arguments are.
  template <class... Args>
  void say(fmt::format_string<Args...> line, Args&&... args) {
    script_ += fmt::format(line, std::forward<Args>(args)...) + '\n';
  }
  /// A setting, before the first packet.
  template <class... Args>
  void before(fmt::format_string<Args...> line, Args&&... args) {
    settings_ += fmt::format(line, std::forward<Args>(args)...) + '\n';
  }

  // ---- what most scenes have in common ----
  void connect();
  /// Connection, startup as the setting says, and a few messages.
  void open();
  /// Messages of both ends that are right.
  void talk(std::uint64_t count);
  /// How the peer of the culprit meets a fault that it refuses: a Terminate with one of the codes, or without one a
  /// reset, a close, or silence; or it does nothing, and the culprit ends the connection. No code: without a Terminate.
  void refuse(const std::vector<Code>& codes);
  /// The peer does nothing. The culprit waits, perhaps for an answer, and then resets, closes or closes its side.
  void ends_itself();
  void terminate(char side, Code code);
  /// What the culprit sends before it learns that it was refused.
  void send_on();
  /// What follows a Terminate of `side`.
  void end_after_terminate(char side);
  /// An end in order, a reset of the end that spoke last, or none.
  void finish();
  void reset(char side) { say("flush; {} {}", setting_.sctp ? "abort" : "reset", side); }
  void close(char side) { say("flush; close {}", side); }
  /// Nothing for so long; the capture ends after it.
  void silence(unsigned seconds);

  // ---- the truth ----
  void blame(Culprit culprit, unsigned also = 0) { truth_.culprit = culprit, truth_.also = also; }
  /// The end that the setting chose.
  void blame_culprit(unsigned also = 0) { blame(of(culprit()), also); }
  /// The same packets come of another fault, too.
  void cannot_be_decided() { truth_.undecidable = true; }
  void harmless() { truth_.harmless = true; }
  /// What is done to the fault in this case, for the tables.
  void reaction(std::string_view what) { reaction_ = what; }

  [[nodiscard]] static constexpr Culprit of(char side) { return side == 'a' ? Culprit::initiator : Culprit::responder; }
  [[nodiscard]] const Truth& truth() const { return truth_; }
  [[nodiscard]] const std::string& reaction() const { return reaction_; }
  [[nodiscard]] std::string script() const { return settings_ + script_; }

 private:
  void impair();
  void pack();
  void startup();
  void message();
  [[nodiscard]] bool markers(char side) const {
    return side == culprit() ? setting_.markers_of_culprit : setting_.markers_of_peer;
  }

  Setting setting_;
  synth::Random random_;
  std::string settings_, script_;
  Truth truth_;
  std::string reaction_ = "none";
  unsigned words_ = 0;
};

}  // namespace iwarpscope::truth
