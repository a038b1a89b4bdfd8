// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Common parts of the session tests: a session that was fed the synthesiser's frames.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "session/session.h"
#include "support/analysis.h"
#include "synth/connection.h"

namespace iwarpscope::plugin {

using synth::kI;
using synth::kR;
inline constexpr std::size_t kUntagged = 18;  // octets of the DDP header, RFC 5041 §4.3

[[nodiscard]] inline std::string words(Octets octets) {
  return {reinterpret_cast<const char*>(octets.data()), octets.size()};
}

/// A session that was fed all frames of a connection, numbered from 1.
class Fed {
 public:
  explicit Fed(synth::Frames frames, const SessionOptions& options = {})
      : frames_(std::move(frames)), session(options) {
    for (std::size_t i = 0; i < frames_.size(); ++i) session.feed(test::frame_of(frames_[i], i + 1));
  }
  [[nodiscard]] Frame count() const { return static_cast<Frame>(frames_.size()); }
  [[nodiscard]] Octets octets(Frame number) const { return frames_[number - 1].octets; }
  [[nodiscard]] const Half& half(Direction d) const { return session.queue_pair(0)->half(d); }
  /// How often an item of this kind is shown, in all frames.
  [[nodiscard]] std::size_t shown(Item::Kind kind) const {
    std::size_t n = 0;
    for (Frame number = 1; number <= count(); ++number) {
      const FrameView view = session.frame(number);
      for (const auto items : {view.items, view.late}) {
        n += static_cast<std::size_t>(
            std::count_if(items.begin(), items.end(), [=](const Item& i) { return i.kind == kind; }));
      }
    }
    return n;
  }
  /// Codes of the findings that frame `number` shows only since the end of the capture.
  [[nodiscard]] std::vector<std::string> late(Frame number) const {
    std::vector<std::string> codes;
    for (const Item& item : session.frame(number).late) {
      if (item.kind != Item::Kind::finding) continue;
      codes.emplace_back(findings::rule(session.finding(item.index).id).code);
    }
    return codes;
  }

 private:
  synth::Frames frames_;

 public:
  Session session;
};

/// An established connection in the form that most tests need.
class Script : public synth::Connection {
 public:
  explicit Script(const synth::Startup& how = {}, synth::ConnectionOptions options = {})
      : Connection(std::move(options)) {
    connect();
    startup(how);
  }
};

}  // namespace iwarpscope::plugin
