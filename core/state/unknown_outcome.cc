// The advice for each action: how to find out whether a create, update or delete has happened.
#include "core/state/unknown_outcome.h"

namespace xplan {

std::string_view unknown_outcome_advice(std::string_view action) {
  if (action == "create")
    return "An object may exist that is not in the state. Look for it on the provider's side, and import it "
           "or delete it there before the next apply; otherwise, a second one will be created.";
  if (action == "delete")
    return "The state still has the object. The next plan will check with the provider whether it exists.";
  return "The state has the object as it was before. The next plan will read its current values.";
}

}  // namespace xplan
