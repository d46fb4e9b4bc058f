// Planning one instance of a managed resource, stage by stage: its object as it is now, conditions, its
// configuration, the provider's plan, the decision, the change.
#include <fmt/format.h>

#include <iterator>

#include "core/plan/decision.h"
#include "core/plan/identity.h"
#include "core/plan/importer.h"
#include "core/plan/objects.h"
#include "core/plan/plan_deferred.h"
#include "core/plan/plan_imports.h"
#include "core/plan/plan_run.h"
#include "core/plan/prevent_destroy.h"
#include "core/plan/provisioner_check.h"
#include "core/plan/secrets.h"

namespace xplan::planning {
namespace {

class ManagedPlan {
 public:
  ManagedPlan(PlanRun& run, const InstanceJob& j, InstanceResult& out)
      : run_(run),
        job_(j),
        out_(out),
        r_(*j.resource),
        block_(j.resource->schema->block),
        subject_(subject_of(run, j)),
        nothing_(Value::null(block_.implied_type())),
        object_(j.state ? j.state->current : nullptr),
        importing_(object_ ? nullptr : j.import),
        prior_(nothing_) {}
  Value plan();

 private:
  Value stages();
  bool may_trust() const;
  std::optional<Value> as_recorded();
  bool import();
  bool find_prior();
  Value check_only();
  bool evaluate();
  bool ask_provider();
  bool ask(const PlanQuestion& q, Diagnostics& diags);
  bool differs() const;
  std::optional<Decision> decide();
  bool ask_again();
  Value record(const Decision& d);
  void examine_provisioners(const Value& planned);
  bool precondition() {
    return check_conditions(run_, r_.preconditions, RuleKind::Precondition, job_, nullptr, out_);
  }
  bool postcondition(const Value& self) {
    return check_conditions(run_, r_.postconditions, RuleKind::Postcondition, job_, &self, out_);
  }
  RecordedLifecycle lifecycle() const { return {job_.recorded_cbd, !r_.destroy}; }
  bool tainted() const { return object_ && object_->status == ObjectStatus::Tainted; }
  // What the provider is asked to change: a tainted object is replaced whatever it is like.
  const Value& plan_prior() const { return tainted() ? nothing_ : bare_prior_; }

  PlanRun& run_;
  const InstanceJob& job_;
  InstanceResult& out_;
  const config::Resource& r_;
  const schema::Block& block_;
  const Subject subject_;
  const Value nothing_;
  ObjectPtr object_;
  const ImportTarget* const importing_;
  // Filled in by the stages:
  Value prior_, bare_prior_;           // as it is now; the latter without marks
  Value identity_;                     // likewise
  InstanceConfig config_, effective_;  // the latter without what is ignored
  PlanResponse planned_;
  std::vector<Path> required_;  // where the provider cannot update
};

bool ManagedPlan::import() {
  if (importing_->failed) return false;
  std::optional<ObjectPtr> imported = import_object(run_, job_, *importing_, out_);
  if (!imported) return false;
  object_ = *imported;
  return true;
}

bool ManagedPlan::find_prior() {
  if (!object_) return true;
  const bool read = importing_ && known_import(run_, job_.addr, *importing_);
  std::optional<Value> v = read ? object_value(*object_, job_.addr, *r_.schema, *job_.provider, out_.diags)
                                : refresh_declared(run_, job_, object_, "", importing_ == nullptr, out_);
  if (!v) return false;
  prior_ = std::move(*v);
  if (importing_ && prior_.is_null()) {
    out_.diags.error("Cannot import non-existent remote object",
                     no_object_text(job_.addr, importing_->id, importing_->identity),
                     importing_->block ? importing_->block->range : r_.range);
    return false;
  }
  if (job_.state) {
    if (object_ && !job_.deferred_upstream) object_ = with_order(object_, object_->dependencies, lifecycle());
    job_.state->current = object_;
  } else if (object_) {
    out_.objects.push_back({job_.addr, job_.provider_addr, object_});
  }
  return true;
}

// A refresh-only plan evaluates the conditions with what there is.
Value ManagedPlan::check_only() {
  Value now = prior_.is_null() ? job_.unknown() : prior_;
  if (r_.preconditions.empty() || precondition()) postcondition(now);
  return now;
}

bool ManagedPlan::evaluate() {
  std::optional<InstanceConfig> own = evaluate_config(run_, job_, out_.diags);
  if (!own) return false;
  config_ = std::move(*own);
  bare_prior_ = prior_.unmark_deep();
  effective_ = plan_prior().is_null() ? config_ : effective_config(r_, prior_, config_);
  return true;
}

bool ManagedPlan::ask(const PlanQuestion& q, Diagnostics& diags) {
  std::optional<PlanResponse> planned = ask_plan(subject_, q, diags);
  if (!planned) return false;
  planned_ = std::move(*planned);
  if (planned_.deferred != Deferral::None) out_.deferral = reason_of(planned_.deferred);
  return true;
}

bool ManagedPlan::ask_provider() {
  const Value proposed = schema::proposed_new(block_, plan_prior(), effective_.value);
  if (object_) {
    std::optional<Value> identity = identity_value(*object_, job_.addr, *job_.provider, out_.diags);
    if (!identity) return false;
    identity_ = std::move(*identity);
  }
  const bool fresh = tainted() || !object_;
  return ask({plan_prior(), proposed, effective_.value, fresh ? std::string() : object_->private_data,
              tainted() ? Value() : identity_},
             out_.diags);
}

// In its value, or in what is sensitive.
bool ManagedPlan::differs() const {
  return !planned_.planned.raw_equal(bare_prior_) ||
         !same_marks(prior_, planned_value(planned_.planned, effective_.marks, block_)) ||
         (object_ && !records_marks(*object_, prior_));
}

std::optional<Decision> ManagedPlan::decide() {
  std::vector<Path> nonexistent;
  if (!plan_prior().is_null())
    required_ =
        filter_requires_replace(planned_.requires_replace, plan_prior(), planned_.planned, &nonexistent);
  for (const Path& p : nonexistent)
    add_violations("Provider produced invalid plan", "when it planned", job_.provider_addr.provider,
                   job_.addr, {{p, "replacement is required for an attribute that does not exist"}},
                   out_.diags);
  if (!nonexistent.empty()) return std::nullopt;
  return planning::decide({
      .exists = !prior_.is_null(),
      .tainted = tainted(),
      .trigger = r_.replace_triggered_by.empty() ? Reason::None : triggered(run_, job_, out_.diags),
      .requested = run_.force_replace.contains(job_.addr),
      .must_replace = !required_.empty(),
      .differs = differs(),
      .create_before_destroy = job_.forced_cbd,
      .may_destroy = r_.destroy,
  });
}

// The provider has planned an update; what it would create is another question.
bool ManagedPlan::ask_again() {
  const Value fresh = schema::proposed_new(block_, nothing_, config_.value);
  Diagnostics found;  // the first answer had the warnings
  const std::string private_data = std::move(planned_.planned_private);
  const bool possible = ask({nothing_, fresh, config_.value, private_data}, found);
  for (const Diagnostic& d : found.all())
    if (d.severity == Severity::Error) out_.diags.add(d);
  effective_ = config_;
  return possible;
}

// An object whose provisioners cannot run would be made and then be tainted.
void ManagedPlan::examine_provisioners(const Value& planned) {
  for (const config::Provisioner& p : r_.provisioners) {
    if (p.on_destroy) continue;
    Diagnostics found;
    if (config::needs_connection(p.type) && !p.whole_connection)
      report_missing_connection(p, found);
    else
      check_provisioner(p, scope_of(run_, job_, &planned), found);
    for (Diagnostic& d : found.mutable_all()) d.address = job_.addr.text();
    out_.diags.append(std::move(found));
  }
}

Value ManagedPlan::record(const Decision& d) {
  ResourceChange c = change_of(job_, d.action);
  c.prev_addr = run_.previous_address(job_.addr);
  c.create_before_destroy = job_.recorded_cbd;
  c.reason = d.reason;
  if (d.plan_again) c.required_replace = std::move(required_);
  if (importing_) note_import(*importing_, c);
  c.private_data = std::move(planned_.planned_private);
  c.change.before = prior_;
  c.change.before_identity = std::move(identity_);
  c.change.after_identity = std::move(planned_.planned_identity);
  c.change.after =
      d.action == Action::NoOp ? prior_ : planned_value(planned_.planned, effective_.marks, block_);
  if (d.action == Action::NoOp && job_.state && object_ && !job_.deferred_upstream)
    job_.state->current = with_order(object_, run_.dependencies.at(job_.node), lifecycle());
  if (destroys(d.action)) check_prevent_destroy(run_, r_, job_.addr, Destruction::ForReplacement, out_.diags);
  if (d.action == Action::Create || is_replace(d.action)) examine_provisioners(c.change.after);
  Value result = c.change.after;
  out_.changes.push_back(std::move(c));
  postcondition(result);
  return result;
}

Value ManagedPlan::stages() {
  if (importing_ && !import())
    return out_.deferral && run_.world.deferral_allowed ? plan_by_schema(run_, job_, out_) : job_.unknown();
  if (!find_prior()) return job_.unknown();
  if (run_.refresh_only()) return check_only();
  if (!precondition() || !evaluate() || !ask_provider()) return job_.unknown();
  const std::optional<Decision> d = decide();
  if (!d || (d->plan_again && !ask_again())) return job_.unknown();
  return record(*d);
}

// Whether to look first what the state's object alone would lead to.
bool ManagedPlan::may_trust() const {
  const PlanOptions& o = run_.options;
  return o.refresh && o.trusted && job_.read && object_ && !tainted() && !run_.refresh_only() &&
         !run_.survey && o.trusted(job_.addr);
}

// The plan without reading the object again, if it leaves everything as it is.
std::optional<Value> ManagedPlan::as_recorded() {
  InstanceJob job = job_;
  job.read = false;
  InstanceResult found;
  const ObjectPtr recorded = object_;
  const Value planned = ManagedPlan(run_, job, found).plan();
  const bool same = !found.diags.has_errors() && !found.deferral && found.drift.empty() &&
                    found.changes.size() == 1 && found.changes[0].change.action == Action::NoOp;
  if (!same) {
    job_.state->current = recorded;
    return std::nullopt;
  }
  found.changes[0].unverified = true;
  std::move(found.changes.begin(), found.changes.end(), std::back_inserter(out_.changes));
  std::move(found.checks.begin(), found.checks.end(), std::back_inserter(out_.checks));
  out_.diags.append(std::move(found.diags));
  return planned;
}

Value ManagedPlan::plan() {
  if (may_trust())
    if (std::optional<Value> planned = as_recorded()) return std::move(*planned);
  const Value planned = stages();
  for (const Value* told : {&config_.marked, &prior_}) hide_secrets(*told, block_, out_.diags);
  return planned;
}

}  // namespace

Value plan_managed(PlanRun& run, const InstanceJob& j, InstanceResult& out) {
  return ManagedPlan(run, j, out).plan();
}

}  // namespace xplan::planning
