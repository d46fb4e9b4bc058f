// Puts a plan together when the walk is over: changes in order, outputs, checks, drift, relevant attributes,
// and whether it can be applied and is complete.
#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "core/plan/ended_early.h"
#include "core/plan/named_values.h"
#include "core/plan/objects.h"
#include "core/plan/plan_deferred.h"
#include "core/plan/planner_impl.h"
#include "core/plan/relevant.h"
#include "core/plan/static_reads.h"
#include "core/plan/unmatched.h"

namespace xplan::planning {
namespace {

// Objects that only moved: in a refresh-only plan there is no change of theirs to tell it.
void add_moved(PlanRun& run, std::vector<ResourceChange>& drift) {
  std::unordered_set<AbsInstance> drifted;
  for (const ResourceChange& c : drift) drifted.insert(c.addr);
  for (const auto& [to, from] : run.moves.previous) {
    if (drifted.contains(to)) continue;
    const InstanceState* s = run.working.find(to);
    auto r = run.working.resources.find(to.abs_resource());
    if (!s || !s->current || r == run.working.resources.end()) continue;
    Provider* provider = run.providers.find(provider_of(run.config, r->first, r->second, *s));
    const schema::SchemaPtr schema =
        provider ? schema::find(provider->schema(), to.resource.mode, to.resource.type) : nullptr;
    if (!schema) continue;
    auto v = object_value(*s->current, to, *schema, *provider, run.diags);
    if (!v) continue;
    ResourceChange& c = drift.emplace_back();
    c.addr = to, c.prev_addr = from, c.provider = r->second.provider_of(*s), c.schema = schema;
    c.change.before = c.change.after = *v;
  }
}

// Objects found gone leave the state; empty resources with them.
void drop_empty(State& state) {
  for (auto r = state.resources.begin(); r != state.resources.end();) {
    auto& instances = r->second.instances;
    for (auto i = instances.begin(); i != instances.end();)
      i = i->second.empty() ? instances.erase(i) : std::next(i);
    r = instances.empty() ? state.resources.erase(r) : std::next(r);
  }
}

void collect(PlanRun& run, Plan& plan) {
  size_t changes = 0;
  for (const NodeResult& r : run.results) changes += r.changes.size();
  plan.changes.reserve(changes);
  for (NodeResult& r : run.results) {
    run.diags.append(std::move(r.diags));
    move_all(std::exchange(r.changes, {}), plan.changes);
    move_all(std::exchange(r.drift, {}), plan.drift);
    for (NewObject& o : r.objects) run.working.ensure(o.addr, o.provider).current = std::move(o.object);
  }
  if (run.refresh_only()) {
    plan.changes.clear();
    add_moved(run, plan.drift);
  }
  sort_changes(plan.changes);
  sort_changes(plan.drift);
  drop_empty(run.working);
}

void plan_outputs(PlanRun& run, Plan& plan) {
  const config::Module& root = *run.config.root->module;
  std::set<Symbol, SymbolTextLess> names;
  for (const auto& o : root.outputs) names.insert(o.name);
  for (const auto& [name, o] : run.prev.outputs) names.insert(name);
  bool destroying = run.destroying();
  if (destroying && (!run.options.targets.empty() || !run.options.excludes.empty())) return;
  for (Symbol name : names) {
    OutputChange c;
    c.name = name;
    auto old = run.prev.outputs.find(name);
    bool had = old != run.prev.outputs.end();
    if (had) c.change.before = old->second.value, c.was_sensitive = old->second.sensitive;
    int index = root.find_output(name);
    if (index < 0 || destroying) {
      if (!had) continue;
      if (index < 0 && !run.options.targets.empty()) continue;
      c.change.action = Action::Delete;
      c.sensitive = c.was_sensitive;
      plan.outputs.push_back(std::move(c));
      continue;
    }
    uint32_t node = run.cg.node_of(NodeKind::Output, run.config.root.get(), static_cast<uint32_t>(index));
    if (!run.selection.nodes[node] || !run.results[node].done) continue;
    const config::Output& o = root.outputs[static_cast<size_t>(index)];
    if (run.results[node].incomplete) {  // it stays as it is until what it reads is done
      if (!had) continue;
      c.sensitive = c.was_sensitive;
      c.change.after = c.change.before;
      plan.outputs.push_back(std::move(c));
      continue;
    }
    Value value = run.world.root()->outputs[static_cast<size_t>(index)];
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
      run.working.outputs.erase(name);
    else if (c.change.after.is_wholly_known())
      run.working.outputs[name] = {c.change.after, c.sensitive, o.deprecated};
    plan.outputs.push_back(std::move(c));
  }
}

void collect_checks(PlanRun& run, Plan& plan) {
  // Every object with conditions is listed, in the order of the configuration, evaluated or not.
  for (uint32_t n = 0; n < run.cg.nodes.size(); ++n) {
    NodeResult& r = run.results[n];
    CheckResult c = std::move(r.check);
    if (!r.has_check) {
      c.objects.clear();
      if (!describe_check(run.cg.nodes[n], c)) continue;
      c.expanded = false;
      // A check that something before it kept from being evaluated is there, in every module instance.
      if (!run.destroying() && c.kind == CheckKind::Check && run.selection.nodes[n])
        for (const ModuleInst* m : run.world.of(run.cg.nodes[n].node))
          if (!m->addr.partial())
            c.objects.push_back({check_address(m->addr, c.name), CheckStatus::Unknown, {}});
      if (run.destroying() && run.options.targets.empty() && run.options.excludes.empty() &&
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

void find_relevant_attributes(PlanRun& run, Plan& plan) {
  RelevantFinder finder(run.config);
  for (const ResourceChange& c : plan.changes)
    if (c.change.action != Action::NoOp) finder.add_resource(c.addr);
  for (const OutputChange& o : plan.outputs)
    if (int i = run.config.root->module->find_output(o.name); i >= 0 && o.change.action != Action::NoOp)
      finder.add_output(run.config.root.get(), {}, static_cast<uint32_t>(i));
  if (!run.destroying())  // outputs of called modules have no prior value to compare with
    for (const config::Node* n : run.config.nodes)
      if (n->parent && run.selection.nodes[run.cg.node_of(NodeKind::Expand, n, 0)])
        for (const ModuleInst* m : run.world.of(n))
          for (uint32_t i = 0; i < m->outputs.size() && !m->addr.partial(); ++i)
            if (!m->outputs[i].is_null() && run.results[run.cg.node_of(NodeKind::Output, n, i)].done)
              finder.add_output(n, m->addr, i);
  plan.relevant_attributes = finder.take();
}

// What a declaration says of its value, which gets the marks where it is used.
template <class Declared>
Marks declared_marks(const Declared& d) {
  if constexpr (requires { d.sensitive, d.ephemeral; })
    return d.sensitive || d.ephemeral ? kSensitive : Marks{0};
  else
    return Marks{0};
}

void keep_named_values(PlanRun& run, Plan& plan) {
  NamedValues kept;
  for (const config::Node* n : run.config.nodes)
    for (const ModuleInst* m : run.world.of(n)) {
      if (m->addr.partial()) continue;
      auto keep = [&](NodeKind node, NamedKind kind, const auto& declared, const std::vector<Value>& values) {
        for (uint32_t i = 0; i < values.size(); ++i)
          if (run.results[run.cg.node_of(node, n, i)].done)
            kept.add(kind, m->addr, declared[i].name, values[i].with_marks(declared_marks(declared[i])));
      };
      keep(NodeKind::Variable, NamedKind::Variable, n->module->variables, m->variables);
      keep(NodeKind::Local, NamedKind::Local, n->module->locals, m->locals);
      keep(NodeKind::Output, NamedKind::Output, n->module->outputs, m->outputs);
    }
  plan.named = kept.take();
}

void warn_targeting(PlanRun& run, Plan& plan) {
  if (run.options.targets.empty() && run.options.excludes.empty()) return;
  plan.complete = false;
  run.diags.warn(
      "Resource targeting is in effect",
      fmt::format(
          "This plan was made with {}, so it may not include all changes that the configuration "
          "requires. Use this option only in exceptional situations, such as recovering from a mistake.",
          run.options.excludes.empty() ? "-target" : "-exclude"));
}

void warn_forgetting(PlanRun& run, const Plan& plan) {
  constexpr size_t kShown = 50;
  std::string list;
  size_t count = 0;
  for (const ResourceChange& c : plan.changes)
    if (forgets(c.change.action) && ++count <= kShown) list += "\n  - " + c.addr.text();
  if (count > kShown) list += fmt::format("\n  … and {} more", count - kShown);
  if (count)
    run.diags.warn(
        "Some objects will no longer be managed",
        fmt::format("Applying this plan removes the following objects from the state. They are not "
                    "destroyed; to manage them again, import them:{}",
                    list));
}

// What is to be recorded of an object that is as it was: in which order it goes, as the configuration says
// now.
bool records_order(const PlanRun& run) {
  for (const auto& [abs, r] : run.working.resources) {
    if (abs.resource.mode != Mode::Managed) continue;
    for (const auto& [key, now] : r.instances) {
      const InstanceState* had = run.prev.find(run.previous_address({abs.module, abs.resource, key}));
      if (!had || !had->current || !now.current || had->current == now.current) continue;
      const Object &before = *had->current, &after = *now.current;
      if (static_cast<const RecordedLifecycle&>(before) != after || !same_dependencies(before, after))
        return true;
    }
  }
  return false;
}

// Whether applying it would do anything.
bool does_something(const PlanRun& run, const Plan& plan) {
  const bool refreshing = plan.mode == PlanMode::RefreshOnly;
  auto changes = [](const ResourceChange& c) { return c.change.action != Action::NoOp; };
  // Only refreshing records outputs that are known; what is unknown or gone is for another plan to decide.
  auto sets = [&](const OutputChange& o) {
    return o.change.action != Action::NoOp &&
           (!refreshing || (o.change.action != Action::Delete && o.change.after.is_wholly_known()));
  };
  return std::any_of(plan.changes.begin(), plan.changes.end(),
                     [&](const auto& c) { return changes(c) || c.moved() || c.change.importing; }) ||
         std::any_of(plan.outputs.begin(), plan.outputs.end(), sets) ||
         (refreshing && (std::any_of(plan.drift.begin(), plan.drift.end(), changes) || records_order(run)));
}

// What was planned until a run was stopped is of no use to anybody: only problems are told.
Plan nothing(PlanRun& run, Plan plan) {
  for (NodeResult& r : run.results) run.diags.append(std::move(r.diags));
  plan.errored = true, plan.complete = false;
  plan.abandoned = run.abandoned;
  plan.prev_run_state = run.prev;
  plan.prior_state = std::move(run.working);
  plan.build_index();
  return plan;
}

// Paths in the working directory are relative to it: the plan may be looked at, and applied, in another one.
std::vector<eval::FileRead> below(const std::string& cwd, std::vector<eval::FileRead> reads) {
  const std::string dir = cwd + "/";
  for (eval::FileRead& f : reads)
    for (std::string* path : {&f.path, &f.pattern})
      if (!cwd.empty() && path->starts_with(dir)) path->erase(0, dir.size());
  return reads;
}

}  // namespace

void report(PlanRun& run, const WalkOutcome& walked) {
  report_ended_early(walked, "Planning failed", "The plan is not complete; nothing was changed.", run.diags);
  if (run.interrupted || !run.world.stopping()) return;
  run.interrupted = true;
  run.diags.error("Planning was interrupted",
                  "The run was stopped before the plan was complete. Nothing was changed.");
}

Plan finish(PlanRun& run) {
  Plan plan;
  const PlanOptions& o = run.options;
  run.opened.close_all(run.cg, o.parallelism, run.hooks, run.diags);
  plan.mode = o.mode;
  plan.variables = o.given_variables;
  plan.targets = o.target_texts;
  plan.excludes = o.exclude_texts;
  plan.force_replace = o.force_replace_texts;
  plan.timestamp = o.timestamp;
  if (!run.survey && !run.interrupted) note_written_reads(run.config, *run.file_reads);
  plan.file_reads = below(o.cwd, run.file_reads->all());
  plan.call_results = run.call_results->all();
  plan.workspace = o.workspace;
  if (run.interrupted) return nothing(run, std::move(plan));
  collect(run, plan);
  collect_deferred(run, plan);
  plan_outputs(run, plan);
  collect_checks(run, plan);
  if (!run.survey) warn_targeting(run, plan);
  if (!run.survey && !run.diags.has_errors()) {
    warn_unmatched(run.world, run.working, plan, o, run.diags);
    warn_forgetting(run, plan);
  }
  plan.errored = run.diags.has_errors();
  plan.abandoned = run.abandoned;
  if (!run.survey) find_relevant_attributes(run, plan);
  if (!run.survey) keep_named_values(run, plan);
  plan.applyable = !plan.errored && does_something(run, plan);
  plan.complete = plan.complete && !plan.errored;
  plan.prev_run_state = run.prev;
  run.working.check_results.reset();
  plan.prior_state = std::move(run.working);
  plan.build_index();
  return plan;
}

}  // namespace xplan::planning
