// The course of planning: moves, graph, selection, the walk with one visit per node (dispatch to plan_*.cc),
// and the report of cycles and stops. Start here to follow a plan.
#include "core/plan/planner.h"

#include <fmt/format.h>

#include "core/config/moves_check.h"
#include "core/config/providers.h"
#include "core/plan/planner_impl.h"
#include "core/plan/stopper.h"
#include "core/schema/decode.h"

namespace xplan {
namespace planning {
Planner::Planner(const config::Config& c, const State& p, const PlanOptions& o, ProviderFactory& f,
                 Diagnostics& d, Purpose purpose)
    : config(c),
      prev(p),
      options(o),
      survey(purpose == Purpose::Survey),
      removed(c),
      factory(f),
      diags(d),
      hooks(o.hooks ? *o.hooks : no_hooks()),
      working(p),
      world(c, Operation::Plan),
      selection(o.targets, o.excludes) {
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

Conditions Planner::conditions_of(NodeKind kind) const {
  if (options.mode == PlanMode::Destroy || (survey && kind != NodeKind::VariableCheck))
    return Conditions::Ignored;
  return options.mode == PlanMode::RefreshOnly ? Conditions::Reported : Conditions::Binding;
}

// What a node takes over from those it depends on.
void Planner::inherit(uint32_t node) {
  NodeResult& out = results[node];
  bool is_resource = cg.nodes[node].kind == NodeKind::Resource;
  for (uint32_t d : cg.graph.dependencies(node)) {
    out.pending_upstream |= results[d].pending_upstream || managed_pending(d);
    // A provider that waits defers its resources itself: what it waits for is not a dependency of theirs.
    if (!world.deferral_allowed || cg.nodes[d].kind == NodeKind::Provider) continue;
    out.deferred_upstream |= results[d].deferred_upstream || results[d].incomplete;
    out.incomplete |= !is_resource && results[d].incomplete;
  }
}

size_t Planner::begin(uint32_t node) {
  if (!selection.nodes[node]) return 0;
  inherit(node);
  if (cg.nodes[node].kind == NodeKind::Resource) begin_resource(node);
  return results[node].pieces.size();
}

void Planner::part(uint32_t node, size_t i) {
  plan_piece(node, results[node].pieces[i]);
}

bool Planner::end(uint32_t node) {
  if (!selection.nodes[node]) return true;
  const GraphNode& g = cg.nodes[node];
  NodeResult& out = results[node];
  if (g.kind == NodeKind::Resource)
    end_resource(node);
  else if (g.kind == NodeKind::Provider)
    visit_provider(node);
  else
    visit_named(world, g, options.variables, conditions_of(g.kind), out);
  if (g.kind == NodeKind::Expand) note_uncounted_calls(node);
  out.done = !out.diags.has_errors();
  return out.done;
}

void Planner::report(const WalkOutcome& walked) {
  if (!walked.exception.empty())
    diags.error(
        "Planning failed",
        fmt::format(
            "The run ended with an internal error ({}), so the plan is not complete. Nothing was changed. "
            "Unless the machine ran out of memory, this is a bug in xplan; please report it.",
            walked.exception));
  if (walked.complete || interrupted || !options.stop || !*options.stop) return;
  interrupted = true;
  diags.error("Planning was interrupted",
              "The run was stopped before the plan was complete. Nothing was changed.");
}

void Planner::report_cycles() {
  for (const auto& component : cg.graph.cycles()) {
    std::string names;
    for (uint32_t n : component) names += (names.empty() ? "" : ", ") + cg.describe(n);
    diags.error("Cycle",
                "These depend on each other, so none of them can be processed first: " + names + ".");
  }
}

// Which resources are created before they are destroyed, and which a replace_triggered_by names.
void Planner::mark_lifecycles() {
  cbd.assign(cg.nodes.size(), false);
  trigger_target.assign(cg.nodes.size(), false);
  std::vector<uint32_t> named;
  for (uint32_t n = 0; n < cg.nodes.size(); ++n) {
    if (cg.nodes[n].kind != NodeKind::Resource) continue;
    const config::Resource& r = cg.nodes[n].node->module->resources[cg.nodes[n].index];
    cbd[n] = r.create_before_destroy && (selection.nodes.empty() || selection.nodes[n]);
    for (const syntax::Expr* e : r.replace_triggered_by) {
      std::vector<const syntax::Traversal*> ts;
      syntax::collect_traversals(*e, ts);
      for (const auto* t : ts) cg.targets_of(cg.nodes[n].node, *t, named);
    }
  }
  for (uint32_t n : named) trigger_target[n] = true;
  cg.graph.mark_dependencies(cbd);
}

Plan Planner::run() {
  Stopper stopper(options.stop);
  world.stopper = &stopper;
  config::validate_moves(config, diags);
  config::check_root_configurations(config, diags);
  if (!diags.has_errors()) moves = apply_moves(config, working, diags);
  cg.build(config, &working, options.mode == PlanMode::Destroy);
  for (const ProviderNode& p : cg.providers) require_configuration(p, diags);
  connect_imports();
  cg.graph.freeze();
  results.resize(cg.nodes.size());
  providers.resize(cg.providers.size());
  provider_waits.resize(cg.providers.size());
  if (cg.graph.topological_order().size() != cg.nodes.size()) report_cycles();
  if (options.mode != PlanMode::Destroy) selection.choose(cg, working);
  mark_lifecycles();
  // Only objects record what they depend on.
  if (!working.resources.empty() || !imports_of.empty()) dependencies = cg.resource_dependencies();
  abandoned = diags.has_errors();
  if (!abandoned) {
    if (options.mode == PlanMode::Destroy) {
      plan_destroy_all();
    } else {
      report(walk(cg.graph, walk_options(), *this));
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
