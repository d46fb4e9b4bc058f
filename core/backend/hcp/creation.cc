// Creating workspaces: with which tags, in which project, for which version of the language.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "core/backend/hcp/workspaces.h"
#include "core/base/json_writer.h"
#include "core/config/version.h"

namespace xplan::backend::hcp {
namespace {

void tag_list(JsonWriter& w, const HcpSettings& s) {
  w.begin_array();
  auto one = [&](std::string_view type, auto attributes) {
    w.begin_object();
    w.member("type", type);
    w.key("attributes");
    w.begin_object();
    attributes();
    w.end_object();
    w.end_object();
  };
  for (const std::string& t : s.tags) one("tags", [&] { w.member("name", t); });
  for (const auto& tag : s.bound_tags)
    one("tag-bindings", [&] {
      w.member("key", tag.first);
      if (!tag.second.empty()) w.member("value", tag.second);
    });
  w.end_array();
}

std::string creation(const HcpSettings& s, const std::string& name, const std::string& project) {
  JsonWriter w;
  w.begin_object();
  w.key("data");
  w.begin_object();
  w.member("type", "workspaces");
  w.key("attributes");
  w.begin_object();
  w.member("name", name);
  if (!s.cloud) w.member("terraform-version", kLanguageVersion);
  w.end_object();
  const bool tagged = !s.tags.empty() || !s.bound_tags.empty();
  if (tagged || !project.empty()) {
    w.key("relationships");
    w.begin_object();
    if (tagged) {
      w.key(s.tags.empty() ? "tag-bindings" : "tags");
      w.begin_object();
      w.key("data");
      tag_list(w, s);
      w.end_object();
    }
    if (!project.empty()) {
      w.key("project");
      w.begin_object();
      w.key("data");
      w.begin_object();
      w.member("type", "projects");
      w.member("id", project);
      w.end_object();
      w.end_object();
    }
    w.end_object();
  }
  w.end_object();
  w.end_object();
  return w.take();
}

std::string document(const std::function<void(JsonWriter&)>& data) {
  JsonWriter w;
  w.begin_object();
  w.key("data");
  data(w);
  w.end_object();
  return w.take();
}

// The version of the language that it is to be used with, where the server knows that version.
Result<void> set_version(Api& api, const Workspace& w) {
  const std::string body = document([](JsonWriter& j) {
    j.begin_object();
    j.member("type", "workspaces");
    j.key("attributes");
    j.begin_object();
    j.member("terraform-version", kLanguageVersion);
    j.end_object();
    j.end_object();
  });
  const Result<Reply> r = api.send("PATCH", "workspaces/" + w.id, &body, api.stop());
  return r ? Result<void>() : r.error();
}

Result<std::string> make_project(Api& api) {
  const std::string& name = api.settings().project;
  const std::string body = document([&](JsonWriter& j) {
    j.begin_object();
    j.member("type", "projects");
    j.key("attributes");
    j.begin_object();
    j.member("name", name);
    j.end_object();
    j.end_object();
  });
  const Result<Reply> r = api.send("POST", api.organization_path() + "projects", &body, api.stop());
  if (!r) return r.error();
  const Result<Json> made = r->good() ? Api::data_of(*r) : Error{};
  if (!made) return api.refused("create the project \"" + shown_line(name) + "\"", *r);
  return string_in(*made, "id");
}

Result<void> add_tags(Api& api, const std::string& name, const Workspace& w) {
  const HcpSettings& s = api.settings();
  const bool list = !s.tags.empty();
  const bool all = std::all_of(s.tags.begin(), s.tags.end(), [&](const std::string& t) {
    return std::find(w.tags.begin(), w.tags.end(), t) != w.tags.end();
  });
  if (s.mapping != Mapping::Tags || (list && all)) return {};
  const std::string body = document([&](JsonWriter& j) { tag_list(j, s); });
  const Result<Reply> r =
      list ? api.send("POST", "workspaces/" + w.id + "/relationships/tags", &body, api.stop())
           : api.send("PATCH", "workspaces/" + w.id + "/tag-bindings", &body, api.stop());
  if (!r) return r.error();
  return r->good() ? Result<void>() : api.refused("tag the workspace \"" + api.shown(name) + "\"", *r);
}

}  // namespace

Result<Workspace> make_workspace(Api& api, const std::string& name) {
  const HcpSettings& s = api.settings();
  Result<std::optional<Workspace>> found = find_workspace(api, name, api.stop());
  if (!found) return found.error();
  if (*found) {
    if (Result<void> ok = add_tags(api, name, **found); !ok) return ok.error();
    return std::move(**found);
  }
  if (s.named_outside)
    return Error{fmt::format(
        "the environment variable TF_WORKSPACE selects the workspace \"{}\", which the organization "
        "\"{}\" at {} does not have. Create it first, or select another one",
        name, s.organization, s.host)};
  Result<std::string> project = project_id(api);
  if (project && project->empty() && !s.project.empty()) project = make_project(api);
  if (!project) return project.error();
  const std::string body = creation(s, name, *project);
  const Result<Reply> r = api.send("POST", api.organization_path() + "workspaces", &body, api.stop());
  if (!r) return r.error();
  if (r->status == 422) {  // somebody else, or an attempt before this one, has just created it
    found = find_workspace(api, name, api.stop());
    if (found && *found) return std::move(**found);
  }
  if (!r->good()) return api.refused("create the workspace \"" + api.shown(name) + "\"", *r);
  Result<Workspace> made = read_workspace(api, name, *r);
  if (made && s.cloud)
    if (Result<void> ok = set_version(api, *made); !ok) return ok.error();
  return made;
}

}  // namespace xplan::backend::hcp
