// Destroying or forgetting one object, stage by stage: which object, its provisioners, the provider's work,
// what is left of it.
#include <fmt/format.h>

#include <functional>

#include "core/apply/apply_run.h"
#include "core/apply/provider_work.h"
#include "core/plan/contract.h"
#include "core/plan/objects.h"
#include "core/plan/secrets.h"
#include "core/provider/timing/subject.h"

namespace xplan::applying {
namespace {

class ObjectDestruction {
 public:
  ObjectDestruction(ApplyRun& run, const ResourceChange& c, InstanceResult& out)
      : run_(run), out_(out), c_(c) {}
  void carry_out();

 private:
  bool locate();
  void forget();
  bool run_provisioners();
  bool prepare();
  bool plan_deposed();
  bool goes_on();
  bool may_destroy();
  bool settle(const ApplyResponse& response);
  void keep(ObjectPtr left);
  bool announce() {
    return run_.recorder.record_durably(record_of(JournalRecord::Kind::Intent, c_, "delete", deposed_),
                                        out_.diags);
  }
  bool record(JournalRecord::Kind kind, ObjectPtr object = nullptr, std::function<void()> then = {}) {
    JournalRecord r = record_of(kind, c_, "delete", deposed_);
    r.object = std::move(object);
    return run_.recorder.record(r, out_.diags, std::move(then));
  }
  void fail() { run_.recorder.fail(c_.addr, c_.deposed); }
  void not_begun() {
    run_.recorder.withdraw(c_);
    fail();
  }

  ApplyRun& run_;
  InstanceResult& out_;
  const ResourceChange& c_;
  // Filled in by the stages:
  std::string deposed_;  // empty: the current object
  ObjectPtr object_;
  Provider* provider_ = nullptr;
  const config::Resource* resource_ = nullptr;  // null: no longer declared
  const config::Node* node_ = nullptr;          // of the module with the resource's or the removed block
  bool provisioned_ = false, idle_ = false;     // provisioners ran; nothing was begun
  Value bare_, nothing_, meta_;
  std::string private_data_;
};

// False: it is gone, or was never replaced.
bool ObjectDestruction::locate() {
  deposed_ = c_.deposed;
  if (c_.change.action == Action::CreateThenDelete) {
    std::optional<std::string> key = run_.recorder.deposed_key(c_.addr);
    if (!key) return false;
    deposed_ = *key;
  }
  object_ = run_.recorder.object(c_.addr, deposed_);
  return object_ != nullptr;
}

void ObjectDestruction::forget() {
  if (!record(JournalRecord::Kind::Remove)) return not_begun();
  run_.recorder.put(c_.addr, deposed_, nullptr);
  ++out_.forgotten;
}

// Provisioners of destroy time, in the resource or in a removed block; they run for current objects only, not
// for tainted ones, of which nobody knows how far they were set up, and see only self, count.index and
// each.key.
bool ObjectDestruction::run_provisioners() {
  resource_ = run_.config.find(c_.addr.config());
  const std::vector<config::Provisioner>* provisioners = nullptr;
  if (resource_) {
    provisioners = &resource_->provisioners;
    node_ = run_.config.find(c_.addr.module.module());
  } else if (const RemovedBlocks::Place* place = run_.removed.find(c_.addr.config())) {
    provisioners = &place->block->provisioners;
    node_ = place->node;
  }
  if (!deposed_.empty() || object_->status == ObjectStatus::Tainted || !provisioners || !node_) return true;
  provisioned_ = !provisioners->empty();
  ModuleInst stand_in;
  stand_in.node = node_;
  stand_in.addr = c_.addr.module;
  const Repetition rep{c_.addr.key, Value::unknown()};
  return provision(run_, *provisioners, true, c_.addr,
                   ModuleScope(run_.world, stand_in, &rep, &c_.change.before), out_.diags);
}

bool ObjectDestruction::prepare() {
  nothing_ = Value::null(c_.schema->block.implied_type());
  bare_ = c_.change.before.unmark_deep();
  private_data_ = c_.private_data;
  if (!resource_) return true;
  ModuleInst stand_in;  // only constants can stand there, so no instance of the module is needed
  stand_in.node = node_;
  const size_t errors = out_.diags.error_count();
  meta_ = provider_meta(run_.world, &stand_in, c_.provider.provider, *provider_, out_.diags);
  return out_.diags.error_count() == errors;
}

// A deposed object was planned as a part of something else, if at all.
bool ObjectDestruction::plan_deposed() {
  if (deposed_.empty() || !provider_->plans_destroy()) return true;
  const size_t errors = out_.diags.error_count();
  PlanResponse plan = provider_->plan({c_.addr.resource.type, bare_, nothing_, nothing_,
                                       object_->private_data, meta_, c_.change.before_identity});
  add_provider_diags(plan.diags, c_.addr, resource_, out_.diags);
  private_data_ = std::move(plan.planned_private);
  return out_.diags.error_count() == errors;
}

// The object is still there: as the provider has left it, or as it was.
void ObjectDestruction::keep(ObjectPtr left) {
  run_.recorder.put(c_.addr, deposed_, left);
  (void)record(JournalRecord::Kind::Result, std::move(left));
}

// Recording takes a while, in which the run may have been told to stop: then, the journal learns that nothing
// happened.
bool ObjectDestruction::goes_on() {
  const bool may = !run_.ending() && run_.recorder.may_begin(out_.diags), ending = run_.ending();
  if (may && !ending) return true;
  out_.reached = !ending;
  JournalRecord r = record_of(JournalRecord::Kind::Result, c_, "delete", deposed_);
  r.object = object_;
  r.withdraws = true;
  (void)run_.recorder.record(r, out_.diags);
  return false;
}

bool ObjectDestruction::may_destroy() {
  if (announce() && goes_on()) return true;
  idle_ = !provisioned_;
  return false;
}

// Whether the object is gone.
bool ObjectDestruction::settle(const ApplyResponse& response) {
  const size_t errors = out_.diags.error_count();
  add_provider_diags(response.diags, c_.addr, resource_, out_.diags);
  const bool failed = out_.diags.error_count() != errors;
  const Value& left = response.new_state;
  if (left.is_null()) {
    if (failed) keep(object_);  // with an error, "nothing" says nothing
    return !failed;
  }
  if (!failed)
    add_violations("Provider produced inconsistent result after apply", "when it destroyed",
                   c_.provider.provider, c_.addr, {{{}, "the object should be absent, but is present"}},
                   out_.diags);
  const bool usable = left.is_wholly_known() && check_conforms(c_.schema->block, left).empty();
  keep(!usable ? object_
               : make_object(apply_marks(left, marked_paths(c_.change.before), c_.schema->block), *c_.schema,
                             response.private_data, object_->dependencies, *object_, object_->status,
                             object_->identity));
  return false;
}

void ObjectDestruction::carry_out() {
  run_.recorder.begin(c_);
  if (!locate()) return;
  if (forgets(c_.change.action)) return forget();
  if (!run_.recorder.can_begin(out_.diags)) return not_begun();
  provider_ = run_.factory.answering(c_.addr, run_.provider_for(c_.provider));
  if (!provider_ || !c_.schema) return fail();
  const Stopwatch watch;
  const ObjectId id = object_id(c_.change.before);
  run_.tell(&Hooks::apply_start, c_.addr, deposed_, Action::Delete, id);
  const bool gone = run_provisioners() && prepare() && plan_deposed() && may_destroy() &&
                    settle(provider_->apply({c_.addr.resource.type,
                                             bare_,
                                             nothing_,
                                             nothing_,
                                             std::move(private_data_),
                                             std::move(meta_),
                                             {}}));
  hide_secrets(c_.change.before, c_.schema->block, out_.diags);
  if (!gone) {
    run_.tell(&Hooks::apply_failed, c_.addr, deposed_, Action::Delete, watch.seconds());
    return idle_ ? not_begun() : fail();
  }
  const double took = watch.seconds();
  // Where that fails, the state lacks it in any case, and nothing more begins.
  (void)record(JournalRecord::Kind::Remove, nullptr,
               [&hooks = run_.hooks, &c = c_, deposed = deposed_, id, took] {
                 hooks.apply_done(c.addr, deposed, Action::Delete, id, took);
               });
  run_.recorder.put(c_.addr, deposed_, nullptr);
  ++out_.destroyed;
}

}  // namespace

void destroy_object(ApplyRun& run, const ResourceChange& c, InstanceResult& out) {
  const CallSubject about(c.addr);
  ObjectDestruction(run, c, out).carry_out();
}

}  // namespace xplan::applying
