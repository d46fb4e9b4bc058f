// Why a plan changes what it changes: for each change its reasons, and which other changes they come from.
//
// Who calls it: cmd (explain, plan -explain), for a plan just made or read from a file: everything needed is
// in the plan and its configuration, so planning pays nothing and a plan file stores nothing for it.
// Contract: reasons name attributes, addresses and variables, never values. They point to changes of the same
// plan and never form a cycle, because references cannot. Cost: once per attribute of a changed resource, the
// named values between it and what it comes from; the graph of the configuration once.  Thread-safety: one
// thread; the plan and the configuration must outlive it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/config/config.h"
#include "core/plan/plan.h"

namespace xplan {

struct Why {
  std::string text;                            // "input changed in the configuration", no period
  std::string attribute;                       // what changed, where it is an attribute
  bool replaces = false;                       // it cannot be changed in place
  std::vector<std::string> from;               // what else it is made of: "var.size", "each.value"
  std::vector<const ResourceChange*> because;  // changes that this one follows from
};

class CauseFinder {
 public:
  CauseFinder(const Plan& plan, const config::Config& config);
  ~CauseFinder();
  // Whether there is something to explain: an action, a move, an import.
  static bool explains(const ResourceChange& c);
  std::vector<Why> why(const ResourceChange& c);
  // The change and everything it follows from, what comes first being first.
  std::vector<const ResourceChange*> chain(const ResourceChange& c);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xplan
