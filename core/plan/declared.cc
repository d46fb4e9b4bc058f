// Compares addresses of the state with the expanded configuration: whether an instance is declared, whether
// that can be known yet, and if it is not declared, why (the reason that its deletion has in the plan).
#include "core/plan/declared.h"

namespace xplan::planning {
namespace {

struct Declaration {
  const config::Node* node;
  int index;  // in its module's resources; -1: not declared
};

Declaration declaration(const PlanRun& run, const ModuleInstance& module, const xplan::Resource& r) {
  const config::Node* n = run.config.find(module.module());
  return {n, n ? n->module->find_resource(r) : -1};
}

uint32_t node_of(const PlanRun& run, const Declaration& d) {
  return d.index < 0 ? UINT32_MAX
                     : run.cg.node_of(NodeKind::Resource, d.node, static_cast<uint32_t>(d.index));
}

}  // namespace

bool is_declared(const PlanRun& run, const AbsInstance& a) {
  const ModuleInst* m = run.world.find(a.module);
  const int index = m ? declaration(run, a.module, a.resource).index : -1;
  return index >= 0 && m->resources[static_cast<size_t>(index)].declared.index_of(a.key);
}

bool expansion_known(const PlanRun& run, const AbsResource& a) {
  const Declaration d = declaration(run, a.module, a.resource);
  for (const config::Node* n = d.node; n; n = n->parent) {
    const uint32_t call = run.cg.node_of(NodeKind::Expand, n, 0);
    if (!run.results[call].done && run.selection.nodes[call]) return false;
  }
  return d.index < 0 || run.results[node_of(run, d)].done || !run.selection.nodes[node_of(run, d)];
}

bool is_uncounted(const PlanRun& run, const AbsInstance& a) {
  if (!run.world.deferral_allowed || run.destroying()) return false;
  const ModuleInst* m = run.world.root();
  for (ModuleInstance step : a.module.chain()) {
    const config::Node* n = run.config.find(step.module());
    if (!n) return false;
    if (m->calls[static_cast<size_t>(n->call - n->parent->module->calls.data())].expanded.kind ==
        Expansion::Unknown)
      return true;
    m = run.world.find(step);
    if (!m) return false;
  }
  int index = m->node->module->find_resource(a.resource);
  return index >= 0 && m->resources[static_cast<size_t>(index)].declared.kind == Expansion::Unknown;
}

bool is_refreshed(const PlanRun& run, const AbsInstance& a) {
  const Declaration d = declaration(run, a.module, a.resource);
  return d.index >= 0 && run.world.find(a.module) && run.results[node_of(run, d)].all_refreshed;
}

bool orphan_selected(const PlanRun& run, const AbsInstance& a) {
  return run.selection.takes_undeclared(node_of(run, declaration(run, a.module, a.resource)), a);
}

Reason orphan_reason(const PlanRun& run, const AbsInstance& a) {
  const config::Resource* r = run.config.find(a.config());
  if (!r)
    return run.moves.previous.contains(a) ? Reason::DeleteBecauseNoMoveTarget
                                          : Reason::DeleteBecauseNoResourceConfig;
  const ModuleInst* m = run.world.find(a.module);
  if (!m) return Reason::DeleteBecauseNoModule;
  switch (a.key.kind) {
    case InstanceKey::Kind::None:
      if (r->enabled) return Reason::DeleteBecauseEnabledFalse;
      return r->count || r->for_each ? Reason::DeleteBecauseWrongRepetition : Reason::None;
    case InstanceKey::Kind::Int:
      return r->count ? Reason::DeleteBecauseCountIndex : Reason::DeleteBecauseWrongRepetition;
    case InstanceKey::Kind::String:
      return r->for_each ? Reason::DeleteBecauseEachKey : Reason::DeleteBecauseWrongRepetition;
    case InstanceKey::Kind::Unknown:  // never in a state
      break;
  }
  return Reason::None;
}

}  // namespace xplan::planning
