// AzurermClient: blobs of a container and their leases, as the backend "azurerm" uses them.
//
// Who calls it: place.cc, locks.cc and server.cc.
// Contract: an error is a phrase that names the blob. The first request finds out, once, where the blobs are
// and how requests are authorized. A put with a condition is atomic. Names of metadata are in lower case.
// What `stop` is given to ends when it is set; the rest (whatever ends a run: the last write, the release of
// locks) does not.  Cost: one request each; a put whose answer was lost asks for what is there.
// Thread-safety: any thread.
#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/azurerm/settings.h"
#include "core/cloud/azure_signature.h"

namespace xplan::backend::azurerm {

using Metadata = std::map<std::string, std::string>;

struct AzurermBlob {
  std::string bytes, etag;
  Metadata metadata;
  bool leased = false;
  uint64_t size = 0;  // as the answer says
};

// How a blob is written.
struct AzurermWrite {
  enum class When : uint8_t { Always, Absent, Match } when = When::Always;  // Match: it has this ETag
  std::string etag, lease;
  Metadata metadata;
  const char* type = "application/json";
};

struct AzurermPut {
  bool conflict = false;
  std::string etag;
};

enum class LeaseTry : uint8_t { Taken, Held, Absent };  // Absent: there is no blob

class AzurermClient {
 public:
  AzurermClient(AzurermSettings settings, Stop stop);
  const AzurermSettings& settings() const { return settings_; }
  Stop stop() const { return stop_; }
  net::Ending late() const { return {stop_, net::kLastAnswer}; }  // of what asks for a lock
  std::string shown(const std::string& key) const;

  Result<std::optional<AzurermBlob>> get(const std::string& key, net::Ending stop = nullptr,
                                         std::atomic<int64_t>* left = nullptr, Arrival* arrival = nullptr);
  Result<std::optional<AzurermBlob>> look(const std::string& key,
                                          net::Ending stop = nullptr);  // without its bytes
  Result<AzurermPut> put(const std::string& key, std::string_view bytes, const AzurermWrite& how,
                         net::Ending stop = nullptr);
  // With its snapshots, unless it has another ETag than this; "": any. Fine if it is not there.
  Result<void> remove(const std::string& key, const std::string& etag = {});
  Result<std::vector<std::string>> list(const std::string& prefix,
                                        net::Ending stop = nullptr);  // keys, in order
  Result<void> set_metadata(const std::string& key, const Metadata& metadata, const std::string& lease,
                            net::Ending stop = nullptr);
  Result<void> snapshot(const std::string& key, const std::string& lease);

  Result<LeaseTry> acquire(const std::string& key, const std::string& lease, net::Ending stop);
  Result<bool> holds(const std::string& key, const std::string& lease, net::Ending stop = nullptr);
  Result<void> release(const std::string& key, const std::string& lease, net::Ending stop = nullptr);
  Result<void> end_lease(const std::string& key);  // whoever has it

 private:
  struct Account {
    std::string endpoint;
    cloud::AzureCloud cloud;
    cloud::AzureAccountKey key;
  };
  Result<Account> account(Stop stop, const cloud::AzureAccountKey* refused = nullptr);
  Result<Account> find_account(Stop stop, bool fresh);
  Result<bool> authorize(net::Request& r, const Account& found, bool fresh, std::string& token);
  bool looks_up_key() const;
  // `query`: of the URL, with its question mark. `doing`: begins the error, as in "failed to read".
  Result<net::Answer> send(const char* method, const std::string& key, const char* query, net::Request r,
                           const char* doing, net::Ending stop = nullptr);
  Result<net::Answer> change(const std::string& key, const char* query, const std::string& lease,
                             net::Request r, const char* doing, net::Ending stop = nullptr);
  // With the settings' key or, of what writes, in their scope.
  void add_encryption(net::Request& r, bool writes) const;
  Error refused(const char* doing, const std::string& key, const net::Answer& a) const;
  Result<bool> is_there(const std::string& key, std::string_view bytes, std::string& etag, net::Ending stop);

  const AzurermSettings settings_;
  const Stop stop_;
  cloud::AzureClient client_;
  cloud::AzureTokens tokens_;
  std::mutex mutex_;
  std::optional<Account> account_;
};

}  // namespace xplan::backend::azurerm
