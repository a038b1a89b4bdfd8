// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <zlib.h>
#include <zstd.h>

#include <memory>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files.h"

namespace iwarpscope::capture::test {
namespace {

using ::testing::HasSubstr;

std::string gzip(const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, content.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// With a checksum, as the zstd program writes it.
std::string zstd(const std::string& content) {
  const std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(content.size()), '\0');
  out.resize(ZSTD_compress2(context.get(), out.data(), out.size(), content.data(), content.size()));
  return out;
}

/// Several MiB, half of it random so that the compressed form is larger than the buffers, too.
std::string big_file(bool is_pcapng) {
  std::mt19937 random(5);
  Writer writer;
  is_pcapng ? writer.section().interface(1) : writer.pcap_header();
  for (std::uint32_t i = 0; i < 4000; ++i) {
    std::string octets(1000, 'x');
    for (std::size_t at = 0; at < 500; ++at) octets[at] = static_cast<char>(random());
    is_pcapng ? writer.enhanced(0, i, octets) : writer.pcap_record(i, 0, octets);
  }
  return writer.data;
}

class Compressed : public ::testing::TestWithParam<std::string (*)(const std::string&)> {};

TEST_P(Compressed, FilesGiveWhatPlainOnesDo) {
  for (const bool is_pcapng : {false, true}) {
    const auto plain = big_file(is_pcapng);
    const auto outcome = read(GetParam()(plain));
    EXPECT_EQ(outcome.error, "");
    EXPECT_TRUE(outcome.frames == read(plain).frames);
    EXPECT_EQ(outcome.frames.size(), 4000u);
    EXPECT_FALSE(outcome.info.truncated);
    EXPECT_NE(outcome.info.compression, Compression::none);
  }
}

TEST_P(Compressed, PartsOneAfterAnotherAreOneFile) {
  const auto plain = big_file(false);
  const auto half = plain.size() / 2;
  const auto outcome = read(GetParam()(plain.substr(0, half)) + GetParam()(plain.substr(half)));
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.frames.size(), 4000u);
  EXPECT_FALSE(outcome.info.truncated);
}

TEST_P(Compressed, CutFileGivesTheFramesBefore) {
  const auto content = GetParam()(big_file(false));
  const auto outcome = read(content.substr(0, content.size() / 2));
  EXPECT_EQ(outcome.error, "");
  EXPECT_GT(outcome.frames.size(), 1500u);
  EXPECT_LT(outcome.frames.size(), 2500u);
  EXPECT_TRUE(outcome.info.truncated);
}

TEST_P(Compressed, CutOfItsLastOctetIsTruncated) {
  const auto content = GetParam()(Writer().pcap_header().pcap_record(1, 0, "abcd").data);
  const auto outcome = read(content.substr(0, content.size() - 1));
  EXPECT_TRUE(outcome.info.truncated || outcome.error == "FILE: the file is empty") << outcome.error;
}

TEST_P(Compressed, DamageIsAnErrorAfterTheFramesBefore) {
  auto content = GetParam()(big_file(false));
  for (std::size_t i = 0; i < 64; ++i)
    content[content.size() / 2 + i] = static_cast<char>(~content[content.size() / 2 + i]);
  const auto outcome = read(content);
  EXPECT_GT(outcome.frames.size(), 500u);
  EXPECT_THAT(outcome.error, HasSubstr("of the decompressed data"));
}

TEST_P(Compressed, TextIsNoCapture) {
  EXPECT_EQ(read(GetParam()("hello, world")).error, "FILE: not a capture file: neither pcap nor pcapng");
  EXPECT_EQ(read(GetParam()("")).error, "FILE: the file is empty");
}

TEST_P(Compressed, PositionIsOfTheFileOnTheDisk) {
  const auto content = GetParam()(big_file(false));
  const File file(content);
  auto reader = FileReader::open(file.path);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->position().total, content.size());
  EXPECT_LT(reader->position().consumed, content.size());
  for (;;) {
    const auto batch = reader->next_batch();
    ASSERT_TRUE(batch);
    if (batch->empty()) break;
  }
  EXPECT_EQ(reader->position().consumed, content.size());
}

INSTANTIATE_TEST_SUITE_P(Gzip, Compressed, ::testing::Values(&gzip));
INSTANTIATE_TEST_SUITE_P(Zstd, Compressed, ::testing::Values(&zstd));

TEST(GzipFile, PaddingAfterTheLastMemberIsNotRead) {
  const auto outcome = read(gzip(Writer().pcap_header().pcap_record(1, 0, "abcd").data) + std::string(512, '\0'));
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.frames.size(), 1u);
  EXPECT_FALSE(outcome.info.truncated);
}

}  // namespace
}  // namespace iwarpscope::capture::test
