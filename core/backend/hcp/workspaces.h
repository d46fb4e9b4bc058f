// Workspaces of an organization: finding, listing, creating and deleting them.
//
// Who calls it: server.cc and place.cc.
// Contract: names are those on the server; server.cc tells them from those that people use. An error is a
// phrase that names the workspace. Cost: a request each, more for what creating one takes; a list has one for
// every 100.  Thread-safety: as Api.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/backend/hcp/api.h"

namespace xplan::backend::hcp {

struct Workspace {
  std::string id, mode, version;  // mode: of execution
  bool operations = true;         // plans and applies happen on the server
  bool locked = false;
  std::string lock_reason;  // "" where the server does not tell
  std::vector<std::string> tags;
};

// Who has its lock, as the server names the user; "" where it does not.
std::string lock_holder(Api& api, const std::string& name, Stop stop);
Result<std::optional<Workspace>> find_workspace(Api& api, const std::string& name, net::Ending stop);
// Finds or creates it, with the tags of the settings.
Result<Workspace> make_workspace(Api& api, const std::string& name);
// Those that belong to the configuration, by their names on the server.
Result<std::vector<std::string>> list_workspaces(Api& api);
// The ID of the project that the settings name; "": they name none, or one that does not exist.
Result<std::string> project_id(Api& api);
// What an answer says of a workspace.
Result<Workspace> read_workspace(const Api& api, const std::string& name, const Reply& r);
std::string query_text(std::string_view text);  // as a value in a query, where a plus sign stands for a space
// Whether the organization's plan has runs on the server at all.
Result<bool> has_operations(Api& api);
// Unused: the server refuses where it knows of resources. One that still has some may need more than the
// token permits.
enum class Unused : uint8_t { No, Yes };
Result<void> delete_workspace(Api& api, const std::string& name, Unused unused);

}  // namespace xplan::backend::hcp
