// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The core's records as messages of iwarpscope.v1, and back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fields/frame_reader.h"
#include "live/archive.h"
#include "live/directory.h"
#include "live/event.h"
#include "live/packets.h"
#include "live/site.h"
#include "live/views.h"

namespace google::protobuf {
template <class T>
class RepeatedPtrField;
}

namespace iwarpscope::v1 {
class Endpoint;
class FetchPacketsRequest;
class Finding;
class FindingFilter;
class GetSiteRequest;
class Event;
class Frame;
class HistoryPlace;
class JoinedConnection;
class HostRow;
class Losses;
class Message;
class QpFilter;
class QueryHistoryRequest;
class QueuePair;
class RecordName;
class Recording;
class Rule;
class Site;
class Status;
class SubscribeRequest;
class TailHistoryReply;
class TransportEvent;
}  // namespace iwarpscope::v1

namespace iwarpscope::api {

/// Rows are for tables: v1.QpDetail.
enum class Detail : std::uint8_t { row, row_activity, full };
/// What a v1::QpDetail asks for.
[[nodiscard]] Detail detail_from_v1(int value) noexcept;

/// Each fills an empty message.
void to_v1(const live::RecordName& name, v1::RecordName& out);
void to_v1(const live::QpView& view, Detail detail, v1::QueuePair& out);
void to_v1(const qp::MessageRecord& record, v1::Message& out);
void to_v1(const qp::TransportEvent& event, v1::TransportEvent& out);
void to_v1(const live::FindingView& view, v1::Finding& out);
void to_v1(const findings::Rule& rule, v1::Rule& out);
void to_v1(const live::Status& status, v1::Status& out);
void to_v1(const live::HostRow& row, v1::HostRow& out);
/// As host_key_from_v1() reads it. `pairs`: of two addresses.
[[nodiscard]] std::string to_v1(const live::HostKey& key, bool pairs);
void to_v1(const live::Recording& recording, v1::Recording& out);
void to_v1(const live::SiteConnection& connection, v1::JoinedConnection& out);
void to_v1(const live::SiteView& view, v1::Site& out);
void to_v1(const live::TailPage& page, v1::TailHistoryReply& out);
void to_v1(const live::Event& event, Detail detail, v1::Event& out);

/// `qp`: of the frame. `findings`: all of that queue pair.
void to_v1(const fields::FrameFields& frame, const live::QpView& qp, const std::vector<live::FindingPtr>& findings,
           v1::Frame& out);

/// What a server of another version or a hostile one sends never fails: values this program does not know become
/// "unknown" ones. Of the summary of a queue pair no more comes back than SYN, FIN and RST, and what its verdict's
/// `since`, its first error and its unanswered requests need.
[[nodiscard]] live::RecordName from_v1(const v1::RecordName& in);
[[nodiscard]] live::QpView from_v1(const v1::QueuePair& in);
[[nodiscard]] live::Losses losses(const v1::Losses& in) noexcept;
[[nodiscard]] net::Endpoint from_v1(const v1::Endpoint& in);
[[nodiscard]] qp::MessageRecord from_v1(const v1::Message& in);
[[nodiscard]] qp::TransportEvent from_v1(const v1::TransportEvent& in);
/// Nothing: this program has no such rule.
[[nodiscard]] std::optional<live::FindingView> from_v1(const v1::Finding& in);

/// Questions. Fail with a sentence: a value that means nothing.
[[nodiscard]] tl::expected<live::QpFilter, std::string> from_v1(const v1::QpFilter& in);
[[nodiscard]] tl::expected<live::FindingFilter, std::string> from_v1(const v1::FindingFilter& in);
/// The start of a page of ListHosts and ListHostPairs: "address" or "address address"; empty: the first page.
[[nodiscard]] tl::expected<live::HostKey, std::string> host_key_from_v1(const std::string& start);
[[nodiscard]] tl::expected<live::Wanted, std::string> from_v1(const v1::SubscribeRequest& in);
[[nodiscard]] tl::expected<live::ArchiveQuery, std::string> from_v1(const v1::QueryHistoryRequest& in);
[[nodiscard]] tl::expected<live::SiteQuery, std::string> from_v1(const v1::GetSiteRequest& in);
[[nodiscard]] tl::expected<live::PacketQuery, std::string> from_v1(const v1::FetchPacketsRequest& in);

/// Fails with a sentence, for an unknown kind and for two places of one.
[[nodiscard]] tl::expected<std::vector<live::ArchivePlace>, std::string> from_v1(
    const google::protobuf::RepeatedPtrField<v1::HistoryPlace>& in);
/// A v1::QueryHistoryRequest::Kind.
[[nodiscard]] std::optional<live::RecordKind> record_kind_from_v1(int kind) noexcept;

}  // namespace iwarpscope::api
