// What an apply leaves: the state with results of checks and outputs, the counts, the diagnostics.
#include <map>

#include "core/apply/applier.h"

namespace xplan::applying {

// Data leave the state last, for providers are configured by them to the end; what an object that could not
// be destroyed depends on stays.
void Applier::drop_data() {
  std::unordered_set<ConfigResource> needed;
  for (const auto& [abs, r] : state.resources) {
    if (abs.resource.mode != Mode::Managed) continue;
    for (const auto& [key, instance] : r.instances)
      if (instance.current && instance.current->dependencies)
        needed.insert(instance.current->dependencies->begin(), instance.current->dependencies->end());
  }
  for (const ResourceChange& c : plan.changes) {
    if (c.addr.resource.mode != Mode::Data || needed.contains(c.addr.config())) continue;
    if (InstanceState* s = state.find(c.addr)) s->current = nullptr;
  }
}

void Applier::collect_checks() {
  std::vector<CheckResult> checks;
  std::map<std::pair<CheckKind, std::string_view>, const CheckResult*> planned;
  for (const CheckResult& c : plan.checks)
    if (c.expanded) planned.emplace(std::pair(c.kind, std::string_view(c.config_addr)), &c);
  for (uint32_t n = 0; n < results.size(); ++n) {
    NodeResult& r = results[n];
    CheckResult c;
    if (!describe_check(cg.nodes[n], c)) continue;
    if (r.has_check) {
      c.objects = std::move(r.check.objects);
      c.expanded = r.check.expanded;
    } else {
      auto known = planned.find({c.kind, c.config_addr});  // not reached: what planning knew of it
      c.expanded = known != planned.end();
      if (c.expanded) c.objects = known->second->objects;
      if (plan.mode != PlanMode::RefreshOnly)  // after which nothing happens
        for (CheckObject& o : c.objects) o = {o.object_addr, CheckStatus::Unknown, {}};
    }
    bool told = r.has_check || plan.mode == PlanMode::RefreshOnly;
    c.status = told && c.expanded ? CheckStatus::Pass : CheckStatus::Unknown;
    for (const CheckObject& o : c.objects) c.status = combine(c.status, o.status);
    checks.push_back(std::move(c));
  }
  if (checks.empty())
    state.check_results.reset();
  else
    state.check_results = std::move(checks);
}

void Applier::collect(ApplyOutcome& out) {
  for (NodeResult& r : results) {
    diags.append(std::move(r.diags));
    out.added += r.added, out.changed += r.changed, out.destroyed += r.destroyed, out.imported += r.imported,
        out.forgotten += r.forgotten;
  }
  collect_checks();
  const config::Module& root = *config.root->module;
  if (plan.mode == PlanMode::Destroy) {
    drop_data();
    for (const OutputChange& o : plan.outputs)
      if (o.change.action == Action::Delete) state.outputs.erase(o.name);
  } else {
    for (const OutputChange& o : plan.outputs)
      if (root.find_output(o.name) < 0 && o.change.action == Action::Delete) state.outputs.erase(o.name);
    std::unordered_set<Symbol> planned;
    for (const OutputChange& o : plan.outputs)
      if (o.change.action != Action::NoOp) planned.insert(o.name);
    for (uint32_t i = 0; i < root.outputs.size(); ++i) {
      if (!planned.contains(root.outputs[i].name) ||
          !results[cg.node_of(NodeKind::Output, config.root.get(), i)].done)
        continue;
      Value v = world.root()->outputs[i].unmark_deep();
      if (!v.is_wholly_known() && plan.mode == PlanMode::RefreshOnly) {  // of an object found gone
        v = transform_value(
            v, [](const Path&, const Value& e) { return e.is_unknown() ? Value::null(e.type()) : e; });
        state.outputs[root.outputs[i].name] = {v, root.outputs[i].sensitive};
        continue;
      }
      if (!v.is_wholly_known()) continue;  // it reads what was not reached
      if (v.is_null())
        state.outputs.erase(root.outputs[i].name);
      else
        state.outputs[root.outputs[i].name] = {v, root.outputs[i].sensitive};
    }
  }
  for (auto r = state.resources.begin(); r != state.resources.end();) {
    auto& instances = r->second.instances;
    for (auto i = instances.begin(); i != instances.end();)
      i = i->second.empty() ? instances.erase(i) : std::next(i);
    r = instances.empty() ? state.resources.erase(r) : std::next(r);
  }
}

}  // namespace xplan::applying
