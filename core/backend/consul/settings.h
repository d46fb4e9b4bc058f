// The settings of the backend "consul": its arguments as a table, and what they and the environment mean.
//
// Who calls it: server.cc; tests. Contract: an error names the argument that is missing or wrong, never a
// secret. Variables of the environment are those of Consul's own programs. Cost: the files that are named.
// Thread-safety: pure, but for reading the environment and files.
#pragma once
#include <string>

#include "core/base/result.h"
#include "core/net/client.h"
#include "core/schema/schema.h"

namespace xplan::backend::consul {

struct ConsulSettings {
  std::string url;   // of the server, without a slash at the end
  std::string path;  // the key of the state of "default"
  std::string token, user, password;
  std::string datacenter, name_space, partition;  // "": those of the server and of the token
  bool gzip = false, lock = true;
  net::ClientOptions client;
  net::Retry retry{.times = 3, .first = std::chrono::milliseconds(500), .refused_at_first = false};
};

const schema::Block& consul_schema();
Result<ConsulSettings> read_settings(const Value& settings);

}  // namespace xplan::backend::consul
