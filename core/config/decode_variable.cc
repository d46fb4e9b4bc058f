// Decodes variable, output and locals blocks: types, defaults, validation rules, sensitivity.
#include <algorithm>

#include "core/config/decode.h"
#include "core/config/dialect.h"
#include "core/config/discarded.h"
#include "core/eval/eval.h"

namespace xplan::config {

using syntax::Attribute;
using syntax::Block;
using syntax::BodySchema;
using syntax::Content;

namespace {

// Arguments of module blocks that are not input variables.
constexpr std::string_view kReservedNames[] = {"source",   "version",   "providers",  "provider", "count",
                                               "for_each", "lifecycle", "depends_on", "locals",   "_"};

std::optional<TypeConstraint> decode_type(Decode& d, const Attribute& a) {
  if (!a.json && a.expr->kind == syntax::ExprKind::Literal && a.expr->value.is_string()) {
    const std::string given(a.expr->value.as_string());
    const std::string_view near = did_you_mean(given, {"string", "number", "bool", "any", "list", "map"});
    d.diags.error(
        "Invalid type constraint",
        "A type constraint is written without quotes: " + (near.empty() ? given : std::string(near)) + ".",
        a.expr->range);
    return std::nullopt;
  }
  if (!a.json && a.expr->kind == syntax::ExprKind::Template) {
    d.diags.error("Invalid type constraint", "A type constraint is written without quotes.", a.expr->range);
    return std::nullopt;
  }
  return eval::parse_type_constraint(*expression(d, *a.expr), /*allow_optional=*/true, d.diags);
}

// An argument that both reference tools have added.
const Attribute* find_newer(Decode& d, const Content& c, std::string_view name) {
  const Attribute* a = c.find(name);
  const std::string what = "The argument " + in_quotes(name);
  return a && allows_addition(what, a->name_range, d.diags, "1.15") ? a : nullptr;
}

// What whoever still uses it is told; empty where it is not deprecated.
std::string decode_deprecated(Decode& d, const Content& c) {
  const Attribute* a = find_newer(d, c, "deprecated");
  std::string text = constant_string(d, a).value_or("");
  if (a && trimmed(text).empty() && a->expr->kind == syntax::ExprKind::Literal)
    d.diags.error("Invalid deprecation message",
                  "The argument \"deprecated\" must say what to use instead, so it cannot be empty.",
                  a->expr->range);
  return text;
}

void decode_default(Decode& d, const Attribute& a, Variable& v) {
  const size_t before = d.diags.error_count();
  Value given = a.json ? syntax::literal_json_value(*a.json) : eval::evaluate_constant(*a.expr, d.diags);
  v.has_default = true;
  v.default_value = Value::unknown(v.type.type);
  if (d.diags.error_count() > before) return;
  if (given.is_null()) {
    if (!v.nullable) {
      d.diags.error(
          "Invalid default value",
          "The default value of this variable is null, but with nullable = false it cannot be null.",
          a.expr->range);
      return;
    }
    v.default_value = Value::null(v.type.type);
    return;
  }
  ConversionError error;
  std::optional<Value> converted = convert(given, v.type, &error);
  if (!converted) {
    d.diags.error("Invalid default value",
                  "The default value does not match the type of the variable: " + error.text() + ".",
                  a.expr->range);
    return;
  }
  v.default_value = *converted;
  warn_of_discarded(*a.expr, v.type.type, v.name.sv(), d.diags);
}

}  // namespace

void decode_variable(Decode& d, const Layers& layers) {
  static const BodySchema kSchema{{{"description", false, true},
                                   {"default", false, true},
                                   {"type", false, true},
                                   {"sensitive"},
                                   {"nullable"},
                                   {"ephemeral"},
                                   {"deprecated"},
                                   {"const"}},
                                  {{"validation", {}}}};
  const Block& block = layers.base();
  Variable v;
  v.name = block.labels[0];
  v.range = block.def_range;
  if (check_name(d, v.name, block.label_ranges[0], "an input variable")) {
    if (std::find(std::begin(kReservedNames), std::end(kReservedNames), v.name.sv()) !=
        std::end(kReservedNames)) {
      d.diags.error("Reserved variable name",
                    "An input variable cannot be named " + in_quotes(v.name.sv()) +
                        ", because that name has another meaning in module blocks.",
                    block.label_ranges[0]);
    }
  }
  check_overrides(d, layers, kSchema, [&](const Block& b) {
    d.diags.error("Validation in an override file",
                  "An override file cannot change the validation rules of a variable. Put the rule in the "
                  "block that declares the variable.",
                  b.def_range);
  });
  const Content& c = keep(d.module, decode_layers(d, layers, kSchema, nullptr));
  if (auto text = literal_string(d, c.find("description"))) {
    v.description = *text;
    v.has_description = true;
  }
  if (const Attribute* a = c.find("type")) {
    std::optional<TypeConstraint> type = decode_type(d, *a);
    v.has_type = type.has_value();
    if (type) v.type = std::move(*type);
  }
  if (const Attribute* a = c.find("sensitive")) {
    v.sensitive = constant_bool(d, a).value_or(false);
    v.has_sensitive = true;
  }
  if (const Attribute* a = c.find("ephemeral")) {
    v.ephemeral = constant_bool(d, a).value_or(false);
    v.has_ephemeral = true;
  }
  if (const Attribute* a = c.find("nullable")) v.nullable = constant_bool(d, a).value_or(true);
  v.deprecated = decode_deprecated(d, c);
  v.constant = constant_bool(d, find_newer(d, c, "const"));
  if (const Attribute* a = c.find("default")) decode_default(d, *a, v);
  v.validations = check_rules(d, c, "validation");
  for (CheckRule& rule : v.validations) rule.place = place(d.sources, rule.range);
  d.module.index.variables.emplace(v.name, static_cast<uint32_t>(d.module.variables.size()));
  d.module.variables.push_back(std::move(v));
}

void decode_output(Decode& d, const Layers& layers) {
  static const BodySchema kSchema{{{"value"},
                                   {"description", false, true},
                                   {"sensitive"},
                                   {"ephemeral"},
                                   {"depends_on"},
                                   {"type", false, true},
                                   {"deprecated"}},
                                  {{"precondition", {}}, {"postcondition", {}}}};
  const Block& block = layers.base();
  Output o;
  o.name = block.labels[0];
  o.range = block.def_range;
  check_name(d, o.name, block.label_ranges[0], "an output value");
  check_overrides(d, layers, kSchema, [&](const Block& b) {
    d.diags.error("Unsupported override", "An override file cannot change the conditions of an output value.",
                  b.def_range);
  });
  const Content& c = keep(d.module, decode_layers(d, layers, kSchema, nullptr));
  if (auto text = literal_string(d, c.find("description"))) {
    o.description = *text;
    o.has_description = true;
  }
  if (const Attribute* a = c.find("value"))
    o.expr = a->expr;
  else
    missing_argument(d, "value", "this \"output\" block", c);
  o.sensitive = constant_bool(d, c.find("sensitive")).value_or(false);
  o.ephemeral = constant_bool(d, c.find("ephemeral")).value_or(false);
  if (const Attribute* a = find_newer(d, c, "type")) o.type = decode_type(d, *a);
  o.deprecated = decode_deprecated(d, c);
  if (const Attribute* a = c.find("depends_on")) o.depends_on = addresses(d, *a);
  o.preconditions = check_rules(d, c, "precondition");
  for (const Block& b : c.blocks) {
    if (b.type.sv() != "postcondition") continue;
    d.diags.error("Unsupported condition",
                  "An output value can only have preconditions; postconditions are for resources.",
                  b.def_range);
  }
  d.module.index.outputs.emplace(o.name, static_cast<uint32_t>(d.module.outputs.size()));
  d.module.outputs.push_back(std::move(o));
}

void decode_locals(Decode& d, const Block& block, bool from_override) {
  Module& m = d.module;
  for (const Attribute& a : syntax::just_attributes(block.body, d.diags)) {
    auto [it, fresh] = m.index.locals.emplace(a.name, static_cast<uint32_t>(m.locals.size()));
    if (from_override) {
      if (fresh) {
        m.index.locals.erase(it);
        d.diags.error("Nothing to override",
                      "No other file declares a local value " + in_quotes(a.name.sv()) +
                          ". An override file can only replace what is declared elsewhere.",
                      a.name_range);
      } else {
        m.locals[it->second].expr = a.expr;
        m.locals[it->second].range = a.range;
      }
      continue;
    }
    if (!fresh) {
      d.diags.error("Duplicate local value",
                    "A local value " + in_quotes(a.name.sv()) + " is already declared at " +
                        place(d.sources, m.locals[it->second].range) + ". The names must be unique.",
                    a.name_range);
      continue;
    }
    check_name(d, a.name, a.name_range, "a local value");
    m.locals.push_back({a.name, a.range, a.expr});
  }
}

}  // namespace xplan::config
