// The steps of planning one managed resource for kit providers: defaults, unknown marking, field modifiers,
// the resource's own plan modification, write-only attributes. The order matters; see the header.
#include "core/provider/kit/plan_change.h"

#include "core/provider/kit/resource.h"
#include "core/provider/kit/walk.h"

namespace xplan::kit {
namespace {

bool comparable(const Value& v) {
  return !v.is_null() && v.is_wholly_known();
}

bool keeps_prior(const Field& f, const Value& prior, const Value& value) {
  return f.equivalence && comparable(prior) && comparable(value) && !value.raw_equal(prior) &&
         f.equivalence(prior, value);
}

bool any_of(const std::vector<Field>& fields, bool (*test)(const Field&)) {
  for (const Field& f : fields)
    if (test(f) || any_of(f.fields, test)) return true;
  return false;
}
bool has_write_only(const Field& f) {
  return f.info.write_only;
}
bool has_equivalence(const Field& f) {
  return static_cast<bool>(f.equivalence);
}
bool has_modifiers(const Field& f) {
  return !f.modifiers.empty();
}

Value fill_defaults(const Schema& s, const PlanRequest& r) {
  return walk_plan(s.fields, r.config, r.prior, r.proposed, [&](const Field& f, Place& p) {
    if (f.info.write_only) {
      p.plan = Value::null(f.info.type);
      return Next::Skip;
    }
    if (f.kind != Field::Kind::Block && p.config.is_null()) {
      // What is inside a value that is not configured comes from the provider as a whole.
      if (f.default_value) p.plan = *f.default_value;
      if (f.default_from) p.plan = f.default_from({p.path, r.config});
      if (keeps_prior(f, p.prior, p.plan)) p.plan = p.prior;
      return Next::Skip;
    }
    if (keeps_prior(f, p.prior, p.plan)) {
      p.plan = p.prior;
      return Next::Skip;
    }
    return Next::Into;
  });
}

Value mark_unknown(const Schema& s, const PlanRequest& r, const Value& plan) {
  return walk_plan(s.fields, r.config, r.prior, plan, [](const Field& f, Place& p) {
    if (f.kind == Field::Kind::Block || !p.config.is_null()) return Next::Into;
    if (f.info.computed && !f.has_default()) p.plan = Value::unknown(f.info.type);
    return Next::Skip;
  });
}

Path outside_sets(const Path& path) {
  Path out;
  for (const PathStep& s : path) {
    if (!s.is_attr && !s.index.is_number() && !s.index.is_string()) break;
    // Elements of sets of numbers and strings have no fields, so a primitive step is an index or a key.
    out.push_back(s);
  }
  return out;
}

class FieldModifiers {
 public:
  FieldModifiers(const PlanRequest& r, const Value& plan, const PrivateData& private_data, PlanResponse& out)
      : r_(r), whole_(plan), private_(private_data), out_(out) {}

  Next visit(const Field& f, Place& p) {
    for (const PlanModifier& m : f.modifiers) {
      ModifyRequest request{p.path, p.config, p.prior, p.plan, r_.config, r_.prior, whole_, private_};
      ModifyResponse response;
      response.plan = p.plan;
      m.run(request, response);
      const bool failed = has_errors(response.diags);
      for (ProviderDiag& d : response.diags) {
        if (d.path.empty()) d.path = p.path;
        out_.diags.push_back(std::move(d));
      }
      if (response.requires_replace) add_replace(outside_sets(p.path));
      if (failed) return Next::Skip;
      if (!whole_.is_null()) p.plan = std::move(response.plan);
    }
    return Next::Into;
  }

 private:
  void add_replace(Path path) {
    if (!out_.requires_replace.empty() && out_.requires_replace.back() == path) return;
    out_.requires_replace.push_back(std::move(path));
  }
  const PlanRequest& r_;
  const Value& whole_;
  const PrivateData& private_;
  PlanResponse& out_;
};

Value modify_fields(const Schema& s, const PlanRequest& r, const Value& plan, const PrivateData& private_data,
                    PlanResponse& out) {
  if (!any_of(s.fields, has_modifiers)) return plan;
  FieldModifiers modifiers(r, plan, private_data, out);
  if (!plan.is_null())
    return walk_plan(s.fields, r.config, r.prior, plan,
                     [&](const Field& f, Place& p) { return modifiers.visit(f, p); });
  for (const Field& f : s.fields) {  // destruction: there is no plan to walk
    Path path{PathStep::of_attr(f.info.name)};
    Place p{path, attribute_of(r.config, f.info.name), attribute_of(r.prior, f.info.name), Value(), plan};
    modifiers.visit(f, p);
  }
  return plan;
}

void modify_whole(const PlanRequest& r, const ModifyPlan& modify_plan, bool deferral_allowed,
                  const Result<PrivateData>& known, PlanResponse& out) {
  ModifyPlanRequest request{r.config, r.prior, out.planned, r.provider_meta, deferral_allowed};
  ModifyPlanResponse response;
  response.plan = out.planned;
  response.requires_replace = std::move(out.requires_replace);
  if (known) response.private_data = *known;
  response.diags = std::move(out.diags);
  modify_plan(request, response);
  out.requires_replace = std::move(response.requires_replace);
  out.diags = std::move(response.diags);
  out.deferred = response.deferred;
  // Bytes that are not the kit's own stay as they are until the resource keeps something itself.
  if (known || !response.private_data.empty()) out.planned_private = response.private_data.encode();
  if (response.plan.is_null() != out.planned.is_null()) {
    out.diags.push_back({Severity::Error,
                         "Invalid plan modification",
                         out.planned.is_null()
                             ? "The provider changed the plan of an object that will be destroyed. Such a "
                               "plan must stay null. This is a bug in the provider."
                             : "The provider's plan modification returned no object, although the object "
                               "will not be destroyed. This is a bug in the provider.",
                         {}});
    return;
  }
  if (!out.planned.is_null()) out.planned = std::move(response.plan);
}

}  // namespace

Value without_write_only(const Schema& s, const Value& value) {
  if (!any_of(s.fields, has_write_only)) return value;
  return walk_plan(s.fields, Value(), Value(), value, [](const Field& f, Place& p) {
    if (!f.info.write_only) return Next::Into;
    p.plan = Value::null(f.info.type);
    return Next::Skip;
  });
}

Value keep_equivalent(const Schema& s, const Value& prior, const Value& value) {
  if (prior.is_null() || !any_of(s.fields, has_equivalence)) return value;
  return walk_plan(s.fields, Value(), prior, value, [](const Field& f, Place& p) {
    if (!keeps_prior(f, p.prior, p.plan)) return Next::Into;
    p.plan = p.prior;
    return Next::Skip;
  });
}

PlanResponse plan_change(const Schema& s, Type type, const PlanRequest& r, const ModifyPlan& modify_plan,
                         bool deferral_allowed) {
  PlanResponse out;
  Result<PrivateData> private_data = PrivateData::decode(r.prior_private);
  bool destroy = r.proposed.is_null();
  out.planned = destroy ? Value::null(type) : fill_defaults(s, r);
  if (!destroy && !out.planned.raw_equal(r.prior)) out.planned = mark_unknown(s, r, out.planned);
  out.planned_private = r.prior_private;
  out.planned = modify_fields(s, r, out.planned, private_data ? *private_data : PrivateData(), out);
  if (modify_plan && !has_errors(out.diags))
    modify_whole(r, modify_plan, deferral_allowed, private_data, out);
  if (r.prior.is_null()) out.requires_replace.clear();
  out.planned = without_write_only(s, out.planned);
  return out;
}

}  // namespace xplan::kit
