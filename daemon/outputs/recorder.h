// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Recordings: the packets of one queue pair from before and after a finding, as a pcapng file.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "live/directory.h"
#include "live/packets.h"
#include "outputs/packet_ring.h"
#include "outputs/pcapng_writer.h"
#include "outputs/recording_quota.h"
#include "outputs/recordings_folder.h"
#include "outputs/sink.h"

namespace iwarpscope::outputs {

class RecordingFile;

struct RecorderOptions {
  RecordingsFolderOptions folder;                                          ///< its path is that of the whole run
  std::optional<findings::Severity> at_least = findings::Severity::error;  ///< findings that are recorded; empty: none
  std::vector<std::string> rules;              ///< names or codes: recorded whatever their severity
  std::vector<std::string> not_rules;          ///< never recorded
  std::chrono::seconds before{30}, after{10};  ///< by the capture's time
  std::chrono::seconds longest{600};           ///< of one recording, however many findings or requests prolong it
  std::chrono::seconds pause{300};  ///< a queue pair is not recorded again for a finding so soon after the last time
  RecordingQuotas quotas;           ///< of recordings for findings
  std::uint64_t most_file_octets = std::uint64_t{64} << 20;
  std::size_t most_at_once = 16;         ///< recordings that are being written
  std::chrono::seconds trouble_for{30};  ///< how long a recording that failed is reported, also if others succeeded
  std::chrono::milliseconds try_again_every{5000};  ///< whether there is room again
  std::string application = "iwarpscope";           ///< written into the files
};

/// Writes on a thread of its own what the ring keeps; a recording is "NAME.part" until it is complete. The frame of a
/// finding has the finding as its comment. Whatever is not recorded is counted.
class Recorder final : public live::Packets {
 public:
  struct Counts {
    std::uint64_t begun = 0, complete = 0, failed = 0;
    std::uint64_t not_begun = 0;   ///< findings: too many recordings at once
    std::uint64_t paused = 0;      ///< findings of a queue pair that was recorded for one a short time before
    std::uint64_t over_quota = 0;  ///< findings: of their rule or pair of hosts enough was recorded lately
    std::uint64_t missed = 0;      ///< packets that the ring gave up before they could be looked at
    /// Findings and requests whose recordings failed or were too many, and findings whose frame did not fit.
    std::uint64_t lost = 0;
  };

  /// Both must outlive it.
  Recorder(RecorderOptions options, const PacketRing& ring, live::Directory& directory);
  ~Recorder() override;  ///< stop()
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Uses these settings from now on, in the same folder. Recordings that are being written keep the size of their
  /// file. Any thread.
  void change(RecorderOptions options);
  /// Starts a recording if findings of this kind are recorded. Never waits. Any thread.
  void reported(const live::FindingView& finding);
  /// Completes what is being recorded with the packets that are there. Calling it again does nothing. One thread.
  void stop();

  [[nodiscard]] Answer<std::uint64_t> fetch(const live::PacketQuery& query,
                                            const std::function<bool(Octets)>& write) override;
  [[nodiscard]] Answer<void> visit(std::uint64_t qp, FrameNumber number, std::uint64_t before,
                                   const std::function<bool(const net::Frame&)>& visit) override;
  [[nodiscard]] Answer<std::string> record(std::uint64_t qp, const std::string& reason, unsigned seconds) override;
  [[nodiscard]] std::vector<live::Recording> recordings() override;
  [[nodiscard]] Counts counts() const;        ///< any thread
  [[nodiscard]] std::string trouble() const;  ///< a sentence; empty: none. Any thread

 private:
  class Active;
  struct Request;
  struct Settings;

  [[nodiscard]] std::shared_ptr<const Settings> settings() const;
  [[nodiscard]] static std::string comment_of(const findings::Finding& finding);
  [[nodiscard]] std::map<FrameNumber, std::string> comments_of(std::uint64_t qp) const;
  /// What a file says of the interfaces.
  [[nodiscard]] PcapngWriter::Describe described_interfaces() const;
  void run();
  [[nodiscard]] bool make_file(Request& request, const Settings& by);
  [[nodiscard]] std::unique_ptr<RecordingFile> new_file(const std::string& name, const Settings& by,
                                                        PcapngWriter::Describe described,
                                                        std::vector<std::string> comments = {}) const;
  void fill(Active& active, TimePoint earliest, bool is_over) const;
  void begin(Request& request);
  void follow();
  void complete(bool all, TimePoint newest, std::chrono::steady_clock::time_point now);
  void failed(std::string trouble, std::uint64_t lost);
  void try_again();
  /// Fails with a sentence when there is no such queue pair.
  [[nodiscard]] Answer<live::QpViewPtr> known_qp(std::uint64_t qp) const;
  [[nodiscard]] bool has_packets(std::uint64_t flow, TimePoint from, TimePoint to) const;

  const PacketRing& ring_;
  live::Directory& directory_;
  const std::string application_;

  // The recorder's thread only.
  std::chrono::steady_clock::time_point last_packet_ = std::chrono::steady_clock::now();  ///< when it came
  std::chrono::steady_clock::time_point tried_ = last_packet_;                            ///< try_again() did
  std::uint64_t next_ = 0;                                   ///< place in the ring up to which everything is looked at
  std::map<std::uint64_t, std::unique_ptr<Active>> active_;  ///< by queue pair
  RecordingQuota quota_;
  std::map<std::uint64_t, std::chrono::steady_clock::time_point> ended_;  ///< by queue pair; bounded

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<const Settings> settings_;  ///< never null; the pointer is under mutex_
  bool has_changed_ = false;                  ///< the settings did, and the thread has not seen it
  std::deque<Request> requests_;
  std::map<std::uint64_t, live::Recording> shown_;  ///< being written, or asked for; by queue pair
  Counts counts_;
  std::string trouble_;
  std::optional<std::chrono::steady_clock::time_point> failed_;  ///< when the last one did
  bool works_again_ = false;                                     ///< one was written since, or could be
  bool stopping_ = false;
  std::thread thread_;
};

/// Hands findings to a recorder.
class RecorderSink final : public Sink {
 public:
  /// `recorder` must outlive it.
  explicit RecorderSink(Recorder& recorder) : recorder_(recorder) {}
  [[nodiscard]] std::string_view name() const noexcept override { return "recorder"; }
  [[nodiscard]] live::Wanted wanted() const override;
  std::size_t take(const std::vector<live::Event>& events) override;
  [[nodiscard]] std::uint64_t lost_later() const noexcept override;
  [[nodiscard]] std::uint64_t not_begun() const noexcept override { return recorder_.counts().not_begun; }
  [[nodiscard]] std::uint64_t withheld() const noexcept override { return recorder_.counts().over_quota; }
  [[nodiscard]] std::string trouble() const override { return recorder_.trouble(); }

 private:
  Recorder& recorder_;
};

}  // namespace iwarpscope::outputs
