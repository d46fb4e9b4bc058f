// Declares timeouts as a block or an attribute, and finds the one that holds for a call.
#include "core/provider/kit/timeouts.h"

#include <fmt/format.h>

#include "core/base/duration.h"
#include "core/provider/kit/validators.h"
#include "core/provider/kit/walk.h"

namespace xplan::kit {
namespace {

std::string go_duration(std::chrono::milliseconds d) {
  const int64_t ms = d.count();
  if (ms % 60'000 == 0) return fmt::format("{}m", ms / 60'000);
  return ms % 1000 == 0 ? fmt::format("{}s", ms / 1000) : fmt::format("{}ms", ms);
}

Field timeouts_field(Field::Kind kind, const TimeoutDefaults& d) {
  std::vector<Field> fields;
  std::vector<std::pair<std::string, std::chrono::milliseconds>> limits;
  for (auto [call, limit] : {std::pair("create", d.create), std::pair("read", d.read),
                             std::pair("update", d.update), std::pair("delete", d.remove)}) {
    if (!limit) continue;
    std::string about = fmt::format("How long the {} operation may take, as 30s or 1h30m.", call);
    if (limit->count()) about += fmt::format(" Default: {}.", go_duration(*limit));
    fields.push_back(string(call).optional().describe(about).validate(valid_duration()));
    limits.emplace_back(call, *limit);
  }
  Field f = kind == Field::Kind::Block ? block("timeouts", Nesting::Single, std::move(fields))
                                       : nested("timeouts", Nesting::Single, std::move(fields)).optional();
  f.timeouts = std::move(limits);
  return f;
}

}  // namespace

Field timeouts_block(const TimeoutDefaults& defaults) {
  return timeouts_field(Field::Kind::Block, defaults);
}
Field timeouts_attribute(const TimeoutDefaults& defaults) {
  return timeouts_field(Field::Kind::Nested, defaults);
}

std::optional<std::chrono::milliseconds> timeout_of(const std::vector<Field>& fields, const Value& object,
                                                    std::string_view call) {
  for (const Field& f : fields)
    for (const auto& [name, limit] : f.timeouts) {
      if (name != call) continue;
      const Value& set = attribute_of(attribute_of(object, f.info.name), Symbol(name));
      int64_t ms = 0;
      if (set.is_string() && parse_duration_ms(std::string(set.as_string()), ms))
        return std::chrono::milliseconds(ms);
      if (limit.count()) return limit;
    }
  return std::nullopt;
}

}  // namespace xplan::kit
