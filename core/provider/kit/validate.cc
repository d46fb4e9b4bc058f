// Validates a configuration against declared fields (presence, provider-only, deprecated) and runs
// validators; the ready validators for provider authors.
#include "core/provider/kit/validate.h"

#include <fmt/format.h>
#include <algorithm>

#include "core/provider/kit/walk.h"

namespace xplan::kit {
namespace {

void fail(ProviderDiags& diags, const ValidateRequest& r, std::string detail) {
  diags.push_back({Severity::Error, "Invalid attribute value", std::move(detail), r.path});
}

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
    ValidateRequest r{p.path, p.plan, config};
    for (const Validator& v : f.validators) v.run(r, diags);
    return Next::Into;
  });
}

Validator one_of(std::vector<std::string> texts) {
  std::string list = fmt::format("\"{}\"", fmt::join(texts, "\", \""));
  return {
      "One of " + list + ".",
      [texts = std::move(texts), list](const ValidateRequest& r, ProviderDiags& diags) {
        if (r.value.is_string() && std::find(texts.begin(), texts.end(), r.value.as_string()) == texts.end())
          fail(diags, r, fmt::format("The value \"{}\" is not one of {}.", r.value.as_string(), list));
      }};
}

Validator length_between(size_t min, size_t max) {
  return {fmt::format("Of length {} to {}.", min, max),
          [min, max](const ValidateRequest& r, ProviderDiags& diags) {
            if (!r.value.is_string() && r.value.kind() < Kind::Seq) return;
            size_t n = r.value.is_string() ? r.value.as_string().size() : r.value.length();
            if (n < min || n > max)
              fail(diags, r, fmt::format("The length must be between {} and {}, but it is {}.", min, max, n));
          }};
}

Validator number_between(int64_t min, int64_t max) {
  return {fmt::format("Between {} and {}.", min, max),
          [min, max](const ValidateRequest& r, ProviderDiags& diags) {
            if (!r.value.is_number()) return;
            Number n = r.value.as_number();
            if (n < Number(min) || n > Number(max))
              fail(diags, r,
                   fmt::format("The value must be between {} and {}, but it is {}.", min, max, n.text()));
          }};
}

Validator validator(std::string description,
                    std::function<void(const ValidateRequest&, ProviderDiags&)> run) {
  return {std::move(description), std::move(run)};
}

Validator conflicts_with(std::vector<std::string> names) {
  return {fmt::format("Cannot be used together with {}.", fmt::join(names, ", ")),
          [names](const ValidateRequest& r, ProviderDiags& diags) {
            for (const std::string& name : names)
              if (is_set(attribute_of(r.config, Symbol(name))))
                diags.push_back({Severity::Error, "Conflicting attributes",
                                 fmt::format("This attribute cannot be set together with \"{}\".", name),
                                 r.path});
          }};
}

}  // namespace xplan::kit
