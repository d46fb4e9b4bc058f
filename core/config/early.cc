// Evaluates sources and versions of modules, and finds the values of variables for it.
#include "core/config/early.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/config/dialect.h"
#include "core/config/inputs.h"
#include "core/config/version.h"

namespace xplan::config {
namespace {

// A string, or nothing after an error. Null: as if the argument was not there.
std::optional<std::string> early_string(const Expr& e, std::string_view argument, const StaticScope& scope,
                                        Diagnostics& diags) {
  const size_t errors = diags.error_count();
  const Value v = eval::evaluate_as(e, Type::string(), scope, diags);
  if (diags.error_count() != errors) return std::nullopt;
  const Value plain = v.unmark_deep();
  const std::string subject = "The argument " + in_quotes(argument);
  if (v.deep_marks() & (kSensitive | kEphemeral))
    diags.error("Invalid module source",
                subject +
                    " is derived from a sensitive or ephemeral value, but it is shown, and recorded as plain "
                    "text. Use a value that is not secret.",
                e.range);
  else if (!plain.is_known() && !scope.had_errors())
    diags.error("Invalid module source",
                subject + " has a value that is known only after apply, but modules are installed before.",
                e.range);
  else if (plain.is_known())
    return plain.is_null() ? std::string() : std::string(plain.as_string());
  return std::nullopt;
}

bool reported(const Diagnostic& d, const Diagnostics& to) {
  return std::any_of(to.all().begin(), to.all().end(), [&](const Diagnostic& o) {
    return o.subject == d.subject && o.summary == d.summary && o.detail == d.detail;
  });
}

}  // namespace

const VariableValues* Early::values(Diagnostics& diags) {
  if (!values_) {
    Diagnostics found;
    values_ = inputs_.variables ? inputs_.variables(root_, found) : finalize_inputs(root_, {}, found);
    // Warnings alone are told where the values are used for the plan.
    if (found.has_errors()) failure_ = std::move(found);
  }
  if (failure_.empty()) return &*values_;
  for (const Diagnostic& d : failure_.all())
    if (!reported(d, diags)) diags.add(d);
  return nullptr;
}

std::shared_ptr<const StaticScope> Early::scope(std::string_view what, std::string_view why,
                                                Workspace workspace) {
  StaticUse use;
  use.what = what, use.why = why;
  use.cwd = inputs_.cwd;
  use.workspace = workspace == Workspace::Known ? inputs_.workspace : "";
  use.stop = stop_;
  return std::make_shared<StaticScope>(
      &root_, [this](Diagnostics& diags) { return values(diags); }, std::move(use));
}

bool is_dynamic(const Expr& e) {
  if (!has_additions()) return false;
  Diagnostics ignored;
  (void)eval::evaluate_constant(e, ignored);
  return ignored.has_errors();
}

bool check_version(const ModuleCall& call, const ModuleFrom& from, Range version, Diagnostics& diags) {
  if (from.source.starts_with("./") || from.source.starts_with("../")) {
    diags.error("Invalid module source",
                "The argument \"version\" is only for modules from a registry. A module in a local "
                "directory has no versions to select from; remove the argument.",
                call.source_range);
    return true;
  }
  const Result<VersionConstraints> parsed = parse_version_constraints(from.version);
  if (!parsed)
    diags.error("Invalid version constraint",
                "This is not a valid version constraint: " + parsed.error().message + ".", version);
  return parsed.ok();
}

std::optional<ModuleFrom> source_of(const ModuleCall& call,
                                    const std::function<std::shared_ptr<const StaticScope>()>& scope,
                                    Diagnostics& diags) {
  if (call.unusable) return std::nullopt;
  ModuleFrom from{call.source, call.version};
  if (call.source_expr || call.version_expr) {
    const std::shared_ptr<const StaticScope> names = scope();
    if (!names) return std::nullopt;
    auto evaluate = [&](const Expr* e, std::string_view argument, std::string& to) {
      if (!e) return true;
      std::optional<std::string> text = early_string(*e, argument, *names, diags);
      if (text) to = std::move(*text);
      return text.has_value();
    };
    const bool source = evaluate(call.source_expr, "source", from.source);
    const bool version = evaluate(call.version_expr, "version", from.version);
    if (!source || !version) return std::nullopt;
    if (from.source.empty() && call.source_expr)
      diags.error("Invalid module source", "The source of a module cannot be empty.", call.source_range);
    if (!from.version.empty() && !from.source.empty() &&
        !check_version(call, from, call.version_expr ? call.version_expr->range : call.source_range, diags))
      return std::nullopt;
  }
  if (from.source.empty()) return std::nullopt;
  return from;
}

}  // namespace xplan::config
