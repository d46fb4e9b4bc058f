// Evaluating a configuration body against a schema, dynamic blocks included.
#include <fmt/format.h>

#include "core/schema/object_of.h"
#include "core/schema/schema.h"

namespace xplan::schema {
namespace {

using syntax::Attribute;
using syntax::Block;
using syntax::Body;
using syntax::Content;

constexpr int kMaxBlockDepth = 64;

// The scope inside a dynamic block's content: the iterator's name on top of what was there.
class IteratorScope : public eval::Scope {
 public:
  IteratorScope(const eval::Scope& outer, Symbol name, Value key, Value value) : outer_(outer), name_(name) {
    static const Symbol k("key"), v("value");
    object_ = Value::object({{k, std::move(key)}, {v, std::move(value)}});
  }
  Value resolve(const syntax::Traversal& t, Diagnostics& diags) const override {
    return t.root == name_ ? eval::apply_steps(object_, t.steps, diags) : outer_.resolve(t, diags);
  }
  const eval::FunctionTable& functions() const override { return outer_.functions(); }

 private:
  const eval::Scope& outer_;
  Symbol name_;
  Value object_;
};

syntax::BodySchema with_dynamic(const schema::Block& s) {
  syntax::BodySchema b = s.body_schema();
  if (!b.blocks.empty()) b.blocks.push_back({"dynamic", {"type"}});
  return b;
}

struct DynamicParts {
  const syntax::Expr* for_each = nullptr;
  Symbol iterator;
  const NestedBlock* nested = nullptr;
  std::vector<Block> content;   // exactly one when sound
  const syntax::Expr* labels = nullptr;
};

// Takes a dynamic block apart; false after reporting what is wrong with it.
bool parse_dynamic(const Block& block, const schema::Block& s, DynamicParts& out, Diagnostics& diags) {
  out.nested = s.find_block(block.labels[0].sv());
  if (!out.nested) {
    diags.error("Unsupported block type", fmt::format("A dynamic block makes blocks of a type that is allowed here; \"{}\" is not.", block.labels[0].sv()),
                block.label_ranges.empty() ? block.def_range : block.label_ranges[0]);
    return false;
  }
  size_t before = diags.error_count();
  static const syntax::BodySchema schema = {{{"for_each", true}, {"iterator", false}, {"labels", false}}, {{"content", {}}}};
  Content c = syntax::decode(block.body, schema, diags);
  out.iterator = block.labels[0];
  if (const Attribute* a = c.find("for_each")) out.for_each = a->expr;
  if (const Attribute* a = c.find("labels")) out.labels = a->expr;
  if (const Attribute* a = c.find("iterator")) {
    Symbol k = syntax::as_keyword(*a->expr);
    if (a->json && a->json->is_string()) k = Symbol(a->json->str());
    if (k.empty()) diags.error("Invalid expression", "iterator must be a name, without quotes.", a->range);
    else out.iterator = k;
  }
  if (c.blocks.size() != 1) {
    diags.error(c.blocks.empty() ? "Missing content block" : "Duplicate content block",
                "A dynamic block has exactly one content block, which describes the blocks to be made.", block.def_range);
    return false;
  }
  out.content = std::move(c.blocks);
  return diags.error_count() == before && out.for_each;
}

Value decode_body(const Content& content, const schema::Block& s, const eval::Scope& scope, int depth, Diagnostics& diags);

Value decode_block(const Body& body, const schema::Block& s, const eval::Scope& scope, int depth, Diagnostics& diags) {
  return decode_body(syntax::decode(body, with_dynamic(s), diags), s, scope, depth, diags);
}

// What one nested block type amounts to: bodies in order with the scope each is evaluated in.
struct Made {
  std::vector<Value> values;
  std::vector<std::string> keys;   // Map nesting
  bool unknown = false;            // a dynamic block whose for_each is unknown
  Range first;
};

void expand_dynamic(const Block& block, const schema::Block& s, const eval::Scope& scope, int depth,
                    std::vector<Made>& made, Diagnostics& diags) {
  DynamicParts d;
  if (!parse_dynamic(block, s, d, diags)) return;
  Made& into = made[static_cast<size_t>(d.nested - s.blocks.data())];
  if (!into.first.valid()) into.first = block.def_range;
  size_t before = diags.error_count();
  Value each = eval::evaluate(*d.for_each, scope, diags);
  if (diags.error_count() != before) return;
  Marks marks = each.marks();
  each = each.without_own_marks();
  if (each.is_null()) {
    diags.error("Invalid dynamic for_each value", "The for_each value of a dynamic block is null; use an empty collection for no blocks.", d.for_each->range);
    return;
  }
  if (each.is_unknown()) {
    into.unknown = true;
    return;
  }
  if (each.kind() != Kind::Seq && each.kind() != Kind::Set && each.kind() != Kind::Map && each.kind() != Kind::Obj) {
    diags.error("Invalid dynamic for_each value",
                fmt::format("The for_each value of a dynamic block is a {}; a collection is needed.", each.type().friendly_name()), d.for_each->range);
    return;
  }
  for_each_element(each, [&](const Value& key, const Value& element) {
    IteratorScope inner(scope, d.iterator, key, element.with_marks(marks));
    if (d.nested->nesting == Nesting::Map && d.labels) {
      Value labels = eval::evaluate(*d.labels, inner, diags);
      if (labels.kind() == Kind::Seq && labels.length() == 1 && labels.elements()[0].is_string())
        into.keys.emplace_back(labels.elements()[0].as_string());
    }
    into.values.push_back(decode_block(d.content[0].body, *d.nested->block, inner, depth + 1, diags));
  });
}

Value collect_blocks(const NestedBlock& b, Made& m, Type t, Range where, Diagnostics& diags) {
  if (m.unknown) return Value::unknown(t);
  size_t n = m.values.size();
  if (static_cast<int64_t>(n) < b.min_items)
    diags.error(n == 0 ? "Missing block" : "Insufficient blocks",
                fmt::format("At least {} \"{}\" block{} required here; {} given.", b.min_items, b.type_name.sv(), b.min_items == 1 ? " is" : "s are", n), where);
  if (b.max_items > 0 && static_cast<int64_t>(n) > b.max_items)
    diags.error("Too many blocks", fmt::format("At most {} \"{}\" block{} allowed here; {} given.", b.max_items, b.type_name.sv(), b.max_items == 1 ? " is" : "s are", n), m.first);
  Type element = b.block->implied_type();
  switch (b.nesting) {
    case Nesting::Single:
    case Nesting::Group:
      if (n > 1) diags.error("Duplicate block", fmt::format("Only one \"{}\" block is allowed here.", b.type_name.sv()), m.first);
      if (n >= 1) return m.values[0];
      if (b.nesting == Nesting::Single) return Value::null(t);
      {
        std::vector<Value> none;
        for (Type at : element.elements()) none.push_back(Value::null(at));
        return object_of(element, std::move(none));
      }
    case Nesting::List: return element.has_dynamic() ? Value::tuple(std::move(m.values)) : Value::list(element, std::move(m.values));
    case Nesting::Set: {
      if (!element.has_dynamic()) return Value::set(element, std::move(m.values));
      Type unified;
      if (!unify_values(m.values, unified)) unified = element;
      return Value::set(unified, std::move(m.values));
    }
    case Nesting::Map: {
      std::vector<std::pair<std::string, Value>> entries;
      std::vector<std::pair<Symbol, Value>> attrs;
      for (size_t i = 0; i < n; ++i) {
        std::string key = i < m.keys.size() ? m.keys[i] : std::to_string(i);
        for (const auto& e : entries)
          if (e.first == key) diags.error("Duplicate block", fmt::format("There are two \"{}\" blocks with the key \"{}\".", b.type_name.sv(), key), m.first);
        attrs.emplace_back(Symbol(key), m.values[i]);
        entries.emplace_back(std::move(key), m.values[i]);
      }
      return element.has_dynamic() ? Value::object(std::move(attrs)) : Value::map(element, std::move(entries));
    }
  }
  return Value::null(t);
}

Value decode_attribute(const schema::Attribute& a, const Attribute* given, const eval::Scope& scope, Diagnostics& diags) {
  if (!given) return Value::null(a.type);
  size_t before = diags.error_count();
  Value v = eval::evaluate(*given->expr, scope, diags);
  if (diags.error_count() != before) return Value::unknown(a.type);
  if (a.computed && !a.optional && !a.required && !v.is_null()) {
    diags.error("Invalid or unknown key", fmt::format("The value of \"{}\" is decided by the provider; it cannot be set in the configuration.", a.name.sv()), given->name_range);
    return Value::null(a.type);
  }
  if (a.required && v.is_null()) {
    diags.error("Missing required argument", fmt::format("The argument \"{}\" is required, but its value is null.", a.name.sv()), given->expr->range);
    return v;
  }
  ConversionError error;
  auto converted = convert(v, a.type, &error);
  if (converted) return *converted;
  std::string where = path_text(error.path);
  diags.error("Incorrect attribute value type", fmt::format("The value of \"{}\" is unsuitable: {}{}.", a.name.sv(), where.empty() ? "" : where + ": ", error.message), given->expr->range);
  return Value::unknown(a.type);
}

Value decode_body(const Content& content, const schema::Block& s, const eval::Scope& scope, int depth, Diagnostics& diags) {
  Type shape = s.implied_type();
  if (depth > kMaxBlockDepth) {
    diags.error("Blocks nested too deeply", fmt::format("Blocks cannot be nested more than {} levels deep.", kMaxBlockDepth), content.missing_range);
    return Value::unknown(shape);
  }
  std::vector<Value> attrs(shape.elements().size());
  for (const schema::Attribute& a : s.attributes)
    attrs[static_cast<size_t>(shape.find_attr(a.name))] = decode_attribute(a, content.find(a.name.sv()), scope, diags);
  if (!s.blocks.empty()) {
    static const Symbol dynamic("dynamic");
    std::vector<Made> made(s.blocks.size());
    for (const Block& b : content.blocks) {
      if (b.type == dynamic && !s.find_block("dynamic")) {
        expand_dynamic(b, s, scope, depth, made, diags);
        continue;
      }
      const NestedBlock* n = s.find_block(b.type.sv());
      if (!n) continue;
      Made& into = made[static_cast<size_t>(n - s.blocks.data())];
      if (!into.first.valid()) into.first = b.def_range;
      if (n->nesting == Nesting::Map && !b.labels.empty()) into.keys.emplace_back(b.labels[0].sv());
      into.values.push_back(decode_block(b.body, *n->block, scope, depth + 1, diags));
    }
    for (size_t i = 0; i < s.blocks.size(); ++i) {
      int at = shape.find_attr(s.blocks[i].type_name);
      attrs[static_cast<size_t>(at)] = collect_blocks(s.blocks[i], made[i], shape.elements()[static_cast<size_t>(at)], content.missing_range, diags);
    }
  }
  return object_of(shape, std::move(attrs));
}

}  // namespace

Value decode(const syntax::Rest& body, const schema::Block& s, const eval::Scope& scope, Diagnostics& diags) {
  return decode_body(syntax::decode(body, with_dynamic(s), diags), s, scope, 0, diags);
}

namespace {

void validate_content(const Content& content, const schema::Block& s, int depth, Diagnostics& diags) {
  if (depth > kMaxBlockDepth) return;
  for (const schema::Attribute& a : s.attributes) {
    const Attribute* given = content.find(a.name.sv());
    if (given && a.computed && !a.optional && !a.required)
      diags.error("Value for unconfigurable attribute",
                  fmt::format("The value of \"{}\" is decided by the provider; it cannot be set in the configuration.", a.name.sv()), given->name_range);
    if (given && a.deprecated)
      diags.warn("Argument is deprecated", a.deprecation_message.empty() ? fmt::format("The argument \"{}\" is deprecated.", a.name.sv()) : a.deprecation_message, given->name_range);
  }
  static const Symbol dynamic("dynamic");
  std::vector<size_t> counts(s.blocks.size());
  std::vector<bool> open(s.blocks.size());
  for (const Block& b : content.blocks) {
    if (b.type == dynamic && !s.find_block("dynamic")) {
      DynamicParts d;
      if (!parse_dynamic(b, s, d, diags)) continue;
      open[static_cast<size_t>(d.nested - s.blocks.data())] = true;
      validate_content(syntax::decode(d.content[0].body, with_dynamic(*d.nested->block), diags), *d.nested->block, depth + 1, diags);
      continue;
    }
    const NestedBlock* n = s.find_block(b.type.sv());
    if (!n) continue;
    ++counts[static_cast<size_t>(n - s.blocks.data())];
    validate_content(syntax::decode(b.body, with_dynamic(*n->block), diags), *n->block, depth + 1, diags);
  }
  for (size_t i = 0; i < s.blocks.size(); ++i)
    if (!open[i] && static_cast<int64_t>(counts[i]) < s.blocks[i].min_items)
      diags.error(counts[i] == 0 ? "Missing block" : "Insufficient blocks",
                  fmt::format("At least {} \"{}\" block(s) required here; {} given.", s.blocks[i].min_items, s.blocks[i].type_name.sv(), counts[i]), content.missing_range);
}

void collect(const Content& content, const schema::Block& s, std::vector<Symbol>& hidden, int depth, std::vector<const syntax::Traversal*>& out) {
  if (depth > kMaxBlockDepth) return;
  auto add = [&](const syntax::Expr* e) {
    std::vector<const syntax::Traversal*> ts;
    syntax::collect_traversals(*e, ts);
    for (const auto* t : ts) {
      bool own = false;
      for (Symbol h : hidden) own |= h == t->root;
      if (!own) out.push_back(t);
    }
  };
  for (const Attribute& a : content.attributes)
    if (a.expr) add(a.expr);
  static const Symbol dynamic("dynamic");
  Diagnostics ignored;
  for (const Block& b : content.blocks) {
    if (b.type == dynamic && !s.find_block("dynamic")) {
      DynamicParts d;
      if (!parse_dynamic(b, s, d, ignored)) continue;
      add(d.for_each);
      hidden.push_back(d.iterator);
      if (d.labels) add(d.labels);
      collect(syntax::decode(d.content[0].body, with_dynamic(*d.nested->block), ignored), *d.nested->block, hidden, depth + 1, out);
      hidden.pop_back();
      continue;
    }
    if (const NestedBlock* n = s.find_block(b.type.sv()))
      collect(syntax::decode(b.body, with_dynamic(*n->block), ignored), *n->block, hidden, depth + 1, out);
  }
}

}  // namespace

void validate_body(const syntax::Rest& body, const schema::Block& s, Diagnostics& diags) {
  validate_content(syntax::decode(body, with_dynamic(s), diags), s, 0, diags);
}

void collect_traversals(const syntax::Rest& body, const schema::Block& s, std::vector<const syntax::Traversal*>& out) {
  Diagnostics ignored;
  std::vector<Symbol> hidden;
  collect(syntax::decode(body, with_dynamic(s), ignored), s, hidden, 0, out);
}

Range locate(const syntax::Body& body, const Path& path) {
  Diagnostics ignored;
  const Body* b = &body;
  Range best = b->range;
  if (path.empty() || !path[0].is_attr) return best;
  if (!b->is_json()) {
    for (const syntax::Attribute& a : b->attributes)
      if (a.name == path[0].attr) return a.expr ? a.expr->range : a.range;
    size_t want = path.size() > 1 && !path[1].is_attr && path[1].index.is_number() ? static_cast<size_t>(path[1].index.as_number().exact_int64().value_or(0)) : 0;
    size_t seen = 0;
    for (const syntax::Block* nested : b->blocks)
      if (nested->type == path[0].attr && seen++ == want) {
        size_t skip = path.size() > 1 && !path[1].is_attr ? 2 : 1;
        return path.size() > skip ? locate(nested->body, Path(path.begin() + static_cast<long>(skip), path.end())) : nested->def_range;
      }
    return best;
  }
  for (const JsonNode* o : b->objects)
    for (const JsonMember& m : o->members)
      if (m.key == path[0].attr.sv() && b->file) return {b->file->base + m.value->begin, b->file->base + m.value->end};
  return best;
}

}  // namespace xplan::schema
