// Collects the provider version constraints of all modules and of the state, puts them into one normal
// order, and decides whether a version satisfies them.
#include "core/install/requirements.h"

#include <algorithm>

#include "core/config/providers.h"

namespace xplan::install {
namespace {

int op_order(const VersionConstraint& c) {
  switch (c.op) {
    case VersionOp::Greater:
      return 0;
    case VersionOp::GreaterEqual:
      return 1;
    case VersionOp::Equal:
      return 2;
    case VersionOp::Pessimistic:
      return c.version.numbers.size() > 2 ? 3 : 4;
    case VersionOp::LessEqual:
      return 5;
    case VersionOp::Less:
      return 6;
    case VersionOp::NotEqual:
      return 7;
  }
  return 8;
}

}  // namespace

void merge(Requirements& into, Requirements&& from) {
  for (auto& [name, r] : from) {
    auto [it, fresh] = into.try_emplace(name, std::move(r));
    if (fresh) continue;
    auto& all = it->second.constraints.all;
    all.insert(all.end(), r.constraints.all.begin(), r.constraints.all.end());
  }
}

VersionConstraints normalized(VersionConstraints c) {
  for (VersionConstraint& x : c.all) {
    if (x.op == VersionOp::Pessimistic && x.version.numbers.size() == 1) x.version.numbers.push_back(0);
  }
  std::stable_sort(c.all.begin(), c.all.end(), [](const VersionConstraint& a, const VersionConstraint& b) {
    const auto order = compare(a.version, b.version);
    return order != 0 ? order < 0 : op_order(a) < op_order(b);
  });
  c.all.erase(std::unique(c.all.begin(), c.all.end(),
                          [](const auto& a, const auto& b) { return a.text() == b.text(); }),
              c.all.end());
  return c;
}

bool allowed(const VersionConstraints& c, const Version& v) {
  if (!c.matches(v)) return false;
  // Of two builds of a version the one is meant that is named.
  if (std::any_of(c.all.begin(), c.all.end(), [&](const VersionConstraint& x) {
        return x.op == VersionOp::Equal && x.version.metadata != v.metadata;
      }))
    return false;
  if (v.prerelease.empty()) return true;
  return std::any_of(c.all.begin(), c.all.end(), [&](const VersionConstraint& x) {
    return x.op == VersionOp::Equal && compare(x.version, v) == 0;
  });
}

Requirements module_requirements(const config::Module& m, bool builtin) {
  Requirements out;
  auto add = [&](const ProviderAddr& p, const std::string& versions) {
    if (p.empty() || (p.is_builtin() && !builtin)) return;
    Requirement& r = out[p.text()];
    r.provider = p;
    if (auto parsed = parse_version_constraints(versions))  // reported where it is written otherwise
      r.constraints.all.insert(r.constraints.all.end(), parsed->all.begin(), parsed->all.end());
  };
  for (const config::RequiredProvider& r : m.required_providers) add(r.provider, r.version_constraint);
  for (const config::ProviderConfig& p : m.providers)
    add(config::provider_of(m, p.local_name), p.version_constraint);
  for (const config::Resource& r : m.resources) {
    add(config::provider_of(
            m, r.provider_ref ? r.provider_ref->local_name : config::implied_local_name(r.addr.type)),
        "");
  }
  for (const config::Import& i : m.imports) {
    if (i.provider_ref)
      add(config::provider_of(m, i.provider_ref->local_name), "");
    else if (i.to_static.resource && m.find_resource(*i.to_static.resource) < 0 &&
             i.to_static.module_steps.empty())
      add(config::provider_of(m, config::implied_local_name(i.to_static.resource->type)), "");
  }
  for (auto& [name, r] : out) r.constraints = normalized(std::move(r.constraints));
  return out;
}

Requirements requirements(const config::Config& c, const State* state) {
  Requirements out;
  for (const auto& m : c.modules) merge(out, module_requirements(*m));
  if (state) {
    for (const auto& [addr, r] : state->resources) {
      const ProviderAddr& p = r.provider.provider;
      if (p.empty() || p.is_builtin()) continue;
      out.try_emplace(p.text(), Requirement{p, {}});
    }
  }
  for (auto& [name, r] : out) r.constraints = normalized(std::move(r.constraints));
  return out;
}

}  // namespace xplan::install
