// The course of planning: moves, graph, selection, the walk with one visit per node (dispatch to plan_*.cc),
// and the report of cycles. Start here to follow a plan.
#include "core/plan/planner.h"

#include <fmt/format.h>

#include "core/config/moves_check.h"
#include "core/config/providers.h"
#include "core/plan/create_first.h"
#include "core/plan/moved_away.h"
#include "core/plan/moved_objects.h"
#include "core/plan/plan_deferred.h"
#include "core/plan/planner_impl.h"
#include "core/plan/stopper.h"
#include "core/schema/decode.h"

namespace xplan {
namespace planning {
namespace {

void report_cycles(const ConfigGraph& cg, Diagnostics& diags) {
  for (const auto& component : cg.graph.cycles()) {
    std::string names;
    constexpr size_t kShown = 10;
    for (size_t i = 0; i < component.size() && i < kShown; ++i)
      names += (i ? ", " : "") + cg.describe(component[i]);
    if (component.size() > kShown) names += " and " + std::to_string(component.size() - kShown) + " more";
    diags.error("Cycle",
                "These depend on each other, so none of them can be processed first: " + names + ".");
  }
}

}  // namespace

PlanRun::PlanRun(const config::Config& c, const State& p, const PlanOptions& o, ProviderFactory& f,
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
      selection(o.targets, o.excludes),
      force_replace(o.force_replace.begin(), o.force_replace.end()) {
  world.workspace = o.workspace;
  world.cwd = o.cwd;
  world.stop = o.stop;
  // What cannot be counted or configured yet is not a reason to keep what there is.
  world.deferral_allowed = o.deferral_allowed || survey;
  world.deferral_hidden = !o.deferral_allowed;
  world.register_functions(
      [&](eval::FunctionTable& t) {
        t.base_dir = ".", t.pure = true, t.plan_time = o.timestamp;
        t.file_reads = file_reads, t.call_results = call_results;
      },
      f, d);
}

Conditions Planner::conditions_of(NodeKind kind) const {
  if (run_.destroying() || (run_.survey && kind != NodeKind::VariableCheck)) return Conditions::Ignored;
  return run_.refresh_only() ? Conditions::Reported : Conditions::Binding;
}

// What a node takes over from those it depends on.
void Planner::inherit(uint32_t node) {
  NodeResult& out = run_.results[node];
  const bool is_resource = run_.cg.nodes[node].kind == NodeKind::Resource;
  for (uint32_t d : run_.cg.graph.dependencies(node)) {
    const NodeResult& other = run_.results[d];
    out.pending_upstream |= other.pending_upstream || run_.is_pending(d);
    // A provider that waits defers its resources itself: what it waits for is not a dependency of theirs.
    if (!run_.world.deferral_allowed || run_.cg.nodes[d].kind == NodeKind::Provider) continue;
    out.deferred_upstream |= other.deferred_upstream || other.incomplete;
    out.incomplete |= !is_resource && other.incomplete;
  }
}

size_t Planner::begin(uint32_t node) {
  if (!run_.selection.nodes[node]) return 0;
  inherit(node);
  if (run_.cg.nodes[node].kind == NodeKind::Resource) begin_resource(run_, imports_, node);
  return run_.results[node].pieces.size();
}

void Planner::part(uint32_t node, size_t i) {
  plan_piece(run_, node, run_.results[node].pieces[i]);
}

bool Planner::end(uint32_t node) {
  if (!run_.selection.nodes[node]) return true;
  const GraphNode& g = run_.cg.nodes[node];
  NodeResult& out = run_.results[node];
  if (g.kind == NodeKind::Resource)
    end_resource(run_, node);
  else if (g.kind == NodeKind::Provider)
    visit_provider(run_, node);
  else
    visit_named(run_.world, g, run_.options.variables, conditions_of(g.kind), out);
  if (g.kind == NodeKind::Expand) note_uncounted_calls(run_, node);
  out.done = !out.diags.has_errors();
  return out.done;
}

// Which resources are created before they are destroyed, and which a replace_triggered_by names.
void Planner::mark_lifecycles() {
  const ConfigGraph& cg = run_.cg;
  const std::vector<bool>& selected = run_.selection.nodes;
  run_.cbd.assign(cg.nodes.size(), false);
  run_.recorded_cbd = create_first(cg);
  run_.trigger_target.assign(cg.nodes.size(), false);
  std::vector<uint32_t> named;
  for (uint32_t n = 0; n < cg.nodes.size(); ++n) {
    if (cg.nodes[n].kind != NodeKind::Resource) continue;
    const config::Resource& r = run_.resource_of(n);
    run_.cbd[n] = r.create_before_destroy && (selected.empty() || selected[n]);
    for (const syntax::Expr* e : r.replace_triggered_by) {
      std::vector<const syntax::Traversal*> ts;
      syntax::collect_traversals(*e, ts);
      for (const auto* t : ts) cg.targets_of(cg.nodes[n].node, *t, named);
    }
  }
  for (uint32_t n : named) run_.trigger_target[n] = true;
  cg.graph.mark_dependencies(run_.cbd);
}

void Planner::build_graph() {
  ConfigGraph& cg = run_.cg;
  cg.build(run_.config, &run_.working, run_.destroying());
  for (const ProviderNode& p : cg.providers) require_configuration(p, run_.diags);
  imports_.connect(run_);
  cg.graph.freeze();
  run_.results.resize(cg.nodes.size());
  run_.providers.make_room();
  if (cg.graph.topological_order().size() != cg.nodes.size()) report_cycles(cg, run_.diags);
  if (!run_.destroying()) run_.selection.choose(cg, run_.working);
  mark_lifecycles();
  run_.leaving.look(run_);
  // Only objects record what they depend on.
  if (!run_.working.resources.empty() || imports_.any()) run_.dependencies = cg.resource_dependencies();
  if (run_.destroying()) select_for_destroy(run_);
}

bool Planner::refuse_undone_moves() {
  Diagnostics found;
  require_moved_away(run_.world, run_.cg, run_.selection, found);
  const bool undone = found.has_errors();
  if (undone) run_.abandoned = true;  // the moves were carried out
  run_.diags.append(std::move(found));
  return undone;
}

Plan Planner::plan() {
  run_.world.stopper = std::make_unique<Stopper>(run_.options.stop);
  config::validate_moves(run_.config, run_.options.sources, run_.diags);
  if (!run_.refresh_only()) config::validate_removals(run_.config, run_.options.sources, run_.diags);
  config::check_root_configurations(run_.config, run_.diags);
  Diagnostics blocked;  // moves, and those that contradict each other
  if (!run_.diags.has_errors()) {
    run_.moves = apply_moves(run_.config, run_.working, blocked);
    require_whole_moves(run_.moves, run_.selection, run_.diags);
  }
  if (!run_.moves.converted.empty() && !blocked.has_errors())
    report(run_, convert_moved_objects(run_.config, run_.moves, run_.working, run_.factory,
                                       run_.walk_options(), run_.world.stopper.get(), run_.diags));
  build_graph();
  run_.abandoned = run_.diags.has_errors() || blocked.has_errors();
  if (!run_.abandoned) {
    report(run_, walk(run_.cg.graph, run_.walk_options(), *this));
    run_.destroying() ? plan_destroy_all(run_) : plan_orphans(run_);
    if (!run_.destroying() && refuse_undone_moves()) blocked.clear();  // that is why they are
  }
  run_.diags.append(std::move(blocked));
  return finish(run_);
}

}  // namespace planning

Plan make_plan(const config::Config& config, const State& prev, const PlanOptions& options,
               ProviderFactory& providers, Diagnostics& diags) {
  if (options.mode == PlanMode::Destroy && options.refresh && !prev.empty())
    return planning::plan_destroy_refreshed(config, prev, options, providers, diags);
  return planning::Planner(config, prev, options, providers, diags).plan();
}

}  // namespace xplan
