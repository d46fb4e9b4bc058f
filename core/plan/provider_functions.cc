// Registers the functions of a provider in a module's function table; each call goes to the provider and its
// result is checked against the declared type.
#include "core/plan/provider_functions.h"

#include <fmt/format.h>

#include "core/eval/eval.h"
#include "core/value/convert.h"

namespace xplan {
namespace {

eval::Param param_of(const schema::FunctionParameter& p) {
  eval::Param out;
  out.name = Symbol(p.name).sv();  // lives as long as the process
  out.type = p.type;
  out.allow_null = p.allow_null;
  out.allow_unknown = p.allow_unknown;
  out.allow_dynamic = p.allow_unknown;
  return out;
}

}  // namespace

void register_provider_functions(eval::FunctionTable& table, std::string_view local_name,
                                 const std::shared_ptr<Provider>& provider, AskProviders ask) {
  for (const auto& [name, signature] : provider->schema()->functions) {
    eval::Function f;
    f.name = Symbol(fmt::format("provider::{}::{}", local_name, name.sv())).sv();
    for (const schema::FunctionParameter& p : signature.params) f.params.push_back(param_of(p));
    if (signature.variadic) f.variadic = param_of(*signature.variadic);
    f.returns = signature.returns;
    f.refine_not_null = false;
    f.description = Symbol(signature.summary.empty() ? signature.description : signature.summary).sv();
    f.closure = [provider, ask, function = name, returns = signature.returns](
                    std::span<const Value> arguments, eval::CallError& error) {
      if (ask == AskProviders::No) return Value::unknown(returns);
      FunctionResponse r = provider->call_function(function, {arguments.begin(), arguments.end()});
      if (!r.error.empty()) {
        error = {r.error, static_cast<int>(r.argument)};
        return Value::unknown(returns);
      }
      ConversionError why;
      std::optional<Value> result = convert(r.result, returns, &why);
      if (!result) {
        error.message =
            "the provider returned a value that does not have the function's return type: " + why.message +
            "; this is a bug in the provider";
        return Value::unknown(returns);
      }
      return *result;
    };
    table.add(std::move(f));
  }
}

}  // namespace xplan
