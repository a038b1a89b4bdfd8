// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A finding in a frame's tree.
#include "epan/experts.h"
#include "epan/fields.h"
#include "epan/trees.h"

namespace iwarpscope::plugin {

void show_finding(packet_info* pinfo, tvbuff_t* frame, proto_tree* root, const findings::Finding& finding) {
  const findings::Rule& rule = findings::rule(finding.id);
  const char* const text = finding.text.empty() ? rule.what.data() : finding.text.c_str();
  // Without a tree, the column and the expert information tap still need it.
  proto_item* const item = proto_tree_add_string_format(root, id_of(Field::finding), frame, 0, 0, rule.code.data(),
                                                        "Finding %s, %s: %s", rule.code.data(), rule.name.data(), text);
  proto_item_set_generated(item);
  add_expert(pinfo, item, finding.id, wmem_strdup_printf(pinfo->pool, "%s: %s", rule.code.data(), text));
  if (root == nullptr) return;
  proto_tree* const tree = proto_item_add_subtree(item, id_of(Subtree::finding));
  add_text(tree, Field::finding_code, frame, rule.code.data());
  add_text(tree, Field::finding_name, frame, rule.name.data());
  add_text(tree, Field::finding_severity, frame, name(rule.severity).data());
  add_text(tree, Field::finding_about, frame, name(rule.about).data());
  if (finding.qp) add_generated(tree, Field::finding_qp, frame, *finding.qp);
  if (finding.direction) add_generated(tree, Field::finding_direction, frame, index(*finding.direction));
  if (finding.message) add_generated(tree, Field::finding_message, frame, *finding.message);
  for (const FrameNumber number : finding.frames) {
    add_frame(tree, Field::finding_frame, frame, static_cast<Frame>(number.value));
  }
  if (!finding.seen.empty()) add_text(tree, Field::finding_seen, frame, finding.seen.c_str());
  if (!finding.expected.empty()) add_text(tree, Field::finding_expected, frame, finding.expected.c_str());
  if (!finding.text.empty()) add_text(tree, Field::finding_text, frame, finding.text.c_str());
  add_text(tree, Field::finding_what, frame, rule.what.data());
  add_text(tree, Field::finding_why, frame, rule.why.data());
  add_text(tree, Field::finding_next, frame, rule.next.data());
  add_text(tree, Field::finding_reference, frame, rule.reference.data());
}

}  // namespace iwarpscope::plugin
