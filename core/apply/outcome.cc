// What an apply leaves: the state with results of checks and outputs, the counts, the diagnostics.
#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <unordered_set>

#include "core/apply/applier.h"
#include "core/base/memory.h"
#include "core/state/unknown_outcome.h"
#include "core/value/storable.h"

namespace xplan::applying {

// What was not begun, because what it depends on failed or the run was to end.
void Applier::report_unreached(const WalkOutcome& walked, ApplyOutcome& out) {
  const bool ended = !walked.complete && run_.ending();
  for (uint32_t n = 0; n < results_.size(); ++n)
    if (!is_gate(n) &&
        (results_[n].kept_back || (!results_[n].visited && (ended || !walked.exception.empty()))))
      skipped_nodes_.push_back(n);
  std::sort(skipped_nodes_.begin(), skipped_nodes_.end());
  skipped_nodes_.erase(std::unique(skipped_nodes_.begin(), skipped_nodes_.end()), skipped_nodes_.end());
  list_unreached(out);
  if (!walked.exception.empty() || (ended && memory_ended())) return report_early_end(walked);
  out.halted = run_.halted;
  if (out.halted) return;  // the error is that of the failure
  const bool cut =
      std::any_of(results_.begin(), results_.end(), [](const NodeResult& r) { return r.halted; });
  if (cut || (ended && !skipped_nodes_.empty()))
    diags_.error(
        "execution halted",
        out.skipped.empty()
            ? "The run was interrupted. All changes were made and saved, but outputs and checks that "
              "depend on them may not be up to date. Apply again to update them."
            : "The run was interrupted. Operations in progress were ended and their results saved; the "
              "remaining ones were not started.");
}

// Names them, and counts the changes that became something else.
void Applier::list_unreached(ApplyOutcome& out) {
  std::unordered_map<ConfigResource, std::vector<const ResourceChange*>> makes_of;
  std::unordered_set<const ResourceChange*> unreached;
  for (const ResourceChange& c : run_.plan.changes)
    if (is_work(&c) && c.deposed.empty()) makes_of[c.addr.config()].push_back(&c);
  auto skip = [&](const ResourceChange* c, bool destroys) {
    std::string deposed = c->deposed;
    const bool replaced = destroys && c->change.action == Action::CreateThenDelete;
    if (replaced) {  // its successor was made, or there is none
      deposed = run_.recorder.deposed_key(c->addr).value_or("");
      if (deposed.empty() || !run_.recorder.object(c->addr, deposed)) return;
    }
    if (!replaced || !run_.recorder.has_failed(c->addr)) unreached.insert(c);  // else the change has failed
    out.skipped.push_back(c->addr.text() + (deposed.empty() ? "" : " (deposed object " + deposed + ")"));
  };
  for (uint32_t n : skipped_nodes_) {
    const GraphNode& g = run_.cg.nodes[n];
    if (g.kind == NodeKind::Extra)
      for (const ResourceChange* c : order_.at(g.index).changes) skip(c, true);
    else if (g.kind == NodeKind::Resource)
      for (const ResourceChange* c : makes_of[resource_at(n)]) skip(c, false);
  }
  for (uint32_t n = 0; n < results_.size(); ++n) {
    const GraphNode& g = run_.cg.nodes[n];
    for (const ResourceChange* c : results_[n].not_begun) skip(c, g.kind == NodeKind::Extra);
    if (g.kind != NodeKind::Resource || !failures_.any(n)) continue;
    for (const ResourceChange* c : makes_of[resource_at(n)])
      if (const ModuleInst* m = run_.world.find(c->addr.module); m && failures_.all_in(n, *m)) skip(c, false);
  }
  for (const ResourceChange& c : run_.plan.changes) {
    const bool goes = c.change.action == Action::Delete || c.change.action == Action::Forget;
    if (unreached.contains(&c) || !(is_work(&c) || (goes && c.addr.resource.mode == Mode::Managed))) continue;
    if (!run_.recorder.has_begun(c))
      skip(&c, goes);
    else if (run_.recorder.has_failed(c.addr, c.deposed))
      ++out.failed;
    else
      ++out.done;
  }
  std::sort(out.skipped.begin(), out.skipped.end());
  out.skipped.erase(std::unique(out.skipped.begin(), out.skipped.end()), out.skipped.end());
}

// One error, whatever was not begun: that is listed. What was begun, and nobody knows how it ended, is named.
void Applier::report_early_end(const WalkOutcome& walked) {
  const bool memory = walked.out_of_memory || memory_ended();
  std::vector<JournalRecord> unknown = run_.recorder.unanswered();
  drop_known_outcomes(unknown, run_.state);
  std::string text = memory ? "There was not enough memory to continue."
                            : fmt::format("The run ended with an internal error ({}).", walked.exception);
  text += fmt::format(
      " {} in progress were ended and their results saved; the remaining ones were not started. {}",
      unknown.empty() ? "Operations" : "Other operations",
      memory ? "Make more memory available, then apply again to complete the changes."
             : "This is a bug in xplan; please report it.");
  if (!unknown.empty())
    text += "\n\n" + unknown_outcome_text(
                         unknown, "because the run ended before the response of the provider was recorded.");
  diags_.error(memory ? "Out of memory" : "Apply ended early", std::move(text));
}

// Data leave the state last, for providers are configured by them to the end; what an object that could not
// be destroyed depends on stays.
void Applier::drop_data() {
  std::unordered_set<ConfigResource> needed;
  for (const auto& [abs, r] : run_.state.resources) {
    if (abs.resource.mode != Mode::Managed) continue;
    for (const auto& [key, instance] : r.instances)
      if (instance.current && instance.current->dependencies)
        needed.insert(instance.current->dependencies->begin(), instance.current->dependencies->end());
  }
  for (const ResourceChange& c : run_.plan.changes) {
    if (c.addr.resource.mode != Mode::Data || needed.contains(c.addr.config())) continue;
    if (InstanceState* s = run_.state.find(c.addr)) s->current = nullptr;
  }
}

namespace {

// As they were planned, and unknown: those of which nothing is told because something that they read failed.
void add_unreached(CheckResult& told, const CheckResult& planned) {
  std::unordered_map<std::string_view, const CheckObject*> known;
  for (const CheckObject& o : told.objects) known.emplace(o.object_addr, &o);
  std::vector<CheckObject> all;
  for (const CheckObject& o : planned.objects) {
    const auto at = known.find(o.object_addr);
    all.push_back(at == known.end() ? CheckObject{o.object_addr, CheckStatus::Unknown, {}} : *at->second);
  }
  told.objects = std::move(all);
}

}  // namespace

void Applier::collect_checks() {
  std::vector<CheckResult> checks;
  std::map<std::pair<CheckKind, std::string_view>, const CheckResult*> planned;
  for (const CheckResult& c : run_.plan.checks)
    if (c.expanded) planned.emplace(std::pair(c.kind, std::string_view(c.config_addr)), &c);
  for (uint32_t n = 0; n < results_.size(); ++n) {
    NodeResult& r = results_[n];
    CheckResult c;
    if (!describe_check(run_.cg.nodes[n], c)) continue;
    const auto known = planned.find({c.kind, c.config_addr});
    if (r.has_check) {
      c.objects = std::move(r.check.objects);
      c.expanded = r.check.expanded;
      if (failures_.any(n) && c.expanded && known != planned.end()) add_unreached(c, *known->second);
    } else {  // not reached: what planning knew of it
      c.expanded = known != planned.end();
      if (c.expanded) c.objects = known->second->objects;
      if (run_.plan.mode != PlanMode::RefreshOnly)  // after which nothing happens
        for (CheckObject& o : c.objects) o = {o.object_addr, CheckStatus::Unknown, {}};
    }
    bool told = r.has_check || run_.plan.mode == PlanMode::RefreshOnly;
    c.status = told && c.expanded ? CheckStatus::Pass : CheckStatus::Unknown;
    for (const CheckObject& o : c.objects) c.status = combine(c.status, o.status);
    checks.push_back(std::move(c));
  }
  if (checks.empty())
    run_.state.check_results.reset();
  else
    run_.state.check_results = std::move(checks);
}

void Applier::collect_outputs() {
  const config::Module& root = *run_.config.root->module;
  const bool destroy = run_.plan.mode == PlanMode::Destroy;
  std::unordered_set<Symbol> planned;
  for (const OutputChange& o : run_.plan.outputs) {
    if (o.change.action != Action::NoOp) planned.insert(o.name);
    if (o.change.action == Action::Delete && (destroy || root.find_output(o.name) < 0))
      run_.state.outputs.erase(o.name);
  }
  if (destroy) return;
  for (uint32_t i = 0; i < root.outputs.size(); ++i) {
    const config::Output& o = root.outputs[i];
    if (auto it = run_.state.outputs.find(o.name); it != run_.state.outputs.end())
      it->second.deprecated = o.deprecated;  // no change to be planned
    if (!planned.contains(o.name) ||
        !results_[run_.cg.node_of(NodeKind::Output, run_.config.root.get(), i)].done)
      continue;
    Value v = run_.world.root()->outputs[i].unmark_deep();
    const bool known = v.is_wholly_known();
    if (!known && run_.plan.mode != PlanMode::RefreshOnly) continue;  // it reads what was not reached
    v = unknown_as_null(v);                                           // of an object found gone
    if (known && v.is_null())
      run_.state.outputs.erase(o.name);
    else
      run_.state.outputs[o.name] = {v, o.sensitive, o.deprecated};
  }
}

void Applier::drop_empty() {
  auto& resources = run_.state.resources;
  for (auto r = resources.begin(); r != resources.end();) {
    std::erase_if(r->second.instances, [](const auto& i) { return i.second.empty(); });
    r = r->second.instances.empty() ? resources.erase(r) : std::next(r);
  }
}

void Applier::collect(ApplyOutcome& out) {
  Counts sum;
  for (NodeResult& r : results_) {
    diags_.append(std::move(r.diags));
    sum += r;
  }
  out.added = sum.added, out.changed = sum.changed, out.destroyed = sum.destroyed;
  out.imported = sum.imported, out.forgotten = sum.forgotten;
  collect_checks();
  if (run_.plan.mode == PlanMode::Destroy) drop_data();
  collect_outputs();
  drop_empty();
}

}  // namespace xplan::applying
