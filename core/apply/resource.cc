// Nodes with parts: a resource's, its instances; a destroy node's, its objects. All parts run concurrently.

#include "core/apply/applier.h"
#include "core/plan/objects.h"
#include "core/plan/provider_choice.h"

namespace xplan::applying {

// Of an instance that this run does not change: what readers see of it.
Value Applier::unchanged_value(uint32_t node, ModuleInst& m, const Repetition& rep, Diagnostics& d) {
  const GraphNode& g = run_.cg.nodes[node];
  const config::Resource& r = m.node->module->resources[g.index];
  Value unknown = Value::unknown(r.schema->block.implied_type());
  const DeferredChange* deferred = run_.plan.find_deferred(AbsInstance{m.addr, r.addr, rep.key});
  if (deferred && !deferred->change.change.after.is_null()) return deferred->change.change.after;
  // What is being destroyed changes under the hands of others: what there was before is what counts.
  const State& known = run_.plan.mode == PlanMode::Destroy ? run_.plan.prior_state : run_.state;
  const InstanceState* s = known.find(AbsInstance{m.addr, r.addr, rep.key});
  if (!s || !s->current) return unknown;
  if (const ResourceChange* c = run_.plan.find(AbsInstance{m.addr, r.addr, rep.key});
      c && c->change.action != Action::Forget)
    return c->change.action == Action::NoOp ? c->change.after : c->change.before;
  Provider* provider = run_.any_provider_for(g.node->resource_providers[g.index]);
  if (!provider) return unknown;
  auto v = object_value(*s->current, AbsInstance{m.addr, r.addr, rep.key}, *r.schema, *provider, d);
  return v ? *v : unknown;
}

void Applier::begin_resource(uint32_t node) {
  const GraphNode& g = run_.cg.nodes[node];
  const config::Resource& r = g.node->module->resources[g.index];
  NodeResult& out = results_[node];
  if (!r.schema) return;
  out.has_check = run_.plan.mode == PlanMode::Normal && describe_check(g, out.check);
  const bool refresh_only = run_.plan.mode == PlanMode::RefreshOnly && r.addr.mode == Mode::Managed;
  const bool from_state = run_.plan.mode == PlanMode::Destroy || (refresh_only && (r.count || r.for_each));
  const Value unknown = Value::unknown(r.schema->block.implied_type());
  for (ModuleInst* m : run_.world.of(g.node)) {
    if (failures_.all_in(node, *m)) continue;
    Expanded& declared = m->resources[g.index].declared;
    if (from_state) {
      auto state_of = run_.plan.prior_state.resources.find(AbsResource{m->addr, r.addr});
      StateInstances found = state_instances(
          expansion_of(r), state_of == run_.plan.prior_state.resources.end() ? nullptr : &state_of->second);
      std::vector<Value> values(found.states.size(), unknown);
      out.fillings.push_back({m, std::move(values), std::move(found.instances)});
      continue;
    }
    declared = run_.plan.find_deferred(AbsInstance{m->addr, r.addr, InstanceKey::unknown()})
                   ? Expanded{Expansion::Unknown, {}}
                   : expand(run_.world, ModuleScope(run_.world, *m), r.repetition(), out.diags);
    if (declared.kind == Expansion::Unknown) out.check.expanded = false;
    Filling& f = out.fillings.emplace_back(Filling{m, {}});
    if (selection_.targeting && declared.kind != Expansion::Single)
      f.actual = present_instances(declared, [&](const InstanceKey& key) {
        const AbsInstance a{m->addr, r.addr, key};
        const InstanceState* s = run_.plan.prior_state.find(a);
        return selection_.takes(node, a) || (s && s->current);
      });
    f.values.assign(f.actual ? f.actual->instances.size() : declared.instances.size(), unknown);
  }
  for (Filling& f : out.fillings)
    for (uint32_t i = 0; i < f.values.size(); ++i)
      out.pieces.push_back({i, f.module, &f.instance(g.index, i), &f.values[i]});
}

void Applier::run_instance(uint32_t node, Piece& p) {
  const GraphNode& g = run_.cg.nodes[node];
  const config::Resource& r = g.node->module->resources[g.index];
  const Repetition& rep = *p.instance;
  if (failures_.keeps_back(node, *p.module, rep)) return keep_back(node, p);
  Value& value = *p.value;
  AbsInstance addr{p.module->addr, r.addr, rep.key};
  const ResourceChange* c = run_.plan.find(addr);
  const auto chosen =
      c ? std::optional(c->provider) : chosen_provider(run_.world, *p.module, g.index, &rep, p.out.diags);
  Provider* provider = chosen ? run_.factory.answering(addr, run_.provider_for(*chosen)) : nullptr;
  Job job{c, &r, p.module, &rep, provider, dependencies_.at(node), node};
  if (r.addr.mode == Mode::Ephemeral) {
    if (provider && !run_.deferrals.reads_deferred(node)) value = open_ephemeral(run_, job, addr, p.out);
  } else if (is_work(c) && provider) {
    value =
        c->change.action == Action::Read ? read_data(run_, job, p.out) : create_or_update(run_, job, p.out);
  } else {
    value = unchanged_value(node, *p.module, rep, p.out.diags);
    if (c) note_import(run_, *c, p.out);
    if (!results_[node].has_check || !provider || !selection_.takes(node, addr)) return;
    if (run_.plan.find_deferred(addr)) {
      p.out.checks.push_back({addr.text(), CheckStatus::Unknown, {}});
      return;
    }
    check_conditions(run_, RuleKind::Precondition, job, addr, nullptr, p.out);
    check_conditions(run_, RuleKind::Postcondition, job, addr, &value, p.out);
  }
}

// As if nothing had been planned: its value stays unknown, for nobody.
void Applier::keep_back(uint32_t node, Piece& p) {
  const GraphNode& g = run_.cg.nodes[node];
  const AbsInstance addr{p.module->addr, g.node->module->resources[g.index].addr, p.instance->key};
  p.out.kept_back = true;
  run_.recorder.fail(addr);
  if (results_[node].has_check && selection_.takes(node, addr))
    p.out.checks.push_back({addr.text(), CheckStatus::Unknown, {}});
}

bool Applier::end_resource(uint32_t node) {
  const GraphNode& g = run_.cg.nodes[node];
  NodeResult& out = results_[node];
  const bool known = !out.diags.has_errors();
  for (Piece& p : out.pieces) {
    const AbsInstance addr{p.module->addr, g.node->module->resources[g.index].addr, p.instance->key};
    const bool begun = p.out.reached && !p.out.kept_back;
    if (!begun || p.out.diags.has_errors() || run_.recorder.has_failed(addr))
      failures_.mark(node, addr, *p.module);
    if (const ResourceChange* c = begun ? nullptr : run_.plan.find(addr); is_work(c)) {
      out.halted |= !p.out.reached;
      out.not_begun.push_back(c);
    }
    out.diags.append(std::move(p.out.diags));
    std::move(p.out.checks.begin(), p.out.checks.end(), std::back_inserter(out.check.objects));
    static_cast<Counts&>(out) += p.out;
  }
  std::vector<Piece>().swap(out.pieces);
  for (Filling& f : std::exchange(out.fillings, {})) f.finish(g.index);
  return known;
}

void Applier::run_destroy(const Destroy& d, Piece& p) {
  const ResourceChange& c = *d.changes[p.index];
  if (c.change.action == Action::CreateThenDelete && run_.recorder.has_failed(c.addr))
    return;  // the old object is still needed
  destroy_object(run_, c, p.out);
}

void Applier::end_destroy(const Destroy& d, NodeResult& out) {
  for (Piece& p : out.pieces) {
    if (!p.out.reached) out.not_begun.push_back(d.changes[p.index]);
    out.diags.append(std::move(p.out.diags));
    static_cast<Counts&>(out) += p.out;
  }
  std::vector<Piece>().swap(out.pieces);
  out.halted = !out.not_begun.empty();
}

}  // namespace xplan::applying
