// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// TCP: with TLS and client certificates, or not at all. openssl(1) makes the certificates.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>

#include "api/client.h"
#include "api/renewable_tls.h"
#include "api/tls_files.h"
#include "daemon/api/certificates.h"
#include "daemon/api/kit.h"
#include "iwarpscope/v1/observer.grpc.pb.h"

namespace iwarpscope::api::testing {
namespace {

using ::testing::HasSubstr;

class TlsServer : public ::testing::Test {
 protected:
  void SetUp() override {
    daemon.options.tcp = "127.0.0.1:0";
    daemon.options.tls = files();
    ASSERT_EQ(daemon.start(), "");
    ASSERT_NE(daemon.server->tcp_port(), 0);
    host = "127.0.0.1:" + std::to_string(daemon.server->tcp_port());
  }
  [[nodiscard]] virtual TlsFiles files() const { return certificates().files("server"); }
  /// Why a client with these files does not get the status; empty: it does.
  std::string asked_with(const TlsFiles& files) {
    auto client =
        Client::open({.socket = {}, .host = host, .tls = files, .patience = std::chrono::seconds{10 * kSlower}});
    if (!client) return client.error();
    const auto status = (*client)->status();
    return status ? "" : status.error().sentence;
  }
  /// With gRPC itself, without the checks of our client.
  grpc::StatusCode asked_by_grpc(const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
    const auto stub = v1::Observer::NewStub(grpc::CreateChannel(host, credentials));
    grpc::ClientContext context;
    v1::Status reply;
    return stub->GetStatus(&context, {}, &reply).error_code();
  }
  static std::shared_ptr<grpc::ChannelCredentials> credentials(const std::string& name, const std::string& ca = "ca") {
    const auto read = [](const std::string& path) {
      std::string text(1 << 16, '\0');
      std::FILE* file = std::fopen(path.c_str(), "r");
      text.resize(std::fread(text.data(), 1, text.size(), file));
      std::fclose(file);
      return text;
    };
    const TlsFiles files = certificates().files(name.empty() ? "client" : name, ca);
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = read(files.ca);
    if (!name.empty()) {
      options.pem_cert_chain = read(files.certificate);
      options.pem_private_key = read(files.key);
    }
    return grpc::SslCredentials(options);
  }

  Daemon daemon;
  std::string host;
};

TEST_F(TlsServer, AnswersAClientWithACertificate) {
  EXPECT_EQ(asked_with(certificates().files("client")), "");
  EXPECT_EQ(asked_by_grpc(credentials("client")), grpc::StatusCode::OK);
}

TEST_F(TlsServer, RefusesAClientWithoutACertificate) {
  EXPECT_EQ(asked_by_grpc(credentials("")), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(TlsServer, RefusesAnotherAuthoritysCertificate) {
  EXPECT_EQ(asked_by_grpc(credentials("stranger")), grpc::StatusCode::UNAVAILABLE);
  EXPECT_THAT(asked_with(certificates().files("stranger")), HasSubstr("--cert"));
}

TEST_F(TlsServer, RefusesAnExpiredCertificate) {
  EXPECT_EQ(asked_by_grpc(credentials("expired")), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(TlsServer, RefusesPlainText) {
  EXPECT_EQ(asked_by_grpc(grpc::InsecureChannelCredentials()), grpc::StatusCode::UNAVAILABLE);
}

TEST_F(TlsServer, IsRefusedByAClientThatTrustsAnother) {
  EXPECT_NE(asked_with(certificates().files("client", "other-ca")), "");
}

TEST_F(TlsServer, SurvivesGarbage) {
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(daemon.server->tcp_port()));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    std::string octets = i % 2 == 0 ? "" : std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
    for (int k = 0; k < 1000; ++k) octets += static_cast<char>(random());
    EXPECT_GE(::send(descriptor, octets.data(), octets.size(), MSG_NOSIGNAL), 0);
    ::close(descriptor);
  }
  EXPECT_EQ(asked_with(certificates().files("client")), "");
}

/// A server whose files may be exchanged.
class RenewedServer : public TlsServer {
 protected:
  void SetUp() override {
    exchange(certificates().files("server"));
    TlsServer::SetUp();
  }
  [[nodiscard]] TlsFiles files() const override {
    return {daemon.folder.file("own.pem"), daemon.folder.file("own.key"), daemon.folder.file("ca.pem")};
  }
  /// Exchanges the certificates atomically: a new file replaces the old one at once.
  void exchange(const TlsFiles& source) const {
    put(source.certificate, files().certificate);
    put(source.key, files().key);
    put(source.ca, files().ca);
  }
  static void put(const std::string& source, const std::string& target) {
    std::filesystem::copy_file(source, target + ".new");
    ::chmod((target + ".new").c_str(), 0600);
    std::filesystem::rename(target + ".new", target);
  }
  std::string reload() {
    const auto done = daemon.server->reload({}, files());
    return done ? "" : done.error();
  }
};

TEST_F(RenewedServer, TakesNewCertificatesAndAsksTheNewAuthorityForClients) {
  const auto before = Client::open({.socket = {}, .host = host, .tls = certificates().files("client")});
  ASSERT_TRUE(before && (*before)->status());
  exchange(certificates().files("other-server", "other-ca"));
  EXPECT_EQ(asked_with(certificates().files("client")), "") << "the server has not read the new files yet";
  EXPECT_EQ(reload(), "");
  EXPECT_EQ(asked_with(certificates().files("stranger", "other-ca")), "");
  EXPECT_NE(asked_with(certificates().files("client", "other-ca")), "");
  EXPECT_NE(asked_with(certificates().files("client")), "");
  EXPECT_EQ(asked_by_grpc(credentials("", "other-ca")), grpc::StatusCode::UNAVAILABLE) << "without a certificate";
  EXPECT_EQ(asked_by_grpc(grpc::InsecureChannelCredentials()), grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE((*before)->status()) << "a connection that there was goes on";
}

TEST_F(RenewedServer, KeepsTheOldOnesWhenTheNewAreNoGood) {
  const TlsFiles good = certificates().files("server");
  exchange(certificates().files("expired"));
  EXPECT_THAT(reload(), HasSubstr("own.pem: the certificate expired on"));
  exchange({good.certificate, certificates().files("client").key, good.ca});
  EXPECT_THAT(reload(), HasSubstr("own.key: the key does not belong to the certificate"));
  exchange({good.key, good.key, good.ca});
  EXPECT_THAT(reload(), HasSubstr("own.pem: the file contains no PEM certificate"));
  std::ofstream(files().certificate) << std::ifstream(good.certificate).rdbuf()
                                     << "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
  EXPECT_THAT(reload(), HasSubstr("own.pem: a certificate after the first one is damaged"));
  std::filesystem::remove(files().ca);
  EXPECT_THAT(
      reload(),
      HasSubstr("ca.pem: the CA certificate that signs the other end's certificate cannot be read: No such file"));
  EXPECT_EQ(asked_with(certificates().files("client")), "");
  exchange(good);
  EXPECT_EQ(reload(), "");
  EXPECT_EQ(asked_with(certificates().files("client")), "");
}

TEST(ServerWithoutTcp, HasNoCertificatesToRenew) {
  Daemon daemon;
  ASSERT_EQ(daemon.start(), "");
  EXPECT_TRUE(daemon.server->reload({}, {}));
}

TEST(RenewableTls, ReplacesACertificateThatHasExpired) {
  const auto texts = [](const TlsFiles& files) {
    const auto read = [](const std::string& path) {
      std::ifstream file(path);
      return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    return TlsTexts{read(files.certificate), read(files.key), read(files.ca)};
  };
  RenewableTls tls(texts(certificates().files("expired")));
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddListeningPort("127.0.0.1:0", tls.credentials(), &port);
  const auto server = builder.BuildAndStart();
  ASSERT_NE(server, nullptr);
  const auto connects = [&, mine = texts(certificates().files("client"))](std::chrono::seconds most) {
    const grpc::SslCredentialsOptions options{mine.ca, mine.key, mine.certificate};
    const auto channel = grpc::CreateChannel("127.0.0.1:" + std::to_string(port), grpc::SslCredentials(options));
    auto state = channel->GetState(true);
    const auto end = std::chrono::system_clock::now() + most;
    while (state != GRPC_CHANNEL_READY && state != GRPC_CHANNEL_TRANSIENT_FAILURE) {
      if (!channel->WaitForStateChange(state, end)) break;
      state = channel->GetState(false);
    }
    return state == GRPC_CHANNEL_READY;
  };
  EXPECT_FALSE(connects(std::chrono::seconds{30}));
  tls.renew(texts(certificates().files("server")));
  EXPECT_TRUE(connects(std::chrono::seconds{30}));
  server->Shutdown();
}

/// Why a server with these files does not start.
std::string start_with(const TlsFiles& files) {
  Daemon daemon;
  daemon.options.tcp = "127.0.0.1:0";
  daemon.options.tls = files;
  return daemon.start();
}

TEST(TcpWithoutProperCertificates, IsRefusedWithASentence) {
  const TlsFiles good = certificates().files("server");
  EXPECT_THAT(start_with({}), HasSubstr("TCP needs TLS and client certificates"));
  TlsFiles files = good;
  files.ca.clear();
  EXPECT_THAT(start_with(files), HasSubstr("TCP needs TLS and client certificates"));
  files = good;
  files.certificate = "/nonexistent/x.pem";
  EXPECT_EQ(start_with(files), "/nonexistent/x.pem: a certificate cannot be read: No such file or directory");
  files = good;
  files.certificate = good.key;
  EXPECT_THAT(start_with(files), HasSubstr("the file contains no PEM certificate"));
  files = good;
  files.key = certificates().files("client").key;
  EXPECT_THAT(start_with(files), HasSubstr("the key does not belong to the certificate"));
  files = good;
  files.key = good.certificate;
  ::chmod(files.key.c_str(), 0600);
  EXPECT_THAT(start_with(files), HasSubstr("contains no PEM key"));
  EXPECT_THAT(start_with(certificates().files("expired")), HasSubstr("the certificate expired on"));
}

TEST(TcpWithAKeyThatEverybodyMayRead, IsRefused) {
  const TlsFiles files = certificates().files("client");
  ::chmod(files.key.c_str(), 0644);
  EXPECT_THAT(start_with(files), HasSubstr("all users can read this key"));
  ::chmod(files.key.c_str(), 0600);
}

TEST(TcpWithAWeakKey, IsRefused) {
  const Folder folder;
  const TlsFiles weak{folder.file("weak.pem"), folder.file("weak.key"), certificates().files("server").ca};
  certificates().openssl("req -x509 -newkey rsa:1024 -nodes -days 3 -subj /CN=weak -keyout " + weak.key + " -out " +
                         weak.certificate);
  ::chmod(weak.key.c_str(), 0600);
  EXPECT_THAT(start_with(weak), HasSubstr("a key of 1024 bits is too weak"));
}

TEST(TcpAddress, ThatIsInUseIsRefused) {
  Daemon first;
  first.options.tcp = "127.0.0.1:0";
  first.options.tls = certificates().files("server");
  ASSERT_EQ(first.start(), "");
  Daemon second;
  second.options.tls = first.options.tls;
  second.options.tcp = "127.0.0.1:" + std::to_string(first.server->tcp_port());
  EXPECT_THAT(second.start(), HasSubstr("cannot listen there"));
}

}  // namespace
}  // namespace iwarpscope::api::testing
