// AzureTokens: whom Azure takes us for, as tokens for its services, renewed in time.
//
// Who calls it: azure_account.cc, the backend azurerm.
// Contract: an identity has one source of tokens. What ends is fetched again when less than five minutes of
// it are left, and used to its end where that fails. Errors name where was looked, never secrets or tokens.
// Over http, nothing secret goes to another machine.  Cost: a request or a program for the first token of
// each resource, and for each renewal.  Thread-safety: any thread; one fetches (renewed.h).
#pragma once
#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include "core/base/stop.h"
#include "core/cloud/azure_client.h"
#include "core/cloud/azure_cloud.h"
#include "core/cloud/renewed.h"

namespace xplan::cloud {

struct AzureIdentity {
  enum class Source : uint8_t {
    Certificate,     // of an application: PKCS#12
    Secret,          // of an application
    Assertion,       // the token of another identity provider
    RequestedToken,  // the same, asked of a service as GitHub has it
    AzureDevOps,     // the same, of a service connection
    Machine,         // its managed identity
    Program          // the Azure CLI
  } source = Source::Program;
  std::string tenant, client;
  std::string certificate, certificate_password;  // the bytes of the file
  std::string secret;
  std::string assertion, assertion_file;  // the file is read for each token
  std::string request_url, request_token, service_connection;
  std::string machine_endpoint;  // empty: that of the environment, or of all machines
};

struct AzureToken {
  std::string text;
  int64_t expires = 0;  // Unix time
};

class AzureTokens {
 public:
  // `stop` ends the first search alone: what runs until the end of a run renews its tokens until then.
  AzureTokens(AzureIdentity identity, AzureClient& client, Stop stop)
      : identity_(std::move(identity)), client_(client), stop_(stop) {}
  // `resource`: a URL without a slash at its end. `refused`: a token that was; whoever comes while
  // there is another one gets that.
  Result<std::string> token(const AzureCloud& cloud, const std::string& resource,
                            const std::string& refused = {});
  const AzureIdentity& identity() const { return identity_; }

 private:
  Renewed<AzureToken>& kept(const std::string& resource);
  const AzureIdentity identity_;
  AzureClient& client_;
  const Stop stop_;
  std::atomic<bool> found_{false};                   // a token, for whatever resource
  std::mutex mutex_;                                 // of the map, not of what is in it
  std::map<std::string, Renewed<AzureToken>> kept_;  // by resource
};

}  // namespace xplan::cloud
