// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Certificates of a small world, made by openssl(1).
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <string>

#include "api/tls_files.h"
#include "daemon/api/kit.h"

namespace iwarpscope::api::testing {

/// A CA, what it signed, and what another one did. A server's names are localhost and 127.0.0.1.
class Certificates {
 public:
  Certificates() {
    authority("ca");
    authority("other-ca");
    signed_by("ca", "server", 30);
    signed_by("ca", "client", 30);
    signed_by("other-ca", "stranger", 30);
    signed_by("other-ca", "other-server", 30);
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

[[nodiscard]] inline const Certificates& certificates() {
  static const Certificates all;
  return all;
}

}  // namespace iwarpscope::api::testing
