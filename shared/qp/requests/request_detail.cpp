// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/request_detail.h"

#include <variant>

#include "rdmap/atomic.h"

namespace iwarpscope::qp {
namespace {

template <class Header>
std::optional<Header> parse(const std::vector<std::byte>& octets) noexcept {
  auto decoded = Header::parse(octets);
  if (auto* header = std::get_if<Header>(&decoded)) return *header;
  return std::nullopt;
}

void read(const rdmap::ReadRequestHeader& h, Request& request, MessageRecord* record) {
  request.sink_stag = h.sink_stag();
  request.sink_to = h.sink_to();
  request.size = h.size();
  request.source_stag = h.source_stag();
  request.source_to = h.source_to();
  if (record == nullptr) return;
  record->detail =
      ReadRequestDetail{h.sink_stag(), h.sink_to(), h.size(), h.source_stag(), h.source_to(), std::nullopt};
}

void read(const rdmap::AtomicRequestHeader& h, Request& request, MessageRecord* record) {
  request.atomic = true;
  request.source_stag = h.remote_stag();
  request.source_to = h.remote_to();
  request.request_id = h.request_id();
  request.function = {.operation = h.operation(),
                      .data = h.data(),
                      .mask = h.mask(),
                      .compare = h.compare(),
                      .compare_mask = h.compare_mask()};
  if (record == nullptr) return;
  AtomicRequestDetail detail;
  detail.operation = rdmap::name(h.operation());
  detail.request_id = h.request_id();
  detail.remote_stag = h.remote_stag();
  detail.remote_to = h.remote_to();
  detail.data = h.data();
  detail.mask = h.mask();
  detail.compare = h.compare();
  detail.compare_mask = h.compare_mask();
  record->detail = detail;
}

}  // namespace

bool read_request(const OpenMessage& open, Request& request, MessageRecord* record) {
  if (open.tagged) return false;
  if (open.opcode == rdmap::Opcode::rdma_read_request) {
    const auto header = parse<rdmap::ReadRequestHeader>(open.header);
    if (header) read(*header, request, record);
    return header.has_value();
  }
  const auto header = parse<rdmap::AtomicRequestHeader>(open.header);
  if (header) read(*header, request, record);
  return header.has_value();
}

std::optional<rdmap::AtomicResponseHeader> atomic_response_of(const OpenMessage& open) noexcept {
  return parse<rdmap::AtomicResponseHeader>(open.header);
}

void fill_response_detail(const OpenMessage& open, const Request* request, MessageRecord* record) {
  if (record == nullptr) return;
  const std::optional<std::uint64_t> index =
      request != nullptr ? std::optional<std::uint64_t>(request->message) : std::nullopt;
  if (open.opcode == rdmap::Opcode::rdma_read_response) {
    record->detail = ReadResponseDetail{index};
    return;
  }
  const auto header = atomic_response_of(open);
  if (!header) return;
  AtomicResponseDetail detail;
  detail.request_index = index;
  detail.request_id = header->request_id();
  detail.original = header->original();
  if (request != nullptr) {
    detail.result = request->function.result(header->original());
  }
  record->detail = detail;
}

void link_response(MessageRecord& request, const ResponseLink& link) noexcept {
  if (auto* read = std::get_if<ReadRequestDetail>(&request.detail)) read->response = link;
  if (auto* atomic = std::get_if<AtomicRequestDetail>(&request.detail)) atomic->response = link;
}

void link_request(MessageRecord& response, std::uint64_t request) noexcept {
  if (auto* read = std::get_if<ReadResponseDetail>(&response.detail)) read->request_index = request;
  if (auto* atomic = std::get_if<AtomicResponseDetail>(&response.detail)) atomic->request_index = request;
}

}  // namespace iwarpscope::qp
