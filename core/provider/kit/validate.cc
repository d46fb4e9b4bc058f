// Validates a configuration against declared fields (presence, provider-only, deprecated) and runs
// validators.
#include "core/provider/kit/validate.h"

#include <fmt/format.h>

#include "core/provider/kit/walk.h"

namespace xplan::kit {
namespace {

// What is not known yet may turn out to be null.
bool is_set(const Value& v) {
  return !v.is_null() && !v.is_unknown();
}

void check_presence(const Field& f, const Place& p, ProviderDiags& diags) {
  if (f.kind == Field::Kind::Block) return;
  std::string_view name = f.info.name.sv();
  if (f.info.required && p.plan.is_null())
    diags.push_back({Severity::Error, "Missing attribute value",
                     fmt::format("The attribute \"{}\" must be set.", name), p.path});
  if (f.info.computed && !f.info.optional && is_set(p.plan))
    diags.push_back(
        {Severity::Error, "Attribute cannot be set",
         fmt::format("The attribute \"{}\" is set by the provider. Remove it from the configuration.", name),
         p.path});
}

}  // namespace

void validate_fields(const Schema& s, const Value& config, ProviderDiags& diags) {
  // The configuration is walked in the plan's place, because that is what a walk goes through.
  walk_plan(s.fields, Value(), Value(), config, [&](const Field& f, Place& p) {
    check_presence(f, p, diags);
    if (p.plan.is_null() || p.plan.is_unknown()) return Next::Skip;
    // Engines warn of a deprecated attribute at most in words of their own, and not inside other attributes.
    if (f.kind != Field::Kind::Block && !f.info.deprecation_message.empty())
      diags.push_back({Severity::Warning, "Deprecated attribute", f.info.deprecation_message, p.path});
    ValidateRequest r{p.path, p.plan, config, p.parent};
    for (const Validator& v : f.validators) v.run(r, diags);
    return Next::Into;
  });
  const Path whole;
  if (config.is_null() || config.is_unknown()) return;
  for (const Validator& v : s.rules) v.run({whole, config, config, config}, diags);
}

}  // namespace xplan::kit
