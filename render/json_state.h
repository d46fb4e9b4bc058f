// `show -json` of a state (format version 1.0), and the parts that plans and states have in common.
//
// Who calls it: cmd (show -json), json_plan.
// Contract: one line, sensitive values in clear, modules nested; an empty state has no member but
// format_version. No newline after it. Cost: linear; objects are decoded one at a time.  Thread-safety: pure
// functions.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/json_writer.h"
#include "core/schema/schema.h"
#include "core/state/state.h"

namespace xplan::render {

// Objects that cannot be decoded (no schema, or of a newer version). Refused: errors say which, and the
// document is not complete. LeftOut: warnings do, and it is complete without them.
enum class Unreadable { Refused, LeftOut };
bool write_state_json(const State& state, const schema::Lookup& schemas, Unreadable unreadable, JsonWriter& w,
                      Diagnostics& diags);

// Parts of it: the members "outputs", if there are any, and "root_module".
void write_state_outputs(const State& state, JsonWriter& w);
bool write_root_module(const State& state, const schema::Lookup& schemas, Unreadable unreadable,
                       JsonWriter& w, Diagnostics& diags);

// An object of a state as a value of its schema's type, marks of its recorded sensitive paths and of the
// schema included. Empty with a diagnostic when it cannot be decoded.
std::optional<Value> decode_object(const Object& object, const schema::Schema* schema,
                                   const std::string& address, Diagnostics& diags);

// The members "resources", "address" and "child_modules" of nested modules, from a flat list of what lies in
// them. `write` is called for the entries of each module in their order.
struct ModuleEntry {
  ModuleInstance module;
  uint32_t item = 0;
};
void write_module_tree(const std::vector<ModuleEntry>& entries,
                       const std::function<void(uint32_t item)>& write, JsonWriter& w);

void write_checks(const std::vector<CheckResult>& checks, JsonWriter& w);  // the array
void write_instance_key(const InstanceKey& k, JsonWriter& w);
std::string_view mode_name(Mode m);

}  // namespace xplan::render
