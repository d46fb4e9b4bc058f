// Why a plan changes what it changes: for each change its reasons, and for each reason the steps that lead to
// it from its first cause, with places and values.
//
// Who calls it: cmd (explain, plan -explain); render, each form of an explanation the same data. Everything
// needed is in the plan and its configuration, so a plan that was just made and one that was read from a file
// are explained alike.
// Contract: values are as in the plan, with their marks: whoever prints one hides what is marked. A cause is
// one that is known to have changed, where there is any such (`sure`); otherwise whatever the attribute is
// computed from. Steps never form a cycle, because references cannot. Cost: linear in the references that
// are followed, once for each reason; a reason that is not followed further than to other changes costs what
// its own expressions cost. The graph of the configuration is made once, when it is first needed.
// Thread-safety: one thread; the plan, the configuration and the sources must outlive it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/config/config.h"
#include "core/plan/plan.h"

namespace xplan::review {

enum class StepKind : uint8_t {
  Variable,    // an input variable, of the root module or of another one
  Local,       // a local value
  Output,      // an output value of a module
  Repetition,  // count, for_each, and what they give their instances
  Function,    // a call of a function that may return something else each time
  Attribute,   // of a change
  Change,      // a change as a whole
  Drift,       // what was changed outside
  Data,        // what a data source read
  Object,      // what is wrong with an object: it is tainted, deposed, gone
  Option,      // of the command line
  Block,       // moved, removed, import, lifecycle, depends_on
  Deferral,    // a change that is deferred
};
std::string_view name_of(StepKind k);  // as in JSON

struct CauseStep {
  StepKind kind = StepKind::Attribute;
  std::string subject;                     // "var.size", "aws_instance.web.ami", "-replace"
  std::string note;                        // "set by the option -var"; empty: the values say it all
  std::string place;                       // "main.tf:3:11"; empty: there is none
  std::optional<Value> before, after;      // as far as they are known to the plan
  const ResourceChange* change = nullptr;  // whose it is
};
using CauseChain = std::vector<CauseStep>;  // the first cause first, what is explained last

struct Why {
  std::string text;                            // "changed in the configuration", no period
  std::string attribute;                       // what changed, where it is an attribute: "tags.Name"
  std::optional<Value> before, after;          // of the attribute
  bool replaces = false;                       // it cannot be changed in place
  bool sure = false;                           // the first step of the first chain is known to have changed
  std::vector<CauseChain> chains;              // the shortest first; one, unless all are asked for
  size_t more_chains = 0;                      // that are left out
  std::vector<std::string> from;               // names that it is computed from: "var.size", "each.value"
  std::vector<const ResourceChange*> because;  // changes that this one follows from
  const RepeatedChange* repeated = nullptr;    // the last apply set it to the same value
};

// How far causes are followed, and how many chains are told.
struct CauseScope {
  bool whole = false;    // through other changes to their causes; otherwise only to those changes
  bool unknown = false;  // not so, but through their attributes, as far as these are unknown
  bool all = false;      // all chains, at most kMostChains
  static constexpr size_t kMostChains = 100;
};

class CauseFinder {
 public:
  // Without sources, steps have no places.
  CauseFinder(const Plan& plan, const config::Config& config, const SourceTable* sources = nullptr);
  ~CauseFinder();
  // Whether there is something to explain: an action, a move, an import.
  static bool explains(const ResourceChange& c);
  std::vector<Why> why(const ResourceChange& c, CauseScope scope = {});
  std::vector<Why> why(const DeferredChange& c, CauseScope scope = {});
  std::vector<Why> why(const OutputChange& c, CauseScope scope = {});
  // Attributes that are set in the configuration and known only after apply, each with the first unknown
  // value behind it.
  std::vector<Why> unknown(const ResourceChange& c, CauseScope scope = {});
  // Likewise attributes that are not set there: the provider decides them when the change is made.
  std::vector<std::string> decided(const ResourceChange& c);
  // One attribute, whether it changes or not. Nothing: the object has none of that name.
  std::optional<Why> attribute(const ResourceChange& c, const Path& path, CauseScope scope = {});
  // Changes that follow from this one directly, at most `most` of them.
  std::vector<const ResourceChange*> dependents(const ResourceChange& c, size_t most);
  // The change and everything it follows from, what comes first being first.
  std::vector<const ResourceChange*> chain(const ResourceChange& c);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace xplan::review
