// Reads values from JSON: with the types it shows, as a declared type, and with types written beside dynamic
// positions.
#include <algorithm>

#include "core/base/utf8.h"
#include "core/value/convert.h"
#include "core/value/json.h"

namespace xplan {
namespace {

using Maybe = std::optional<Value>;

class Reader {
 public:
  Reader(bool missing_as_null, bool ignore_extra)
      : missing_as_null_(missing_as_null), ignore_extra_(ignore_extra) {}

  Maybe natural(const JsonNode& n) {
    switch (n.kind) {
      case JsonNode::Kind::Null:
        return Value::null();
      case JsonNode::Kind::True:
        return Value::boolean(true);
      case JsonNode::Kind::False:
        return Value::boolean(false);
      case JsonNode::Kind::String:
        return Value::string(n.text);
      case JsonNode::Kind::Number:
        return number(n);
      case JsonNode::Kind::Array: {
        std::vector<Value> items;
        items.reserve(n.items.size());
        for (const JsonNode* i : n.items) {
          Maybe v = natural(*i);
          if (!v) return below(PathStep::of_index(Value::number(static_cast<int64_t>(items.size()))));
          items.push_back(std::move(*v));
        }
        return Value::tuple(std::move(items));
      }
      case JsonNode::Kind::Object: {
        std::vector<std::pair<Symbol, Value>> attrs;
        attrs.reserve(n.members.size());
        for (const JsonMember& m : n.members) {
          Maybe v = natural(*m.value);
          if (!v) return below(PathStep::of_attr(m.key));
          attrs.emplace_back(name(m.key), std::move(*v));
        }
        return Value::object(std::move(attrs));
      }
    }
    return std::nullopt;
  }

  Maybe typed(const JsonNode& n, Type t) {
    if (n.is_null()) return Value::null(t);
    switch (t.kind()) {
      case TypeKind::Dynamic:
        return wrapped(n);
      case TypeKind::Bool:
        if (n.is_bool()) return Value::boolean(n.is_true());
        if (n.str() == "true" || n.str() == "1") return Value::boolean(true);
        if (n.str() == "false" || n.str() == "0") return Value::boolean(false);
        return fail(n, "a bool is required");
      case TypeKind::Number:
        if (n.is_number() || n.is_string()) return finite_number(n);
        return fail(n, "a number is required");
      case TypeKind::String:
        if (n.is_string() || n.is_number()) return Value::string(n.text);
        if (n.is_bool()) return Value::string_nfc(n.is_true() ? "true" : "false");
        return fail(n, "a string is required");
      case TypeKind::List:
      case TypeKind::Set:
        return sequence(n, t);
      case TypeKind::Map:
        return map(n, t);
      case TypeKind::Tuple:
        return tuple(n, t);
      case TypeKind::Object:
        return object(n, t);
      case TypeKind::Capsule:
        break;
    }
    return fail(n, "a value of this type cannot be read from JSON");
  }

  Error error() {
    std::reverse(path_.begin(), path_.end());
    return Error{path_.empty() ? message_ : path_text(path_) + ": " + message_};
  }

 private:
  Maybe fail(const JsonNode& n, std::string message) {
    static constexpr const char* kKinds[] = {"null",     "a bool",   "a bool",   "a number",
                                             "a string", "an array", "an object"};
    message_ = std::move(message) + ", but this is " + kKinds[static_cast<size_t>(n.kind)];
    return std::nullopt;
  }
  Maybe fail(std::string message) {
    message_ = std::move(message);
    return std::nullopt;
  }
  Maybe below(PathStep step) {
    path_.push_back(std::move(step));
    return std::nullopt;
  }
  static Symbol name(std::string_view key) { return is_nfc_quick(key) ? Symbol(key) : Symbol(nfc(key)); }

  // The text is not repeated: it may be a secret that came to the wrong place.
  Maybe number(const JsonNode& node) {
    Result<Number> n = Number::parse(node.text);
    if (n.ok()) return Value::number(*n);
    return fail(node.is_number() ? kTooLarge : "a number is required, but this string is not one");
  }
  Maybe finite_number(const JsonNode& node) {
    Maybe v = number(node);
    return v && v->as_number().is_infinite() ? fail(kTooLarge) : v;
  }

  Maybe wrapped(const JsonNode& n) {
    if (!n.is_object())
      return fail(n, "a value of any type is written as an object with \"value\" and \"type\"");
    const JsonNode *value = n.find("value"), *type = n.find("type");
    if (!value || !type)
      return fail(
          "a value of any type must be an object with \"value\" and \"type\", but one of them is missing");
    for (const JsonMember& m : n.members)
      if (m.key != "value" && m.key != "type")
        return fail("a value of any type can have only \"value\" and \"type\", not \"" + std::string(m.key) +
                    "\"");
    Result<Type> t = json_type(*type);
    if (!t.ok()) return fail("the type of this value cannot be read: " + t.error().message);
    return typed(*value, *t);
  }

  bool items(const JsonNode& n, Type element, std::vector<Value>& out) {
    out.reserve(n.items.size());
    for (const JsonNode* i : n.items) {
      Maybe v = typed(*i, element);
      if (!v) return below(PathStep::of_index(Value::number(static_cast<int64_t>(out.size())))), false;
      out.push_back(std::move(*v));
    }
    return true;
  }

  Maybe sequence(const JsonNode& n, Type t) {
    if (!n.is_array()) return fail(n, t.is_list() ? "a list is required" : "a set is required");
    Type element = t.element();
    std::vector<Value> elements;
    if (!items(n, element, elements)) return std::nullopt;
    if (!settle_elements(elements, element)) return fail("all elements must have the same type");
    return t.is_list() ? Value::list(element, std::move(elements)) : Value::set(element, std::move(elements));
  }

  Maybe map(const JsonNode& n, Type t) {
    if (!n.is_object()) return fail(n, "a map is required");
    Type element = t.element();
    std::vector<Value> elements;
    elements.reserve(n.members.size());
    for (const JsonMember& m : n.members) {
      Maybe v = typed(*m.value, element);
      if (!v) return below(PathStep::of_index(Value::string(m.key)));
      elements.push_back(std::move(*v));
    }
    if (!settle_elements(elements, element)) return fail("all values must have the same type");
    std::vector<std::pair<std::string, Value>> entries;
    entries.reserve(elements.size());
    for (size_t i = 0; i < elements.size(); ++i)
      entries.emplace_back(n.members[i].key, std::move(elements[i]));
    return Value::map(element, std::move(entries));
  }

  Maybe tuple(const JsonNode& n, Type t) {
    if (!n.is_array()) return fail(n, "a tuple is required");
    auto types = t.elements();
    if (types.size() != n.items.size())
      return fail("a tuple of " + std::to_string(types.size()) + " elements is required, but this one has " +
                  std::to_string(n.items.size()));
    std::vector<Value> elements;
    elements.reserve(types.size());
    for (size_t i = 0; i < types.size(); ++i) {
      Maybe v = typed(*n.items[i], types[i]);
      if (!v) return below(PathStep::of_index(Value::number(static_cast<int64_t>(i))));
      elements.push_back(std::move(*v));
    }
    return Value::tuple(std::move(elements));
  }

  Maybe object(const JsonNode& n, Type t) {
    if (!n.is_object()) return fail(n, "an object is required");
    auto types = t.elements();
    auto names = t.attr_names();
    std::vector<const JsonNode*> source(types.size());
    size_t next = 0;
    for (const JsonMember& m : n.members) {
      // Members mostly come sorted, as the type has them, so the search is the exception.
      int at = next < names.size() && names[next].sv() == m.key ? static_cast<int>(next)
               : is_nfc_quick(m.key)                            ? t.find_attr(m.key)
                                                                : t.find_attr(std::string_view(nfc(m.key)));
      next = static_cast<size_t>(at + 1);
      if (at >= 0)
        source[static_cast<size_t>(at)] = m.value;
      else if (!ignore_extra_)
        return fail("the attribute \"" + std::string(m.key) + "\" is not expected here");
    }
    std::vector<Value> attrs;
    attrs.reserve(types.size());
    bool exact = true;
    for (size_t i = 0; i < types.size(); ++i) {
      if (!source[i]) {
        if (!missing_as_null_) return fail("the attribute \"" + std::string(names[i].sv()) + "\" is missing");
        attrs.push_back(Value::null(types[i]));
        continue;
      }
      Maybe v = typed(*source[i], types[i]);
      if (!v) return below(PathStep::of_attr(names[i]));
      exact = exact && v->type() == types[i];
      attrs.push_back(std::move(*v));
    }
    if (exact) return Value::object(t, std::move(attrs));
    std::vector<std::pair<Symbol, Value>> named;
    named.reserve(attrs.size());
    for (size_t i = 0; i < attrs.size(); ++i) named.emplace_back(names[i], std::move(attrs[i]));
    return Value::object(std::move(named));
  }

  bool missing_as_null_, ignore_extra_;
  static constexpr const char* kTooLarge = "this number is too large";
  Path path_;  // innermost step first
  std::string message_;
};

template <class Read>
Result<Value> read_text(std::string_view text, int max_depth, Read read) {
  JsonError error;
  auto doc = JsonDocument::parse(text, error, max_depth);
  if (!doc) return Error{error.text(text)};
  return read(doc->root());
}

}  // namespace

Result<Value> json_value(const JsonNode& node) {
  Reader r(true, false);
  Maybe v = r.natural(node);
  if (!v) return r.error();
  return std::move(*v);
}

Result<Value> json_value_as(const JsonNode& node, Type declared, bool missing_as_null, bool ignore_extra) {
  Reader r(missing_as_null, ignore_extra);
  Maybe v = r.typed(node, declared);
  if (!v) return r.error();
  return std::move(*v);
}

Result<Value> parse_json(std::string_view text) {
  return read_text(text, kJsonDepth, json_value);
}

Result<Value> parse_json_as(std::string_view text, Type declared, bool missing_as_null, bool ignore_extra) {
  return read_text(text, kJsonStoredDepth, [&](const JsonNode& n) {
    return json_value_as(n, declared, missing_as_null, ignore_extra);
  });
}

Type json_implied_type(const JsonNode& n) {
  switch (n.kind) {
    case JsonNode::Kind::Null:
      return Type::dynamic();
    case JsonNode::Kind::True:
    case JsonNode::Kind::False:
      return Type::boolean();
    case JsonNode::Kind::String:
      return Type::string();
    case JsonNode::Kind::Number:
      return Type::number();
    case JsonNode::Kind::Array: {
      std::vector<Type> types;
      for (const JsonNode* i : n.items) types.push_back(json_implied_type(*i));
      return Type::tuple(types);
    }
    case JsonNode::Kind::Object: {
      std::vector<std::pair<Symbol, Type>> attrs;
      for (const JsonMember& m : n.members)
        if (n.find(m.key) == m.value) attrs.emplace_back(Symbol(nfc(m.key)), json_implied_type(*m.value));
      return Type::object(std::move(attrs));
    }
  }
  return Type::dynamic();
}

}  // namespace xplan
