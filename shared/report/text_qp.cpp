// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One queue pair in detail, in the report for people.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/wording.h"
#include "emulation/advertised_limits.h"
#include "qp/direction_counters.h"
#include "report/human.h"
#include "report/qp_words.h"
#include "report/text_parts.h"
#include "ulp/private_data.h"

namespace iwarpscope::report {
namespace {

/// "Initiator" and "Responder" are known only when startup was.
std::string_view role(const qp::QpRecord& record, bool a) noexcept {
  switch (record.roles) {
    case qp::Roles::mpa:
      if (record.sctp_stream) return a ? "active side" : "passive side";
      return a ? "MPA Initiator" : "MPA Responder";
    case qp::Roles::tcp: return a ? "opened the TCP connection" : "accepted the TCP connection";
    case qp::Roles::address: return a ? "lower address" : "higher address";
  }
  return "";
}

std::string yes(std::optional<bool> value) {
  return !value ? "-" : *value ? "yes" : "no";
}

/// Lines of a label and two values below one another. The widest label decides the column of the values.
class Columns {
 public:
  Columns(std::string& out, const Paint& paint) : out_(out), paint_(paint) {}
  void head(std::string_view title, std::string_view first, std::string_view second) {
    lines_.push_back({true, std::string{title}, std::string{first}, std::string{second}});
  }
  void row(std::string_view label, const std::string& first, const std::string& second) {
    lines_.push_back({false, std::string{label}, first, second});
    label_ = std::max(label_, label.size() + 1);
  }
  void numbers(std::string_view label, std::uint64_t first, std::uint64_t second) {
    row(label, fmt::format("{}", first), fmt::format("{}", second));
  }
  void octets(std::string_view label, std::uint64_t first, std::uint64_t second) {
    row(label, human_octets(first), human_octets(second));
  }
  /// A line of its own.
  void sentence(std::string text) { lines_.push_back({false, std::move(text), {}, {}}); }
  /// Prints all of it.
  void print() {
    const std::size_t indent = label_ + 4;
    const std::size_t room = paint_.columns() > indent ? paint_.columns() - indent : 0;
    const std::size_t cell = std::max<std::size_t>(room / 2, 3) - 2;
    for (const Line& line : lines_) {
      if (line.first.empty()) {
        out_ += line.label + "\n";
      } else if (line.is_head) {
        out_ +=
            paint_.bold(fmt::format("  {:<{}}{:<{}}{}", line.label, label_ + 2, line.first, kCell, line.second)) + "\n";
      } else {
        print_row(line, indent, room, cell);
      }
    }
    lines_.clear();
  }

 private:
  struct Line {
    bool is_head;
    std::string label, first, second;
  };
  static constexpr std::size_t kCell = 24;

  /// A long value moves the next one along; where both do not fit, they are broken into lines side by side.
  void print_row(const Line& line, std::size_t indent, std::size_t room, std::size_t cell) {
    std::size_t width = std::max(kCell, line.first.size() + 2);
    std::vector<std::string> firsts{line.first}, seconds{line.second};
    if (width + line.second.size() > room) {
      width = std::min(kCell, cell + 2);
      if (line.first.size() + 2 > width) width = cell + 2;
      firsts = broken(line.first, width - 2);
      seconds = broken(line.second, room > width ? room - width : 1);
    }
    for (std::size_t i = 0; i < std::max(firsts.size(), seconds.size()); ++i) {
      const std::string first = i < firsts.size() ? firsts[i] : std::string{};
      const std::string second = i < seconds.size() ? seconds[i] : std::string{};
      out_ += fmt::format("{:<{}}", i == 0 ? "    " + line.label : std::string{}, indent);
      out_ += second.empty() ? first + "\n" : fmt::format("{:<{}}{}\n", first, width, second);
    }
  }
  /// Lines of at most `width` columns; a longer word is cut.
  static std::vector<std::string> broken(std::string_view text, std::size_t width) {
    std::vector<std::string> lines;
    const std::string whole = wrapped("", "", text, width);
    for (std::size_t at = 0; at < whole.size();) {
      const std::size_t end = whole.find('\n', at);
      for (; at < end; at += std::min(width, end - at)) lines.push_back(whole.substr(at, std::min(width, end - at)));
      ++at;
    }
    return lines;
  }

  std::string& out_;
  const Paint& paint_;
  std::vector<Line> lines_;
  std::size_t label_ = 24;
};

std::string private_data(const mpa::StartupFrame& frame) {
  return ulp::private_data_words(frame.private_data);
}

std::string offered_rtr(const std::optional<mpa::EnhancedData>& data) {
  if (!data) return "-";
  std::string text;
  const auto add = [&](bool on, std::string_view kind) {
    if (on) text += text.empty() ? std::string{kind} : fmt::format(", {}", kind);
  };
  add(data->rtr_send, "Send");
  add(data->rtr_write, "Write");
  add(data->rtr_read, "Read");
  return text.empty() ? "none" : text;
}

void append_startup(Columns& columns, const qp::QpRecord& record) {
  const std::optional<qp::StartupRecord>& startup = record.startup;
  const bool over_sctp = record.sctp_stream.has_value();
  if (!startup || (!startup->request && !startup->reply)) {
    columns.sentence(over_sctp ? "  The session's startup was not seen" : "  MPA startup was not seen");
    return;
  }
  const auto row = [&](std::string_view label, auto&& text) {
    columns.row(label, startup->request ? text(*startup->request) : std::string{"not seen"},
                startup->reply ? text(*startup->reply) : std::string{"not seen"});
  };
  using Frame = mpa::StartupFrame;
  const auto depths = [](const Frame& f) { return f.enhanced ? f.enhanced : f.legacy; };
  if (over_sctp) {
    columns.head("Session startup", "Initiate (from A)", "Answer (from B)");
  } else {
    columns.head("MPA startup", "Request (from A)", "Reply (from B)");
  }
  row("frame", [](const Frame& f) { return fmt::format("{}", f.frame.value); });
  if (over_sctp) {
    row("function code", [](const Frame& f) { return fmt::format("{}", f.function_code); });
    row("rejects", [](const Frame& f) { return yes(f.rejected); });
    row("enhanced", [](const Frame& f) { return yes(f.enhanced_flag); });
  } else {
    row("revision", [](const Frame& f) { return fmt::format("{}", f.revision); });
    row("wants markers (M)", [](const Frame& f) { return yes(f.markers); });
    row("wants CRC (C)", [](const Frame& f) { return yes(f.crc); });
    row("rejects (R)", [](const Frame& f) { return yes(f.rejected); });
    row("enhanced (S)", [](const Frame& f) { return yes(f.enhanced_flag); });
  }
  row("IRD", [&](const Frame& f) { return depths(f) ? depth_text(depths(f)->ird) : std::string{"-"}; });
  row("ORD", [&](const Frame& f) { return depths(f) ? depth_text(depths(f)->ord) : std::string{"-"}; });
  row("peer-to-peer (A)",
      [](const Frame& f) { return yes(f.enhanced ? std::optional{f.enhanced->peer_to_peer} : std::nullopt); });
  row("offers RTR", [](const Frame& f) { return offered_rtr(f.enhanced); });
  row("private data", private_data);
  if (startup->request && startup->reply) {
    columns.sentence(fmt::format("    the {} came {} after the {}", over_sctp ? "answer" : "Reply",
                                 human_duration(elapsed_ns(startup->request->time, startup->reply->time)),
                                 over_sctp ? "Initiate" : "Request"));
  }
  if (startup->rtr) {
    columns.sentence(fmt::format("    RTR: {} in frame {}", startup->rtr->kind, startup->rtr->frame.value));
  }
}

void append_settings(Columns& columns, const qp::QpRecord& record) {
  const auto depth = [](std::optional<std::uint16_t> d) { return d ? depth_text(*d) : std::string{"unknown"}; };
  const auto version = [](std::optional<std::uint8_t> v) { return v ? fmt::format("{}", *v) : std::string{"unknown"}; };
  const std::string crc = setting_text(record.crc_in_use, record.crc_inferred);
  columns.head("In use", "A -> B", "B -> A");
  if (!record.sctp_stream) {
    columns.row("CRC", crc, crc);
    columns.row("markers", setting_text(record.markers[0], record.markers_inferred),
                setting_text(record.markers[1], record.markers_inferred));
  }
  columns.row("limit of RDMA Reads", depth(record.read_depth[0]), depth(record.read_depth[1]));
  columns.row("DDP, RDMAP version", fmt::format("{}, {}", version(record.ddp_version), version(record.rdmap_version)),
              "the same");
}

std::string crc_text(const qp::DirectionRecord& d) {
  return fmt::format("{}, {}, {}", d.crc_ok, d.crc_bad, d.crc_unjudged);
}

/// For the requests of `direction`; `other` has their responses.
std::string most_reads(const qp::DirectionRecord& direction, const qp::DirectionRecord& other) {
  if (direction.max_outstanding_reads == 0 || other.captured) return fmt::format("{}", direction.max_outstanding_reads);
  return fmt::format("at least {}", direction.max_outstanding_reads);
}

/// How often and how long all the reads that the startup allows were outstanding.
std::string at_limit(const qp::QpRecord& record, const qp::DirectionRecord& direction) {
  if (!direction.read_credit || direction.read_credit->reads.times_at_limit == 0) return "-";
  const qp::CreditUse& reads = direction.read_credit->reads;
  std::string text =
      fmt::format("{} for {}", reads.times_at_limit == 1 ? "once" : fmt::format("{} times", reads.times_at_limit),
                  human_duration(reads.at_limit_ns));
  const std::int64_t whole = elapsed_ns(record.first_time, record.last_time);
  if (whole > 0) {
    text += fmt::format(" ({})", percent(static_cast<double>(reads.at_limit_ns), static_cast<double>(whole)));
  }
  if (reads.over_limit != 0) text += fmt::format(", {} above it", reads.over_limit);
  return text;
}

using Part = qp::DirectionCounter::Part;

/// The counters of one part that have a meaning over this transport.
void append_part(Columns& columns, const qp::QpRecord& record, Part part) {
  using Transport = qp::DirectionCounter::Transport;
  const bool over_sctp = record.sctp_stream.has_value();
  const auto& [a, b] = record.directions;
  for (const qp::DirectionCounter& counter : qp::kDirectionCounters) {
    const bool is_absent = counter.transport == (over_sctp ? Transport::tcp : Transport::sctp);
    if (counter.part != part || is_absent) continue;
    if (part == Part::dropped && a.*counter.member + b.*counter.member == 0) continue;
    const std::string_view label =
        over_sctp && !counter.label_over_sctp.empty() ? counter.label_over_sctp : counter.label;
    const auto line = counter.unit == qp::DirectionCounter::Unit::octets ? &Columns::octets : &Columns::numbers;
    (columns.*line)(label, a.*counter.member, b.*counter.member);
  }
}

std::string gaps_text(const qp::DirectionRecord& d, bool over_sctp) {
  if (!d.captured) return "not captured";
  return over_sctp ? counted(d.capture_gap_messages, "message") : human_octets(d.capture_gap_octets);
}

std::string waited_text(const qp::HeadOfLineRecord& waited) {
  if (waited.messages == 0) return "-";
  return fmt::format("{}, {} at most, {} in all", waited.messages, human_duration(waited.largest_ns),
                     human_duration(waited.total_ns));
}

void append_opcodes(Columns& columns, const qp::QpRecord& record) {
  const auto& [a, b] = record.directions;
  columns.head("Messages, ULP payload", "A -> B", "B -> A");
  const auto cell = [](const qp::DirectionRecord& d, std::size_t i) {
    return d.messages[i] == 0 ? std::string{"-"}
                              : fmt::format("{}, {}", d.messages[i], human_octets(d.payload_octets[i]));
  };
  for (std::size_t i = 0; i < rdmap::kOpcodes; ++i) {
    if (a.messages[i] + b.messages[i] == 0) continue;
    columns.row(rdmap::title(static_cast<rdmap::Opcode>(i)), cell(a, i), cell(b, i));
  }
}

/// ULP payload in the time between the first and the last frame.
std::string rate_text(const qp::QpRecord& record, const qp::DirectionRecord& d) {
  const double seconds = static_cast<double>(elapsed_ns(record.first_time, record.last_time)) / 1e9;
  const std::uint64_t octets = payload_octets(d);
  if (octets == 0 || seconds <= 0) return "-";
  return human_rate(static_cast<double>(octets) / seconds);
}

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  return part == 0 || whole == 0 ? "-" : percent(static_cast<double>(part), static_cast<double>(whole));
}

void append_speed(Columns& columns, const qp::QpRecord& record) {
  const auto& [a, b] = record.directions;
  columns.head("Speed", "A -> B", "B -> A");
  columns.row("ULP payload", rate_text(record, a), rate_text(record, b));
  columns.row("sent again, of octets", share_text(a.retransmitted_octets, a.stream_octets),
              share_text(b.retransmitted_octets, b.stream_octets));
  const auto lost = [](const qp::DirectionRecord& d) {
    return share_text(d.capture_gap_octets, d.stream_octets + d.capture_gap_octets);
  };
  if (lost(a) != "-" || lost(b) != "-") columns.row("lost by the capture", lost(a), lost(b));
  if (at_limit(record, a) != "-" || at_limit(record, b) != "-") {
    columns.row("reads at their limit", at_limit(record, a), at_limit(record, b));
  }
  if (a.head_of_line.messages + b.head_of_line.messages != 0) {
    columns.row("held back by a hole", waited_text(a.head_of_line), waited_text(b.head_of_line));
  }
}

void append_counters(Columns& columns, const qp::QpRecord& record) {
  const auto& [a, b] = record.directions;
  const bool over_sctp = record.sctp_stream.has_value();
  columns.head("Counters", "A -> B", "B -> A");
  append_part(columns, record, Part::transport);
  columns.row("capture gaps", gaps_text(a, over_sctp), gaps_text(b, over_sctp));
  append_part(columns, record, Part::missing);
  append_part(columns, record, Part::dropped);
  append_part(columns, record, Part::framing);
  if (!over_sctp) columns.row("CRC ok, bad, unjudged", crc_text(a), crc_text(b));
  append_part(columns, record, Part::markers);
  append_part(columns, record, Part::segments);
  columns.row("most reads outstanding", most_reads(a, b), most_reads(b, a));
  append_part(columns, record, Part::messages);
  append_opcodes(columns, record);
}

std::string spread(std::vector<std::int64_t> values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const std::int64_t least = *low, most = *high;
  return fmt::format("{} / {} / {} / {}", human_duration(least), human_duration(at_percentile(values, 50)),
                     human_duration(at_percentile(values, 99)), human_duration(most));
}

void append_latency(std::string& out, std::string_view kind, Direction direction, const Latencies& latencies,
                    bool responses_captured) {
  if (latencies.answered + latencies.unanswered == 0) return;
  if (!responses_captured) {
    out += fmt::format("    {} {}: {}, responses not captured\n", direction_text(direction), kind,
                       latencies.answered + latencies.unanswered);
    return;
  }
  out += fmt::format("    {} {}: {} answered, {} not\n", direction_text(direction), kind, latencies.answered,
                     latencies.unanswered);
  if (latencies.last_octet.empty()) return;
  out += fmt::format("      to the first octet    {}\n", spread(latencies.first_octet));
  out += fmt::format("      to the last octet     {}\n", spread(latencies.last_octet));
  if (latencies.answered > latencies.last_octet.size()) {
    out += fmt::format("      (of the first {})\n", latencies.last_octet.size());
  }
}

/// "0x00012301 of B: frame 8, announced; written, read; TO 0x... to 0x...; invalidated in frame 12".
std::string stag_text(const qp::StagUse& s) {
  std::string text = fmt::format("0x{:08x} of {}: frame {}", s.stag.value, s.owner == Direction::a_to_b ? "B" : "A",
                                 s.first_frame.value);
  if (s.announced_frame) text += fmt::format(", announced in frame {}", s.announced_frame->value);
  std::string_view between = "; ";
  for (const auto& [is, word] : {std::pair{s.written, "written"}, std::pair{s.read, "read"},
                                 std::pair{s.atomic, "atomics"}, std::pair{s.read_sink, "sink of reads"}}) {
    if (!is) continue;
    text += between;
    text += word;
    between = ", ";
  }
  if (s.begin != s.end) text += fmt::format("; TO 0x{:016x} to 0x{:016x}", s.begin, s.end);
  if (s.invalidated_frame) text += fmt::format("; invalidated in frame {}", s.invalidated_frame->value);
  return text;
}

void append_stags(std::string& out, const Paint& paint, const qp::QpRecord& record) {
  if (record.stags.empty()) return;
  out += paint.bold("  STags, in the order of their first frame") + "\n";
  for (const qp::StagUse& s : record.stags) out += wrapped("    ", "      ", stag_text(s), paint.width());
  if (record.stags_known > record.stags.size()) {
    out += fmt::format("    and {} more\n", record.stags_known - record.stags.size());
  }
}

}  // namespace

std::int64_t at_percentile(std::vector<std::int64_t>& values, std::size_t percentile) {
  const std::size_t rank = (values.size() * percentile + 99) / 100;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

std::string setting_text(std::optional<bool> setting, bool inferred) {
  if (!setting) return "unknown";
  return fmt::format("{}{}", *setting ? "on" : "off", inferred ? " (inferred)" : "");
}

void append_qp(std::string& out, const Paint& paint, const qp::QpRecord& record, const QpLatencies& latencies) {
  out += paint.bold(fmt::format("QP {}", record.qp)) + "\n";
  out += fmt::format("  A: {}, {}\n", record.a.text(), role(record, true));
  out += fmt::format("  B: {}, {}\n", record.b.text(), role(record, false));
  if (record.sctp_stream) out += fmt::format("  A DDP stream session over SCTP, stream {}\n", *record.sctp_stream);
  const auto line = [&](const std::string& text) { out += wrapped("  ", "    ", text, paint.width()); };
  line(fmt::format("State: {}; {}; ULP {}", state_text(record),
                   record.joined_midstream ? "joined mid-stream" : "startup captured", record.ulp.value_or("unknown")));
  line(fmt::format("Frames {} to {}, {}, over {}", record.first_frame.value, record.last_frame.value,
                   date_time(record.first_time), human_duration(elapsed_ns(record.first_time, record.last_time))));
  if (record.verdict) append_verdict(out, paint, record);
  if (const auto limits = emulation::advertised_limits(record)) {
    out += wrapped("  Upper layer: ", "    ", limits->sentence, paint.width());
  }
  Columns columns(out, paint);
  append_startup(columns, record);
  append_settings(columns, record);
  append_speed(columns, record);
  append_counters(columns, record);
  columns.print();
  append_stags(out, paint, record);
  std::string measured;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const bool captured = record.directions[index(opposite(d))].captured;
    append_latency(measured, "RDMA Reads", d, latencies.reads[index(d)], captured);
    append_latency(measured, "Atomic Requests", d, latencies.atomics[index(d)], captured);
  }
  if (!measured.empty()) {
    out += paint.bold("  Latency from the request's last octet: shortest / p50 / p99 / longest") + "\n" + measured;
  }
}

}  // namespace iwarpscope::report
