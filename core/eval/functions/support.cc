// Helpers shared by the function implementations: reporting failure, parameter shorthands, whole-number
// arguments, and limits on the size of results.
#include "core/eval/functions/support.h"

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

Param any_param(std::string_view name) {
  return {.name = name};
}
Param open_param(std::string_view name) {
  return {.name = name, .allow_null = true, .allow_unknown = true, .allow_dynamic = true};
}

bool whole_number(const Value& v, int64_t& out, CallError& error, int argument, std::string_view what) {
  if (auto n = v.as_number().exact_int64()) {
    out = *n;
    return true;
  }
  fail(error, std::string(what) + " must be a whole number that fits in 64 bits, not " + v.as_number().text(),
       argument);
  return false;
}

bool is_sequence(Type t) {
  return t.is_list() || t.is_tuple();
}
bool is_sequence_or_set(Type t) {
  return is_sequence(t) || t.is_set();
}

bool length_is_known(const Value& v) {
  return v.is_known() && (!v.type().is_set() || v.length() <= 1 || v.is_wholly_known());
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
