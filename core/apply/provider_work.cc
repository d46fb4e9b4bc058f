// The provider calls of one change and the checks of their answers: final plan against reviewed plan, result
// against final plan, and what is kept of a result that breaks the contract.
#include "core/apply/provider_work.h"

#include <fmt/format.h>

#include "core/base/log.h"
#include "core/plan/contract.h"
#include "core/plan/identity.h"
#include "core/plan/objects.h"
#include "core/state/unknown_outcome.h"
#include "core/value/json.h"
#include "core/value/path.h"
#include "core/value/storable.h"

namespace xplan::applying {
namespace {

constexpr std::string_view kApplied = "when it applied";

// What came back of the object, of the schema's type; the prior object where that is all that is certain.
Value conforming_object(const ProviderWork& w, const ApplyResponse& response, bool& ok, Diagnostics& diags) {
  auto broken = [&](std::string_view summary, const Violations& v) {
    add_violations(summary, kApplied, w.change.provider.provider, w.change.addr, v, diags);
    ok = false;
  };
  Value object = response.new_state;
  if (object.type().is_dynamic() && object.is_null())
    object = ok ? Value::null(w.block.implied_type()) : w.prior;
  if (object.is_null()) {
    if (!ok) return object;
    broken("Provider produced inconsistent result after apply",
           {{{}, "the object should be present, but is absent"}});
    return w.prior;
  }
  if (Violations v = check_write_only(w.block, object);
      !v.empty()) {  // the object exists: keep the rest of it
    broken("Provider produced invalid object", v);
    object = schema::strip_write_only(object, w.block);
  }
  Violations v = check_conforms(w.block, object);
  if (v.empty()) return object;
  broken("Provider produced invalid object", v);
  return w.prior;
}

// What has become of a string, number or bool, as far as the reviewed plan shows it.
std::string both_values(const ProviderWork& w, const Value& planned, const Value& object, const Path& path) {
  constexpr size_t kMost = 200;
  const auto simple = [](const std::optional<Value>& v) {
    return v && v->is_known() && (v->is_string() || v->is_number() || v->is_bool());
  };
  const auto shown = path_get(w.change.change.after, path), was = path_get(planned, path),
             now = path_get(object, path);
  if (!simple(shown) || shown->marks() || !simple(was) || !simple(now) || was->type() != now->type())
    return "";
  std::string out = fmt::format(" from {} to {}", to_json(*was), to_json(*now));
  return out.size() > kMost ? "" : out;
}

// Whether the object is wholly known and what was planned.
bool check_promise(const ProviderWork& w, const PlanResponse& planned, const ApplyResponse& response,
                   const Value& object, bool ok, Diagnostics& diags) {
  const ProviderAddr& provider = w.change.provider.provider;
  if (!object.is_wholly_known()) {
    Violations unknowns;
    for (Path& p : unknown_paths(object)) unknowns.emplace_back(std::move(p), "the value is still unknown");
    add_violations("Provider returned invalid result object after apply", kApplied, provider, w.change.addr,
                   unknowns, diags);
    return false;
  }
  if (!ok || object.is_null()) return ok;
  if (response.legacy_type_system && !log_enabled(LogLevel::Warn)) return true;
  Violations inconsistent = check_compatible(w.block, planned.planned, object);
  if (inconsistent.empty()) return true;
  if (response.legacy_type_system) {
    log_tolerated("an unexpected new value", provider, w.change.addr, inconsistent);
    return true;
  }
  for (auto& [path, why] : inconsistent) why += both_values(w, planned.planned, object, path);
  add_violations("Provider produced inconsistent result after apply", kApplied, provider, w.change.addr,
                 inconsistent, diags);
  return false;
}

}  // namespace

void refuse_deferral(const AbsInstance& addr, const config::Resource* where, Diagnostics& diags) {
  diags
      .error("Provider deferred changes",
             fmt::format("The plan changes {0}, but its provider has now deferred that to a later plan. The "
                         "planned change can no longer be applied, so {0} was left unchanged. Create a new "
                         "plan to see the remaining changes.",
                         addr.text()),
             where ? where->range : Range())
      .address = addr.text();
}

std::optional<PlanResponse> make_final_plan(const ProviderWork& w, const Value& effective,
                                            Diagnostics& diags) {
  const ResourceChange& c = w.change;
  const size_t errors = diags.error_count();
  PlanResponse plan = w.provider.plan(
      {c.addr.resource.type, w.prior, schema::proposed_new(w.block, w.prior, effective), effective,
       w.old ? w.old->private_data : "", w.meta, w.prior_identity, c.private_data});
  add_provider_diags(plan.diags, c.addr, w.resource, diags);
  if (diags.error_count() != errors) return std::nullopt;
  if (plan.deferred != Deferral::None) return refuse_deferral(c.addr, w.resource, diags), std::nullopt;
  Violations broken = check_conforms(w.block, plan.planned);
  if (broken.empty()) broken = check_compatible(w.block, c.change.after.unmark_deep(), plan.planned);
  if (broken.empty() && !w.creating)
    for (Path& p : filter_requires_replace(plan.requires_replace, w.prior, plan.planned, nullptr))
      broken.emplace_back(std::move(p), "an update was planned, but now replacement is required");
  if (!broken.empty()) {
    add_violations("Provider produced inconsistent final plan", "when it made the final plan for",
                   c.provider.provider, c.addr, broken, diags);
    return std::nullopt;
  }
  if (!settle_identity(plan.planned_identity, w.prior_identity, true, "when it made the final plan", c.addr,
                       diags))
    return std::nullopt;
  return plan;
}

WorkResult settle_result(const ProviderWork& w, const PlanResponse& planned, const ApplyResponse& response,
                         Diagnostics& diags) {
  const size_t errors = diags.error_count();
  add_provider_diags(response.diags, w.change.addr, w.resource, diags);
  WorkResult r{.ok = diags.error_count() == errors};
  const bool not_made = !r.ok && response.new_state.is_null();  // says the provider
  r.object = conforming_object(w, response, r.ok, diags);
  r.ok = check_promise(w, planned, response, r.object, r.ok, diags);
  r.object = unknown_as_null(r.object);
  if (w.creating && r.object.is_null() && !r.ok && !not_made)
    diags.mutable_all().back().detail.append(" ").append(unknown_outcome_advice("create"));
  if (w.old) r.identity = w.old->identity;
  if (r.object.is_null()) return r;
  Value identity = response.new_identity;
  const bool known = planned.planned_identity.is_wholly_known();
  r.ok &= settle_identity(identity, known ? planned.planned_identity : w.prior_identity, false,
                          "when it applied the change", w.change.addr, diags);
  if (!identity.is_null()) r.identity = make_identity(identity, w.change.addr.resource.type, w.provider);
  return r;
}

}  // namespace xplan::applying
