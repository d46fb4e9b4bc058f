// Unification: the one type that several types convert to.
//
// Order of attempts (facts of the language): types of one kind are unified part by part; objects with
// different attributes become a map, tuples of different lengths a list; maps with objects, and lists with
// tuples, unify as maps and lists; otherwise the most general of the given types that all others convert to.
#include <algorithm>

#include "core/value/convert_internal.h"

namespace xplan {
namespace {

using Types = std::vector<Type>;

bool all_convert(const Types& types, Type to, bool unsafe) {
  return std::all_of(types.begin(), types.end(), [&](Type t) { return convertible(t, to, nullptr, unsafe); });
}

// -1: a is to be preferred (more general), 1: b, 0: neither.
int preference(Type a, Type b);

int preference_of_parts(Type a, Type b) {
  auto ea = a.elements(), eb = b.elements();
  if (ea.size() != eb.size()) return 0;
  if (a.is_object() && !std::equal(a.attr_names().begin(), a.attr_names().end(), b.attr_names().begin()))
    return 0;
  bool first = false, second = false;
  for (size_t i = 0; i < ea.size(); ++i) {
    int c = preference(ea[i], eb[i]);
    first = first || c < 0;
    second = second || c > 0;
  }
  return first == second ? 0 : first ? -1 : 1;
}

int preference(Type a, Type b) {
  if (a == b) return 0;
  if (b.is_dynamic()) return -1;
  if (a.is_dynamic()) return 1;
  if (a.is_primitive() && b.is_primitive()) return a == Type::string() ? -1 : b == Type::string() ? 1 : 0;
  TypeKind ka = a.kind(), kb = b.kind();
  if (ka == kb && a.is_collection()) return preference(a.element(), b.element());
  if (ka == kb && a.is_structural()) return preference_of_parts(a, b);
  if (ka == TypeKind::Map && kb == TypeKind::Object) return -1;
  if (ka == TypeKind::Object && kb == TypeKind::Map) return 1;
  auto rank = [](TypeKind k) {
    return k == TypeKind::List ? 1 : k == TypeKind::Tuple ? 2 : k == TypeKind::Set ? 3 : 0;
  };
  int ra = rank(ka), rb = rank(kb);
  return ra && rb ? (ra < rb ? -1 : 1) : 0;
}

// Most general first; types that cannot be compared keep their order. Quadratic in the number of distinct
// types of different kinds, which is small: large numbers of distinct types are all objects or all tuples,
// and those are unified part by part.
Types by_preference(const Types& types) {
  size_t n = types.size();
  std::vector<std::vector<size_t>> over(n);
  std::vector<size_t> waiting(n), order;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = i + 1; j < n; ++j) {
      int c = preference(types[i], types[j]);
      if (c < 0) over[i].push_back(j), ++waiting[j];
      if (c > 0) over[j].push_back(i), ++waiting[i];
    }
  for (size_t i = 0; i < n; ++i)
    if (waiting[i] == 0) order.push_back(i);
  for (size_t k = 0; k < order.size(); ++k)
    for (size_t j : over[order[k]])
      if (--waiting[j] == 0) order.push_back(j);
  Types out;
  for (size_t i : order) out.push_back(types[i]);
  return out;
}

std::optional<Type> parts_as_one(const Types& types, bool unsafe, bool map) {
  Types parts;
  for (Type t : types) {
    auto e = distinct_types(t.elements());
    parts.insert(parts.end(), e.begin(), e.end());
  }
  std::optional<Type> e = unify_types(parts, unsafe);
  if (!e) return std::nullopt;
  Type out = map ? Type::map(*e) : Type::list(*e);
  if (!all_convert(types, out, unsafe)) return std::nullopt;
  return out;
}

std::optional<Type> unify_structures(const Types& types, bool unsafe) {
  bool object = types[0].is_object();
  size_t n = types[0].elements().size();
  auto names = types[0].attr_names();
  for (Type t : types)
    if (t.elements().size() != n ||
        (object && !std::equal(names.begin(), names.end(), t.attr_names().begin())))
      return parts_as_one(types, unsafe, object);
  Types parts, across(types.size());
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < types.size(); ++k) across[k] = types[k].elements()[i];
    std::optional<Type> part = unify_types(across, unsafe);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  }
  Type out;
  if (object) {
    std::vector<std::pair<Symbol, Type>> attrs;
    for (size_t i = 0; i < n; ++i) attrs.emplace_back(names[i], parts[i]);
    out = Type::object(std::move(attrs));
  } else {
    out = Type::tuple(parts);
  }
  return all_convert(types, out, unsafe) ? out : parts_as_one(types, unsafe, object);
}

std::optional<Type> unify_collections(const Types& types, bool unsafe) {
  Types parts;
  for (Type t : types) parts.push_back(t.element());
  std::optional<Type> e = unify_types(parts, unsafe);
  if (!e) return std::nullopt;
  Type out = types[0].is_list() ? Type::list(*e) : types[0].is_set() ? Type::set(*e) : Type::map(*e);
  if (!all_convert(types, out, unsafe)) return std::nullopt;
  return out;
}

// Maps with objects, or lists with tuples: the structures are first made one collection among themselves.
std::optional<Type> unify_disguised(const Types& types, TypeKind structure, bool unsafe) {
  Types structures, rest;
  for (Type t : types) (t.kind() == structure ? structures : rest).push_back(t);
  std::optional<Type> one = parts_as_one(structures, unsafe, structure == TypeKind::Object);
  if (!one) return std::nullopt;
  rest.push_back(*one);
  std::optional<Type> out = unify_types(rest, unsafe);
  if (!out || out->kind() != one->kind()) return std::nullopt;
  return out;
}

}  // namespace

std::optional<Type> unify_types(std::span<const Type> given, bool unsafe) {
  Types types = distinct_types(given);
  if (types.empty()) return std::nullopt;
  if (types.size() == 1) return types[0];
  size_t count[10] = {};
  size_t primitive = 0;
  for (Type t : types) ++count[static_cast<size_t>(t.kind())], primitive += t.is_primitive();
  auto of = [&](TypeKind k) { return count[static_cast<size_t>(k)]; };
  size_t dynamic = of(TypeKind::Dynamic), all = types.size();
  if (primitive &&
      primitive + dynamic < all) {  // nothing is both; trying every pair would only show it slowly
    if (!dynamic) return std::nullopt;
    return Type::dynamic();
  }
  for (TypeKind k : {TypeKind::Map, TypeKind::List, TypeKind::Set, TypeKind::Object, TypeKind::Tuple}) {
    if (of(k) == 0) continue;
    if (of(k) + dynamic == all) {
      if (dynamic) return Type::dynamic();  // what the unknown part will be decides, later
      return k == TypeKind::Object || k == TypeKind::Tuple ? unify_structures(types, unsafe)
                                                           : unify_collections(types, unsafe);
    }
    std::optional<Type> out;
    if (k == TypeKind::Map && of(k) + of(TypeKind::Object) + dynamic == all)
      out = unify_disguised(types, TypeKind::Object, unsafe);
    if (k == TypeKind::List && of(k) + of(TypeKind::Tuple) + dynamic == all)
      out = unify_disguised(types, TypeKind::Tuple, unsafe);
    if (out) return out;
  }
  if (of(TypeKind::Object) && of(TypeKind::Tuple)) return std::nullopt;
  for (Type want : by_preference(types))
    if (all_convert(types, want, unsafe)) return want;
  return std::nullopt;
}

bool unify(std::span<const Type> types, Type& out, bool unsafe_allowed) {
  if (types.empty()) {
    out = Type::dynamic();
    return true;
  }
  std::optional<Type> t = unify_types(types, unsafe_allowed);
  if (t) out = *t;
  return t.has_value();
}

bool unify_values(std::vector<Value>& values, Type& out, ConversionError* error) {
  Types types;
  for (const Value& v : values) types.push_back(v.type());
  if (!unify(types, out)) {
    if (error) *error = {{}, "the types have no common type"};
    return false;
  }
  for (Value& v : values) {
    std::optional<Value> c = convert(v, out, error);
    if (!c) return false;
    v = *c;
  }
  return true;
}

}  // namespace xplan
