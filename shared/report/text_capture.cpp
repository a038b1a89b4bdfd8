// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The head of the report for people: what was captured, and what is known to be missing.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "report/human.h"
#include "report/text_parts.h"
#include "report/utf8.h"

namespace iwarpscope::report {
namespace {

constexpr std::size_t kInterfacesShown = 4;

std::string interfaces_text(const std::vector<analysis::InterfaceInfo>& interfaces) {
  std::string text;
  for (std::size_t i = 0; i < interfaces.size() && i < kInterfacesShown; ++i) {
    text += ", " + to_printable(interfaces[i].link_type);
    if (interfaces[i].snap_length != 0) text += fmt::format(" (snap length {})", interfaces[i].snap_length);
  }
  if (interfaces.size() > kInterfacesShown) {
    text += fmt::format(" and {}", counted(interfaces.size() - kInterfacesShown, "more interface"));
  }
  return text;
}

std::string times_text(const analysis::CaptureRecord& record) {
  if (!record.first_time || !record.last_time) return "none";
  return fmt::format("{}, over {}", date_time(*record.first_time),
                     human_duration(elapsed_ns(*record.first_time, *record.last_time)));
}

/// The capture's own count of frames it dropped; empty when the file holds none.
std::optional<std::uint64_t> dropped(const std::vector<analysis::InterfaceInfo>& interfaces) {
  std::optional<std::uint64_t> sum;
  for (const analysis::InterfaceInfo& interface : interfaces) {
    if (interface.dropped) sum = sum.value_or(0) + *interface.dropped;
  }
  return sum;
}

/// What counts the frames that were dropped.
std::string_view reporter(const analysis::CaptureInfo& info) noexcept {
  return info.file_format == kLiveCapture ? "the daemon" : "the capture file";
}

/// Why the rest of the file is not in the report.
std::string stopped_text(const analysis::ReadingStopped& stopped, std::uint64_t frames) {
  using Why = analysis::ReadingStopped::Why;
  switch (stopped.why) {
    case Why::damaged: return fmt::format("damaged at octet {}; nothing after it was read", stopped.at);
    case Why::filter_failed:
      return fmt::format("the filter matches no frame after octet {}; nothing after it was read", stopped.at);
    case Why::interrupted:
      return fmt::format("interrupted after {}; nothing after that was read", counted(frames, "frame"));
  }
  return {};
}

/// `octets` of TCP streams in these frames are missing.
std::string cut_text(std::uint64_t frames, std::uint64_t octets) {
  const std::string text = counted(frames, "frame") + " cut short";
  return octets == 0 ? text : fmt::format("{} ({} of the streams)", text, human_octets(octets));
}

/// One phrase for each kind of octets that should be there and are not.
std::vector<std::string> losses(const analysis::CaptureRecord& record, const QpTotals& totals,
                                std::optional<std::uint64_t> only_qp) {
  std::vector<std::string> found;
  if (record.info.truncated_file) found.emplace_back("the file ends in the middle of a record");
  if (record.info.stopped) found.push_back(stopped_text(*record.info.stopped, record.frames));
  if (const auto drops = dropped(record.info.interfaces); drops.value_or(0) != 0) {
    found.push_back(fmt::format("{} dropped, as {} reports", counted(*drops, "frame"), reporter(record.info)));
  }
  if (record.truncated_frames != 0) found.push_back(cut_text(record.truncated_frames, totals.cut_octets));
  if (totals.unframed_qps != 0) {
    found.push_back(fmt::format("{} not read in {}, because the starts of FPDUs were cut off",
                                human_octets(totals.unframed_octets),
                                only_qp ? fmt::format("QP {}", *only_qp) : counted(totals.unframed_qps, "QP")));
  }
  if (totals.one_sided_qps != 0) {
    found.push_back("one direction of " +
                    (only_qp ? fmt::format("QP {}", *only_qp) : counted(totals.one_sided_qps, "QP")) + " not captured");
  }
  if (totals.gaps.any()) {
    found.push_back(fmt::format("capture gaps of {} in {}", gap_text(totals.gaps.octets, totals.gaps.messages),
                                only_qp ? fmt::format("QP {}", *only_qp) : counted(totals.gap_qps, "QP")));
  }
  return found;
}

std::string joined(const std::vector<std::string>& phrases) {
  std::string text;
  for (const std::string& phrase : phrases) {
    if (!text.empty()) text += "; ";
    text += phrase;
  }
  return text;
}

/// "2 connections refused (TCP reset or SCTP ABORT), first by 10.0.0.2:4420 in frame 7".
std::vector<std::string> failed_openings(const analysis::CaptureRecord& record) {
  std::vector<std::string> found;
  const auto failed = [&](const hosts::FailedOpenings& openings, std::string_view how) {
    if (openings.count == 0 || !openings.listener) return;
    found.push_back(fmt::format("{} {}, first by {} in frame {}", counted(openings.count, "connection"), how,
                                openings.listener->text(), openings.frame.value));
  };
  failed(record.refused, "refused (TCP reset or SCTP ABORT)");
  failed(record.unanswered, "never answered");
  return found;
}

void append_labelled(std::string& out, const Paint& paint, std::string_view label, const std::string& text) {
  out += wrapped(paint.bold(fmt::format("{:<9}", label)), std::string(9, ' '), text, paint.width());
}

std::string also_text(const analysis::CaptureRecord& record) {
  std::vector<std::string> found;
  if (record.undecoded_frames != 0)
    found.push_back(counted(record.undecoded_frames, "frame") + " could not be decoded");
  if (record.ip_fragments != 0) found.push_back(counted(record.ip_fragments, "IP fragment"));
  if (record.mirror_duplicates != 0) {
    found.push_back(fmt::format("{} seen twice (mirror duplicates)", counted(record.mirror_duplicates, "packet")));
  }
  for (std::string& openings : failed_openings(record)) found.push_back(std::move(openings));
  return joined(found);
}

}  // namespace

Gaps gaps_of(const qp::QpRecord& record) noexcept {
  Gaps sum;
  for (const qp::DirectionRecord& d : record.directions) {
    if (!d.captured) continue;
    sum.octets += d.capture_gap_octets;
    sum.messages += d.capture_gap_messages;
  }
  return sum;
}

void QpTotals::add(const qp::QpRecord& record) noexcept {
  ++qps;
  const Gaps lacks = gaps_of(record);
  gaps.octets += lacks.octets;
  gaps.messages += lacks.messages;
  gap_qps += lacks.any() ? 1 : 0;
  const auto& [a, b] = record.directions;
  for (const qp::DirectionRecord& d : record.directions) {
    cut_octets += d.cut_octets;
    unframed_octets += d.cut_framing ? d.unframed_octets : 0;
  }
  unframed_qps += a.cut_framing || b.cut_framing ? 1 : 0;
  one_sided_qps += !a.captured || !b.captured ? 1 : 0;
}

std::string losses_text(const analysis::CaptureRecord& record, const QpTotals& totals,
                        std::optional<std::uint64_t> only_qp) {
  return joined(losses(record, totals, only_qp));
}

std::string no_qp_text(const analysis::CaptureRecord& record, const RuleGroups& groups) {
  if (record.frames == 0) return "No frames: the capture is empty, or the filter lets none through.";
  if (record.undecoded_frames == record.frames) {
    return "No queue pair: not one frame could be decoded. The link type is not supported, or the capture is damaged.";
  }
  std::string text =
      "No queue pair: no TCP connection in this capture carries MPA, and no SCTP association carries DDP.";
  for (const std::string& openings : failed_openings(record)) text += " " + openings + ".";
  for (const auto& [id, group] : groups) {
    if (group.examples.empty() || group.examples.front().qp) continue;
    text += " " + to_printable(group.examples.front().text);
  }
  return text;
}

void append_capture_line(std::string& out, const Paint& paint, const analysis::CaptureRecord& record) {
  const bool has_time = record.first_time && record.last_time;
  const std::string over =
      has_time ? " over " + human_duration(elapsed_ns(*record.first_time, *record.last_time)) : std::string{};
  append_labelled(out, paint, "Capture",
                  fmt::format("{}: {}{}", to_printable(record.info.file), counted(record.frames, "frame"), over));
}

void append_result(std::string& out, const Paint& paint, const std::string& result, const std::string& losses) {
  append_labelled(out, paint, "Result", paint.bold(result));
  if (!losses.empty()) append_labelled(out, paint, "Losses", losses);
}

Facts capture_facts(const analysis::CaptureRecord& record, bool has_losses) {
  Facts facts{{"Format", to_printable(record.info.file_format) + interfaces_text(record.info.interfaces)},
              {"Frames", fmt::format("{}, {}", record.frames, human_octets(record.octets))},
              {"Time", times_text(record)}};
  if (!has_losses) {
    facts.emplace_back("Losses", dropped(record.info.interfaces)
                                     ? fmt::format("none known; {} reports 0 dropped frames", reporter(record.info))
                                     : std::string{"none known; the file has no count of dropped frames"});
  }
  if (std::string also = also_text(record); !also.empty()) facts.emplace_back("Also", std::move(also));
  return facts;
}

void append_capture(std::string& out, const Paint& paint, const analysis::CaptureRecord& record, bool has_losses) {
  for (const auto& [label, text] : capture_facts(record, has_losses)) append_labelled(out, paint, label, text);
}

}  // namespace iwarpscope::report
