// Evaluates prevent_destroy, and refuses what it forbids.
#include "core/plan/prevent_destroy.h"

#include <fmt/format.h>

#include "core/base/command_line.h"
#include "core/config/dialect.h"

namespace xplan {

std::optional<bool> prevents_destroy(const config::Resource& r, const eval::Scope& scope,
                                     std::optional<bool> unknown, Diagnostics& diags) {
  if (!r.prevent_destroy_expr) return r.prevent_destroy;
  const syntax::Expr& e = *r.prevent_destroy_expr;
  const size_t errors = diags.error_count();
  const Value v = eval::evaluate_as(e, Type::boolean(), scope, diags);
  if (diags.error_count() != errors) return std::nullopt;
  auto bad = [&](std::string_view detail) {
    eval::describe_names(diags.error("Invalid prevent_destroy argument",
                                     "The prevent_destroy value is " + std::string(detail), e.range),
                         e, scope);
    return std::nullopt;
  };
  if (v.deep_marks() & kSensitive)
    return bad(
        "sensitive. Whether a destruction is refused would reveal it. Use nonsensitive() if it is not "
        "secret.");
  if (v.deep_marks() & kEphemeral)
    return bad("ephemeral. It can differ between plan and apply, so it cannot decide what may be destroyed.");
  if (v.is_unknown())
    return unknown ? unknown
                   : bad("only known after apply, so it cannot be decided whether this object may be "
                         "destroyed. Leave the object out of the plan with -exclude, or apply first what the "
                         "value depends on, with -target.");
  if (v.is_null()) return bad("null. Write true or false.");
  return v.unmark_deep().is_true();
}

namespace planning {
namespace {

// The reference has no -exclude.
const char* way_around() {
  return config::dialect() == config::Dialect::Terraform ? "limit the plan to other objects with -target"
                                                         : "leave the object out of the plan with -exclude";
}

}  // namespace

void check_prevent_destroy(const PlanRun& run, const config::Resource& r, const AbsInstance& a,
                           Destruction how, Diagnostics& diags) {
  if (!r.prevent_destroy && !r.prevent_destroy_expr) return;
  const ModuleInst* m = run.world.find(a.module);
  Diagnostics found;
  std::optional<bool> prevented = r.prevent_destroy;
  if (r.prevent_destroy_expr && !m)
    found.error(
        "Invalid prevent_destroy argument",
        fmt::format("{0} is no longer declared, so the values that prevent_destroy depends on do not "
                    "exist there. To destroy what it has, declare it again, run the following command, "
                    "and then remove it:\n  {1} destroy -target={2}\n\nTo keep the object, leave it out "
                    "of the plan with -exclude.",
                    a.module.text(), program_name(), shell_word(a.module.text())),
        r.prevent_destroy_expr->range);
  else if (r.prevent_destroy_expr)
    prevented = prevents_destroy(r, ModuleScope(run.world, *m), std::nullopt, found);
  if (!found.has_errors() && prevented.value_or(false))
    found.error(
        "Instance cannot be destroyed",
        fmt::format(
            fmt::runtime(
                how == Destruction::Alone
                    ? "{} has lifecycle.prevent_destroy set, but this plan would destroy it. Either "
                      "remove prevent_destroy, or {}."
                    : "{} has lifecycle.prevent_destroy set, but this plan would have to destroy it in "
                      "order to replace it. Remove prevent_destroy, make the change in a way that "
                      "requires no replacement, or {}."),
            a.text(), way_around()),
        r.prevent_destroy_range.valid() ? r.prevent_destroy_range : r.range);
  for (Diagnostic& d : found.mutable_all()) d.address = a.text();
  diags.append(std::move(found));
}

}  // namespace planning
}  // namespace xplan
