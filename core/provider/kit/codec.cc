// Values of primitive types to and from C++ types, and what does not fit.
#include "core/provider/kit/codec.h"

#include <fmt/format.h>
#include <stdexcept>

#include "core/provider/kit/fields.h"

namespace xplan::kit {

bool Reader::fail(const Value& v, Type wanted) {
  const std::string is = v.is_null() ? "null" : v.is_unknown() ? "not known yet" : v.type().friendly_name();
  diags.push_back({Severity::Error, "Value cannot be read",
                   fmt::format("The provider expects a value of type {} here, but the value is {}. This is a "
                               "bug in the provider.",
                               wanted.friendly_name(), is),
                   path});
  return false;
}

void refuse_twice(const std::vector<Field>& fields, const Field& more) {
  for (const Field& f : fields)
    if (f.info.name == more.info.name)
      throw std::logic_error(fmt::format("two rows of fields() are named \"{}\"", f.info.name.sv()));
}
void refuse_default(const Field& f) {
  if (!f.default_value || f.info.type.is_dynamic() || f.default_value->type() == f.info.type) return;
  throw std::logic_error(fmt::format("the default of \"{}\" is of type {}, not {}", f.info.name.sv(),
                                     f.default_value->type().friendly_name(), f.info.type.friendly_name()));
}

Value Codec<std::string>::write(const std::string& v) {
  return Value::string(v);
}
bool Codec<std::string>::read(const Value& v, std::string& out, Reader& reader) {
  if (!v.is_string()) return reader.fail(v, type());
  return out = v.as_string(), true;
}
Value Codec<bool>::write(const bool& v) {
  return Value::boolean(v);
}
bool Codec<bool>::read(const Value& v, bool& out, Reader& reader) {
  if (!v.is_bool()) return reader.fail(v, type());
  return out = v.as_bool(), true;
}
Value Codec<int64_t>::write(const int64_t& v) {
  return Value::number(v);
}
bool Codec<int64_t>::read(const Value& v, int64_t& out, Reader& reader) {
  if (!v.is_number()) return reader.fail(v, type());
  if (std::optional<int64_t> n = v.as_number().exact_int64()) return out = *n, true;
  reader.diags.push_back({Severity::Error, "Number out of range",
                          "A whole number between -9223372036854775808 and 9223372036854775807 is required.",
                          reader.path});
  return false;
}
Value Codec<double>::write(const double& v) {
  return Value::number(Number::from_double(v));
}
bool Codec<double>::read(const Value& v, double& out, Reader& reader) {
  if (!v.is_number()) return reader.fail(v, type());
  return out = v.as_number().to_double(), true;
}
Value Codec<Number>::write(const Number& v) {
  return Value::number(v);
}
bool Codec<Number>::read(const Value& v, Number& out, Reader& reader) {
  if (!v.is_number()) return reader.fail(v, type());
  return out = v.as_number(), true;
}
Value Codec<Value>::write(const Value& v) {
  return v;
}
bool Codec<Value>::read(const Value& v, Value& out, Reader&) {
  return out = v, true;
}

}  // namespace xplan::kit
