// Rendering of templates that come from files and strings.
//
// Who calls it: files.cc (templatefile); templatestring is registered here.
// Contract: the template sees the variables it is given and all functions; templates nest as deep as the
// table of functions permits (FunctionTable::template_depth). A template that is one interpolation gives the
// value as it is. Cost: the text is parsed at every call.  Thread-safety: free functions; every call has its
// own source table.
#pragma once
#include <string>
#include <string_view>

#include "core/eval/function.h"

namespace xplan::eval {

// False, with the error set, inside of more templates than are permitted.
bool template_allowed(const CallContext& ctx, std::string_view function, CallError& error);
// `name` is how messages call the template; argument 1 of the call is `vars`.
Value render_template(std::string name, std::string text, const Value& vars, const CallContext& ctx,
                      CallError& error);
void register_templatestring(FunctionTable& table);

}  // namespace xplan::eval
