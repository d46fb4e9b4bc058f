// Evaluates the keys in references to provider configurations with for_each.
#include "core/plan/provider_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/command_line.h"

namespace xplan {
namespace {

using ProviderInstances = std::vector<std::pair<InstanceKey, Value>>;

struct ProviderBlock {
  const config::ProviderConfig* config = nullptr;  // null: there is none
  const ProviderInstances* instances = nullptr;    // null: it has no for_each
};

ProviderBlock block_at(const config::Config& c, const ProviderConfigAddr& a) {
  const config::Node* n = c.find(a.module);
  if (!n) return {};
  const std::vector<config::ProviderConfig>& all = n->module->providers;
  const auto it = std::find_if(all.begin(), all.end(), [&](const config::ProviderConfig& p) {
    return p.provider == a.provider && p.alias == a.alias;
  });
  if (it == all.end()) return {};
  if (!it->for_each) return {&*it, nullptr};
  const auto i = static_cast<size_t>(it - all.begin());
  if (i >= n->provider_instances.size()) return {};  // reported while loading
  return {&*it, &n->provider_instances[i]};
}

bool has_instance(const ProviderInstances& all, const InstanceKey& key) {
  return std::any_of(all.begin(), all.end(), [&](const auto& i) { return i.first == key; });
}

std::string list_of_keys(const ProviderInstances& all) {
  constexpr size_t kShown = 10;
  if (all.empty()) return "It has no instances.";
  std::string out;
  for (size_t i = 0; i < all.size() && i < kShown; ++i) out += "\n  - " + all[i].first.text();
  if (all.size() > kShown) out += fmt::format("\n  … and {} more", all.size() - kShown);
  return "Its instances are:" + out;
}

// The key; nothing after an error.
std::optional<InstanceKey> key_of(const config::ProviderRef& ref, const ModuleScope& scope,
                                  Diagnostics& diags) {
  if (!ref.key) return ref.fixed_key;
  const size_t errors = diags.error_count();
  const Value v = eval::evaluate_as(*ref.key, Type::string(), scope, diags);
  if (diags.error_count() != errors) return std::nullopt;
  const std::string_view wrong = v.deep_marks() ? "is sensitive or ephemeral"
                                 : v.is_null()  ? "is null"
                                 : v.is_known() ? ""
                                                : "is only known after apply";
  if (wrong.empty()) return InstanceKey::of(Symbol(v.as_string()));
  eval::describe_names(
      diags.error("Invalid provider instance key",
                  fmt::format("The key {}, so it cannot be decided which instance of the provider "
                              "configuration to use. Use a key that is set in the configuration.",
                              wrong),
                  ref.key->range),
      *ref.key, scope);
  return std::nullopt;
}

}  // namespace

std::optional<ProviderConfigAddr> chosen_provider(const World& w, const ModuleInst& m, uint32_t resource,
                                                  const Repetition* repetition, Diagnostics& diags) {
  ProviderConfigAddr out = m.node->resource_providers[resource];
  const config::ProviderRef* ref = m.node->chosen_by(resource);
  if (!ref) return out;
  const config::Node* at = m.node->provider_choices[resource].at;
  const ModuleInst* called = &m;
  while (at && called->node != at) called = called->parent;
  const ModuleScope scope =
      at ? ModuleScope(w, *called->parent, &called->repetition) : ModuleScope(w, m, repetition);
  const std::optional<InstanceKey> key = key_of(*ref, scope, diags);
  if (!key) return std::nullopt;
  out.key = *key;
  const ProviderInstances* all = block_at(w.config, out).instances;
  if (!all) return std::nullopt;  // reported while loading
  if (has_instance(*all, out.key)) return out;
  diags.error("Provider instance not present",
              fmt::format("The provider configuration {} has no instance {}. {}", out.block().text(),
                          out.key.text(), list_of_keys(*all)),
              ref->range);
  return std::nullopt;
}

bool require_instance(const config::Config& c, const ProviderConfigAddr& a, const AbsInstance& user,
                      Diagnostics& diags) {
  const ProviderBlock block = block_at(c, a);
  if (!block.config) return true;  // reported where it is started
  if (block.instances ? has_instance(*block.instances, a.key) : a.key.none()) return true;
  const std::string detail =
      a.key.none()
          ? fmt::format(
                "{} was created without an instance of {}, which now has for_each, so it cannot be decided "
                "which instance to destroy it with. Keep the object in the configuration until an "
                "apply has recorded one for it, or remove it from the state with {}.",
                user.text(), a.text(), own_command("state rm"))
          : fmt::format(
                "{} must be destroyed with {}, which the configuration does not have, and no other "
                "provider configuration can be used for it. Keep the instance until the object is "
                "destroyed, or remove the object from the state with {}.",
                user.text(), a.text(), own_command("state rm"));
  const Range where = block.instances ? block.config->for_each->range : block.config->range;
  diags.error("Provider instance not present", detail, where).address = user.text();
  return false;
}

}  // namespace xplan
