// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "bundle/bundle.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "bundle/observe.h"
#include "iwarpscope/v1/observer.pb.h"
#include "iwarpscope/v1/status.pb.h"

namespace iwarpscope::bundle {
namespace {

using api::Failure;

report::HtmlOptions html_options(const Request& request, const v1::Status& status) {
  report::HtmlOptions options;
  options.program = request.program;
  options.made = request.made;
  options.qp = request.qp;
  options.messages_are_traffic = false;
  options.remarks = capture_remarks(status);
  return options;
}

Failure refused(std::string sentence) {
  return {Failure::Kind::refused, std::move(sentence)};
}

/// Writes what the daemon has of the packets into a file, and returns how many they are.
tl::expected<std::uint64_t, Failure> fetch(api::Client& client, std::optional<std::uint64_t> qp,
                                           const std::string& to) {
  std::ofstream file(to, std::ios::binary);
  v1::FetchPacketsRequest request;
  if (qp) request.set_qp(*qp);
  bool is_complete = false;
  std::uint64_t packets = 0;
  const auto done = client.fetch(request, [&](const v1::FetchPacketsReply& reply) {
    const std::string& octets = reply.pcapng();
    file.write(octets.data(), static_cast<std::streamsize>(octets.size()));
    is_complete = octets.empty();
    packets = reply.packets();
    return file.good();
  });
  file.close();
  if (!done) return tl::unexpected(done.error());
  if (file.fail()) return tl::unexpected(refused(to + ": cannot be written"));
  if (!is_complete) return tl::unexpected(Failure{Failure::Kind::cancelled, "The operation was interrupted."});
  return packets;
}

/// The packets of the bundle, in its folder. Without packets: a remark says why.
tl::expected<PacketsWritten, Failure> packets_of(api::Client& client, const Request& request,
                                                 const TemporaryFolder& folder, Contents& contents) {
  // As the daemon has them they carry the findings as comments.
  const bool is_ready = request.qp && !request.cut_payload;
  const std::string fetched = folder.file(is_ready ? "packets.pcapng" : "fetched.pcapng");
  const auto count = fetch(client, request.qp, fetched);
  if (!count) {
    const Failure& failure = count.error();
    if (failure.kind == Failure::Kind::no_connection || failure.kind == Failure::Kind::cancelled) {
      return tl::unexpected(failure);
    }
    std::error_code ignored;
    std::filesystem::remove(fetched, ignored);  // it is empty, or a part
    contents.remark("There are no packets: " + failure.sentence);
    return PacketsWritten{};
  }
  if (is_ready) return PacketsWritten{*count, 0, 0, {}};
  PacketSelection selection{contents.connections(), {}, request.cut_payload, {}};
  auto packets = write_packets(fetched, selection, request.program, folder.file("packets.pcapng"), request.stop);
  if (!packets) return tl::unexpected(refused(packets.error()));
  return *packets;
}

}  // namespace

tl::expected<std::string, Failure> report_of_daemon(api::Client& client, const Request& request,
                                                    const std::string& title) {
  const auto status = client.status();
  if (!status) return tl::unexpected(status.error());
  std::string html;
  report::HtmlObserver observer([&html](std::string_view octets) { html += octets; }, html_options(request, *status));
  const auto failure = observe(client, *status, {request.qp, title, request.stop}, observer, observer);
  if (failure) return tl::unexpected(*failure);
  return html;
}

tl::expected<Result, Failure> bundle_of_daemon(api::Client& client, const Request& request, const std::string& title) {
  const auto status = client.status();
  if (!status) return tl::unexpected(status.error());
  auto folder = TemporaryFolder::make();
  if (!folder) return tl::unexpected(refused(folder.error()));
  Contents contents(request, *folder, html_options(request, *status));
  const auto next = [&contents](const auto& view) { contents.next(view); };
  const auto failure =
      observe(client, *status,
              {request.qp, title, request.stop, next, next, [&](const std::string& what) { contents.remark(what); }},
              contents, contents.html());
  if (failure) return tl::unexpected(*failure);
  const auto packets = packets_of(client, request, *folder, contents);
  if (!packets) return tl::unexpected(packets.error());
  auto result = contents.finish(*packets);
  if (!result) return tl::unexpected(refused(result.error()));
  return *result;
}

}  // namespace iwarpscope::bundle
