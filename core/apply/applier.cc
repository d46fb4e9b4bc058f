#include "core/apply/applier.h"

#include <fmt/format.h>
#include <algorithm>

#include "core/graph/walk.h"
#include "core/plan/objects.h"
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
      state(p.prior_state),
      world(c, Operation::Apply),
      slots(std::max(1, o.parallelism)) {
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
  NodeResult result;  // all in one record, because one may move to where another comes from
  if (!record(result, moved)) diags.append(std::move(result.diags));
}

bool Applier::visit(uint32_t node) {
  const GraphNode& g = cg.nodes[node];
  NodeResult& out = results[node];
  out.visited = true;
  if (node < included.size() && !included[node]) return out.done = true;
  switch (g.kind) {
    case NodeKind::Resource:
      visit_resource(node);
      break;
    case NodeKind::Provider: {
      bool wait = provider_waits[g.index] != 0;
      providers[g.index] = start_provider(world, cg.providers[g.index], factory, out.diags, &wait);
      provider_waits[g.index] = wait;
      break;
    }
    case NodeKind::Extra:
      visit_destroy(g.index, out);
      break;
    default:
      visit_named(world, g, options.variables,
                  plan.mode == PlanMode::Destroy ? Conditions::Ignored : Conditions::Binding, out);
  }
  out.done = !out.diags.has_errors();
  return out.done;
}

Value Applier::instance_value(uint32_t node, ModuleInst& m, const Repetition& rep, Diagnostics& d) {
  const GraphNode& g = cg.nodes[node];
  const config::Resource& r = m.node->module->resources[g.index];
  Value unknown = Value::unknown(r.schema->block.implied_type());
  const DeferredChange* put_off = plan.find_deferred(AbsInstance{m.addr, r.addr, rep.key});
  if (put_off && !put_off->change.change.after.is_null()) return put_off->change.change.after;
  // What is being destroyed changes under the hands of others: what there was before is what counts.
  const State& known = plan.mode == PlanMode::Destroy ? plan.prior_state : state;
  const InstanceState* s = known.find(AbsInstance{m.addr, r.addr, rep.key});
  if (!s || !s->current) return unknown;
  if (const ResourceChange* c = plan.find(AbsInstance{m.addr, r.addr, rep.key});
      c && c->change.action != Action::Forget)
    return c->change.action == Action::NoOp ? c->change.after : c->change.before;
  auto rs = known.resources.find(AbsResource{m.addr, r.addr});
  Provider* provider = provider_for(rs->second.provider);
  if (!provider) return unknown;
  auto v = object_value(*s->current, AbsInstance{m.addr, r.addr, rep.key}, *r.schema, *provider, d);
  return v ? *v : unknown;
}

void Applier::visit_resource(uint32_t node) {
  const GraphNode& g = cg.nodes[node];
  const config::Resource& r = g.node->module->resources[g.index];
  NodeResult& out = results[node];
  if (!r.schema) return;
  out.has_check = plan.mode == PlanMode::Normal && describe_check(g, out.check);
  const bool refresh_only = plan.mode == PlanMode::RefreshOnly && r.addr.mode == Mode::Managed;
  if (plan.mode == PlanMode::Destroy || (refresh_only && (r.count || r.for_each))) {
    for (ModuleInst* m : world.of(g.node)) {
      auto it = plan.prior_state.resources.find(AbsResource{m->addr, r.addr});
      HeldInstances in_state =
          held_instances(expansion_of(r), it == plan.prior_state.resources.end() ? nullptr : &it->second,
                         [&](const InstanceKey& key, const Object*) {
                           return instance_value(node, *m, {key, Value()}, out.diags);
                         });
      m->resources[g.index].fill(std::move(in_state.instances), std::move(in_state.values));
    }
    return;
  }
  struct Todo {
    Job job;
    Value* slot;
    NodeResult out;
  };
  std::vector<Todo> todo;
  std::vector<std::vector<Value>> found;  // by module instance
  for (ModuleInst* m : world.of(g.node)) {
    ResourceSlot& slot = m->resources[g.index];
    slot.declared = plan.find_deferred(AbsInstance{m->addr, r.addr, InstanceKey::unknown()})
                        ? Expanded{Expansion::Unknown, {}}
                        : expand(world, ModuleScope(world, *m), r.count, r.for_each, out.diags);
    if (slot.declared.kind == Expansion::Unknown) out.check.expanded = false;
    std::vector<Value>& values =
        found.emplace_back(slot.declared.instances.size(), Value::unknown(r.schema->block.implied_type()));
    for (size_t i = 0; i < values.size(); ++i) {
      const Repetition& rep = slot.declared.instances[i];
      AbsInstance addr{m->addr, r.addr, rep.key};
      const ResourceChange* c = plan.find(addr);
      Provider* provider = provider_for(g.node->resource_providers[g.index]);
      Job job{c, &r, m, &rep, provider, dependencies.at(node)};
      if (r.addr.mode == Mode::Ephemeral) {
        if (provider && !held[node]) values[i] = open_ephemeral(job, addr, out);
      } else if (c && provider && c->change.action != Action::NoOp && c->change.action != Action::Delete &&
                 c->change.action != Action::Forget) {
        todo.push_back({std::move(job), &values[i], {}});
      } else {
        values[i] = instance_value(node, *m, rep, out.diags);
        if (c && c->change.importing) ++out.imported;
        if (out.has_check && provider && !is_put_off(addr, out)) {
          conditions(r.preconditions, RuleKind::Precondition, job, addr, nullptr, out);
          conditions(r.postconditions, RuleKind::Postcondition, job, addr, &values[i], out);
        }
      }
    }
  }
  parallel_for(todo.size(), options.parallelism, [&](size_t i) {
    Todo& t = todo[i];
    if (stopping()) {
      fail(t.job.change->addr, "");
      return;
    }
    *t.slot = t.job.change->change.action == Action::Read ? read_data(t.job, t.out)
                                                          : create_or_update(t.job, t.out);
    t.out.visited = true;
  });
  for (size_t i = 0; i < found.size(); ++i) world.of(g.node)[i]->resources[g.index].fill(std::move(found[i]));
  bool halted = false;
  for (Todo& t : todo) {
    halted |= !t.out.visited;
    out.diags.append(std::move(t.out.diags));
    for (CheckObject& o : t.out.check.objects) out.check.objects.push_back(std::move(o));
    out.added += t.out.added, out.changed += t.out.changed, out.imported += t.out.imported;
  }
  if (halted)
    out.diags.error("execution halted",
                    fmt::format("The run was interrupted before all instances of {} were reached.",
                                ConfigResource{g.node->path, r.addr}.text()));
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
  WalkOptions wo;
  wo.parallelism = options.parallelism;
  wo.stop = options.stop;
  // Named values first: what they read is then the situation before this run's changes, whatever the threads
  // do.
  wo.light = [this](uint32_t n) {
    return cg.nodes[n].kind != NodeKind::Resource && cg.nodes[n].kind != NodeKind::Extra;
  };
  wo.blocks = [this](uint32_t from, uint32_t to) {
    // A resource and its own destroy node settle failures instance by instance.
    auto resource_of = [&](uint32_t n) {
      const GraphNode& g = cg.nodes[n];
      if (g.kind == NodeKind::Extra) return destroys[g.index].resource;
      return ConfigResource{g.node->path, g.node->module->resources[g.index].addr};
    };
    bool pair = (cg.nodes[from].kind == NodeKind::Extra && cg.nodes[to].kind == NodeKind::Resource) ||
                (cg.nodes[from].kind == NodeKind::Resource && cg.nodes[to].kind == NodeKind::Extra);
    return !pair || !(resource_of(from) == resource_of(to));
  };
  std::unordered_map<ConfigResource, std::vector<const ResourceChange*>> makes_of;
  for (const ResourceChange& c : plan.changes)
    if (c.change.action != Action::NoOp && c.change.action != Action::Delete &&
        c.change.action != Action::Forget && c.deposed.empty())
      makes_of[c.addr.config()].push_back(&c);
  auto planned_at = [&](uint32_t n, auto&& f) {
    const GraphNode& g = cg.nodes[n];
    if (g.kind == NodeKind::Extra) {
      for (const ResourceChange* c : destroys[g.index].changes)
        if (!is_replace(c->change.action)) f(*c);
    } else if (g.kind == NodeKind::Resource) {
      auto it = makes_of.find({g.node->path, g.node->module->resources[g.index].addr});
      if (it != makes_of.end())
        for (const ResourceChange* c : it->second) f(*c);
    }
  };
  std::vector<uint32_t> skipped_nodes;
  bool complete = walk(
      cg.graph, wo, [this](uint32_t n) { return visit(n); }, [&](uint32_t n) { skipped_nodes.push_back(n); });
  if (!complete && stopping())
    for (uint32_t n = 0; n < results.size(); ++n)
      if (!results[n].visited) skipped_nodes.push_back(n);
  std::sort(skipped_nodes.begin(), skipped_nodes.end());
  skipped_nodes.erase(std::unique(skipped_nodes.begin(), skipped_nodes.end()), skipped_nodes.end());
  for (uint32_t n : skipped_nodes)
    planned_at(n, [&](const ResourceChange& c) {
      out.skipped.push_back(c.addr.text() + (c.deposed.empty() ? "" : " (deposed object " + c.deposed + ")"));
    });
  std::sort(out.skipped.begin(), out.skipped.end());
  if (!complete && stopping() && !skipped_nodes.empty())
    diags.error(
        "execution halted",
        "The run was interrupted. What had been started was finished and recorded; the rest was not begun.");
  opened.close_all(hooks, diags);
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
