// Making a plan: configuration, variables, state, then validation and planning, again if a provider's schema
// turned out to be outdated.
#include <fmt/format.h>

#include <utility>

#include "core/backend/configured.h"
#include "core/base/clock.h"
#include "core/base/command_line.h"
#include "core/base/log.h"
#include "core/config/deprecated.h"
#include "core/run/generated_config.h"
#include "core/run/last_apply.h"
#include "core/run/provider_names.h"
#include "core/run/run.h"
#include "core/run/verified.h"

namespace xplan::run {
namespace {

// As in plan JSON: the steps in their order.
std::string action_text(Action a) {
  const auto [first, second] = facts(a).json;
  return second.empty() ? std::string(first) : fmt::format("{}, then {}", first, second);
}

void log_plan(const Plan& plan) {
  if (!log_enabled(LogLevel::Debug)) return;
  if (log_enabled(LogLevel::Trace))
    for (const ResourceChange& c : plan.changes)
      log_line(LogLevel::Trace, "core",
               fmt::format("planned {}{}: action {}{}{}", c.addr.text(), c.deposed.empty() ? "" : " deposed ",
                           c.deposed, action_text(c.change.action),
                           c.reason == Reason::None ? "" : fmt::format(", {}", facts(c.reason).name)));
  Plan::Counts n = plan.counts();
  log_line(LogLevel::Debug, "core",
           fmt::format("plan made: {} to add, {} to change, {} to destroy, {} to import, {} to read{}", n.add,
                       n.change, n.destroy, n.import, n.read, plan.errored ? "; with errors" : ""));
}

}  // namespace

Attempt plan_once(const Context& c, const config::Config& config, const State& state, const PlanOptions& o,
                  Plan& plan, Diagnostics& diags) {
  auto outdated = [&] { return c.schemas.renew(config::Renew::Running); };
  Diagnostics wrong;
  validate(config, c.providers, AskProviders::No, o.parallelism, c.cwd, c.stop, wrong);
  if (wrong.has_errors()) {
    if (outdated()) return Attempt::Outdated;
    diags.append(std::move(wrong));
    return Attempt::Refused;
  }
  Diagnostics found;  // planning tells the warnings of validation itself
  config::warn_of_deprecated(config, found);
  plan = make_plan(config, state, o, c.providers, found);
  if (!plan.errored && !can_be_ordered(config, plan, c.providers, found))
    plan.errored = true, plan.applyable = plan.complete = false;
  if (plan.errored && outdated()) return Attempt::Outdated;
  diags.append(std::move(found));
  return plan.abandoned ? Attempt::Refused : Attempt::Planned;
}

namespace {

// Once more by the schemas that the providers have now, where those of before were outdated: what they found
// wrong is void as well.
bool plan_by_present_schemas(const Context& c, const PlanOptions& o, Planned& p, Diagnostics& diags) {
  if (p.generated)
    diags.warn("Generated configuration is experimental",
               "The generated configuration is a draft, and later versions may generate it differently. "
               "Review it and adapt it.");
  auto once = [&] { return plan_once(c, *p.config, p.state.state, o, p.plan, diags); };
  Attempt a = once();
  if (a == Attempt::Outdated) a = p.config.load() ? once() : Attempt::Refused;
  return a == Attempt::Planned;
}

// With the state open: generates configuration where that is wished for, and plans.
bool plan_state(const Context& c, const PlanRequest& request, PlanOptions& o, Planned& p,
                Diagnostics& diags) {
  std::vector<GeneratedConfig> generated = add_generated_config(c, request.generate_config_out, o, p, diags);
  p.generated = !generated.empty();
  if (request.trust_millis && !o.encryption->state()->encrypts())
    trust_recent(c, p.state.state, *request.trust_millis, o);
  for (const GeneratedConfig& g : generated) o.imported.emplace(g.addr, g.from);
  if (diags.has_errors() || p.config.problems().has_errors() || !plan_by_present_schemas(c, o, p, diags))
    return false;
  note_generated_config(generated, p.plan);
  compare_with_last_apply(c, p.state.state, p.plan);
  if (o.encryption->state()->encrypts())
    forget_verified(c);
  else if (!p.plan.errored)
    keep_verified(c, p.plan, o.refresh);
  log_plan(p.plan);
  return true;
}

bool plan(const Context& c, PlanRequest& request, FrontEnd& front, Planned& p, Diagnostics& diags) {
  PlanOptions& o = request.options;
  const bool loaded = check_generated_path(c, request.generate_config_out, diags) & p.config.load();
  // The backend comes first: init installs nothing without it.
  if (!loaded) return (void)backend::settings_in_use(*p.config, c.data_dir, diags), false;
  if (request.config_required)
    require_files(c, *p.config,
                  "Planning without a configuration would destroy everything in the state; to do that, use " +
                      own_command("destroy") + ".",
                  diags);
  if (diags.has_errors()) return false;
  Inputs inputs = read_inputs(c, *p.config->root->module, request.inputs, front, diags);
  if (diags.has_errors()) return false;
  p.variables = std::move(inputs.values);
  std::optional<crypt::Encryption> encryption =
      configured_encryption(c, p.config->root->module, p.variables, diags);
  if (!encryption) return false;
  p.state.encryption = std::move(*encryption);
  const std::shared_ptr<Hooks> hooks = front.begin(Step::Planning);
  const auto [settings, backend] = backend::configured(&*p.config, opening_of(c, p.state.encryption), diags);
  if (!backend || !open_state(c, request.state, *backend, request.operation, front, p.state, diags))
    return false;
  translate_providers(*p.config, p.state.state);
  if (log_enabled(LogLevel::Debug))
    log_line(LogLevel::Debug, "core",
             fmt::format("configuration loaded: {} modules; state read: serial {}, {} resources",
                         p.config->nodes.size(), p.state.state.serial, p.state.state.resources.size()));
  o.given_variables = std::move(inputs.given);
  o.variables = p.variables;
  o.timestamp = utc_now();
  o.workspace = c.workspace;
  o.sources = &c.sources;
  o.cwd = c.cwd;
  o.stop = c.stop;
  o.hooks = hooks.get();
  o.encryption = &p.state.encryption;
  const bool planned = plan_state(c, request, o, p, diags);
  p.plan.backend_type = settings.kind, p.plan.backend_config_json = settings.json();
  if (!planned) unlock_state(*p.state.store, front, diags);
  return planned;
}

}  // namespace

std::optional<Planned> plan(const Context& c, PlanRequest request, FrontEnd& front, Diagnostics& diags) {
  Planned p{Configuration(c), {}, {}, {}, false};
  const bool planned = plan(c, request, front, p, diags);
  diags.append(std::move(p.config.problems()));
  return planned ? std::optional(std::move(p)) : std::nullopt;
}

}  // namespace xplan::run
