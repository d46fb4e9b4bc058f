// The backend "remote" and the cloud block: states as versions in workspaces of an organization, at HCP
// Terraform or a server that answers like it.
#include "core/backend/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/backend/hcp/place.h"
#include "core/backend/hcp/workspaces.h"
#include "core/backend/workspace.h"
#include "core/base/command_line.h"

namespace xplan::backend {
namespace {

using hcp::Api;
using hcp::HcpSettings;
using hcp::Mapping;

class HcpServer : public Server {
 public:
  HcpServer(std::shared_ptr<Api> api, JsonOfState json_of)
      : api_(std::move(api)), json_of_(std::move(json_of)) {}
  std::unique_ptr<Place> place(const std::string& workspace) const override;
  Result<std::vector<std::string>> workspaces() const override;
  // The backend "remote" calls its one workspace "default".
  bool has_workspaces() const override { return s().cloud || s().mapping != Mapping::Name; }
  bool has_default() const override { return !has_workspaces(); }
  std::string only_workspace() const override {
    if (s().mapping != Mapping::Name) return "";
    return s().cloud ? s().name : std::string(kDefaultWorkspace);
  }
  Result<void> create(const std::string& workspace) const override;
  Result<void> prepare() const override {
    return s().mapping == Mapping::Name ? create(std::string(kDefaultWorkspace)) : Result<void>();
  }
  Result<void> remove(const std::string& workspace) const override {
    return remove(workspace, hcp::Unused::No);
  }
  Result<void> remove_unused(const std::string& workspace) const override {
    return remove(workspace, hcp::Unused::Yes);
  }
  Result<Runs> runs(const std::string& workspace) const override;

 private:
  const HcpSettings& s() const { return api_->settings(); }
  std::optional<Error> unmapped(const std::string& workspace) const;
  Result<void> remove(const std::string& workspace, hcp::Unused unused) const;
  std::string name_of(const std::string& workspace) const;
  const std::shared_ptr<Api> api_;  // places share it
  const JsonOfState json_of_;
};

// Why there cannot be such a workspace.
std::optional<Error> HcpServer::unmapped(const std::string& workspace) const {
  const bool is_default = workspace == kDefaultWorkspace;
  if (s().mapping == Mapping::Name) {
    if (is_default || (s().cloud && workspace == s().name)) return std::nullopt;
    return Error{fmt::format(
        "the configuration uses the one workspace \"{}\" of the organization \"{}\", but \"{}\" is selected. "
        "Select \"{}\" with {}, or change or unset TF_WORKSPACE",
        s().name, s().organization, workspace, s().cloud ? s().name : kDefaultWorkspace,
        own_command(fmt::format("workspace select {}", s().cloud ? s().name : kDefaultWorkspace)))};
  }
  if (!is_default) return std::nullopt;
  return Error{fmt::format(
      "no workspace is selected, and there is no workspace \"{}\". Create one with {}, or select "
      "one with {}",
      kDefaultWorkspace, own_command("workspace new NAME"), own_command("workspace select NAME"))};
}

std::string HcpServer::name_of(const std::string& workspace) const {
  if (s().mapping == Mapping::Name) return s().name;
  if (s().mapping == Mapping::Tags || workspace.starts_with(s().name)) return workspace;
  return s().name + workspace;
}

std::unique_ptr<Place> HcpServer::place(const std::string& workspace) const {
  if (auto problem = unmapped(workspace)) return no_place(api_->shown(workspace), std::move(*problem));
  return hcp::make_place(api_, name_of(workspace), json_of_);
}

Result<std::vector<std::string>> HcpServer::workspaces() const {
  if (s().mapping == Mapping::Name) return std::vector<std::string>{s().name};
  Result<std::vector<std::string>> names = hcp::list_workspaces(*api_);
  if (!names || s().mapping == Mapping::Tags) return names;
  std::erase_if(
      *names, [&](const std::string& n) { return !n.starts_with(s().name) || n.size() == s().name.size(); });
  for (std::string& n : *names) n.erase(0, s().name.size());
  return names;
}

Result<void> HcpServer::create(const std::string& workspace) const {
  if (auto problem = unmapped(workspace)) return *problem;
  const Result<hcp::Workspace> made = hcp::make_workspace(*api_, name_of(workspace));
  return made ? Result<void>() : made.error();
}

Result<void> HcpServer::remove(const std::string& workspace, hcp::Unused unused) const {
  if (s().mapping == Mapping::Name)
    return Error{
        "the configuration uses a single workspace of the organization, which can only be deleted on the "
        "server"};
  return hcp::delete_workspace(*api_, name_of(workspace), unused);
}

Result<Runs> HcpServer::runs(const std::string& workspace) const {
  if (auto problem = unmapped(workspace)) return *problem;
  const std::string name = name_of(workspace);
  const auto found = hcp::find_workspace(*api_, name, api_->stop());
  if (!found) return found.error();
  if (!*found) return Runs{};
  const hcp::Workspace& w = **found;
  Runs out;
  out.there = true;
  out.elsewhere = w.mode.empty() ? w.operations : w.mode != "local";
  out.place = api_->shown(name);
  out.version = hcp::shown_line(w.version);
  out.mode = hcp::shown_line(w.mode);
  if (!out.elsewhere) return out;
  const Result<bool> operations = hcp::has_operations(*api_);  // without them, all runs are local
  if (!operations) return operations.error();
  out.elsewhere = *operations;
  // As programs on the server set it, which carry out its runs.
  const char* forced = std::getenv("TF_FORCE_LOCAL_BACKEND");
  out.forced_here = forced && *forced;
  return out;
}

Result<std::unique_ptr<Backend>> make(Result<HcpSettings> settings, const Opening& opening) {
  if (!settings) return settings.error();
  auto api = std::make_shared<Api>(std::move(*settings), opening.stop);
  JsonOfState json_of = api->settings().cloud ? opening.json_of : JsonOfState();
  return remote_backend(std::make_unique<HcpServer>(std::move(api), std::move(json_of)), opening);
}
Result<std::unique_ptr<Backend>> open_remote(const Value& settings, const Opening& opening) {
  return make(hcp::read_remote(settings), opening);
}
Result<std::unique_ptr<Backend>> open_cloud(const Value& settings, const Opening& opening) {
  return make(hcp::read_cloud(settings), opening);
}

}  // namespace

constinit const Kind kRemote{"remote", hcp::remote_schema, open_remote};
constinit const Kind kCloud{"cloud", hcp::cloud_schema, open_cloud, false};

}  // namespace xplan::backend
