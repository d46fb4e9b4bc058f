// Where certificates are found, on made-up systems.
#include "core/net/authorities.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

using namespace xplan::net;

TEST_CASE("authorities: each distribution's place is found, and files go before directories") {
  const std::filesystem::path root =
      std::filesystem::temp_directory_path() / ("xplan-authorities-" + std::to_string(::getpid()));
  const auto add = [&root](const std::string& file) {
    std::filesystem::create_directories((root / file).parent_path());
    std::ofstream(root / file) << "certificates\n";
  };
  CHECK(system_authorities(root).file.empty());
  CHECK(system_authorities(root).directory.empty());
  // From what is looked at last to what is looked at first.
  add("etc/pki/tls/certs/other.txt");
  CHECK(system_authorities(root).directory == root / "etc/pki/tls/certs");
  add("etc/ssl/certs/3513523f.0");
  CHECK(system_authorities(root).directory == root / "etc/ssl/certs");
  for (const char* file :
       {"etc/ssl/cert.pem", "etc/ssl/ca-bundle.pem", "etc/pki/tls/certs/ca-bundle.crt",
        "etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "etc/ssl/certs/ca-certificates.crt"}) {
    add(file);
    CAPTURE(file);
    CHECK(system_authorities(root).file == root / file);
    CHECK(system_authorities(root).directory.empty());
  }
  std::filesystem::remove_all(root);
}
