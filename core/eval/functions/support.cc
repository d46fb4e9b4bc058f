#include "core/eval/functions/support.h"

#include "core/value/convert.h"

namespace xplan::eval {

Value fail(CallError& error, std::string message, int argument) {
  error.message = std::move(message);
  error.argument = argument;
  return Value::unknown();
}

Type fail_type(CallError& error, std::string message, int argument) {
  fail(error, std::move(message), argument);
  return Type::dynamic();
}

Param any_param(std::string_view name) { return {.name = name}; }
Param open_param(std::string_view name) {
  return {.name = name, .allow_null = true, .allow_unknown = true, .allow_dynamic = true};
}

bool whole_number(const Value& v, int64_t& out, CallError& error, int argument, std::string_view what) {
  if (auto n = v.as_number().exact_int64()) {
    out = *n;
    return true;
  }
  fail(error, std::string(what) + " must be a whole number that fits in 64 bits, not " + v.as_number().text(), argument);
  return false;
}

bool is_sequence(Type t) { return t.is_list() || t.is_tuple(); }
bool is_sequence_or_set(Type t) { return is_sequence(t) || t.is_set(); }

bool length_is_known(const Value& v) {
  return v.is_known() && (!v.type().is_set() || v.length() <= 1 || v.is_wholly_known());
}

namespace {

// Unifies part by part where all types have the same shape; done = false where they have not.
bool unify_parts(std::span<const Type> types, Type& out, bool& done) {
  Type first = types[0];
  TypeKind kind = first.kind();
  done = false;
  for (Type t : types) {
    if (t.kind() != kind || t.elements().size() != first.elements().size()) return false;
    if (kind == TypeKind::Object)
      for (size_t i = 0; i < t.attr_names().size(); ++i)
        if (t.attr_names()[i] != first.attr_names()[i]) return false;
  }
  std::vector<Type> parts(types.size()), unified;
  auto part = [&](auto pick) {
    for (size_t i = 0; i < types.size(); ++i) parts[i] = pick(types[i]);
    unified.emplace_back();
    return unify_loosely(parts, unified.back());
  };
  if (first.is_collection()) {
    done = true;
    if (!part([](Type t) { return t.element(); })) return false;
    out = kind == TypeKind::List ? Type::list(unified[0]) : kind == TypeKind::Set ? Type::set(unified[0]) : Type::map(unified[0]);
    return true;
  }
  if (!first.is_structural()) return false;
  for (size_t k = 0; k < first.elements().size(); ++k)
    if (!part([&](Type t) { return t.elements()[k]; })) return false;  // not done: it may still become a collection
  done = true;
  if (kind == TypeKind::Tuple) {
    out = Type::tuple(unified);
    return true;
  }
  std::vector<std::pair<Symbol, Type>> attrs;
  for (size_t k = 0; k < unified.size(); ++k) attrs.emplace_back(first.attr_names()[k], unified[k]);
  out = Type::object(std::move(attrs));
  return true;
}

}  // namespace

bool unify_loosely(std::span<const Type> types, Type& out) {
  std::vector<Type> given;
  for (Type t : types)
    if (!t.is_dynamic() && (given.empty() || given.back() != t)) given.push_back(t);
  if (given.size() <= 1) {
    out = given.empty() ? Type::dynamic() : given[0];
    return true;
  }
  bool done = false, ok = unify_parts(given, out, done);
  return done ? ok : unify(given, out);
}

bool string_fits(size_t bytes, CallError& error) {
  if (bytes <= kMaxStringBytes) return true;
  fail(error, "the resulting string would be longer than " + std::to_string(kMaxStringBytes >> 20) + " MiB");
  return false;
}

bool elements_fit(size_t count, CallError& error) {
  if (count <= kMaxElements) return true;
  fail(error, "the result would have more than " + std::to_string(kMaxElements) + " elements");
  return false;
}

}  // namespace xplan::eval
