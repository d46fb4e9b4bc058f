// A resource's node: its instances are the node's parts, planned concurrently and merged in instance order.
#include <algorithm>
#include <utility>

#include "core/plan/declared.h"
#include "core/plan/objects.h"
#include "core/plan/plan_deferred.h"
#include "core/plan/planner_impl.h"
#include "core/plan/provider_choice.h"
#include "core/provider/timing/subject.h"

namespace xplan::planning {

namespace {

void expand_resource(PlanRun& run, uint32_t node, ModuleInst& m) {
  if (run.world.stopping() || run.world.overfull()) return;
  const config::Resource& r = run.resource_of(node);
  m.resources[run.cg.nodes[node].index].declared =
      m.addr.partial() && (r.count || r.for_each)
          ? Expanded{Expansion::Unknown, {}}
          : expand(run.world, ModuleScope(run.world, m), r.repetition(), run.results[node].diags);
}

// The instances of a resource in one module instance, as parts of its node.
class ModuleParts {
 public:
  ModuleParts(PlanRun& run, uint32_t node, ModuleInst& m)
      : run_(run), node_(node), module_(m), r_(run.resource_of(node)), out_(run.results[node]) {
    auto found = run.working.resources.find(AbsResource{m.addr, r_.addr});
    if (found != run.working.resources.end()) held_ = &*found;
  }
  void add();

 private:
  AbsInstance address(const InstanceKey& key) const { return {module_.addr, r_.addr, key}; }
  bool takes(const InstanceKey& key) const { return run_.selection.takes(node_, address(key)); }
  InstanceState* state_of(const InstanceKey& key) const;
  void record_provider();
  void add_declared(const std::vector<Repetition>& instances, std::vector<Value>& values);
  void add_undeclared();
  void add_deposed(const InstanceKey& key, InstanceState& s, const Repetition* repetition) {
    if (!run_.selection.takes_deposed(address(key))) return;
    for (const auto& [deposed, object] : s.deposed)
      out_.pieces.push_back({Piece::Kind::Deposed, &module_, key, nullptr, repetition, &s, &deposed});
  }

  PlanRun& run_;
  const uint32_t node_;
  ModuleInst& module_;
  const config::Resource& r_;
  NodeResult& out_;
  std::pair<const AbsResource, ResourceState>* held_ = nullptr;  // in the state; null: nothing is
};

InstanceState* ModuleParts::state_of(const InstanceKey& key) const {
  if (!held_) return nullptr;
  auto it = held_->second.instances.find(key);
  return it == held_->second.instances.end() ? nullptr : &it->second;
}

// The state records who works on it from here on.
void ModuleParts::record_provider() {
  auto& [addr, state] = *held_;
  const bool any = std::any_of(state.instances.begin(), state.instances.end(), [&](const auto& i) {
    const AbsInstance a = address(i.first);
    return is_declared(run_, a) ? takes(i.first) : orphan_selected(run_, a);
  });
  if (any) state.provider = provider_of(run_.config, addr, state);
}

void ModuleParts::add_declared(const std::vector<Repetition>& instances, std::vector<Value>& values) {
  for (size_t i = 0; i < instances.size() && !run_.world.stopping(); ++i) {
    const InstanceKey& key = instances[i].key;
    InstanceState* state = state_of(key);
    if (takes(key)) {
      if (state && r_.addr.mode == Mode::Managed) add_deposed(key, *state, &instances[i]);
      out_.pieces.push_back({Piece::Kind::Declared, &module_, key, &values[i], &instances[i], state});
    } else if (state && state->current) {
      out_.pieces.push_back({Piece::Kind::Known, &module_, key, &values[i], nullptr, state});
    }
  }
}

void ModuleParts::add_undeclared() {
  const Value unknown = Value::unknown(r_.schema->block.implied_type());
  for (auto& [key, state] : held_->second.instances) {
    const AbsInstance a = address(key);
    if (is_declared(run_, a) || is_uncounted(run_, a)) continue;
    const bool selected = orphan_selected(run_, a);
    if (selected) add_deposed(key, state, nullptr);
    if (state.current)
      out_.pieces.push_back({selected ? Piece::Kind::Undeclared : Piece::Kind::Known, &module_, key,
                             &out_.undeclared.emplace_back(unknown), nullptr, &state});
  }
}

void ModuleParts::add() {
  const Expanded& declared = module_.resources[run_.cg.nodes[node_].index].declared;
  if (declared.kind == Expansion::Unknown) {
    out_.check.expanded = false;
    if (!out_.diags.has_errors())
      out_.pieces.push_back({Piece::Kind::Uncounted, &module_, InstanceKey::unknown()});
    return;
  }
  Filling& f = out_.fillings.emplace_back(Filling{&module_, {}});
  if (run_.selection.targeting && declared.kind != Expansion::Single)
    f.actual = present_instances(declared, [&](const InstanceKey& key) {
      const InstanceState* s = state_of(key);
      return takes(key) || (s && s->current);
    });
  if (held_) record_provider();
  const std::vector<Repetition>& instances = f.actual ? f.actual->instances : declared.instances;
  f.values.assign(instances.size(), Value::unknown(r_.schema->block.implied_type()));
  if (out_.pieces.empty()) out_.pieces.reserve(instances.size());
  add_declared(instances, f.values);
  if (held_ && run_.refresh_only() && r_.addr.mode == Mode::Managed && (r_.count || r_.for_each))
    add_undeclared();
}

// Who works on the instance. What stands for any number of them has no key that could choose one: its
// provider is only asked about types. `records`: deposed objects are planned beside their instance, whose
// part alone notes it in the state.
void choose_provider(PlanRun& run, InstanceJob& j, bool records, Diagnostics& diags) {
  const GraphNode& g = run.cg.nodes[j.node];
  j.provider_addr = g.node->resource_providers[g.index];
  if (j.addr.partial()) {
    j.provider = run.factory.answering(j.addr, run.provider_at(j.node));
    return;
  }
  const auto chosen = chosen_provider(run.world, *j.module, g.index, j.repetition, diags);
  if (!chosen) return;
  j.provider_addr = *chosen;
  if (j.state && records) j.state->provider_key = chosen->key;
  j.provider = run.factory.answering(j.addr, run.providers.find(*chosen));
}

InstanceJob job_of(PlanRun& run, uint32_t node, Piece& p) {
  static const Repetition any{InstanceKey::unknown(), Value::unknown()};
  const config::Resource& r = run.resource_of(node);
  const NodeResult& of = run.results[node];
  InstanceJob j{.node = node,
                .module = p.module,
                .resource = &r,
                .addr = {p.module->addr, r.addr, p.key},
                .repetition = p.repetition ? p.repetition : &any,
                .state = p.state,
                .provider = nullptr,
                .provider_addr = {},
                .forced_cbd = run.cbd[node],
                .recorded_cbd = run.recorded_cbd[node],
                .deferred_upstream = of.deferred_upstream};
  choose_provider(run, j, p.kind != Piece::Kind::Deposed, p.out.diags);
  if (auto it = of.imports.find(j.addr); it != of.imports.end()) j.import = &it->second;
  return j;
}

Value plan_instance(PlanRun& run, const InstanceJob& j, InstanceResult& out) {
  if (!j.provider) return j.unknown();
  Value v = is_unplannable(run, j)                    ? plan_by_schema(run, j, out)
            : j.addr.resource.mode == Mode::Data      ? plan_data(run, j, out)
            : j.addr.resource.mode == Mode::Ephemeral ? plan_ephemeral(run, j, out)
                                                      : plan_managed(run, j, out);
  if (run.world.deferral_allowed) move_deferred(j.addr, &j, out);
  return v;
}

// The value of an instance as the state has it.
void take_value(const PlanRun& run, uint32_t node, Piece& p) {
  const config::Resource& r = run.resource_of(node);
  Provider* provider = run.provider_at(node);
  if (!provider) return;
  const AbsInstance a{p.module->addr, r.addr, p.key};
  if (auto v = object_value(*p.state->current, a, *r.schema, *provider, p.out.diags)) *p.value = *v;
}

// The provider of what is not declared.
ProviderConfigAddr recorded_provider(const PlanRun& run, const AbsInstance& a, const InstanceState& s) {
  const auto& [addr, r] = *run.working.resources.find(a.abs_resource());
  return provider_of(run.config, addr, r, s);
}

void plan_deposed_piece(PlanRun& run, uint32_t node, Piece& p) {
  if (!p.repetition) {
    const AbsInstance a{p.module->addr, run.resource_of(node).addr, p.key};
    plan_delete(run, a, *p.state, p.deposed, recorded_provider(run, a, *p.state), Reason::None, nullptr,
                p.out);
    return;
  }
  const InstanceJob j = job_of(run, node, p);
  if (j.provider && !is_unreachable(run, j)) plan_deposed(run, j, *p.deposed, p.out);
}

}  // namespace

void begin_resource(PlanRun& run, const Imports& imports, uint32_t node) {
  const config::Resource& r = run.resource_of(node);
  NodeResult& out = run.results[node];
  out.has_check = describe_check(run.cg.nodes[node], out.check);
  const bool destroy = run.destroying();
  if (!destroy) imports.resolve(run, node, out);
  if (!r.schema) return;  // reported while loading
  if (!destroy) find_fired(run, node);
  out.reads_pending = !destroy && r.addr.mode != Mode::Managed && reads_pending(run, node);
  const std::vector<ModuleInst*>& modules = run.world.of(run.cg.nodes[node].node);
  if (!destroy)
    for (ModuleInst* m : modules) expand_resource(run, node, *m);
  if (run.world.overfull()) return;  // there will be no plan
  for (ModuleInst* m : modules)
    if (!run.world.stopping()) destroy ? begin_from_state(run, node, *m) : ModuleParts(run, node, *m).add();
}

void plan_piece(PlanRun& run, uint32_t node, Piece& p) {
  const AbsInstance addr{p.module->addr, run.resource_of(node).addr, p.key};
  const CallSubject about(addr);
  switch (p.kind) {
    case Piece::Kind::Declared:
      *p.value = plan_instance(run, job_of(run, node, p), p.out);
      break;
    case Piece::Kind::Uncounted:
      if (InstanceJob j = job_of(run, node, p); j.provider) plan_uncounted(run, j, p.out);
      break;
    case Piece::Kind::Undeclared:
      plan_delete(run, addr, *p.state, nullptr, recorded_provider(run, addr, *p.state), Reason::None, nullptr,
                  p.out);
      if (p.state->current) take_value(run, node, p);
      break;
    case Piece::Kind::Deposed:
      plan_deposed_piece(run, node, p);
      break;
    case Piece::Kind::Known:
      take_value(run, node, p);
      break;
  }
}

void end_resource(PlanRun& run, uint32_t node) {
  const GraphNode& g = run.cg.nodes[node];
  const config::Resource& r = run.resource_of(node);
  NodeResult& out = run.results[node];
  if (run.world.stopping()) {  // there will be no plan
    for (Piece& p : out.pieces) out.diags.append(std::move(p.out.diags));
    return;
  }
  out.changes.reserve(out.pieces.size());
  for (Piece& p : out.pieces) {
    // Something before them kept its conditions from being evaluated.
    if (out.has_check && p.kind == Piece::Kind::Declared && p.out.checks.empty() && p.out.diags.has_errors())
      p.out.checks.push_back({AbsInstance{p.module->addr, r.addr, p.key}.text(), CheckStatus::Unknown, {}});
    InstanceResult one = std::move(p.out);  // and its memory goes with it
    merge(std::move(one), out);
  }
  for (const Piece& p : out.pieces)
    if (p.kind == Piece::Kind::Deposed) drop_if_gone(*p.state, *p.deposed);
  const bool from_state = run.refresh_only() && r.addr.mode == Mode::Managed && (r.count || r.for_each);
  ReadValues read;
  if (from_state)
    for (const Piece& p : out.pieces)
      if (p.state && p.value) read.emplace(p.state, p.value);
  for (Filling& f : out.fillings)
    from_state ? fill_from_state(run, node, *f.module, read) : f.finish(g.index);
  std::vector<Piece>().swap(out.pieces);
  out.fillings.clear();
  out.undeclared.clear();
  out.all_refreshed = from_state;
  if (!r.schema || run.destroying()) return;
  if (run.trigger_target[node]) {
    for (uint32_t i = 0; i < out.changes.size(); ++i)
      if (out.changes[i].deposed.empty()) out.index.emplace(out.changes[i].addr, i);
    for (uint32_t i = 0; i < out.deferred.size(); ++i)
      out.deferred_index.emplace(out.deferred[i].change.addr, i);
  }
  // Readers see the current objects only.
  out.pending = run.leaving.of(run, node);
  for (const ResourceChange& c : out.changes)
    out.pending |= c.deposed.empty() && c.change.action != Action::NoOp;
  refuse_undeclared_imports(run, node);
}

}  // namespace xplan::planning
