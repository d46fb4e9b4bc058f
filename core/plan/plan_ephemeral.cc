// Plans ephemeral resources: they are opened while planning, where their configuration is known.
#include "core/plan/objects.h"
#include "core/plan/plan_run.h"
#include "core/plan/secrets.h"

namespace xplan::planning {
namespace {

// What the provider opened; nothing after an error.
std::optional<OpenEphemeralResponse> ask_open(const Subject& s, const Value& config, Hooks& hooks,
                                              Diagnostics& diags) {
  const size_t before = diags.error_count();
  hooks.ephemeral_start(s.addr, "open");
  OpenEphemeralResponse response = s.provider.open_ephemeral(s.addr.resource.type, config);
  add_provider_diags(response.diags, s.addr, s.resource, diags);
  if (diags.error_count() != before) {
    hooks.ephemeral_failed(s.addr, "open");
    return std::nullopt;
  }
  hooks.ephemeral_done(s.addr, "open");
  if (is_deferred(s, response.deferred, diags)) return response;
  Violations v = check_conforms(s.schema->block, response.result);
  if (response.result.is_null()) v.push_back({{}, "the result is null"});
  if (v.empty()) return response;
  add_violations("Provider produced invalid object", "when it opened", s.provider_addr, s.addr, v, diags);
  return std::nullopt;
}

}  // namespace

Value plan_ephemeral(PlanRun& run, const InstanceJob& j, InstanceResult& out) {
  const config::Resource& r = *j.resource;
  const Value unknown = j.unknown().with_marks(kEphemeral);
  if (!check_conditions(run, r.preconditions, RuleKind::Precondition, j, nullptr, out)) return unknown;
  const std::optional<InstanceConfig> config = evaluate_config(run, j, out.diags);
  if (!config || !config->value.is_wholly_known() || j.deferred_upstream || run.results[j.node].reads_pending)
    return unknown;
  std::optional<OpenEphemeralResponse> opened =
      ask_open(subject_of(run, j), config->value, run.hooks, out.diags);
  hide_secrets(config->marked, r.schema->block, out.diags);
  if (!opened) return unknown;
  if (opened->deferred != Deferral::None) {
    out.deferral = reason_of(opened->deferred);
    return unknown;
  }
  run.opened.push(j.node, j.addr, j.provider, *opened);
  const Value result = opened_value(opened->result, config->marks);
  check_conditions(run, r.postconditions, RuleKind::Postcondition, j, &result, out);
  return result;
}

}  // namespace xplan::planning
