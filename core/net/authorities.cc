// The places of certificates, the most usual first.
#include "core/net/authorities.h"

#include <unistd.h>

namespace xplan::net {
namespace {

constexpr const char* kFiles[] = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch, Gentoo, Alpine, NixOS
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, Red Hat and what is made of them
    "/etc/pki/tls/certs/ca-bundle.crt",                   // their older releases, Amazon Linux
    "/etc/ssl/ca-bundle.pem",                             // SUSE
    "/etc/pki/tls/cacert.pem",                            // OpenELEC
    "/etc/ssl/cert.pem",                                  // Alpine without its package of certificates
};
constexpr const char* kDirectories[] = {"/etc/ssl/certs", "/etc/pki/tls/certs"};

}  // namespace

Authorities system_authorities(const std::string& root) {
  for (const char* file : kFiles)
    if (std::string path = root + file; ::access(path.c_str(), R_OK) == 0) return {std::move(path), {}};
  for (const char* directory : kDirectories)
    if (std::string path = root + directory; ::access(path.c_str(), R_OK | X_OK) == 0)
      return {{}, std::move(path)};
  return {};
}

}  // namespace xplan::net
