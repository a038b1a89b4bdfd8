// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

namespace iwarpscope::capture {
namespace {

constexpr std::size_t kCompressedBuffer = std::size_t{256} << 10;

/// A file descriptor, with octets that were read ahead to look at them.
class DescriptorSource final : public Source {
 public:
  DescriptorSource(int descriptor, bool owned, int cancel) noexcept
      : descriptor_(descriptor), owned_(owned), cancel_(cancel) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
    total_ = static_cast<std::uint64_t>(status.st_size);
    cancel_ = -1;  // a regular file never keeps anybody waiting
    (void)::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
  }
  ~DescriptorSource() override {
    if (owned_) ::close(descriptor_);
  }

  tl::expected<std::size_t, std::string> read(std::span<std::byte> into) override {
    if (ahead_from_ < ahead_to_) {
      const std::size_t count = std::min(into.size(), ahead_to_ - ahead_from_);
      std::memcpy(into.data(), ahead_.data() + ahead_from_, count);
      ahead_from_ += count;
      consumed_ += count;
      return count;
    }
    return read_descriptor(into).map([this](std::size_t count) {
      consumed_ += count;
      return count;
    });
  }
  std::uint64_t consumed() const noexcept override { return consumed_; }
  std::optional<std::uint64_t> total() const noexcept override { return total_; }

  /// The first octets, at most four, without taking them. To be called before read().
  [[nodiscard]] tl::expected<std::span<const std::byte>, std::string> peek() {
    while (ahead_to_ < ahead_.size()) {
      const auto count = read_descriptor(std::span{ahead_}.subspan(ahead_to_));
      if (!count) return tl::unexpected(count.error());
      if (*count == 0) break;
      ahead_to_ += *count;
    }
    return std::span<const std::byte>{ahead_}.first(ahead_to_);
  }

 private:
  tl::expected<std::size_t, std::string> read_descriptor(std::span<std::byte> into) {
    for (;;) {
      if (cancel_ >= 0 && is_cancelled()) return tl::unexpected(std::string("reading was stopped"));
      const ssize_t count = ::read(descriptor_, into.data(), into.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) return tl::unexpected(std::generic_category().message(errno));
    }
  }

  /// Waits for data or the end of the file, unless it is stopped first.
  [[nodiscard]] bool is_cancelled() const noexcept {
    std::array<pollfd, 2> wanted{pollfd{descriptor_, POLLIN, 0}, pollfd{cancel_, POLLIN, 0}};
    while (::poll(wanted.data(), wanted.size(), -1) < 0 && errno == EINTR) continue;
    return wanted[1].revents != 0;
  }

  int descriptor_;
  bool owned_;
  int cancel_;
  std::array<std::byte, 4> ahead_{};
  std::size_t ahead_from_ = 0;
  std::size_t ahead_to_ = 0;
  std::uint64_t consumed_ = 0;
  std::optional<std::uint64_t> total_;
};

/// What the two decompressors share: the compressed octets that were read and not yet used.
class CompressedSource : public Source {
 public:
  explicit CompressedSource(std::unique_ptr<Source> input) : input_(std::move(input)), buffer_(kCompressedBuffer) {}
  std::uint64_t consumed() const noexcept override { return input_->consumed(); }
  std::optional<std::uint64_t> total() const noexcept override { return input_->total(); }
  bool ended_early() const noexcept override { return ended_early_; }

 protected:
  /// Reads more when all is used. Returns false at the end of the input.
  tl::expected<bool, std::string> refill() {
    if (from_ < to_) return true;
    const auto count = input_->read(buffer_);
    if (!count) return tl::unexpected(count.error());
    from_ = 0;
    to_ = *count;
    return *count != 0;
  }

  std::unique_ptr<Source> input_;
  std::vector<std::byte> buffer_;
  std::size_t from_ = 0;
  std::size_t to_ = 0;
  bool inside_ = false;  ///< between the start of a member or frame and its end
  bool ended_early_ = false;
};

/// gzip, any number of members one after another. Source: RFC 1952 §2.2.
class GzipSource final : public CompressedSource {
 public:
  static constexpr int kGzipWindow = 15 + 16;  // the largest window, gzip header expected
  explicit GzipSource(std::unique_ptr<Source> input) : CompressedSource(std::move(input)) {
    is_ready_ = inflateInit2(&stream_, kGzipWindow) == Z_OK;
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  Compression compression() const noexcept override { return Compression::gzip; }

  tl::expected<std::size_t, std::string> read(std::span<std::byte> into) override {
    if (!is_ready_) return tl::unexpected(std::string("zlib has no memory"));
    if (is_damaged_) return tl::unexpected(std::string(kDamaged));
    for (;;) {
      const auto more = refill();
      if (!more) return tl::unexpected(more.error());
      if (!*more) {
        ended_early_ = inside_;
        return std::size_t{0};
      }
      if (!inside_ && is_padding()) continue;
      auto count = inflate_into(into);
      if (!count || *count != 0) return count;
    }
  }

 private:
  /// Zero octets after the last member are padding of tapes and block devices.
  bool is_padding() noexcept {
    if (!finished_ || buffer_[from_] != std::byte{0}) return false;
    ++from_;
    return true;
  }
  tl::expected<std::size_t, std::string> inflate_into(std::span<std::byte> into) {
    const std::size_t room = std::min<std::size_t>(into.size(), std::numeric_limits<uInt>::max());
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data() + from_);
    stream_.avail_in = static_cast<uInt>(to_ - from_);
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(room);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    from_ = to_ - stream_.avail_in;
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      is_damaged_ = true;
      // Data before the damage is good.
      if (room != stream_.avail_out) return room - stream_.avail_out;
      return tl::unexpected(std::string(kDamaged));
    }
    inside_ = result != Z_STREAM_END;
    if (result == Z_STREAM_END) {
      finished_ = true;
      inflateReset(&stream_);
    }
    return room - stream_.avail_out;
  }

  static constexpr const char* kDamaged = "damaged gzip data";
  z_stream stream_{};
  bool is_ready_ = false;
  bool is_damaged_ = false;
  bool finished_ = false;  ///< at least one member is complete
};

/// zstd, any number of frames one after another. Source: RFC 8878 §3.1.
class ZstdSource final : public CompressedSource {
 public:
  explicit ZstdSource(std::unique_ptr<Source> input)
      : CompressedSource(std::move(input)), stream_(ZSTD_createDStream(), ZSTD_freeDStream) {}
  Compression compression() const noexcept override { return Compression::zstd; }

  tl::expected<std::size_t, std::string> read(std::span<std::byte> into) override {
    if (!stream_) return tl::unexpected(std::string("zstd has no memory"));
    for (;;) {
      // What the last call could not put out comes before more input.
      if (!pending_) {
        const auto more = refill();
        if (!more) return tl::unexpected(more.error());
        if (!*more) {
          ended_early_ = inside_;
          return std::size_t{0};
        }
      }
      ZSTD_inBuffer in{buffer_.data(), to_, from_};
      ZSTD_outBuffer out{into.data(), into.size(), 0};
      const std::size_t result = ZSTD_decompressStream(stream_.get(), &out, &in);
      from_ = in.pos;
      if (ZSTD_isError(result) != 0) {
        return tl::unexpected(std::string("damaged zstd data: ") + ZSTD_getErrorName(result));
      }
      inside_ = result != 0;
      pending_ = inside_ && out.pos == out.size;
      if (out.pos != 0) return out.pos;
    }
  }

 private:
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream_;
  bool pending_ = false;
};

[[nodiscard]] bool starts_with(std::span<const std::byte> octets, std::initializer_list<unsigned> magic) {
  return octets.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), octets.begin(),
                    [](unsigned a, std::byte b) { return std::byte{static_cast<unsigned char>(a)} == b; });
}

}  // namespace

tl::expected<std::unique_ptr<Source>, Error> open_source(const std::string& path, const Input& input) {
  const bool is_standard_input = path == "-";
  const int descriptor = input.descriptor >= 0 ? input.descriptor
                         : is_standard_input   ? STDIN_FILENO
                                               : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return tl::unexpected(Error{path, {}, std::generic_category().message(errno)});
  auto plain =
      std::make_unique<DescriptorSource>(descriptor, input.descriptor >= 0 || !is_standard_input, input.cancel);
  const auto first = plain->peek();
  if (!first) return tl::unexpected(Error{path, {}, first.error()});
  if (starts_with(*first, {0x1F, 0x8B})) return std::make_unique<GzipSource>(std::move(plain));
  if (starts_with(*first, {0x28, 0xB5, 0x2F, 0xFD})) return std::make_unique<ZstdSource>(std::move(plain));
  return plain;
}

}  // namespace iwarpscope::capture
