// Values of the root module's variables for one run: what is given, asked for, or saved with a plan.
//
// Who calls it: run.h; cmd, for commands that evaluate without planning.  Contract: see
// core/config/inputs.h; no message repeats a sensitive value. Cost: linear in variables and files.
// Thread-safety: one thread.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/config/inputs.h"
#include "core/plan/evaluate.h"
#include "core/plan/plan.h"
#include "core/run/context.h"

namespace xplan::run {

struct InputRequest {
  std::vector<config::VariableOption> options = {};                   // -var and -var-file
  std::vector<std::pair<std::string, std::string>> environment = {};  // those named TF_VAR_*
  std::string dir = ".";                                              // whose variables files count
  bool ask = false;                                                   // the front end, for what is missing
  bool may_be_missing = false;  // required variables without a value are unknown then
  bool any_name = false;        // see config::InputOptions
};

struct Inputs {
  RootValues values;
  std::vector<PlanVariable> given;  // for the plan
};

// With errors in `diags`, values are those that could be found out.
Inputs read_inputs(const Context& c, const config::Module& root, const InputRequest& request, FrontEnd& front,
                   Diagnostics& diags);
// For a saved plan that is about to be applied. The plan decides: a value given now that is another one is an
// error when an option gives it, and a warning when the environment does. Files that are read by themselves
// belong to the next plan and are passed over. Ephemeral values are not in the plan and must be given again.
RootValues saved_plan_inputs(const Context& c, const config::Module& root, const Plan& plan,
                             const InputRequest& request, Diagnostics& diags);
// All that is given from wherever; nobody is asked.
config::InputValues given_inputs(const Context& c, const config::Module& root, const InputRequest& request,
                                 Diagnostics& diags);

}  // namespace xplan::run
