// TCP: with TLS and client certificates, or not at all. openssl(1) makes the certificates.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <random>

#include "api/client.h"
#include "api/tls_files.h"
#include "daemon/api/kit.h"
#include "iwarpscope/v1/observer.grpc.pb.h"

namespace iwarpscope::api::testing {
namespace {

using ::testing::HasSubstr;

/// Certificates of a small world: a CA, what it signed, and what another one did.
class Certificates {
 public:
  Certificates() {
    authority("ca");
    authority("other-ca");
    signed_by("ca", "server", 30);
    signed_by("ca", "client", 30);
    signed_by("other-ca", "stranger", 30);
    signed_by("ca", "expired", -1);
  }
  [[nodiscard]] TlsFiles files(const std::string& name, const std::string& ca = "ca") const {
    return {folder_.file(name + ".pem"), folder_.file(name + ".key"), folder_.file(ca + ".pem")};
  }
  [[nodiscard]] const Folder& folder() const { return folder_; }
  void openssl(const std::string& arguments) const {
    const std::string command = IWARPSCOPE_OPENSSL " " + arguments + " >/dev/null 2>&1";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }

 private:
  void authority(const std::string& name) {
    openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=" + name + " -keyout " +
            folder_.file(name + ".key") + " -out " + folder_.file(name + ".pem"));
  }
  void signed_by(const std::string& ca, const std::string& name, int days) {
    openssl("req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=" + name +
            " -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout " + folder_.file(name + ".key") + " -out " +
            folder_.file(name + ".csr"));
    openssl("x509 -req -copy_extensions copy -in " + folder_.file(name + ".csr") + " -CA " + folder_.file(ca + ".pem") +
            " -CAkey " + folder_.file(ca + ".key") + " -CAcreateserial -days " + std::to_string(days) + " -out " +
            folder_.file(name + ".pem"));
    ::chmod(folder_.file(name + ".key").c_str(), 0600);
  }
  Folder folder_;
};

const Certificates& certificates() {
  static const Certificates all;
  return all;
}

class TlsServer : public ::testing::Test {
 protected:
  void SetUp() override {
    daemon.options.tcp = "127.0.0.1:0";
    daemon.options.tls = certificates().files("server");
    ASSERT_EQ(daemon.start(), "");
    ASSERT_NE(daemon.server->tcp_port(), 0);
    host = "127.0.0.1:" + std::to_string(daemon.server->tcp_port());
  }
  /// Why the status is not told to who has these files; empty: it is.
  std::string asked_with(const TlsFiles& files) {
    auto client = Client::open({.socket = {}, .host = host, .tls = files});
    if (!client) return client.error();
    const auto status = (*client)->status();
    return status ? "" : status.error().sentence;
  }
  /// With gRPC itself, which our client's care does not stand before.
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

TEST_F(TlsServer, AnswersWhoShowsACertificate) {
  EXPECT_EQ(asked_with(certificates().files("client")), "");
  EXPECT_EQ(asked_by_grpc(credentials("client")), grpc::StatusCode::OK);
}

TEST_F(TlsServer, RefusesWhoShowsNone) {
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

/// Why a server with these files does not start.
std::string start_with(const TlsFiles& files) {
  Daemon daemon;
  daemon.options.tcp = "127.0.0.1:0";
  daemon.options.tls = files;
  return daemon.start();
}

TEST(TcpWithoutProperCertificates, IsRefusedWithASentence) {
  const TlsFiles good = certificates().files("server");
  EXPECT_THAT(start_with({}), HasSubstr("TCP is served with TLS and client certificates only"));
  TlsFiles files = good;
  files.ca.clear();
  EXPECT_THAT(start_with(files), HasSubstr("TCP is served with TLS and client certificates only"));
  files = good;
  files.certificate = "/nonexistent/x.pem";
  EXPECT_EQ(start_with(files), "/nonexistent/x.pem: a certificate cannot be read: No such file or directory");
  files = good;
  files.certificate = good.key;
  EXPECT_THAT(start_with(files), HasSubstr("there is no certificate in PEM form in it"));
  files = good;
  files.key = certificates().files("client").key;
  EXPECT_THAT(start_with(files), HasSubstr("the key does not belong to the certificate"));
  files = good;
  files.key = good.certificate;
  ::chmod(files.key.c_str(), 0600);
  EXPECT_THAT(start_with(files), HasSubstr("no key in PEM form"));
  EXPECT_THAT(start_with(certificates().files("expired")), HasSubstr("the certificate expired on"));
}

TEST(TcpWithAKeyThatEverybodyMayRead, IsRefused) {
  const TlsFiles files = certificates().files("client");
  ::chmod(files.key.c_str(), 0644);
  EXPECT_THAT(start_with(files), HasSubstr("everybody may read this key"));
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
  EXPECT_THAT(second.start(), HasSubstr("nothing can listen there"));
}

}  // namespace
}  // namespace iwarpscope::api::testing
