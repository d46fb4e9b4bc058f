// What planning instances begins and ends with, whatever their mode: scope, conditions, configuration,
// change.
#include "core/plan/ignore_changes.h"
#include "core/plan/objects.h"
#include "core/plan/plan_run.h"
#include "core/plan/secrets.h"
#include "core/schema/decode.h"

namespace xplan::planning {

ModuleScope scope_of(const PlanRun& run, const InstanceJob& j, const Value* self) {
  return ModuleScope(run.world, *j.module, j.repetition, self);
}

Subject subject_of(const PlanRun& run, const InstanceJob& j) {
  return {.addr = j.addr,
          .schema = j.resource->schema,
          .provider = *j.provider,
          .provider_addr = j.provider_addr.provider,
          .resource = j.resource,
          .deferral_allowed = run.world.deferral_allowed,
          .encryption = run.options.encryption,
          .meta = [&run, &j](Diagnostics& diags) {
            return provider_meta(run.world, j.module, j.provider_addr.provider, *j.provider, diags);
          }};
}

ResourceChange change_of(const InstanceJob& j, Action action) {
  ResourceChange c;
  c.addr = c.prev_addr = j.addr;
  c.provider = j.provider_addr;
  c.schema = j.resource->schema;
  c.change.action = action;
  return c;
}

bool check_conditions(const PlanRun& run, const std::vector<config::CheckRule>& rules, RuleKind kind,
                      const InstanceJob& j, const Value* self, InstanceResult& out) {
  if (rules.empty() || run.survey) return true;
  if (out.checks.empty()) out.checks.push_back({j.addr.text(), CheckStatus::Pass, {}});
  const Severity failure = run.refresh_only() ? Severity::Warning : Severity::Error;
  return evaluate_rules(rules, kind, scope_of(run, j, self), failure, out.checks.back(), out.diags) ||
         run.refresh_only();
}

std::optional<InstanceConfig> evaluate_config(const PlanRun& run, const InstanceJob& j, Diagnostics& diags) {
  const config::Resource& r = *j.resource;
  const size_t before = diags.error_count();
  InstanceConfig c;
  c.marked = schema::decode(r.content, r.schema->block, scope_of(run, j), diags);
  if (diags.error_count() != before || !check_ephemeral(c.marked, r, j.addr, diags)) return std::nullopt;
  c.value = unmark_with_paths(c.marked, c.marks);
  add_provider_diags(j.provider->validate_resource(r.addr.mode, r.addr.type, c.value), j.addr, &r, diags);
  hide_secrets(c.marked, r.schema->block, diags);
  if (diags.error_count() != before) return std::nullopt;
  return c;
}

InstanceConfig effective_config(const config::Resource& r, const Value& prior, const InstanceConfig& own) {
  if (r.ignore == config::IgnoreKind::None || prior.is_null()) return own;
  InstanceConfig out;
  out.marked = apply_ignore_changes(r, prior, own.marked);
  out.value = unmark_with_paths(out.marked, out.marks);
  return out;
}

Value planned_value(const Value& planned, const std::vector<PathMarks>& marks, const schema::Block& block) {
  std::vector<PathMarks> kept;  // ephemeral values never leave the configuration
  for (const PathMarks& m : marks)
    if (m.marks & kSensitive) kept.push_back({m.path, kSensitive});
  return apply_marks(planned, kept, block);
}

void note_import(const ImportTarget& t, ResourceChange& c) {
  c.change.importing = true;
  c.change.import_id = t.id;
  c.change.import_identity = t.identity;
}

}  // namespace xplan::planning
