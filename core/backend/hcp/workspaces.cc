// Finding, listing and deleting workspaces, and what answers say of them.
#include "core/backend/hcp/workspaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "core/cloud/listing.h"
#include "core/net/url.h"

namespace xplan::backend::hcp {
namespace {

constexpr int kPages = 1000;

std::string path_of(const Api& api, const std::string& name) {
  return api.organization_path() + "workspaces/" + net::escape_path(name);
}

Workspace workspace_in(const Json& data) {
  Workspace out;
  out.id = string_in(data, "id");
  out.mode = attribute(data, "execution-mode");
  out.version = attribute(data, "terraform-version");
  out.operations = flag_attribute(data, "operations", true);
  out.locked = flag_attribute(data, "locked", false);
  out.lock_reason = attribute(data, "locked-reason");
  if (const Json* all = object_in(data, "attributes"))
    if (const Json* tags = list_in(*all, "tag-names"))
      for (const Json& t : *tags)
        if (t.is_string()) out.tags.push_back(t.get<std::string>());
  return out;
}

// Why a workspace cannot be found where not even its organization can. Nothing: it can.
std::optional<Error> organization_problem(Api& api, net::Ending stop) {
  const Result<Reply> r = api.send("GET", api.organization_path() + "entitlement-set", nullptr, stop);
  if (!r) return r.error();
  if (r->good()) return std::nullopt;
  const HcpSettings& s = api.settings();
  if (r->status == 404)
    return Error{fmt::format(
        "there is no organization \"{}\" at {}, or the token does not permit seeing it. Check the arguments "
        "\"organization\" and \"hostname\", and which token is used",
        s.organization, s.host)};
  return api.refused(fmt::format("read the organization \"{}\"", s.organization), *r);
}

}  // namespace

std::string query_text(std::string_view text) {
  std::string out = net::escape_path(text);
  for (size_t at = 0; (at = out.find('+', at)) != out.npos;) out.replace(at, 1, "%2B");
  return out;
}

Result<Workspace> read_workspace(const Api& api, const std::string& name, const Reply& r) {
  const Result<Json> data = Api::data_of(r);
  Workspace out = data ? workspace_in(*data) : Workspace();
  // The ID becomes part of paths.
  const bool plain = !out.id.empty() && std::all_of(out.id.begin(), out.id.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_';
  });
  if (!data || !plain)
    return Error{fmt::format("the response about the workspace \"{}\" cannot be used: {}", api.shown(name),
                             data ? "it has no valid ID" : data.error().message)};
  return out;
}

Result<std::string> project_id(Api& api) {
  const std::string& name = api.settings().project;
  if (name.empty()) return std::string();
  const Result<Reply> r = api.send(
      "GET", api.organization_path() + "projects?filter%5Bnames%5D=" + query_text(name), nullptr, api.stop());
  if (!r) return r.error();
  if (!r->good()) return api.refused("find the project \"" + shown_line(name) + "\"", *r);
  const Result<Json> doc = parse_document(r->body);
  const Json* all = doc ? list_in(*doc, "data") : nullptr;
  if (all)
    for (const Json& p : *all)
      if (attribute(p, "name") == name) return string_in(p, "id");
  return std::string();
}

Result<std::optional<Workspace>> find_workspace(Api& api, const std::string& name, net::Ending stop) {
  const Result<Reply> r = api.send("GET", path_of(api, name), nullptr, stop);
  if (!r) return r.error();
  if (r->status == 404) {
    if (const auto problem = organization_problem(api, stop)) return *problem;
    return std::optional<Workspace>();
  }
  if (!r->good()) return api.refused("find the workspace \"" + api.shown(name) + "\"", *r);
  Result<Workspace> w = read_workspace(api, name, *r);
  if (!w) return w.error();
  return std::optional(std::move(*w));
}

namespace {

std::string list_query(const HcpSettings& s, const std::string& project) {
  if (s.mapping == Mapping::Prefix) return "search%5Bname%5D=" + query_text(s.name);
  std::string out;
  for (const std::string& t : s.tags) out += (out.empty() ? "search%5Btags%5D=" : "%2C") + query_text(t);
  for (size_t i = 0; i < s.bound_tags.size(); ++i) {
    out += fmt::format("{}filter%5Btagged%5D%5B{}%5D%5Bkey%5D={}", i ? "&" : "", i,
                       query_text(s.bound_tags[i].first));
    out += fmt::format("&filter%5Btagged%5D%5B{}%5D%5Bvalue%5D={}", i, query_text(s.bound_tags[i].second));
  }
  return project.empty() ? out : out + "&filter%5Bproject%5D%5Bid%5D=" + query_text(project);
}

}  // namespace

Result<std::vector<std::string>> list_workspaces(Api& api) {
  cloud::Listing out;
  const HcpSettings& s = api.settings();
  const Result<std::string> project = s.mapping == Mapping::Tags ? project_id(api) : std::string();
  if (!project) return project.error();
  if (s.mapping == Mapping::Tags && !s.project.empty() && project->empty())
    return out.take();  // there is none in it
  const std::string which = list_query(s, *project);
  const std::string what = fmt::format("list the workspaces of \"{}\"", api.settings().organization);
  for (int64_t page = 1, pages_read = 0; pages_read < kPages; ++pages_read) {
    const Result<Reply> r = api.send("GET",
                                     fmt::format("{}workspaces?{}&page%5Bnumber%5D={}&page%5Bsize%5D=100",
                                                 api.organization_path(), which, page),
                                     nullptr, api.stop());
    if (!r) return r.error();
    if (r->status == 404)
      if (const auto problem = organization_problem(api, api.stop())) return *problem;
    if (!r->good()) return api.refused(what, *r);
    const Result<Json> doc = parse_document(r->body);
    const Json* all = doc ? list_in(*doc, "data") : nullptr;
    if (!all)
      return Error{"cannot " + what + ": the response from the server " +
                   (doc ? "is not a list" : doc.error().message)};
    for (const Json& w : *all)
      if (std::string name = attribute(w, "name"); !name.empty()) out.add(std::move(name));
    const Json* meta = object_in(*doc, "meta");
    const Json* pages = meta ? object_in(*meta, "pagination") : nullptr;
    const Json* next = pages ? member(*pages, "next-page") : nullptr;
    if (!next || !next->is_number_integer()) return out.take();
    const int64_t after = next->get<int64_t>();
    if (after <= page || !out.goes_on(std::to_string(after))) break;
    page = after;
  }
  return Error{"cannot " + what + ": the server keeps returning further pages"};
}

std::string lock_holder(Api& api, const std::string& name, Stop stop) {
  const Result<Reply> r = api.send("GET", path_of(api, name) + "?include=locked_by", nullptr, stop);
  const Result<Json> doc = r && r->good() ? parse_document(r->body) : Error{};
  const Json* more = doc ? list_in(*doc, "included") : nullptr;
  if (more)
    for (const Json& user : *more)
      if (string_in(user, "type") == "users") return shown_line(attribute(user, "username"));
  return {};
}

Result<bool> has_operations(Api& api) {
  const Result<Reply> r = api.send("GET", api.organization_path() + "entitlement-set", nullptr, api.stop());
  if (!r) return r.error();
  if (!r->good())
    return api.refused(fmt::format("read the organization \"{}\"", api.settings().organization), *r);
  const Result<Json> data = Api::data_of(*r);
  return !data || flag_attribute(*data, "operations", true);
}

// The other request is for tokens that may send only one of them, and for servers that know only one.
Result<void> delete_workspace(Api& api, const std::string& name, Unused unused) {
  const std::string path = path_of(api, name), safely = path + "/actions/safe-delete";
  const bool safe = unused == Unused::Yes;
  Result<Reply> r = api.send(safe ? "POST" : "DELETE", safe ? safely : path, nullptr, nullptr);
  if (r && r->status == (safe ? 404 : 403))
    r = api.send(safe ? "DELETE" : "POST", safe ? path : safely, nullptr, nullptr);
  if (!r) return r.error();
  if (r->good() || r->status == 404) return {};
  return api.refused("delete the workspace \"" + api.shown(name) + "\"", *r);
}

}  // namespace xplan::backend::hcp
