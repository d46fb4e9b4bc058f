// The sources of access tokens: each asks one place.
//
// Who calls it: google_token.cc, and the sources one another.
// Contract: that of google_token.h. An error tells of this source alone. Cost: a file, or requests.
// Thread-safety: pure, but for reading the environment and files.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/base/document.h"
#include "core/cloud/google_token.h"

namespace xplan::cloud {

// What a source may use.
struct GoogleAsking {
  const GoogleSettings& settings;
  net::Client& client;
  Stop stop;
};
Result<GoogleAccess> find_google_access(const GoogleAsking& a);  // the whole chain

// Credentials as a document, and how messages name them.
struct GoogleDocument {
  const Json& json;
  const std::string& from;
};
using Scopes = std::vector<std::string>;
Result<GoogleAccess> access_in_document(const GoogleAsking& a, const GoogleDocument& d, const Scopes& scopes,
                                        int depth = 0);
Result<GoogleAccess> access_of_service_account(const GoogleAsking& a, const GoogleDocument& d,
                                               const Scopes& scopes);
Result<GoogleAccess> access_of_user(const GoogleAsking& a, const GoogleDocument& d);
// A federated identity: a token of another provider is exchanged.
Result<GoogleAccess> access_of_identity(const GoogleAsking& a, const GoogleDocument& d, const Scopes& scopes);
Result<GoogleAccess> access_of_machine(const GoogleAsking& a, const Scopes& scopes);

// What an account that is impersonated gets; `url` ends in ":generateAccessToken".
struct Impersonation {
  std::string url, whom;
  std::vector<std::string> delegates;
  int64_t seconds = 3600;
};
Result<GoogleAccess> impersonate(const GoogleAsking& a, const Impersonation& i, const GoogleAccess& by,
                                 const Scopes& scopes);
std::string impersonation_url(const GoogleAsking& a, const std::string& account);

// Sends a request for a token, and takes the token out of the answer. `whom`: asked, as messages name it.
Result<GoogleAccess> ask_google(const GoogleAsking& a, net::Request r, const std::string& whom);
using Form = std::vector<std::pair<std::string, std::string>>;
net::Request google_form(const std::string& url, const Form& fields);
// Whether secrets may go there: over https, or to this machine.
bool safe_for_secrets(const std::string& url);
Error unsafe_url(const char* member_name, const std::string& from);
std::string joined(const Scopes& scopes, char between);

}  // namespace xplan::cloud
