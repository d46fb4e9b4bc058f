// Puts a plan together when the walk is over: changes in order, outputs, checks, drift, relevant attributes,
// and whether it can be applied and is complete.
#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "core/plan/planner_impl.h"
#include "core/plan/relevant.h"
#include "core/plan/unmatched.h"

namespace xplan::planning {

void Planner::collect(Plan& plan) {
  size_t changes = 0;
  for (const NodeResult& r : results) changes += r.changes.size();
  plan.changes.reserve(changes);
  for (NodeResult& r : results) {
    diags.append(std::move(r.diags));
    move_all(std::exchange(r.changes, {}), plan.changes);
    move_all(std::exchange(r.drift, {}), plan.drift);
    for (NewObject& o : r.objects) working.ensure(o.addr, o.provider).current = std::move(o.object);
  }
  sort_changes(plan.changes);
  sort_changes(plan.drift);
  if (options.mode == PlanMode::RefreshOnly) {
    plan.changes.clear();
    // Objects that only moved are told of here, for there is no change of theirs to tell it.
    std::unordered_set<AbsInstance> drifted;
    for (const ResourceChange& c : plan.drift) drifted.insert(c.addr);
    for (const auto& [to, from] : moves.previous) {
      if (drifted.contains(to)) continue;
      const InstanceState* s = working.find(to);
      auto r = working.resources.find(to.abs_resource());
      if (!s || !s->current || r == working.resources.end()) continue;
      Provider* provider = provider_for(provider_of(config, r->first, r->second));
      const schema::SchemaPtr schema =
          provider ? schema::find(provider->schema(), to.resource.mode, to.resource.type) : nullptr;
      if (!schema) continue;
      auto v = object_value(*s->current, to, *schema, *provider, diags);
      if (!v) continue;
      ResourceChange c;
      c.addr = to, c.prev_addr = from, c.provider = r->second.provider, c.schema = schema;
      c.change.before = c.change.after = *v;
      plan.drift.push_back(std::move(c));
    }
    sort_changes(plan.drift);
  }
  // Objects found gone leave the state; empty resources with them.
  for (auto r = working.resources.begin(); r != working.resources.end();) {
    auto& instances = r->second.instances;
    for (auto i = instances.begin(); i != instances.end();)
      i = i->second.empty() ? instances.erase(i) : std::next(i);
    r = instances.empty() ? working.resources.erase(r) : std::next(r);
  }
}

void Planner::plan_outputs(Plan& plan) {
  const config::Module& root = *config.root->module;
  std::set<Symbol, SymbolTextLess> names;
  for (const auto& o : root.outputs) names.insert(o.name);
  for (const auto& [name, o] : prev.outputs) names.insert(name);
  bool destroying = options.mode == PlanMode::Destroy;
  if (destroying && (!options.targets.empty() || !options.excludes.empty())) return;
  for (Symbol name : names) {
    OutputChange c;
    c.name = name;
    auto old = prev.outputs.find(name);
    bool had = old != prev.outputs.end();
    if (had) c.change.before = old->second.value, c.was_sensitive = old->second.sensitive;
    int index = root.find_output(name);
    if (index < 0 || destroying) {
      if (!had) continue;
      if (index < 0 && !options.targets.empty()) continue;
      c.change.action = Action::Delete;
      c.sensitive = c.was_sensitive;
      plan.outputs.push_back(std::move(c));
      continue;
    }
    uint32_t node = cg.node_of(NodeKind::Output, config.root.get(), static_cast<uint32_t>(index));
    if (!selection.nodes[node] || !results[node].done) continue;
    const config::Output& o = root.outputs[static_cast<size_t>(index)];
    if (results[node].incomplete) {  // it stays as it is until what it reads is done
      if (!had) continue;
      c.sensitive = c.was_sensitive;
      c.change.after = c.change.before;
      plan.outputs.push_back(std::move(c));
      continue;
    }
    Value value = world.root()->outputs[static_cast<size_t>(index)];
    c.sensitive = o.sensitive;
    c.change.after = value.unmark_deep();
    if (!had)
      c.change.action = Action::Create;
    else if (c.change.after.raw_equal(c.change.before) && c.sensitive == c.was_sensitive)
      c.change.action = Action::NoOp;
    else
      c.change.action = Action::Update;
    if (!had && c.change.after.is_null()) c.change.action = Action::NoOp;
    if (c.change.after.is_null())
      working.outputs.erase(name);
    else if (c.change.after.is_wholly_known())
      working.outputs[name] = {c.change.after, c.sensitive};
    plan.outputs.push_back(std::move(c));
  }
}

void Planner::collect_checks(Plan& plan) {
  // Every object with conditions is listed, in the order of the configuration, evaluated or not.
  for (uint32_t n = 0; n < cg.nodes.size(); ++n) {
    NodeResult& r = results[n];
    CheckResult c = std::move(r.check);
    if (!r.has_check) {
      c.objects.clear();
      if (!describe_check(cg.nodes[n], c)) continue;
      c.expanded = false;
      // A check that something before it kept from being evaluated is there, in every module instance.
      if (options.mode != PlanMode::Destroy && c.kind == CheckKind::Check && selection.nodes[n])
        for (const ModuleInst* m : world.of(cg.nodes[n].node))
          if (!m->addr.partial())
            c.objects.push_back({check_address(m->addr, c.name), CheckStatus::Unknown, {}});
      if (options.mode == PlanMode::Destroy && options.targets.empty() && options.excludes.empty() &&
          c.kind == CheckKind::Output && c.module.is_root()) {
        c.expanded = true;  // it goes, and there is one whatever the configuration says
        c.objects.push_back({c.config_addr, CheckStatus::Unknown, {}});
      }
    }
    c.status =
        c.objects.empty() ? (c.expanded ? CheckStatus::Pass : CheckStatus::Unknown) : CheckStatus::Pass;
    if (!c.expanded) c.status = combine(c.status, CheckStatus::Unknown);
    for (const CheckObject& o : c.objects) c.status = combine(c.status, o.status);
    plan.checks.push_back(std::move(c));
  }
}

void Planner::find_relevant_attributes(Plan& plan) {
  RelevantFinder finder(config);
  for (const ResourceChange& c : plan.changes)
    if (c.change.action != Action::NoOp) finder.add_resource(c.addr);
  for (const OutputChange& o : plan.outputs)
    if (int i = config.root->module->find_output(o.name); i >= 0 && o.change.action != Action::NoOp)
      finder.add_output(config.root.get(), {}, static_cast<uint32_t>(i));
  if (options.mode != PlanMode::Destroy)  // outputs of called modules have no prior value to compare with
    for (const config::Node* n : config.nodes)
      if (n->parent && selection.nodes[cg.node_of(NodeKind::Expand, n, 0)])
        for (const ModuleInst* m : world.of(n))
          for (uint32_t i = 0; i < m->outputs.size() && !m->addr.partial(); ++i)
            if (!m->outputs[i].is_null() && results[cg.node_of(NodeKind::Output, n, i)].done)
              finder.add_output(n, m->addr, i);
  plan.relevant_attributes = finder.take();
}

void Planner::warn_targeting(Plan& plan) {
  if (options.targets.empty() && options.excludes.empty()) return;
  plan.complete = false;
  diags.warn(
      "Resource targeting is in effect",
      "This plan was made with -target or -exclude, so it may not include all changes that the configuration "
      "requires. Use these options only in exceptional situations, such as recovering from a mistake.");
}

void Planner::warn_forgetting(const Plan& plan) {
  constexpr size_t kShown = 50;
  std::string list;
  size_t count = 0;
  for (const ResourceChange& c : plan.changes)
    if (c.change.action == Action::Forget && ++count <= kShown) list += "\n  - " + c.addr.text();
  if (count > kShown) list += fmt::format("\n  … and {} more", count - kShown);
  if (count)
    diags.warn("Some objects will no longer be managed",
               fmt::format("Applying this plan removes the following objects from the state. They are not "
                           "destroyed; to manage them again, import them:{}",
                           list));
}

Plan Planner::finish() {
  Plan plan;
  opened.close_all(cg, options.parallelism, hooks, diags);
  collect(plan);
  collect_deferred(plan);
  plan.mode = options.mode;
  plan.variables = options.given_variables;
  plan.targets = options.target_texts;
  plan.excludes = options.exclude_texts;
  plan.force_replace = options.force_replace_texts;
  plan.timestamp = options.timestamp;
  plan.workspace = options.workspace;
  plan_outputs(plan);
  collect_checks(plan);
  if (!survey) warn_targeting(plan);
  if (!survey && !diags.has_errors()) {
    warn_unmatched(world, working, plan, options, diags);
    warn_forgetting(plan);
  }
  plan.errored = diags.has_errors();
  plan.abandoned = abandoned;
  if (!survey) find_relevant_attributes(plan);
  bool any = false;
  for (const ResourceChange& c : plan.changes)
    any |= c.change.action != Action::NoOp || c.moved() || c.change.importing;
  bool refreshing =
      options.mode == PlanMode::RefreshOnly;  // what is unknown then is only decided by another plan
  for (const OutputChange& o : plan.outputs)
    any |= o.change.action != Action::NoOp && (!refreshing || o.change.after.is_wholly_known());
  if (refreshing)
    for (const ResourceChange& c : plan.drift) any |= c.change.action != Action::NoOp;
  plan.applyable = any && !plan.errored;
  plan.complete = plan.complete && !plan.errored;
  plan.prev_run_state = prev;
  working.check_results.reset();
  plan.prior_state = std::move(working);
  plan.build_index();
  return plan;
}

}  // namespace xplan::planning
