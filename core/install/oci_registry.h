// OciRegistry: one repository of an OCI registry, for reading.
//
// Who calls it: oci_fetch.cc.
// Contract: requests go over https. Credentials are looked for when the registry asks for them; a password or
// a refresh token goes to the registry, or to the service that it names for tokens, and nowhere else, and a
// token to the registry alone, also where that redirects. An answer of any status is a result; errors are
// phrases. Cost: one request, and for the first one up to two more.  Thread-safety: one thread.
#pragma once
#include <string>

#include "core/config/oci_source.h"
#include "core/hosts/oci_credentials.h"
#include "core/install/hosts.h"

namespace xplan::install {

class OciRegistry {
 public:
  OciRegistry(const config::OciPlace& place, const hosts::OciSettings& settings, Http& http);
  // "manifests/latest", "blobs/sha256:…". `accept`: a media type.
  Result<HttpAnswer> get(const std::string& what, const std::string& accept, uint64_t max_bytes,
                         const std::string& to_file = {});

 private:
  struct Challenge {
    std::string scheme, realm, service, scope;
  };
  static Challenge read_challenge(const std::string& header);
  Result<void> log_in(const Challenge& c);
  Result<std::string> token_of(const Challenge& c);

  const config::OciPlace& place_;
  const hosts::OciSettings& settings_;
  Http& http_;
  hosts::OciCredentials credentials_;
  std::string base_;             // the URL of the repository
  std::string token_;            // of requests to it
  std::string user_, password_;  // likewise
};

}  // namespace xplan::install
