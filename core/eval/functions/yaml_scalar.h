// What a YAML scalar means.
//
// Who calls it: yaml.cc.
// Contract: plain scalars follow the YAML 1.2 rules for numbers, the 1.1 rules for booleans (yes, no, on,
// off, y, n too) and turn dates into RFC 3339 timestamps. Block scalars (| and >) are read by the same rules
// and made strings afterwards: an odd rule, but one that existing configurations depend on. Cost: linear.
// Thread-safety: pure functions.
#pragma once
#include <string>
#include <string_view>

#include "core/value/value.h"

namespace xplan::eval {

enum class ScalarStyle { Plain, Quoted, Block };

// `tag`: long form, empty when there is none. On failure `why` is set.
Value yaml_scalar(std::string_view tag, std::string_view text, ScalarStyle style, std::string& why);

}  // namespace xplan::eval
