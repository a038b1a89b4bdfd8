// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/catch_up.h"

#include "api/work.h"

namespace iwarpscope::api {
namespace {

constexpr std::size_t kRecordsOnPage = 2000;

}  // namespace

void CatchUp::Page::read() {
  if (is_gone) return;
  live::Caller caller;
  caller.is_gone = [this] { return is_gone.load(); };
  std::uint64_t from = 0;
  {
    const std::lock_guard lock(mutex);
    from = after;
  }
  Answer read = directory.resume(wanted, from, kRecordsOnPage, caller);
  const std::lock_guard lock(mutex);
  answer = std::move(read);
}

std::optional<CatchUp::Answer> CatchUp::take() {
  const std::lock_guard lock(page_->mutex);
  if (page_->answer) {
    std::optional<Answer> taken = std::exchange(page_->answer, std::nullopt);
    if (*taken) page_->after = (*taken)->page.through;
    page_->is_asked = false;
    return taken;
  }
  // A share of the threads that is used up is free again at another time.
  if (!page_->is_asked) page_->is_asked = work_.post(client_, [page = page_] { page->read(); });
  return std::nullopt;
}

}  // namespace iwarpscope::api
