// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/catch_up.h"

#include "api/work.h"

namespace iwarpscope::api {

std::string CatchUp::Page::trouble() const {
  std::string sentence = wanted.sensor ? directory.sensor_trouble(*wanted.sensor, /*at_once=*/false) : std::string{};
  return sentence.empty() && other_run ? directory.run_trouble(*other_run) : sentence;
}

void CatchUp::Page::read() {
  if (is_gone) return;
  live::Caller caller;
  caller.is_gone = [this] { return is_gone.load(); };
  bool is_first = false;
  std::uint64_t from = 0;
  std::size_t most = 0;
  {
    const std::lock_guard lock(mutex);
    from = after;
    most = records;
    is_first = !std::exchange(is_checked, true);
  }
  const std::string wrong = is_first ? trouble() : std::string{};
  Answer read = tl::unexpected(Failed{wrong, true});
  if (wrong.empty()) {
    read = directory.resume(wanted, from, most, caller).map_error([](const std::string& sentence) {
      return Failed{sentence, false};
    });
  }
  const std::lock_guard lock(mutex);
  answer = std::move(read);
}

bool CatchUp::ask(std::size_t records) {
  {
    const std::lock_guard lock(page_->mutex);
    page_->records = records;
  }
  // A share of the threads that is used up is free again at another time.
  is_asked_ = work_.post(client_, [page = page_] { page->read(); });
  return is_asked_;
}

std::optional<CatchUp::Answer> CatchUp::take() {
  const std::lock_guard lock(page_->mutex);
  if (!page_->answer) return std::nullopt;
  std::optional<Answer> taken = std::exchange(page_->answer, std::nullopt);
  if (*taken) page_->after = (*taken)->page.through;
  is_asked_ = false;
  return taken;
}

}  // namespace iwarpscope::api
