// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/frame/frame_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "iwarpscope/v1/frame.pb.h"

namespace iwarpscope::gui::frame_model_test {
namespace {

/// Two FPDUs in one TCP segment; finding 5 is about the CRC of the second one.
v1::Frame reply() {
  v1::Frame frame;
  frame.set_frame(9);
  frame.set_octets(std::string(100, 'x'));
  const auto add = [&](const char* layer, const char* name, std::uint32_t at, std::uint32_t length) {
    v1::FrameField& field = *frame.add_fields();
    field.set_layer(layer);
    field.set_name(name);
    field.set_value("value");
    field.set_offset(at);
    field.set_length(length);
    return &field;
  };
  add("Ethernet", "Type", 12, 2);
  add("TCP", "Flags", 47, 1);
  for (const std::uint32_t at : {54U, 74U}) {
    add("MPA", "FPDU", at, 20);
    add("MPA", "ULPDU_Length", at, 2);
    add("DDP", "T", at + 2, 1);
    add("RDMAP", "Opcode", at + 3, 1);
    add("DDP", "MSN", at + 4, 4);
    v1::FrameField* const crc = add("MPA", "CRC", at + 16, 4);
    if (at == 74) crc->add_findings(5);
  }
  return frame;
}

std::vector<live::FindingView> findings() {
  live::FindingView view;
  view.sequence = 5;
  view.finding.id = findings::FindingId::mpa_crc_mismatch;
  return {view};
}

std::string name(const QModelIndex& index) {
  return index.siblingAtColumn(FrameModel::kField).data().toString().toStdString();
}

TEST(FrameModel, HasFpdusWithTheLayersInside) {
  FrameModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.set_frame(decoded_frame(reply()), findings());
  ASSERT_EQ(model.rowCount(), 4);
  EXPECT_EQ(name(model.index(0, 0)), "Ethernet");
  EXPECT_EQ(name(model.index(1, 0)), "TCP");
  const QModelIndex second = model.index(3, 0);
  EXPECT_EQ(name(second), "FPDU");
  EXPECT_EQ(model.octets(second), (OctetRange{74, 94}));
  ASSERT_EQ(model.rowCount(second), 3);
  const QModelIndex ddp = model.index(1, 0, second);
  EXPECT_EQ(name(ddp), "DDP");
  EXPECT_EQ(model.rowCount(ddp), 2) << "fields of RDMAP between them do not part them";
  model.clear();
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(FrameModel, FindsFieldsByOctetAndByFinding) {
  FrameModel model;
  model.set_frame(decoded_frame(reply()), findings());
  EXPECT_EQ(name(model.field_at(47)), "Flags");
  EXPECT_EQ(name(model.field_at(80)), "MSN");
  EXPECT_EQ(name(model.field_at(85)), "FPDU") << "no smaller field has this octet";
  EXPECT_FALSE(model.field_at(99).isValid());
  EXPECT_EQ(model.octets(model.wrong_field(5)), (OctetRange{90, 94}));
  EXPECT_EQ(model.wrong_field({}), model.wrong_field(5));
  EXPECT_FALSE(model.wrong_field(6).isValid());
  EXPECT_EQ(model.wrong_octets(), (std::vector<OctetRange>{{90, 94}}));
  EXPECT_EQ(model.wrong_field(5).siblingAtColumn(FrameModel::kFinding).data().toString(), QStringLiteral("E MF-04"));
  EXPECT_EQ(model.sentence(model.wrong_field(5)), QStringLiteral("MPA, CRC: value"));
}

TEST(FrameModel, FieldsOutsideTheOctetsAreDropped) {
  v1::Frame frame = reply();
  frame.set_octets(std::string(60, 'x'));
  frame.mutable_fields(0)->set_length(0xFFFFFFFF);
  const DecodedFrame decoded = decoded_frame(frame);
  for (const DecodedField& field : decoded.fields) EXPECT_LE(field.offset + field.length, 60u);
  FrameModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.set_frame(decoded, {});
  EXPECT_FALSE(model.wrong_field({}).isValid());
  model.set_frame(decoded_frame(v1::Frame{}), {});
  EXPECT_EQ(model.rowCount(), 0);
}

}  // namespace
}  // namespace iwarpscope::gui::frame_model_test
