// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "findings/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace iwarpscope::findings {
namespace {

std::string upper(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

bool is_sentence(std::string_view text) {
  return text.size() > 20 && text.ends_with('.') && !std::islower(static_cast<unsigned char>(text.front()));
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// True if `word` is in `text` with no letter on either side.
bool has_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool starts = at == 0 || !std::isalpha(static_cast<unsigned char>(text[at - 1]));
    const std::size_t end = at + word.size();
    const bool ends = end == text.size() || !std::isalpha(static_cast<unsigned char>(text[end]));
    if (starts && ends) return true;
  }
  return false;
}

/// True if each "segment" in `text` is a TCP segment or a DDP segment.
bool segments_named(std::string_view text) {
  for (auto at = text.find("segment"); at != std::string_view::npos; at = text.find("segment", at + 1)) {
    if (text.substr(at).starts_with("segmentation") || (at >= 3 && text.substr(at - 3, 3) == "re-")) continue;
    if (at < 4) return false;
    const std::string_view before = text.substr(at - 4, 4);
    if (before != "TCP " && before != "DDP ") return false;
  }
  return true;
}

/// The enumerator's name as the compiler writes it: "[with FindingId Id = ...::FindingId::mpa_crc_mismatch; ...]".
template <FindingId Id>
std::string_view enumerator() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("Id = ") + 5);
  text = text.substr(0, text.find_first_of(";]"));
  return text.substr(text.rfind(':') + 1);
}

template <std::size_t... Values>
std::vector<std::string_view> enumerators(std::index_sequence<Values...>) {
  return {enumerator<static_cast<FindingId>(Values)>()...};
}

TEST(Catalogue, NameIsTheEnumeratorInOtherSpelling) {
  constexpr auto kCount = static_cast<std::size_t>(FindingId::site_damage_between_taps) + 1;
  const std::vector<std::string_view> names = enumerators(std::make_index_sequence<kCount>{});
  ASSERT_EQ(rules().size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string spelled{rules()[i].name};
    std::replace_if(
        spelled.begin(), spelled.end(), [](char c) { return c == '.' || c == '-'; }, '_');
    EXPECT_EQ(spelled, names[i]);
  }
}

TEST(Catalogue, EveryRowIsFoundByItsId) {
  std::size_t index = 0;
  for (const Rule& row : rules()) {
    EXPECT_EQ(static_cast<std::size_t>(row.id), index) << row.name;
    EXPECT_EQ(&rule(row.id), &row) << row.name;
    ++index;
  }
  EXPECT_EQ(index, rules().size());
}

TEST(Catalogue, EveryRowIsFoundByNameAndCodeInAnyCase) {
  for (const Rule& row : rules()) {
    EXPECT_EQ(find_rule(row.name), &row);
    EXPECT_EQ(find_rule(row.code), &row);
    EXPECT_EQ(find_rule(upper(row.name)), &row);
    std::string mixed{row.code};
    mixed[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(mixed[0])));
    EXPECT_EQ(find_rule(mixed), &row);
  }
}

TEST(Catalogue, UnknownNamesFindNothing) {
  for (const std::string_view text : {"", "mpa", "mpa.", "mpa.crc", "mpa.crc-mismatch ", " MF-04", "MF-4", "MF-04x",
                                      "MF", "mpa_crc_mismatch", "SX-12", "XX-01", "MF-04\n"}) {
    EXPECT_EQ(find_rule(text), nullptr) << '"' << text << '"';
  }
  EXPECT_EQ(find_rule(std::string(100000, 'm')), nullptr);
}

TEST(Catalogue, NameIsLayerDotWords) {
  const std::set<std::string_view> layers{"mpa", "ddp",         "rdmap",   "stag", "sctp",
                                          "tcp", "port-mapper", "capture", "site"};
  for (const Rule& row : rules()) {
    const auto dot = row.name.find('.');
    ASSERT_NE(dot, std::string_view::npos) << row.name;
    EXPECT_TRUE(layers.contains(row.name.substr(0, dot))) << row.name;
    const std::string_view words = row.name.substr(dot + 1);
    EXPECT_FALSE(words.empty() || words.starts_with('-') || words.ends_with('-')) << row.name;
    EXPECT_TRUE(std::all_of(words.begin(), words.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    })) << row.name;
  }
}

TEST(Catalogue, CodeIsFamilyDashTwoDigits) {
  for (const Rule& row : rules()) {
    EXPECT_TRUE(row.code.size() == 5 || row.code.size() == 6) << row.code;
    EXPECT_EQ(row.code[2], '-') << row.code;
    EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(row.code[3]))) << row.code;
    EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(row.code[4]))) << row.code;
    EXPECT_EQ(family(row).prefix, row.code.substr(0, 2)) << row.code;
  }
}

TEST(Catalogue, TextsAreSentencesInTheProtocolsWords) {
  for (const Rule& row : rules()) {
    for (const std::string_view text : {row.what, row.why, row.next}) {
      EXPECT_TRUE(is_sentence(text)) << row.code << ": " << text;
      EXPECT_LE(text.size(), 300U) << row.code << ": " << text;
      EXPECT_FALSE(contains(text, "  ")) << row.code << ": " << text;
      EXPECT_FALSE(has_word(text, "byte") || (has_word(text, "bytes") && row.code != "AT-02"))
          << row.code << ": " << text;
      EXPECT_TRUE(segments_named(text)) << row.code << ": " << text;
      EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; })) << row.code;
    }
  }
}

TEST(Catalogue, ReferenceNamesASection) {
  for (const Rule& row : rules()) {
    const bool ours = row.reference == "no RFC";
    EXPECT_TRUE(ours || contains(row.reference, "§") || contains(row.reference, "App. ") || row.code == "CA-07")
        << row.code << ": " << row.reference;
    // No RFC speaks of the port mapper's datagrams, of what SMB does without RDMA, nor of the weeks before.
    const bool beside =
        row.code.starts_with("PM-") || row.code.starts_with("SI-") || row.id == FindingId::tcp_smb_without_rdma;
    EXPECT_TRUE(!ours || row.about == About::capture || beside) << row.code;
  }
}

TEST(Catalogue, CaptureIsNeverAnErrorAndNeverAPeer) {
  for (const Rule& row : rules()) {
    EXPECT_FALSE(row.about == About::capture && row.severity == Severity::error) << row.code;
    EXPECT_EQ(row.name.starts_with("capture."), row.code.starts_with("CA-")) << row.code;
    EXPECT_TRUE(!row.name.starts_with("capture.") || row.about == About::capture) << row.code;
  }
}

TEST(Catalogue, ErrorsAreReportedEachTimeUnlessTheyRecurByNature) {
  const std::set<FindingId> once{FindingId::mpa_first_fpdu_unreadable, FindingId::mpa_crc_not_computed,
                                 FindingId::mpa_fpdu_ends_elsewhere,   FindingId::ddp_segment_after_terminate,
                                 FindingId::rdmap_too_many_reads,      FindingId::sctp_other_payload};
  for (const Rule& row : rules()) {
    if (row.severity != Severity::error) continue;
    EXPECT_EQ(row.repeat == Repeat::each, !once.contains(row.id)) << row.code;
  }
}

TEST(Catalogue, ReservedBitsThatReceiversIgnoreAreNotes) {
  for (const FindingId id :
       {FindingId::mpa_startup_reserved_bits, FindingId::mpa_marker_reserved_bits,
        FindingId::mpa_marker_pointer_low_bits, FindingId::ddp_reserved_bits, FindingId::rdmap_reserved_bits,
        FindingId::rdmap_terminate_reserved_bits, FindingId::rdmap_atomic_reserved_bits}) {
    EXPECT_EQ(rule(id).severity, Severity::note) << rule(id).code;
  }
}

TEST(Catalogue, ImplementationsAreNamedWhereTheyAreKnown) {
  EXPECT_TRUE(contains(rule(FindingId::mpa_startup_reserved_bits).why, "Linux siw"));
  EXPECT_TRUE(contains(rule(FindingId::mpa_unnegotiated_depth_not_asked).why, "irdma"));
  EXPECT_TRUE(contains(rule(FindingId::mpa_unnegotiated_rtr).why, "cxgb4"));
  EXPECT_TRUE(contains(rule(FindingId::mpa_ulpdu_above_mulpdu).why, "Linux siw"));
  EXPECT_TRUE(contains(rule(FindingId::rdmap_terminate_rdma_header_unexpected).why, "Linux siw"));
  EXPECT_TRUE(contains(rule(FindingId::rdmap_terminate_ddp_header_unexpected).why, "irdma"));
  EXPECT_TRUE(contains(rule(FindingId::rdmap_terminate_ddp_header_missing).why, "cxgb4"));
}

// A few rows in full: a shift of rows against enumerators would pass every test above.
TEST(Catalogue, KnownRowsCarryTheirCodeAndName) {
  const struct {
    FindingId id;
    std::string_view code;
    std::string_view name;
    Severity severity;
    About about;
  } known[] = {
      {FindingId::mpa_request_key_wrong, "MS-01", "mpa.request-key-wrong", Severity::error, About::peer},
      {FindingId::mpa_crc_off, "MS-37", "mpa.crc-off", Severity::note, About::peer},
      {FindingId::mpa_crc_mismatch, "MF-04", "mpa.crc-mismatch", Severity::error, About::path},
      {FindingId::tcp_retransmission_differs, "MF-18", "tcp.retransmission-differs", Severity::warning, About::path},
      {FindingId::tcp_data_after_fin, "MF-21", "tcp.data-after-fin", Severity::error, About::peer},
      {FindingId::ddp_msn_out_of_sequence, "DD-07", "ddp.msn-out-of-sequence", Severity::error, About::peer},
      {FindingId::rdmap_opcode_unassigned, "RM-03", "rdmap.opcode-unassigned", Severity::error, About::peer},
      {FindingId::rdmap_opcode_experimental, "RM-03F", "rdmap.opcode-experimental", Severity::warning, About::peer},
      {FindingId::rdmap_invalidate_stag_zero, "RM-40", "rdmap.invalidate-stag-zero", Severity::warning, About::peer},
      {FindingId::rdmap_immediate_size, "AT-03", "rdmap.immediate-size", Severity::error, About::peer},
      {FindingId::capture_gap, "CA-01", "capture.gap", Severity::warning, About::capture},
      {FindingId::tcp_hole_never_filled, "TC-07", "tcp.hole-never-filled", Severity::warning, About::capture},
  };
  for (const auto& row : known) {
    EXPECT_EQ(rule(row.id).code, row.code);
    EXPECT_EQ(rule(row.id).name, row.name);
    EXPECT_EQ(rule(row.id).severity, row.severity) << row.code;
    EXPECT_EQ(rule(row.id).about, row.about) << row.code;
  }
}

TEST(Families, EachHasRulesAndOwnWords) {
  std::set<std::string_view> titles;
  for (const Family& one : families()) {
    EXPECT_TRUE(titles.insert(one.title).second) << one.title;
    EXPECT_TRUE(std::any_of(rules().begin(), rules().end(), [&one](const Rule& row) { return &family(row) == &one; }))
        << one.prefix;
  }
  EXPECT_EQ(families().front().prefix, "MS");
  EXPECT_EQ(families().back().prefix, "SI");
}

TEST(Severities, NamesAreTheReportsWords) {
  EXPECT_EQ(name(Severity::note), "note");
  EXPECT_EQ(name(Severity::warning), "warning");
  EXPECT_EQ(name(Severity::error), "error");
  EXPECT_LT(Severity::note, Severity::warning);
  EXPECT_LT(Severity::warning, Severity::error);
}

TEST(Abouts, NamesAreTheReportsWords) {
  EXPECT_EQ(name(About::peer), "peer");
  EXPECT_EQ(name(About::path), "path");
  EXPECT_EQ(name(About::capture), "capture");
}

TEST(Explains, StartupIsWhatStartupFramesAndSessionMessagesBreak) {
  constexpr auto kOfSessions = std::to_array<std::string_view>({"SC-05", "SC-06", "SC-12", "SC-13"});
  for (const Rule& row : rules()) {
    const bool of_session = std::find(kOfSessions.begin(), kOfSessions.end(), row.code) != kOfSessions.end();
    EXPECT_EQ(row.explains == Explains::startup, of_session || row.code.starts_with("MS-")) << row.code;
  }
}

TEST(Explains, NothingIsWhatOnlySaysThatSomethingWasOutstandingOrHowItEnded) {
  constexpr auto kConsequences = std::to_array<std::string_view>({"RM-16", "AT-12", "DD-21", "MF-14"});
  for (const Rule& row : rules()) {
    const bool known = std::find(kConsequences.begin(), kConsequences.end(), row.code) != kConsequences.end();
    // What a site saw says nothing of one queue pair.
    const bool expected = known || row.code.starts_with("QP-") || row.code.starts_with("SI-");
    EXPECT_EQ(row.explains == Explains::nothing, expected) << row.code;
  }
  EXPECT_EQ(name(Explains::ending), "ending");
  EXPECT_EQ(name(Explains::startup), "startup");
  EXPECT_EQ(name(Explains::nothing), "nothing");
}

TEST(Refusals, AreOfRulesAboutAnEndThatAreNoMereNotes) {
  EXPECT_TRUE(is_refused(rule(FindingId::ddp_mo_wrong)));
  EXPECT_FALSE(is_refused(rule(FindingId::mpa_crc_mismatch))) << "about the path";
  for (const Rule& row : rules()) {
    const bool can_be = row.about == About::peer && row.severity != Severity::note;
    EXPECT_EQ(is_refused(row), can_be && !row.refused_with.is_empty()) << row.code;
  }
}

TEST(Repeats, NamesDiffer) {
  EXPECT_EQ(name(Repeat::each), "each");
  EXPECT_EQ(name(Repeat::per_direction), "per direction");
  EXPECT_EQ(name(Repeat::per_qp), "per queue pair");
}

}  // namespace
}  // namespace iwarpscope::findings
