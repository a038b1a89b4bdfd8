// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/packed_state.h"

#include <zstd.h>

#include <algorithm>
#include <memory>

namespace iwarpscope::live {

std::optional<std::vector<std::byte>> packed(Octets state, std::size_t most) {
  constexpr int kLevel = 1;  // a daemon that stops has little time
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  if (context == nullptr || ZSTD_isError(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel)) ||
      ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(context.get(), state.size()))) {
    return std::nullopt;
  }
  std::vector<std::byte> out;
  ZSTD_inBuffer from{state.data(), state.size(), 0};
  for (std::size_t used = 0, left = 1; left != 0;) {
    if (used == most) return std::nullopt;
    out.resize(std::min(most, used + kPiece));
    ZSTD_outBuffer to{out.data(), out.size(), used};
    left = ZSTD_compressStream2(context.get(), &to, &from, ZSTD_e_end);
    if (ZSTD_isError(left)) return std::nullopt;
    used = to.pos;
    if (left == 0) out.resize(used);
  }
  return out;
}

std::optional<std::vector<std::byte>> unpacked(Octets from, std::size_t most) {
  const unsigned long long size = ZSTD_getFrameContentSize(from.data(), from.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > most) return std::nullopt;
  std::vector<std::byte> out(static_cast<std::size_t>(size));
  if (ZSTD_decompress(out.data(), out.size(), from.data(), from.size()) != out.size()) return std::nullopt;
  return out;
}

}  // namespace iwarpscope::live
