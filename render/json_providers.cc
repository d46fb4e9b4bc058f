// Collects provider configurations per module with the keys they have in plan JSON, resolves those passed
// from calling modules, and writes "provider_config".
#include "render/json_providers.h"

#include <algorithm>

#include "core/config/providers.h"
#include "render/json_expressions.h"

namespace xplan::render {
namespace {

std::string key_text(std::string_view name, std::string_view alias, const std::string& module) {
  std::string key = module.empty() ? std::string(name) : module + ":" + std::string(name);
  if (!alias.empty()) key += "." + std::string(alias);
  return key;
}

// The local name that a resource uses: the one given, else the first word of its type.
std::pair<Symbol, Symbol> local_provider(const config::Resource& r) {
  if (r.provider_ref) return {r.provider_ref->local_name, r.provider_ref->alias};
  return {config::implied_local_name(r.addr.type), Symbol()};
}

// "~>1.2 , >= 2" as "~> 1.2, >= 2.0.0": one space behind the operator, all three numbers except with ~>.
std::string normal_constraint(std::string_view one) {
  size_t op = one.find_first_not_of("=!<>~ \t");
  if (op == one.npos) return std::string(one);
  std::string sign, version(one.substr(op));
  for (char c : one.substr(0, op))
    if (c != ' ' && c != '\t') sign += c;
  while (!version.empty() && (version.back() == ' ' || version.back() == '\t')) version.pop_back();
  if (sign == "=") sign.clear();
  if (sign != "~>") {
    size_t end = version.find_first_of("-+");
    std::string numbers = version.substr(0, end);
    for (auto dots = std::count(numbers.begin(), numbers.end(), '.'); dots < 2; ++dots) numbers += ".0";
    version = numbers + (end == std::string::npos ? "" : version.substr(end));
  }
  return sign.empty() ? version : sign + " " + version;
}

struct Requirement {
  std::vector<std::string> constraints;
  void add(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
      size_t end = std::min(text.find(',', at), text.size());
      std::string_view one = text.substr(at, end - at);
      if (one.find_first_not_of(" \t") != one.npos) {
        std::string normal = normal_constraint(one.substr(one.find_first_not_of(" \t")));
        if (std::find(constraints.begin(), constraints.end(), normal) == constraints.end())
          constraints.push_back(std::move(normal));
      }
      at = end + 1;
    }
  }
  std::string text() const {
    std::string out;
    for (const std::string& c : constraints) out += (out.empty() ? "" : ", ") + c;
    return out;
  }
};

}  // namespace

ProviderKeys::ProviderKeys(const config::Config& config) {
  for (const config::Node* n : config.nodes) {  // parents first
    if (n->parent) add_passed(*n);
    add_module(*n);
  }
}

// The end of the chain of configurations that `key` is passed from; empty when there is no such
// configuration.
std::string ProviderKeys::source_of(std::string key, const std::string& full_name) const {
  std::string found;
  while (!key.empty()) {
    auto it = entries_.find(key);
    if (it == entries_.end() || it->second.full_name != full_name) break;
    found = key;
    key = it->second.source;
  }
  return found;
}

void ProviderKeys::add_passed(const config::Node& n) {
  const std::string module = n.path.text(), parent = n.parent->path.text();
  for (const config::ModuleCall::Passed& p : n.call->providers) {
    Entry e;
    e.name = std::string(p.child.local_name.sv());
    if (!p.child.alias.empty()) e.name += "." + std::string(p.child.alias.sv());
    e.full_name = config::provider_of(*n.module, p.child.local_name).text();
    e.module = module;
    e.source = source_of(key_text(p.parent.local_name.sv(), p.parent.alias.sv(), parent), e.full_name);
    entries_[key_text(p.child.local_name.sv(), p.child.alias.sv(), module)] = std::move(e);
  }
}

void ProviderKeys::add_module(const config::Node& n) {
  const config::Module& m = *n.module;
  const std::string module = n.path.text(), parent = n.parent ? n.parent->path.text() : "";
  std::map<std::string, std::pair<ProviderAddr, Requirement>> needed;  // by full name
  auto need = [&](const ProviderAddr& p) -> Requirement& {
    auto& entry = needed[p.text()];
    entry.first = p;
    return entry.second;
  };
  for (const config::RequiredProvider& r : m.required_providers) need(r.provider).add(r.version_constraint);
  for (const config::ProviderConfig& p : m.providers) need(p.provider).add(p.version_constraint);
  for (const config::Resource& r : m.resources)
    if (!r.provider.empty()) need(r.provider);

  auto entry = [&](std::string_view name, const ProviderAddr& p) {
    Entry e;
    e.name = std::string(name), e.full_name = p.text(), e.module = module;
    e.version = needed[e.full_name].second.text();
    return e;
  };
  for (const config::ProviderConfig& p : m.providers) {
    Entry e = entry(p.local_name.sv(), p.provider);
    e.alias = std::string(p.alias.sv());
    e.block = &p;
    entries_[key_text(p.local_name.sv(), p.alias.sv(), module)] = std::move(e);
  }
  auto inherit = [&](Entry e, std::string_view name) {
    if (n.parent) e.source = source_of(key_text(name, "", parent), e.full_name);
    entries_.emplace(key_text(name, "", module), std::move(e));
  };
  for (const config::RequiredProvider& r : m.required_providers) {
    for (Symbol alias : r.configuration_aliases)
      entries_.emplace(key_text(r.local_name.sv(), alias.sv(), module), entry(r.local_name.sv(), r.provider));
    if (!entries_.contains(key_text(r.local_name.sv(), "", module)))
      inherit(entry(r.local_name.sv(), r.provider), r.local_name.sv());
  }
  for (const auto& [full_name, requirement] : needed) {
    const std::string_view name = requirement.first.type.sv();
    if (!entries_.contains(key_text(name, "", module))) inherit(entry(name, requirement.first), name);
  }
}

std::string ProviderKeys::key(const config::Node& n, const config::Resource& r) const {
  auto [name, alias] = local_provider(r);
  std::string key = key_text(name.sv(), alias.sv(), n.path.text());
  auto it = entries_.find(key);
  return it != entries_.end() && !it->second.source.empty() ? it->second.source : key;
}

bool ProviderKeys::empty() const {
  return std::none_of(entries_.begin(), entries_.end(),
                      [](const auto& e) { return e.second.source.empty(); });
}

void ProviderKeys::write(JsonWriter& w) const {
  w.begin_object();
  for (const auto& [key, e] : entries_) {
    if (!e.source.empty()) continue;
    w.key(key);
    w.begin_object();
    w.member("name", e.name);
    w.member("full_name", e.full_name);
    if (!e.alias.empty()) w.member("alias", e.alias);
    if (!e.version.empty()) w.member("version_constraint", e.version);
    if (!e.module.empty()) w.member("module_address", e.module);
    if (e.block && e.block->schema && has_expressions(e.block->body, e.block->schema->block)) {
      w.key("expressions");
      write_expressions(e.block->body, e.block->schema->block, w);
    }
    w.end_object();
  }
  w.end_object();
}

}  // namespace xplan::render
