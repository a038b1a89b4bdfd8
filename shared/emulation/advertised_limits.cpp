// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "emulation/advertised_limits.h"

#include "ulp/announcements.h"

namespace iwarpscope::emulation {

std::optional<ulp::Limits> advertised_limits(const qp::QpRecord& record) {
  if (record.negotiated) return ulp::Limits{record.negotiated->sentence, record.negotiated->compatible};
  if (!record.startup || !record.startup->request || !record.startup->reply) return std::nullopt;
  const mpa::StartupFrame& reply = *record.startup->reply;
  return ulp::compare_private_data(ulp::ulp_named(record.ulp), record.startup->request->private_data,
                                   reply.private_data, reply.rejected);
}

}  // namespace iwarpscope::emulation
