// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "ulp/limits.h"

#include <gtest/gtest.h>

#include <vector>

#include "shared/ulp/payloads.h"

namespace iwarpscope::ulp {
namespace {

using test::from_hex;
using test::octets_of;
using test::whole;

// As captured from Linux: the I/O queue's connect request and accept.
constexpr std::string_view kNvmeRequest = "0000 0100 1000 0f00 000000000000000000000000000000000000000000000000";
constexpr std::string_view kNvmeAccept = "0000 1000 00000000000000000000000000000000000000000000000000000000";
constexpr std::string_view kNvmeReject = "0000 0400";

std::optional<Limits> both(Ulp ulp, std::string_view request, std::string_view reply, bool rejected = false) {
  const std::string a = from_hex(request), b = from_hex(reply);
  return compare_private_data(ulp, octets_of(a), octets_of(b), rejected);
}
std::string changed(std::string_view digits, std::size_t at, unsigned value) {
  std::string octets = from_hex(digits);
  octets.at(at) = static_cast<char>(value);
  return octets;
}

TEST(NvmeLimits, RealQueuesFit) {
  const std::string octets = from_hex(kNvmeRequest);
  EXPECT_EQ(nvme_request(octets_of(octets)), (NvmeRequest{.queue = 1, .receive_queue = 16, .send_queue = 15}));
  const std::optional<Limits> limits = both(Ulp::nvme, kNvmeRequest, kNvmeAccept);
  ASSERT_TRUE(limits);
  EXPECT_TRUE(limits->compatible);
  EXPECT_EQ(limits->sentence,
            "For I/O queue 1 the NVMe-oF host asks for a submission queue of 16 entries; the controller grants 16.");
}

TEST(NvmeLimits, AdminQueueIsNamed) {
  const Limits limits =
      compare(NvmeRequest{.queue = 0, .receive_queue = 32, .send_queue = 31}, NvmeAccept{.receive_queue = 32});
  EXPECT_EQ(
      limits.sentence,
      "For the admin queue the NVMe-oF host asks for a submission queue of 32 entries; the controller grants 32.");
}

TEST(NvmeLimits, ASmallerReceiveQueueDoesNotFit) {
  const NvmeRequest host{.queue = 1, .receive_queue = 128, .send_queue = 127};
  EXPECT_TRUE(compare(host, {.receive_queue = 127}).compatible);  // a queue of 128 entries holds 127 commands
  EXPECT_FALSE(compare(host, {.receive_queue = 126}).compatible);
  EXPECT_EQ(compare(host, {.receive_queue = 32}).sentence,
            "For I/O queue 1 the NVMe-oF host asks for a submission queue of 128 entries; the controller grants 32. A "
            "host that ignores this limit sends more commands than fit.");
}

TEST(NvmeLimits, ARejectSaysWhy) {
  const std::optional<Limits> limits = both(Ulp::nvme, kNvmeRequest, kNvmeReject, true);
  ASSERT_TRUE(limits);
  EXPECT_FALSE(limits->compatible);
  EXPECT_EQ(limits->sentence,
            "The NVMe-oF host asks for a submission queue of 16 entries for I/O queue 1; the controller refuses with "
            "status 4: the host's send queue size is invalid.");
  EXPECT_NE(nvme_refused({}, 99).sentence.find("status 99: for an unknown reason."), std::string::npos);
}

TEST(NvmeLimits, NothingWhenOneEndCannotBeRead) {
  EXPECT_FALSE(both(Ulp::nvme, kNvmeRequest, ""));
  EXPECT_FALSE(both(Ulp::nvme, "", kNvmeAccept));
  EXPECT_FALSE(both(Ulp::nvme, kNvmeRequest, kNvmeRequest));  // an echo is no accept
  EXPECT_FALSE(both(Ulp::nvme, kNvmeRequest, kNvmeReject));
  EXPECT_FALSE(both(Ulp::nvme, kNvmeRequest, kNvmeAccept, true));
  EXPECT_FALSE(both(Ulp::nvme, kNvmeRequest, "00000000", true));
  for (const auto& [at, value] : std::to_array<std::pair<std::size_t, unsigned>>({{0, 1}, {4, 0}, {6, 0}, {31, 1}})) {
    const std::string octets = changed(kNvmeRequest, at, value);
    EXPECT_FALSE(nvme_request(octets_of(octets))) << at;
  }
}

TEST(NvmeLimits, NothingFromAnotherLength) {
  const std::string request = from_hex(kNvmeRequest) + "x", accept = from_hex(kNvmeAccept) + "x";
  for (std::size_t n = 0; n <= request.size(); ++n) {
    EXPECT_EQ(nvme_request(octets_of(request).first(n)).has_value(), n == 32);
    EXPECT_EQ(nvme_accept(octets_of(accept).first(n)).has_value(), n == 32);
  }
}

TEST(NfsLimits, BothTakeTheLower) {
  const std::optional<Limits> limits = both(Ulp::nfs, "f6ab0e18 01 00 03 03", "f6ab0e18 01 00 0f 01");
  ASSERT_TRUE(limits);
  EXPECT_TRUE(limits->compatible);
  EXPECT_EQ(
      limits->sentence,
      "The NFS/RDMA client sends 4096 octets inline and takes 4096; the server sends 16384 octets inline and takes "
      "2048: calls of up to 2048 octets and replies of up to 4096 go inline.");
}

TEST(NfsLimits, SilenceIsTheDefault) {
  const std::optional<Limits> limits = both(Ulp::nfs, "f6ab0e18 01 01 ff 03", "");
  ASSERT_TRUE(limits);
  EXPECT_EQ(
      limits->sentence,
      "The NFS/RDMA client sends 262144 octets inline and takes 4096; the server gives no sizes, which means 1024 "
      "octets: calls of up to 1024 octets and replies of up to 1024 go inline.");
  EXPECT_FALSE(both(Ulp::nfs, "", ""));
}

TEST(NfsLimits, FoundAtAnyOffset) {
  const std::string octets = from_hex("00f6 f6ab0e18 02 00 09 09 f6ab0e18 01 01 03 07 00");
  EXPECT_EQ(nfs_sizes(octets_of(octets)), (NfsSizes{.send_octets = 4096, .receive_octets = 8192, .invalidates = true}));
  for (std::size_t n = 0; n < octets.size() - 1; ++n) EXPECT_FALSE(nfs_sizes(octets_of(octets).first(n))) << n;
}

SmbDirectRequest real_request() {
  const std::string octets = from_hex(test::kSmbRequest);
  return smb_direct_request(whole(octets)).value();
}
SmbDirectResponse real_response() {
  const std::string octets = from_hex(test::kSmbResponse);
  return smb_direct_response(whole(octets)).value();
}

TEST(SmbDirectLimits, RealEndsFit) {
  const SmbDirectRequest request = real_request();
  EXPECT_EQ(request, (SmbDirectRequest{.lowest_version = 0x0100,
                                       .highest_version = 0x0100,
                                       .credits_requested = 255,
                                       .preferred_send_octets = 1364,
                                       .receive_octets = 1364,
                                       .fragmented_octets = 173910}));
  EXPECT_EQ(real_response().read_write_octets, 8U * 1024 * 1024);
  const Limits limits = compare(request, real_response());
  EXPECT_TRUE(limits.compatible);
  EXPECT_EQ(limits.sentence,
            "The SMB Direct client sends at most 1364 octets at once, takes 1364 and 173910 in fragments, and asks for "
            "255 credits; the server sends at most 1364 octets at once, takes 1364 and 173910 in fragments, and grants "
            "254.");
}

TEST(SmbDirectLimits, WhatDoesNotFitIsSaid) {
  const auto last = [](const SmbDirectRequest& a, const SmbDirectResponse& b) {
    const Limits limits = compare(a, b);
    EXPECT_FALSE(limits.compatible);
    const std::size_t end = limits.sentence.find(". ");
    return end == std::string::npos ? limits.sentence : limits.sentence.substr(end + 2);
  };
  SmbDirectRequest a = real_request();
  SmbDirectResponse b = real_response();
  b.preferred_send_octets = 1365;
  EXPECT_EQ(last(a, b), "The server sends more at once than the client takes.");
  b = real_response();
  b.receive_octets = 127;
  EXPECT_EQ(last(a, b), "Each end must take 128 octets at once.");
  b = real_response();
  b.credits_granted = 0;
  EXPECT_EQ(last(a, b), "Nothing can be sent without a credit.");
  b = real_response();
  b.version = 0x0200;
  EXPECT_EQ(last(a, b), "They do not agree on version 1.0.");
  a.fragmented_octets = 131071;
  EXPECT_EQ(last(a, real_response()), "Each end must take 131072 octets in fragments.");
}

TEST(SmbDirectLimits, ARefusalHasAStatus) {
  const std::string octets = from_hex("0001 0001 0000 0000 0000 0000 bb0000c0 00000000 00000000 00000000 00000000");
  const std::optional<SmbDirectResponse> response = smb_direct_response(whole(octets));
  ASSERT_TRUE(response);
  EXPECT_FALSE(compare(real_request(), *response).compatible);
  EXPECT_EQ(compare(real_request(), *response).sentence,
            "The SMB Direct client sends at most 1364 octets at once, takes 1364 and 173910 in fragments, and asks for "
            "255 credits; the server refuses with status 0xc00000bb.");
}

TEST(SmbDirectLimits, CreditsAloneAreNoRequest) {
  const std::string octets = from_hex(test::kSmbCredits);
  EXPECT_FALSE(smb_direct_request(whole(octets)));
}

TEST(SmbDirectLimits, NothingFromAnotherLength) {
  const std::string request = from_hex(test::kSmbRequest) + "x", response = from_hex(test::kSmbResponse) + "x";
  for (std::size_t n = 0; n <= request.size(); ++n) {
    EXPECT_EQ(smb_direct_request(whole(request.substr(0, n))).has_value(), n == 20);
  }
  for (std::size_t n = 0; n <= response.size(); ++n) {
    EXPECT_EQ(smb_direct_response(whole(response.substr(0, n))).has_value(), n == 32);
    EXPECT_FALSE(n < 32 && smb_direct_response({.octets = octets_of(response).first(n), .length = 32}));
  }
}

TEST(Limits, NoiseSaysNothing) {
  test::Noise noise(22);
  for (int k = 0; k < 100'000; ++k) {
    const std::string a = noise.octets(noise.below(64)), b = noise.octets(noise.below(64));
    for (const Ulp ulp : {Ulp::none, Ulp::rping, Ulp::smb_direct, Ulp::nvme, Ulp::nfs}) {
      ASSERT_FALSE(compare_private_data(ulp, octets_of(a), octets_of(b), k % 2 == 0));
    }
  }
}

}  // namespace
}  // namespace iwarpscope::ulp
