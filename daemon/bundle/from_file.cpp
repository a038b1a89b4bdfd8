// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "bundle/from_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "confine/confine.h"

namespace iwarpscope::bundle {
namespace {

std::vector<confine::Path> needed(const Request& request, const engine::Request& how, const TemporaryFolder& folder) {
  using confine::Right;
  const std::string above = std::filesystem::path(folder.path()).parent_path().string();
  return {{how.file, Right::read},
          {folder.path(), Right::write},
          {above, Right::remove_folders},
          {confine::folder_of(request.output), Right::write}};
}

}  // namespace

tl::expected<Result, std::string> from_file(const Request& request, const engine::Request& how,
                                            const Analyse& analyse) {
  auto folder = TemporaryFolder::make();
  if (!folder) return tl::unexpected(folder.error());
  report::HtmlOptions options;
  options.program = request.program;
  options.made = request.made;
  options.qp = request.qp;
  Contents contents(request, *folder, std::move(options));
  engine::Request its = how;
  its.options.messages = true;  // for the ladders
  its.stop = request.stop;
  its.before_opening = [&] { confine::keep_only(needed(request, how, *folder)); };
  const auto outcome = analyse(its, contents);
  if (!outcome) return tl::unexpected(outcome.error());
  if (outcome->interrupted) return tl::unexpected(how.file + ": interrupted");
  if (request.qp && contents.qps() == 0) {
    return tl::unexpected(fmt::format("{}: QP {} does not exist", how.file, *request.qp));
  }
  for (const std::string& trouble : {outcome->truncated, outcome->damaged}) {
    if (!trouble.empty()) contents.remark(trouble);
  }
  PacketSelection selection{contents.connections(), contents.comments(), request.cut_payload, how.tap_groups};
  auto packets = write_packets(how.file, selection, request.program, folder->file("packets.pcapng"), request.stop);
  if (!packets) return tl::unexpected(packets.error());
  packets->damaged.clear();  // the analysis said so already
  return contents.finish(*packets);
}

}  // namespace iwarpscope::bundle
