#include "core/plan/planner.h"

#include <fmt/format.h>

#include "core/config/moves_check.h"
#include "core/graph/walk.h"
#include "core/plan/planner_impl.h"
#include "core/plan/selection.h"
#include "core/plan/stopper.h"

namespace xplan {
namespace planning {
Planner::Planner(const config::Config& c, const State& p, const PlanOptions& o, ProviderFactory& f,
                 Diagnostics& d, Purpose purpose)
    : config(c),
      prev(p),
      options(o),
      survey(purpose == Purpose::Survey),
      factory(f),
      diags(d),
      hooks(o.hooks ? *o.hooks : no_hooks()),
      working(p),
      world(c, Operation::Plan) {
  world.workspace = o.workspace;
  world.cwd = o.cwd;
  // What cannot be counted or configured yet is no reason not to destroy what there is.
  world.deferral_allowed = o.deferral_allowed || survey;
  world.deferral_hidden = !o.deferral_allowed;
  world.register_functions(
      [&](eval::FunctionTable& t) { t.base_dir = ".", t.pure = true, t.plan_time = o.timestamp; }, f, d);
  force_replace.insert(o.force_replace.begin(), o.force_replace.end());
}

Provider* Planner::provider_for(const ProviderConfigAddr& a) const {
  auto it = cg.provider_by_addr.find(a);
  return it == cg.provider_by_addr.end() ? nullptr : providers[it->second].get();
}

bool Planner::selected(const AbsInstance& a) const {
  for (const Target& t : options.excludes)
    if (t.covers(a)) return false;
  return true;
}

void Planner::visit_resource(uint32_t node) {
  const GraphNode& g = cg.nodes[node];
  const config::Resource& r = g.node->module->resources[g.index];
  NodeResult& out = results[node];
  out.has_check = describe_check(g, out.check);
  if (options.mode == PlanMode::Destroy) return visit_resource_from_state(node);
  resolve_imports(node, out);
  const ProviderConfigAddr& paddr = g.node->resource_providers[g.index];
  Provider* provider = provider_for(paddr);
  if (!r.schema) return;  // reported while loading
  for (ModuleInst* m : world.of(g.node)) {
    ResourceSlot& slot = m->resources[g.index];
    slot.declared = m->addr.partial() && (r.count || r.for_each)
                        ? Expanded{Expansion::Unknown, {}}
                        : expand(world, ModuleScope(world, *m), r.count, r.for_each, out.diags);
    if (slot.declared.kind == Expansion::Unknown) {
      plan_uncounted(node, *m, r, provider, out);
      continue;
    }
    AbsResource abs{m->addr, r.addr};
    auto in_state = working.resources.find(abs);
    if (in_state != working.resources.end() && options.mode == PlanMode::Normal)
      in_state->second.provider = paddr;
    std::vector<Value> values;
    for (const Repetition& rep : slot.declared.instances) {
      AbsInstance addr{m->addr, r.addr, rep.key};
      InstanceState* state = nullptr;
      if (in_state != working.resources.end()) {
        auto it = in_state->second.instances.find(rep.key);
        if (it != in_state->second.instances.end()) state = &it->second;
      }
      InstanceJob job{node, m, &r, addr, &rep, state, provider, paddr, static_cast<bool>(cbd[node]), {}};
      Value v = Value::unknown(r.schema->block.implied_type());
      if (provider && selected(addr)) {
        size_t changes = out.changes.size(), objects = out.objects.size();
        v = unplannable(job, out)            ? plan_by_schema(job, out)
            : r.addr.mode == Mode::Data      ? plan_data(job, out)
            : r.addr.mode == Mode::Ephemeral ? plan_ephemeral(job, out)
                                             : plan_managed(job, out);
        if (world.deferral_allowed) set_aside(job, changes, objects, out);
      } else if (provider && state && state->current) {
        if (auto known = object_value(*state->current, addr, *r.schema, *provider, out.diags)) v = *known;
      }
      values.push_back(std::move(v));
    }
    if (options.mode == PlanMode::RefreshOnly && r.addr.mode == Mode::Managed && (r.count || r.for_each))
      refresh_all_instances(node, *m);
    else
      slot.fill(std::move(values));
    if (trigger_target[node]) {
      for (uint32_t i = 0; i < out.changes.size(); ++i)
        if (out.changes[i].deposed.empty()) out.index.emplace(out.changes[i].addr, i);
      for (uint32_t i = 0; i < out.deferred.size(); ++i)
        out.deferred_index.emplace(out.deferred[i].change.addr, i);
    }
  }
  for (const ResourceChange& c : out.changes) out.pending |= c.change.action != Action::NoOp;
  for (const auto& [addr, target] : out.imports) {
    const ModuleInst* m = world.find(addr.module);
    if (!left_alone(addr) && (!m || !m->resources[g.index].declared.index_of(addr.key)))
      out.diags.error(
          "Configuration for import target does not exist",
          fmt::format("{} is to be imported, but the configuration declares no such instance.", addr.text()),
          target.block->range);
  }
}

Conditions Planner::conditions_of(NodeKind kind) const {
  if (options.mode == PlanMode::Destroy || (survey && kind != NodeKind::VariableCheck))
    return Conditions::Ignored;
  return options.mode == PlanMode::RefreshOnly ? Conditions::Reported : Conditions::Binding;
}

bool Planner::visit(uint32_t node) {
  if (!included[node]) return true;
  const GraphNode& g = cg.nodes[node];
  NodeResult& out = results[node];
  if (world.deferral_allowed) inherit_deferral(node);
  if (g.kind == NodeKind::Resource)
    visit_resource(node);
  else if (g.kind == NodeKind::Provider)
    visit_provider(node);
  else
    visit_named(world, g, options.variables, conditions_of(g.kind), out);
  if (g.kind == NodeKind::Expand) note_uncounted_calls(node);
  out.done = !out.diags.has_errors();
  return out.done;
}

void Planner::report_cycles() {
  for (const auto& component : cg.graph.cycles()) {
    std::string names;
    for (uint32_t n : component) names += (names.empty() ? "" : ", ") + cg.describe(n);
    diags.error("Cycle", "These depend on each other, so none can be first: " + names + ".");
  }
}

Plan Planner::run() {
  Stopper stopper(options.stop);
  world.stopper = &stopper;
  config::validate_moves(config, diags);
  if (!diags.has_errors()) moves = apply_moves(config, working, diags);
  cg.build(config, &working);
  connect_imports();
  cg.graph.freeze();
  results.resize(cg.nodes.size());
  providers.resize(cg.providers.size());
  provider_waits.resize(cg.providers.size());
  if (cg.graph.topological_order().size() != cg.nodes.size()) report_cycles();
  if (options.mode != PlanMode::Destroy)
    included = selected_nodes(cg, working, options.targets, options.excludes);
  cbd.assign(cg.nodes.size(), false);
  trigger_target.assign(cg.nodes.size(), false);
  std::vector<uint32_t> named;
  for (uint32_t n = 0; n < cg.nodes.size(); ++n) {
    if (cg.nodes[n].kind != NodeKind::Resource) continue;
    const config::Resource& r = cg.nodes[n].node->module->resources[cg.nodes[n].index];
    cbd[n] = r.create_before_destroy && (included.empty() || included[n]);
    for (const syntax::Expr* e : r.replace_triggered_by) {
      std::vector<const syntax::Traversal*> ts;
      syntax::collect_traversals(*e, ts);
      for (const auto* t : ts) cg.targets_of(cg.nodes[n].node, *t, named);
    }
  }
  for (uint32_t n : named) trigger_target[n] = true;
  cg.graph.mark_dependencies(cbd);
  // Only objects record what they depend on.
  if (!working.resources.empty() || !imports_of.empty()) dependencies = cg.resource_dependencies();
  if (!diags.has_errors()) {
    if (options.mode == PlanMode::Destroy) {
      plan_destroy_all();
    } else {
      WalkOptions wo;
      wo.parallelism = options.parallelism;
      wo.stop = options.stop;
      bool complete = walk(
          cg.graph, wo, [this](uint32_t n) { return visit(n); }, [](uint32_t) {});
      if (!complete && options.stop && *options.stop)
        diags.error("Planning was interrupted",
                    "The run was stopped before the plan was complete. Nothing was changed.");
      plan_orphans();
    }
  }
  return finish();
}

}  // namespace planning

Plan make_plan(const config::Config& config, const State& prev, const PlanOptions& options,
               ProviderFactory& providers, Diagnostics& diags) {
  if (options.mode == PlanMode::Destroy && options.refresh && !prev.empty())
    return planning::plan_destroy_refreshed(config, prev, options, providers, diags);
  return planning::Planner(config, prev, options, providers, diags).run();
}

}  // namespace xplan
