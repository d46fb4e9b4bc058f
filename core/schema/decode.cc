// Evaluates a configuration body to an object of a schema: attributes with conversion, nested blocks by
// nesting mode, dynamic blocks, and limits on the number of blocks.
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/schema/decode.h"
#include "core/schema/nested.h"
#include "core/schema/object_of.h"
#include "core/schema/schema.h"
#include "core/value/storable.h"

namespace xplan::schema {
namespace {

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

Value decode_body(const syntax::Content& content, const schema::Block& s, const eval::Scope& scope, int depth,
                  Diagnostics& diags);

Value decode_block(const syntax::Body& body, const schema::Block& s, const eval::Scope& scope, int depth,
                   Diagnostics& diags) {
  return decode_body(open_body(body, s, diags), s, scope, depth, diags);
}

// What one nested block type amounts to: bodies in order with the scope each is evaluated in.
struct Made {
  std::vector<Value> values;
  std::vector<std::string> keys;  // Map nesting
  bool unknown = false;           // a dynamic block whose for_each is unknown
  Range first;
};

Value collect_blocks(const NestedBlock& b, Made& m, Type t, Range where, Diagnostics& diags);

// The one block that a dynamic block may make, when it is not known whether it does: whatever is written in
// it is unknown.
Value decode_unknown(const syntax::Body& body, const schema::Block& s, Diagnostics& diags) {
  static const Symbol dynamic("dynamic");
  syntax::Content content = open_body(body, s, diags);
  Type shape = s.implied_type();
  std::vector<Value> out;
  for (Type t : shape.elements()) out.push_back(Value::null(t));
  for (const syntax::Attribute& a : content.attributes)
    if (int i = shape.find_attr(a.name); i >= 0)
      out[static_cast<size_t>(i)] = Value::unknown(shape.elements()[i]);
  for (const NestedBlock& n : s.blocks) {
    Value& slot = out[static_cast<size_t>(shape.find_attr(n.type_name))];
    bool one = is_one(n.nesting);
    Made made;
    for (const syntax::Block& b : content.blocks) {
      if (b.type == n.type_name && one)
        made.values.push_back(decode_unknown(b.body, *n.block, diags));
      else
        made.unknown |= b.type == n.type_name || (b.type == dynamic && b.labels[0] == n.type_name);
    }
    slot = collect_blocks(n, made, slot.type(), content.missing_range, diags);
  }
  return object_of(shape, std::move(out));
}

void expand_dynamic(const syntax::Block& block, const schema::Block& s, const eval::Scope& scope, int depth,
                    std::vector<Made>& made, Diagnostics& diags) {
  DynamicParts d;
  if (!parse_dynamic(block, s, d, diags)) return;
  Made& into = made[nested_number(s, d.nested)];
  if (!into.first.valid()) into.first = block.def_range;
  size_t before = diags.error_count();
  Value each = eval::evaluate(*d.for_each, scope, diags);
  if (diags.error_count() != before) return;
  Marks marks = each.marks();
  each = each.without_own_marks();
  if (each.is_null()) {
    diags.error("Invalid dynamic for_each value",
                "The for_each value of a dynamic block is null. Use an empty collection to create no blocks.",
                d.for_each->range);
    return;
  }
  const auto unsuitable = [&] {
    diags.error("Invalid dynamic for_each value",
                fmt::format("The for_each value of a dynamic block is {}, but a collection is required.",
                            with_article(each.type().friendly_name())),
                d.for_each->range);
  };
  if (each.is_unknown()) {
    if (each.type().is_primitive()) return unsuitable();
    if (is_one(d.nested->nesting))
      into.values.push_back(decode_unknown(d.content[0].body, *d.nested->block, diags));
    else
      into.unknown = true;
    return;
  }
  if (each.kind() != Kind::Seq && each.kind() != Kind::Set && each.kind() != Kind::Map &&
      each.kind() != Kind::Obj)
    return unsuitable();
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

// A group that is not written has all its members, without values; what must be in one that is does not
// count.
Value absent_group(const schema::Block& b) {
  Type shape = b.implied_type();
  std::vector<Value> members;
  for (Type t : shape.elements()) members.push_back(Value::null(t));
  for (const NestedBlock& n : b.blocks) {
    Value& slot = members[static_cast<size_t>(shape.find_attr(n.type_name))];
    Made none;
    Diagnostics ignored;
    slot = collect_blocks(n, none, slot.type(), {}, ignored);
  }
  return object_of(shape, std::move(members));
}

Value collect_blocks(const NestedBlock& b, Made& m, Type t, Range where, Diagnostics& diags) {
  if (m.unknown) return Value::unknown(t);
  size_t n = m.values.size();
  if (static_cast<int64_t>(n) < b.min_items)
    diags.error(n == 0 ? "Missing block" : "Insufficient blocks",
                fmt::format("At least {} \"{}\" block{} required here; found {}.", b.min_items,
                            b.type_name.sv(), b.min_items == 1 ? " is" : "s are", n),
                where);
  if (b.max_items > 0 && static_cast<int64_t>(n) > b.max_items)
    diags.error("Too many blocks",
                fmt::format("At most {} \"{}\" block{} allowed here; found {}.", b.max_items,
                            b.type_name.sv(), b.max_items == 1 ? " is" : "s are", n),
                m.first);
  Type element = b.block->implied_type();
  switch (b.nesting) {
    case Nesting::Single:
    case Nesting::Group:
      if (n > 1)
        diags.error("Duplicate block",
                    fmt::format("Only one \"{}\" block is allowed here.", b.type_name.sv()), m.first);
      if (n >= 1) return m.values[0];
      return b.nesting == Nesting::Single ? Value::null(t) : absent_group(*b.block);
    case Nesting::List:
      return element.has_dynamic() ? Value::tuple(std::move(m.values))
                                   : Value::list(element, std::move(m.values));
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
          if (e.first == key)
            diags.error(
                "Duplicate block",
                fmt::format("There are two \"{}\" blocks with the key \"{}\".", b.type_name.sv(), key),
                m.first);
        attrs.emplace_back(Symbol(key), m.values[i]);
        entries.emplace_back(std::move(key), m.values[i]);
      }
      return element.has_dynamic() ? Value::object(std::move(attrs))
                                   : Value::map(element, std::move(entries));
    }
  }
  return Value::null(t);
}

Value decode_attribute(const schema::Attribute& a, const syntax::Attribute* given, const eval::Scope& scope,
                       Diagnostics& diags) {
  if (!given) return Value::null(a.type);
  size_t before = diags.error_count();
  Value v = eval::evaluate(*given->expr, scope, diags);
  if (diags.error_count() != before) return Value::unknown(a.type);
  if (a.computed && !a.optional && !a.required && !v.is_null()) {
    diags.error(
        "Invalid or unknown key",
        fmt::format("The value of \"{}\" is set by the provider; it cannot be set in the configuration.",
                    a.name.sv()),
        given->name_range);
    return Value::null(a.type);
  }
  if (a.required && v.is_null()) {
    diags.error("Missing required argument",
                fmt::format("The argument \"{}\" is required, but its value is null.", a.name.sv()),
                given->expr->range);
    return v;
  }
  ConversionError error;
  auto converted = a.constraint ? convert(v, *a.constraint, &error) : convert(v, a.type, &error);
  if (converted) {
    std::optional<Path> infinite;
    Value storable = storable_numbers(*converted, infinite);
    if (infinite)
      diags.error("Infinite number",
                  fmt::format("The value of \"{}{}\" is an infinite number, which providers and states "
                              "cannot store. Division by zero is a common cause.",
                              a.name.sv(), path_text(*infinite)),
                  given->expr->range);
    return infinite ? Value::unknown(a.type) : storable;
  }
  std::string where = path_text(error.path);
  diags.error("Incorrect attribute value type",
              fmt::format("The value of \"{}\" is not suitable: {}{}.", a.name.sv(),
                          where.empty() ? "" : where + ": ", error.message),
              given->expr->range);
  return Value::unknown(a.type);
}

Value decode_body(const syntax::Content& content, const schema::Block& s, const eval::Scope& scope, int depth,
                  Diagnostics& diags) {
  Type shape = s.implied_type();
  if (depth > kMaxBlockDepth) {
    diags.error("Blocks nested too deeply",
                fmt::format("Blocks can be nested at most {} levels deep.", kMaxBlockDepth),
                content.missing_range);
    return Value::unknown(shape);
  }
  std::vector<Value> attrs(shape.elements().size());
  for (const schema::Attribute& a : s.attributes)
    attrs[static_cast<size_t>(shape.find_attr(a.name))] =
        decode_attribute(a, content.find(a.name.sv()), scope, diags);
  if (nested_count(s) > 0) {
    static const Symbol dynamic("dynamic");
    std::vector<Made> made(nested_count(s));
    for (const syntax::Block& b : content.blocks) {
      if (b.type == dynamic && !s.find_block("dynamic")) {
        expand_dynamic(b, s, scope, depth, made, diags);
        continue;
      }
      const NestedBlock* n = find_nested(s, b.type.sv());
      if (!n) continue;
      Made& into = made[nested_number(s, n)];
      if (!into.first.valid()) into.first = b.def_range;
      if (n->nesting == Nesting::Map && !b.labels.empty()) into.keys.emplace_back(b.labels[0].sv());
      into.values.push_back(decode_block(b.body, *n->block, scope, depth + 1, diags));
    }
    for (size_t i = 0; i < s.blocks.size(); ++i) {
      int at = shape.find_attr(s.blocks[i].type_name);
      attrs[static_cast<size_t>(at)] = collect_blocks(
          s.blocks[i], made[i], shape.elements()[static_cast<size_t>(at)], content.missing_range, diags);
    }
    for (size_t i = 0; i < s.attribute_blocks().size(); ++i) {
      Made& m = made[s.blocks.size() + i];
      if (m.values.empty() && !m.unknown) continue;  // an argument, or not given
      size_t at = static_cast<size_t>(shape.find_attr(s.attribute_blocks()[i].type_name));
      Type t = shape.elements()[at];
      auto fit = convert(collect_blocks(s.attribute_blocks()[i], m, t, content.missing_range, diags), t);
      attrs[at] = fit ? *fit : Value::unknown(t);
    }
  }
  return object_of(shape, std::move(attrs));
}

}  // namespace

Value decode(const syntax::Rest& body, const schema::Block& s, const eval::Scope& scope, Diagnostics& diags) {
  return decode_body(take_apart(body, s, diags), s, scope, 0, diags);
}

syntax::Content take_apart(const syntax::Rest& body, const schema::Block& s, Diagnostics& diags) {
  syntax::BodySchema own;
  return syntax::decode(body, body.body ? shape_of(*body.body, s, own) : s.dynamic_body_schema(), diags);
}

Value decode(const syntax::Content& body, const schema::Block& s, const eval::Scope& scope,
             Diagnostics& diags) {
  return decode_body(body, s, scope, 0, diags);
}

}  // namespace xplan::schema
