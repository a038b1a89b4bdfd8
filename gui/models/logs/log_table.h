// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Lines of drivers' logs: patterns, meanings and the related rules of the catalogue.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace iwarpscope::gui {

/// How the queue pair ended, according to the line.
enum class LogHint : std::uint8_t { nothing, refused, failed, stalled };

/// A type of line. The pattern is a regular expression with these groups if the line has them: layer, type, code (of a
/// Terminate, decimal), stag (hexadecimal), ae and status (a code of the driver's own, hexadecimal).
struct LogEntry {
  const char* driver;   ///< who writes it: "siw"
  const char* pattern;  ///< static storage
  const char* meaning;  ///< one or two sentences, translated in the context LogTable
  const char* rules;    ///< codes separated by spaces; may be empty
  LogHint hint = LogHint::nothing;
};
/// The first match is used: special entries come before general ones. Sources: the messages in Linux,
/// drivers/infiniband/sw/siw/siw_qp_rx.c and siw_cm.c, hw/cxgb4/cm.c and ev.c, hw/irdma/hw.c and cm.c,
/// hw/qedr/qedr_iw_cm.c, drivers/net/ethernet/qlogic/qed/qed_iwarp.c, drivers/nvme/host/rdma.c,
/// drivers/nvme/target/rdma.c, net/sunrpc/xprtrdma/verbs.c; the events of Windows' provider
/// Microsoft-Windows-SMBDirect.
[[nodiscard]] std::span<const LogEntry> log_entries() noexcept;

/// A driver's own code. Meaning and rules as in LogEntry.
struct LogCode {
  std::uint16_t code;
  const char* name;
  const char* meaning;
  const char* rules;
};
/// Asynchronous events of irdma. Source: Linux, drivers/infiniband/hw/irdma/defs.h.
[[nodiscard]] std::span<const LogCode> irdma_events() noexcept;
/// Status of a completion or an asynchronous event of cxgb4. Source: Linux, drivers/infiniband/hw/cxgb4/t4.h.
[[nodiscard]] std::span<const LogCode> cxgb4_statuses() noexcept;

}  // namespace iwarpscope::gui
