// MessagePack ↔ values: the wire form of provider calls and of plan files.
//
// Who calls it: planfile, provider/plugin.  Marks must be stripped first (they are not written); the value
// must conform to `declared` (convert first). Form: null is nil; sets and tuples are arrays; objects are maps
// with all attributes, sorted; a position that is declared dynamic holds [type as JSON in a bin, value];
// integers in 64 bits are integers, other integers decimal text that reads back as the same, all else a
// float64 when that is exact, else decimal text; unknown is
// extension 0, with refinements extension 12. Hostile input: every length is checked against what is left,
// depth is limited to 2,100 levels, memory grows with the input only. Bytes after the value are ignored.
// Cost: linear.  Thread-safety: pure.
#pragma once
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/value/value.h"

namespace xplan {

void encode_msgpack(std::string& out, const Value& v, Type declared);
std::string to_msgpack(const Value& v, Type declared);
// Exact: objects have all attributes of their type and no others. ByName: attributes that are missing are
// null, and others may occur where nothing is set in them: the writer knows another version of the type.
enum class Attributes { Exact, ByName };
Result<Value> decode_msgpack(std::string_view bytes, Type declared, Attributes = Attributes::Exact);

}  // namespace xplan
