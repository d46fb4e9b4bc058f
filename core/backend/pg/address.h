// PgAddress: where a database is and how to get there, as a connection string and the environment say it.
//
// Who calls it: pg.cc, session.cc; tests.  Contract: what libpq does not know is a setting of the server, as
// it is for the driver that the reference tools use; what only that driver knows is left out. Like there,
// connections are encrypted unless something says otherwise, and the host is this machine, not a socket.
// Errors and shown() have no password. Cost: loads libpq. Thread-safety: pure, but for reading the
// environment.
#pragma once
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/backend/limits.h"
#include "core/base/result.h"

namespace xplan::backend {

// Begins the name of our sessions, which others see; who they are for follows.
inline constexpr const char* kPgApplication = "xplan ";

struct PgAddress {
  std::vector<std::pair<std::string, std::string>> parameters;  // what libpq is told beyond its environment
  std::string shown;                         // postgres://HOST:PORT/DATABASE, %2F… for a socket
  long seconds = 15;                         // that connecting may take
  std::chrono::milliseconds silence{30000};  // of the server, after which a connection counts as lost
  size_t largest = kLargestState + (size_t{1} << 20);  // of its answers: a state, or a part of a journal
};
Result<PgAddress> parse_pg_address(const std::string& conn_str);

}  // namespace xplan::backend
