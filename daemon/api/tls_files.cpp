// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/tls_files.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "api/pem.h"
#include "api/revocations.h"

namespace iwarpscope::api {
namespace {

template <class T>
using Result = tl::expected<T, std::string>;

struct Free {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  void operator()(EVP_PKEY* key) const noexcept { EVP_PKEY_free(key); }
};
using File = std::unique_ptr<std::FILE, Free>;
using Key = std::unique_ptr<EVP_PKEY, Free>;

constexpr std::size_t kLargest = std::size_t{1} << 20;

Result<std::string> read_file(const std::string& path, std::string_view what) {
  if (path.empty()) return tl::unexpected(fmt::format("TLS needs {}; none is configured", what));
  const File file(std::fopen(path.c_str(), "re"));
  const auto failed = [&] {
    return tl::unexpected(fmt::format("{}: {} cannot be read: {}", path, what, std::generic_category().message(errno)));
  };
  if (!file) return failed();
  std::string text(kLargest, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) return failed();
  return text;
}

/// The first one.
Result<PemCertificate> certificate_of(const std::string& path, const std::string& text) {
  std::vector<PemCertificate> all = pem_certificates(text);
  // gRPC accepts all of them or none.
  const bool is_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  if (all.empty()) return tl::unexpected(fmt::format("{}: the file contains no PEM certificate", path));
  if (!is_end) return tl::unexpected(fmt::format("{}: a certificate after the first one is damaged", path));
  return std::move(all.front());
}

std::string time_text(const ASN1_TIME* time) {
  const PemText bio(BIO_new(BIO_s_mem()));
  if (ASN1_TIME_print(bio.get(), time) != 1) return "an unknown time";
  char* octets = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &octets);
  return {octets, static_cast<std::size_t>(size)};
}

std::string not_valid_now(const std::string& path, const X509& certificate) {
  if (X509_cmp_current_time(X509_get0_notAfter(&certificate)) < 0) {
    return fmt::format("{}: the certificate expired on {}", path, time_text(X509_get0_notAfter(&certificate)));
  }
  if (X509_cmp_current_time(X509_get0_notBefore(&certificate)) > 0) {
    return fmt::format("{}: the certificate is not valid before {}", path,
                       time_text(X509_get0_notBefore(&certificate)));
  }
  return {};
}

std::string too_weak(const std::string& path, const EVP_PKEY& key) {
  const bool is_rsa = EVP_PKEY_base_id(&key) == EVP_PKEY_RSA;
  const int bits = EVP_PKEY_bits(&key), least = is_rsa ? 2048 : 224;
  if (bits >= least) return {};
  return fmt::format("{}: a key of {} bits is too weak; the minimum is {}", path, bits, least);
}

std::string readable_by_all(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || (status.st_mode & S_IRWXO) == 0) return {};
  return fmt::format("{}: all users can read this key; run chmod o= {}", path, path);
}

/// A key and whether OpenSSL asked for its passphrase.
struct OpenedKey {
  Key key;  ///< null: it is none, or the passphrase is another
  bool is_encrypted = false;
};

OpenedKey open_key(const std::string& text, const Secret& passphrase) {
  struct Asked {
    std::string_view passphrase;
    bool was_asked = false;
  } asked{passphrase.text()};
  // Without a callback OpenSSL would ask on the terminal.
  const auto answer = [](char* octets, int size, int /*is_written*/, void* data) {
    auto& known = *static_cast<Asked*>(data);
    known.was_asked = true;
    if (known.passphrase.empty() || known.passphrase.size() > static_cast<std::size_t>(size)) return -1;
    known.passphrase.copy(octets, known.passphrase.size());
    return static_cast<int>(known.passphrase.size());
  };
  const PemText bio = pem_text(text);
  Key key(PEM_read_bio_PrivateKey(bio.get(), nullptr, answer, &asked));
  ERR_clear_error();
  return {std::move(key), asked.was_asked};
}

/// Empty: out of memory.
std::string unencrypted(EVP_PKEY& key) {
  const PemText bio(BIO_new(BIO_s_secmem()));  // wipes what it held
  if (!bio || PEM_write_bio_PKCS8PrivateKey(bio.get(), &key, nullptr, nullptr, 0, nullptr, nullptr) != 1) return {};
  char* octets = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &octets);
  return {octets, static_cast<std::size_t>(size)};
}

/// Why the key cannot be used; empty: `texts.key` needs no passphrase any more.
std::string wrong_key(const TlsFiles& files, const Secret& passphrase, TlsTexts& texts, const X509& certificate) {
  const auto [key, is_encrypted] = open_key(texts.key, passphrase);
  if (!key && is_encrypted) {
    return passphrase.is_empty()
               ? fmt::format("{}: the key has a passphrase; use a key without a passphrase", files.key)
               : fmt::format("{}: the passphrase of this key is wrong", files.key);
  }
  if (!key) return fmt::format("{}: the file contains no PEM key", files.key);
  if (X509_check_private_key(&certificate, key.get()) != 1) {
    ERR_clear_error();
    return fmt::format("{}: the key does not belong to the certificate {}", files.key, files.certificate);
  }
  std::string weak = too_weak(files.key, *key);
  if (weak.empty() && is_encrypted) texts.key = unencrypted(*key);
  return weak;
}

std::int64_t first_end(const std::string& text) {
  std::int64_t first = 0;
  for (const PemCertificate& one : pem_certificates(text)) {
    const std::int64_t end = seconds_of(X509_get0_notAfter(one.get()));
    if (end != 0 && (first == 0 || end < first)) first = end;
  }
  ERR_clear_error();
  return first;
}

}  // namespace

TlsEnds ends_of(const TlsTexts& texts) {
  TlsEnds ends{first_end(texts.certificate), first_end(texts.ca), 0};
  if (const auto revoked = texts.crl.empty() ? nullptr : Revocations::read(texts.crl, texts.ca).value_or(nullptr)) {
    ends.crl = revoked->next_update();
  }
  return ends;
}

bool needs_passphrase(const std::string& key_file) {
  auto text = read_file(key_file, "the key");
  const bool needs = text && open_key(*text, {}).is_encrypted;
  if (text) wipe(*text);
  return needs;
}

bool opens(const std::string& key_file, const Secret& passphrase) {
  auto text = read_file(key_file, "the key");
  const bool is_open = text && open_key(*text, passphrase).key;
  if (text) wipe(*text);
  return is_open;
}

Result<TlsTexts> read_tls_files(const TlsFiles& files, const Secret& passphrase) {
  TlsTexts texts;
  struct Wanted {
    const std::string& path;
    std::string_view what;
    std::string& text;
  };
  for (const Wanted& wanted :
       {Wanted{files.certificate, "a certificate", texts.certificate},
        Wanted{files.key, "the certificate's key", texts.key},
        Wanted{files.ca, "the CA certificate that signs the other end's certificate", texts.ca}}) {
    auto text = read_file(wanted.path, wanted.what);
    if (!text) return tl::unexpected(text.error());
    wanted.text = std::move(*text);
  }
  const auto own = certificate_of(files.certificate, texts.certificate);
  if (!own) return tl::unexpected(own.error());
  const auto ca = certificate_of(files.ca, texts.ca);
  if (!ca) return tl::unexpected(ca.error());
  for (std::string wrong : {not_valid_now(files.certificate, **own), not_valid_now(files.ca, **ca),
                            readable_by_all(files.key), wrong_key(files, passphrase, texts, **own)}) {
    if (!wrong.empty()) return tl::unexpected(std::move(wrong));
  }
  if (files.crl.empty()) return texts;
  auto crl = read_file(files.crl, "the revocation list");
  if (!crl) return tl::unexpected(crl.error());
  texts.crl = std::move(*crl);
  if (auto revoked = Revocations::read(texts.crl, texts.ca); !revoked)
    return tl::unexpected(fmt::format("{}: {}", files.crl, revoked.error()));
  return texts;
}

}  // namespace iwarpscope::api
