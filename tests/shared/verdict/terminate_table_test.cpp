// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Every error that a Terminate can report, with every broken rule that a receiver refuses: what the verdict says of
// both.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rdmap/terminate.h"
#include "verdict/catalogue.h"
#include "verdict/judge.h"

namespace iwarpscope::test {
namespace {

using findings::FindingId;
using findings::Rule;
using findings::TerminateCode;
using qp::Blame;
using qp::Confidence;

constexpr FrameNumber kBroken{5}, kTerminateFrame{9};

std::vector<TerminateCode> codes() {
  std::vector<TerminateCode> all{{0, 0, 0}};  // of 0/0 every code means the same
  for (unsigned layer = 0; layer < 3; ++layer) {
    for (unsigned type = layer == 0 ? 1 : 0; type < 4; ++type) {
      for (unsigned code = 0; code < 256; ++code) {
        const TerminateCode each{static_cast<std::uint8_t>(layer), static_cast<std::uint8_t>(type),
                                 static_cast<std::uint8_t>(code)};
        if (rdmap::is_registered(each.layer, each.error_type, each.error_code)) all.push_back(each);
      }
    }
  }
  return all;
}

/// Rules about an end that are no mere notes, and that a receiver refuses.
std::vector<const Rule*> refused_rules() {
  std::vector<const Rule*> all;
  for (const Rule& rule : findings::rules()) {
    const bool counts = rule.about == findings::About::peer && rule.severity != findings::Severity::note;
    if (counts && !rule.refused_with.is_empty()) all.push_back(&rule);
  }
  return all;
}

/// A broke the rule in frame 5, and B sent the Terminate in frame 9; it names that message, or nothing.
qp::QpRecord record_of(const Rule& rule, TerminateCode code, bool names) {
  qp::QpRecord record;
  record.directions[0].fpdus = record.directions[1].fpdus = 3;
  const qp::BreachPlace place{kBroken, kBroken, 3};
  record.summary.findings.push_back({rule.id, Direction::a_to_b, kBroken, place, {}});
  auto& t = record.summary.directions[1].terminate.emplace();
  t.at = {kTerminateFrame, {}};
  t.layer = code.layer;
  t.error_type = code.error_type;
  t.error_code = code.error_code;
  if (names) {
    t.quoted = rdmap::Opcode::send;
    qp::TerminateSummary::Named named;
    named.message = 3;
    named.opcode = rdmap::Opcode::send;
    named.frame = kBroken;
    t.named = named;
  }
  return record;
}

std::string name_of(const Rule& rule, TerminateCode code) {
  return std::string(rule.code) + " and " + std::to_string(code.layer) + "/" + std::to_string(code.error_type) + "/" +
         std::to_string(code.error_code);
}

qp::VerdictRecord verdict_on(const qp::QpRecord& record) {
  return verdict::judge(record, {}, std::nullopt);
}

/// With a wrong CRC reported, an invalid ULPDU_Length may be the path's.
Confidence surest(const Rule& rule, TerminateCode code) {
  const bool may_be_path = rule.id == FindingId::mpa_ulpdu_length_invalid && code == TerminateCode{2, 0, 2};
  return may_be_path ? Confidence::likely : Confidence::certain;
}

bool is_own_error(TerminateCode code) {
  return code.layer == 0 && code.error_type == 0;
}

TEST(TerminateTable, RuleBrokenByTheNamedMessageIsWhatTheVerdictIsAbout) {
  for (const Rule* const rule : refused_rules()) {
    for (const TerminateCode code : codes()) {
      if (is_own_error(code)) continue;
      const qp::VerdictRecord v = verdict_on(record_of(*rule, code, true));
      const bool agrees = rule->refused_with.contains(code);
      EXPECT_EQ(v.id, agrees ? "terminate.over-rule" : "terminate.over-named-rule") << name_of(*rule, code);
      EXPECT_EQ(v.blame, Blame::a) << name_of(*rule, code);
      EXPECT_EQ(v.confidence, agrees ? surest(*rule, code) : Confidence::likely) << name_of(*rule, code);
      EXPECT_NE(v.text.find("(" + std::string(rule->code) + ")"), std::string::npos) << v.text;
    }
  }
}

/// Merged captures may have the Terminate before the message that it names.
TEST(TerminateTable, RuleBrokenByTheNamedMessageCountsInALaterFrame) {
  for (const Rule* const rule : refused_rules()) {
    for (const TerminateCode code : codes()) {
      if (is_own_error(code)) continue;
      qp::QpRecord record = record_of(*rule, code, true);
      qp::NotedFinding& f = record.summary.findings.front();
      f.frame = f.begin.frame = f.begin.first = record.summary.directions[1].terminate->named->frame = FrameNumber{12};
      const qp::VerdictRecord v = verdict_on(record);
      const bool agrees = rule->refused_with.contains(code);
      EXPECT_EQ(v.id, agrees ? "terminate.over-rule" : "terminate.over-named-rule") << name_of(*rule, code);
      EXPECT_EQ(v.blame, Blame::a) << name_of(*rule, code);
    }
  }
}

TEST(TerminateTable, WithoutANamedMessageTheErrorDecidesWhetherTheRuleIsTheReason) {
  for (const Rule* const rule : refused_rules()) {
    for (const TerminateCode code : codes()) {
      const qp::VerdictRecord v = verdict_on(record_of(*rule, code, false));
      const std::string where = name_of(*rule, code) + ": " + v.text;
      if (!is_own_error(code) && rule->refused_with.contains(code)) {
        EXPECT_EQ(v.id, "terminate.over-rule") << where;
        EXPECT_EQ(v.confidence, surest(*rule, code)) << where;
      } else {
        EXPECT_NE(v.id, "terminate.over-rule") << where;
        EXPECT_NE(v.confidence, Confidence::certain) << where;
      }
      // Whatever the reason, an error of that end is not passed over.
      if (rule->severity == findings::Severity::error) {
        EXPECT_NE(v.text.find("(" + std::string(rule->code) + ")"), std::string::npos) << where;
      }
    }
  }
}

TEST(TerminateTable, ErrorInsideItsSenderIsBlamedOnNoBrokenRule) {
  for (const Rule* const rule : refused_rules()) {
    for (const bool names : {false, true}) {
      const qp::VerdictRecord v = verdict_on(record_of(*rule, {0, 0, 0}, names));
      EXPECT_EQ(v.id, "terminate.usual.local-catastrophic") << rule->code;
      EXPECT_EQ(v.blame, Blame::b) << rule->code;
    }
  }
}

TEST(TerminateTable, RuleBrokenByAnotherMessageIsNotTheReason) {
  for (const Rule* const rule : refused_rules()) {
    for (const TerminateCode code : codes()) {
      qp::QpRecord record = record_of(*rule, code, true);
      record.summary.directions[1].terminate->named->message = 4;
      record.summary.directions[1].terminate->named->frame = FrameNumber{6};
      const std::string id = verdict_on(record).id;
      EXPECT_NE(id, "terminate.over-rule") << name_of(*rule, code);
      EXPECT_NE(id, "terminate.over-named-rule") << name_of(*rule, code);
    }
  }
}

TEST(TerminateTable, RuleBrokenOnlyAfterTheTerminateIsNeverCertain) {
  for (const Rule* const rule : refused_rules()) {
    for (const TerminateCode code : codes()) {
      qp::QpRecord record = record_of(*rule, code, false);
      qp::NotedFinding& f = record.summary.findings.front();
      f.frame = f.begin.frame = f.begin.first = FrameNumber{12};
      const qp::VerdictRecord v = verdict_on(record);
      const bool may_be = !is_own_error(code) && rule->refused_with.contains(code);
      EXPECT_EQ(v.id == "terminate.before-rule", may_be) << name_of(*rule, code) << v.text;
      EXPECT_NE(v.confidence, Confidence::certain) << name_of(*rule, code);
    }
  }
}

TEST(TerminateTable, RuleBrokenByTheOtherEndIsNotTheReason) {
  for (const Rule* const rule : refused_rules()) {
    for (const TerminateCode code : codes()) {
      qp::QpRecord record = record_of(*rule, code, false);
      record.summary.findings.front().direction = Direction::b_to_a;
      EXPECT_NE(verdict_on(record).id, "terminate.over-rule") << name_of(*rule, code);
    }
  }
}

/// What the RFCs and Linux siw's receiver say of single rules, without the rows that the program goes by.
TEST(TerminateTable, CodesOfTheRfcsAreThoseOfTheRows) {
  struct Pair {
    std::string_view rule;
    TerminateCode code;
  };
  constexpr auto kPairs = std::to_array<Pair>({
      {"MS-02", {2, 0, 4}},                                                                    // RFC 5044 §8
      {"MF-04", {2, 0, 2}}, {"MF-11", {2, 0, 3}}, {"MF-13", {2, 0, 3}}, {"MS-29", {2, 0, 7}},  // RFC 6581 §8, §9.2
      {"MS-30", {2, 0, 6}}, {"DD-03", {1, 1, 4}},                                              // RFC 5041 §7.1, §7.2
      {"DD-03", {1, 2, 6}}, {"DD-05", {1, 2, 1}}, {"DD-07", {1, 2, 3}}, {"DD-11", {1, 2, 4}},
      {"DD-18", {1, 1, 3}}, {"RM-01", {0, 2, 5}},  // RFC 5040 §4.8, §7
      {"RM-03", {0, 2, 6}}, {"RM-05", {0, 2, 6}}, {"RM-08", {0, 1, 4}}, {"RM-40", {0, 1, 9}},
      {"AT-07", {0, 2, 7}},                        // RFC 7306 §8.2
      {"RM-09", {1, 0, 0}}, {"RM-10", {1, 1, 0}},  // Linux siw
      {"RM-12", {1, 1, 1}}, {"RM-17", {0, 2, 7}}, {"MF-01", {2, 0, 2}},
  });
  for (const Pair& pair : kPairs) {
    const Rule* const rule = findings::find_rule(pair.rule);
    ASSERT_NE(rule, nullptr);
    EXPECT_TRUE(rule->refused_with.contains(pair.code)) << name_of(*rule, pair.code);
  }
}

TEST(TerminateTable, RowsNameOnlyErrorsThatAreRegistered) {
  for (const Rule& rule : findings::rules()) {
    for (const TerminateCode code : rule.refused_with.codes()) {
      EXPECT_TRUE(rdmap::is_registered(code.layer, code.error_type, code.error_code)) << name_of(rule, code);
      EXPECT_FALSE(is_own_error(code)) << rule.code;
    }
  }
}

TEST(TerminateTable, EachErrorHasAUsualCause) {
  for (const TerminateCode code : codes()) {
    qp::QpRecord record = record_of(findings::rule(FindingId::ddp_mo_wrong), code, false);
    record.summary.findings.clear();
    const std::string id = verdict_on(record).id;
    const bool is_crc = code == TerminateCode{2, 0, 2};
    EXPECT_TRUE(is_crc ? id == "terminate.crc-unchecked" : id.starts_with("terminate.usual.")) << id;
    const bool is_of_llp = code.layer == 1 && code.error_type == 3;  // registered, and with no meaning of its own
    EXPECT_EQ(id == "terminate.usual.unregistered", is_of_llp) << name_of(findings::rules().front(), code);
  }
  qp::QpRecord record = record_of(findings::rule(FindingId::ddp_mo_wrong), {7, 7, 7}, false);
  record.summary.findings.clear();
  EXPECT_EQ(verdict_on(record).id, "terminate.usual.unregistered");
}

// ---- every error with every kind of message ----

using enum rdmap::Opcode;

/// Kinds of message that can have an error, by what the RFCs say of each.
struct Possible {
  TerminateCode code;
  std::vector<rdmap::Opcode> opcodes;
};

const std::vector<rdmap::Opcode>& tagged_ones() {
  static const std::vector<rdmap::Opcode> kAll{rdma_write, rdma_read_response};
  return kAll;
}
const std::vector<rdmap::Opcode>& untagged_ones() {
  static const std::vector<rdmap::Opcode> kAll{rdma_read_request,  send,           send_invalidate, send_se,
                                               send_se_invalidate, terminate,      immediate,       immediate_se,
                                               atomic_request,     atomic_response};
  return kAll;
}
const std::vector<rdmap::Opcode>& received_ones() {
  static const std::vector<rdmap::Opcode> kAll{send,      send_invalidate, send_se, send_se_invalidate,
                                               immediate, immediate_se};
  return kAll;
}

/// Errors that are not here can be about each kind.
std::vector<Possible> possible() {
  // RFC 5040 §4.8 Figure 10 and §7.2: RDMA Read Requests, and STags to invalidate. Of RFC 7306 §8.2 the Atomic Request,
  // which reaches a tagged buffer too. Drivers report errors of tagged messages in this layer as well.
  const std::vector<rdmap::Opcode> with_stag{rdma_write,      rdma_read_request,  rdma_read_response,
                                             send_invalidate, send_se_invalidate, atomic_request};
  const std::vector<rdmap::Opcode> with_offset{rdma_write, rdma_read_request, rdma_read_response, atomic_request};
  const std::vector<rdmap::Opcode> invalidating{send_invalidate, send_se_invalidate};  // RFC 5040 §5.3
  // A receiver may lack RFC 7306, have no room for a request, or have asked for no response.
  const std::vector<rdmap::Opcode> unexpected{rdma_read_request, rdma_read_response, immediate,
                                              immediate_se,      atomic_request,     atomic_response};
  std::vector<rdmap::Opcode> numbered = received_ones();  // RFC 5041 §7.1: too many requests have no buffer, too
  numbered.insert(numbered.end(), {rdma_read_request, atomic_request});
  return {
      {{0, 1, 0}, with_stag},       {{0, 1, 1}, with_offset},     {{0, 1, 2}, with_stag},
      {{0, 1, 3}, with_stag},       {{0, 1, 4}, with_offset},     {{0, 1, 9}, invalidating},
      {{0, 1, 0xFF}, with_stag},    {{0, 2, 6}, unexpected},      {{0, 2, 9}, invalidating},
      {{1, 1, 0}, tagged_ones()},   {{1, 1, 1}, tagged_ones()},   {{1, 1, 2}, tagged_ones()},
      {{1, 1, 3}, tagged_ones()},   {{1, 1, 4}, tagged_ones()},   {{1, 2, 1}, untagged_ones()},
      {{1, 2, 2}, numbered},        {{1, 2, 3}, numbered},        {{1, 2, 4}, untagged_ones()},
      {{1, 2, 5}, received_ones()}, {{1, 2, 6}, untagged_ones()},
  };
}

bool can_have(rdmap::Opcode opcode, TerminateCode code) {
  const auto all = possible();
  const auto at = std::find_if(all.begin(), all.end(), [&](const Possible& p) { return p.code == code; });
  return at == all.end() || std::find(at->opcodes.begin(), at->opcodes.end(), opcode) != at->opcodes.end();
}

/// B refuses a message of A that broke no rule.
qp::QpRecord refusal(rdmap::Opcode opcode, TerminateCode code, rdmap::TerminateDialect dialect, bool named) {
  qp::QpRecord record = record_of(findings::rule(FindingId::ddp_mo_wrong), code, true);
  record.summary.findings.clear();
  record.crc_in_use = true;
  auto& t = *record.summary.directions[1].terminate;
  t.dialect = dialect;
  t.quoted = opcode;
  t.named->opcode = opcode;
  t.named->tagged = rdmap::traits(opcode).tagged.value_or(false);
  if (!named) t.named.reset();
  return record;
}

TEST(TerminateTable, NoEndIsBlamedForAnErrorThatItsMessageCannotHave) {
  for (const TerminateCode code : codes()) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(unknown); ++k) {
      const auto opcode = static_cast<rdmap::Opcode>(k);
      for (const auto dialect : {rdmap::TerminateDialect::rfc5040, rdmap::TerminateDialect::siw_le}) {
        for (const bool named : {true, false}) {
          const qp::VerdictRecord v = verdict_on(refusal(opcode, code, dialect, named));
          const std::string where = std::string(rdmap::name(opcode)) + ": " + v.text;
          const bool says_so = v.code == "V-108" || v.code == "V-109";
          EXPECT_EQ(says_so, !can_have(opcode, code)) << where;
          const bool may_blame = !says_so && named;
          EXPECT_FALSE(!may_blame && v.blame == Blame::a) << where;
        }
      }
    }
  }
}

/// Its opcode decides nothing there: it may be of an extension that has anything.
TEST(TerminateTable, MessageOfUnknownOpcodeCanHaveAnyErrorOfItsBufferModel) {
  for (const TerminateCode code : codes()) {
    const qp::VerdictRecord v = verdict_on(refusal(unknown, code, rdmap::TerminateDialect::rfc5040, true));
    EXPECT_NE(v.code, "V-109") << v.text;
  }
}

TEST(TerminateTable, SinkOfAReadIsBlamedOnlyForErrorsOfABuffer) {
  for (const TerminateCode code : codes()) {
    const qp::VerdictRecord v = verdict_on(refusal(rdma_read_response, code, rdmap::TerminateDialect::rfc5040, true));
    const bool of_layer = code.layer == 0 && code.error_type == 1 && code.error_code != 9;
    const bool of_ddp = code.layer == 1 && code.error_type == 1 && code.error_code != 4;
    EXPECT_EQ(v.id == "terminate.read-sink", of_layer || of_ddp) << v.text;
  }
}

/// Sentences that name causes at both ends blame neither.
TEST(TerminateTable, NoEndIsBlamedWhereTheCauseMayBeAtEither) {
  using enum verdict::VerdictId;
  for (const auto id :
       {terminate_usual_rights, terminate_usual_protection, terminate_usual_rdmap_version, terminate_usual_opcode,
        terminate_usual_stag_or_rights, terminate_usual_ddp_version, terminate_usual_queue, terminate_usual_msn,
        terminate_usual_siw_receive, terminate_usual_siw_stag, terminate_usual_siw_stream, terminate_usual_cxgb4_msn}) {
    EXPECT_EQ(verdict::row(id).blame, verdict::BlameRule::unknown) << verdict::row(id).sentence;
  }
}

}  // namespace
}  // namespace iwarpscope::test
