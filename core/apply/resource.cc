// A resource's node when applying: its instances are the node's parts, and run at once.
#include <fmt/format.h>

#include "core/apply/applier.h"
#include "core/plan/objects.h"

namespace xplan::applying {
bool is_work(const ResourceChange* c) {
  return c && c->change.action != Action::NoOp && c->change.action != Action::Delete &&
         c->change.action != Action::Forget;
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

void Applier::begin_resource(uint32_t node) {
  const GraphNode& g = cg.nodes[node];
  const config::Resource& r = g.node->module->resources[g.index];
  NodeResult& out = results[node];
  if (!r.schema) return;
  out.has_check = plan.mode == PlanMode::Normal && describe_check(g, out.check);
  const bool refresh_only = plan.mode == PlanMode::RefreshOnly && r.addr.mode == Mode::Managed;
  const bool from_state = plan.mode == PlanMode::Destroy || (refresh_only && (r.count || r.for_each));
  const Value unknown = Value::unknown(r.schema->block.implied_type());
  for (ModuleInst* m : world.of(g.node)) {
    Expanded& declared = m->resources[g.index].declared;
    if (from_state) {
      auto state_of = plan.prior_state.resources.find(AbsResource{m->addr, r.addr});
      HeldInstances held = held_instances(
          expansion_of(r), state_of == plan.prior_state.resources.end() ? nullptr : &state_of->second,
          [&](const InstanceKey&, const Object*) { return unknown; });
      out.fillings.push_back({m, std::move(held.values), std::move(held.instances)});
      continue;
    }
    declared = plan.find_deferred(AbsInstance{m->addr, r.addr, InstanceKey::unknown()})
                   ? Expanded{Expansion::Unknown, {}}
                   : expand(world, ModuleScope(world, *m), r.count, r.for_each, out.diags);
    if (declared.kind == Expansion::Unknown) out.check.expanded = false;
    out.fillings.push_back({m, std::vector(declared.instances.size(), unknown)});
  }
  for (Filling& f : out.fillings)
    for (uint32_t i = 0; i < f.values.size(); ++i)
      out.pieces.push_back({i, f.module, &f.instance(g.index, i), &f.values[i]});
}

void Applier::run_instance(uint32_t node, Piece& p) {
  const GraphNode& g = cg.nodes[node];
  const config::Resource& r = g.node->module->resources[g.index];
  const Repetition& rep = *p.instance;
  Value& value = *p.value;
  AbsInstance addr{p.module->addr, r.addr, rep.key};
  const ResourceChange* c = plan.find(addr);
  Provider* provider = provider_for(g.node->resource_providers[g.index]);
  Job job{c, &r, p.module, &rep, provider, dependencies.at(node), node};
  if (r.addr.mode == Mode::Ephemeral) {
    if (provider && !held[node]) value = open_ephemeral(job, addr, p.out);
  } else if (is_work(c) && provider) {
    value = c->change.action == Action::Read ? read_data(job, p.out) : create_or_update(job, p.out);
  } else {
    value = instance_value(node, *p.module, rep, p.out.diags);
    if (c) import(*c, p.out);
    if (!results[node].has_check || !provider) return;
    if (is_put_off(addr)) {
      p.out.checks.push_back({addr.text(), CheckStatus::Unknown, {}});
      return;
    }
    conditions(r.preconditions, RuleKind::Precondition, job, addr, nullptr, p.out);
    conditions(r.postconditions, RuleKind::Postcondition, job, addr, &value, p.out);
  }
}

void Applier::end_resource(uint32_t node) {
  const GraphNode& g = cg.nodes[node];
  NodeResult& out = results[node];
  bool halted = false;
  for (Piece& p : out.pieces) {
    const Resource& r = g.node->module->resources[g.index].addr;
    halted |= !p.out.reached && is_work(plan.find({p.module->addr, r, p.instance->key}));
    out.diags.append(std::move(p.out.diags));
    std::move(p.out.checks.begin(), p.out.checks.end(), std::back_inserter(out.check.objects));
    out.added += p.out.added, out.changed += p.out.changed, out.imported += p.out.imported;
  }
  std::vector<Piece>().swap(out.pieces);
  for (Filling& f : std::exchange(out.fillings, {})) f.finish(g.index);
  if (halted)
    out.diags.error("execution halted",
                    fmt::format("The run was interrupted before all instances of {} were reached.",
                                resource_at(node).text()));
}

}  // namespace xplan::applying
