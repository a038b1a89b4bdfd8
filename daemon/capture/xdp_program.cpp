// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/xdp_program.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <linux/if_link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <system_error>

namespace iwarpscope::capture {
namespace {

constexpr unsigned kNumber = BPF_K, kImmediate = BPF_IMM;  // what the last operand is

/// Instructions of the kernel's machine. Source: linux/bpf.h, struct bpf_insn.
constexpr bpf_insn instruction(unsigned code, unsigned to, unsigned from, int offset, int immediate) {
  return {static_cast<__u8>(code), static_cast<__u8>(to & 0xFu), static_cast<__u8>(from & 0xFu),
          static_cast<__s16>(offset), immediate};
}
constexpr bpf_insn set(unsigned to, int value) {
  return instruction(BPF_ALU64 | BPF_MOV | kNumber, to, 0, 0, value);
}
constexpr bpf_insn copy(unsigned to, unsigned from) {
  return instruction(BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0);
}
constexpr bpf_insn add(unsigned to, int value) {
  return instruction(BPF_ALU64 | BPF_ADD | kNumber, to, 0, 0, value);
}
constexpr bpf_insn load(unsigned to, unsigned from, int offset) {
  return instruction(BPF_LDX | BPF_MEM | BPF_W, to, from, offset, 0);
}
constexpr bpf_insn store(unsigned size, unsigned to, int offset, unsigned from) {
  return instruction(BPF_STX | BPF_MEM | size, to, from, offset, 0);
}
constexpr bpf_insn call(int function) {
  return instruction(BPF_JMP | BPF_CALL, 0, 0, 0, function);
}
constexpr bpf_insn jump_if(unsigned condition, unsigned a, int value, int over) {
  return instruction(BPF_JMP | condition | kNumber, a, 0, over, value);
}
constexpr bpf_insn leave() {
  return instruction(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}
/// A map takes two.
constexpr bpf_insn map(unsigned to, int descriptor) {
  return instruction(BPF_LD | BPF_DW | kImmediate, to, BPF_PSEUDO_MAP_FD, 0, descriptor);
}
constexpr bpf_insn rest_of_map() {
  return instruction(0, 0, 0, 0, 0);
}

constexpr unsigned kFrame = BPF_REG_6, kQueue = BPF_REG_7, kNow = BPF_REG_8, kStack = BPF_REG_10;
constexpr int kKey = -4;  // on the stack: the number of the queue
constexpr int kTime = -static_cast<int>(XdpProgram::kTimeOctets);
constexpr int kReceiveQueue = offsetof(xdp_md, rx_queue_index);
constexpr int kData = offsetof(xdp_md, data);
constexpr int kDataMeta = offsetof(xdp_md, data_meta);

/// `accepted` and `untimed`: where they are in the state of a queue.
auto code_of(int sockets, int state, int accepted, int untimed) {
  return std::to_array<bpf_insn>({
      /*  0 */ copy(kFrame, BPF_REG_1),
      /*  1 */ load(BPF_REG_1, kFrame, kReceiveQueue),
      /*  2 */ store(BPF_W, kStack, kKey, BPF_REG_1),
      /*  3 */ map(BPF_REG_1, state),
      /*  4 */ rest_of_map(),
      /*  5 */ copy(BPF_REG_2, kStack),
      /*  6 */ add(BPF_REG_2, kKey),
      /*  7 */ call(BPF_FUNC_map_lookup_elem),
      /*  8 */ jump_if(BPF_JEQ, BPF_REG_0, 0, 24),  // to 33: a queue that is not served
      /*  9 */ copy(kQueue, BPF_REG_0),
      /* 10 */ load(BPF_REG_1, kQueue, accepted),
      /* 11 */ jump_if(BPF_JEQ, BPF_REG_1, 0, 21),  // to 33
      /* 12 */ call(BPF_FUNC_ktime_get_ns),
      /* 13 */ copy(kNow, BPF_REG_0),
      /* 14 */ copy(BPF_REG_1, kFrame),
      /* 15 */ set(BPF_REG_2, kTime),
      /* 16 */ call(BPF_FUNC_xdp_adjust_meta),
      /* 17 */ jump_if(BPF_JNE, BPF_REG_0, 0, 7),  // to 25
      /* 18 */ load(BPF_REG_1, kFrame, kDataMeta),
      /* 19 */ load(BPF_REG_2, kFrame, kData),
      /* 20 */ copy(BPF_REG_3, BPF_REG_1),
      /* 21 */ add(BPF_REG_3, -kTime),
      /* 22 */ instruction(BPF_JMP | BPF_JGT | BPF_X, BPF_REG_3, BPF_REG_2, 2, 0),  // to 25
      /* 23 */ store(BPF_DW, BPF_REG_1, 0, kNow),
      /* 24 */ instruction(BPF_JMP | BPF_JA, 0, 0, 2, 0),  // to 27
      /* 25 */ set(BPF_REG_1, 1),
      /* 26 */ store(BPF_W, kQueue, untimed, BPF_REG_1),
      /* 27 */ map(BPF_REG_1, sockets),
      /* 28 */ rest_of_map(),
      /* 29 */ load(BPF_REG_2, kStack, kKey),
      /* 30 */ set(BPF_REG_3, XDP_PASS),
      /* 31 */ call(BPF_FUNC_redirect_map),
      /* 32 */ leave(),
      /* 33 */ set(BPF_REG_0, XDP_PASS),
      /* 34 */ leave(),
  });
}

[[nodiscard]] std::string because(const char* what, int error) {
  return xdp_refusal(what, error, "CAP_NET_ADMIN and CAP_BPF");
}

[[nodiscard]] int attached(int program, unsigned link_index, unsigned flags) {
  bpf_link_create_opts options{};
  options.sz = sizeof options;
  options.flags = flags;
  const int link = bpf_link_create(program, static_cast<int>(link_index), BPF_XDP, &options);
  return link < 0 ? -errno : link;
}

}  // namespace

std::string xdp_refusal(const std::string& what, int error, const char* needs) {
  return what + ": " + (error == EPERM ? std::string("it needs ") + needs : std::generic_category().message(error));
}

tl::expected<std::shared_ptr<XdpProgram>, std::string> XdpProgram::attach(unsigned link_index, unsigned queues,
                                                                          bool long_frames) {
  std::shared_ptr<XdpProgram> made(new XdpProgram);
  made->sockets_ = bpf_map_create(BPF_MAP_TYPE_XSKMAP, "iwarp_sockets", sizeof(std::uint32_t), sizeof(std::uint32_t),
                                  queues, nullptr);
  if (made->sockets_ < 0) return tl::unexpected(because("the kernel makes no map of AF_XDP sockets", errno));
  bpf_map_create_opts shared{};
  shared.sz = sizeof shared;
  shared.map_flags = BPF_F_MMAPABLE;
  made->state_ =
      bpf_map_create(BPF_MAP_TYPE_ARRAY, "iwarp_queues", sizeof(std::uint32_t), sizeof(Queue), queues, &shared);
  if (made->state_ < 0) return tl::unexpected(because("the kernel makes no map of queues", errno));
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  made->mapped_ = (queues * sizeof(Queue) + page - 1) / page * page;
  void* const memory = ::mmap(nullptr, made->mapped_, PROT_READ | PROT_WRITE, MAP_SHARED, made->state_, 0);
  if (memory == MAP_FAILED) return tl::unexpected(because("the kernel shares no map of queues", errno));
  made->queues_ = static_cast<Queue*>(memory);

  const auto code = code_of(made->sockets_, made->state_, offsetof(Queue, accepted), offsetof(Queue, untimed));
  bpf_prog_load_opts options{};
  options.sz = sizeof options;
  options.expected_attach_type = BPF_XDP;
  if (long_frames) options.prog_flags = BPF_F_XDP_HAS_FRAGS;
  made->program_ = bpf_prog_load(BPF_PROG_TYPE_XDP, "iwarp_capture", "GPL", code.data(), code.size(), &options);
  if (made->program_ < 0) return tl::unexpected(because("the kernel does not load the XDP program", errno));
  made->link_ = attached(made->program_, link_index, XDP_FLAGS_DRV_MODE);
  made->native_ = made->link_ >= 0;
  if (made->link_ == -EOPNOTSUPP || made->link_ == -EINVAL) {
    made->link_ = attached(made->program_, link_index, XDP_FLAGS_SKB_MODE);
  }
  if (made->link_ == -EBUSY || made->link_ == -EEXIST) {
    return tl::unexpected(std::string("another XDP program is attached to the interface"));
  }
  if (made->link_ < 0) return tl::unexpected(because("the kernel does not attach the XDP program", -made->link_));
  return made;
}

XdpProgram::~XdpProgram() {
  for (const int descriptor : {link_, program_, state_, sockets_}) {
    if (descriptor >= 0) ::close(descriptor);
  }
  if (queues_ != nullptr) ::munmap(queues_, mapped_);
}

tl::expected<void, std::string> XdpProgram::serve(unsigned queue, int socket) noexcept {
  if (bpf_map_update_elem(sockets_, &queue, &socket, BPF_ANY) == 0) return {};
  return tl::unexpected(because("the kernel does not give a queue to its socket", errno));
}

void XdpProgram::accept(unsigned queue, bool accepted) noexcept {
  std::atomic_ref(queues_[queue].accepted).store(accepted ? 1 : 0, std::memory_order_release);
}

bool XdpProgram::has_times(unsigned queue) const noexcept {
  return std::atomic_ref(queues_[queue].untimed).load(std::memory_order_relaxed) == 0;
}

}  // namespace iwarpscope::capture
