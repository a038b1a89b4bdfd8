// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "qp/requests/requests.h"

#include <gtest/gtest.h>

#include "shared/qp/wire.h"

namespace iwarpscope::qp {
namespace {

bool marks(Requests& requests, std::uint64_t acknowledged, const UnseenResponses& unseen, std::uint64_t end = 1000) {
  Request request;
  request.end = offset_at(end);
  ddp::Carrier first;
  first.has_acknowledged = true;
  first.acknowledged = offset_at(acknowledged);
  requests.mark_unseen(request, first, unseen);
  return request.before_gap;
}
constexpr UnseenResponses kWhole{.lost_to = {}, .requests_whole = true};
constexpr UnseenResponses kJoined{.lost_to = {}, .requests_whole = false};

TEST(Requests, OnlyARequestSentBeforeTheGapWasPassedMayHaveItsResponseInIt) {
  Requests requests;
  const UnseenResponses gap{.lost_to = offset_at(300), .requests_whole = true};
  EXPECT_TRUE(marks(requests, 299, gap));
  EXPECT_FALSE(marks(requests, 300, gap));
  EXPECT_FALSE(marks(requests, 0, kWhole));
}

TEST(Requests, AResponseAheadOfItsRequestMayBeAnyOnesWhereAllRequestsWereSeen) {
  Requests whole, joined;
  whole.answered_ahead({});
  joined.answered_ahead({});
  EXPECT_TRUE(marks(whole, 500, kWhole));
  EXPECT_TRUE(marks(whole, 500, kWhole));
  EXPECT_TRUE(marks(joined, 500, kJoined));
  EXPECT_FALSE(marks(joined, 500, kJoined));
}

TEST(Requests, WhatAResponseAheadAcknowledgesWasAnswered) {
  Requests requests;
  requests.answered_ahead(offset_at(800));
  requests.answered_ahead(offset_at(700));
  EXPECT_TRUE(marks(requests, 500, kJoined, 900));
  EXPECT_TRUE(marks(requests, 500, kJoined, 900));
  EXPECT_FALSE(marks(requests, 500, kJoined, 801));
  EXPECT_TRUE(marks(requests, 500, kJoined, 800));
}

TEST(Requests, AMergedResponseTakesOneRequestUntilOctetsAreMissing) {
  Requests requests;
  EXPECT_FALSE(requests.take_merged());
  requests.merged_ahead();
  EXPECT_TRUE(requests.take_merged());
  EXPECT_FALSE(requests.take_merged());
  requests.merged_ahead();
  requests.lost();
  EXPECT_FALSE(requests.take_merged());
}

TEST(Requests, AStrayResponseMarksOneRequestThatItMayAnswer) {
  Requests requests;
  const auto answered = [&requests](std::uint64_t sink_to, bool atomic = false) {
    Request request;
    request.atomic = atomic;
    request.sink_stag = STag{0x11};
    request.sink_to = TaggedOffset{sink_to};
    request.size = 100;
    request.request_id = 7;
    request.end = offset_at(1000);
    requests.mark_unseen(request, {}, kWhole);
    return request.before_gap;
  };
  requests.strayed({.stag = STag{0x11}, .to = TaggedOffset{0x1060}, .octets = 4});
  requests.strayed({.atomic = true, .request_id = 7});
  EXPECT_FALSE(answered(0x1061));
  EXPECT_FALSE(answered(0x0fff));
  EXPECT_TRUE(answered(0x1000));
  EXPECT_FALSE(answered(0x1000));
  EXPECT_TRUE(answered(0x1000, true));
  EXPECT_FALSE(answered(0x1000, true));
  for (std::uint64_t k = 0; k <= Requests::kMostStrays; ++k) {
    requests.strayed({.stag = STag{0x11}, .to = TaggedOffset{k * 0x1000}, .octets = 4});
  }
  EXPECT_FALSE(answered(0));  // dropped
  EXPECT_TRUE(answered(0x1000));
}

TEST(Requests, TheFirstOneCountsOnlyWhereTheCaptureJoinsMidstream) {
  Requests requests;
  requests.note_first(MessageSequence{1}, false);
  EXPECT_FALSE(requests.has_first());
  requests.note_first(MessageSequence{2}, true);
  EXPECT_FALSE(requests.has_first());
  requests.note_first(MessageSequence{1}, true);
  EXPECT_TRUE(requests.has_first());
  requests.lost();
  EXPECT_FALSE(requests.has_first());
}

TEST(Requests, AreCertainUntilOneCannotBeRead) {
  Requests requests;
  EXPECT_TRUE(requests.are_certain());
  requests.doubt();
  EXPECT_FALSE(requests.are_certain());
}

TEST(Requests, CreditBeginsWithTheFirstRequestAndSettledOnesStay) {
  Requests requests;
  EXPECT_EQ(requests.credit(), nullptr);
  requests.make_credit().doubt();
  ASSERT_NE(requests.credit(), nullptr);
  EXPECT_TRUE(requests.make_credit().is_doubtful());
  EXPECT_FALSE(requests.settled());
  UnansweredRequests waiting;
  waiting.count = 3;
  requests.settle(waiting);
  requests.trim();
  ASSERT_TRUE(requests.settled());
  EXPECT_EQ(requests.settled()->count, 3u);
}

}  // namespace
}  // namespace iwarpscope::qp
