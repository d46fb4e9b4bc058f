// How to reach a cluster, and as whom.
//
// Used by: settings.cc and kubeconfig.cc (fill it), client.cc.  Cost: none.  Thread-safety: data.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/net/client.h"

namespace xplan::backend::kubernetes {

// A program that prints credentials (an exec plugin).
struct Plugin {
  std::string api_version, command;
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;
  bool cluster_info = false;  // it is told which cluster they are for
  int limit_millis = 60'000;  // that it may take
};

struct Access {
  std::string url;  // of the API, without a slash at the end
  std::string token, token_file, user, password;
  std::optional<Plugin> plugin;
  std::string proxy;  // instead of those that the environment names
  net::ClientOptions tls;
  net::Retry retry{.times = 3, .first = std::chrono::milliseconds(500), .refused_at_first = false};
};

}  // namespace xplan::backend::kubernetes
