// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/watch.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "live/analysis.h"

namespace iwarpscope::live {
namespace {

// Copied for one answer in one part: some tenths of a millisecond.
constexpr std::size_t kMostRows = 5000;

/// The time that looking for the items of one page may take.
class Share {
 public:
  explicit Share(const Caller& caller) : share_(caller.share) {}
  /// Since it was first asked: after the first part, so that each page comes further.
  [[nodiscard]] bool is_used_up() {
    const Slice::Clock::time_point now = Slice::Clock::now();
    if (!begun_) begun_ = now;
    return std::chrono::duration_cast<std::chrono::milliseconds>(now - *begun_) >= share_;  // which may be the maximum
  }

 private:
  std::chrono::milliseconds share_;
  std::optional<Slice::Clock::time_point> begun_;
};

/// Asks for a page that is copied in one part; `copy` fills it and returns its rows.
template <class Page, class Analysis, class Copy>
Directory::Answer<Page> copied(Analysis& analysis, const Caller& caller, Copy copy) {
  return analysis.mailbox().ask(caller, [&analysis, copy] {
    return analysis.part([&](Slice& slice) {
      Page page;
      slice.spend(1 + copy(page) / Slice::kCopies);
      return page;
    });
  });
}

}  // namespace

Watch::Watch(const WatchOptions& options, capture::Intake& intake)
    : analysis_(std::make_unique<Analysis>(options, intake)),
      run_uuid_(options.origin ? options.origin->run_uuid : std::string{}) {}
Watch::~Watch() = default;

void Watch::run(bool linger) {
  analysis_->run(linger);
}
void Watch::stop() noexcept {
  analysis_->stop();
}

void Watch::change(const WatchChanges& changes) {
  analysis_->change(changes);
}

Status Watch::status() {
  return analysis_->status();
}

Watch::Answer<QpPage> Watch::qps(const QpFilter& filter, std::uint64_t from, std::size_t most, const Caller& caller) {
  return analysis_->mailbox().ask_in_parts<QpPage>(
      caller, [this, filter, from, most, share = Share(caller)](QpPage& page) mutable {
        if (!page.next) page.next = from;
        return analysis_->part([&](Slice& slice) { return analysis_->add_qps(filter, most, page, slice); }) ||
               share.is_used_up();
      });
}

Watch::Answer<QpViewPtr> Watch::qp(std::uint64_t number, const Caller& caller) {
  return analysis_->mailbox().ask(caller, [this, number] {
    return analysis_->part([&](Slice& slice) {
      slice.spend(Slice::kView);
      return analysis_->view(number);
    });
  });
}

Watch::Answer<MessagePage> Watch::messages(std::uint64_t qp, std::uint64_t from, std::size_t most,
                                           const Caller& caller) {
  return copied<MessagePage>(*analysis_, caller, [this, qp, from, most = std::min(most, kMostRows)](MessagePage& page) {
    page = analysis_->records().messages(qp, from, most);
    return page.messages.size();
  });
}

Watch::Answer<TransportPage> Watch::transport(std::uint64_t qp, std::uint64_t from, std::size_t most,
                                              const Caller& caller) {
  return copied<TransportPage>(*analysis_, caller,
                               [this, qp, from, most = std::min(most, kMostRows)](TransportPage& page) {
                                 page = analysis_->records().transport(qp, from, most);
                                 return page.events.size();
                               });
}

Watch::Answer<FindingPage> Watch::findings(const FindingFilter& filter, std::uint64_t from, std::size_t most,
                                           const Caller& caller) {
  most = std::min(most, kMostRows);
  return analysis_->mailbox().ask_in_parts<FindingPage>(
      caller, [this, filter, from, most, share = Share(caller)](FindingPage& page) mutable {
        return analysis_->part([&](Slice& slice) {
          return analysis_->records().add_findings(filter, page.next.value_or(from), most, page, slice);
        }) || share.is_used_up();
      });
}

Watch::Answer<HostPage> Watch::hosts(bool pairs, const HostKey& from, std::size_t most, const Caller& caller) {
  return copied<HostPage>(*analysis_, caller, [this, pairs, from, most = std::min(most, kMostRows)](HostPage& page) {
    page = analysis_->records().hosts().page(pairs, from, most, analysis_->numbered_interfaces());
    return page.rows.size();
  });
}

std::unique_ptr<Subscription> Watch::subscribe(const Wanted& wanted) {
  return analysis_->hub().subscribe(wanted);
}

RecordPlace Watch::last_record() {
  return {run_uuid_, analysis_->records().records()};
}

Watch::Answer<Resumed> Watch::resume(const Wanted& wanted, std::uint64_t after, std::size_t most,
                                     const Caller& caller) {
  return analysis_->mailbox().ask_in_parts<Resumed>(
      caller, [this, wanted, after, most = std::min(most, kMostRows)](Resumed& resumed) {
        resumed.page.through = std::max(resumed.page.through, after);
        return analysis_->part([&](Slice& slice) {
          const bool is_whole = analysis_->records().add_records(wanted, most, resumed.page, slice);
          if (is_whole) resumed.subscription = analysis_->hub().subscribe(wanted);
          return is_whole || resumed.page.events.size() >= most;
        });
      });
}

}  // namespace iwarpscope::live
