// Evaluates count, for_each and enabled of resources and module calls: the instances, unknown or sensitive
// values, limits, and the errors for values that cannot be used.
#include <fmt/format.h>
#include <algorithm>

#include "core/config/for_each.h"
#include "core/plan/world.h"

namespace xplan {
namespace {

bool may_be_unknown(const World& w) {
  return w.op == Operation::Validate || w.op == Operation::Eval || w.deferral_allowed;
}

bool room_for(World& w, size_t instances, Range where, Diagnostics& diags) {
  if (w.room_for(instances)) return true;
  if (!diags.has_errors())  // else most likely of the same block in another module instance
    diags.error("Too many instances",
                fmt::format("This adds {} instances. All resources and modules of a configuration together "
                            "can have at most {}.",
                            instances, kMaxInstances),
                where);
  return false;
}

Expanded expand_count(World& w, const eval::Scope& scope, const syntax::Expr& e, Diagnostics& diags) {
  Expanded out;
  out.kind = Expansion::Unknown;
  size_t before = diags.error_count();
  Value v = eval::evaluate(e, scope, diags);
  if (diags.error_count() != before) return out;
  auto bad = [&](std::string_view summary, std::string detail) {
    eval::describe_names(diags.error(summary, std::move(detail), e.range), e, scope);
  };
  if (v.has_mark(kEphemeral))
    return bad("Invalid count argument",
               "The count value is ephemeral. It can differ between plan and apply, so it cannot determine "
               "which instances exist."),
           out;
  if (v.is_null())
    return bad("Invalid count argument",
               "The count value is null. A whole number of zero or more is required."),
           out;
  if (v.is_unknown()) {
    if (!may_be_unknown(w))
      bad("Invalid count argument",
          "The count value depends on attributes that are only known after apply, so the number of instances "
          "cannot be determined. Use -target to first apply only what the count depends on, or "
          "-allow-deferral to defer these instances to a later plan.");
    return out;
  }
  ConversionError ce;
  auto n = convert(v.without_own_marks(), Type::number(), &ce);
  if (!n || n->is_null())
    return bad("Invalid count argument", fmt::format("The count value is not suitable: {}.", ce.text())), out;
  auto whole = n->as_number().exact_int64();
  if (!whole || *whole < 0)
    return bad("Invalid count argument", "The count value must be a whole number of zero or more."), out;
  if (!room_for(w, static_cast<size_t>(*whole), e.range, diags)) return out;
  out.kind = Expansion::Count;
  out.instances.resize(static_cast<size_t>(*whole));
  for (int64_t i = 0; i < *whole; ++i) out.instances[static_cast<size_t>(i)].key = InstanceKey::of(i);
  return out;
}

std::vector<Repetition> repetitions_of(const Value& v) {
  std::vector<Repetition> out;
  for (auto& [key, value] : config::for_each_elements(v)) out.push_back({key, std::move(value)});
  return out;
}

Expanded expand_for_each(World& w, const eval::Scope& scope, const syntax::Expr& e, Diagnostics& diags) {
  Expanded out;
  out.kind = Expansion::Unknown;
  size_t before = diags.error_count();
  Value v = eval::evaluate(e, scope, diags);
  if (diags.error_count() != before) return out;
  std::string problem = config::unsuitable_for_each(v);
  const bool unknown = config::for_each_unknown(v);
  if (problem.empty() && unknown && !may_be_unknown(w))
    problem = fmt::format(
        "The for_each {} depends on attributes that are only known after apply, so the instance keys "
        "cannot be determined. Use keys that are set in the configuration and put the unknown parts "
        "in the values, use -target to first apply what the keys depend on, or use -allow-deferral "
        "to defer these instances to a later plan.",
        v.type().is_map() || v.type().is_object() ? "map" : "set");
  if (!problem.empty())
    eval::describe_names(diags.error("Invalid for_each argument", std::move(problem), e.range), e, scope);
  else if (!unknown && room_for(w, v.length(), e.range, diags))
    out = {Expansion::ForEach, repetitions_of(v)};
  return out;
}

// Nothing after an error, and where the instance is deferred. Where values are not known yet, and while
// validating, it is: what it has is looked at.
std::optional<bool> is_enabled(const World& w, const eval::Scope& scope, const syntax::Expr& e,
                               Diagnostics& diags) {
  const size_t before = diags.error_count();
  const Value v = eval::evaluate_as(e, Type::boolean(), scope, diags);
  if (diags.error_count() != before) return std::nullopt;
  auto bad = [&](std::string_view detail) {
    eval::describe_names(
        diags.error("Invalid enabled argument", "The enabled value is " + std::string(detail), e.range), e,
        scope);
    return std::nullopt;
  };
  if (v.has_mark(kSensitive))
    return bad(
        "sensitive. Whether there is an instance would reveal it. Use nonsensitive() if it is not "
        "secret.");
  if (v.has_mark(kEphemeral))
    return bad(
        "ephemeral. It can differ between plan and apply, so it cannot determine whether there is an "
        "instance.");
  if (v.is_null()) return bad("null. Write true or false.");
  if (v.is_unknown() && !may_be_unknown(w))
    return bad(
        "only known after apply, so it cannot be determined whether there is an instance. Use -target "
        "to first apply only what the value depends on, or -allow-deferral to defer the instance to a later "
        "plan.");
  if (v.is_unknown() && w.op != Operation::Validate && w.op != Operation::Eval) return std::nullopt;
  return w.op == Operation::Validate || v.is_unknown() || v.is_true();
}

}  // namespace

Expanded expand(World& w, const eval::Scope& scope, const config::RepetitionArguments& of,
                Diagnostics& diags) {
  if (of.count) return expand_count(w, scope, *of.count, diags);
  if (of.for_each) return expand_for_each(w, scope, *of.for_each, diags);
  if (of.enabled) {
    const std::optional<bool> enabled = is_enabled(w, scope, *of.enabled, diags);
    if (!enabled) return {Expansion::Unknown, {}};
    if (!*enabled) return {Expansion::Single, {}};
  }
  if (!room_for(w, 1, of.block, diags)) return {Expansion::Unknown, {}};
  Expanded single;
  single.instances.emplace_back();
  return single;
}

}  // namespace xplan
