// Documents of other programs: JSON of which neither the places nor the exact text of numbers matter.
//
// Who calls it: the backend's record, lock information, private data of the kit; install/document.h for what
// servers send. Where messages name places, or bytes are kept, see json_reader.h.  Contract: the text
// is hostile. What is not UTF-8, is nested more than 100 levels deep or has more than 500,000 values is an
// error, whose message goes on from what the text is; of members that occur twice the last one counts.
// Look-ups never fail: what is absent, or of another type than is asked for, is null or empty.  Cost: linear,
// in time and memory, and nothing but a look at the text for what has too many values.  Thread-safety: pure
// functions.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace xplan {

using Json = nlohmann::json;

Result<Json> parse_document(std::string_view text);       // that must be an object
Result<Json> parse_list_document(std::string_view text);  // that must be a list

const Json* member(const Json& object, std::string_view name);  // null: absent, or this is not an object
const Json* list_in(const Json& object, std::string_view name);
const Json* object_in(const Json& object, std::string_view name);
std::string string_in(const Json& object, std::string_view name);

// On one line; bytes that are not UTF-8 become what stands for them.
std::string document_text(const Json& document);

}  // namespace xplan
