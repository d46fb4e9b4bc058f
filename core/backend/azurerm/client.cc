// Requests: where they go, what authorizes them, and what all of them have.
#include "core/backend/azurerm/client.h"

#include <fmt/format.h>

#include "core/base/shown_text.h"
#include "core/cloud/azure_account.h"
#include "core/cloud/azure_answer.h"
#include "core/cloud/signing.h"
#include "core/net/url.h"

namespace xplan::backend::azurerm {

AzurermClient::AzurermClient(AzurermSettings settings, Stop stop)
    : settings_(std::move(settings)),
      stop_(stop),
      client_(settings_.client, settings_.retries),
      tokens_(settings_.identity, client_, stop) {}

std::string AzurermClient::shown(const std::string& key) const {
  const AzurermSettings& s = settings_;
  return fmt::format("https://{}.blob.{}/{}/{}", s.account, s.cloud.storage_suffix, s.container,
                     shown_text(key));
}

bool AzurermClient::looks_up_key() const {
  const AzurermSettings& s = settings_;
  return s.access_key.empty() && s.sas_token.empty() && !s.as_identity;
}

// An account that is not in the usual place says so itself; where it may not be asked, it is taken to be in
// it.
Result<AzurermClient::Account> AzurermClient::find_account(Stop stop, bool fresh) {
  const AzurermSettings& s = settings_;
  Account out{"", s.cloud, {s.account, s.access_key}};
  if (!s.metadata_host.empty()) {
    Result<cloud::AzureCloud> there = cloud::azure_cloud_at(client_, s.metadata_host, stop);
    if (!there) return there.error();
    out.cloud = std::move(*there);
  }
  out.endpoint = "https://" + s.account + ".blob." + out.cloud.storage_suffix;
  const bool looks = looks_up_key();
  if (!looks && !s.lookup) return out;
  cloud::AzureAccounts accounts(tokens_, client_, out.cloud, stop);
  const cloud::AzureAccount which{s.subscription, s.group, s.account};
  if (looks) {
    Result<cloud::AzureAccountKey> key = accounts.key(which);
    if (!key) return key.error();
    out.key = std::move(*key);
  }
  if (fresh && account_) return out.endpoint = account_->endpoint, out;
  Result<std::string> endpoint = accounts.endpoint(which);
  if (endpoint)
    out.endpoint = std::move(*endpoint);
  else if (s.lookup || stopped(stop))
    return endpoint.error();
  return out;
}

Result<AzurermClient::Account> AzurermClient::account(Stop stop, const cloud::AzureAccountKey* refused) {
  std::lock_guard lock(mutex_);
  if (account_ && (!refused || account_->key.key != refused->key)) return *account_;
  Result<Account> found = find_account(stop, refused != nullptr);
  if (!found) return found.error();
  account_ = *found;
  return found;
}

// `token`: the one that was used last, which is refused where another one is wanted.
Result<bool> AzurermClient::authorize(net::Request& r, const Account& found, bool fresh, std::string& token) {
  const AzurermSettings& s = settings_;
  if (s.access_key.empty() && !s.sas_token.empty()) {
    r.url += (r.url.find('?') == std::string::npos ? "?" : "&") + s.sas_token;
    return !fresh;
  }
  if (s.access_key.empty() && s.as_identity) {
    const Result<std::string> now = tokens_.token(found.cloud, cloud::kAzureStorage, fresh ? token : "");
    if (!now) return now.error();
    r.token = token = *now;
    return true;
  }
  cloud::AzureAccountKey key = found.key;
  if (fresh && looks_up_key()) {
    const Result<Account> again = account(r.stop.stop, &key);
    if (!again) return again.error();
    if (again->key.key == key.key) return false;
    key = again->key;
  } else if (fresh) {
    return false;
  }
  sign(r, key, client_.now());
  return true;
}

Result<net::Answer> AzurermClient::send(const char* method, const std::string& key, const char* query,
                                        net::Request r, const char* doing, net::Ending stop) {
  auto failed = [&](const Error& e) {
    return Error{fmt::format("failed to {} \"{}\": {}", doing, shown(key), e.message)};
  };
  const Result<Account> found = account(stop.stop);
  if (!found) return stopped(stop) ? interrupted() : failed(found.error());
  r.method = method;
  r.url = found->endpoint + "/" + cloud::uri_escape(settings_.container);
  if (!key.empty()) r.url += "/" + cloud::uri_escape(key, true);
  r.url += query;
  r.headers.emplace_back("x-ms-version", "2023-11-03");
  r.failure = fmt::format("failed to {}", doing);
  r.compressed = false;
  r.limits.body = key.empty() ? uint64_t{16} << 20 : uint64_t{1} << 30;
  r.limits.silence = 60;
  if (settings_.seconds) r.limits.whole = static_cast<long>(settings_.seconds);
  r.stop = stop;
  std::string token;
  Result<net::Answer> a = client_.send(r, [&](net::Request& now, bool fresh) {
    Result<bool> may = authorize(now, *found, fresh, token);
    return may ? may : Result<bool>(failed(may.error()));
  });
  return !a && stopped(stop) ? interrupted() : a;
}

Error AzurermClient::refused(const char* doing, const std::string& key, const net::Answer& a) const {
  const std::string code = cloud::azure_failure_of(a).code;
  if (code == "ContainerNotFound")
    return Error{fmt::format(
        "the container \"{}\" does not exist in the storage account \"{}\"; create it first, or correct the "
        "argument \"container_name\"",
        settings_.container, settings_.account)};
  const std::string what = fmt::format("failed to {} \"{}\": ", doing, shown(key));
  if (code == "LeaseIdMissing" || code == "LeaseAlreadyPresent")
    return Error{what + "another run has locked it; wait until it has finished"};
  if (a.status == 412 && code.starts_with("Lease"))
    return Error{what + "its lock was lost, because its lease was broken or released (" + shown_text(code) +
                 ")"};
  return Error{what + "the server answered " + cloud::describe_azure_failure(a)};
}

}  // namespace xplan::backend::azurerm
