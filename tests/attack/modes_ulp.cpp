// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <array>

#include "attack/connection.h"
#include "attack/modes.h"

namespace iwarpscope::attack {
namespace {

namespace wire = synth::wire;

/// Sends `command(k)` without end, on a queue pair with this port.
template <class Command>
void commands(Load& load, std::uint16_t port, Command command) {
  Connection c(load, 0, port);
  c.start();
  for (std::uint32_t k = 0; !load.is_full(); ++k) {
    wire::Writer message;
    command(message, k);
    c.push(kThere, c.send(kThere, message.view()));
  }
}

// An NVMe command capsule: opcode, flags, command identifier; a keyed SGL with address, length and key. Source: NVMe
// over Fabrics 1.1 §2.1, NVMe 2.0 §4.1.2.4.
void nvme(Load& load) {
  commands(load, 4420, [](wire::Writer& w, std::uint32_t k) {
    w.u8(2).u8(0x40).le(k, 2).le(1, 4).fill(16).le(k * 4096, 8).le(4096, 3).le(k, 4).u8(0x40).fill(24);
  });
}
// SMB Direct Data Transfer with an SMB2 READ and a buffer descriptor. Source: [MS-SMBD] §2.2.3, [MS-SMB2] §2.2.19.
void smb_direct(Load& load) {
  commands(load, 5445, [](wire::Writer& w, std::uint32_t k) {
    w.le(10, 2).le(1, 2).le(0, 2).le(0, 2).le(0, 4).le(24, 4).le(128, 4).fill(4);
    w.u32(0xFE534D42).le(64, 2).fill(6).le(8, 2).fill(10).le(k, 8).fill(32);
    w.le(49, 2).fill(2).le(4096, 4).le(0, 8).fill(16).le(0, 4).le(1, 4).le(0, 4).le(112, 2).le(16, 2);
    w.le(k * 4096, 8).le(k, 4).le(4096, 4);
  });
}
// RPC-over-RDMA RDMA_MSG with a Write list of one chunk. Source: RFC 8166 §4.
void nfs(Load& load) {
  commands(load, 20049, [](wire::Writer& w, std::uint32_t k) {
    w.u32(k).u32(1).u32(32).u32(0).u32(0).u32(1).u32(1).u32(k).u32(4096).u64(k * 4096).u32(0).u32(0);
    w.u32(k).u32(0).u32(2).u32(100003).u32(4).u32(1).fill(16);
  });
}
// iSER header with valid Read and Write STags, and a SCSI command. Source: RFC 7145 §9.2, RFC 7143 §11.3.
void iser(Load& load) {
  commands(load, 3260, [](wire::Writer& w, std::uint32_t k) {
    w.u32(0x1C000000).u32(k).u64(k * 4096).u32(k + 1).u64(k * 4096);
    w.u8(1).u8(0xC1).fill(14).u32(k).u32(4096).u32(k).u32(k).fill(16);
  });
}
// The private data that announces NVMe, and commands that name the same identifier.
void nvme_one_identifier(Load& load) {
  commands(load, 4420, [](wire::Writer& w, std::uint32_t k) {
    w.u8(2).u8(0x40).le(7, 2).le(1, 4).fill(16).le(k * 4096, 8).le(4096, 3).le(k % 64, 4).u8(0x40).fill(24);
  });
}

constexpr std::array kUlpModes = {
    Mode{"nvme", "NVMe commands without an answer", nvme},
    Mode{"nvme-one-identifier", "NVMe commands with one identifier", nvme_one_identifier},
    Mode{"smb-direct", "SMB2 READs without an answer", smb_direct},
    Mode{"nfs", "RPC-over-RDMA calls without an answer", nfs},
    Mode{"iser", "iSER commands without an answer", iser},
};

}  // namespace

std::span<const Mode> ulp_modes() {
  return kUlpModes;
}

}  // namespace iwarpscope::attack
