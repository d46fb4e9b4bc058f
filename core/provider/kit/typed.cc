// What a failed call leaves of its object, and the steps of state upgrades.
#include "core/provider/kit/typed.h"

#include <fmt/format.h>

#include "core/value/json.h"

namespace xplan::kit {

Value known_part(const Value& v) {
  if (v.is_wholly_known()) return v;
  return transform_value(
      v, [](const Path&, const Value& e) { return e.is_unknown() ? Value::null(e.type()) : e; });
}

Value UpgradeSteps::run(uint64_t version, std::string_view json, ProviderDiags& diags) const {
  Result<Value> v = parse_json_as(json, steps_[version].type, true, true);
  if (!v) {
    add_error(diags, "State cannot be upgraded",
              fmt::format("The object was written with schema version {}, and cannot be read as one: {}.",
                          version, v.error().message));
    return {};
  }
  std::any object = steps_[version].read(*v, diags);
  for (size_t i = version; i < steps_.size() && object.has_value(); ++i) object = steps_[i].run(object);
  return object.has_value() ? write_(object) : Value();
}

}  // namespace xplan::kit
