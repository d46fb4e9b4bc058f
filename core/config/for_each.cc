// Judges values of for_each, and takes them apart.
#include "core/config/for_each.h"

#include <fmt/format.h>

#include <algorithm>

namespace xplan::config {
namespace {

bool is_map_like(const Value& v) {
  return v.type().is_map() || v.type().is_object();
}

}  // namespace

std::string unsuitable_for_each(const Value& v) {
  const Type t = v.type();
  if (v.has_mark(kSensitive))
    return "The for_each value is sensitive. Its keys would be visible in the addresses of the instances, so "
           "a "
           "sensitive value, or one derived from it, cannot be used here. Use nonsensitive() if the keys are "
           "not "
           "secret.";
  if (v.has_mark(kEphemeral))
    return "The for_each value is ephemeral. It can differ between plan and apply, so it cannot determine "
           "which "
           "instances exist.";
  if (v.is_null())
    return "The for_each value is null. A map, an object or a set of strings is required; use an empty one "
           "for "
           "no instances.";
  if (!t.is_dynamic() && !is_map_like(v) && !t.is_set())
    return fmt::format(
        "The for_each value is of type {}. A map, an object or a set of strings is required{}.",
        t.friendly_name(),
        t.is_tuple() || t.is_list() ? "; use toset() to convert a list of strings to a set" : "");
  if (t.is_set() && !t.element().is_dynamic() && t.element() != Type::string() &&
      !(v.is_known() && v.length() == 0))
    return fmt::format("The for_each value is a set of {}s; the elements of a set used here must be strings.",
                       t.element().friendly_name());
  if (t.is_set() && v.is_wholly_known())
    for (const Value& element : v.elements())
      if (element.is_null()) return "The for_each set has a null element; all elements must be strings.";
  return "";
}

bool for_each_unknown(const Value& v) {
  return v.is_unknown() || (v.type().is_set() && !v.is_wholly_known());
}

std::vector<std::pair<InstanceKey, Value>> for_each_elements(const Value& v) {
  std::vector<std::pair<InstanceKey, Value>> out;
  const auto elements = v.elements();
  out.reserve(elements.size());
  if (is_map_like(v)) {
    for (size_t i = 0; i < elements.size(); ++i) {
      const Symbol key = v.type().is_map() ? Symbol(v.map_key(i)) : v.type().attr_names()[i];
      out.emplace_back(InstanceKey::of(key), elements[i]);
    }
    return out;
  }
  for (const Value& element : elements)
    out.emplace_back(InstanceKey::of(Symbol(element.as_string())), element);
  std::sort(out.begin(), out.end(),  // sets have an order of their own
            [](const auto& a, const auto& b) { return less(a.first, b.first); });
  return out;
}

}  // namespace xplan::config
