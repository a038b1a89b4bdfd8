// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/serve.h"

#include <fmt/format.h>
#include <signal.h>
#include <systemd/sd-daemon.h>

#include <utility>

#include "centre/answers.h"
#include "centre/arrivals.h"
#include "centre/pool.h"
#include "centre/remote.h"
#include "centre/site_metrics.h"
#include "centre/site_summary.h"
#include "centre/worker.h"
#include "metrics/exposer.h"

namespace iwarpscope::centre {
namespace {

constexpr std::chrono::seconds kFirstContact{10};
constexpr std::chrono::seconds kMetricsSameFor{1};  ///< there may be many sensors, and many clients
constexpr std::size_t kThreads = 16;                ///< that wait for the database or a sensor

sigset_t our_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

void reload(api::Server& server, Remote& remote, const ServeOptions& options, const Say& say) {
  remote.reload();
  if (options.api.tcp.empty() && options.sensors.is_empty())
    return say("There are no certificates to read again.", Weight::information);
  if (!options.api.tcp.empty()) {
    if (const auto done = server.reload(options.api.grants, options.api.tls); !done)
      return say(fmt::format("Certificates and revocations stay as they were: {}", done.error()), Weight::trouble);
  }
  say("Certificates and revocations were read again.", Weight::information);
}

/// The metrics; null: none are wanted.
tl::expected<std::unique_ptr<metrics::Exposer>, std::string> expose(const std::string& address, Answers& answers,
                                                                    const api::Server& server) {
  if (address.empty()) return nullptr;
  return metrics::Exposer::start(
      address, metrics::Pages{[&answers, &server] {
                                const api::Use& use = server.use();
                                return site_metrics({answers.status(), use.subscribers, use.lost});
                              },
                              [&answers] { return not_ready(answers.status()); }, "The service is alive.\n",
                              "The database answers.\n", kMetricsSameFor});
}

}  // namespace

tl::expected<void, std::string> serve(const ServeOptions& options, const Say& say) {
  const sigset_t signals = our_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);

  Pool pool(options.database);
  Remote remote(pool, options.sensors);
  Arrivals arrivals(options.database, [&](const std::string& sentence) { say(sentence, Weight::trouble); });
  const Worker worker(options.database, arrivals, options.alertmanagers,
                      [&](const std::string& sentence) { say(sentence, Weight::trouble); });
  Answers answers(pool, arrivals, remote, worker, options.version);
  SiteArchive archive(pool);
  arrivals.wait_until_ready(kFirstContact);  // without the database it answers, too: that it is away
  api::Sources sources{answers, &remote, &archive, {}, {}};
  sources.tell = [&](const std::string& sentence) { say(sentence, Weight::trouble); };
  sources.audit = [&](const std::string& sentence) { say(sentence, Weight::information); };
  sources.frame = [&](const v1::GetFrameRequest& request, v1::Frame& reply) { return remote.frame(request, reply); };
  sources.is_centre = true;
  SiteSummary site(pool);
  sources.site = &site;
  api::ServerOptions api = options.api;
  api.threads = kThreads;
  auto server = api::Server::start(api, sources);
  if (!server) return tl::unexpected(server.error());
  const auto exposer = expose(options.metrics, answers, **server);
  if (!exposer) return tl::unexpected(exposer.error());
  sd_notify(0, "READY=1");
  say(fmt::format("Serving{}{}.", options.api.socket.empty() ? "" : " on " + options.api.socket,
                  options.api.tcp.empty() ? "" : fmt::format(" and port {}", (*server)->tcp_port())),
      Weight::information);
  for (int signal = 0; signal != SIGTERM && signal != SIGINT;) {
    if (sigwait(&signals, &signal) == 0 && signal == SIGHUP) reload(**server, remote, options, say);
  }
  sd_notify(0, "STOPPING=1");
  arrivals.stop();
  (*server)->stop();
  return {};
}

}  // namespace iwarpscope::centre
