// Timeouts: how long the calls of a resource may take, as its users set it; and Timeouts, the member that
// keeps it.
//
//   {"timeouts", &Server::timeouts, kit::timeouts_block({.create = 20min, .remove = 0s})}
//
// Who calls it: authors of providers, to declare; kit::Provider, which makes a deadline of it for each call
// (see context.h). Contract: what is declared can be set; a duration that is not 0 holds where nothing is
// set. Texts are durations as 30s or 1h30m; anything else is an error of validation. Cost: a look into the
// object. Thread-safety: pure.
#pragma once
#include <chrono>
#include <optional>
#include <string_view>

#include "core/provider/kit/codec.h"

namespace xplan::kit {

struct TimeoutDefaults {
  std::optional<std::chrono::milliseconds> create, read, update, remove;
};
// `timeouts { create = "30m" }`, with protocol 5 too; and `timeouts = { create = "30m" }`.
Field timeouts_block(const TimeoutDefaults& defaults);
Field timeouts_attribute(const TimeoutDefaults& defaults);

// How long a call ("create", "read", "update", "delete") of this object may take; nothing: as long as it
// likes.
std::optional<std::chrono::milliseconds> timeout_of(const std::vector<Field>& fields, const Value& object,
                                                    std::string_view call);

// A member of that name: what the configuration says, for the state.
struct Timeouts {
  Value set;
};
template <>
struct Codec<Timeouts> {
  static Type type() { return Type::dynamic(); }
  static Shape shape() { return {}; }
  static Value write(const Timeouts& t) { return t.set; }
  static bool read(const Value& v, Timeouts& out, Reader&) { return out.set = v, true; }
};

}  // namespace xplan::kit
