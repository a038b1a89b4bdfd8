// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/watch.h"

#include <algorithm>
#include <utility>

#include "live/analysis.h"

namespace iwarpscope::live {
namespace {

// Looked at for one answer: no question holds up the analysis for much longer than ten milliseconds.
constexpr std::size_t kMostQps = 500;
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

Status Watch::status() {
  return analysis_->status();
}

Watch::Answer<QpPage> Watch::qps(const QpFilter& filter, std::uint64_t from, std::size_t most) {
  QpPage all;
  all.next = from;
  while (all.next && all.qps.size() < most) {
    const std::size_t part = std::min(most - all.qps.size(), kMostQps);
    auto page = analysis_->mailbox().ask(
        [this, filter, start = *all.next, part] { return analysis_->qps(filter, start, part); });
    if (!page) return page;
    all.qps.insert(all.qps.end(), page->qps.begin(), page->qps.end());
    all.next = page->next;
  }
  return all;
}

Watch::Answer<QpViewPtr> Watch::qp(std::uint64_t number) {
  return analysis_->mailbox().ask([this, number] { return analysis_->view(number); });
}

Watch::Answer<MessagePage> Watch::messages(std::uint64_t qp, std::uint64_t from, std::size_t most) {
  most = std::min(most, kMostRows);
  return analysis_->mailbox().ask([this, qp, from, most] { return analysis_->records().messages(qp, from, most); });
}

Watch::Answer<TransportPage> Watch::transport(std::uint64_t qp, std::uint64_t from, std::size_t most) {
  most = std::min(most, kMostRows);
  return analysis_->mailbox().ask([this, qp, from, most] { return analysis_->records().transport(qp, from, most); });
}

Watch::Answer<FindingPage> Watch::findings(const FindingFilter& filter, std::uint64_t from, std::size_t most) {
  most = std::min(most, kMostRows);
  return analysis_->mailbox().ask(
      [this, filter, from, most] { return analysis_->records().findings(filter, from, most); });
}

Watch::Answer<std::vector<HostRow>> Watch::hosts() {
  return analysis_->mailbox().ask([this] { return analysis_->hosts(false); });
}
Watch::Answer<std::vector<HostRow>> Watch::host_pairs() {
  return analysis_->mailbox().ask([this] { return analysis_->hosts(true); });
}

std::unique_ptr<Subscription> Watch::subscribe(const Wanted& wanted) {
  return analysis_->hub().subscribe(wanted);
}

}  // namespace iwarpscope::live
