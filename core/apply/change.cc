// Creating and updating one object, stage by stage: its configuration with everything known, the final plan,
// the provider's work, its result, its provisioners, its records.
#include <fmt/format.h>

#include <functional>

#include "core/apply/apply_run.h"
#include "core/apply/provider_work.h"
#include "core/plan/ignore_changes.h"
#include "core/plan/objects.h"
#include "core/plan/secrets.h"
#include "core/provider/timing/subject.h"
#include "core/schema/decode.h"

namespace xplan::applying {
namespace {

class InstanceChange {
 public:
  InstanceChange(ApplyRun& run, const Job& j, InstanceResult& out)
      : run_(run),
        job_(j),
        out_(out),
        c_(*j.change),
        r_(*j.resource),
        block_(j.resource->schema->block),
        instance_(run.recorder.instance_at(j.change->addr)),
        creating_(j.change->change.action != Action::Update),
        old_(creating_ ? nullptr : instance_.current) {}
  Value carry_out();

 private:
  Value stages();
  bool may_begin();
  bool evaluate();
  std::optional<ProviderWork> validated_work();
  Value update_record(const PlanResponse& planned);
  bool goes_on();
  bool make_room();
  Value work(const ProviderWork& w, const PlanResponse& planned);
  bool run_provisioners(const Value& now);
  void record_outcome(std::function<void()> tell);
  ObjectPtr make(const Value& v, std::string private_data, ObjectStatus status, ObjectIdentityPtr id) const {
    return make_object(v, *r_.schema, std::move(private_data), job_.dependencies,
                       {c_.create_before_destroy, !r_.destroy}, status, std::move(id));
  }
  JournalRecord record_of(JournalRecord::Kind kind, ObjectPtr object = nullptr) const;
  bool record(JournalRecord::Kind kind, ObjectPtr object, std::function<void()> then = {}) {
    return run_.recorder.record(record_of(kind, std::move(object)), out_.diags, std::move(then));
  }
  Value give_up();
  Value not_begun();
  void withdraw();
  bool refuse(const char* summary, std::string detail);
  Action action() const { return creating_ ? Action::Create : Action::Update; }

  ApplyRun& run_;
  const Job& job_;
  InstanceResult& out_;
  const ResourceChange& c_;
  const config::Resource& r_;
  const schema::Block& block_;
  InstanceState& instance_;
  const bool creating_;
  const ObjectPtr old_;
  // Filled in by the stages:
  Value marked_;                        // the configuration
  Value config_, effective_;            // bare; the latter after ignore_changes
  std::vector<PathMarks> marks_;        // of the effective configuration, as far as they are kept
  std::optional<std::string> deposed_;  // the key of the object that was there, while its successor is made
};

Value InstanceChange::give_up() {
  run_.recorder.fail(c_.addr);
  return Value::unknown(block_.implied_type());
}

// The provider was not asked, for a reason that is the run's.
Value InstanceChange::not_begun() {
  run_.recorder.withdraw(c_);
  return give_up();
}

bool InstanceChange::refuse(const char* summary, std::string detail) {
  out_.diags.error(summary, std::move(detail), r_.range).address = c_.addr.text();
  return false;
}

JournalRecord InstanceChange::record_of(JournalRecord::Kind kind, ObjectPtr object) const {
  JournalRecord r = applying::record_of(kind, c_, creating_ ? "create" : "update");
  r.object = std::move(object);
  if (creating_ && !r_.provisioners.empty()) r.results = 2;
  return r;
}

bool InstanceChange::may_begin() {
  note_import(run_, c_, out_);
  if (!check_conditions(run_, RuleKind::Precondition, job_, c_.addr, nullptr, out_)) return false;
  if (!creating_ && !old_)
    return refuse(
        "Object does not exist",
        fmt::format("The plan updates {}, but its state contains no object for it. Create a new plan.",
                    c_.addr.text()));
  if (!creating_ || c_.change.action == Action::CreateThenDelete || !instance_.current) return true;
  return refuse(
      "Object still exists",
      fmt::format(
          "{} should be created after the object it replaces is destroyed, but that has not happened. "
          "Nothing was created, so that no object is lost. This is a bug in xplan; please report it.",
          c_.addr.text()));
}

// The configuration, all of it known by now.
bool InstanceChange::evaluate() {
  const size_t errors = out_.diags.error_count();
  marked_ =
      schema::decode(r_.content, block_, ModuleScope(run_.world, *job_.module, job_.repetition), out_.diags);
  if (out_.diags.error_count() != errors) return false;
  config_ = effective_ = unmark_with_paths(marked_, marks_);
  if (!config_.is_wholly_known())
    return refuse("Configuration contains unknown value",
                  fmt::format("The configuration of {} still depends on a value that is not known. That "
                              "value should be known by now, so its source did not return what was planned.",
                              c_.addr.text()));
  if (!creating_ && r_.ignore != config::IgnoreKind::None) {
    marks_.clear();
    effective_ = unmark_with_paths(apply_ignore_changes(r_, c_.change.before, marked_), marks_);
  }
  std::erase_if(marks_, [](const PathMarks& m) { return !(m.marks & kSensitive); });
  for (PathMarks& m : marks_) m.marks = kSensitive;
  return true;
}

std::optional<ProviderWork> InstanceChange::validated_work() {
  const size_t errors = out_.diags.error_count();
  add_provider_diags(job_.provider->validate_resource(Mode::Managed, r_.addr.type, config_), c_.addr, &r_,
                     out_.diags);
  if (out_.diags.error_count() != errors) return std::nullopt;
  Value meta = provider_meta(run_.world, job_.module, c_.provider.provider, *job_.provider, out_.diags);
  if (out_.diags.error_count() != errors) return std::nullopt;
  return ProviderWork{.change = c_,
                      .resource = &r_,
                      .block = block_,
                      .provider = *job_.provider,
                      .creating = creating_,
                      .old = old_,
                      .prior = old_ ? c_.change.before.unmark_deep() : Value::null(block_.implied_type()),
                      .config = config_,
                      .meta = std::move(meta),
                      .prior_identity = creating_ ? Value() : c_.change.before_identity};
}

// The provider has nothing to do: only marks differ, which is a change if it was planned, or nothing does.
Value InstanceChange::update_record(const PlanResponse& planned) {
  const Value now = apply_marks(planned.planned, marks_, block_);
  const bool only_marks = c_.change.after.unmark_deep().raw_equal(planned.planned);
  if (only_marks) run_.tell(&Hooks::apply_start, c_.addr, "", Action::Update, object_id(c_.change.before));
  instance_.current = make(now, old_->private_data, old_->status, old_->identity);
  (void)record(JournalRecord::Kind::Result, instance_.current);  // the state has it in any case
  if (only_marks)
    run_.tell(&Hooks::apply_done, c_.addr, "", Action::Update, object_id(now), 0), ++out_.changed;
  check_conditions(run_, RuleKind::Postcondition, job_, c_.addr, &now, out_);
  return now;
}

// Recording takes a while, in which the run may have been told to stop.
bool InstanceChange::goes_on() {
  const bool may = run_.ending() || run_.recorder.may_begin(out_.diags);
  if (run_.ending()) return out_.reached = false;
  return may;
}

// The object that a successor replaces is deposed first; then the journal learns what is about to happen, and
// where it does not happen, that too.
bool InstanceChange::make_room() {
  if (!goes_on()) return false;
  if (c_.change.action == Action::CreateThenDelete && instance_.current) {
    deposed_ = run_.recorder.depose(c_, out_.diags);
    if (!deposed_) return false;
  }
  const bool announced =
      goes_on() && run_.recorder.record_durably(record_of(JournalRecord::Kind::Intent), out_.diags);
  if (announced && goes_on()) return true;
  if (deposed_)
    run_.recorder.restore(c_, *deposed_, out_.diags);
  else if (announced)
    withdraw();
  return false;
}

// The intent: the object is as it was.
void InstanceChange::withdraw() {
  JournalRecord r = record_of(old_ ? JournalRecord::Kind::Result : JournalRecord::Kind::Remove, old_);
  r.withdraws = true;
  (void)run_.recorder.record(r, out_.diags);
}

// Were the run to die while they run, the object exists but is not finished: tainted until they are done.
bool InstanceChange::run_provisioners(const Value& now) {
  if (r_.provisioners.empty()) return true;
  if (!run_.recorder.record_durably(record_of(JournalRecord::Kind::Result, instance_.current), out_.diags,
                                    true) ||
      !provision(run_, r_.provisioners, false, c_.addr,
                 ModuleScope(run_.world, *job_.module, job_.repetition, &now), out_.diags))
    return false;
  auto finished = std::make_shared<Object>(*instance_.current);
  finished->status = ObjectStatus::Ready;
  instance_.current = std::move(finished);
  return true;
}

// Where that fails, the state has the outcome, and nothing more begins. `tell` says how it ended.
void InstanceChange::record_outcome(std::function<void()> tell) {
  if (!instance_.current && deposed_)  // nothing was made: the old object is the current one again
    return run_.recorder.restore(c_, *deposed_, out_.diags, std::move(tell));
  (void)record(instance_.current ? JournalRecord::Kind::Result : JournalRecord::Kind::Remove,
               instance_.current, std::move(tell));
}

Value InstanceChange::work(const ProviderWork& w, const PlanResponse& planned) {
  const Stopwatch watch;
  run_.hooks.apply_start(c_.addr, "", action(), object_id(creating_ ? w.prior : c_.change.before));
  ApplyResponse response = w.provider.apply({c_.addr.resource.type, w.prior, planned.planned, config_,
                                             planned.planned_private, w.meta, planned.planned_identity});
  WorkResult result = settle_result(w, planned, response, out_.diags);
  bool ok = result.ok;
  const Value now = result.object.is_null() ? result.object : apply_marks(result.object, marks_, block_);
  if (!now.is_null()) {
    const bool finished = ok && r_.provisioners.empty();
    const ObjectStatus status = !creating_ ? old_->status
                                : finished ? ObjectStatus::Ready
                                           : ObjectStatus::Tainted;
    const bool keep_private = response.private_data.empty() && !ok && old_;
    instance_.current = make(now, keep_private ? old_->private_data : std::move(response.private_data),
                             status, std::move(result.identity));
  }
  if (ok && creating_) ok = run_provisioners(now);
  const double took = watch.seconds();
  record_outcome([&hooks = run_.hooks, &c = c_, ok, id = object_id(now), did = action(), took] {
    if (ok)
      hooks.apply_done(c.addr, "", did, id, took);
    else
      hooks.apply_failed(c.addr, "", did, took);
  });
  if (!ok) return give_up();
  ++(creating_ ? out_.added : out_.changed);
  if (!check_conditions(run_, RuleKind::Postcondition, job_, c_.addr, &now, out_))
    run_.recorder.fail(c_.addr);
  return now;
}

Value InstanceChange::stages() {
  if (run_.recorder.has_failed(c_.addr))
    return Value::unknown(block_.implied_type());  // its destruction failed; reported there
  if (!run_.recorder.can_begin(out_.diags)) return not_begun();
  if (!may_begin() || !evaluate()) return give_up();
  std::optional<ProviderWork> w = validated_work();
  if (!w) return give_up();
  std::optional<PlanResponse> planned = make_final_plan(*w, effective_, out_.diags);
  if (!planned) return give_up();
  if (!creating_ && planned->planned.raw_equal(w->prior)) return update_record(*planned);
  return make_room() ? work(*w, *planned) : not_begun();
}

Value InstanceChange::carry_out() {
  run_.recorder.begin(c_);
  Value now = stages();
  for (const Value* told : {&std::as_const(marked_), &c_.change.before})
    hide_secrets(*told, block_, out_.diags);
  return now;
}

}  // namespace

Value create_or_update(ApplyRun& run, const Job& j, InstanceResult& out) {
  const CallSubject about(j.change->addr);
  return InstanceChange(run, j, out).carry_out();
}

}  // namespace xplan::applying
