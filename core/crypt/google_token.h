// GoogleToken: an access token for Google's services, found where the field's tools look for credentials.
//
// Who calls it: gcp_kms.cc.
// Contract: sources in this order: a token of the settings; credentials of the settings, as JSON or the path
// of such a file; the file that GOOGLE_APPLICATION_CREDENTIALS names; that of gcloud; the metadata service of
// the machine. Service accounts and users are understood. A service account of the settings is impersonated
// with what was found. Errors name where was looked, never keys or tokens.  Cost: a request for each source
// that needs one, each time.  Thread-safety: one thread.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/base/document.h"
#include "core/base/result.h"
#include "core/base/stop.h"
#include "core/crypt/secret.h"
#include "core/net/client.h"

namespace xplan::crypt {

struct GoogleSettings {
  std::string credentials, impersonate;
  std::vector<std::string> delegates;
  Secret access_token;
  std::string scope;
  std::function<std::string(const char* name)> variable;  // of the environment
};

class GoogleToken {
 public:
  GoogleToken(GoogleSettings settings, net::Client& client, Stop stop)
      : settings_(std::move(settings)), client_(client), stop_(stop) {}
  Result<Secret> fetch();

 private:
  Result<Secret> own();  // before impersonation
  Result<Secret> of_credentials(const std::string& json, const std::string& from);
  Result<Secret> of_service_account(const Json& account, const std::string& from);
  Result<Secret> of_user(const Json& user);
  Result<Secret> of_machine();
  Result<Secret> impersonate(const Secret& token);
  Result<Secret> ask(net::Request r, const char* member_name, const std::string& whom);

  const GoogleSettings settings_;
  net::Client& client_;
  const Stop stop_;
};

// Has the request sent with the token. Over http it goes to services on this machine only.
void authorize(net::Request& r, const Secret& token);
// What Google says of a failure: on one line, and not at any length.
std::string google_failure(const net::Answer& a);

}  // namespace xplan::crypt
