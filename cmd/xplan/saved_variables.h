// The variables of a saved plan that is about to be applied.
//
// Who calls it: apply.  Contract: the plan decides; a value given now that is another one is an error when an
// option gives it, and a warning when the environment does. Files that are read by themselves belong to the
// next plan and are passed over. Ephemeral values are not in the plan, so they must be given again. No
// message repeats a value. Cost: linear in the variables and files.  Thread-safety: one thread.
#pragma once
#include "cmd/xplan/session.h"

namespace xplan::cmd {

RootValues saved_variables(Session& s, const config::Config& c, const Plan& plan, const VariableFlags& flags);

}  // namespace xplan::cmd
