// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/file_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "capture/filter.h"
#include "capture/parser.h"
#include "capture/pcap_parser.h"
#include "capture/pcapng_parser.h"
#include "capture/source.h"
#include "capture/window.h"

namespace iwarpscope::capture {

std::unique_ptr<Parser> make_parser(Octets start) {
  constexpr std::uint32_t kPcapng = 0x0A0D0D0A;
  struct Magic {
    std::uint32_t number;
    PcapParser::Shape shape;
  };
  constexpr std::array kMagics{Magic{0xA1B2C3D4, {false, false, 16}}, Magic{0xA1B23C4D, {false, true, 16}},
                               Magic{0xA1B2CD34, {false, false, 24}}};
  if (start.size() < kMagicOctets) return nullptr;
  std::uint32_t number;
  std::memcpy(&number, start.data(), sizeof number);
  if (number == kPcapng) return std::make_unique<PcapngParser>();
  for (const Magic& magic : kMagics) {
    if (number == magic.number) return std::make_unique<PcapParser>(magic.shape);
    if (number == swap_octets(magic.number)) {
      return std::make_unique<PcapParser>(PcapParser::Shape{true, magic.shape.nanoseconds, magic.shape.record_header});
    }
  }
  return nullptr;
}

struct FileReader::State {
  State(std::string file, const ReaderOptions& o, std::unique_ptr<Source> source)
      : path(std::move(file)),
        options(o),
        filter(o.prepared ? *o.prepared : Filter(o.filter)),
        window(std::move(source)) {
    options.batch_frames = std::max<std::size_t>(options.batch_frames, 1);
    info.compression = window.source().compression();
  }

  [[nodiscard]] Error error(std::string cause) const {
    const char* data = info.compression == Compression::none ? "" : " of the decompressed data";
    return {path, fmt::format("octet {}{}", window.offset(), data), std::move(cause)};
  }

  /// Finds the parser and reads on to the first interface. Only headers precede it.
  [[nodiscard]] std::optional<Error> start() {
    const auto some = window.want(kMagicOctets);
    if (!some) return error(some.error());
    if (window.octets().empty()) return Error{path, {}, "the file is empty"};
    parser = make_parser(window.octets());
    if (!parser) return Error{path, {}, "not a capture file: neither pcap nor pcapng"};
    fill();
    if (failure && batch.empty() && (info.frames == 0 || info.filter_failed)) return failure;
    if (auto error = try_filter()) return error;
    if (info.truncated && info.interfaces.empty()) return Error{path, {}, "the file ends inside its header"};
    return std::nullopt;
  }

  /// Reports a wrong expression even when the file has no frame to try it on.
  [[nodiscard]] std::optional<Error> try_filter() {
    if (filter.is_empty() || info.interfaces.empty()) return std::nullopt;
    const auto program = filter.compile(info.interfaces.front().link);
    if (program) return std::nullopt;
    return Error{path, {}, program.error()};
  }

  /// Puts the next frames into `batch`: at least one, or the end, or a failure for after them.
  void fill() {
    batch.clear();
    given = 0;
    std::size_t need = 1;
    while (batch.empty() && !failure && !ended) {
      const auto more = window.want(need);
      if (!more) {
        damaged(more.error());
        return;
      }
      if (!*more) {
        end();
        return;
      }
      const Progress progress = parser->parse(window.octets(), batch, options.batch_frames, info);
      window.skip(progress.consumed);
      info.position = window.offset();
      if (!progress.cause.empty()) damaged(progress.cause);
      need = std::max<std::size_t>(progress.need, 1);
      if (!filter.is_empty()) hide();
      if (!options.tap_groups.is_one()) group();
    }
  }

  void damaged(const std::string& cause) {
    failure = error(cause);
    info.damage = cause;
  }

  /// At the end of the source: what is left over is the start of a record.
  void end() {
    ended = true;
    info.truncated = !window.octets().empty() || window.source().ended_early();
    if (info.truncated) info.truncated_at = window.offset();
  }

  /// Takes the frames out of the batch that the filter does not let through.
  void hide() {
    std::size_t kept = 0;
    for (const net::Frame& frame : batch) {
      const auto match = filter.matches(frame);
      if (!match) {
        failure = Error{path, {}, match.error()};
        info.filter_failed = true;
        info.damage.clear();
        break;
      }
      if (*match) batch[kept++] = frame;
    }
    batch.resize(kept);
  }

  void group() {
    for (std::size_t i = groups.size(); i < info.interfaces.size(); ++i) {
      groups.push_back(options.tap_groups.of(i, info.interfaces[i].name));
    }
    for (net::Frame& frame : batch) frame.tap_group = groups[frame.interface];
  }

  std::string path;
  ReaderOptions options;
  Filter filter;
  Window window;
  std::unique_ptr<Parser> parser;
  CaptureInfo info;
  std::vector<net::Frame> batch;
  std::vector<std::uint32_t> groups;  ///< by interface
  std::size_t given = 0;              ///< frames of the batch that the caller has
  bool ended = false;
  std::optional<Error> failure;  ///< to be reported after the batch
};

FileReader::FileReader(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
FileReader::FileReader(FileReader&&) noexcept = default;
FileReader& FileReader::operator=(FileReader&&) noexcept = default;
FileReader::~FileReader() = default;

tl::expected<FileReader, Error> FileReader::open(const std::string& path, const ReaderOptions& options) {
  auto source = open_source(path, options.input);
  if (!source) return tl::unexpected(source.error());
  auto state = std::make_unique<State>(path, options, std::move(*source));
  if (auto error = state->start()) return tl::unexpected(*std::move(error));
  return FileReader(std::move(state));
}

tl::expected<std::span<const net::Frame>, Error> FileReader::next_batch() {
  State& state = *state_;
  if (state.given == state.batch.size() && !state.ended && !state.failure) state.fill();
  const auto frames = std::span<const net::Frame>{state.batch}.subspan(state.given);
  state.given = state.batch.size();
  if (frames.empty() && state.failure) return tl::unexpected(*state.failure);
  return frames;
}

std::shared_ptr<const std::vector<std::byte>> FileReader::storage() const noexcept {
  return state_->window.buffer();
}

tl::expected<const net::Frame*, Error> FileReader::next() {
  State& state = *state_;
  if (state.given == state.batch.size() && !state.ended && !state.failure) state.fill();
  if (state.given < state.batch.size()) return &state.batch[state.given++];
  if (state.failure) return tl::unexpected(*state.failure);
  return nullptr;
}

const CaptureInfo& FileReader::info() const noexcept {
  return state_->info;
}

Position FileReader::position() const noexcept {
  return {state_->window.source().consumed(), state_->window.source().total()};
}

}  // namespace iwarpscope::capture
