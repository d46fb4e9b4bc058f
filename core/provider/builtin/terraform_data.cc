// The resource terraform_data. Attributes: input (kept as it is), output (equal to input once applied),
// triggers_replace (a change replaces the object), id (made at creation).
#include "core/provider/builtin/builtin.h"

#include "core/schema/object_of.h"
#include "core/state/store.h"
#include "core/value/json.h"

namespace xplan::builtin {
namespace {

const Symbol kId("id"), kInput("input"), kOutput("output"), kTriggers("triggers_replace");

Type shape() {
  static const Type t = Type::object({{kId, Type::string()},
                                      {kInput, Type::dynamic()},
                                      {kOutput, Type::dynamic()},
                                      {kTriggers, Type::dynamic()}});
  return t;
}

Value make(Value id, Value input, Value output, Value triggers) {
  return schema::object_of(shape(),
                           {std::move(id), std::move(input), std::move(output), std::move(triggers)});
}

const Value& member_of(const Value& v, Symbol name) {
  return *v.find_attr(name.sv());
}

Value unknown_id() {
  Refinement r;
  r.not_null = true;
  return Value::unknown(Type::string(), r);
}

}  // namespace

schema::Schema data_schema() {
  schema::Schema s;
  auto add = [&](Symbol name, Type t, bool optional, bool computed) {
    schema::Attribute a;
    a.name = name, a.type = t, a.optional = optional, a.computed = computed;
    s.block.attributes.push_back(std::move(a));
  };
  add(kInput, Type::dynamic(), true, false);
  add(kOutput, Type::dynamic(), false, true);
  add(kTriggers, Type::dynamic(), true, false);
  add(kId, Type::string(), false, true);
  return s;
}

PlanResponse plan_data(const PlanRequest& r) {
  PlanResponse out;
  if (r.proposed.is_null()) {
    out.planned = r.proposed;
    return out;
  }
  const Value &input = member_of(r.proposed, kInput), &triggers = member_of(r.proposed, kTriggers);
  auto output_of = [&] { return input.is_null() ? Value::null(input.type()) : Value::unknown(input.type()); };
  if (r.prior.is_null()) {
    out.planned = make(unknown_id(), input, output_of(), triggers);
    return out;
  }
  bool replaced = !triggers.raw_equal(member_of(r.prior, kTriggers));
  bool changed = !input.raw_equal(member_of(r.prior, kInput));
  if (replaced) out.requires_replace.push_back({PathStep::of_attr(kTriggers)});
  out.planned = make(member_of(r.prior, kId), input,
                     changed ? Value::unknown(input.is_null() ? Type::dynamic() : input.type())
                             : member_of(r.prior, kOutput),
                     triggers);
  return out;
}

ApplyResponse apply_data(const ApplyRequest& r) {
  ApplyResponse out;
  if (r.planned.is_null()) {
    out.new_state = r.planned;
    return out;
  }
  const Value& id = member_of(r.planned, kId);
  const Value& output = member_of(r.planned, kOutput);
  out.new_state =
      make(id.is_unknown() ? Value::string(new_uuid()) : id, member_of(r.planned, kInput),
           output.is_unknown() ? member_of(r.planned, kInput) : output, member_of(r.planned, kTriggers));
  return out;
}

ImportResponse import_data(const std::string& id) {
  ImportResponse out;
  out.objects.push_back(
      {Symbol("terraform_data"), make(Value::string(id), Value::null(), Value::null(), Value::null()), ""});
  return out;
}

UpgradeResponse upgrade_data(std::string_view raw) {
  UpgradeResponse out;
  Result<Value> v = parse_json_as(raw, shape(), true, true);
  if (v) {
    const Value& o = *v;
    out.state = make(member_of(o, kId), member_of(o, kInput), member_of(o, kOutput), member_of(o, kTriggers));
  } else {
    out.diags.push_back({Severity::Error,
                         "Invalid object in state",
                         "The recorded attributes cannot be read: " + v.error().message + ".",
                         {}});
  }
  return out;
}

UpgradeResponse move_to_data(const ProviderAddr&, Symbol source_type, std::string_view json) {
  UpgradeResponse out;
  if (source_type.sv() != "null_resource") {
    out.diags.push_back({Severity::Error,
                         "Unsupported move",
                         "An object of type \"" + std::string(source_type.sv()) +
                             "\" cannot be moved to terraform_data; only null_resource can.",
                         {}});
    return out;
  }
  static const Type source =
      Type::object({{kId, Type::string()}, {Symbol("triggers"), Type::map(Type::string())}});
  Result<Value> v = parse_json_as(json, source, true, true);
  if (!v) {
    out.diags.push_back({Severity::Error,
                         "Invalid object in state",
                         "The recorded attributes cannot be read: " + v.error().message + ".",
                         {}});
    return out;
  }
  // An object, as a configuration writes it: triggers that stay the same shall not replace what was moved.
  const Value& triggers = member_of(*v, Symbol("triggers"));
  std::vector<std::pair<Symbol, Value>> parts;
  if (triggers.kind() == Kind::Map)
    for (size_t i = 0; i < triggers.length(); ++i)
      parts.emplace_back(Symbol(triggers.map_key(i)), triggers.elements()[i]);
  out.state = make(member_of(*v, kId), Value::null(), Value::null(),
                   triggers.is_null() ? Value::null() : Value::object(std::move(parts)));
  return out;
}

}  // namespace xplan::builtin
