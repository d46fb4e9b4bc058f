// Attribute and index access on values of every type: results for unknown and marked values, and errors with
// the nearest name.
#include "core/eval/evaluator.h"
#include "core/syntax/body.h"

namespace xplan::eval {

namespace {
constexpr size_t kMaxNamesSearched = 1000;  // for a suggestion

std::string suggestion(Symbol name, Type object) {
  auto names = object.attr_names();
  if (names.size() > kMaxNamesSearched) return "";
  std::vector<std::string_view> known;
  known.reserve(names.size());
  for (Symbol s : names) known.push_back(s.sv());
  std::string_view near = did_you_mean(name.sv(), known);
  return near.empty() ? "" : " Did you mean \"" + std::string(near) + "\"?";
}

Value fail(Diagnostics& diags, std::string_view summary, std::string detail, Range where) {
  diags.error(summary, std::move(detail), where);
  return Value::unknown();
}

// Why a value that is neither object nor map has no attributes, with what its author may have meant.
std::string no_attributes(Type t, Symbol name) {
  if (t.is_list() || t.is_set() || t.is_tuple()) {
    std::string text = "This is " + kind_noun(t) + ", which has elements but no attributes.";
    Type element = t.is_tuple() ? (t.elements().empty() ? Type() : t.elements()[0]) : t.element();
    if (!element.is_object() && !element.is_map()) return text;
    std::string attr(name.sv());
    if (t.is_set()) return text + " To get \"" + attr + "\" of every element, write [*]." + attr + ".";
    return text + " Did you mean to use [*]." + attr +
           " to get it of every element, or an index such as [0]." + attr + " for one of them?";
  }
  return "This is " + kind_noun(t) + ", which has no attributes.";
}

std::string key_text(const Value& key) {
  if (key.marks()) return "with this key";
  if (key.is_number()) return key.as_number().text();
  return key.is_string() ? syntax::quote(key.as_string()) : std::string(key.is_true() ? "true" : "false");
}

// The keys of for_each instances, `near` first: "a", "b" and 3 more.
std::string keys_text(std::span<const Symbol> keys, std::string_view near) {
  constexpr size_t kShown = 5;
  std::vector<std::string> shown;
  if (!near.empty()) shown.push_back(syntax::quote(near));
  for (size_t i = 0; i < keys.size() && shown.size() < kShown; ++i)
    if (keys[i].sv() != near) shown.push_back(syntax::quote(keys[i].sv()));
  if (shown.size() < keys.size()) shown.push_back(std::to_string(keys.size() - shown.size()) + " more");
  std::string out = shown[0];
  for (size_t i = 1; i < shown.size(); ++i) out += (i + 1 == shown.size() ? " and " : ", ") + shown[i];
  return out;
}

std::string missing_instance(const Value& instances, std::string_view name, const Value& key) {
  const Type t = instances.type();
  const size_t n = t.elements().size();
  if (n == 0) return std::string(name) + " has no instances, so there is no instance " + key_text(key) + ".";
  std::string out = std::string(name) + " has no instance " + key_text(key) + ". " +
                    (n == 1 ? "Its only instance is " : "Its instances are ");
  if (t.is_tuple())
    return out + "0" + (n == 1 ? "" : (n == 2 ? " and " : " to ") + std::to_string(n - 1)) + ".";
  std::vector<std::string_view> names;
  if (n <= kMaxNamesSearched && !key.marks() && key.is_string())
    for (Symbol s : t.attr_names()) names.push_back(s.sv());
  const std::string_view near = names.empty() ? std::string_view() : did_you_mean(key.as_string(), names);
  out += keys_text(t.attr_names(), near) + ".";
  return near.empty() || n == 1 ? out : out + " Did you mean " + syntax::quote(near) + "?";
}

Value list_element(const Value& v, const Value& key, Range where, Diagnostics& diags, Marks marks) {
  if (key.is_unknown())
    return marked(Value::unknown(v.type().is_list() ? v.type().element() : Type::dynamic()), marks);
  Number n = key.as_number();
  auto i = n.exact_int64();
  if (!i) {
    return fail(diags, "Invalid index",
                n.is_integer() && n.sign() > 0 ? "The index is far beyond the last element."
                : n.is_integer()               ? "The index is negative. Indexes count from 0."
                                               : "The index is not a whole number.",
                where);
  }
  if (*i < 0)
    return fail(diags, "Invalid index", "The index is negative. Indexes count from 0, the first element.",
                where);
  bool tuple = v.type().is_tuple();
  if (v.is_unknown() && !tuple) {
    if (*i >= v.refinement().max_length)
      return fail(diags, "Invalid index", "There is no element with this index: the list is shorter.", where);
    return marked(Value::unknown(v.type().element()), marks);
  }
  size_t size = tuple ? v.type().elements().size() : v.length();
  if (static_cast<uint64_t>(*i) >= size) {
    std::string noun = tuple ? "tuple" : "list";
    std::string detail = "There is no element with the index " + std::to_string(*i) + ": the " + noun +
                         (size == 0   ? " is empty."
                          : size == 1 ? " has only one element, with the index 0."
                                      : " has " + std::to_string(size) + " elements, with the indexes 0 " +
                                            (size == 2 ? "and " : "to ") + std::to_string(size - 1) + ".");
    // How many elements a marked list has is part of what is kept back.
    if (marks) detail = "There is no element with this index.";
    return fail(diags, "Invalid index", std::move(detail), where);
  }
  if (v.is_unknown()) return marked(Value::unknown(v.type().elements()[*i]), marks);
  return marked(v.elements()[*i], marks);
}
}  // namespace

Value apply_attr(const Value& v, Symbol name, Range where, Diagnostics& diags) {
  Marks marks = v.marks();
  switch (v.kind()) {
    case Kind::Null:
      return fail(diags, "Attribute of null",
                  "This value is null, so it has no attribute \"" + std::string(name.sv()) + "\".", where);
    case Kind::Obj: {
      int i = v.type().find_attr(name);
      if (i >= 0) return marked(v.elements()[i], marks);
      return fail(diags, "Unsupported attribute",
                  "This object has no attribute named \"" + std::string(name.sv()) + "\"." +
                      suggestion(name, v.type()),
                  where);
    }
    case Kind::Map:
      if (const Value* element = v.find_key(name.sv())) return marked(*element, marks);
      return fail(diags, "Missing map element",
                  "This map has no element with the key \"" + std::string(name.sv()) + "\".", where);
    case Kind::Unknown:
    case Kind::Bool:
    case Kind::Int:
    case Kind::Num:
    case Kind::Str:
    case Kind::Seq:
    case Kind::Set:
    case Kind::TypeVal:
      break;
  }
  Type t = v.type();
  if (v.is_unknown()) {
    if (t.is_dynamic()) return marked(Value::unknown(), marks);
    if (t.is_map()) return marked(Value::unknown(t.element()), marks);
    if (t.is_object()) {
      int i = t.find_attr(name);
      if (i >= 0) return marked(Value::unknown(t.elements()[i]), marks);
      return fail(
          diags, "Unsupported attribute",
          "This object has no attribute named \"" + std::string(name.sv()) + "\"." + suggestion(name, t),
          where);
    }
  }
  return fail(diags, "Unsupported attribute", no_attributes(t, name), where);
}

Value apply_index(const Value& v, const Value& key, Range where, Diagnostics& diags) {
  Marks marks = v.marks() | key.marks();
  Type t = v.type();
  if (v.is_null()) return fail(diags, "Index of null", "This value is null, so it has no elements.", where);
  if (key.is_null())
    return fail(diags, "Invalid index", "The index is null; an index or key must be a number or a string.",
                where);
  if (t.is_set())
    return fail(diags, "Invalid index",
                "The elements of a set have neither indexes nor keys. Convert the set to a list with tolist, "
                "or iterate over its elements with a for expression.",
                where);
  bool sequence = t.is_list() || t.is_tuple();
  if (!sequence && !t.is_map() && !t.is_object() && !t.is_dynamic())
    return fail(diags, "Invalid index",
                "This is " + kind_noun(t) + ", which has no elements to select with an index.", where);
  if (t.is_dynamic() || (key.is_unknown() && key.type().is_dynamic())) return marked(Value::unknown(), marks);
  Type want = sequence ? Type::number() : Type::string();
  Value k = key.marks() ? key.without_own_marks() : key;
  if (k.type() != want) {
    ConversionError why;
    auto converted = convert(k, want, &why);
    if (!converted)
      return fail(diags, "Invalid index",
                  std::string(sequence ? "The index of a list or tuple must be a number"
                                       : "The key must be a string") +
                      ", and this is " + kind_noun(k.type()) +
                      (k.is_string() ? " that cannot be converted to one." : "."),
                  where);
    k = std::move(*converted);
  }
  if (sequence) return list_element(v, k, where, diags, marks);
  if (k.is_unknown()) return marked(Value::unknown(t.is_map() ? t.element() : Type::dynamic()), marks);
  std::string_view text = k.as_string();
  std::string shown = key.marks() ? "this key" : "the key " + syntax::quote(text);
  if (t.is_map()) {
    if (v.is_unknown()) return marked(Value::unknown(t.element()), marks);
    if (const Value* element = v.find_key(text)) return marked(*element, marks);
    return fail(diags, "Invalid index", "This map has no element with " + shown + ".", where);
  }
  // Of an unknown object an index tells nothing, not even a type; the attribute step does.
  if (v.is_unknown()) return marked(Value::unknown(), marks);
  int i = t.find_attr(text);
  if (i < 0) {
    std::string detail = "This object has no attribute for " + shown + ".";
    if (key.is_number())
      detail += " The attributes of an object are accessed by name, not by position.";
    else if (!key.marks())
      detail += suggestion(Symbol(text), t);
    return fail(diags, "Invalid index", std::move(detail), where);
  }
  return marked(v.elements()[i], marks);
}

Value apply_instance_key(const Value& instances, std::string_view name, const Value& key, Range where,
                         Diagnostics& diags) {
  Diagnostics found;
  Value out = apply_index(instances, key, where, found);
  const bool missing = found.has_errors() && !key.is_null() && !key.is_unknown() &&
                       (instances.type().is_tuple() || instances.type().is_object());
  if (missing)
    diags.error("Invalid index", missing_instance(instances, name, key), where);
  else
    diags.append(std::move(found));
  return out;
}

Value apply_steps(Value v, std::span<const syntax::TraversalStep> steps, Diagnostics& diags) {
  for (const auto& step : steps) {
    size_t errors = diags.error_count();
    v = step.is_attr ? apply_attr(v, step.attr, step.range, diags)
                     : apply_index(v, step.index, step.range, diags);
    if (diags.error_count() != errors) return Value::unknown();
  }
  return v;
}

}  // namespace xplan::eval
