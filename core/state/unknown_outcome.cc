#include "core/state/unknown_outcome.h"

namespace xplan {

std::string_view unknown_outcome_advice(std::string_view action) {
  if (action == "create")
    return "An object may exist that the state does not know. Look for it where the provider keeps it, and "
           "import it or delete it there before the next apply; otherwise a second one is created.";
  if (action == "delete")
    return "The state still has the object. The next plan asks the provider whether it exists.";
  return "The state has the object as it was before. The next plan reads what it is now.";
}

}  // namespace xplan
