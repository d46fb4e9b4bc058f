// MessagePack ↔ values: the wire form of provider calls and of plan files (see spec: value encoding).
//
// Who calls it: planfile, provider/plugin.  Marks must be stripped first.  Hostile input: every length is checked
// against what is left; depth is limited.  Cost: linear.  Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/value/value.h"

namespace xplan {

void encode_msgpack(std::string& out, const Value& v, Type declared);
Result<Value> decode_msgpack(std::string_view bytes, Type declared);

}  // namespace xplan
