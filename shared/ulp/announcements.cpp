// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "ulp/announcements.h"

#include <limits>

namespace iwarpscope::ulp {

Ulp ulp_named(std::optional<std::string_view> name) noexcept {
  if (name == "rping") return Ulp::rping;
  if (name == "smb-direct") return Ulp::smb_direct;
  if (name == "nvme") return Ulp::nvme;
  if (name == "nfs") return Ulp::nfs;
  return Ulp::none;
}

bool Announcements::add(STag stag, std::uint64_t to, std::uint64_t octets, Access granted) noexcept {
  if (octets == 0) return true;
  if (octets - 1 > std::numeric_limits<std::uint64_t>::max() - to) return false;
  if (size_ == kMost) {
    ++left_out_;
  } else {
    all_[size_++] = {.stag = stag, .to = TaggedOffset{to}, .octets = octets, .granted = granted};
  }
  return true;
}

Announcements announced(Ulp ulp, const SendPayload& payload) noexcept {
  switch (ulp) {
    case Ulp::rping: return announced_by_rping(payload);
    case Ulp::smb_direct: return announced_by_smb_direct(payload);
    case Ulp::nvme: return announced_by_nvme(payload);
    case Ulp::nfs: return announced_by_nfs(payload);
    case Ulp::none: break;
  }
  return {};
}

std::size_t octets_needed(Ulp ulp) noexcept {
  switch (ulp) {
    case Ulp::rping: return 16;
    case Ulp::nvme: return 64;
    case Ulp::smb_direct:
    case Ulp::nfs: return 4096;
    case Ulp::none: break;
  }
  return 0;
}

}  // namespace iwarpscope::ulp
