// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The site over days, from the summaries by hour.
#pragma once

#include "centre/pool.h"
#include "live/site.h"

namespace iwarpscope::centre {

class SiteSummary final : public live::Site {
 public:
  /// Must outlive it.
  explicit SiteSummary(Pool& pool) : pool_(pool) {}
  [[nodiscard]] tl::expected<live::SiteView, std::string> site(const live::SiteQuery& query) override;
  [[nodiscard]] tl::expected<std::optional<live::SiteConnection>, std::string> connection(std::uint64_t qp) override;

 private:
  [[nodiscard]] tl::expected<void, std::string> read_pairs(const live::SiteQuery& query, live::SiteView& view);
  [[nodiscard]] tl::expected<void, std::string> read_news(const live::SiteQuery& query, live::SiteView& view);
  [[nodiscard]] tl::expected<void, std::string> read_connections(const live::SiteQuery& query, live::SiteView& view);
  Pool& pool_;
};

}  // namespace iwarpscope::centre
