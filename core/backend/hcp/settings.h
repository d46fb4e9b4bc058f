// The settings of the backend "remote" and of the cloud block: their arguments as tables, and what they mean
// together.
//
// Who calls it: server.cc. Contract: an error names the argument that is missing or wrong, never a secret.
// Cost: none.  Thread-safety: pure, but for reading the environment.
#pragma once
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/schema/schema.h"

namespace xplan::backend::hcp {

// Which workspaces of the organization belong to the configuration.
enum class Mapping : uint8_t {
  Name,    // one
  Prefix,  // those whose names begin with it, without it
  Tags,    // those that have all of them
};

struct HcpSettings {
  bool cloud = false;
  std::string host, organization, token;  // no token: the host's
  Mapping mapping = Mapping::Name;
  std::string name;               // or the prefix
  bool named_outside = false;     // by TF_WORKSPACE: such a workspace must exist
  std::vector<std::string> tags;  // a list of them
  std::vector<std::pair<std::string, std::string>> bound_tags;  // or a map; either may be empty
  std::string project;                                          // a name; of workspaces that are created
  std::chrono::milliseconds first_pause{500};                   // before something is tried again
};

const schema::Block& remote_schema();
const schema::Block& cloud_schema();
Result<HcpSettings> read_remote(const Value& settings);
Result<HcpSettings> read_cloud(const Value& settings);

}  // namespace xplan::backend::hcp
