// The answers of a mocked provider.
#include "core/test/mock_provider.h"

#include <fmt/format.h>

#include "core/test/made_up.h"
#include "core/value/json.h"

namespace xplan::test {

Value MockProvider::fill(Mode mode, Symbol type, const Value& object, bool planned, bool known,
                         ProviderDiags& diags) const {
  const schema::Schema* s = schema()->find(mode, type);
  if (!s) return object;
  const Answers& a = answers_(mode, type);
  std::optional<MisfitValue> misfit;
  Value out =
      make_up(s->block, object, a.values.is_null() ? nullptr : &a.values,
              planned ? Missing::Unknown : Missing::Null, known ? Becomes::Known : Becomes::Unknown, misfit);
  if (misfit)
    diags.push_back({Severity::Error, "Failed to compute attribute",
                     fmt::format("The value given at {1} for the attribute \"{0}\" is not suitable: {2}.",
                                 path_text(misfit->path).substr(1), a.place, misfit->why),
                     misfit->path});
  return out;
}

ReadResponse MockProvider::read(const ReadRequest& r) {
  ReadResponse out;
  out.new_state = r.current, out.private_data = r.private_data, out.new_identity = r.identity;
  return out;
}

PlanResponse MockProvider::plan(const PlanRequest& r) {
  PlanResponse out;
  out.planned_private = r.prior_private, out.planned_identity = r.prior_identity;
  out.planned = r.proposed;
  if (!r.prior.is_null() || r.proposed.is_null()) return out;
  const bool known = answers_(Mode::Managed, r.type).known == config::MadeUp::Plan;
  out.planned = fill(Mode::Managed, r.type, r.proposed, false, known, out.diags);
  return out;
}

ApplyResponse MockProvider::apply(const ApplyRequest& r) {
  ApplyResponse out;
  out.private_data = r.planned_private, out.new_identity = r.planned_identity;
  out.new_state =
      r.planned.is_null() ? r.planned : fill(Mode::Managed, r.type, r.planned, true, true, out.diags);
  return out;
}

ImportResponse MockProvider::import(const ImportRequest& r) {
  ImportResponse out;
  const schema::Schema* s = schema()->find(Mode::Managed, r.type);
  if (of_ == Of::Object && s) {
    const Result<Value> nothing = parse_json_as("{}", s->block.implied_type(), true, true);
    if (nothing)
      out.objects.push_back({r.type, fill(Mode::Managed, r.type, *nothing, false, true, out.diags), {}, {}});
    else
      out.diags.push_back(
          {Severity::Error,
           "Invalid import request",
           fmt::format("No object of type {} can be made up: {}.", r.type.sv(), nothing.error().message),
           {}});
    return out;
  }
  out.diags.push_back(
      {Severity::Error,
       "Invalid import request",
       fmt::format("A mocked provider has no objects of type {} that could be imported. Give its values with "
                   "an override_resource block for the resource that is imported.",
                   r.type.sv()),
       {}});
  return out;
}

UpgradeResponse MockProvider::move(const MoveStateRequest& r) {
  UpgradeResponse out;
  out.diags.push_back(
      {Severity::Error,
       "Unsupported move",
       fmt::format("A mocked provider cannot move objects of another type to type {}.", r.target_type.sv()),
       {}});
  return out;
}

ReadDataResponse MockProvider::read_data(const ReadDataRequest& r) {
  ReadDataResponse out;
  out.state = fill(Mode::Data, r.type, r.config, false, true, out.diags);
  return out;
}

OpenEphemeralResponse MockProvider::open_ephemeral(Symbol type, const Value& config) {
  OpenEphemeralResponse out;
  out.result = fill(Mode::Ephemeral, type, config, false, true, out.diags);
  return out;
}

}  // namespace xplan::test
