// Functions of the language: their signatures and how a call is carried out.
//
// Who calls it: eval (Call nodes); functions/*.cc fill the table; provider functions are added per run.
// The call protocol (in call()): arity; per argument: null allowed? type conversion; marks stripped unless
// the parameter allows them, and joined to the result; an unknown or dynamic-typed argument short-cuts to an
// unknown of the return type unless the parameter allows unknowns. The implementation then sees known,
// unmarked values of the parameter types. (Known: not itself unknown; a collection may still have unknown
// elements.) Marks on a result of the implementation stay. Where an argument is marked, the text of an error
// is not shown, because it may quote it. Cost: a lookup by name once per call node (bound), then an indirect
// call. Thread-safety: a table is filled once, then read-only; implementations are pure or lock themselves.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/stop.h"
#include "core/diag/diagnostic.h"
#include "core/value/value.h"

namespace xplan::eval {

class Scope;

struct Param {
  std::string_view name;
  Type type;  // dynamic: anything
  bool allow_null = false;
  bool allow_unknown = false;
  bool allow_dynamic = false;  // dynamic-typed (unknown) argument is passed on
  bool allow_marked = false;   // the implementation handles marks itself
};

// What an implementation reports instead of a value.
struct CallError {
  std::string message;   // a phrase without full stop: what is wrong and why; empty: no error
  int argument = -1;     // which argument is at fault, -1: the call
  bool gave_up = false;  // because of CallContext::stopped()
};

// Whether the evaluation under way on this thread is to give up: `stop` is true, and the evaluation did not
// end within a moment. The moment is for applying: what is evaluated after a change was made, its
// postconditions for one, is not to fail only because the run ends.
bool interrupted(const std::atomic<bool>* stop);
Value give_up(CallError& error);  // nothing, and the error that says so
void report_interrupted(Range where, Diagnostics& diags);

struct CallContext {
  std::string_view base_dir;   // file functions: relative paths start here (working directory)
  std::string_view now;        // RFC 3339 UTC; empty during plan: timestamp() is unknown
  std::string_view plan_time;  // plantimestamp(); empty: not callable
  bool pure = false;           // plan: timestamp, uuid and bcrypt give unknown
  const class FunctionTable* table = nullptr;  // for templatefile and templatestring
  Range call_range;
  int depth = 0;  // calls that this one runs inside of (a template rendered by a function calls functions)
  const std::atomic<bool>* stop = nullptr;
  class FileReads* file_reads = nullptr;  // what functions read of files is noted there
  // For implementations that may take long: whether to give up, which give_up() reports.
  bool stopped() const { return interrupted(stop); }
};

using Impl = Value (*)(std::span<const Value> args, const CallContext& ctx, CallError& error);
// The result type for given argument types and values; unset: Function::returns. Reports as an implementation
// does.
using TypeOf = Type (*)(std::span<const Value> args, CallError& error);

struct Function {
  std::string_view name;
  std::vector<Param> params;
  std::optional<Param> variadic;
  Type returns;              // dynamic when it depends on the arguments
  TypeOf type_of = nullptr;  // used for unknown results
  Impl impl = nullptr;
  std::function<Value(std::span<const Value>, CallError&)> closure;  // provider functions: instead of impl
  bool evaluates = false;       // the implementation evaluates expressions: it needs the table
  bool refine_not_null = true;  // an unknown result is known not to be null
  bool addition = false;        // of OpenTofu: only where the table allows additions
  std::string_view description;
};

// The return type as a list of signatures shows it: for arguments of which nothing but the parameter types is
// known.
Type signature_type(const Function& f);

class FunctionTable {
 public:
  // Settings that implementations see; the owner keeps them alive.
  std::string base_dir, now, plan_time;
  bool pure = false;
  // When it becomes true, loops and long calls end with an error; see interrupted().
  const std::atomic<bool>* stop = nullptr;
  std::shared_ptr<FileReads> file_reads;
  std::shared_ptr<class CallResults> call_results;  // of functions of providers; null: they are not compared
  bool additions = true;                            // whether functions that OpenTofu has added can be called
  // How many templates may be rendered inside of one another. 0: a template cannot render another one; below:
  // the setting for it is not a number.
  int template_depth = 0;

  void add(Function f);                               // replaces one of the same name
  const Function* find(std::string_view name) const;  // "f" or "core::f" or "provider::p::f"
  std::vector<std::string_view> names() const;        // sorted, those that can be called
  bool has_addition(std::string_view name) const;     // that cannot be called
  bool empty() const { return functions_.empty(); }   // no function may be called at all
  // Carries out the protocol above. `ranges`: of the call's name and of each argument, for diagnostics.
  Value call(const Function& f, std::span<const Value> args, Range call_range,
             std::span<const Range> arg_ranges, Diagnostics& diags) const;

 private:
  struct NameHash {
    using is_transparent = void;
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>()(s); }
  };
  std::unordered_map<std::string, std::unique_ptr<Function>, NameHash, std::equal_to<>> functions_;
};

// All functions of the language (one registration per file in functions/).
void register_core_functions(FunctionTable& table);
void register_numeric(FunctionTable& table);
void register_strings(FunctionTable& table);
void register_format(FunctionTable& table);
void register_collections(FunctionTable& table);
void register_sets(FunctionTable& table);
void register_conversion(FunctionTable& table);  // tostring … toset, sensitive, nonsensitive, issensitive,
                                                 // ephemeralasnull, try, can
void register_console(FunctionTable& table);     // type(): the interactive console only
void register_encoding(FunctionTable& table);    // base64*, urlencode, json, csv, text encodings
void register_yaml(FunctionTable& table);
void register_crypto(FunctionTable& table);
void register_datetime(FunctionTable& table);
void register_network(FunctionTable& table);      // cidr*
void register_files(FunctionTable& table);        // file*, path*, templatefile, templatestring
void register_assumptions(FunctionTable& table);  // assume*
void register_regex(FunctionTable& table);
// encode_tfvars, decode_tfvars, encode_expr of the builtin provider, under "provider::LOCAL::…".
void register_builtin_provider_functions(FunctionTable& table, std::string_view local_name);
struct BuiltinFunction {  // of the builtin provider, each with one parameter
  std::string_view name, param;
  Type param_type, returns;
  Value (*impl)(std::span<const Value>, CallError&);
  std::string_view summary, description;
};
std::span<const BuiltinFunction> builtin_provider_functions();

}  // namespace xplan::eval
