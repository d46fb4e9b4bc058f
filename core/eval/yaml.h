// YAML documents as values.
//
// Who calls it: yamldecode; the backend kubernetes, for the files that say where clusters are.
// Contract: the text is hostile: aliases cannot make it large, nor nesting the stack deep. Mappings are
// objects, sequences tuples; what scalars mean is said in functions/yaml_scalar.h. Cost: linear in the text
// and the expanded aliases. Thread-safety: pure function.
#pragma once
#include <string_view>

#include "core/base/result.h"
#include "core/value/value.h"

namespace xplan::eval {

Result<Value> decode_yaml(std::string_view text);

}  // namespace xplan::eval
