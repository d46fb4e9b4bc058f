// Planning one instance of a managed resource: refresh, conditions, configuration, the provider's plan, the
// action.
#include <fmt/format.h>
#include <algorithm>

#include "core/base/log.h"
#include "core/plan/identity.h"
#include "core/plan/imported.h"
#include "core/plan/planner_impl.h"
#include "core/schema/decode.h"
#include "core/state/same_json.h"

namespace xplan::planning {
namespace {

Value null_object(const schema::Schema& s) {
  return Value::null(s.block.implied_type());
}

// Whether the state knows all that is sensitive in the object: a schema may have come to call more of it so.
bool records_marks(const Object& o, const Value& v) {
  return !v.contains_marks() || same_marks(mark_at_paths(v.unmark_deep(), o.sensitive_paths), v);
}

// What decides about order is recorded with the object, for the time when nothing is configured any more.
ObjectPtr with_order(const ObjectPtr& o, const Dependencies& deps, bool create_before_destroy) {
  const Dependencies& had = o->dependencies;
  bool same = deps == had || (deps && had && *deps == *had);
  if (same && o->create_before_destroy == create_before_destroy) return o;
  auto copy = std::make_shared<Object>(*o);
  copy->dependencies = deps, copy->create_before_destroy = create_before_destroy;
  return copy;
}

// An object that is going to change, or to end, still depends on what it was made with.
Dependencies united(const Dependencies& had, const Dependencies& now) {
  if (!had || had->empty() || had == now || (now && *had == *now)) return now;
  if (!now || now->empty()) return had;
  std::vector<ConfigResource> all = *had;
  all.insert(all.end(), now->begin(), now->end());
  std::sort(all.begin(), all.end(),
            [](const ConfigResource& a, const ConfigResource& b) { return less(a, b); });
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() == had->size()) return had;
  return std::make_shared<const std::vector<ConfigResource>>(std::move(all));
}

}  // namespace

bool Planner::conditions(const std::vector<config::CheckRule>& rules, RuleKind kind, const InstanceJob& j,
                         const Value* self, InstanceResult& out) {
  if (rules.empty() || survey) return true;
  if (out.checks.empty()) out.checks.push_back({j.addr.text(), CheckStatus::Pass, {}});
  Severity failure = options.mode == PlanMode::RefreshOnly ? Severity::Warning : Severity::Error;
  return evaluate_rules(rules, kind, scope_of(j, self), failure, out.checks.back(), out.diags) ||
         options.mode == PlanMode::RefreshOnly;
}

std::optional<Value> Planner::refresh(const InstanceJob& j, const AbsInstance& addr, ObjectPtr& object,
                                      const schema::SchemaPtr& schema, InstanceResult& out, bool record_drift,
                                      std::string_view deposed) {
  if (object->moved_from) {
    object = convert_moved(object, addr, *schema, *j.provider, moves.converted.at(addr), out.diags);
    if (!object) abandoned = true;
  }
  if (!object) return std::nullopt;
  std::optional<Value> before = object_value(*object, addr, *schema, *j.provider, out.diags);
  if (!before) return std::nullopt;
  // What the schema's present version made of an older object is what the state has from here on.
  if (!object->value && (object->schema_version != schema->version ||
                         !same_json(object->attributes_json, *before, schema->block.implied_type())))
    object = make_object(*before, *schema, object->private_data, object->dependencies,
                         object->create_before_destroy, object->status, object->identity);
  std::optional<Value> identity = identity_value(*object, addr, *j.provider, out.diags);
  if (!identity) return std::nullopt;
  if (!identity->is_null()) object = with_identity(object, *identity, addr.resource.type, *j.provider);
  if (!options.refresh) return before;
  ObjectId id = object_id(*before);
  hooks.refresh_start(addr, deposed, id);
  std::vector<PathMarks> marks;
  ReadResponse r = j.provider->read(
      {addr.resource.type, unmark_with_paths(*before, marks), object->private_data,
       provider_meta(world, j.module, j.provider_addr.provider, *j.provider, out.diags), *identity});
  size_t errors = out.diags.error_count();
  add_provider_diags(r.diags, addr, j.resource, out.diags);
  if (out.diags.error_count() != errors) return std::nullopt;
  if (defer(r.deferred, j, out.diags)) return world.deferral_allowed ? before : std::nullopt;
  Violations wrong = check_conforms(schema->block, r.new_state);
  for (Path& p : unknown_paths(r.new_state)) wrong.emplace_back(std::move(p), "the value is unknown");
  if (!wrong.empty()) {
    add_violations("Provider produced invalid object", "when it read", j.provider_addr.provider, addr, wrong,
                   out.diags);
    return std::nullopt;
  }
  if (!r.new_state.is_null() &&
      !settle_identity(r.new_identity, *identity, false, "when it read the object", addr, out.diags))
    return std::nullopt;
  hooks.refresh_done(addr, r.new_state.is_null() ? ObjectId() : object_id(r.new_state));
  Value after = r.new_state.is_null() ? null_object(*schema) : apply_marks(r.new_state, marks, schema->block);
  Value bare = before->unmark_deep();
  bool changed =
      !bare.raw_equal(r.new_state.is_null() ? after : r.new_state) || !records_marks(*object, after);
  if (changed && record_drift) {
    ResourceChange c;
    c.addr = addr;
    auto from = moves.previous.find(addr);
    c.prev_addr = from == moves.previous.end() ? addr : from->second;
    c.provider = j.provider_addr;
    c.schema = schema;
    c.change.action = after.is_null() ? Action::Delete : Action::Update;
    c.change.before = *before;
    c.change.after = after;
    out.drift.push_back(std::move(c));
  }
  if (after.is_null()) {
    object = nullptr;
  } else if (changed || r.private_data != object->private_data || !r.new_identity.raw_equal(*identity)) {
    ObjectIdentityPtr named = object->identity;
    if (!r.new_identity.is_null()) named = make_identity(r.new_identity, addr.resource.type, *j.provider);
    object = make_object(after, *schema, r.private_data, object->dependencies, object->create_before_destroy,
                         object->status, std::move(named));
  }
  if (j.resource && !j.deferred_upstream && object)
    object = with_order(object, united(object->dependencies, dependencies.at(j.node)),
                        object->create_before_destroy);
  return after;
}

// The configuration's value for the instance, which the provider has validated; nothing after an error.
std::optional<InstanceConfig> Planner::evaluate_config(const InstanceJob& j, Diagnostics& out) const {
  const config::Resource& r = *j.resource;
  const size_t before = out.error_count();
  InstanceConfig c;
  c.marked = schema::decode(r.content, r.schema->block, scope_of(j), out);
  if (out.error_count() != before || !check_ephemeral(c.marked, r, j.addr, out)) return std::nullopt;
  c.value = unmark_with_paths(c.marked, c.marks);
  add_provider_diags(j.provider->validate_resource(r.addr.mode, r.addr.type, c.value), j.addr, &r, out);
  if (out.error_count() != before) return std::nullopt;
  return c;
}

bool Planner::call_plan(const InstanceJob& j, const Value& prior, const Value& proposed,
                        const Value& config_value, const std::string& prior_private,
                        const Value& prior_identity, PlanResponse& response, Diagnostics& out) const {
  PlanRequest request{j.addr.resource.type,
                      prior,
                      proposed,
                      config_value,
                      prior_private,
                      provider_meta(world, j.module, j.provider_addr.provider, *j.provider, out),
                      prior_identity};
  response = j.provider->plan(request);
  size_t errors = out.error_count();
  add_provider_diags(response.diags, j.addr, j.resource, out);
  if (out.error_count() != errors) return false;
  const schema::Block& block = j.resource->schema->block;
  bool deferred = defer(response.deferred, j, out);
  if (deferred && !world.deferral_allowed) return false;
  if (deferred && response.planned.is_null())  // it need not say what it would do
    response.planned = schema::strip_write_only(
        prior.is_null() ? schema::planned_unknown(block, proposed) : proposed, block);
  if (auto v = check_conforms(block, response.planned); !v.empty()) {
    add_violations("Provider produced invalid plan", "when it planned", j.provider_addr.provider, j.addr, v,
                   out);
    return false;
  }
  if (response.planned.is_null() && !proposed.is_null()) {
    add_violations("Provider produced invalid plan", "when it planned", j.provider_addr.provider, j.addr,
                   {{{}, "the planned object is null although the resource is configured"}}, out);
    return false;
  }
  if (!settle_identity(response.planned_identity, prior_identity, true, "when it planned", j.addr, out))
    return false;
  if (deferred || (response.legacy_type_system && !log_enabled(LogLevel::Warn))) return true;
  if (auto v = check_planned(block, prior, config_value, response.planned); !v.empty()) {
    if (response.legacy_type_system) {
      log_tolerated("an invalid plan", j.provider_addr.provider, j.addr, v);
      return true;
    }
    add_violations("Provider produced invalid plan", "when it planned", j.provider_addr.provider, j.addr, v,
                   out);
    return false;
  }
  return true;
}

bool Planner::force_replaced(const AbsInstance& a) const {
  return !force_replace.empty() && force_replace.contains(a);
}

void Planner::plan_deposed(const InstanceJob& j, InstanceResult& out) {
  if (!j.state) return;
  for (auto it = j.state->deposed.begin(); it != j.state->deposed.end();) {
    ObjectPtr object = it->second;
    std::optional<Value> v = refresh(j, j.addr, object, j.resource->schema, out, false, it->first);
    auto waits = [&] {  // only this object waits, and nothing waits for it
      if (!j.deferred || !world.deferral_allowed) return false;
      j.deferred.reset();
      return out.incomplete = true;
    };
    if (waits()) {
      ++it;
      continue;
    }
    if (v && !object) {  // gone already
      it = j.state->deposed.erase(it);
      continue;
    }
    it->second = object;
    if (v && options.mode != PlanMode::RefreshOnly) {
      ResourceChange c;
      c.addr = c.prev_addr = j.addr;
      c.deposed = it->first;
      c.provider = j.provider_addr;
      c.schema = j.resource->schema;
      c.change.action = Action::Delete;
      c.change.before = *v;
      c.change.after = null_object(*j.resource->schema);
      c.private_data = object->private_data;
      std::optional<Value> identity = identity_value(*object, j.addr, *j.provider, out.diags);
      if (identity) c.change.before_identity = std::move(*identity);
      if (identity && plan_destruction(j, j.resource, c, out) && !waits())
        out.changes.push_back(std::move(c));
    }
    ++it;
  }
}

Value Planner::plan_managed(const InstanceJob& j, InstanceResult& out) {
  const config::Resource& r = *j.resource;
  const schema::Schema& schema = *r.schema;
  const schema::Block& block = schema.block;
  Value unknown = Value::unknown(block.implied_type());

  ObjectPtr object = j.state ? j.state->current : nullptr;
  const ImportTarget* importing = object ? nullptr : j.import;
  if (importing) {
    std::optional<ObjectPtr> imported = import_object(j, *importing, out);
    if (!imported) return j.deferred && world.deferral_allowed ? plan_by_schema(j, out) : unknown;
    object = *imported;
  }
  plan_deposed(j, out);

  Value prior = null_object(schema);
  if (object) {
    const bool read = importing && known_import(j.addr, *importing);
    std::optional<Value> v = read ? object_value(*object, j.addr, schema, *j.provider, out.diags)
                                  : refresh(j, j.addr, object, r.schema, out, importing == nullptr);
    if (!v) return unknown;
    prior = *v;
    if (importing && prior.is_null()) {
      out.diags.error("Cannot import non-existent remote object",
                      no_object_text(j.addr, importing->id, importing->identity),
                      importing->block ? importing->block->range : r.range);
      return unknown;
    }
    if (j.state)
      j.state->current = object =
          j.deferred_upstream || !object ? object : with_order(object, object->dependencies, j.forced_cbd);
    else if (object)
      out.objects.push_back({j.addr, j.provider_addr, object});
  }
  if (options.mode == PlanMode::RefreshOnly) {
    Value now = prior.is_null() ? unknown : prior;
    if (!r.preconditions.empty() && !conditions(r.preconditions, RuleKind::Precondition, j, nullptr, out))
      return now;
    conditions(r.postconditions, RuleKind::Postcondition, j, &now, out);
    return now;
  }

  if (!conditions(r.preconditions, RuleKind::Precondition, j, nullptr, out)) return unknown;
  std::optional<InstanceConfig> own = evaluate_config(j, out.diags);
  if (!own) return unknown;

  bool tainted = object && object->status == ObjectStatus::Tainted;
  Value bare_prior = prior.unmark_deep();
  Value create_prior = null_object(schema);
  const Value& plan_prior = tainted ? create_prior : bare_prior;
  std::vector<PathMarks> marks = own->marks;
  Value effective = own->value;
  if (r.ignore != config::IgnoreKind::None && !plan_prior.is_null()) {
    marks.clear();
    effective = unmark_with_paths(apply_ignore_changes(r, prior, own->marked), marks);
  }
  Value proposed = schema::proposed_new(block, plan_prior, effective);
  std::optional<Value> identity = Value();
  if (object) identity = identity_value(*object, j.addr, *j.provider, out.diags);
  if (!identity) return unknown;
  PlanResponse response;
  if (!call_plan(j, plan_prior, proposed, effective, tainted || !object ? "" : object->private_data,
                 tainted ? Value() : *identity, response, out.diags))
    return unknown;

  ResourceChange c;
  c.addr = j.addr;
  auto from = moves.previous.find(j.addr);
  c.prev_addr = from == moves.previous.end() ? j.addr : from->second;
  c.provider = j.provider_addr;
  c.schema = r.schema;
  c.change.before = prior;
  c.create_before_destroy = j.forced_cbd;
  if (importing)
    c.change.importing = true, c.change.import_id = importing->id,
    c.change.import_identity = importing->identity;
  Action replace = j.forced_cbd ? Action::CreateThenDelete : Action::DeleteThenCreate;

  Value planned = response.planned;
  std::vector<Path> nonexistent;
  std::vector<Path> required =
      plan_prior.is_null()
          ? std::vector<Path>()
          : filter_requires_replace(response.requires_replace, plan_prior, planned, &nonexistent);
  for (const Path& p : nonexistent)
    add_violations("Provider produced invalid plan", "when it planned", j.provider_addr.provider, j.addr,
                   {{p, "replacement is required for an attribute that does not exist"}}, out.diags);
  if (!nonexistent.empty()) return unknown;

  Reason by_trigger = r.replace_triggered_by.empty() ? Reason::None : triggered(j, out.diags);
  bool again = false;  // plan once more, as a creation
  if (prior.is_null()) {
    c.change.action = Action::Create;
    c.reason = by_trigger;
  } else if (tainted) {
    c.change.action = replace;
    c.reason = by_trigger == Reason::None ? Reason::ReplaceBecauseTainted : by_trigger;
  } else if (by_trigger != Reason::None) {
    c.change.action = replace, c.reason = by_trigger, again = true;
  } else if (force_replaced(j.addr)) {
    c.change.action = replace, c.reason = Reason::ReplaceByRequest, again = true;
  } else if (!required.empty()) {
    c.change.action = replace, c.reason = Reason::ReplaceBecauseCannotUpdate, again = true;
  } else if (planned.raw_equal(bare_prior)) {
    c.change.action = Action::NoOp;
  } else {
    c.change.action = Action::Update;
  }
  if (again) {
    c.required_replace = required;
    Value fresh = schema::proposed_new(block, create_prior, own->value);
    std::string priv = response.planned_private;
    PlanResponse second;
    Diagnostics found;  // the first answer had the warnings
    bool possible = call_plan(j, create_prior, fresh, own->value, priv, Value(), second, found);
    for (const Diagnostic& d : found.all())
      if (d.severity == Severity::Error) out.diags.add(d);
    if (!possible) return unknown;
    response = std::move(second);
    planned = response.planned;
    marks = own->marks;
  }
  c.private_data = response.planned_private;
  c.change.before_identity = std::move(*identity);
  c.change.after_identity = std::move(response.planned_identity);
  std::vector<PathMarks> kept;  // ephemeral values never leave the configuration
  for (PathMarks& m : marks)
    if (m.marks & kSensitive) kept.push_back({std::move(m.path), kSensitive});
  c.change.after = apply_marks(planned, kept, block);
  if (c.change.action == Action::NoOp &&
      (!same_marks(prior, c.change.after) || (object && !records_marks(*object, prior))))
    c.change.action = Action::Update;
  if (c.change.action == Action::NoOp) {
    c.change.after = prior;
    if (j.state && object && !j.deferred_upstream)
      j.state->current = with_order(object, dependencies.at(j.node), j.forced_cbd);
  }

  if (r.prevent_destroy && is_replace(c.change.action)) {
    out.diags
        .error("Instance cannot be destroyed",
               fmt::format("{} has lifecycle.prevent_destroy set, but this plan would have to destroy it in "
                           "order to replace it. Remove prevent_destroy, make the change in a way that "
                           "requires no replacement, or leave the object out with -target.",
                           j.addr.text()),
               r.prevent_destroy_range.valid() ? r.prevent_destroy_range : r.range)
        .address = j.addr.text();
  }
  Value result = c.change.after;
  out.changes.push_back(std::move(c));
  conditions(r.postconditions, RuleKind::Postcondition, j, &result, out);
  return result;
}

}  // namespace xplan::planning
