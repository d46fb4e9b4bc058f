#include "core/apply/applier.h"

#include <fmt/format.h>
#include <algorithm>

#include "core/plan/stopper.h"

namespace xplan {
namespace applying {
Applier::Applier(const config::Config& c, const Plan& p, const ApplyOptions& o, ProviderFactory& f,
                 Diagnostics& d)
    : config(c),
      plan(p),
      options(o),
      factory(f),
      diags(d),
      hooks(o.hooks ? *o.hooks : no_hooks()),
      removed(c),
      state(p.prior_state),
      world(c, Operation::Apply) {
  world.workspace = p.workspace;
  world.cwd = o.cwd;
  world.applying = true;
  world.deferral_allowed = p.deferral_allowed;
}

Provider* Applier::provider_for(const ProviderConfigAddr& a) const {
  auto it = cg.provider_by_addr.find(a);
  return it == cg.provider_by_addr.end() ? nullptr : providers[it->second].get();
}

// Every instance that the walk will write to exists before it starts. Moves are journalled first: the file on
// disk still has the old addresses.
void Applier::prepare_state() {
  state.serial = plan.prev_run_state.serial;
  state.lineage = plan.prev_run_state.lineage;
  JournalRecord moved;
  moved.kind = JournalRecord::Kind::Move;
  for (const ResourceChange& c : plan.changes) {
    bool makes = c.change.action == Action::Create || c.change.action == Action::Update ||
                 c.change.action == Action::Read || is_replace(c.change.action);
    if (makes) state.ensure(c.addr, c.provider);
    if (makes && c.deposed.empty()) state.resources.at(c.addr.abs_resource()).provider = c.provider;
    if (c.moved()) moved.moves.emplace_back(c.prev_addr, c.addr);
  }
  for (const DeferredChange& d : plan.deferred)
    if (d.change.moved()) moved.moves.emplace_back(d.change.prev_addr, d.change.addr);
  if (moved.moves.empty()) return;
  InstanceResult result;  // all in one record, because one may move to where another comes from
  if (!record(result, moved)) diags.append(std::move(result.diags));
}

size_t Applier::begin(uint32_t node) {
  const GraphNode& g = cg.nodes[node];
  NodeResult& out = results[node];
  out.visited = true;
  if (node < included.size() && !included[node]) return 0;
  if (g.kind == NodeKind::Resource) begin_resource(node);
  if (g.kind == NodeKind::Extra)
    for (uint32_t i = 0; i < destroys[g.index].changes.size(); ++i) out.pieces.push_back({i});
  return out.pieces.size();
}

void Applier::part(uint32_t node, size_t i) {
  const GraphNode& g = cg.nodes[node];
  Piece& p = results[node].pieces[i];
  p.out.reached = true;
  try {
    g.kind == NodeKind::Extra ? run_destroy(destroys[g.index], p) : run_instance(node, p);
  } catch (const std::exception& e) {
    p.out.diags.error(
        "Operation ended early",
        fmt::format("The work on an instance of {} ended with an internal error ({}). If a provider "
                    "was changing its object, nothing is known of the outcome: compare the object "
                    "with the state before the next apply.",
                    resource_at(node).text(), e.what()));
    throw;  // nothing more is begun
  }
}

bool Applier::end(uint32_t node) {
  const GraphNode& g = cg.nodes[node];
  NodeResult& out = results[node];
  if (node < included.size() && !included[node]) return out.done = true;
  switch (g.kind) {
    case NodeKind::Resource:
      end_resource(node);
      break;
    case NodeKind::Extra:
      end_destroy(destroys[g.index], out);
      break;
    case NodeKind::Provider: {
      bool wait = provider_waits[g.index] != 0;
      providers[g.index] = start_provider(world, cg.providers[g.index], factory, out.diags, &wait);
      provider_waits[g.index] = wait;
      break;
    }
    default:
      visit_named(world, g, options.variables,
                  plan.mode == PlanMode::Destroy ? Conditions::Ignored : Conditions::Binding, out);
  }
  out.done = !out.diags.has_errors();
  return out.done;
}

// Named values first: what they read is then the situation before this run's changes, whatever the threads
// do. Configuring a provider may take long: only what needs it waits.
bool Applier::light(uint32_t n) {
  const NodeKind k = cg.nodes[n].kind;
  return k != NodeKind::Resource && k != NodeKind::Extra && k != NodeKind::Provider;
}

// A resource and its own destroy node settle failures instance by instance.
bool Applier::blocks(uint32_t from, uint32_t to) {
  const bool pair = (cg.nodes[from].kind == NodeKind::Extra && cg.nodes[to].kind == NodeKind::Resource) ||
                    (cg.nodes[from].kind == NodeKind::Resource && cg.nodes[to].kind == NodeKind::Extra);
  return !pair || !(resource_at(from) == resource_at(to));
}

ConfigResource Applier::resource_at(uint32_t n) const {
  const GraphNode& g = cg.nodes[n];
  if (g.kind == NodeKind::Extra) return destroys[g.index].resource;
  return {g.node->path, g.node->module->resources[g.index].addr};
}

// What was not begun, because what it depends on failed or the run was to end.
void Applier::report_unreached(const WalkOutcome& walked, ApplyOutcome& out) {
  const bool interrupted = !walked.complete && stopping();
  if (interrupted || !walked.exception.empty())
    for (uint32_t n = 0; n < results.size(); ++n)
      if (!results[n].visited) skipped_nodes.push_back(n);
  std::sort(skipped_nodes.begin(), skipped_nodes.end());
  skipped_nodes.erase(std::unique(skipped_nodes.begin(), skipped_nodes.end()), skipped_nodes.end());
  std::unordered_map<ConfigResource, std::vector<const ResourceChange*>> makes_of;
  for (const ResourceChange& c : plan.changes)
    if (is_work(&c) && c.deposed.empty()) makes_of[c.addr.config()].push_back(&c);
  auto skip = [&](const ResourceChange* c) {
    out.skipped.push_back(c->addr.text() +
                          (c->deposed.empty() ? "" : " (deposed object " + c->deposed + ")"));
  };
  for (uint32_t n : skipped_nodes) {
    const GraphNode& g = cg.nodes[n];
    if (g.kind == NodeKind::Extra) {
      for (const ResourceChange* c : destroys[g.index].changes)
        if (!is_replace(c->change.action)) skip(c);
    } else if (g.kind == NodeKind::Resource) {
      for (const ResourceChange* c : makes_of[resource_at(n)]) skip(c);
    }
  }
  std::sort(out.skipped.begin(), out.skipped.end());
  if (!walked.exception.empty())
    diags.error(
        "Apply ended early",
        fmt::format("The run ended with an internal error ({}). What had been started was finished and "
                    "recorded; the rest was not begun.",
                    walked.exception));
  else if (interrupted && !skipped_nodes.empty())
    diags.error(
        "execution halted",
        "The run was interrupted. What had been started was finished and recorded; the rest was not begun.");
}

ApplyOutcome Applier::run() {
  Stopper stopper(options.stop);
  world.stopper = &stopper;
  ApplyOutcome out;
  prepare_state();
  if (!find_order()) {
    out.state = std::move(state);
    return out;
  }
  world.register_functions(
      [&](eval::FunctionTable& t) { t.base_dir = ".", t.now = options.now, t.plan_time = plan.timestamp; },
      factory, diags);
  leave_out_unplanned();
  find_put_off_calls();
  find_held_nodes();
  results.resize(cg.nodes.size());
  providers.resize(cg.providers.size());
  dependencies = cg.resource_dependencies();
  const WalkOutcome walked = walk(cg.graph, {options.parallelism, options.stop}, *this);
  report_unreached(walked, out);
  opened.close_all(cg, options.parallelism, hooks, diags);
  collect(out);
  out.state = std::move(state);
  return out;
}

}  // namespace applying

ApplyOutcome apply_plan(const config::Config& config, const Plan& plan, const ApplyOptions& options,
                        ProviderFactory& factory, Diagnostics& diags) {
  return applying::Applier(config, plan, options, factory, diags).run();
}

bool can_be_ordered(const config::Config& config, const Plan& plan, ProviderFactory& factory,
                    Diagnostics& diags) {
  bool destroys = std::any_of(plan.changes.begin(), plan.changes.end(), [](const ResourceChange& c) {
    return c.change.action == Action::Delete || c.change.action == Action::Forget ||
           is_replace(c.change.action);
  });
  const ApplyOptions options;
  return !destroys || applying::Applier(config, plan, options, factory, diags).find_order();
}

}  // namespace xplan
