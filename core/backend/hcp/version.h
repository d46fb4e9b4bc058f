// A state version as it is announced to the server, and its JSON form, which the server shows to people.
//
// Who calls it: place.cc.  Contract: of the state's text only serial, lineage and root outputs are looked at.
// Cost: linear in the state; a request for the JSON form.  Thread-safety: pure, but for reading the
// environment.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/backend/hcp/api.h"
#include "core/base/result.h"

namespace xplan::backend::hcp {

// What the server shall do with it. Inside: the content comes with it, as old servers want it, and so does
// the JSON form, if there is one.
enum class Sent : uint8_t { Apart, Inside };
Result<std::string> announcement(std::string_view state, bool force, Sent sent,
                                 const std::optional<std::string>& json = {});
// The JSON form, where the answer about the version says. The state is there already, so that what goes wrong
// is for the log alone.
void put_json(Api& api, const Json& version, const std::string& json);

}  // namespace xplan::backend::hcp
