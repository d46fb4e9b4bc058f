// Plans data sources: read now, or during apply when something they read is not known yet.
#include <algorithm>

#include "core/plan/objects.h"
#include "core/plan/plan_run.h"
#include "core/plan/secrets.h"
#include "core/value/storable.h"

namespace xplan::planning {
namespace {

class DataPlan {
 public:
  DataPlan(PlanRun& run, const InstanceJob& j, InstanceResult& out)
      : run_(run),
        job_(j),
        out_(out),
        r_(*j.resource),
        block_(j.resource->schema->block),
        in_check_(!j.resource->check_scope.empty()) {}
  Value plan();

 private:
  Value read_now_or_later();
  Value read();
  Value read_later(Reason reason);
  void settle_in_check();
  ResourceChange reading(Reason reason, Value after) const;
  // As far as the configuration says.
  Value foreseen() const {
    return apply_marks(schema::planned_unknown(block_, config_.value), config_.marks, block_);
  }
  NewObject object_of(const Value& v) const {
    return {job_.addr, job_.provider_addr, make_object(v, *r_.schema, "", nullptr, {})};
  }
  bool check(const std::vector<config::CheckRule>& rules, RuleKind kind, const Value* self) {
    return check_conditions(run_, rules, kind, job_, self, found_);
  }

  PlanRun& run_;
  const InstanceJob& job_;
  InstanceResult& out_;
  const config::Resource& r_;
  const schema::Block& block_;
  const bool in_check_;
  InstanceResult found_;  // becomes part of the outcome in the end
  InstanceConfig config_;
  bool asked_ = false;  // the provider was
};

ResourceChange DataPlan::reading(Reason reason, Value after) const {
  ResourceChange c = change_of(job_, Action::Read);
  c.change.before = Value::null(block_.implied_type());
  c.change.after = std::move(after);
  c.reason = reason;
  return c;
}

Value DataPlan::read_later(Reason reason) {
  const Value planned = foreseen();
  // What was read before says nothing about now; but it stays while the reading is deferred.
  if (job_.state && !job_.deferred_upstream && !found_.deferral) job_.state->current = nullptr;
  if (run_.refresh_only()) return planned;
  found_.changes.push_back(reading(reason, planned));
  check(r_.postconditions, RuleKind::Postcondition, &planned);
  return planned;
}

Value DataPlan::read() {
  asked_ = true;
  std::optional<DataAnswer> answer =
      ask_data(subject_of(run_, job_), config_.value, run_.hooks, found_.diags);
  if (!answer) return job_.unknown();
  if (answer->deferral != Deferral::None) {
    found_.deferral = reason_of(answer->deferral);
    return read_later(Reason::ReadBecauseDependencyPending);
  }
  const Value result = apply_marks(answer->value, config_.marks, block_);
  if (in_check_ && run_.options.mode == PlanMode::Normal)
    found_.changes.push_back(reading(Reason::ReadBecauseCheckNested, result));
  found_.objects.push_back(object_of(result));
  check(r_.postconditions, RuleKind::Postcondition, &result);
  return result;
}

Value DataPlan::read_now_or_later() {
  if (!check(r_.preconditions, RuleKind::Precondition, nullptr)) return job_.unknown();
  std::optional<InstanceConfig> given = evaluate_config(run_, job_, found_.diags);
  if (!given) return job_.unknown();
  config_ = std::move(*given);
  if (!config_.value.is_wholly_known()) return read_later(Reason::ReadBecauseConfigUnknown);
  const bool pending = !run_.refresh_only() && run_.results[job_.node].reads_pending;
  if (pending || job_.deferred_upstream) return read_later(Reason::ReadBecauseDependencyPending);
  return read();
}

// Inside a check block every problem is a warning, and nothing is worse than not knowing.
void DataPlan::settle_in_check() {
  const std::string check = check_address(job_.addr.module, r_.check_scope);
  if (found_.diags.has_errors()) {
    run_.world.add_check_problem(check, found_.diags);
    // Tried again when applying, so that the check speaks of the situation afterwards.
    if (asked_ && run_.options.mode == PlanMode::Normal) {
      const Value planned = foreseen();
      found_.changes.push_back(reading(Reason::ReadBecauseCheckNested, planned));
      found_.objects.push_back(object_of(unknown_as_null(planned)));
    }
  }
  for (Diagnostic& d : found_.diags.mutable_all()) {
    if (d.severity == Severity::Error) d.checked = check;
    d.severity = Severity::Warning, d.from_check = true;
  }
  found_.diags.recount();
}

Value DataPlan::plan() {
  Value v = read_now_or_later();
  hide_secrets(config_.marked, block_, found_.diags);
  if (in_check_) settle_in_check();
  out_ = std::move(found_);
  return v;
}

}  // namespace

Value plan_data(PlanRun& run, const InstanceJob& j, InstanceResult& out) {
  return DataPlan(run, j, out).plan();
}

// A data source waits when something it names has a pending change: its depends_on (a module's included, down
// to every resource in it, declared or not any more), and the managed resources its own expressions refer to.
// With conditions of its own, everything upstream counts.
bool reads_pending(const PlanRun& run, uint32_t node) {
  const GraphNode& g = run.cg.nodes[node];
  const config::Resource& r = run.resource_of(node);
  auto below = [&](uint32_t n) {
    return run.results[n].pending_upstream || run.is_pending(n) ||
           (run.cg.nodes[n].kind == NodeKind::ModuleDone && run.leaving.below(run, *run.cg.nodes[n].node));
  };
  if ((!r.preconditions.empty() || !r.postconditions.empty()) && run.results[node].pending_upstream)
    return true;
  std::vector<uint32_t> direct, whole;
  auto depends_on = [&](const config::Node* n, const syntax::Traversal& t, std::vector<uint32_t>& targets) {
    const config::Reference& ref = n->module->reference(t);
    if (ref.kind == config::RefKind::ModuleCall)
      whole.push_back(run.cg.node_of(NodeKind::ModuleDone, n->children[ref.index].get(), 0));
    else
      run.cg.targets_of(n, t, targets);
  };
  for (const syntax::Traversal* t : r.references) run.cg.targets_of(g.node, *t, direct);
  for (const syntax::Traversal* t : r.depends_on) depends_on(g.node, *t, direct);
  for (const config::Node* n = g.node; n->parent; n = n->parent)
    for (const syntax::Traversal* t : n->call->depends_on) depends_on(n->parent, *t, whole);
  return std::any_of(direct.begin(), direct.end(), [&](uint32_t n) { return run.is_pending(n); }) ||
         std::any_of(whole.begin(), whole.end(), below);
}

}  // namespace xplan::planning
