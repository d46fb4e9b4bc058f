// Expressions in plan JSON: constant_value or references, for arguments and for nested blocks along the
// schema.
#include "render/json_expressions.h"

#include <algorithm>
#include <map>

#include "core/addr/addr.h"
#include "core/config/dialect.h"
#include "core/eval/eval.h"
#include "core/schema/decode.h"
#include "core/value/json.h"

namespace xplan::render {
namespace {

using syntax::Expr;
using syntax::ExprKind;
using syntax::Traversal;
using syntax::TraversalStep;

std::string step_text(const TraversalStep& s) {
  if (s.is_attr) return "." + std::string(s.attr.sv());
  if (s.index.is_number()) return "[" + json_number(s.index.as_number()) + "]";
  if (s.index.is_string()) return "[" + InstanceKey::quoted(s.index.as_string()) + "]";
  return "[…]";
}

// How a reference begins: its subject, how many steps that takes, and the shorter subjects behind it.
struct Subject {
  std::string text;
  size_t steps = 0;
  std::string enclosing;  // the resource of an instance, the call of an output
};

bool attr_at(const Traversal& t, size_t i) {
  return i < t.steps.size() && t.steps[i].is_attr;
}
bool index_at(const Traversal& t, size_t i) {
  return i < t.steps.size() && !t.steps[i].is_attr;
}

Subject instance(const Traversal& t, std::string text, size_t steps) {
  Subject s{std::move(text), steps, {}};
  if (!index_at(t, steps)) return s;
  s.enclosing = s.text;
  s.text += step_text(t.steps[steps]);
  ++s.steps;
  return s;
}

Subject subject(const Traversal& t) {
  const std::string_view root = t.root.sv();
  if (root == "self") return {"self", 0, {}};
  if (!attr_at(t, 0)) return {};
  const std::string first(t.steps[0].attr.sv());
  if (root == "var" || root == "local" || root == "path" || config::names_product(root) || root == "count" ||
      root == "each") {
    return {std::string(root) + "." + first, 1, {}};
  }
  if (root == "module") {
    Subject call = instance(t, "module." + first, 1);
    if (!attr_at(t, call.steps)) return call;
    return {call.text + step_text(t.steps[call.steps]), call.steps + 1, call.text};
  }
  if (root == "data" || root == "ephemeral" || root == "resource") {
    if (!attr_at(t, 1)) return {};
    std::string text = first + "." + std::string(t.steps[1].attr.sv());
    if (root != "resource") text = std::string(root) + "." + text;
    return instance(t, std::move(text), 2);
  }
  return instance(t, std::string(root) + "." + first, 1);
}

std::vector<std::string> references(const Expr& e) {
  std::vector<const Traversal*> traversals;
  syntax::collect_traversals(e, traversals);
  std::vector<std::string> out;
  for (const Traversal* t : traversals) append_references(*t, out);
  return out;
}

// [a, b][0] and {x = a}.x: the one part that is looked at. Null when it is not that simple.
const Expr* chosen_part(const Expr& e) {
  if (e.kind != ExprKind::RelTraversal || !e.a || !e.traversal || e.traversal->steps.size() != 1)
    return nullptr;
  const TraversalStep& step = e.traversal->steps[0];
  const Expr& from = *e.a;
  if (from.kind == ExprKind::Tuple && !step.is_attr && step.index.is_number()) {
    std::optional<int64_t> n = step.index.as_number().exact_int64();
    return n && *n >= 0 && static_cast<size_t>(*n) < from.items.size() ? from.items[static_cast<size_t>(*n)]
                                                                       : nullptr;
  }
  if (from.kind != ExprKind::Object || !step.is_attr) return nullptr;
  const Expr* found = nullptr;
  for (size_t i = 0; i + 1 < from.items.size(); i += 2) {
    const Expr& key = *from.items[i];
    if (key.kind != ExprKind::Literal || !key.value.is_string()) return nullptr;
    if (key.value.as_string() == step.attr.sv()) found = from.items[i + 1];
  }
  return found;
}

// The value without names and functions; empty when there is none. Names in parts that are not looked at (the
// other branch of a conditional) do no harm.
std::optional<Value> constant(const Expr& e) {
  if (e.json) return syntax::literal_json_value(*e.json);
  if (const Expr* part = chosen_part(e)) return constant(*part);
  Diagnostics ignored;
  Value v = eval::evaluate_constant(e, ignored);
  if (ignored.has_errors() || !v.is_wholly_known()) return std::nullopt;
  return v;
}

void write_names(const std::vector<std::string>& names, JsonWriter& w) {
  if (names.empty()) return;
  w.key("references");
  w.begin_array();
  for (const std::string& name : names) w.string(name);
  w.end_array();
}

// An argument, or the blocks of one type.
struct Part {
  const syntax::Attribute* attribute = nullptr;
  const schema::NestedBlock* nested = nullptr;
  std::vector<const syntax::Block*> blocks;
  bool is_argument = false;  // blocks that stand for a list given to an argument
};
// Arguments and blocks together, sorted by name; blocks of one type side by side.
struct Parts {
  syntax::Content content;
  std::map<std::string_view, Part> by_name;
};

Parts parts_of(const syntax::Rest& body, const schema::Block& schema) {
  Parts p;
  if (!body.body) return p;
  Diagnostics ignored;
  p.content = schema::take_apart(body, schema, ignored);
  for (const syntax::Attribute& a : p.content.attributes)
    if (a.expr && schema.find_attribute(a.name.sv())) p.by_name[a.name.sv()].attribute = &a;
  for (const syntax::Block& b : p.content.blocks) {
    const schema::NestedBlock* own = schema.find_block(b.type.sv());
    const schema::NestedBlock* n = own ? own : schema.find_attribute_block(b.type.sv());
    if (!n) continue;
    Part& part = p.by_name[b.type.sv()];
    part.nested = n, part.is_argument = !own;
    part.blocks.push_back(&b);
  }
  return p;
}

void write_block(const syntax::Block& b, const schema::NestedBlock& schema, JsonWriter& w) {
  write_expressions(syntax::Rest{&b.body, {}, {}}, *schema.block, w);
}

void write_blocks(const std::vector<const syntax::Block*>& blocks, const schema::NestedBlock& schema,
                  JsonWriter& w) {
  switch (schema.nesting) {
    case schema::Nesting::Single:
    case schema::Nesting::Group:
      write_block(*blocks.back(), schema, w);
      break;
    case schema::Nesting::List:
    case schema::Nesting::Set:
      w.begin_array();
      for (const syntax::Block* b : blocks) write_block(*b, schema, w);
      w.end_array();
      break;
    case schema::Nesting::Map: {
      std::map<std::string_view, const syntax::Block*> sorted;
      for (const syntax::Block* b : blocks)
        if (!b->labels.empty()) sorted[b->labels[0].sv()] = b;
      w.begin_object();
      for (const auto& [label, b] : sorted) w.key(label), write_block(*b, schema, w);
      w.end_object();
      break;
    }
  }
}

// Blocks as the value they stand for, when nothing in them has a name; and all the names.
void write_argument(const Part& part, JsonWriter& w) {
  std::vector<const Traversal*> traversals;
  std::vector<Value> elements;
  bool all = true;
  Diagnostics ignored;
  for (const syntax::Block* b : part.blocks) {
    syntax::Content content =
        schema::take_apart(syntax::Rest{&b->body, {}, {}}, *part.nested->block, ignored);
    schema::collect_traversals(content, *part.nested->block, traversals);
    std::vector<std::pair<Symbol, Value>> attributes;
    for (const schema::Attribute& a : part.nested->block->attributes) {
      const syntax::Attribute* given = content.find(a.name.sv());
      std::optional<Value> v = given ? constant(*given->expr) : Value::null(a.type);
      all = all && v && content.blocks.empty();
      if (v) attributes.emplace_back(a.name, *v);
    }
    elements.push_back(Value::object(std::move(attributes)));
  }
  w.begin_object();
  if (all) w.key("constant_value"), write_json(w, Value::tuple(std::move(elements)));
  std::vector<std::string> names;
  for (const Traversal* t : traversals) append_references(*t, names);
  write_names(names, w);
  w.end_object();
}

}  // namespace

std::string subject_text(const Traversal& t) {
  return subject(t).text;
}

void append_references(const Traversal& t, std::vector<std::string>& out) {
  Subject s = subject(t);
  if (s.text.empty()) return;
  std::vector<std::string> longer{s.text};
  for (size_t i = s.steps; i < t.steps.size(); ++i) longer.push_back(longer.back() + step_text(t.steps[i]));
  for (size_t i = longer.size(); i-- > 0;) out.push_back(std::move(longer[i]));
  if (!s.enclosing.empty()) out.push_back(std::move(s.enclosing));
}

void write_expression(const Expr& e, JsonWriter& w) {
  const std::vector<std::string> refs = references(e);
  w.begin_object();
  if (std::optional<Value> v = constant(e)) w.key("constant_value"), write_json(w, *v);
  write_names(refs, w);
  w.end_object();
}

bool has_expression(const Expr* e) {
  if (!e) return false;
  if (e->json || !references(*e).empty()) return true;
  return constant(*e).has_value();
}

void write_expressions(const syntax::Rest& body, const schema::Block& schema, JsonWriter& w) {
  const Parts p = parts_of(body, schema);
  w.begin_object();
  for (const auto& [name, part] : p.by_name) {
    w.key(name);
    if (part.attribute)
      write_expression(*part.attribute->expr, w);
    else if (part.is_argument)
      write_argument(part, w);
    else
      write_blocks(part.blocks, *part.nested, w);
  }
  w.end_object();
}

bool has_expressions(const syntax::Rest& body, const schema::Block& schema) {
  return !parts_of(body, schema).by_name.empty();
}

}  // namespace xplan::render
