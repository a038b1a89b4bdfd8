// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// An FPDU: length, markers, PAD, CRC, and its ULPDU, in its own buffer if necessary. Source: RFC 5044 §4.
#include "epan/crc_words.h"
#include "epan/fields.h"
#include "epan/trees.h"
#include "mpa/marker.h"

namespace iwarpscope::plugin {
namespace {

void show_markers(const Showing& showing, Direction direction, const FpduEntry& fpdu, proto_tree* tree) {
  if (fpdu.markers == 0) return;
  add_generated(tree, Field::markers, showing.frame, fpdu.markers);
  const Half& half = showing.connection->half(direction);
  for (std::uint32_t i = fpdu.first_marker; i < fpdu.first_marker + fpdu.markers; ++i) {
    const MarkerEntry& marker = half.markers[i];
    const Place place = place_of(showing, direction, marker.at, marker.at + mpa::kMarkerOctets);
    proto_item* const item = add_number(tree, Field::marker, place.tvb, place.at, place.length, marker.value);
    proto_tree* const sub = proto_item_add_subtree(item, id_of(Subtree::marker));
    add_number(sub, Field::marker_reserved, place.tvb, place.at, place.length, marker.value >> 16);
    add_number(sub, Field::marker_pointer, place.tvb, place.at, place.length, marker.value & 0xFFFF);
  }
}

/// PAD and CRC are at the end; a marker can be between or inside them.
void show_end(const Showing& showing, Direction direction, const FpduEntry& fpdu, proto_tree* tree) {
  const mpa::FpduLayout layout = mpa::unmarked_layout(fpdu.ulpdu_length);
  if (layout.pad != 0 && fpdu.markers == 0) {
    const StreamOffset pad{fpdu.end.value - 4 - layout.pad};
    const Place place = place_of(showing, direction, pad, pad + layout.pad);
    if (place.length == static_cast<int>(layout.pad)) add(tree, Field::pad, place.tvb, place.at, place.length);
  }
  if (fpdu.crc != mpa::CrcVerdict::incomplete) {
    const Place place = place_of(showing, direction, StreamOffset{fpdu.end.value - 4}, fpdu.end);
    proto_item* const item = add_number(tree, Field::crc, place.tvb, place.at, place.length, fpdu.crc_seen);
    proto_item_append_text(item, " (CRC %s)", crc_words(fpdu.crc).data());
    const bool checked = fpdu.crc != mpa::CrcVerdict::not_in_use;
    if (place.length == 4) {
      add_hidden(tree, checked ? Field::built_in_crc_check : Field::built_in_crc, place.tvb, place.at, place.length);
    }
  }
  add_generated(tree, Field::crc_status, showing.frame, static_cast<std::uint64_t>(fpdu.crc));
  if (fpdu.crc == mpa::CrcVerdict::bad) add_generated(tree, Field::crc_bad, showing.frame, 1);
}

void show_times(const Showing& showing, const FpduEntry& fpdu, proto_tree* tree) {
  if (fpdu.first != fpdu.last) add_frame(tree, Field::fpdu_first_frame, showing.frame, fpdu.first);
  add_frame(tree, Field::placed_in, showing.frame, fpdu.last);
  add_frame(tree, Field::delivered_in, showing.frame, fpdu.delivered);
}

}  // namespace

tvbuff_t* octets_of(const Showing& showing, const Source& source, const char* title) {
  const int length = static_cast<int>(source.length);
  if (source.at != kNone) {
    return tvb_new_subset_length_caplen(showing.frame, static_cast<int>(source.at), static_cast<int>(source.captured),
                                        length);
  }
  if (source.kept.size == 0) return nullptr;
  tvbuff_t* const tvb = tvb_new_child_real_data(showing.frame, reinterpret_cast<const std::uint8_t*>(source.kept.data),
                                                source.kept.size, length);
  add_new_data_source(showing.pinfo, tvb, title);
  return tvb;
}

/// What is on the wire, and what it was read as.
void show_length(const Place& place, const FpduEntry& fpdu, proto_tree* tree) {
  const bool is_here = place.length == static_cast<int>(mpa::kUlpduLengthOctets);
  const std::uint32_t wire = is_here ? tvb_get_ntohs(place.tvb, place.at) : fpdu.ulpdu_length;
  proto_item* const item = add_number(tree, Field::ulpdu_length, place.tvb, place.at, place.length, wire);
  if (wire != fpdu.ulpdu_length) proto_item_append_text(item, " (read as %u)", fpdu.ulpdu_length);
}

void show_fpdu(const Showing& showing, Direction direction, std::uint32_t index) {
  const FpduEntry& fpdu = showing.connection->half(direction).fpdus[index];
  proto_tree* tree = nullptr;
  proto_item* title = nullptr;
  if (showing.tree != nullptr) {
    const Place place = place_of(showing, direction, fpdu.start, fpdu.end);
    proto_item* const item = add(showing.tree, Field::fpdu, place.tvb, place.at, place.length);
    title = item;
    tree = proto_item_add_subtree(item, id_of(Subtree::fpdu));
    const bool lead =
        fpdu.markers != 0 && showing.connection->half(direction).markers[fpdu.first_marker].at == fpdu.start;
    const StreamOffset header = fpdu.start + (lead ? mpa::kMarkerOctets : 0u);
    show_length(place_of(showing, direction, header, header + mpa::kUlpduLengthOctets), fpdu, tree);
    show_markers(showing, direction, fpdu, tree);
    show_end(showing, direction, fpdu, tree);
    show_times(showing, fpdu, tree);
    // FPDUs that an ACK in this frame made deliverable belong to the other direction.
    if (showing.payload != nullptr && showing.payload->direction != direction) {
      add_generated(tree, Field::direction, showing.frame, iwarpscope::index(direction));
    }
  }
  if (fpdu.crc == mpa::CrcVerdict::bad) info(showing, "[CRC bad]");
  // Without markers.
  tvbuff_t* const ulpdu = octets_of(showing, {fpdu.at, fpdu.octets, fpdu.captured, fpdu.ulpdu_length},
                                    fpdu.markers != 0 ? "ULPDU, markers removed" : "ULPDU, reassembled");
  if (ulpdu != nullptr) {
    Showing inside = showing;
    inside.tree = tree;
    show_ulpdu(inside, direction, fpdu, ulpdu, title);
  } else if (fpdu.message != kNone) {
    info(showing, "FPDU, octets not kept");
  }
  if (fpdu.crc == mpa::CrcVerdict::incomplete) {
    proto_item_append_text(title, ", octets are missing");
  } else {
    proto_item_append_text(title, ", CRC %s", crc_words(fpdu.crc).data());
  }
}

}  // namespace iwarpscope::plugin
