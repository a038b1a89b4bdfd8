// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The SCTP samples of rules, checked by a slow reader: the violation has the fault and the near miss does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "synth/samples.h"
#include "synth/sctp_reader.h"

namespace iwarpscope::synth {
namespace {

using test::kPortI;
using test::kPortR;
using test::messages;
using test::number;
using test::ReadChunk;
using test::ReadMessage;
using test::ReadPacket;

std::vector<ReadPacket> packets(std::string_view name) {
  return test::read_sctp(sample(name).make(name));
}

/// Calls `data` for each DATA chunk of the Initiator with the highest TSN that the Responder has acknowledged so far.
void each_chunk(
    const std::vector<ReadPacket>& packets,
    const std::function<void(const ReadChunk& chunk, std::uint64_t tsn, std::uint64_t acknowledged)>& data) {
  std::uint64_t acknowledged = 0xFFF;  // the Initial TSN is 0x1000
  for (const ReadPacket& p : packets) {
    for (const ReadChunk& c : p.chunks) {
      if (c.type == 3 && p.source_port == kPortR) acknowledged = number(c.value, 0, 4);
      if (c.type == 0 && p.source_port == kPortI) data(c, number(c.value, 0, 4), acknowledged);
    }
  }
}

/// For both samples of a rule: whether each has the violation.
void expect_raised(std::string_view rule, const std::function<bool(const std::vector<ReadPacket>&)>& broken) {
  EXPECT_TRUE(broken(packets(rule))) << rule;
  EXPECT_FALSE(broken(packets(std::string(rule) + "-nearly"))) << rule;
}

bool any_message(const std::vector<ReadPacket>& packets, const std::function<bool(const ReadMessage&)>& is_it) {
  bool found = false;
  for (const std::uint16_t port : {kPortI, kPortR}) {
    const std::vector<ReadMessage> all = messages(packets, port);
    found = found || std::any_of(all.begin(), all.end(), is_it);
  }
  return found;
}

std::function<bool(const std::vector<ReadPacket>&)> with_message(std::function<bool(const ReadMessage&)> is_it) {
  return [is_it = std::move(is_it)](const std::vector<ReadPacket>& p) { return any_message(p, is_it); };
}

std::uint64_t code_of(const ReadMessage& m) {
  return m.ppid == 17 ? number(m.octets, 0, 2) : 0;
}

TEST(SctpRuleSamples, EachRuleHasBoth) {
  std::set<std::string> names;
  for (const Sample& s : sctp_samples()) names.insert(s.name);
  std::size_t rules = 0;
  for (const std::string& name : names) {
    if (!name.starts_with("sctp.") || name.ends_with("-nearly")) continue;
    ++rules;
    EXPECT_TRUE(names.count(name + "-nearly")) << name;
  }
  EXPECT_EQ(rules, 26U);
}

TEST(SctpRuleSamples, OfOneMessageDifferInIt) {
  expect_raised("sctp.function-code-unknown",
                with_message([](const ReadMessage& m) { return code_of(m) > 7 && code_of(m) != 0xFFFF; }));
  expect_raised("sctp.private-data-too-long",
                with_message([](const ReadMessage& m) { return m.ppid == 17 && m.octets.size() > 2 + 512; }));
  expect_raised("sctp.terminate-private-data",
                with_message([](const ReadMessage& m) { return code_of(m) == 4 && m.octets.size() > 2; }));
  expect_raised("sctp.enhanced-data-missing", with_message([](const ReadMessage& m) {
                  return (code_of(m) == 5 || code_of(m) == 6) && m.octets.size() < 2 + 4;
                }));
}

TEST(SctpRuleSamples, OfTheHandshakeDifferInIt) {
  expect_raised("sctp.adaptation-missing", [](const std::vector<ReadPacket>& p) {
    return p[0].chunks[0].type == 1 && p[0].chunks[0].value.size() == 16;
  });
  expect_raised("sctp.stream-counts-differ", [](const std::vector<ReadPacket>& p) {
    return number(p[0].chunks[0].value, 8, 2) != number(p[0].chunks[0].value, 10, 2);
  });
}

TEST(SctpRuleSamples, OfChunksDifferInFlagsAndCuts) {
  expect_raised("sctp.ordered-chunk", [](const std::vector<ReadPacket>& p) {
    bool ordered = false;
    each_chunk(p, [&](const ReadChunk& c, std::uint64_t, std::uint64_t) { ordered = ordered || (c.flags & 4) == 0; });
    return ordered;
  });
  expect_raised("sctp.fragmented", [](const std::vector<ReadPacket>& p) {
    const std::vector<ReadMessage> all = messages(p, kPortI);
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i].tsn - all[i - 1].tsn > 1 && all[i - 1].octets.size() < 1400) return true;
    }
    return false;
  });
}

TEST(SctpRuleSamples, OfChecksumsDifferFromOthersOfTheirSide) {
  expect_raised("sctp.wrong-checksum", [](const std::vector<ReadPacket>& p) {
    const auto count = [&p](bool right) {
      return std::count_if(p.begin(), p.end(), [right](const ReadPacket& one) {
        return one.source_port == kPortI && one.crc_right == right;
      });
    };
    return count(true) > 0 && count(false) == 2;
  });
  expect_raised("sctp.checksum-offload", [](const std::vector<ReadPacket>& p) {
    return std::any_of(p.begin(), p.end(), [](const ReadPacket& one) { return one.crc_is_zero; });
  });
}

TEST(SctpRuleSamples, OfOrderDifferInTheirTsns) {
  const auto again = [](const std::vector<ReadPacket>& p) {
    std::multiset<std::uint64_t> seen;
    each_chunk(p, [&](const ReadChunk&, std::uint64_t tsn, std::uint64_t) { seen.insert(tsn); });
    return seen.size() - std::set<std::uint64_t>(seen.begin(), seen.end()).size();
  };
  const auto overtaken = [](const std::vector<ReadPacket>& p) {
    std::set<std::uint64_t> seen;
    bool found = false;
    each_chunk(p, [&](const ReadChunk&, std::uint64_t tsn, std::uint64_t) {
      found = found || (!seen.empty() && tsn < *seen.rbegin() && seen.count(tsn) == 0);
      seen.insert(tsn);
    });
    return found;
  };
  expect_raised("sctp.retransmissions", [&](const std::vector<ReadPacket>& p) { return again(p) == 2; });
  expect_raised("sctp.out-of-order", overtaken);
  EXPECT_EQ(again(packets("sctp.out-of-order")), 0U);
  EXPECT_EQ(again(packets("sctp.out-of-order-nearly")), 1U);
  EXPECT_TRUE(overtaken(packets("sctp.retransmissions-nearly")));
}

TEST(SctpRuleSamples, OfEndsDifferInTheirLastChunks) {
  expect_raised("sctp.association-aborted", [](const std::vector<ReadPacket>& p) {
    const ReadChunk& last = p.back().chunks.back();
    return last.type == 6 && number(last.value, 0, 2) == 12;
  });
}

TEST(SctpRuleSamples, OfWindowsDifferInThem) {
  expect_raised("sctp.zero-window", [](const std::vector<ReadPacket>& packets) {
    bool closed = false;
    for (const ReadPacket& p : packets) {
      for (const ReadChunk& c : p.chunks) closed = closed || (c.type == 3 && number(c.value, 4, 4) == 0);
    }
    return closed;
  });
}

TEST(SctpRuleSamples, OfDdpSsnsDifferInThem) {
  // Without the chunk that the tap did not capture, its reader throws: the hole is in the capture.
  const std::vector<ReadMessage> all = messages(packets("sctp.ddp-ssn-wrong"), kPortI);
  std::vector<std::uint64_t> ssns;
  for (const ReadMessage& m : all) ssns.push_back(m.ddp_ssn);
  EXPECT_EQ(ssns, (std::vector<std::uint64_t>{0, 1, 3, 4, 5}));
  EXPECT_THROW((void)messages(packets("sctp.ddp-ssn-wrong-nearly"), kPortI), std::runtime_error);
  expect_raised("sctp.segment-before-session",
                with_message([](const ReadMessage& m) { return m.ppid == 16 && m.ddp_ssn == 0; }));
}

TEST(SctpRuleSamples, OfAcknowledgmentsDifferInThem) {
  expect_raised("sctp.segment-before-acknowledgment", [](const std::vector<ReadPacket>& p) {
    bool early = false;
    each_chunk(p, [&](const ReadChunk& c, std::uint64_t, std::uint64_t acknowledged) {
      early = early || (number(c.value, 8, 4) == 16 && acknowledged < 0x1000);
    });
    return early;
  });
  expect_raised("sctp.stream-reused-early", [](const std::vector<ReadPacket>& p) {
    bool early = false;
    each_chunk(p, [&](const ReadChunk& c, std::uint64_t tsn, std::uint64_t acknowledged) {
      early = early || (number(c.value, 12, 2) == 0 && acknowledged + 1 < tsn);
    });
    return early;
  });
  expect_raised("sctp.too-many-outstanding", [](const std::vector<ReadPacket>& p) {
    std::uint64_t most = 0;
    each_chunk(p, [&](const ReadChunk&, std::uint64_t tsn, std::uint64_t acknowledged) {
      most = std::max(most, tsn - acknowledged);
    });
    EXPECT_GE(most, 32767U);
    return most > 32767;
  });
}

TEST(SctpRuleSamples, OfSessionsDifferInTheirMessages) {
  const auto codes = [](const std::vector<ReadPacket>& p, std::uint16_t port) {
    std::vector<std::pair<unsigned, std::uint64_t>> all;
    for (const ReadMessage& m : messages(p, port)) {
      if (m.ppid == 17) all.emplace_back(m.stream, code_of(m));
    }
    return all;
  };
  const auto has = [&](const std::vector<ReadPacket>& p, std::uint16_t port, unsigned stream, std::uint64_t code) {
    const auto all = codes(p, port);
    return std::count(all.begin(), all.end(), std::pair{stream, code});
  };
  expect_raised("sctp.session-sequence-wrong", [&](const std::vector<ReadPacket>& p) {
    return has(p, kPortR, 0, 2) != 1 && has(p, kPortR, 0, 2) != 0;
  });
  expect_raised("sctp.session-not-terminated",
                [&](const std::vector<ReadPacket>& p) { return has(p, kPortI, 0, 4) + has(p, kPortR, 0, 4) == 0; });
  expect_raised("sctp.answer-kind-wrong",
                [&](const std::vector<ReadPacket>& p) { return has(p, kPortI, 0, 5) > 0 && has(p, kPortR, 0, 2) > 0; });
  expect_raised("sctp.both-sent-initiate",
                [&](const std::vector<ReadPacket>& p) { return has(p, kPortI, 0, 1) > 0 && has(p, kPortR, 0, 1) > 0; });
  expect_raised("sctp.terminate-on-every-stream", [](const std::vector<ReadPacket>& p) {
    std::set<unsigned> streams;
    for (const ReadMessage& m : messages(p, kPortR)) {
      if (m.ppid == 16 && number(m.octets, 1, 1) == 0x47) streams.insert(m.stream);
    }
    return streams.size() == 3;
  });
}

TEST(SctpSamples, OtherPayloadIsOnItsOwnAssociationInTheNearMiss) {
  const auto port_of_others = [](std::string_view name) {
    std::set<unsigned> ports;
    for (const ReadPacket& p : packets(name)) {
      for (const ReadChunk& c : p.chunks) {
        if (c.type == 0 && number(c.value, 8, 4) == 46) ports.insert(p.source_port);
      }
    }
    return ports;
  };
  EXPECT_EQ(port_of_others("sctp.other-payload"), (std::set<unsigned>{40000}));
  EXPECT_EQ(port_of_others("sctp.other-payload-nearly"), (std::set<unsigned>{40001}));
}

}  // namespace
}  // namespace iwarpscope::synth
