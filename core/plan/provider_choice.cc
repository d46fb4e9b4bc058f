// Evaluates the keys in references to provider configurations with for_each.
#include "core/plan/provider_choice.h"

#include <fmt/format.h>

namespace xplan {
namespace {

const std::vector<std::pair<InstanceKey, Value>>* instances_of(const config::Config& c,
                                                               const ProviderConfigAddr& a) {
  const config::Node* n = c.find(a.module);
  for (size_t i = 0; n && i < n->provider_instances.size(); ++i) {
    const config::ProviderConfig& p = n->module->providers[i];
    if (p.for_each && p.provider == a.provider && p.alias == a.alias) return &n->provider_instances[i];
  }
  return nullptr;
}

std::string list_of_keys(const std::vector<std::pair<InstanceKey, Value>>& all) {
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
  const std::vector<std::pair<InstanceKey, Value>>* all = instances_of(w.config, out);
  if (!all) return std::nullopt;  // reported while loading
  for (const auto& [known, value] : *all)
    if (known == out.key) return out;
  diags.error("Provider instance not present",
              fmt::format("The provider configuration {} has no instance {}. {}", out.block().text(),
                          out.key.text(), list_of_keys(*all)),
              ref->range);
  return std::nullopt;
}

bool require_instance(const config::Config& c, const ProviderConfigAddr& a, const AbsInstance& user,
                      Diagnostics& diags) {
  const std::vector<std::pair<InstanceKey, Value>>* all = instances_of(c, a);
  if (!all) return true;  // whatever is wrong with it is reported where it is started
  for (const auto& [known, value] : *all)
    if (known == a.key) return true;
  const config::Node* n = c.find(a.module);
  Range block;
  for (const config::ProviderConfig& p : n->module->providers)
    if (p.provider == a.provider && p.alias == a.alias) block = p.for_each->range;
  diags
      .error(
          "Provider instance not present",
          fmt::format("{} was created with {}, which the configuration no longer has, and no other provider "
                      "configuration can be used to destroy it. Keep the instance until the object is "
                      "destroyed, or remove the object from the state.",
                      user.text(), a.text()),
          block)
      .address = user.text();
  return false;
}

}  // namespace xplan
