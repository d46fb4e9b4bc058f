// Asks the management API about storage accounts.
#include "core/cloud/azure_account.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/base64.h"
#include "core/base/document.h"
#include "core/base/shown_text.h"
#include "core/cloud/azure_answer.h"
#include "core/cloud/azure_sources.h"
#include "core/cloud/signing.h"
#include "core/net/url.h"

namespace xplan::cloud {
namespace {

std::string shown_account(const AzureAccount& a) {
  return fmt::format("the storage account \"{}\" of the resource group \"{}\"", shown_text(a.name),
                     shown_text(a.group));
}

}  // namespace

Result<net::Answer> AzureAccounts::ask(const char* method, const AzureAccount& account,
                                       const std::string& what) {
  std::string subscription = account.subscription;
  if (subscription.empty()) {
    if (tokens_.identity().source != AzureIdentity::Source::Program)
      return Error{"the subscription is not known; set subscription_id or ARM_SUBSCRIPTION_ID"};
    Result<std::string> used = subscription_of_program(stop_);
    if (!used) return used.error();
    subscription = std::move(*used);
  }
  net::Request r;
  r.method = method;
  r.url = fmt::format(
      "{}/subscriptions/{}/resourceGroups/{}/providers/Microsoft.Storage/storageAccounts/{}{}",
      cloud_.management, uri_escape(subscription), uri_escape(account.group), uri_escape(account.name), what);
  if (r.method == "POST") r.body = "";
  r.failure = "failed to reach the management API at";
  r.headers = {{"Accept", "application/json"}};
  r.limits.body = 4 << 20;
  r.stop = stop_;
  std::string last;
  return client_.send(r, [&](net::Request& now, bool fresh) -> Result<bool> {
    const Result<std::string> token = tokens_.token(cloud_, cloud_.management, fresh ? last : "");
    if (!token) return token.error();
    now.token = last = *token;
    return true;
  });
}

Result<std::string> AzureAccounts::endpoint(const AzureAccount& account) {
  const Result<net::Answer> a = ask("GET", account, "?api-version=2023-01-01");
  if (!a) return a.error();
  if (a->status != 200)
    return Error{shown_account(account) + " cannot be looked up: the management API answered " +
                 describe_azure_failure(*a)};
  const auto doc = parse_document(a->body);
  const Json* properties = doc ? object_in(*doc, "properties") : nullptr;
  const Json* endpoints = properties ? object_in(*properties, "primaryEndpoints") : nullptr;
  std::string url = endpoints ? string_in(*endpoints, "blob") : "";
  while (url.ends_with('/')) url.pop_back();
  if (!net::uses_https(url) || net::host_and_port(url).empty() || net::has_controls(url) ||
      url.find_first_of("?#@") != url.npos)
    return Error{"the management API does not say where the blobs of " + shown_account(account) + " are"};
  return url;
}

Result<AzureAccountKey> AzureAccounts::key(const AzureAccount& account) {
  const Result<net::Answer> a = ask("POST", account, "/listKeys?api-version=2023-01-01");
  if (!a) return a.error();
  const std::string what = "the keys of " + shown_account(account) + " are not available: ";
  if (a->status != 200)
    return Error{what + "the management API answered " + describe_azure_failure(*a) +
                 ". Instead of a key, the identity itself can be used: set use_azuread_auth"};
  const auto doc = parse_document(a->body);
  const Json* keys = doc ? list_in(*doc, "keys") : nullptr;
  AzureAccountKey out{account.name, ""};
  if (keys)
    for (const Json& k : *keys)
      if (out.key.empty() && !base64_decode(string_in(k, "value"), out.key)) out.key.clear();
  if (out.key.empty()) return Error{what + "the response from the management API contains no key"};
  return out;
}

}  // namespace xplan::cloud
