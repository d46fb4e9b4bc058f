// Guards: what a plan may not do, as whoever runs it says: "destroy", "replace>2", "data-loss".
//
// Who calls it: cmd (-fail-on, -allow), before anything is shown to be approved or carried out.
// Contract: a change that an allowed address covers never counts. Nothing is guarded unless it is asked for.
// Cost: linear in the changes, times the addresses that are allowed.  Thread-safety: pure functions.
#pragma once
#include <string>
#include <vector>

#include "core/plan/plan.h"
#include "core/review/data_types.h"

namespace xplan::review {

enum class Guarded : uint8_t {
  Create,
  Update,
  Replace,
  Destroy,
  Forget,
  Import,
  Move,
  Drift,
  Unknown,
  DataLoss,
  Output,
  Deferred
};

struct Guard {
  Guarded what = Guarded::Destroy;
  size_t most = 0;                           // as many are permitted
  std::string_view noun;                     // what it counts, in the plural
  std::string text;                          // as it was given
  std::string from = "The option -fail-on";  // where
};

// Kinds separated by commas, each followed by ">N" where N of them are permitted. The error is a sentence.
Result<std::vector<Guard>> parse_guards(std::string_view text);
std::vector<std::string> guard_list();
std::string guard_names();  // "create, update, …": what parse_guards() takes

struct Violation {
  Guard guard;
  std::vector<std::string> what;  // addresses and names, in the plan's order
};
// A replacement destroys, too: "destroy" counts both.
std::vector<Violation> violations(const Plan& plan, const std::vector<Guard>& guards,
                                  const std::vector<Target>& allowed, const DataTypes& types);

}  // namespace xplan::review
