// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "bundle/contents.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/wording.h"
#include "bundle/zip_file.h"
#include "live/qp_json.h"
#include "live/views.h"
#include "outputs/lines.h"
#include "outputs/pcapng_writer.h"
#include "report/human.h"
#include "report/incidents.h"
#include "report/utf8.h"

namespace iwarpscope::bundle {
namespace {

constexpr const char* kHtml = "report.html";
constexpr const char* kJson = "report.json";
constexpr const char* kEvents = "events.jsonl";
constexpr const char* kPackets = "packets.pcapng";
constexpr const char* kReadme = "README.txt";

report::Sink into(std::ofstream& file) {
  return [&file](std::string_view octets) { file.write(octets.data(), static_cast<std::streamsize>(octets.size())); };
}

std::string_view cut_text(bool is_cut) noexcept {
  if (!is_cut) return "Packets are complete as captured: they may contain data of the applications.";
  return "Each packet ends before its first octet of ULP payload or private data (--cut-payload). What comes after "
         "that "
         "octet in the same packet is cut off as well. The headers of Ethernet, IP, TCP or SCTP, MPA, DDP and RDMAP "
         "before it are kept; packets in which FPDUs cannot be found with certainty keep no octet of the TCP stream. "
         "The other files "
         "still show the private data of the startup, and values that findings quote.";
}

}  // namespace

tl::expected<TemporaryFolder, std::string> TemporaryFolder::make() {
  std::error_code error;
  std::string path = (std::filesystem::temp_directory_path(error) / "iwarpscope-bundle-XXXXXX").string();
  if (error || ::mkdtemp(path.data()) == nullptr) {
    return tl::unexpected("no temporary folder: " + (error ? error.message() : std::generic_category().message(errno)));
  }
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

Contents::Contents(const Request& request, const TemporaryFolder& folder, report::HtmlOptions html)
    : request_(request),
      folder_(folder),
      html_file_(folder.file(kHtml), std::ios::binary),
      json_file_(folder.file(kJson), std::ios::binary),
      html_(into(html_file_), std::move(html)),
      json_(into(json_file_)) {}

void Contents::message(const qp::MessageRecord& record) {
  if (!is_of_others(record.qp)) html_.message(record);
}

void Contents::finding(const findings::Finding& finding) {
  if (is_of_others(finding.qp)) return;
  html_.finding(finding);
  json_.finding(finding);
  if (!finding.qp) return;
  live::FindingView view = std::exchange(next_finding_, std::nullopt).value_or(live::FindingView{});
  view.finding = finding;
  if (findings_.size() < kFindings) {
    findings_.push_back(std::move(view));
  } else {
    ++findings_left_out_;
  }
}

void Contents::capture(const analysis::CaptureRecord& record) {
  file_ = record.info.file;
  html_.capture(record);
  json_.capture(record);
}

void Contents::qp(const qp::QpRecord& record) {
  if (is_of_others(record.qp)) return;
  html_.qp(record);
  json_.qp(record);
  const bool is_bad =
      record.verdict && report::badness(record.verdict->outcome, report::first_error(record).has_value()) != 0;
  if (!request_.qp && !is_bad) return;
  if (qps_.size() >= kQps) {
    ++qps_left_out_;
    return;
  }
  live::QpView view = std::exchange(next_qp_, std::nullopt).value_or(live::QpView{});
  view.record = record;
  qps_.emplace(record.qp, std::move(view));
  connections_.add(record);
}

void Contents::summary(const analysis::SummaryRecord& record) {
  html_.summary(record);
  json_.summary(record);
}

std::map<FrameNumber, std::string> Contents::comments() const {
  std::map<FrameNumber, std::string> comments;
  if (request_.cut_payload) return comments;  // they may quote data
  for (const live::FindingView& view : findings_) {
    const findings::Finding& finding = view.finding;
    if (!qps_.contains(*finding.qp)) continue;
    std::string& all = comments[finding.frame];
    if (all.size() > outputs::PcapngWriter::kMostComment) continue;
    const findings::Rule& rule = findings::rule(finding.id);
    all += fmt::format("{}{} {} ({}): {}", all.empty() ? "" : "\n", rule.code, rule.name, findings::name(rule.severity),
                       finding.text);
  }
  return comments;
}

void Contents::write_events() {
  std::ofstream file(folder_.file(kEvents), std::ios::binary);
  std::string out;
  for (live::FindingView& view : findings_) {
    const auto its = qps_.find(*view.finding.qp);
    if (its == qps_.end()) continue;
    view.ends = std::pair{its->second.record.a, its->second.record.b};
    outputs::append_finding(out, view);
    if (out.size() >= report::kSinkChunk) file << std::exchange(out, {});
  }
  for (const auto& [number, view] : qps_) {
    view.name.origin ? live::append_json(out, view) : report::append_json(out, view.record);
    if (out.size() >= report::kSinkChunk) file << std::exchange(out, {});
  }
  file << out;
}

void Contents::write_readme(const PacketsWritten& packets) {
  std::string text =
      fmt::format("Incident bundle of {}\nMade by {}.\n\n", report::to_printable(file_), request_.program);
  const std::string what = request_.qp ? fmt::format("QP {}", *request_.qp)
                                       : fmt::format("{} that did not end well", counted(qps_.size(), "queue pair"));
  std::string frames = "Frame numbers in the other files are those of the whole capture; compare times.";
  if (!request_.cut_payload) frames += " The comment of a packet names its findings.";
  const auto add = [&](const char* name, const std::string& content) {
    text += report::wrapped(fmt::format("{:<16}", name), std::string(16, ' '), content);
  };
  add(kHtml, "The report for people: open it in a web browser. It needs no other file and no network.");
  add(kJson,
      request_.qp
          ? fmt::format("The records of {} as JSON Lines, as \"iwarpscope analyze --format json\" prints them.", what)
          : "All records as JSON Lines, as \"iwarpscope analyze --format json\" prints them.");
  add(kPackets, fmt::format("{} of {}: open it in Wireshark, or with \"iwarpscope analyze\". {} {}",
                            counted(packets.packets, "packet"), what, frames, cut_text(request_.cut_payload)));
  add(kEvents, fmt::format("The findings and the last record of {}, as the daemon's event log writes them.", what));
  if (!remarks_.empty()) text += "\nWhat is missing:\n";
  for (const std::string& remark : remarks_) text += report::wrapped("- ", "  ", report::to_printable(remark));
  std::ofstream(folder_.file(kReadme), std::ios::binary) << text;
}

tl::expected<Result, std::string> Contents::finish(const PacketsWritten& packets) {
  if (!request_.qp && qps_.empty())
    remark("Every queue pair ended well, so there are no packets: choose one with --qp.");
  if (qps_left_out_ != 0) {
    remark(fmt::format("Packets and log lines of {} are left out: a bundle has those of at most {}.",
                       counted(qps_left_out_, "more queue pair"), kQps));
  }
  if (findings_left_out_ != 0) {
    remark(fmt::format("{} and their log lines are left out of {}; {} has them.",
                       counted(findings_left_out_, "finding"), kEvents, kJson));
  }
  if (packets.left_out != 0) {
    remark(fmt::format("{} left out of {}: it would have become larger than {}.", counted(packets.left_out, "packet"),
                       kPackets, report::human_octets(PacketSelection::kMostOctets)));
  }
  if (packets.fragmented != 0) {
    remark(fmt::format("{} came as several IP fragments: only the last fragment of each is in {}.",
                       counted(packets.fragmented, "packet"), kPackets));
  }
  if (!packets.damaged.empty()) remark(packets.damaged);
  write_events();
  write_readme(packets);
  html_file_.close();
  json_file_.close();
  if (html_file_.fail() || json_file_.fail())
    return tl::unexpected(std::string{"the files of the bundle cannot be written"});
  std::vector<ZipMember> members;
  for (const char* name : {kReadme, kHtml, kJson, kPackets, kEvents}) {
    std::error_code error;
    const std::string path = folder_.file(name);
    if (std::filesystem::exists(path, error)) members.push_back({name, path});
  }
  if (std::string trouble = write_zip(request_.output, members, request_.made, request_.stop); !trouble.empty()) {
    return tl::unexpected(std::move(trouble));
  }
  return Result{qps_.size(), packets.packets, remarks_};
}

}  // namespace iwarpscope::bundle
