// Arguments of the backend "remote" and of the cloud block, and what is wrong with them.
#include "core/backend/hcp/settings.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/addr/host.h"
#include "core/backend/arguments.h"
#include "core/backend/workspace.h"
#include "core/net/url.h"

namespace xplan::backend::hcp {
namespace {

constexpr std::string_view kHost = "app.terraform.io";
constexpr Argument kRemote[] = {{"hostname", Type::string, {}, kHost},
                                {"organization", Type::string, {}, {}, false, "The name of the organization"},
                                {"token", Type::string, {}, {}, true}};
constexpr Argument kRemoteWorkspaces[] = {{"name"}, {"prefix"}};
constexpr Argument kCloud[] = {{"hostname", Type::string, "TF_CLOUD_HOSTNAME", kHost},
                               {"organization", Type::string, "TF_CLOUD_ORGANIZATION"},
                               {"token", Type::string, {}, {}, true}};
constexpr Argument kCloudWorkspaces[] = {
    {"name"}, {"project", Type::string, "TF_CLOUD_PROJECT"}, {"tags", Type::dynamic}};

std::optional<Error> account(const Arguments& a, std::string_view where, HcpSettings& out) {
  const std::string host = a.text("hostname");
  const auto normal = normal_host(host);
  if (!normal)
    return Error{fmt::format("the argument \"hostname\" must be the name of a host, such as {}, not \"{}\"",
                             kHost, host)};
  out.host = *normal;
  out.organization = a.text("organization");
  out.token = a.text("token");
  if (net::has_controls(out.token))
    return Error{"the argument \"token\" contains control characters, such as a line break"};
  if (out.organization.empty())
    return Error{fmt::format("the argument \"organization\" is required. Set it {}", where)};
  if (net::has_controls(out.organization))
    return Error{"the argument \"organization\" contains control characters"};
  return std::nullopt;
}

// A list, set or tuple of names, or a map or object of values.
std::optional<Error> read_tags(const Value& v, HcpSettings& out) {
  const Error wrong{
      "the argument \"tags\" must be a list of strings or a map of strings, such as [\"app\"] or "
      "{ team = \"network\" }"};
  if (v.is_null()) return std::nullopt;
  const bool map = v.kind() == xplan::Kind::Map, object = v.kind() == xplan::Kind::Obj;
  if (!map && !object && v.kind() != xplan::Kind::Seq && v.kind() != xplan::Kind::Set) return wrong;
  for (size_t i = 0; i < v.length(); ++i) {
    const Value& e = v.elements()[i];
    if (!e.is_string() || (!map && !object && e.as_string().empty())) return wrong;
    std::string text(e.as_string());
    if (map || object)
      out.bound_tags.emplace_back(map ? v.map_key(i) : v.type().attr_names()[i].sv(), std::move(text));
    else
      out.tags.push_back(std::move(text));
  }
  return std::nullopt;
}

}  // namespace

const schema::Block& remote_schema() {
  static const schema::Block block = schema_of(kRemote, {{"workspaces", kRemoteWorkspaces}});
  return block;
}
const schema::Block& cloud_schema() {
  static const schema::Block block = schema_of(kCloud, {{"workspaces", kCloudWorkspaces}});
  return block;
}

Result<HcpSettings> read_remote(const Value& settings) {
  HcpSettings out;
  if (auto problem = account(Arguments(kRemote, settings),
                             "in the backend block or with -backend-config=\"organization=NAME\"", out))
    return *problem;
  const Arguments w(kRemoteWorkspaces, *settings.find_attr("workspaces"));
  const std::string name = w.text("name"), prefix = w.text("prefix");
  if (name.empty() == prefix.empty())
    return Error{name.empty()
                     ? "the block \"workspaces\" is required. Set \"name\" in it to use one workspace, or "
                       "\"prefix\" to use all workspaces whose names begin with a prefix"
                     : "the arguments \"name\" and \"prefix\" of the block \"workspaces\" cannot be used "
                       "together"};
  out.mapping = name.empty() ? Mapping::Prefix : Mapping::Name;
  out.name = name.empty() ? prefix : name;
  return out;
}

Result<HcpSettings> read_cloud(const Value& settings) {
  HcpSettings out;
  out.cloud = true;
  if (auto problem = account(Arguments(kCloud, settings),
                             "in the cloud block or in the environment variable TF_CLOUD_ORGANIZATION", out))
    return *problem;
  const Arguments w(kCloudWorkspaces, *settings.find_attr("workspaces"));
  out.name = w.text("name");
  out.project = w.text("project");
  if (auto problem = read_tags(w.value("tags"), out)) return *problem;
  const bool tagged = !out.tags.empty() || !out.bound_tags.empty();
  if (tagged && !out.name.empty())
    return Error{"the arguments \"name\" and \"tags\" of the block \"workspaces\" cannot be used together"};
  if (tagged) out.mapping = Mapping::Tags;
  const char* selected = std::getenv("TF_WORKSPACE");
  if (!selected || !*selected) selected = nullptr;
  if (!tagged && !out.name.empty() && selected && out.name != selected)
    return Error{
        fmt::format("the block \"workspaces\" names the workspace \"{}\", but the environment variable "
                    "TF_WORKSPACE selects "
                    "\"{}\". Unset the variable, or remove the argument \"name\"",
                    out.name, selected)};
  if (!tagged && out.name.empty()) {
    if (!selected)
      return Error{
          "the block \"workspaces\" does not say which workspaces to use. Set \"name\" in it to use one "
          "workspace, or \"tags\" to use all workspaces with these tags; or set the environment variable "
          "TF_WORKSPACE"};
    out.name = selected;
    out.named_outside = true;
  }
  return out;
}

}  // namespace xplan::backend::hcp
