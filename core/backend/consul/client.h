// ConsulClient: keys, transactions and sessions of a Consul server, as the backend "consul" uses them.
//
// Who calls it: place.cc, locks.cc and server.cc.
// Contract: an error is a phrase that names the key and what the server said of it. What `stop` is given to
// ends when it is set; the rest (whatever ends a run: the last write, the release of locks) does not. What
// was asked for twice, because an answer was lost, counts once. Cost: one request each; put() one more where
// the server refuses. Thread-safety: any thread.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/consul/settings.h"
#include "core/base/stop.h"

namespace xplan::backend::consul {

struct Entry {
  std::string value;
  std::string session;  // that holds the key as a lock; "" is nobody
  uint64_t index = 0;   // of the last change
};

class ConsulClient {
 public:
  ConsulClient(ConsulSettings settings, Stop stop);
  const ConsulSettings& settings() const { return settings_; }
  Stop stop() const { return stop_; }
  net::Ending late() const { return {stop_, net::kLastAnswer}; }  // of what asks for a lock
  std::string shown(const std::string& key) const;

  // `consistent`: as the leader of the servers knows it, and not one that may be behind.
  Result<std::optional<Entry>> get(const std::string& key, net::Ending stop = nullptr,
                                   bool consistent = false);
  // The value alone, as it is; nothing: there is no such key. `left`: see net::Limits::together.
  Result<std::optional<std::string>> get_value(const std::string& key, net::Ending stop,
                                               std::atomic<int64_t>* left);
  // False: the server says that it must not be (of another session, of another index). `how`: parameters of
  // the query.
  Result<bool> put(const std::string& key, std::string_view bytes, const std::string& how = {},
                   net::Ending stop = nullptr);
  Result<bool> remove(const std::string& key, const std::string& how = {}, net::Ending stop = nullptr);
  // All that begin so, up to the next slash.
  Result<std::vector<std::string>> keys(const std::string& prefix, net::Ending stop = nullptr);

  struct Stored {
    enum class End : uint8_t { Done, Conflict, TooLarge } end = End::Done;
    uint64_t index = 0;
  };
  // Over what has this index; 0: nothing.
  Result<Stored> store(const std::string& key, std::string_view bytes, uint64_t index);

  Result<std::string> create_session(net::Ending stop);
  Result<bool> renew_session(const std::string& id,
                             net::Ending stop = nullptr);  // false: it has ended; one short attempt
  Result<void> destroy_session(const std::string& id, net::Ending stop = nullptr);

 private:
  struct Asked {
    std::string method, path;
    std::string query = {};
    net::Body body = {};
    net::Ending stop = nullptr;
    bool brief = false;    // tried once
    bool patient = false;  // waits for a server that is away
    std::atomic<int64_t>* left = nullptr;
  };
  Result<net::Answer> send(const Asked& asked);
  Error refused(const std::string& doing, const net::Answer& a) const;
  Result<Stored> after_conflict(const std::string& key, std::string_view bytes);

  const ConsulSettings settings_;
  const Stop stop_;
  net::Client client_;
};

}  // namespace xplan::backend::consul
