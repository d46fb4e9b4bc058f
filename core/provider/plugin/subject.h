// One call about one type: sending it, and reading its answer with every check.
//
// Who calls it: calls.cc. Contract: what does not conform becomes an error in `diags` that names provider,
// type and method; the given placeholder is then the value. M is a message of either protocol. Cost: linear
// in the values.  Thread-safety: one call, one thread.
#pragma once
#include <fmt/format.h>

#include <string>

#include "core/provider/plugin/calls.h"
#include "core/provider/plugin/normalize.h"
#include "core/provider/wire/convert.h"
#include "core/state/unknown_outcome.h"

namespace xplan::plugin {

struct Subject {
  const CallContext& c;
  const char* method;
  Symbol type;
  const schema::Schema* schema = nullptr;
  const schema::Schema* identity = nullptr;
  ProviderDiags& diags;

  std::string text() const { return type.empty() ? "" : fmt::format("type {}", type.sv()); }

  template <class In, class Out>
  bool send(const In& in, Out& out) const {
    CallStatus s = c.session.call(method, in, out);
    if (!s.ok()) diags.push_back(c.session.problem(method, text(), s));
    return s.ok();
  }
  void invalid(const std::string& why) const {
    std::string_view m(method);
    diags.push_back(
        {Severity::Error,
         "Invalid provider response",
         fmt::format("The response from provider {} to {}{} is not valid: {}. This is a bug in the provider.",
                     c.addr.display(), m.substr(m.rfind('/') + 1),
                     type.empty() ? "" : fmt::format(" for type {}", type.sv()), why),
         {}});
  }
  bool failed() const { return has_errors(diags); }
  // The last error left open what became of the object.
  void outcome_unknown(std::string_view action) const {
    diags.back().detail += "\n\nThe outcome of the change is unknown. ";
    diags.back().detail += unknown_outcome_advice(action);
    diags.back().of_many = true;
  }
  // A value of type t, or the placeholder and an error.
  template <class M>
  Value value(const M& in, Type t, Value placeholder) const {
    Result<Value> v = wire::get_value(in, t);
    if (v) return std::move(*v);
    invalid(wire::clean_text(v.error().message));
    return placeholder;
  }
  template <class M>
  Value object(const M& in, Value placeholder) const {
    return fill_null_blocks(schema->block, value(in, schema->block.implied_type(), std::move(placeholder)));
  }
  // What has just been created: an infinite number, which no state can hold, is not to cost the whole object.
  template <class M>
  Value created(const M& in) const {
    std::optional<Path> infinite;
    Result<Value> v = wire::get_value(in, schema->block.implied_type(), &infinite);
    if (!v) return invalid(wire::clean_text(v.error().message)), Value();
    if (infinite) {
      invalid(wire::infinite_number(*infinite));
      diags.back().detail +=
          "\n\nThe object was created. It is recorded without this number, and as tainted.";
    }
    return fill_null_blocks(schema->block, std::move(*v));
  }
  template <class M>
  Value identity_value(bool present, const M& in) const {
    if (!present || !identity) return {};
    Type t = identity->block.implied_type();
    return value(in.identity_data(), t, Value::null(t));
  }
  Deferral deferral(Deferral d) const {
    if (d != Deferral::None && !c.deferral_allowed) {
      invalid("it deferred the object to a later run, which was not allowed");
      return Deferral::None;
    }
    return d;
  }
  void null_is_invalid(const Value& v, const char* what) const {
    if (v.is_null() && !failed()) invalid(fmt::format("{} is null", what));
  }
};

}  // namespace xplan::plugin
