// Declarations of a provider written with the kit: fields (attributes and blocks) with what the plain schema
// does not know: defaults, validators, plan modifiers, equivalence.
//
// Who calls it: authors of providers, to declare; plan_change and kit::Provider, to carry out.
// Invariant: a declaration is filled once, before the provider is used, and never changed afterwards; a field
// with a default is computed too, because a plan that differs from a null configuration is allowed for
// computed attributes only. Cost: to_schema is linear. Thread-safety: immutable once declared.
// Why one Field type for attributes and blocks: everything that walks values beside a schema is written once.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/provider/kit/private_data.h"
#include "core/provider/provider.h"

namespace xplan::kit {

using schema::Nesting;

struct ValidateRequest {
  const Path& path;
  const Value& value;   // at the path: known and not null
  const Value& config;  // the whole configuration
  const Value& parent;  // the object that has the attribute; of a whole object, itself
};
struct Validator {
  std::string description;
  std::function<void(const ValidateRequest&, ProviderDiags&)> run;
};

struct ModifyRequest {
  const Path& path;
  const Value &config, &prior, &plan;  // at the path; the plan as the modifier before left it
  // The whole objects; the plan as it was before any attribute was modified.
  const Value &whole_config, &whole_prior, &whole_plan;
  const PrivateData& private_data;
  bool creating() const { return whole_prior.is_null(); }
  bool destroying() const { return whole_plan.is_null(); }
};
struct ModifyResponse {
  Value plan;  // starts as the request's; what is set on destruction is ignored
  bool requires_replace = false;
  ProviderDiags diags;
};
struct PlanModifier {
  std::string description;
  std::function<void(const ModifyRequest&, ModifyResponse&)> run;
  bool for_users = false;  // the description belongs into the documentation
};

// Whether two values (known, not null, of one attribute) mean the same to the remote system.
using Equivalence = std::function<bool(const Value& prior, const Value& planned)>;

struct DefaultRequest {
  const Path& path;
  const Value& whole_config;  // may be partly unknown
};
// The value where the configuration has none; an unknown one: known only after the apply.
using Default = std::function<Value(const DefaultRequest&)>;

struct Field {
  enum class Kind : uint8_t { Attribute, Nested, Block };  // Nested: an attribute with attributes of its own
  Kind kind = Kind::Attribute;
  schema::Attribute info;  // of a block: only name, description, deprecation
  Nesting nesting = Nesting::Single;
  std::vector<Field> fields;  // of Nested and Block
  int64_t min_items = 0, max_items = 0;
  std::optional<Value> default_value;
  Default default_from;
  std::string default_text;                                                 // for people
  std::vector<std::pair<std::string, std::chrono::milliseconds>> timeouts;  // see timeouts.h
  Equivalence equivalence;
  std::vector<Validator> validators;
  std::vector<PlanModifier> modifiers;

  Field& required() { return info.required = true, *this; }
  Field& optional() { return info.optional = true, *this; }
  Field& computed() { return info.computed = true, *this; }
  Field& sensitive() { return info.sensitive = true, *this; }
  Field& derived_from(std::initializer_list<std::string_view> attributes) {
    for (std::string_view a : attributes) info.derived_from.emplace_back(a);
    return *this;
  }
  Field& write_only() { return info.write_only = true, *this; }
  Field& deprecated(std::string message);
  Field& describe(std::string text) { return info.description = std::move(text), *this; }
  Field& markdown(std::string text) { return info.markdown = true, describe(std::move(text)); }
  bool has_default() const { return default_value || default_from; }
  Field& with_default(Value v);  // optional and computed from then on
  Field& with_default(Default f, std::string description);
  Field& equivalent_when(Equivalence e) { return equivalence = std::move(e), *this; }
  Field& validate(Validator v) { return validators.push_back(std::move(v)), *this; }
  Field& modify(PlanModifier m) { return modifiers.push_back(std::move(m)), *this; }
  Field& items(int64_t min, int64_t max) { return min_items = min, max_items = max, *this; }  // max 0: any
};

Field attribute(std::string_view name, Type type);
inline Field string(std::string_view name) {
  return attribute(name, Type::string());
}
inline Field number(std::string_view name) {
  return attribute(name, Type::number());
}
inline Field boolean(std::string_view name) {
  return attribute(name, Type::boolean());
}
inline Field any(std::string_view name) {
  return attribute(name, Type::dynamic());
}
Field list_of(std::string_view name, Type element);
Field set_of(std::string_view name, Type element);
Field map_of(std::string_view name, Type element);
// Nested attributes: `name = { … }`, `name = [{ … }]`. Protocol 6 only.
Field nested(std::string_view name, Nesting nesting, std::vector<Field> fields);
// Nested blocks: `name { … }`.
Field block(std::string_view name, Nesting nesting, std::vector<Field> fields);

struct Schema {
  std::vector<Field> fields;
  uint64_t version = 0;
  std::string description, deprecation_message;
  bool markdown = false;         // of the description
  std::vector<Validator> rules;  // of the whole configuration, see validators.h
  std::string example;           // a configuration, for the documentation
};

schema::Schema to_schema(const Schema& s);  // not frozen

}  // namespace xplan::kit
