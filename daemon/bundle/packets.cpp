// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "bundle/packets.h"

#include <fstream>
#include <tuple>
#include <utility>
#include <variant>

#include "analysis/payload_cut.h"
#include "capture/file_reader.h"
#include "net/decoder.h"
#include "outputs/pcapng_writer.h"

namespace iwarpscope::bundle {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10;  // octets that are written at once

/// Whether the packet is one of the connections; and whether it came in fragments.
struct Found {
  bool is_selected = false, is_fragmented = false;
};

Found found(const net::Decoding& decoded, const PacketSelection& selection) {
  if (const auto* tcp = std::get_if<net::TcpPacket>(&decoded)) {
    return {!selection.of || selection.of->has_tcp(net::stable_hash(tcp->flow())), tcp->fragmented};
  }
  if (const auto* sctp = std::get_if<net::SctpPacket>(&decoded)) {
    return {!selection.of || selection.of->has_sctp(sctp->source.port, sctp->destination.port, sctp->tap_group),
            sctp->fragmented};
  }
  return {!selection.of.has_value(), false};
}

/// Frames that the capture itself reports as missing.
std::uint64_t missing_frames(const capture::CaptureInfo& info) {
  std::uint64_t sum = 0;
  for (const capture::Interface& interface : info.interfaces) {
    sum += interface.dropped_by_interface.value_or(0) + interface.dropped_by_os.value_or(0) +
           interface.dropped_before_packets;
  }
  return sum;
}

class Copy {
 public:
  Copy(const PacketSelection& selection, const std::string& program, const std::string& to,
       outputs::PcapngWriter::Describe describe)
      : selection_(selection), writer_(program, std::move(describe)), file_(to, std::ios::binary) {}

  void take(const net::Frame& frame) {
    const net::Decoding decoded = decoder_.decode(frame);
    const Found its = found(decoded, selection_);
    if (!its.is_selected) return;
    net::Frame kept = frame;
    if (selection_.cut_payload) kept.octets = frame.octets.first(analysis::octets_without_payload(frame, decoded));
    const auto remark = selection_.comments.find(frame.number);
    const std::string_view comment =
        remark == selection_.comments.end() ? std::string_view{} : std::string_view{remark->second};
    const std::size_t most = outputs::PcapngWriter::most_octets(kept, comment);
    if (octets_ + most > PacketSelection::kMostOctets) {
      ++written_.left_out;
      return;
    }
    written_.fragmented += its.is_fragmented ? 1 : 0;
    const std::size_t before = out_.size();
    writer_.append(out_, kept, comment);
    octets_ += out_.size() - before;
    if (out_.size() >= kPiece) flush();
  }
  /// `missing`: frames of the capture. Returns whether all could be written.
  [[nodiscard]] bool finish(std::uint64_t missing) {
    writer_.finish(out_, missing + written_.left_out);
    flush();
    file_.close();
    written_.packets = writer_.frames();
    return !file_.fail();
  }
  [[nodiscard]] PacketsWritten& written() noexcept { return written_; }

 private:
  void flush() {
    file_.write(out_.data(), static_cast<std::streamsize>(out_.size()));
    out_.clear();
  }

  const PacketSelection& selection_;
  net::Decoder decoder_;
  outputs::PcapngWriter writer_;
  std::ofstream file_;
  std::string out_;
  std::uint64_t octets_ = 0;
  PacketsWritten written_;
};

}  // namespace

void Connections::add(const qp::QpRecord& record) {
  if (record.sctp_stream) {
    sctp_.insert({std::minmax(record.a.port, record.b.port), record.tap_group});
    return;
  }
  const bool is_ordered = record.a < record.b;
  const auto& [low, high] = is_ordered ? std::tie(record.a, record.b) : std::tie(record.b, record.a);
  tcp_.insert(net::stable_hash({.low = low, .high = high, .tap_group = record.tap_group}));
}

tl::expected<PacketsWritten, std::string> write_packets(const std::string& from, const PacketSelection& selection,
                                                        const std::string& program, const std::string& to,
                                                        const std::atomic<bool>* stop) {
  capture::ReaderOptions reading;
  reading.tap_groups = selection.tap_groups;
  auto reader = capture::FileReader::open(from, reading);
  if (!reader) return tl::unexpected(reader.error().text());
  // Named as there: the same tap groups separate them when the copy is analysed.
  Copy copy(selection, program, to, [&reader](std::uint32_t number) {
    const auto& all = reader->info().interfaces;
    return outputs::PcapngWriter::Described{number < all.size() ? all[number].name : std::string(), {}};
  });
  while (stop == nullptr || !*stop) {
    const auto batch = reader->next_batch();
    if (!batch) copy.written().damaged = batch.error().text();
    if (!batch || batch->empty()) break;
    for (const net::Frame& frame : *batch) copy.take(frame);
  }
  if (!copy.finish(missing_frames(reader->info()))) return tl::unexpected(to + ": cannot be written");
  return copy.written();
}

}  // namespace iwarpscope::bundle
