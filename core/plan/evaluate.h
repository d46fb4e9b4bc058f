// Evaluation of the named values of a module instance: variables, locals, outputs, and of conditions.
//
// Who calls it: planner, validate, apply, console: one call per graph node visit.
// Contract: a problem leaves an unknown value behind, so that one run reports as much as it can.
// Thread-safety: as World: a node's slots are written by its own visit only. Cost: that of the expressions.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/plan/world.h"
#include "core/state/state.h"

namespace xplan {

// Values of the root module's variables: already converted and marked (config/inputs.h).
using RootValues = config::VariableValues;

Value evaluate_variable(const World& w, const ModuleInst& m, uint32_t index, const RootValues& root,
                        Diagnostics& diags);
// Runs the validation rules; adds one object to `check`.
void validate_variable(const World& w, const ModuleInst& m, uint32_t index, CheckResult& check,
                       Diagnostics& diags);
Value evaluate_local(const World& w, const ModuleInst& m, uint32_t index, Diagnostics& diags);
// What a failing condition means: nothing (it is not evaluated, or only looked at for mistakes in it), a
// warning, an error. In this order.
enum class Conditions : uint8_t { Ignored, Examined, Reported, Binding };
// Preconditions first, then the value. False: do not use the value.
bool evaluate_output(const World& w, const ModuleInst& m, uint32_t index, Conditions conditions,
                     CheckResult& check, Value& out, Diagnostics& diags);
// The address of a check block in results and messages: module.a["k"].check.NAME.
std::string check_address(const ModuleInstance& m, Symbol check);
void evaluate_check(const World& w, const ModuleInst& m, uint32_t index, Conditions conditions,
                    CheckResult& check, Diagnostics& diags);

// What kind of rule, for summaries.
enum class RuleKind : uint8_t { Precondition, Postcondition, OutputPrecondition, Assert, Validation, Test };
// Evaluates rules in order; failures are errors, or warnings when `failure` says so (assertions,
// refresh-only), and nothing at all where it is unset (validate looks for malformed rules only). Returns
// false if any failed or was in error. A failure is reported at `about`, where that is given, else at its
// condition.
bool evaluate_rules(const std::vector<config::CheckRule>& rules, RuleKind kind, const eval::Scope& scope,
                    std::optional<Severity> failure, CheckObject& object, Diagnostics& diags,
                    Range about = {});
// Takes out what was said of assertions that only applying decides, for whoever applies.
void forget_undecided(Diagnostics& diags);
CheckStatus combine(CheckStatus a, CheckStatus b);  // the worse: error, fail, unknown, pass

}  // namespace xplan
