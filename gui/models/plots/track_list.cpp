// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/plots/track_list.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <unordered_map>
#include <utility>

#include "models/words.h"

namespace iwarpscope::gui {
namespace {

constexpr std::chrono::milliseconds kLookEvery{250};
/// Above the weight of every finding: the end is what the findings led to.
constexpr int kFailed = 1 + static_cast<int>(findings::Severity::error);

void add_flag(Track& track, const TrackFlag& flag) {
  if (track.flags.size() >= TrackList::kMostFlags) {
    ++track.flags_left_out;
    return;
  }
  track.flags.push_back(flag);
}

TrackFlag flag_of(const live::FindingView& view) {
  const findings::Rule& rule = findings::rule(view.finding.id);
  const Focus focus = focus_of(view);
  static const std::array signs{severity_sign(findings::Severity::note).at(0),
                                severity_sign(findings::Severity::warning).at(0),
                                severity_sign(findings::Severity::error).at(0)};
  const auto severity = static_cast<std::size_t>(rule.severity);
  return {focus.time, signs.at(severity), static_cast<int>(severity), focus, view.finding.id};
}

TrackFlag flag_of(const live::QpView& row) {
  return {row.record.last_time,
          QChar(0x2717),
          kFailed,
          {row.record.qp, row.record.last_frame, row.record.last_time},
          {},
          row.record.verdict->outcome};
}

QString title_of(const qp::QpRecord& record, std::uint64_t known) {
  QString title = TrackList::tr("QP %1: %2").arg(record.qp).arg(ends_text(record.a, record.b));
  if (record.verdict) title = TrackList::tr("%1, %2").arg(title, outcome_word(record.verdict->outcome));
  if (known <= TrackList::kMostMessages) return title;
  return TrackList::tr("%1 (only the first %L2 of %L3 messages)").arg(title).arg(TrackList::kMostMessages).arg(known);
}

struct HostSum {
  Track::Times opened, accepted;
  std::size_t failed = 0;
  TimePoint first{}, last{};
  void add(const qp::QpRecord& record, bool opens) {
    const bool is_new = opened.empty() && accepted.empty();
    (opens ? opened : accepted).emplace_back(record.first_time, record.last_time);
    first = is_new ? record.first_time : std::min(first, record.first_time);
    last = is_new ? record.last_time : std::max(last, record.last_time);
  }
};

}  // namespace

QString TrackFlag::text() const {
  if (!rule) return TrackList::tr("QP %1 %2").arg(focus.qp.value_or(0)).arg(outcome_word(outcome));
  const findings::Rule& its = findings::rule(*rule);
  return QStringLiteral("%1: %2").arg(QString::fromUtf8(its.code.data(), static_cast<qsizetype>(its.code.size())),
                                      QString::fromUtf8(its.what.data(), static_cast<qsizetype>(its.what.size())));
}

TrackList::TrackList(Sources sources, const FindingTable& findings, const Selection& selection, QObject* parent)
    : QObject(parent), sources_(std::move(sources)), findings_(findings), selection_(selection) {
  timer_.setSingleShot(true);
  timer_.setInterval(kLookEvery);
  connect(&timer_, &QTimer::timeout, this, &TrackList::refresh);
  connect(&selection, &Selection::qp_changed, this, &TrackList::touch);
  connect(&findings, &QAbstractItemModel::modelReset, this, &TrackList::touch);
  connect(&findings, &QAbstractItemModel::rowsInserted, this, &TrackList::touch);
}

void TrackList::set_kind(Kind kind) {
  if (kind == kind_) return;
  kind_ = kind;
  tracks_.clear();
  refresh();
}

void TrackList::keep(std::uint64_t qp, bool kept) {
  kept ? void(kept_.insert(qp)) : void(kept_.erase(qp));
  refresh();
}

void TrackList::set_active(bool active) {
  active_ = active;
  if (active) refresh();
}

void TrackList::touch() {
  if (active_ && !timer_.isActive()) timer_.start();
}

void TrackList::forget() {
  tracks_.clear();
  kept_.clear();
  touch();
}

void TrackList::refresh() {
  if (!active_) return;
  kind_ == Kind::queue_pairs ? arrange_qps() : arrange_hosts();
  raise_flags();
  emit changed();
}

std::shared_ptr<Track> TrackList::make_track(std::uint64_t number) {
  auto track = std::make_shared<Track>();
  track->number = number;
  track->messages = std::make_unique<MessageStore>(
      sources_.ask_messages, sources_.ask_transport,
      MessageStore::Limits{.pages = 1, .events = kMostEvents, .messages = kMostMessages});
  connect(track->messages.get(), &MessageStore::passed, this, [this, to = track.get()](const MessageRows& page) {
    to->data.add(page.messages);
    touch();
  });
  connect(track->messages.get(), &MessageStore::transport_changed, this, [this, to = track.get()] {
    const auto& events = to->messages->transport();
    for (; to->events < events.size(); ++to->events) to->data.add(events[to->events]);
    touch();
  });
  return track;
}

/// Those that are kept, then the first of the table; the chosen one is always among them. A track that stays keeps its
/// place only if the table's order does.
void TrackList::arrange_qps() {
  const Order order = sources_.order(kMost);
  std::vector<std::uint64_t> wanted(kept_.begin(), kept_.end());
  const auto want = [&wanted](std::uint64_t number) {
    const bool is_new = std::find(wanted.begin(), wanted.end(), number) == wanted.end();
    if (is_new) wanted.push_back(number);
    return is_new;
  };
  for (const std::uint64_t number : order.first) want(number);
  if (wanted.size() > kMost) wanted.resize(kMost);
  if (const auto chosen = selection_.qp(); chosen && want(*chosen) && wanted.size() > kMost) {
    std::swap(wanted[kMost - 1], wanted.back());
    wanted.pop_back();
  }
  std::unordered_map<std::uint64_t, const live::QpView*> rows;
  for (const live::QpView& row : sources_.rows()) {
    if (std::find(wanted.begin(), wanted.end(), row.record.qp) != wanted.end()) rows.emplace(row.record.qp, &row);
  }
  std::vector<std::shared_ptr<Track>> tracks;
  for (const std::uint64_t number : wanted) {
    const auto row = rows.find(number);
    if (row == rows.end()) continue;
    const auto known =
        std::find_if(tracks_.begin(), tracks_.end(), [&](const auto& one) { return one->number == number; });
    const auto track = known == tracks_.end() ? make_track(number) : *known;
    if (!track->asked_for || *track->asked_for != row->second->version) {
      if (!track->asked_for) track->qp = *row->second;
      track->asked_for = row->second->version;
      fetch(track);
    }
    track->title = title_of(track->qp.record, messages_of(track->qp));
    track->first = track->qp.record.first_time;
    track->last = track->qp.record.last_time;
    tracks.push_back(track);
  }
  tracks_ = std::move(tracks);
  left_out_ = order.all - std::min(order.all, tracks_.size());
}

void TrackList::fetch(const std::shared_ptr<Track>& track) {
  sources_.ask_qp(*track->number, this,
                  [this, weak = std::weak_ptr(track)](const tl::expected<live::QpView, api::Failure>& answer) {
                    const auto to = weak.lock();
                    if (!to) return;
                    if (!answer) return to->asked_for.reset();  // the next change of the queue pair asks again
                    to->qp = *answer;
                    to->messages->qp() ? to->messages->follow(to->qp) : to->messages->open(to->qp);
                    touch();
                  });
}

/// The hosts with the most failed queue pairs, then those with the most.
void TrackList::arrange_hosts() {
  std::map<net::IpAddress, HostSum> sums;
  for (const live::QpView& row : sources_.rows()) {
    HostSum &a = sums[row.record.a.address], &b = sums[row.record.b.address];
    a.add(row.record, true);
    if (&a != &b) b.add(row.record, false);
    if (!qp::ended_badly(row.record)) continue;
    ++a.failed;
    if (&a != &b) ++b.failed;
  }
  std::vector<std::map<net::IpAddress, HostSum>::iterator> order;
  for (auto sum = sums.begin(); sum != sums.end(); ++sum) order.push_back(sum);
  const auto weight = [](const HostSum& sum) { return std::pair(sum.failed, sum.opened.size() + sum.accepted.size()); };
  std::stable_sort(order.begin(), order.end(),
                   [&](auto one, auto other) { return weight(one->second) > weight(other->second); });
  left_out_ = order.size() - std::min(order.size(), kMost);
  order.resize(std::min(order.size(), kMost));
  tracks_.clear();
  for (const auto& sum : order) {
    auto track = std::make_shared<Track>();
    HostSum& host = sum->second;
    track->host = sum->first;
    const int all = plural(host.opened.size() + host.accepted.size());
    track->title = tr("%1: %2, %3 failed")
                       .arg(QString::fromStdString(track->host.text()), tr("%Ln queue pair(s)", nullptr, all))
                       .arg(QString::number(host.failed));
    track->first = host.first;
    track->last = host.last;
    track->opened = std::move(host.opened);
    track->accepted = std::move(host.accepted);
    tracks_.push_back(std::move(track));
  }
}

void TrackList::raise_flags() {
  std::unordered_map<std::uint64_t, Track*> by_qp;
  std::map<net::IpAddress, Track*> by_host;
  for (const auto& track : tracks_) {
    track->flags.clear();
    track->flags_left_out = 0;
    track->number ? void(by_qp.emplace(*track->number, track.get())) : void(by_host.emplace(track->host, track.get()));
  }
  const auto raise_at_host = [&](const net::IpAddress& host, const TrackFlag& flag) {
    if (const auto at = by_host.find(host); at != by_host.end()) add_flag(*at->second, flag);
  };
  for (int row = 0; row < findings_.rowCount(); ++row) {
    const live::FindingView& view = findings_.at(row);
    const auto at = view.finding.qp ? by_qp.find(*view.finding.qp) : by_qp.end();
    if (at != by_qp.end()) add_flag(*at->second, flag_of(view));
    if (by_host.empty() || !view.ends) continue;
    const TrackFlag flag = flag_of(view);
    raise_at_host(view.ends->first.address, flag);
    if (view.ends->second.address != view.ends->first.address) raise_at_host(view.ends->second.address, flag);
  }
  if (!by_host.empty()) {
    for (const live::QpView& row : sources_.rows()) {
      if (!qp::ended_badly(row.record)) continue;
      raise_at_host(row.record.a.address, flag_of(row));
      if (row.record.b.address != row.record.a.address) raise_at_host(row.record.b.address, flag_of(row));
    }
  }
  for (const auto& track : tracks_) {
    std::stable_sort(track->flags.begin(), track->flags.end(),
                     [](const TrackFlag& a, const TrackFlag& b) { return a.time < b.time; });
  }
}

std::optional<TimeRange> TrackList::whole() const {
  std::optional<TimeRange> whole;
  const auto include = [&whole](TimePoint from, TimePoint to) {
    whole = whole ? TimeRange{std::min(whole->from, from), std::max(whole->to, to)} : TimeRange{from, to};
  };
  for (const auto& track : tracks_) {
    include(track->first, track->last);
    for (const TrackFlag& flag : track->flags) include(flag.time, flag.time);
  }
  return whole;
}

bool TrackList::is_read() const {
  return !timer_.isActive() && std::all_of(tracks_.begin(), tracks_.end(), [](const auto& track) {
    return !track->messages || (track->messages->qp() && track->messages->progress() >= 1);
  });
}

}  // namespace iwarpscope::gui
