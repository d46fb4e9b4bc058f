// Registers the functions of a provider in a module's function table; each call goes to the provider and its
// result is checked against the declared type.
#include "core/plan/provider_functions.h"

#include <fmt/format.h>

#include "core/base/digest.h"
#include "core/eval/call_results.h"
#include "core/eval/eval.h"
#include "core/value/convert.h"
#include "core/value/msgpack.h"

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

// The same call as before must have the same result.
void compare(eval::CallResults& noted, std::string call, const Value& result, Type type,
             eval::CallError& error) {
  using Verdict = eval::CallResults::Verdict;
  const Verdict verdict = noted.note({sha256_hex(call), sha256_hex(to_msgpack(result, type))});
  if (verdict == Verdict::Same) return;
  error.message =
      verdict == Verdict::NotAsPlanned
          ? "the provider now returns something else for these arguments than it did when the plan was made. "
            "The result of a function must depend on nothing but its arguments, so this is a bug in the "
            "provider. Make a new plan to see what the present result changes"
          : "the provider returned different results for the same arguments. The result of a function must "
            "depend on nothing but its arguments, so this is a bug in the provider";
}

}  // namespace

void register_provider_functions(eval::FunctionTable& table, std::string_view local_name,
                                 const std::string& address, const std::shared_ptr<Provider>& provider,
                                 AskProviders ask) {
  for (const auto& [name, signature] : provider->schema()->functions) {
    eval::Function f;
    f.name = Symbol(fmt::format("provider::{}::{}", local_name, name.sv())).sv();
    for (const schema::FunctionParameter& p : signature.params) f.params.push_back(param_of(p));
    if (signature.variadic) f.variadic = param_of(*signature.variadic);
    f.returns = signature.returns;
    f.refine_not_null = false;
    f.description = Symbol(signature.summary.empty() ? signature.description : signature.summary).sv();
    f.closure = [provider, ask, function = name, returns = signature.returns, address,
                 noted = table.call_results](std::span<const Value> arguments, eval::CallError& error) {
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
      if (noted) {
        std::string call = fmt::format("{} {} ", address, function.sv());
        for (const Value& a : arguments) encode_msgpack(call, a, Type::dynamic());
        compare(*noted, std::move(call), *result, returns, error);
        if (!error.message.empty()) return Value::unknown(returns);
      }
      return *result;
    };
    table.add(std::move(f));
  }
}

}  // namespace xplan
