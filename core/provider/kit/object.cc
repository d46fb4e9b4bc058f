// Object: reading and setting attributes of an object value by name, with types kept as declared.
#include "core/provider/kit/object.h"

#include "core/schema/object_of.h"

namespace xplan::kit {

Object::Object(const Value& v) : type_(v.type()) {
  if (v.kind() == Kind::Obj) {
    attrs_.assign(v.elements().begin(), v.elements().end());
  } else if (type_.is_object()) {
    for (Type t : type_.elements()) attrs_.push_back(Value::null(t));
  }
}

const Value& Object::get(std::string_view name) const {
  static const Value none;
  int i = type_.is_object() ? type_.find_attr(name) : -1;
  return i < 0 ? none : attrs_[static_cast<size_t>(i)];
}

bool Object::set(std::string_view name, Value v) {
  int i = type_.is_object() ? type_.find_attr(name) : -1;
  if (i < 0) return false;
  attrs_[static_cast<size_t>(i)] = std::move(v);
  return true;
}

Value Object::value() const {
  if (!type_.is_object()) return Value::null(type_);
  for (size_t i = 0; i < attrs_.size(); ++i) {
    if (attrs_[i].type() == type_.elements()[i]) continue;
    std::vector<std::pair<Symbol, Value>> named;
    for (size_t k = 0; k < attrs_.size(); ++k) named.emplace_back(type_.attr_names()[k], attrs_[k]);
    return Value::object(std::move(named));
  }
  return Value::object(type_, attrs_);
}

std::string_view Object::text(std::string_view name) const {
  const Value& v = get(name);
  return v.is_string() ? v.as_string() : std::string_view();
}
bool Object::is_set(std::string_view name) const {
  const Value& v = get(name);
  return !v.is_null() && v.is_known();
}

}  // namespace xplan::kit
