// Conversion of values. Which conversions exist by type is in convert_types.cc; here they are carried out,
// element by element, and a path to the culprit is collected on the way back from a failure.
#include "core/value/convert.h"

#include <algorithm>

#include "core/value/convert_internal.h"

namespace xplan {
namespace {

using Maybe = std::optional<Value>;

class Converter {
 public:
  explicit Converter(bool want_error) : want_error_(want_error) {}
  ConversionError error;  // the path is innermost step first

  Maybe value(const Value& v, Type to, const ConvertPlan* plan) {
    if (to.is_dynamic() || (v.type() == to && !(plan && plan->has_defaults))) return v;
    if (v.marks()) {
      Maybe r = unmarked(v.without_own_marks(), to, plan);
      if (r) r = r->with_marks(v.marks());
      return r;
    }
    return unmarked(v, to, plan);
  }

 private:
  Maybe fail(std::string message) {
    if (want_error_) error.message = std::move(message);
    return std::nullopt;
  }
  Maybe mismatch(Type from, Type to, const ConvertPlan* plan) {
    return want_error_ ? fail(explain_mismatch(from, to, plan)) : std::nullopt;
  }
  Maybe below(PathStep step) {
    if (want_error_) error.path.push_back(std::move(step));
    return std::nullopt;
  }

  Maybe unmarked(const Value& v, Type to, const ConvertPlan* plan) {
    if (v.is_null() || v.is_unknown()) {
      if (!convertible(v.type(), to, plan, true)) return mismatch(v.type(), to, plan);
      Type t = settle_type(v.type(), to);
      return v.is_null() ? Value::null(t) : unknown(v, t);
    }
    switch (to.kind()) {
      case TypeKind::String:
      case TypeKind::Number:
      case TypeKind::Bool:
        return primitive(v, to);
      case TypeKind::List:
      case TypeKind::Set:
        return sequence(v, to, plan);
      case TypeKind::Map:
        return map(v, to, plan);
      case TypeKind::Tuple:
        return tuple(v, to, plan);
      case TypeKind::Object:
        return v.type().is_map() ? object_from_map(v, to, plan) : object(v, to, plan);
      case TypeKind::Dynamic:
      case TypeKind::Capsule:
        break;
    }
    return mismatch(v.type(), to, plan);
  }

  // What still holds of an unknown value after its conversion.
  Value unknown(const Value& v, Type to) {
    Type from = v.type();
    Refinement r;
    r.not_null = v.is_definitely_not_null();
    if ((from.is_object() && to.is_map()) || (from.is_tuple() && (to.is_list() || to.is_set()))) {
      auto n = static_cast<int64_t>(from.elements().size());
      r.min_length = to.is_set() ? std::min<int64_t>(n, 1) : n;
      r.max_length = n;
    } else if (from.is_collection() && to.is_collection()) {
      const Refinement& old = v.refinement();
      r.min_length = to.is_set() ? std::min<int64_t>(old.min_length, 1) : old.min_length;
      r.max_length = old.max_length;
    }
    return Value::unknown(to, r);
  }

  Maybe primitive(const Value& v, Type to) {
    if (v.type() == to) return v;
    if (to == Type::string()) {
      if (v.is_number()) return Value::string_nfc(v.as_number().text());
      if (v.is_bool()) return Value::string_nfc(v.as_bool() ? "true" : "false");
    } else if (v.is_string() && to == Type::number()) {
      Result<Number> n = Number::parse(v.as_string());
      if (n.ok()) return Value::number(*n);
      return fail("a number is required, but this string is not one");
    } else if (v.is_string() && to == Type::boolean()) {
      std::string_view s = v.as_string();
      if (s == "true" || s == "1") return Value::boolean(true);
      if (s == "false" || s == "0") return Value::boolean(false);
      std::string lower(s);
      std::transform(lower.begin(), lower.end(), lower.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
      if (lower == "true" || lower == "false") return fail("a bool is required, in lower case: " + lower);
      return fail("a bool is required: true or false");
    }
    return mismatch(v.type(), to, nullptr);
  }

  // The element type to convert to: for "any", what the elements of a tuple or object have in common.
  std::optional<Type> element_goal(const Value& v, Type to) {
    if (!to.element().is_dynamic()) return to.element();
    if (v.type().is_collection()) return v.type().element();
    std::vector<Type> types = distinct_types(v.type().elements());
    std::optional<Type> u = unify_types(types, true);
    if (u && u->is_dynamic() && v.type().is_tuple() && (types.size() > 1 || !types[0].is_dynamic()))
      u.reset();
    return u;
  }

  // Elements whose goal left something open may have come out differently: one more unification decides.
  bool one_type(std::vector<Value>& elements, Type& element, bool unify_again) {
    if (settle_elements(elements, element)) return true;
    if (!unify_again) return false;
    std::vector<Type> types;
    for (const Value& e : elements) types.push_back(e.type());
    std::optional<Type> u = unify_types(types, true);
    if (!u || u->is_dynamic()) return false;
    for (Value& e : elements) {
      Maybe c = value(e, *u, nullptr);
      if (!c) return false;
      e = *c;
    }
    return settle_elements(elements, element);
  }

  Maybe sequence(const Value& v, Type to, const ConvertPlan* plan) {
    Type from = v.type();
    auto make = [&](Type element, std::vector<Value> elements) {
      return to.is_list() ? Value::list(element, std::move(elements))
                          : Value::set(element, std::move(elements));
    };
    if (!from.is_list() && !from.is_set() && !from.is_tuple()) return mismatch(from, to, plan);
    const ConvertPlan* child = plan_child(plan, 0);
    if (v.length() == 0) {
      if (!convertible(from, to, plan, true)) return mismatch(from, to, plan);
      return make(to.element().is_dynamic() && !from.is_tuple() ? from.element() : to.element(), {});
    }
    std::optional<Type> goal = element_goal(v, to);
    if (!goal) return mismatch(from, to, plan);
    if (from.is_set() && to.is_list() && v.length() > 1 && !v.is_wholly_known()) {
      // Elements of the set may turn out equal, so that not even the length of the list is known.
      if (!convertible(from, to, plan, true)) return mismatch(from, to, plan);
      return Value::unknown(Type::list(settle_type(from.element(), *goal)));
    }
    std::vector<Value> elements;
    elements.reserve(v.length());
    for (const Value& e : v.elements()) {
      Maybe c = value(e, *goal, child);
      if (!c) {
        if (from.is_set()) return below(PathStep::of_index(e.unmark_deep()));
        return below(PathStep::of_index(Value::number(static_cast<int64_t>(elements.size()))));
      }
      elements.push_back(std::move(*c));
    }
    Type element = *goal;
    if (!one_type(elements, element, from.is_tuple() && to.is_list())) return no_common(from, to);
    return make(element, std::move(elements));
  }

  Maybe no_common(Type from, Type to) {
    return fail("the elements of this " + std::string(from.is_object() ? "object" : "sequence") +
                " have no common type, so they cannot become a " +
                (to.is_list()  ? "list"
                 : to.is_set() ? "set"
                               : "map"));
  }

  Maybe map(const Value& v, Type to, const ConvertPlan* plan) {
    Type from = v.type();
    if (!from.is_map() && !from.is_object()) return mismatch(from, to, plan);
    if (v.length() == 0) {
      if (!convertible(from, to, plan, true)) return mismatch(from, to, plan);
      return Value::map(to.element().is_dynamic() && from.is_map() ? from.element() : to.element(), {});
    }
    std::optional<Type> goal = element_goal(v, to);
    if (!goal) return mismatch(from, to, plan);
    std::vector<Value> elements;
    elements.reserve(v.length());
    auto key = [&](size_t i) { return from.is_map() ? v.map_key(i) : from.attr_names()[i].sv(); };
    for (const Value& e : v.elements()) {
      Maybe c = value(e, *goal, plan_child(plan, 0));
      if (!c) return below(PathStep::of_index(Value::string_nfc(key(elements.size()))));
      elements.push_back(std::move(*c));
    }
    Type element = *goal;
    if (!one_type(elements, element, true)) return no_common(from, to);
    std::vector<std::pair<std::string, Value>> entries;
    entries.reserve(elements.size());
    for (size_t i = 0; i < elements.size(); ++i) entries.emplace_back(key(i), std::move(elements[i]));
    return Value::map(element, std::move(entries));
  }

  Maybe tuple(const Value& v, Type to, const ConvertPlan* plan) {
    if (!v.type().is_tuple() || v.length() != to.elements().size()) return mismatch(v.type(), to, plan);
    std::vector<Value> elements;
    elements.reserve(v.length());
    for (const Value& e : v.elements()) {
      size_t i = elements.size();
      Maybe c = value(e, to.elements()[i], plan_child(plan, i));
      if (!c) return below(PathStep::of_index(Value::number(static_cast<int64_t>(i))));
      elements.push_back(std::move(*c));
    }
    return Value::tuple(std::move(elements));
  }

  // What stands in the place of an attribute that is null or absent; nothing when it must be given.
  Maybe stand_in(Type to, const ConvertPlan* plan, size_t i) {
    if (!plan_optional(plan, i)) return std::nullopt;
    Type t = to.elements()[i];
    const auto& defaults = plan->constraint->defaults;
    if (i < defaults.size() && !defaults[i].is_null()) return value(defaults[i], t, plan_child(plan, i));
    return Value::null(t);
  }
  static bool has_default(const ConvertPlan* plan, size_t i) {
    return plan_optional(plan, i) && i < plan->constraint->defaults.size() &&
           !plan->constraint->defaults[i].is_null();
  }

  // One attribute from its source value (null pointer: absent).
  Maybe attribute(const Value* source, Type to, const ConvertPlan* plan, size_t i) {
    if (!source || (source->is_null() && has_default(plan, i))) {
      Maybe r = stand_in(to, plan, i);
      if (!r && error.message.empty())
        fail("attribute \"" + std::string(to.attr_names()[i].sv()) + "\" is required");
      return r;
    }
    return value(*source, to.elements()[i], plan_child(plan, i));
  }

  Value finish_object(Type to, std::vector<Value> attrs) {
    bool exact = true;
    for (size_t i = 0; exact && i < attrs.size(); ++i) exact = attrs[i].type() == to.elements()[i];
    if (exact) return Value::object(to, std::move(attrs));
    std::vector<std::pair<Symbol, Value>> named;
    for (size_t i = 0; i < attrs.size(); ++i) named.emplace_back(to.attr_names()[i], std::move(attrs[i]));
    return Value::object(std::move(named));
  }

  Maybe object(const Value& v, Type to, const ConvertPlan* plan) {
    Type from = v.type();
    if (!from.is_object()) return mismatch(from, to, plan);
    auto names = to.attr_names();
    for (size_t i = 0; i < names.size(); ++i)
      if (from.find_attr(names[i]) < 0 && !plan_optional(plan, i)) return mismatch(from, to, plan);
    std::vector<Value> attrs;
    attrs.reserve(names.size());
    for (size_t i = 0; i < names.size(); ++i) {
      int at = from.find_attr(names[i]);
      Maybe c = attribute(at < 0 ? nullptr : &v.elements()[static_cast<size_t>(at)], to, plan, i);
      if (!c) return below(PathStep::of_attr(names[i]));
      attrs.push_back(std::move(*c));
    }
    return finish_object(to, std::move(attrs));
  }

  Maybe object_from_map(const Value& v, Type to, const ConvertPlan* plan) {
    if (!convertible(v.type(), to, plan, true)) return mismatch(v.type(), to, plan);
    auto names = to.attr_names();
    std::vector<Value> attrs;
    attrs.reserve(names.size());
    for (size_t i = 0; i < names.size(); ++i) {
      const Value* source = v.find_key(names[i].sv());
      if (!source && !plan_optional(plan, i))
        return fail("element \"" + std::string(names[i].sv()) + "\" is required");
      Maybe c = attribute(source, to, plan, i);
      if (!c) return below(PathStep::of_index(Value::string_nfc(names[i].sv())));
      attrs.push_back(std::move(*c));
    }
    return finish_object(to, std::move(attrs));
  }

  bool want_error_;
};

Maybe run(const Value& v, Type to, const ConvertPlan* plan, ConversionError* error) {
  Converter c(error != nullptr);
  Maybe r = c.value(v, to, plan);
  if (!r && error) {
    *error = std::move(c.error);
    std::reverse(error->path.begin(), error->path.end());
  }
  return r;
}

}  // namespace

std::string ConversionError::text() const {
  return path.empty() ? message : path_text(path) + ": " + message;
}

Maybe convert(const Value& v, Type to, ConversionError* error) {
  return run(v, to, nullptr, error);
}

Maybe convert(const Value& v, const TypeConstraint& to, ConversionError* error) {
  if (!to.has_optional()) return run(v, to.type, nullptr, error);
  ConvertPlan plan = make_convert_plan(to);
  return run(v, to.type, &plan, error);
}

bool settle_elements(std::vector<Value>& elements, Type& element) {
  if (elements.empty()) return true;
  Type type = element.has_dynamic() ? Type::dynamic() : element;
  bool open = false;
  for (const Value& e : elements) {
    if (e.type().is_dynamic())
      open = true;
    else if (type.is_dynamic())
      type = e.type();
    else if (e.type() != type)
      return false;
  }
  if (open && !type.is_dynamic())
    for (Value& e : elements)
      if (e.type().is_dynamic())
        e = (e.is_null() ? Value::null(type) : Value::unknown(type)).with_marks(e.marks());
  element = type;
  return true;
}

}  // namespace xplan
