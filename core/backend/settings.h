// The settings of a backend: what its block says, by the schema of its kind.
//
// Who calls it: configured.cc makes them, record.cc and planfile keep them.  Invariant: `values` is an object
// of the kind's schema, null where nothing is set; of a kind that is not supported, there are none.  Cost:
// linear in the settings.  Thread-safety: pure functions.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/base/result.h"
#include "core/value/value.h"

namespace xplan::backend {

struct Settings {
  std::string kind;
  Value values;
  bool operator==(const Settings& o) const { return kind == o.kind && values.raw_equal(o.values); }
  Type type() const;  // as the kind's schema declares it; some arguments can have any type
  // As they are recorded: all settings, null where not set, but for OpenTofu's additions, see Kind.
  std::pair<Value, Type> recorded() const;
  std::string json() const;
  uint32_t hash() const;  // of the block as it stands in the configuration
};

// Why a setting was not set. `arguments`: those that there are, for a name that is none of them; else empty.
struct NotSet {
  std::string arguments, reason;
  std::string near = {};  // the argument that may have been meant
};
// Puts a value in the place of one setting, converted by the kind's schema.
std::optional<NotSet> set(Settings& s, std::string_view name, const Value& value);

Settings no_settings(std::string_view kind = "local");  // nothing is set
// From their JSON form; "" is none. Settings that the kind does not have are ignored: other tools record
// theirs.
Result<Settings> parse_settings(std::string_view kind, const std::string& json);

}  // namespace xplan::backend
