// The validate walk: every expression is evaluated with unknown variables and unknown resources, so that what
// is wrong whatever the values are is found without a state.
#include "core/graph/walk.h"
#include "core/plan/ended_early.h"
#include "core/plan/node_visit.h"
#include "core/plan/objects.h"
#include "core/plan/plan_imports.h"
#include "core/plan/planner.h"
#include "core/plan/prevent_destroy.h"
#include "core/plan/provisioner_check.h"
#include "core/plan/secrets.h"
#include "core/schema/decode.h"

namespace xplan {
namespace {

void validate_resource(World& world, const GraphNode& g, Provider* provider, NamedResult& out) {
  const config::Resource& r = g.node->module->resources[g.index];
  if (!r.schema) return;
  const schema::Block& block = r.schema->block;
  for (ModuleInst* m : world.of(g.node)) {
    if (m != world.of(g.node).front() && world.stopping()) return world.report_stopped(*g.node, out.diags);
    ModuleScope plain(world, *m);
    ResourceSlot& slot = m->resources[g.index];
    (void)prevents_destroy(r, plain, false, out.diags);
    slot.declared = expand(world, plain, r.repetition(), out.diags);
    Value object = Value::unknown(block.implied_type());
    // Counted instances are looked at once, with unknown keys: what is wrong in one is wrong in all.
    Repetition any{{}, Value::unknown()};
    ModuleScope scope(world, *m, r.count || r.for_each ? &any : nullptr, &object);
    Value v = schema::decode(r.content, block, scope, out.diags);
    check_ephemeral(v, r, AbsInstance{m->addr, r.addr, {}}, out.diags);
    if (!out.diags.has_errors() && provider)
      add_provider_diags(provider->validate_resource(r.addr.mode, r.addr.type, v.unmark_deep()),
                         AbsInstance{m->addr, r.addr, {}}, &r, out.diags);
    hide_secrets(v, block, out.diags);
    CheckObject ignored;
    for (const auto* rules : {&r.preconditions, &r.postconditions})
      evaluate_rules(*rules, RuleKind::Precondition, scope, std::nullopt, ignored, out.diags);
    for (const config::Provisioner& p : r.provisioners)
      if (const schema::Block* s = config::provisioner_schema(p.type)) {
        schema::decode(p.body, *s, scope, out.diags);
        check_provisioner(p, scope, out.diags);
      }
    if (!r.count && !r.for_each)
      slot.fill({r.addr.mode == Mode::Ephemeral ? object.with_marks(kEphemeral) : object});
  }
}

// What no values could make right: of all repetitions at once, with unknown keys.
void validate_imports(const World& world, Diagnostics& diags) {
  const Repetition any{{}, Value::unknown()};
  for (const config::Import& i : world.config.root->module->imports) {
    const syntax::Expr* given = i.id ? i.id : i.identity;
    if (!given) continue;
    const ModuleScope scope(world, *world.root(), i.for_each ? &any : nullptr);
    const size_t before = diags.error_count();
    const Value v =
        i.id ? eval::evaluate_as(*given, Type::string(), scope, diags) : eval::evaluate(*given, scope, diags);
    if (diags.error_count() == before) planning::check_imported(i, v, true, diags);
  }
}

}  // namespace

void validate(const config::Config& config, ProviderFactory& factory, AskProviders ask, int parallelism,
              const std::string& cwd, const std::atomic<bool>* stop, Diagnostics& diags) {
  World world(config, Operation::Validate);
  world.stop = stop;
  world.cwd = cwd;
  world.register_functions(
      [](eval::FunctionTable& t) { t.base_dir = ".", t.pure = true, t.plan_time = "1970-01-01T00:00:00Z"; },
      factory, diags, ask);
  ConfigGraph cg;
  cg.build(config, nullptr);
  cg.graph.freeze();
  std::vector<NamedResult> results(cg.nodes.size());
  std::vector<std::shared_ptr<Provider>> providers(cg.providers.size());
  const WalkOutcome walked = walk(cg.graph, {parallelism, stop}, [&](uint32_t n) {
    const GraphNode& g = cg.nodes[n];
    if (g.kind == NodeKind::Provider) {
      providers[g.index] = start_provider(world, cg.providers[g.index], factory, results[n].diags);
    } else if (g.kind == NodeKind::Resource) {
      const auto started = cg.provider_instances(g.node->resource_providers[g.index]);
      validate_resource(world, g, started.empty() ? nullptr : providers[started[0]].get(), results[n]);
    } else {
      visit_named(world, g, {}, Conditions::Examined, results[n]);
    }
    return true;  // a problem leaves an unknown value behind; what depends on it is checked all the same
  });
  report_ended_early(walked, "Validation failed", "", diags);
  for (NamedResult& r : results) diags.append(std::move(r.diags));
  if (!world.stopping()) validate_imports(world, diags);
  if (world.stopping())
    diags.error("Validation was interrupted",
                "The run was stopped before everything was checked. Nothing was changed.");
}

}  // namespace xplan
