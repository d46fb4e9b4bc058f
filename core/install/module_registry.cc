// Versions and locations of modules, from the documents of a module registry.
#include "core/install/module_registry.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/install/hosts.h"

namespace xplan::install {

namespace {

// A pre-release is chosen only by a constraint that names exactly it.
bool names(const VersionConstraints& wanted, const Version& v) {
  return std::any_of(wanted.all.begin(), wanted.all.end(), [&](const VersionConstraint& c) {
    return c.op == VersionOp::Equal && compare(c.version, v) == 0;
  });
}

}  // namespace

Result<Version> ModuleRegistry::choose(const ModuleSource& m, const VersionConstraints& wanted) {
  auto base = services_.find(m.host, "modules.v1");
  if (!base) return base.error();
  const Versions& known = versions_.get(m.package, [&] { return list(m, *base); });
  if (!known) return known.error();
  const Version *best = nullptr, *newest = nullptr;
  for (const Version& v : *known) {
    if (!newest || compare(v, *newest) > 0) newest = &v;
    if (!wanted.matches(v) || (!v.prerelease.empty() && !names(wanted, v))) continue;
    if (!best || compare(v, *best) > 0) best = &v;
  }
  if (best) return *best;
  if (!newest) return Error{"the registry has no version of this module"};
  return Error{(wanted.all.empty() ? "there are only pre-release versions of it"
                                   : "there is no version that meets the constraints " + wanted.text()) +
               "; the newest one is " + newest->text()};
}

Result<ModuleRegistry::Location> ModuleRegistry::location(const ModuleSource& m, const Version& v) {
  auto base = services_.find(m.host, "modules.v1");
  if (!base) return base.error();
  auto answer = services_.get(m.host, *base + m.path + "/" + escape_path(v.text()) + "/download");
  if (!answer) return answer.error();
  std::string where = answer->headers["x-terraform-get"];
  if (where.empty()) {
    if (const auto doc = parse_document(answer->body)) where = text_in(*doc, "location");
  }
  if (where.empty()) return Error{"the registry does not say where version " + v.text() + " is"};
  if (where.starts_with('/') || where.starts_with("./") || where.starts_with("../"))
    where = resolve_url(answer->url, where);
  auto source = config::parse_module_source(where);
  if (!source) return source.error();
  return Location{std::move(*source), said_at(answer->url)};
}

ModuleRegistry::Versions ModuleRegistry::list(const ModuleSource& m, const std::string& base) {
  auto answer = services_.get(m.host, base + m.path + "/versions");
  if (!answer) return answer.error();
  if (answer->status == 404) return Error{"the registry " + m.host + " has no module " + m.path};
  const auto doc = parse_document(answer->body);
  if (!doc) return Error{"the response from " + answer->url + " " + doc.error().message};
  const Json* modules = list_in(*doc, "modules");
  if (!modules) return Error{"the response from " + answer->url + " has no list \"modules\""};
  std::vector<Version> out;
  for (const Json& x : *modules) {
    const Json* list = list_in(x, "versions");
    if (!list) continue;
    for (const Json& n : *list) {
      if (auto v = parse_version(text_in(n, "version"))) out.push_back(std::move(*v));
    }
  }
  return out;
}

}  // namespace xplan::install
