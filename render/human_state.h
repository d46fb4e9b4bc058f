// A state as text for people: show, state show, output, and the outputs after an apply.
//
// Who calls it: cmd.
// Contract: the exact form that people and scripts know. Sensitive values are hidden unless
// HumanOptions::show_sensitive says so.
// Cost: linear; objects are decoded one at a time.  Thread-safety: pure functions.
#pragma once
#include <map>
#include <string>

#include "core/schema/schema.h"
#include "core/state/state.h"
#include "render/json_state.h"
#include "render/text.h"

namespace xplan::render {

using OutputMap = std::map<Symbol, OutputState, SymbolTextLess>;

// `show` of a state: every object, then the outputs. An object that cannot be decoded is left out, and
// `diags` says so.
void render_state(const State& state, const schema::Lookup& schemas, const HumanOptions& options,
                  std::string& out, Diagnostics& diags);
// `state show`: the current object of one instance; an error when there is only a deposed one.
void render_state_instance(const AbsInstance& addr, const InstanceState& instance,
                           const ProviderConfigAddr& provider, const schema::Lookup& schemas,
                           const HumanOptions& options, std::string& out, Diagnostics& diags);
// `output`: NAME = value, one a line, sensitive ones as <sensitive>; of what is too large only how large it
// is.
void render_outputs(const OutputMap& outputs, const HumanOptions& options, std::string& out);
// The "Outputs:" section after an apply; nothing when there are none.
void render_outputs_section(const OutputMap& outputs, const HumanOptions& options, std::string& out);
// `output NAME`: the value alone, unless it is too large to be shown (an error).
bool check_shown(const Value& v, Diagnostics& diags);
std::string output_value_text(const Value& v);
// `output -raw NAME`: the bytes to print. False (with an error) for what has no raw form.
bool output_raw_text(const Value& v, std::string& out, Diagnostics& diags);
// `output -json` and `output -json NAME`, with a newline after it.
std::string outputs_json(const OutputMap& outputs);
std::string output_json(const Value& v);

}  // namespace xplan::render
