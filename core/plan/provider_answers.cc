// Asks providers about single objects, and checks what they answer.
#include "core/plan/provider_answers.h"

#include <fmt/format.h>

#include "core/base/log.h"
#include "core/plan/contract.h"
#include "core/plan/hooks.h"
#include "core/plan/identity.h"
#include "core/plan/objects.h"
#include "core/plan/secrets.h"
#include "core/state/same_json.h"

namespace xplan::planning {
namespace {

Value meta_of(const Subject& s, Diagnostics& diags) {
  return s.meta ? s.meta(diags) : Value();
}

bool refuse(const Subject& s, std::string_view summary, std::string_view phase, const Violations& found,
            Diagnostics& diags) {
  add_violations(summary, phase, s.provider_addr, s.addr, found, diags);
  return false;
}

// Adds what the provider said; false when that has an error.
bool report(const Subject& s, const ProviderDiags& said, Diagnostics& diags) {
  const size_t errors = diags.error_count();
  add_provider_diags(said, s.addr, s.resource, diags);
  return diags.error_count() == errors;
}

// What the state has, in the present version of the schema.
struct Stored {
  Value value;  // with marks
  Value identity;
};

std::optional<Stored> upgrade(const Subject& s, ObjectPtr& object, Diagnostics& diags) {
  std::optional<Value> value = object_value(*object, s.addr, *s.schema, s.provider, diags);
  if (!value) return std::nullopt;
  // What the schema's present version made of an older object is what the state has from here on.
  if (!object->value && (object->schema_version != s.schema->version ||
                         !same_json(object->attributes_json, *value, s.schema->block.implied_type())))
    object = make_object(*value, *s.schema, object->private_data, object->dependencies, *object,
                         object->status, object->identity);
  std::optional<Value> identity = identity_value(*object, s.addr, s.provider, diags);
  if (!identity) return std::nullopt;
  if (!identity->is_null()) object = with_identity(object, *identity, s.addr.resource.type, s.provider);
  return Stored{std::move(*value), std::move(*identity)};
}

bool check_read(const Subject& s, const Stored& stored, ReadResponse& r, Diagnostics& diags) {
  Violations wrong = check_conforms(s.schema->block, r.new_state);
  for (Path& p : unknown_paths(r.new_state)) wrong.emplace_back(std::move(p), "the value is unknown");
  if (!wrong.empty()) return refuse(s, "Provider produced invalid object", "when it read", wrong, diags);
  return r.new_state.is_null() ||
         settle_identity(r.new_identity, stored.identity, false, "when it read the object", s.addr, diags);
}

// The object as the state has it from here on.
ObjectPtr object_after(const Subject& s, const ObjectPtr& object, const Stored& stored,
                       const Refreshed& found, ReadResponse&& r) {
  if (found.after.is_null()) return nullptr;
  if (!found.changed && r.private_data == object->private_data && r.new_identity.raw_equal(stored.identity))
    return object;
  ObjectIdentityPtr identity = object->identity;
  if (!r.new_identity.is_null()) identity = make_identity(r.new_identity, s.addr.resource.type, s.provider);
  return make_object(found.after, *s.schema, std::move(r.private_data), object->dependencies, *object,
                     object->status, std::move(identity));
}

bool check_plan(const Subject& s, const PlanQuestion& q, PlanResponse& r, Diagnostics& diags) {
  constexpr const char *kInvalid = "Provider produced invalid plan", *kPhase = "when it planned";
  const schema::Block& block = s.schema->block;
  if (auto v = check_conforms(block, r.planned); !v.empty()) return refuse(s, kInvalid, kPhase, v, diags);
  if (r.planned.is_null() && !q.proposed.is_null())
    return refuse(s, kInvalid, kPhase,
                  {{{}, "the planned object is null although the resource is configured"}}, diags);
  if (!settle_identity(r.planned_identity, q.identity, true, kPhase, s.addr, diags)) return false;
  if (r.deferred != Deferral::None || (r.legacy_type_system && !log_enabled(LogLevel::Warn))) return true;
  const Violations v = check_planned(block, q.prior, q.config, r.planned);
  if (v.empty()) return true;
  if (!r.legacy_type_system) return refuse(s, kInvalid, kPhase, v, diags);
  log_tolerated("an invalid plan", s.provider_addr, s.addr, v);
  return true;
}

// The reading of a data source, as the hooks hear of it: what has begun also ends, one way or the other.
class Reading {
 public:
  Reading(Hooks& hooks, const AbsInstance& addr) : hooks_(hooks), addr_(addr) { hooks_.read_start(addr_); }
  Reading(const Reading&) = delete;
  ~Reading() {
    if (!done_) hooks_.read_ended(addr_);
  }
  void done(const ObjectId& id) {
    hooks_.read_done(addr_, id, 0);
    done_ = true;
  }
  void failed() {
    hooks_.apply_failed(addr_, "", Action::Read, 0);
    done_ = true;
  }

 private:
  Hooks& hooks_;
  const AbsInstance& addr_;
  bool done_ = false;
};

}  // namespace

DeferredReason reason_of(Deferral d) {
  switch (d) {
    case Deferral::ProviderConfigUnknown:
      return DeferredReason::ProviderConfigUnknown;
    case Deferral::AbsentPrereq:
      return DeferredReason::AbsentPrereq;
    case Deferral::ResourceConfigUnknown:
    case Deferral::None:
      break;
  }
  return DeferredReason::ResourceConfigUnknown;
}

bool is_deferred(const Subject& s, Deferral d, Diagnostics& diags) {
  if (d == Deferral::None) return false;
  if (!s.deferral_allowed)
    diags
        .error("Provider deferred changes",
               fmt::format("Provider \"{}\" deferred {} to a later plan ({}), which is not allowed in this "
                           "run. Use -allow-deferral to plan the rest without it, or use -target to first "
                           "apply what it depends on.",
                           s.provider_addr.text(), s.addr.text(), deferred_reason_name(reason_of(d))),
               s.resource ? s.resource->range : Range())
        .address = s.addr.text();
  return true;
}

bool records_marks(const Object& o, const Value& v) {
  return !v.contains_marks() || same_marks(mark_at_paths(v.unmark_deep(), o.sensitive_paths), v);
}

std::optional<Refreshed> refresh_object(const Subject& s, ObjectPtr& object, bool read,
                                        std::string_view deposed, Hooks& hooks, Diagnostics& diags) {
  std::optional<Stored> stored = upgrade(s, object, diags);
  if (!stored) return std::nullopt;
  Refreshed out;
  out.before = out.after = stored->value;
  if (!read) return out;
  hooks.refresh_start(s.addr, deposed, object_id(stored->value));
  std::vector<PathMarks> marks;
  ReadResponse r = s.provider.read({s.addr.resource.type, unmark_with_paths(stored->value, marks),
                                    object->private_data, meta_of(s, diags), stored->identity});
  const bool ok = report(s, r.diags, diags);
  hide_secrets(stored->value, s.schema->block, diags);
  if (!ok) return std::nullopt;
  out.deferral = r.deferred;
  if (is_deferred(s, r.deferred, diags)) return s.deferral_allowed ? std::optional(out) : std::nullopt;
  if (!check_read(s, *stored, r, diags)) return std::nullopt;
  hooks.refresh_done(s.addr, r.new_state.is_null() ? ObjectId() : object_id(r.new_state));
  const schema::Block& block = s.schema->block;
  out.was_read = true;
  out.after =
      r.new_state.is_null() ? Value::null(block.implied_type()) : apply_marks(r.new_state, marks, block);
  const Value& bare = r.new_state.is_null() ? out.after : r.new_state;
  out.changed = !stored->value.unmark_deep().raw_equal(bare) || !records_marks(*object, out.after);
  object = object_after(s, object, *stored, out, std::move(r));
  return out;
}

std::optional<PlanResponse> ask_plan(const Subject& s, const PlanQuestion& q, Diagnostics& diags) {
  PlanResponse r = s.provider.plan(
      {s.addr.resource.type, q.prior, q.proposed, q.config, q.private_data, meta_of(s, diags), q.identity});
  if (!report(s, r.diags, diags)) return std::nullopt;
  if (is_deferred(s, r.deferred, diags)) {
    if (!s.deferral_allowed) return std::nullopt;
    const schema::Block& block = s.schema->block;
    if (r.planned.is_null())  // it need not say what it would do
      r.planned = schema::strip_write_only(
          q.prior.is_null() ? schema::planned_unknown(block, q.proposed) : q.proposed, block);
  }
  if (!check_plan(s, q, r, diags)) return std::nullopt;
  return r;
}

bool ask_destroy(const Subject& s, ResourceChange& c, Deferral& deferral, Diagnostics& diags) {
  if (!s.provider.plans_destroy() || s.addr.resource.mode != Mode::Managed) return true;
  const size_t errors = diags.error_count();
  Value meta = meta_of(s, diags);
  PlanResponse r =
      s.provider.plan({s.addr.resource.type, c.change.before.unmark_deep(), c.change.after, c.change.after,
                       c.private_data, std::move(meta), c.change.before_identity});
  add_provider_diags(r.diags, s.addr, s.resource, diags);
  hide_secrets(c.change.before, s.schema->block, diags);
  if (diags.error_count() != errors) return false;
  deferral = r.deferred;
  const bool deferred = is_deferred(s, r.deferred, diags);
  if (deferred && !s.deferral_allowed) return false;
  if (!deferred && !r.planned.is_null())
    return refuse(s, "Provider produced invalid plan", "when it planned to destroy",
                  {{{}, "the planned object is not null"}}, diags);
  c.private_data = std::move(r.planned_private);
  return true;
}

std::optional<DataAnswer> ask_data(const Subject& s, const Value& config, Hooks& hooks, Diagnostics& diags) {
  Reading reading(hooks, s.addr);
  const size_t errors = diags.error_count();
  ReadDataResponse r = s.provider.read_data(
      {s.addr.resource.type, config, meta_of(s, diags), crypt::codec_of(s.encryption, s.addr)});
  add_provider_diags(r.diags, s.addr, s.resource, diags);
  if (diags.error_count() != errors) return std::nullopt;
  if (is_deferred(s, r.deferred, diags))
    return s.deferral_allowed ? std::optional(DataAnswer{r.deferred, {}}) : std::nullopt;
  Violations v = check_conforms(s.schema->block, r.state);
  if (r.state.is_null()) v.push_back({{}, "the result is null"});
  if (v.empty() && !r.state.is_wholly_known()) v.push_back({{}, "the result has unknown values"});
  if (!v.empty()) {
    reading.failed();
    refuse(s, "Provider produced invalid object", "when it read", v, diags);
    return std::nullopt;
  }
  reading.done(object_id(r.state));
  return DataAnswer{Deferral::None, std::move(r.state)};
}

}  // namespace xplan::planning
