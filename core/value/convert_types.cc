// Conversions judged by types alone: which exist, what their result type is, and why one does not exist.
#include <algorithm>
#include <unordered_set>

#include "core/base/text.h"
#include "core/value/convert_internal.h"

namespace xplan {

std::vector<Type> distinct_types(std::span<const Type> types) {
  std::vector<Type> out;
  if (types.size() <= 8) {
    for (Type t : types)
      if (std::find(out.begin(), out.end(), t) == out.end()) out.push_back(t);
    return out;
  }
  std::unordered_set<Type> seen;
  for (Type t : types)
    if (seen.insert(t).second) out.push_back(t);
  return out;
}

namespace {

bool is_sequence(Type t) {
  return t.is_list() || t.is_set();
}

bool elements_convertible(Type from, Type to_element, const ConvertPlan* plan, bool unsafe) {
  if (from.elements().empty()) return true;
  std::vector<Type> types = distinct_types(from.elements());
  if (to_element.is_dynamic()) {
    std::optional<Type> u = unify_types(types, unsafe);
    if (!u) return false;
    // A list or set cannot hold what only "anything" describes, unless nothing is known of any element.
    if (u->is_dynamic() && from.is_tuple() && (types.size() > 1 || !types[0].is_dynamic())) return false;
    to_element = *u;
  }
  return std::all_of(types.begin(), types.end(),
                     [&](Type t) { return convertible(t, to_element, plan, unsafe); });
}

bool object_convertible(Type from, Type to, const ConvertPlan* plan, bool unsafe) {
  auto names = to.attr_names();
  for (size_t i = 0; i < names.size(); ++i) {
    int at = from.find_attr(names[i]);
    if (at < 0) {
      if (!plan_optional(plan, i)) return false;
    } else if (!convertible(from.elements()[static_cast<size_t>(at)], to.elements()[i], plan_child(plan, i),
                            unsafe)) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool convertible(Type from, Type to, const ConvertPlan* plan, bool unsafe) {
  if (from == to || to.is_dynamic()) return true;
  if (from.is_dynamic()) return unsafe;
  switch (to.kind()) {
    case TypeKind::String:
      return from.is_primitive();
    case TypeKind::Bool:
    case TypeKind::Number:
      return unsafe && from == Type::string();
    case TypeKind::Object:
      if (from.is_object()) return object_convertible(from, to, plan, unsafe);
      if (!from.is_map() || !unsafe) return false;
      for (size_t i = 0; i < to.elements().size(); ++i)
        if (!plan_optional(plan, i) &&
            !convertible(from.element(), to.elements()[i], plan_child(plan, i), unsafe))
          return false;
      return true;
    case TypeKind::Tuple: {
      if (!from.is_tuple() || from.elements().size() != to.elements().size()) return false;
      for (size_t i = 0; i < to.elements().size(); ++i)
        if (!convertible(from.elements()[i], to.elements()[i], plan_child(plan, i), unsafe)) return false;
      return true;
    }
    case TypeKind::List:
      if (is_sequence(from)) return convertible(from.element(), to.element(), plan_child(plan, 0), unsafe);
      return from.is_tuple() && elements_convertible(from, to.element(), plan_child(plan, 0), unsafe);
    case TypeKind::Set:
      if (from.is_list() && !unsafe) return false;  // order and duplicates would be lost
      if (is_sequence(from)) return convertible(from.element(), to.element(), plan_child(plan, 0), unsafe);
      return from.is_tuple() && elements_convertible(from, to.element(), plan_child(plan, 0), unsafe);
    case TypeKind::Map:
      if (from.is_map()) return convertible(from.element(), to.element(), plan_child(plan, 0), unsafe);
      return from.is_object() && elements_convertible(from, to.element(), plan_child(plan, 0), unsafe);
    case TypeKind::Dynamic:
    case TypeKind::Capsule:
      break;
  }
  return false;
}

bool conversion_exists(Type from, Type to, bool unsafe_allowed) {
  return convertible(from, to, nullptr, unsafe_allowed);
}

Type settle_type(Type from, Type to) {
  if (to.is_dynamic()) return from;
  if (from.is_dynamic() || from == to || !to.has_dynamic()) return to;
  auto element_of = [](Type t) -> std::optional<Type> {
    if (t.is_collection()) return t.element();
    return unify_types(t.elements(), true);
  };
  switch (to.kind()) {
    case TypeKind::List:
    case TypeKind::Set: {
      if (!is_sequence(from) && !from.is_tuple()) return to;
      std::optional<Type> e = element_of(from);
      if (!e) return to;
      Type element = settle_type(*e, to.element());
      return to.is_list() ? Type::list(element) : Type::set(element);
    }
    case TypeKind::Map: {
      if (!from.is_map() && !from.is_object()) return to;
      std::optional<Type> e = element_of(from);
      return e ? Type::map(settle_type(*e, to.element())) : to;
    }
    case TypeKind::Tuple: {
      if (!from.is_tuple() || from.elements().size() != to.elements().size()) return to;
      std::vector<Type> types;
      for (size_t i = 0; i < to.elements().size(); ++i)
        types.push_back(settle_type(from.elements()[i], to.elements()[i]));
      return Type::tuple(types);
    }
    case TypeKind::Object: {
      std::vector<std::pair<Symbol, Type>> attrs;
      for (size_t i = 0; i < to.elements().size(); ++i) {
        Symbol name = to.attr_names()[i];
        Type t = to.elements()[i];
        if (from.is_map()) {
          t = settle_type(from.element(), t);
        } else if (from.is_object()) {
          int at = from.find_attr(name);
          if (at >= 0) t = settle_type(from.elements()[static_cast<size_t>(at)], t);
        }
        attrs.emplace_back(name, t);
      }
      return Type::object(std::move(attrs));
    }
    case TypeKind::Dynamic:
    case TypeKind::Bool:
    case TypeKind::Number:
    case TypeKind::String:
    case TypeKind::Capsule:
      break;
  }
  return to;
}

std::string explain_mismatch(Type from, Type to, const ConvertPlan* plan) {
  if (to.is_object() && from.is_object()) {
    std::string missing;
    size_t count = 0;
    for (size_t i = 0; i < to.attr_names().size(); ++i) {
      if (from.find_attr(to.attr_names()[i]) >= 0 || plan_optional(plan, i)) continue;
      missing += (count++ ? ", " : "") + in_quotes(to.attr_names()[i].sv());
    }
    if (count == 1) return "attribute " + missing + " is required";
    if (count > 1) return "attributes " + missing + " are required";
    for (size_t i = 0; i < to.attr_names().size(); ++i) {
      int at = from.find_attr(to.attr_names()[i]);
      if (at < 0) continue;
      Type have = from.elements()[static_cast<size_t>(at)];
      if (!convertible(have, to.elements()[i], plan_child(plan, i), true))
        return "attribute " + in_quotes(to.attr_names()[i].sv()) + ": " +
               explain_mismatch(have, to.elements()[i], plan_child(plan, i));
    }
  }
  if (to.is_tuple() && from.is_tuple()) {
    size_t want = to.elements().size(), have = from.elements().size();
    if (want != have)
      return "a tuple of " + std::to_string(want) + (want == 1 ? " element" : " elements") +
             " is required, but this one has " + std::to_string(have);
    for (size_t i = 0; i < want; ++i)
      if (!convertible(from.elements()[i], to.elements()[i], plan_child(plan, i), true))
        return "element " + std::to_string(i) + ": " +
               explain_mismatch(from.elements()[i], to.elements()[i], plan_child(plan, i));
  }
  bool into_map = to.is_map() && (from.is_map() || from.is_object());
  bool into_sequence = is_sequence(to) && (is_sequence(from) || from.is_tuple());
  if (into_map || into_sequence) {
    std::vector<Type> types =
        from.is_collection() ? std::vector<Type>{from.element()} : distinct_types(from.elements());
    for (Type t : types)
      if (!convertible(t, to.element(), plan_child(plan, 0), true))
        return (into_map ? "values: " : "elements: ") +
               explain_mismatch(t, to.element(), plan_child(plan, 0));
    return std::string(into_map ? "the values" : "the elements") + " have no common type";
  }
  if (to.is_object() && from.is_map()) {
    for (size_t i = 0; i < to.elements().size(); ++i)
      if (!convertible(from.element(), to.elements()[i], plan_child(plan, i), true))
        return "attribute " + in_quotes(to.attr_names()[i].sv()) + ": " +
               explain_mismatch(from.element(), to.elements()[i], plan_child(plan, i));
  }
  return with_article(to.friendly_name()) + " is required, not " + with_article(from.friendly_name());
}

std::string why_no_conversion(Type from, Type to) {
  return explain_mismatch(from, to, nullptr);
}

ConvertPlan make_convert_plan(const TypeConstraint& c) {
  ConvertPlan p;
  p.constraint = &c;
  for (size_t i = 0; i < c.defaults.size(); ++i)
    if (!(c.defaults[i].is_null() && c.defaults[i].type().is_dynamic())) p.has_defaults = true;
  p.children.resize(c.children.size());
  p.child_used.resize(c.children.size());
  for (size_t i = 0; i < c.children.size(); ++i) {
    if (!c.children[i].has_optional()) continue;
    p.children[i] = make_convert_plan(c.children[i]);
    p.child_used[i] = true;
    p.has_defaults = p.has_defaults || p.children[i].has_defaults;
  }
  return p;
}

std::string TypeConstraint::text() const {
  const std::string plain = type.constraint_text();
  if (!has_optional()) return plain;
  const std::string kind = plain.substr(0, plain.find('(') + 1);
  auto part = [&](size_t i) {
    return children.empty() ? type.elements()[i].constraint_text() : children[i].text();
  };
  if (type.is_collection()) return kind + children[0].text() + ")";
  std::string out;
  for (size_t i = 0; i < type.elements().size(); ++i) {
    out += i ? ", " : "";
    if (type.is_object()) out += std::string(type.attr_names()[i].sv()) + "=";
    out += !optional.empty() && optional[i] ? "optional(" + part(i) + ")" : part(i);
  }
  return kind + (type.is_object() ? "{" + out + "})" : "[" + out + "])");
}

bool TypeConstraint::has_optional() const {
  if (std::find(optional.begin(), optional.end(), true) != optional.end()) return true;
  return std::any_of(children.begin(), children.end(),
                     [](const TypeConstraint& c) { return c.has_optional(); });
}

}  // namespace xplan
