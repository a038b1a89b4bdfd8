// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "epan/trees.h"

#include <array>
#include <cstdarg>
#include <string>

#include "epan/fields.h"
#include "epan/preferences.h"
#include "report/human.h"

namespace iwarpscope::plugin {
namespace {

constexpr std::size_t kSubtrees = static_cast<std::size_t>(Subtree::count);
std::array<int, kSubtrees> subtrees;

}  // namespace

void register_subtrees() {
  static std::array<int*, kSubtrees> pointers;
  for (std::size_t i = 0; i < kSubtrees; ++i) {
    subtrees[i] = -1;  // required by 4.0
    pointers[i] = &subtrees[i];
  }
  proto_register_subtree_array(pointers.data(), static_cast<int>(kSubtrees));
}

int id_of(Subtree subtree) noexcept {
  return subtrees[static_cast<std::size_t>(subtree)];
}

Place place_of(const Showing& showing, Direction direction, StreamOffset from, StreamOffset to) {
  Place place{showing.frame, 0, 0};
  const PayloadEntry* const p = showing.payload;
  if (p == nullptr || p->direction != direction || !p->has_offset || p->at == kNone) return place;
  const std::uint64_t begin = std::max(from.value, p->offset.value);
  const std::uint64_t end = std::min(to.value, p->offset.value + p->size);
  if (begin >= end) return place;
  place.at = static_cast<int>(p->at + (begin - p->offset.value));
  place.length = static_cast<int>(end - begin);
  return place;
}

bool writes_info(const Showing& showing) {
  return preferences().info_column && col_get_writable(showing.pinfo->cinfo, COL_INFO);
}

void info(const Showing& showing, const char* format, ...) {
  if (!writes_info(showing)) return;
  va_list arguments;
  va_start(arguments, format);
  char* const text = wmem_strdup_vprintf(showing.pinfo->pool, format, arguments);
  va_end(arguments);
  col_append_sep_str(showing.pinfo->cinfo, COL_INFO, ", ", text);
}

namespace {

/// A copy that lives as long as the packet; no destructor is needed when epan jumps.
const char* words(packet_info* pinfo, const net::Endpoint& endpoint) {
  const std::string text = endpoint.text();
  return wmem_strdup(pinfo->pool, text.c_str());
}

/// One item per sentence: Wireshark cuts the text of an item at 240 octets.
void add_sentences(const Showing& showing, const std::string& text, proto_tree* tree) {
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t stop = text.find(". ", from);
    const std::size_t to = stop == std::string::npos ? text.size() : stop + 1;
    add_text(tree, Field::verdict_sentence, showing.frame,
             wmem_strndup(showing.pinfo->pool, text.data() + from, to - from));
    from = stop == std::string::npos ? to : to + 1;
  }
}

}  // namespace

void show_queue_pair(const Showing& showing, Direction direction) {
  if (showing.tree == nullptr || !showing.connection->qp) return;
  const Connection& c = *showing.connection;
  add_generated(showing.tree, Field::qp, showing.frame, *c.qp);
  add_text(showing.tree, Field::end_a, showing.frame, words(showing.pinfo, c.a));
  add_text(showing.tree, Field::end_b, showing.frame, words(showing.pinfo, c.b));
  add_generated(showing.tree, Field::direction, showing.frame, index(direction));
  if (showing.payload != nullptr && showing.payload->has_offset) {
    add_generated(showing.tree, Field::stream_offset, showing.frame,
                  static_cast<std::uint64_t>(relative(showing.payload->offset)));
  }
  if (c.over_sctp) {
    add_generated(showing.tree, Field::sctp_stream, showing.frame, c.over_sctp->stream);
    add_generated(showing.tree, Field::sctp_session, showing.frame, c.over_sctp->number);
  }
  const qp::QpRecord* const record = showing.session->record(*c.qp);
  if (record == nullptr || !record->verdict) return;
  const qp::VerdictRecord& verdict = *record->verdict;
  proto_item* const item = proto_tree_add_string_format(
      showing.tree, id_of(Field::verdict), showing.frame, 0, 0, verdict.text.c_str(), "Verdict: %s, caused by %s, %s",
      name(verdict.outcome).data(), name(verdict.blame).data(), name(verdict.confidence).data());
  proto_item_set_generated(item);
  proto_tree* const tree = proto_item_add_subtree(item, id_of(Subtree::message));
  add_sentences(showing, verdict.text, tree);
  if (!verdict.code.empty()) add_text(tree, Field::verdict_code, showing.frame, verdict.code.c_str());
  add_text(tree, Field::verdict_outcome, showing.frame, name(verdict.outcome).data());
  add_text(tree, Field::verdict_blame, showing.frame, name(verdict.blame).data());
  add_text(tree, Field::verdict_confidence, showing.frame, name(verdict.confidence).data());
  if (!verdict.next.empty()) add_text(tree, Field::verdict_next, showing.frame, verdict.next.c_str());
}

}  // namespace iwarpscope::plugin
