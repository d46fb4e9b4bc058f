// Compares variables given when a saved plan is applied with those it was made with: an error, a warning or
// nothing, depending on where each value comes from; ephemeral ones must be given again.
#include <fmt/format.h>

#include "core/run/inputs.h"

namespace xplan::run {
namespace {

using config::InputValue;
using From = config::InputValue::From;

// Whether a value from there is meant for this very command, or for a whole shell session or directory.
enum class Meant : uint8_t { Surely, Perhaps, No };

Meant meant(From from, bool planned_default) {
  switch (from) {
    case From::Option:
    case From::Prompt:
      return Meant::Surely;
    case From::OptionFile:
      return planned_default ? Meant::Perhaps : Meant::Surely;
    case From::Environment:
      return planned_default ? Meant::No : Meant::Perhaps;
    case From::File:
    case From::AutoFile:
    case From::SavedPlan:
      return Meant::No;
  }
  return Meant::No;
}

bool same_value(const config::Variable& v, const Value& a, const Value& b) {
  Diagnostics ignored;
  auto value = [&](const Value& x) { return config::finalize_variable(v, x, {}, ignored).unmark_deep(); };
  return value(a).raw_equal(value(b));
}

void compare(const config::Variable& v, const PlanVariable& planned, const InputValue& now,
             Diagnostics& diags) {
  Meant how = meant(now.from, planned.from_default);
  if (how == Meant::No || same_value(v, planned.value, now.value)) return;
  const Range where = v.sensitive ? Range() : now.range;
  if (how == Meant::Surely)
    diags.error("Can't change variable when applying a saved plan",
                fmt::format("The value of the variable \"{}\" from {} differs from the one the plan was made "
                            "with. A saved plan is applied as it is; create a new plan to use other values.",
                            v.name.sv(), now.origin),
                where);
  else
    diags.warn(
        "Ignoring variable when applying a saved plan",
        fmt::format(
            "The value of the variable \"{}\" from {} differs from the one the plan was made with. A saved "
            "plan is applied as it is, so the value has no effect here. Create a new plan to use it.",
            v.name.sv(), now.origin),
        where);
}

void check_ephemeral(const config::Variable& v, bool was_set, bool is_set, Diagnostics& diags) {
  if (was_set && !is_set)
    diags.error("No value for required variable",
                fmt::format("The variable \"{0}\" is ephemeral, so its value is not part of the saved plan. "
                            "The plan was made with a value for it, which must be set again: -var '{0}=…'.",
                            v.name.sv()),
                v.range);
  else if (!was_set && is_set)
    diags.error("Ephemeral variable not set when planning",
                fmt::format("The variable \"{}\" has a value now, but had none when the plan was made. "
                            "Create a new plan with it.",
                            v.name.sv()),
                v.range);
}

}  // namespace

RootValues saved_plan_inputs(const Context& c, const config::Module& root, const Plan& plan,
                             const InputRequest& request, Diagnostics& diags) {
  config::InputValues given = given_inputs(c, root, request, diags), inputs;
  for (const PlanVariable& p : plan.variables) {
    int index = root.find_variable(p.name);
    if (index < 0 || p.ephemeral) continue;
    if (auto now = given.find(p.name); now != given.end())
      compare(root.variables[static_cast<size_t>(index)], p, now->second, diags);
    if (!p.from_default) inputs[p.name] = {p.value, {}, From::SavedPlan, "the saved plan"};
  }
  for (const config::Variable& v : root.variables) {
    if (!v.ephemeral) continue;
    bool was_set = false;
    for (const PlanVariable& p : plan.variables) was_set |= p.name == v.name && !p.from_default;
    auto now = given.find(v.name);
    check_ephemeral(v, was_set, now != given.end(), diags);
    if (now != given.end()) inputs[v.name] = now->second;
  }
  return config::finalize_inputs(root, inputs, diags);
}

}  // namespace xplan::run
