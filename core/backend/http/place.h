// The state at an address that answers GET and POST, and maybe LOCK and UNLOCK.
//
// Who calls it: http.cc; tests.  Contract: that of Place. Methods, headers, bodies and the parameter ID are
// those that servers for the reference tools know. A write looks first whether what is there is what
// was read. Reading ends when the run is told to stop, and the lock
// is not asked for after that; writing, taking the lock and releasing it do not, because of what is on the
// server by then: their time is limited by the number of attempts.  Cost: one request per call, two for a
// write. Thread-safety: as Place.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/backend/limits.h"
#include "core/base/stop.h"
#include "core/net/client.h"
#include "core/state/place.h"

namespace xplan::backend {

struct HttpSettings {
  std::string address, update_method;
  std::string lock_address, lock_method;  // no address: no locks
  std::string unlock_address, unlock_method;
  std::string user, password;
  std::vector<std::pair<std::string, std::string>> headers;  // more, of each request
  net::Retry retry;
  std::chrono::seconds patience = kWritePatience;  // of what writes
  net::ClientOptions tls;
  Stop stop = nullptr;
  std::chrono::milliseconds last_answer = net::kLastAnswer;
};

std::unique_ptr<Place> http_place(std::shared_ptr<const HttpSettings> settings);

// The address with the parameter ID, and all parameters in the order of their names.
std::string with_lock_id(const std::string& address, const std::string& id);

}  // namespace xplan::backend
