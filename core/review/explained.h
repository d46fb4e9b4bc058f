// What of a plan is to be explained: everything, or what an address names.
//
// Who calls it: cmd.  Who reads it: render, each form of an explanation.
// Contract: an address is that of a resource or module, of an output (output.NAME) or of an attribute
// (ADDRESS.NAME). One that the plan does not know is an error that names the nearest one. Few changes are
// followed through others to their first causes, many only to those that they follow from, so that all of it
// stays linear. Cost: linear in the plan.  Thread-safety: points into the plan, which must outlive it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/review/causes.h"

namespace xplan::review {

struct ExplainRequest {
  std::string address = {};  // empty: everything
  bool destroyed = false, replaced = false, unknown = false, all = false;
};

struct Explained {
  std::vector<const ResourceChange*> changes;
  std::vector<const DeferredChange*> deferred;
  std::vector<const OutputChange*> outputs;
  std::vector<std::string> untouched;  // sentences on what the address names and the plan does not change
  std::optional<Path> attribute;       // of the changes, only this
  bool only_unknown = false;           // only what is known after apply
  std::string_view none = "The plan changes nothing.";  // what it means that there is nothing to tell
  bool thorough = false;  // also what is known after apply, and what follows from a change
  CauseScope scope;
};

// What the provider decides when changes are made, once for the instances of a resource of which it decides
// the same. Empty unless only what is known after apply is asked for.
struct Decided {
  std::vector<const ResourceChange*> changes;
  std::vector<std::string> attributes;
};
std::vector<Decided> decided(CauseFinder& finder, const Explained& what);

// Nothing after an error.
std::optional<Explained> select_explained(const Plan& plan, const ExplainRequest& request,
                                          Diagnostics& diags);

}  // namespace xplan::review
