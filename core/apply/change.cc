// Creating and updating one object: the configuration with everything known, the final plan, the provider's
// work, its result.
#include <fmt/format.h>
#include <chrono>

#include "core/apply/applier.h"
#include "core/base/log.h"
#include "core/plan/contract.h"
#include "core/plan/identity.h"
#include "core/plan/ignore_changes.h"
#include "core/plan/objects.h"

namespace xplan::applying {

bool Applier::record(InstanceResult& out, const JournalRecord& r) {
  if (!options.journal) return true;
  Result<void> ok = options.journal->append(r);
  if (!ok)
    out.diags.error("Failed to write the journal",
                    fmt::format("{}. Nothing more is changed, so that no change can be lost. "
                                "Remove the cause, then apply again to complete the work.",
                                ok.error().message));
  return ok.ok();
}

void Applier::fail(const AbsInstance& a, std::string_view deposed) {
  std::lock_guard guard(lock);
  failed.insert(a.text() + "|" + std::string(deposed));
}

bool Applier::has_failed(const AbsInstance& a) {
  std::lock_guard guard(lock);
  return !failed.empty() && failed.contains(a.text() + "|");
}

void Applier::import(const ResourceChange& c, InstanceResult& out) {
  if (!c.change.importing) return;
  hooks.imported(c.addr, import_target_id(c.change.import_id, c.change.import_identity));
  ++out.imported;
}

bool Applier::conditions(const std::vector<config::CheckRule>& rules, RuleKind kind, const Job& j,
                         const AbsInstance& addr, const Value* self, InstanceResult& out) {
  if (rules.empty() || plan.mode == PlanMode::RefreshOnly) return true;
  if (out.checks.empty()) out.checks.push_back({addr.text(), CheckStatus::Pass, {}});
  return evaluate_rules(rules, kind, ModuleScope(world, *j.module, j.repetition, self), Severity::Error,
                        out.checks.back(), out.diags);
}

Value Applier::create_or_update(const Job& j, InstanceResult& out) {
  const ResourceChange& c = *j.change;
  const config::Resource& r = *j.resource;
  const schema::Schema& schema = *r.schema;
  const schema::Block& block = schema.block;
  Value unknown = Value::unknown(block.implied_type());
  InstanceState& instance = *state.find(c.addr);
  auto give_up = [&] {
    fail(c.addr, "");
    return unknown;
  };
  auto refuse = [&](const char* summary, std::string detail) {
    out.diags.error(summary, std::move(detail), r.range).address = c.addr.text();
    return give_up();
  };
  if (has_failed(c.addr)) return unknown;  // its destruction failed; reported there
  import(c, out);
  if (!conditions(r.preconditions, RuleKind::Precondition, j, c.addr, nullptr, out)) return give_up();

  bool creating = c.change.action != Action::Update;
  if (creating && c.change.action != Action::CreateThenDelete && instance.current)
    return refuse(
        "Object still there",
        fmt::format("{} was to be created after the object that it replaces was destroyed, which has "
                    "not happened. Nothing was created, so that no object is lost. This is a bug in "
                    "xplan: please report it.",
                    c.addr.text()));
  size_t errors = out.diags.error_count();
  ModuleScope scope(world, *j.module, j.repetition);
  Value config_marked = schema::decode(r.content, block, scope, out.diags);
  if (out.diags.error_count() != errors) return give_up();
  std::vector<PathMarks> marks;
  Value config_value = unmark_with_paths(config_marked, marks);
  if (!config_value.is_wholly_known())
    return refuse(
        "Configuration contains unknown value",
        fmt::format("The configuration of {} still depends on a value that is not known. That value "
                    "should have been decided by now, "
                    "so what it comes from did not keep its promise.",
                    c.addr.text()));
  ObjectPtr old = creating ? nullptr : instance.current;
  Value prior = Value::null(block.implied_type());
  if (old) prior = c.change.before;
  Value bare_prior = prior.unmark_deep(), effective = config_value;
  if (!creating && r.ignore != config::IgnoreKind::None) {
    marks.clear();
    effective = unmark_with_paths(apply_ignore_changes(r, prior, config_marked), marks);
  }
  add_provider_diags(j.provider->validate_resource(Mode::Managed, r.addr.type, config_value), c.addr, &r,
                     out.diags);
  if (out.diags.error_count() != errors) return give_up();

  Value meta = provider_meta(world, j.module, c.provider.provider, *j.provider, out.diags);
  Value proposed = schema::proposed_new(block, bare_prior, effective);
  Value prior_identity = creating ? Value() : c.change.before_identity;
  PlanRequest request{c.addr.resource.type,         bare_prior, proposed,      effective,
                      old ? old->private_data : "", meta,       prior_identity};
  PlanResponse second = j.provider->plan(request);
  add_provider_diags(second.diags, c.addr, &r, out.diags);
  if (out.diags.error_count() != errors) return give_up();
  if (second.deferred != Deferral::None) return refuse_deferral(j, c.addr, out), give_up();
  Violations broken = check_conforms(block, second.planned);
  Value promised = c.change.after.unmark_deep();
  if (broken.empty()) broken = check_compatible(block, promised, second.planned);
  if (broken.empty() && !creating)
    for (Path& p : filter_requires_replace(second.requires_replace, bare_prior, second.planned, nullptr))
      broken.emplace_back(std::move(p), "an update was planned, but now replacement is required");
  if (!broken.empty()) {
    add_violations("Provider produced inconsistent final plan", "when it made the final plan for",
                   c.provider.provider, c.addr, broken, out.diags);
    return give_up();
  }
  if (!settle_identity(second.planned_identity, prior_identity, true, "when it made the final plan", c.addr,
                       out.diags))
    return give_up();
  std::vector<PathMarks> kept;
  for (PathMarks& m : marks)
    if (m.marks & kSensitive) kept.push_back({std::move(m.path), kSensitive});

  // The provider has nothing to do: only marks differ, which is a change if it was planned, or nothing does.
  if (!creating && second.planned.raw_equal(bare_prior)) {
    const bool only_marks = promised.raw_equal(bare_prior);
    if (only_marks) hooks.apply_start(c.addr, "", Action::Update, object_id(prior));
    Value now = apply_marks(second.planned, kept, block);
    instance.current = make_object(now, schema, old->private_data, j.dependencies, c.create_before_destroy,
                                   old->status, old->identity);
    JournalRecord done;
    done.kind = JournalRecord::Kind::Result, done.addr = c.addr, done.action = "update",
    done.provider = c.provider, done.object = instance.current;
    const bool recorded = record(out, done);
    if (only_marks && recorded)
      hooks.apply_done(c.addr, "", Action::Update, object_id(now), 0), ++out.changed;
    else if (only_marks)
      hooks.apply_failed(c.addr, "", Action::Update, 0);
    if (!recorded) return give_up();
    conditions(r.postconditions, RuleKind::Postcondition, j, c.addr, &now, out);
    return now;
  }

  std::string deposed_key;
  if (c.change.action == Action::CreateThenDelete && instance.current) {
    deposed_key = new_deposed_key(instance.deposed);
    JournalRecord set_aside;  // one record: with two, a run killed between them would leave the object in the
                              // state twice or not at all
    set_aside.kind = JournalRecord::Kind::Depose, set_aside.addr = c.addr, set_aside.deposed = deposed_key,
    set_aside.provider = c.provider;
    if (!record(out, set_aside)) return give_up();
    instance.deposed.emplace(deposed_key, instance.current);
    instance.current = nullptr;
    std::lock_guard guard(lock);
    deposed_keys[c.addr] = deposed_key;
  }
  JournalRecord intent;
  intent.kind = JournalRecord::Kind::Intent, intent.addr = c.addr,
  intent.action = creating ? "create" : "update", intent.provider = c.provider;
  if (!record(out, intent)) return give_up();
  auto start = std::chrono::steady_clock::now();
  auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  hooks.apply_start(c.addr, "", creating ? Action::Create : Action::Update, object_id(prior));
  ApplyRequest apply{c.addr.resource.type,   bare_prior, second.planned,         config_value,
                     second.planned_private, meta,       second.planned_identity};
  ApplyResponse response = j.provider->apply(apply);
  size_t before = out.diags.error_count();
  add_provider_diags(response.diags, c.addr, &r, out.diags);
  bool ok = out.diags.error_count() == before;

  Value result = response.new_state;
  if (result.type().is_dynamic() && result.is_null())
    result = ok ? Value::null(block.implied_type()) : bare_prior;
  Violations wrong;
  if (!result.is_null()) {
    if (Violations v = check_write_only(block, result);
        !v.empty()) {  // the object exists: keep the rest of it
      add_violations("Provider produced invalid object", "when it applied", c.provider.provider, c.addr, v,
                     out.diags);
      result = schema::strip_write_only(result, block), ok = false;
    }
    wrong = check_conforms(block, result);
  }
  if (!wrong.empty()) {
    add_violations("Provider produced invalid object", "when it applied", c.provider.provider, c.addr, wrong,
                   out.diags);
    result = bare_prior, ok = false;
  }
  if (ok && result.is_null()) {
    add_violations("Provider produced inconsistent result after apply", "when it applied",
                   c.provider.provider, c.addr, {{{}, "the object was to be present, but is absent"}},
                   out.diags);
    result = bare_prior, ok = false;
  }
  if (!result.is_wholly_known()) {
    Violations unknowns;
    for (Path& p : unknown_paths(result)) unknowns.emplace_back(std::move(p), "the value is still unknown");
    add_violations("Provider returned invalid result object after apply", "when it applied",
                   c.provider.provider, c.addr, unknowns, out.diags);
    result = transform_value(
        result, [](const Path&, const Value& v) { return v.is_unknown() ? Value::null(v.type()) : v; });
    ok = false;
  } else if (ok && !result.is_null() && (!response.legacy_type_system || log_enabled(LogLevel::Warn))) {
    Violations inconsistent = check_compatible(block, second.planned, result);
    if (!inconsistent.empty() && response.legacy_type_system) {
      log_tolerated("an unexpected new value", c.provider.provider, c.addr, inconsistent);
    } else if (!inconsistent.empty()) {
      add_violations("Provider produced inconsistent result after apply", "when it applied",
                     c.provider.provider, c.addr, inconsistent, out.diags);
      ok = false;
    }
  }

  ObjectIdentityPtr identity = old ? old->identity : nullptr;
  if (!result.is_null()) {
    bool known = second.planned_identity.is_wholly_known();
    if (!settle_identity(response.new_identity, known ? second.planned_identity : prior_identity, false,
                         "when it applied the change", c.addr, out.diags))
      ok = false;
    if (!response.new_identity.is_null())
      identity = make_identity(response.new_identity, c.addr.resource.type, *j.provider);
  }
  Value now = result.is_null() ? result : apply_marks(result, kept, block);
  if (!result.is_null()) {
    ObjectStatus status = creating && !ok ? ObjectStatus::Tainted
                          : creating      ? ObjectStatus::Ready
                                          : old->status;
    std::string priv =
        response.private_data.empty() && !ok && old ? old->private_data : response.private_data;
    instance.current = make_object(now, schema, std::move(priv), j.dependencies, c.create_before_destroy,
                                   status, std::move(identity));
  }
  if (ok && creating && !r.provisioners.empty()) {
    // Were the run to die now, the object exists but is not finished.
    auto unfinished = std::make_shared<Object>(*instance.current);
    unfinished->status = ObjectStatus::Tainted;
    JournalRecord made = intent;
    made.kind = JournalRecord::Kind::Result, made.object = unfinished;
    ok = record(out, made) && provision(r.provisioners, false, c.addr,
                                        ModuleScope(world, *j.module, j.repetition, &now), r.connection, out);
    if (!ok) instance.current = std::move(unfinished);
  }
  if (!instance.current &&
      !deposed_key.empty()) {  // nothing was made: the old object is the current one again
    instance.current = instance.deposed[deposed_key];
    instance.deposed.erase(deposed_key);
    JournalRecord back = intent;
    back.kind = JournalRecord::Kind::Restore, back.deposed = deposed_key;
    (void)record(out, back);
  } else {
    JournalRecord done = intent;
    done.kind = instance.current ? JournalRecord::Kind::Result : JournalRecord::Kind::Remove;
    done.object = instance.current;
    ok &= record(out, done);
  }
  if (!ok) {
    hooks.apply_failed(c.addr, "", creating ? Action::Create : Action::Update, seconds());
    return give_up();
  }
  hooks.apply_done(c.addr, "", creating ? Action::Create : Action::Update, object_id(now), seconds());
  if (creating)
    ++out.added;
  else
    ++out.changed;
  if (!conditions(r.postconditions, RuleKind::Postcondition, j, c.addr, &now, out)) fail(c.addr, "");
  return now;
}

}  // namespace xplan::applying
