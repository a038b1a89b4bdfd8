// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/request_detail.h"

#include <gtest/gtest.h>

#include "shared/qp/wire.h"

namespace iwarpscope::qp {
namespace {

using rdmap::Opcode;

TEST(RequestDetail, AReadRequestIsReadIntoRequestAndRecord) {
  Request request;
  MessageRecord record;
  ASSERT_TRUE(read_request(open_message(Opcode::rdma_read_request, 0, 1, read_header({.size = 99})), request, &record));
  EXPECT_FALSE(request.atomic);
  EXPECT_EQ(request.size, 99u);
  EXPECT_EQ(request.source_to.value, 0x2000u);
  ASSERT_TRUE(std::holds_alternative<ReadRequestDetail>(record.detail));
  EXPECT_EQ(std::get<ReadRequestDetail>(record.detail).sink_stag.value, 0x11u);
}

TEST(RequestDetail, AnAtomicRequestIsReadWithoutARecordToo) {
  Request request;
  ASSERT_TRUE(read_request(open_message(Opcode::atomic_request, 0, 1, atomic_header(7)), request, nullptr));
  EXPECT_TRUE(request.atomic);
  EXPECT_EQ(request.request_id, 7u);
  EXPECT_EQ(request.function.data, 1u);
}

TEST(RequestDetail, ATaggedOrShortOneCannotBeRead) {
  Request request;
  OpenMessage tagged = open_message(Opcode::rdma_read_request, 0, 1, read_header({}));
  tagged.tagged = true;
  EXPECT_FALSE(read_request(tagged, request, nullptr));
  OpenMessage cut = open_message(Opcode::rdma_read_request, 0, 1, read_header({}));
  cut.header.pop_back();
  EXPECT_FALSE(read_request(cut, request, nullptr));
}

TEST(RequestDetail, TheResultOfAnAtomicNeedsItsRequest) {
  const OpenMessage response = open_message(Opcode::atomic_response, 0, 2, atomic_response_header(7, 41));
  MessageRecord record;
  fill_response_detail(response, nullptr, &record);
  EXPECT_FALSE(std::get<AtomicResponseDetail>(record.detail).result);
  Request request;
  ASSERT_TRUE(read_request(open_message(Opcode::atomic_request, 3, 1, atomic_header(7)), request, nullptr));
  request.message = 3;
  fill_response_detail(response, &request, &record);
  EXPECT_EQ(std::get<AtomicResponseDetail>(record.detail).result, 42u);
  EXPECT_EQ(std::get<AtomicResponseDetail>(record.detail).request_index, 3u);
}

TEST(RequestDetail, LinksGoIntoTheRecordsOfRequestAndResponse) {
  MessageRecord request, response, other;
  request.detail = ReadRequestDetail{};
  response.detail = AtomicResponseDetail{};
  link_response(request, {.index = 4, .first_octet_ns = 5, .last_octet_ns = 6});
  link_request(response, 8);
  link_response(other, {.index = 4});
  link_request(other, 8);
  ASSERT_TRUE(std::get<ReadRequestDetail>(request.detail).response);
  EXPECT_EQ(std::get<ReadRequestDetail>(request.detail).response->index, 4u);
  EXPECT_EQ(std::get<AtomicResponseDetail>(response.detail).request_index, 8u);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(other.detail));
}

}  // namespace
}  // namespace iwarpscope::qp
