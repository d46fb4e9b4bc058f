// Configuration text for an object that exists: what somebody would have written to get it.
//
// Who calls it: plan/generate_config.cc, for import blocks without a resource block.
// Contract: every argument that a configuration may set is written, null where it is not set; what only the
// provider decides, what is deprecated, and an "id" that need not be given are left out. A sensitive value is
// never written: its place says "null # sensitive". A text that is JSON is written as jsonencode(…). A
// provider that says itself what a configuration sets is believed: all that it sets is written, as it is. The
// layout is the canonical one, so formatting the text again changes nothing.  Cost: linear in the value;
// recursion is as deep as the type, which is limited.  Thread-safety: pure function.
#pragma once
#include <string>

#include "core/schema/schema.h"

namespace xplan::schema {

enum class TextOf : uint8_t { Object, Configuration };  // what the values are

// resource "TYPE" "NAME" { … } without a newline at the end. `provider` is the argument of that name, "" for
// none; `values` is known and of the block's type, marks included.
std::string resource_text(std::string_view type, std::string_view name, std::string_view provider,
                          const Block& block, const Value& values, TextOf what = TextOf::Object);

}  // namespace xplan::schema
