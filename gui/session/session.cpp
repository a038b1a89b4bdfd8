// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/session.h"

#include <QCoreApplication>
#include <QFile>
#include <QPointer>
#include <QSaveFile>

#include <array>
#include <utility>

#include "api/records.h"
#include "iwarpscope/v1/control.pb.h"
#include "iwarpscope/v1/frame.pb.h"
#include "iwarpscope/v1/observer.pb.h"
#include "iwarpscope/v1/status.pb.h"
#include "session/forget_oldest.h"
#include "session/lane.h"

namespace iwarpscope::gui {
namespace {

using namespace std::chrono_literals;

constexpr auto kEvery = 250ms;  // minimum interval between updates of the views
constexpr auto kPrivateStatus = 250ms;

template <class T>
using Answer = tl::expected<T, api::Failure>;

Answer<MessageRows> ask_messages(api::Client& client, std::uint64_t qp, std::uint64_t from, std::uint32_t most) {
  v1::ListMessagesRequest request;
  request.set_qp(qp);
  request.set_from(from);
  request.set_most(most);
  const auto reply = client.messages(request);
  if (!reply) return tl::unexpected(reply.error());
  MessageRows rows;
  rows.discarded = reply->discarded();
  rows.from = std::max(from, rows.discarded);
  rows.messages.reserve(static_cast<std::size_t>(reply->messages_size()));
  for (const v1::Message& message : reply->messages()) rows.messages.push_back(api::from_v1(message));
  if (reply->has_next()) rows.next = reply->next();
  return rows;
}

Answer<TransportRows> ask_transport(api::Client& client, std::uint64_t qp, std::uint64_t from, std::uint32_t most) {
  v1::ListTransportEventsRequest request;
  request.set_qp(qp);
  request.set_from(from);
  request.set_most(most);
  const auto reply = client.transport(request);
  if (!reply) return tl::unexpected(reply.error());
  TransportRows rows;
  rows.discarded = reply->discarded();
  rows.from = std::max(from, rows.discarded);
  for (const v1::TransportEvent& event : reply->events()) rows.events.push_back(api::from_v1(event));
  if (reply->has_next()) rows.next = reply->next();
  return rows;
}

Answer<PacketsSaved> save(api::Client& client, const PacketsWanted& wanted, const QString& name) {
  using Kind = api::Failure::Kind;
  QSaveFile file(name);
  const auto cannot = [&] {
    const QString text = Session::tr("%1 cannot be written: %2.").arg(name, file.errorString());
    return tl::unexpected(api::Failure{Kind::refused, text.toStdString()});
  };
  if (!file.open(QIODevice::WriteOnly)) return cannot();
  v1::FetchPacketsRequest request;
  if (wanted.qp) request.set_qp(*wanted.qp);
  if (wanted.from) request.set_from_time_ns(wanted.from->ns);
  if (wanted.to) request.set_to_time_ns(wanted.to->ns);
  PacketsSaved saved{name};
  bool is_complete = false, is_written = true;
  const auto done = client.fetch(request, [&](const v1::FetchPacketsReply& reply) {
    const std::string& octets = reply.pcapng();
    const auto size = static_cast<qint64>(octets.size());
    is_written = file.write(octets.data(), size) == size;
    saved.packets = reply.packets();
    is_complete = octets.empty();
    return is_written;
  });
  if (!done) return tl::unexpected(done.error());
  if (!is_written) return cannot();
  if (!is_complete)
    return tl::unexpected(api::Failure{Kind::cancelled, Session::tr("The operation was interrupted.").toStdString()});
  if (!file.commit()) return cannot();
  return saved;
}

Answer<QString> begin_recording(api::Client& client, std::uint64_t qp, const std::string& reason,
                                std::uint32_t seconds) {
  v1::StartRecordingRequest request;
  request.set_qp(qp);
  request.set_reason(reason);
  request.set_seconds(seconds);
  const auto reply = client.record(request);
  if (!reply) return tl::unexpected(reply.error());
  return QString::fromStdString(reply->file());
}

}  // namespace

Session::Session(Source source, QObject* parent, std::size_t most_waiting)
    : QObject(parent), source_(std::move(source)), most_waiting_(most_waiting) {
  timer_.setInterval(kEvery);
  connect(&timer_, &QTimer::timeout, this, &Session::deliver);
}

Session::~Session() {
  ending_ = true;
  for (const auto* lane : {&questions_, &fetches_}) {
    if (*lane) (*lane)->stop();
  }
  if (feed_client_) feed_client_->stop();
  feed_.reset();
  questions_.reset();
  fetches_.reset();
  daemon_.reset();
}

void Session::start() {
  if (!source_.is_file()) {
    open(source_.place);
    source_.place.passphrase = {};  // not needed any more
    return;
  }
  daemon_ = std::make_unique<PrivateDaemon>(source_.files);
  connect(daemon_.get(), &PrivateDaemon::failed, this, &Session::fail);
  connect(daemon_.get(), &PrivateDaemon::ready, this, [this] {
    api::Place place;
    place.socket = daemon_->socket().toStdString();
    open(place);
  });
  daemon_->start();
}

void Session::open(const api::Place& place) {
  std::array<std::unique_ptr<api::Client>, 3> clients;
  for (auto& client : clients) {
    auto opened = api::Client::open(place);
    if (!opened) return fail(QString::fromStdString(opened.error()));
    client = std::move(*opened);
  }
  feed_client_ = std::move(clients[0]);
  questions_ = std::make_unique<Lane>(std::move(clients[1]));
  fetches_ = std::make_unique<Lane>(std::move(clients[2]));
  api::FeedOptions options;
  options.findings = true;
  options.activity = true;
  if (source_.is_file()) options.status_every = kPrivateStatus;
  feed_ = std::make_unique<api::Feed>(*feed_client_, static_cast<api::FeedTaker&>(*this), options);
  timer_.start();
}

/// No more data will arrive.
void Session::fail(const QString& sentence) {
  deliver();
  set_link({Link::State::failed, sentence});
  timer_.stop();
}

void Session::set_link(Link link) {
  if (link == link_ || link_.state == Link::State::failed) return;
  link_ = std::move(link);
  emit link_changed(link_);
}

/// A connection that was never established is also reported as lost.
void Session::lose(const QString& why, const std::optional<std::chrono::steady_clock::time_point>& retry_at) {
  const auto now = std::chrono::floor<std::chrono::nanoseconds>(std::chrono::system_clock::now());
  const auto since = link_.state == Link::State::lost ? link_.since : TimePoint{now.time_since_epoch().count()};
  QString sentence = why;  // of a client that does not know what it was connected to
  if (status_now_ && status_now_->centre())
    sentence.replace(QLatin1String("is iwarpscoped running"), QLatin1String("is iwarpscope-centre running"));
  set_link({Link::State::lost, sentence, since, retry_at});
}

void Session::try_now() {
  if (!feed_ || link_.state != Link::State::lost) return;
  lose(link_.sentence, {});
  feed_->try_now();
}

void Session::set_paused(bool paused) {
  paused_ = paused;
  if (!paused) deliver();
}

void Session::status(std::shared_ptr<const v1::Status> status) {
  const std::lock_guard lock(mutex_);
  inbox_.status = std::move(status);
}

void Session::replace(std::vector<live::QpView> qps) {
  const std::lock_guard lock(mutex_);
  inbox_.replaced = true;
  inbox_.qps_dropped = 0;
  inbox_.places.clear();
  for (std::size_t i = 0; i < qps.size(); ++i) inbox_.places.emplace(qps[i].record.qp, i);
  inbox_.qps = std::move(qps);
}

void Session::apply(live::QpView qp) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = inbox_.places.emplace(qp.record.qp, inbox_.qps.size());
  if (is_new) {
    inbox_.qps.push_back(std::move(qp));
  } else {
    inbox_.qps[place->second] = std::move(qp);
  }
  if (paused_) inbox_.qps_dropped += forget_oldest(inbox_.qps, inbox_.places, most_waiting_);
}

void Session::forget_findings() {
  const std::lock_guard lock(mutex_);
  inbox_.findings_replaced = true;
  inbox_.findings.clear();
  inbox_.findings_dropped = 0;
}

void Session::finding(live::FindingView&& view) {
  const std::lock_guard lock(mutex_);
  FindingRows& waiting = inbox_.findings;
  waiting.push_back(std::move(view));
  if (!paused_ || waiting.size() <= most_waiting_ + most_waiting_ / 8) return;
  const std::size_t excess = waiting.size() - most_waiting_;
  waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(excess));
  inbox_.findings_dropped += excess;
}

void Session::trouble(const api::Failure* failure) {
  const std::lock_guard lock(mutex_);
  inbox_.is_well = failure == nullptr;
  inbox_.has_trouble = failure != nullptr;
  if (failure != nullptr) inbox_.trouble = QString::fromStdString(failure->sentence);
}

void Session::retrying(std::chrono::milliseconds pause) {
  const std::lock_guard lock(mutex_);
  inbox_.retry_at = std::chrono::steady_clock::now() + pause;
}

void Session::deliver() {
  Inbox came;
  {
    const std::lock_guard lock(mutex_);
    if (paused_) {  // the state is reported anyway
      came.is_well = std::exchange(inbox_.is_well, false);
      came.has_trouble = std::exchange(inbox_.has_trouble, false);
      came.trouble = inbox_.trouble;
      came.retry_at = std::exchange(inbox_.retry_at, {});
      came.status = std::move(inbox_.status);
    } else {
      came = std::exchange(inbox_, {});
    }
  }
  // A private daemon that does not listen yet is not a loss.
  const bool begins = source_.is_file() && link_.state == Link::State::connecting;
  if (came.is_well) {
    if (link_.state == Link::State::lost) {
      for (Lane* lane : {questions_.get(), fetches_.get()}) lane->post([](api::Client& client) { client.reconnect(); });
    }
    set_link({Link::State::connected});
  } else if (!begins && (came.has_trouble || (came.retry_at && link_.state == Link::State::lost))) {
    // Requests for the status also fail, and return no time.
    lose(came.has_trouble ? came.trouble : link_.sentence, came.retry_at ? came.retry_at : link_.retry_at);
  }
  if (came.status) {
    status_now_ = came.status;
    emit status_changed(status_now_);
  }
  if (came.replaced) {
    emit qps_replaced(came.qps);
  } else if (!came.qps.empty()) {
    emit qps_changed(came.qps);
  }
  if (came.findings_replaced) {
    emit findings_replaced(came.findings);
  } else if (!came.findings.empty()) {
    emit findings_added(came.findings);
  }
  if (came.qps_dropped != 0) emit qps_dropped(came.qps_dropped);
  if (came.findings_dropped != 0) emit findings_dropped(came.findings_dropped);
}

template <class T>
void Session::ask(Lane* lane, QObject* asker, Then<T> then,
                  std::function<tl::expected<T, api::Failure>(api::Client&)> question) {
  if (lane == nullptr) {
    then(tl::unexpected(
        api::Failure{api::Failure::Kind::no_connection, Session::tr("There is no connection.").toStdString()}));
    return;
  }
  const QPointer<QObject> whose(asker);
  lane->post([this, whose, then = std::move(then), question = std::move(question)](api::Client& client) {
    if (ending_) return;
    auto answer = std::make_shared<tl::expected<T, api::Failure>>(question(client));
    if (ending_) return;
    QMetaObject::invokeMethod(
        this,
        [whose, then, answer] {
          if (whose) then(*answer);
        },
        Qt::QueuedConnection);
  });
}

void Session::ask_qp(std::uint64_t qp, QObject* asker, Then<live::QpView> then) {
  ask<live::QpView>(questions_.get(), asker, std::move(then), [qp](api::Client& client) -> Answer<live::QpView> {
    const auto reply = client.qp(qp);
    if (!reply) return tl::unexpected(reply.error());
    return api::from_v1(*reply);
  });
}

void Session::ask_messages(std::uint64_t qp, std::uint64_t from, std::uint32_t most, QObject* asker,
                           Then<MessageRows> then) {
  ask<MessageRows>(questions_.get(), asker, std::move(then),
                   [=](api::Client& client) { return gui::ask_messages(client, qp, from, most); });
}

void Session::ask_transport(std::uint64_t qp, std::uint64_t from, std::uint32_t most, QObject* asker,
                            Then<TransportRows> then) {
  ask<TransportRows>(questions_.get(), asker, std::move(then),
                     [=](api::Client& client) { return gui::ask_transport(client, qp, from, most); });
}

void Session::ask_frame(std::uint64_t qp, FrameNumber frame, QObject* asker, Then<DecodedFrame> then) {
  ask<DecodedFrame>(questions_.get(), asker, std::move(then), [=](api::Client& client) -> Answer<DecodedFrame> {
    v1::GetFrameRequest request;
    request.set_qp(qp);
    request.set_frame(frame.value);
    const auto reply = client.frame(request);
    if (!reply) return tl::unexpected(reply.error());
    return decoded_frame(*reply);
  });
}

void Session::ask_site(const SiteQuestion& question, QObject* asker, Then<SitePtr> then) {
  ask<SitePtr>(fetches_.get(), asker, std::move(then), [question](api::Client& client) -> Answer<SitePtr> {
    v1::GetSiteRequest request;
    request.set_days(question.days);
    request.set_buckets(question.buckets);
    if (!question.sensor.isEmpty()) request.set_sensor(question.sensor.toStdString());
    auto site = client.site(request);
    if (!site) return tl::unexpected(site.error());
    return std::make_shared<const v1::Site>(std::move(*site));
  });
}

void Session::save_packets(const PacketsWanted& wanted, const QString& file, QObject* asker, Then<PacketsSaved> then) {
  ask<PacketsSaved>(fetches_.get(), asker, std::move(then),
                    [=](api::Client& client) { return save(client, wanted, file); });
}

bundle::Request Session::report_request(std::optional<std::uint64_t> qp) const {
  bundle::Request request;
  request.qp = qp;
  request.program = QStringLiteral("iwarpscope %1").arg(QCoreApplication::applicationVersion()).toStdString();
  const auto now = std::chrono::floor<std::chrono::nanoseconds>(std::chrono::system_clock::now());
  request.made = TimePoint{now.time_since_epoch().count()};
  request.stop = &ending_;
  return request;
}

void Session::make_report(std::optional<std::uint64_t> qp, QObject* asker, Then<QByteArray> then) {
  ask<QByteArray>(fetches_.get(), asker, std::move(then),
                  [request = report_request(qp),
                   title = shown_name(source_.title()).toStdString()](api::Client& client) -> Answer<QByteArray> {
                    const auto html = bundle::report_of_daemon(client, request, title);
                    if (!html) return tl::unexpected(html.error());
                    return QByteArray::fromStdString(*html);
                  });
}

void Session::save_bundle(std::uint64_t qp, bool cut_payload, const QString& file, QObject* asker,
                          Then<bundle::Result> then) {
  bundle::Request request = report_request(qp);
  request.cut_payload = cut_payload;
  request.output = QFile::encodeName(file).toStdString();
  ask<bundle::Result>(fetches_.get(), asker, std::move(then),
                      [request, title = shown_name(source_.title()).toStdString()](api::Client& client) {
                        return bundle::bundle_of_daemon(client, request, title);
                      });
}

void Session::end_replay(QObject* asker, Then<bool> then) {
  ask<bool>(questions_.get(), asker, std::move(then), [](api::Client& client) -> Answer<bool> {
    if (const auto done = client.end_replay(); !done) return tl::unexpected(done.error());
    return true;
  });
}

void Session::record(std::uint64_t qp, const QString& reason, std::uint32_t seconds, QObject* asker,
                     Then<QString> then) {
  ask<QString>(questions_.get(), asker, std::move(then),
               [qp, seconds, reason = reason.toStdString()](api::Client& client) {
                 return begin_recording(client, qp, reason, seconds);
               });
}

}  // namespace iwarpscope::gui
