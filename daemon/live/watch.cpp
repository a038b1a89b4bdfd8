// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/watch.h"

#include <algorithm>
#include <utility>

#include "live/analysis.h"

namespace iwarpscope::live {
namespace {

// Copied for one answer in one part: some tenths of a millisecond.
constexpr std::size_t kMostRows = 5000;

}  // namespace

Watch::Watch(const WatchOptions& options, capture::Intake& intake)
    : analysis_(std::make_unique<Analysis>(options, intake)) {}
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
  return analysis_->mailbox().ask_in_parts<QpPage>(caller, [this, filter, from, most](QpPage& page) {
    if (!page.next) page.next = from;
    return analysis_->add_qps(filter, most, page);
  });
}

Watch::Answer<QpViewPtr> Watch::qp(std::uint64_t number, const Caller& caller) {
  return analysis_->mailbox().ask(caller, [this, number] { return analysis_->view(number); });
}

Watch::Answer<MessagePage> Watch::messages(std::uint64_t qp, std::uint64_t from, std::size_t most,
                                           const Caller& caller) {
  most = std::min(most, kMostRows);
  return analysis_->mailbox().ask(caller,
                                  [this, qp, from, most] { return analysis_->records().messages(qp, from, most); });
}

Watch::Answer<TransportPage> Watch::transport(std::uint64_t qp, std::uint64_t from, std::size_t most,
                                              const Caller& caller) {
  most = std::min(most, kMostRows);
  return analysis_->mailbox().ask(caller,
                                  [this, qp, from, most] { return analysis_->records().transport(qp, from, most); });
}

Watch::Answer<FindingPage> Watch::findings(const FindingFilter& filter, std::uint64_t from, std::size_t most,
                                           const Caller& caller) {
  most = std::min(most, kMostRows);
  return analysis_->mailbox().ask_in_parts<FindingPage>(caller, [this, filter, from, most](FindingPage& page) {
    return analysis_->records().add_findings(filter, page.next.value_or(from), most, page);
  });
}

Watch::Answer<HostPage> Watch::hosts(bool pairs, const HostKey& from, std::size_t most, const Caller& caller) {
  most = std::min(most, kMostRows);
  return analysis_->mailbox().ask(
      caller, [this, pairs, from, most] { return analysis_->records().hosts().page(pairs, from, most); });
}

std::unique_ptr<Subscription> Watch::subscribe(const Wanted& wanted) {
  return analysis_->hub().subscribe(wanted);
}

}  // namespace iwarpscope::live
