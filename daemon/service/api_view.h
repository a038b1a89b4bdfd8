// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The use of the API, for the metrics.
#pragma once

#include "api/server.h"
#include "metrics/families.h"

namespace iwarpscope::service {

/// Any thread.
[[nodiscard]] metrics::ApiView api_view(api::Server& server, const live::Status& status);

}  // namespace iwarpscope::service
