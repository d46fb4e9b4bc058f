// Values of input variables: where they come from, which one counts, and what becomes of a given value.
//
// Who calls it: cmd (plan, apply, validate, console …) for the root module; plan for the arguments of module
// calls. Precedence, low to high: TF_VAR_* of the environment; terraform.tfvars; terraform.tfvars.json;
// *.auto.tfvars and
// *.auto.tfvars.json in the order of their names; -var and -var-file in the order given. A default value
// applies when none of these gives one. Contract: InputValue holds the value as written, not converted;
// finalize_variable() makes it the variable's value. No message repeats a value given for a variable that is
// sensitive or ephemeral. Cost: linear in the files.  Thread-safety: one thread.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/config/config.h"

namespace xplan::config {

inline constexpr const char* kPrompt = "the prompt";  // the origin of what somebody typed

struct InputValue {
  enum class From : uint8_t { Environment, File, AutoFile, Option, OptionFile, Prompt, SavedPlan };
  Value value;
  Range range;  // invalid when the value is not from a file
  From from = From::Option;
  std::string origin;  // "prod.tfvars", "the environment variable TF_VAR_x", "the option -var": for messages
};
using InputValues = std::map<Symbol, InputValue, SymbolTextLess>;

// -var TEXT or -var-file TEXT, in the order of the command line.
struct VariableOption {
  bool is_file = false;
  std::string text;
};
struct InputOptions {
  std::string dir = ".";  // where terraform.tfvars and *.auto.tfvars are
  std::vector<std::pair<std::string, std::string>>
      environment;  // name and value; others than TF_VAR_* are skipped
  std::vector<VariableOption> options;
  bool any_name = false;  // what the module does not declare is taken as well, as a variable of any type
  std::function<Result<std::string>(const std::string&)>
      read_given;  // files of options; unset: as all others
};

// Reads all sources. Names that the root module does not declare, unless any are taken: an error for -var, a
// warning for files, nothing for the environment. After an error in a source, required variables whose value
// may be there are unknown rather than missing.
InputValues collect_inputs(const Fs& fs, SourceTable& sources, const Module& root,
                           const InputOptions& options, Diagnostics& diags);

// A text for one variable (-var, the environment, an answer to a prompt): as it is for a variable of
// primitive type or of no type, otherwise an expression without references and functions.
Value parse_input_text(SourceTable& sources, const Variable& v, const std::string& text, Diagnostics& diags);

// Required variables without a value, in source order: to prompt for, or to report.
std::vector<const Variable*> missing_inputs(const Module& root, const InputValues& inputs);
void report_missing_inputs(const std::vector<const Variable*>& missing, Diagnostics& diags);

// What the variable's value is: null replaced as "nullable" says, converted to the type with defaults of
// optional attributes, marked. After an error an unknown value of the type. `origin` says in the message
// where the value is from.
Value finalize_variable(const Variable& v, const Value& given, Range range, Diagnostics& diags,
                        const std::string& origin = {});
// All variables of the root module, by name: given values and defaults. Those without either are unknown.
std::map<Symbol, Value, SymbolTextLess> finalize_inputs(const Module& root, const InputValues& inputs,
                                                        Diagnostics& diags);

}  // namespace xplan::config
