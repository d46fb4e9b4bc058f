// The walk of an apply: one visit per graph node (named values, providers, resources, destroy nodes), and the
// frame around it: starting state, order, providers, outcome. Start here to follow an apply.
#include "core/apply/applier.h"

#include <fmt/format.h>
#include <algorithm>
#include <new>
#include <stdexcept>

#include "core/plan/stopper.h"

namespace xplan {
namespace applying {

// Every instance that the walk will write to exists before it starts. Moves are journalled first: the file on
// disk still has the old addresses.
void Applier::prepare_state() {
  run_.state.serial = run_.plan.prev_run_state.serial;
  run_.state.lineage = run_.plan.prev_run_state.lineage;
  JournalRecord moved;
  moved.kind = JournalRecord::Kind::Move;
  for (const ResourceChange& c : run_.plan.changes) {
    bool makes = c.change.action == Action::Create || c.change.action == Action::Update ||
                 c.change.action == Action::Read || is_replace(c.change.action);
    if (makes) run_.state.ensure(c.addr, c.provider);
    if (c.moved()) moved.moves.emplace_back(c.prev_addr, c.addr);
  }
  for (const DeferredChange& d : run_.plan.deferred)
    if (d.change.moved()) moved.moves.emplace_back(d.change.prev_addr, d.change.addr);
  if (moved.moves.empty()) return;
  Diagnostics result;  // all in one record, because one may move to where another comes from
  if (!run_.recorder.record(moved, result)) diags_.append(std::move(result));
}

size_t Applier::begin(uint32_t node) {
  const GraphNode& g = run_.cg.nodes[node];
  NodeResult& out = results_[node];
  out.visited = true;
  if (is_left_out(node)) return 0;
  out.kept_back = failures_.reach(node);
  if (out.kept_back) return 0;
  if (g.kind == NodeKind::Resource) begin_resource(node);
  if (g.kind == NodeKind::Extra)
    for (uint32_t i = 0; i < order_.at(g.index).changes.size(); ++i) out.pieces.push_back({i});
  return out.pieces.size();
}

void Applier::part(uint32_t node, size_t i) {
  const GraphNode& g = run_.cg.nodes[node];
  Piece& p = results_[node].pieces[i];
  p.out.reached = true;
  try {
    g.kind == NodeKind::Extra ? run_destroy(order_.at(g.index), p) : run_instance(node, p);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    throw std::runtime_error(fmt::format("{}: {}", resource_at(node).text(), e.what()));
  }
  run_.note(p.out.diags);
}

bool Applier::end(uint32_t node) {
  const GraphNode& g = run_.cg.nodes[node];
  NodeResult& out = results_[node];
  if (is_left_out(node)) return out.done = true;
  if (out.kept_back) return false;
  bool whole = false;
  switch (g.kind) {
    case NodeKind::Resource:
      whole = end_resource(node);
      break;
    case NodeKind::Extra:
      end_destroy(order_.at(g.index), out);
      break;
    case NodeKind::Provider: {
      bool wait = run_.deferrals.is_unconfigured(g.index);
      run_.providers[g.index] =
          start_provider(run_.world, run_.cg.providers[g.index], run_.factory, out.diags, &wait);
      run_.deferrals.set_unconfigured(g.index, wait);
      break;
    }
    case NodeKind::Expand:
    case NodeKind::Barrier:
    case NodeKind::Variable:
    case NodeKind::VariableCheck:
    case NodeKind::Local:
    case NodeKind::Output:
    case NodeKind::Check:
    case NodeKind::ModuleDone:
      visit_named(run_.world, g, run_.options.variables,
                  run_.plan.mode == PlanMode::Destroy ? Conditions::Ignored : Conditions::Binding, out,
                  [&](const ModuleInst& m) { return failures_.all_in(node, m); });
  }
  const bool errors = out.diags.has_errors();
  out.done = !errors && !failures_.any(node);
  out.partly = failures_.any(node) && (!errors || whole);
  run_.note(out.diags);
  return out.done;
}

// Named values first: what they read is then the situation before this run's changes, whatever the threads
// do. Configuring a provider may take long: only what needs it waits.
bool Applier::light(uint32_t n) {
  const NodeKind k = run_.cg.nodes[n].kind;
  return is_gate(n) || (k != NodeKind::Resource && k != NodeKind::Extra && k != NodeKind::Provider);
}

// A resource and its own destroy node settle failures instance by instance; what reads something that failed
// in part finds out for itself.
bool Applier::blocks(uint32_t from, uint32_t to) {
  const NodeKind a = run_.cg.nodes[from].kind, b = run_.cg.nodes[to].kind;
  if (results_[from].partly && (b != NodeKind::Extra || order_.at(run_.cg.nodes[to].index).lenient))
    return false;
  const bool pair =
      (a == NodeKind::Extra && b == NodeKind::Resource) || (a == NodeKind::Resource && b == NodeKind::Extra);
  return !pair || !(resource_at(from) == resource_at(to));
}

// Where what is to be replaced was not destroyed, its successor is not made.
void Applier::skipped(uint32_t node) {
  if (is_gate(node)) return;
  skipped_nodes_.push_back(node);
  const GraphNode& g = run_.cg.nodes[node];
  if (g.kind != NodeKind::Extra || order_.at(g.index).create_first) return;
  for (const ResourceChange* c : order_.at(g.index).changes)
    if (is_replace(c->change.action)) run_.recorder.fail(c->addr);
}

bool Applier::is_gate(uint32_t n) const {
  const GraphNode& g = run_.cg.nodes[n];
  return g.kind == NodeKind::Extra && order_.at(g.index).is_gate();
}

ConfigResource Applier::resource_at(uint32_t n) const {
  const GraphNode& g = run_.cg.nodes[n];
  if (g.kind == NodeKind::Extra) return order_.at(g.index).resource;
  return {g.node->path, g.node->module->resources[g.index].addr};
}

bool Applier::find_order() {
  auto connect = [&](const Refused& refused) {
    run_.cg = ConfigGraph();
    run_.cg.build(run_.config, &run_.state, run_.plan.mode == PlanMode::Destroy);
    order_ = DestroyOrder();
    if (run_.plan.mode != PlanMode::RefreshOnly)
      order_.connect(run_.cg, run_.config, run_.plan, run_.state, refused);
    run_.cg.graph.freeze();
    return order_.has_wishes() ? run_.cg.graph.cycles() : Cycles();
  };
  Refused refused;
  Cycles found = connect(refused);
  for (Cycles* wish : {&refused.only_destroyed, &refused.dependents, &refused.after_destroyed}) {
    if (found.empty()) break;
    *wish = std::move(found);
    found = connect(refused);
  }
  return order_.check(run_.cg, diags_);
}

ApplyOutcome Applier::carry_out() {
  run_.world.stopper = std::make_unique<Stopper>(run_.options.stop);
  run_.world.stop = run_.options.stop;
  ApplyOutcome out;
  prepare_state();
  if (find_order()) {
    const auto call_results = std::make_shared<eval::CallResults>(run_.plan.call_results);
    run_.world.register_functions(
        [&](eval::FunctionTable& t) {
          t.base_dir = ".", t.now = run_.options.now, t.plan_time = run_.plan.timestamp;
          t.call_results = call_results;
        },
        run_.factory, diags_);
    included_ = included_nodes(run_.config, run_.plan, run_.state, selection_);
    run_.deferrals.find(run_.cg, run_.plan);
    results_.resize(run_.cg.nodes.size());
    failures_.prepare();
    run_.providers.resize(run_.cg.providers.size());
    dependencies_ = run_.cg.resource_dependencies();
    report_unreached(
        walk(run_.cg.graph,
             {run_.options.parallelism, run_.options.stop, &run_.recorder.pauses(), &run_.halted}, *this),
        out);
    run_.recorder.finish(diags_);
    run_.opened.close_all(run_.cg, run_.options.parallelism, run_.hooks, diags_);
    collect(out);
  }
  out.state = std::move(run_.state);
  return out;
}

}  // namespace applying

ApplyOutcome apply_plan(const config::Config& config, const Plan& plan, const ApplyOptions& options,
                        ProviderFactory& factory, Diagnostics& diags) {
  return applying::Applier(config, plan, options, factory, diags).carry_out();
}

bool can_be_ordered(const config::Config& config, const Plan& plan, ProviderFactory& factory,
                    Diagnostics& diags) {
  bool destroys = std::ranges::any_of(plan.changes, [](const ResourceChange& c) {
    return c.change.action == Action::Delete || c.change.action == Action::Forget ||
           is_replace(c.change.action);
  });
  const ApplyOptions options;
  return !destroys || applying::Applier(config, plan, options, factory, diags).find_order();
}

}  // namespace xplan
