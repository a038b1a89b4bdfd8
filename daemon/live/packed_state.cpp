// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/packed_state.h"

#include <zstd.h>

#include <algorithm>
#include <memory>

namespace iwarpscope::live {

namespace {

/// In front of what zstd makes: how many octets the state has, so that its reader can make room for them at once.
constexpr std::size_t kSizeOctets = 8;

}  // namespace

struct Packer::Context {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> zstd{ZSTD_createCCtx(), ZSTD_freeCCtx};
};

Packer::Packer(std::size_t most) : context_(std::make_unique<Context>()), most_(most) {
  constexpr int kLevel = 1;  // a daemon that stops has little time
  ZSTD_CCtx* const zstd = context_->zstd.get();
  fits_ = zstd != nullptr && most_ > kSizeOctets &&
          !ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, kLevel));
  if (!fits_) return;
  out_.resize(kSizeOctets);
  used_ = kSizeOctets;
}

Packer::~Packer() = default;

bool Packer::add(Octets piece) {
  state_octets_ += piece.size();
  return fits_ = fits_ && pack(piece, false);
}

bool Packer::pack(Octets piece, bool is_last) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  ZSTD_inBuffer from{piece.data(), piece.size(), 0};
  for (std::size_t left = 1; is_last ? left != 0 : from.pos < from.size;) {
    if (used_ == out_.size()) {
      if (used_ == most_) return false;
      out_.resize(std::min(most_, used_ + kPiece));
    }
    ZSTD_outBuffer to{out_.data(), out_.size(), used_};
    left = ZSTD_compressStream2(context_->zstd.get(), &to, &from, is_last ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left)) return false;
    used_ = to.pos;
  }
  return true;
}

std::optional<std::vector<std::byte>> Packer::finish() {
  if (!fits_ || !pack({}, true)) return std::nullopt;
  out_.resize(used_);
  for (std::size_t k = 0; k < kSizeOctets; ++k) out_[k] = static_cast<std::byte>(state_octets_ >> 8 * k);
  return std::move(out_);
}

std::optional<std::vector<std::byte>> unpacked(Octets from, std::size_t most) {
  if (from.size() < kSizeOctets) return std::nullopt;
  const auto size = load_le<std::uint64_t>(from);
  if (size > most) return std::nullopt;
  from = from.subspan(kSizeOctets);
  std::vector<std::byte> out(static_cast<std::size_t>(size));
  if (ZSTD_decompress(out.data(), out.size(), from.data(), from.size()) != out.size()) return std::nullopt;
  return out;
}

}  // namespace iwarpscope::live
