// Plan: what a planning run decided, as data. Everything that a plan file stores, a renderer shows and apply
// executes.
//
// Who makes it: plan/planner.h, planfile (reading).  Who reads it: render, planfile, apply.
// Invariant: changes are sorted by address (then deposed key), every planned instance has exactly one change
// (no-ops included) plus one per deposed object; values carry their marks; unknowns are unknown values. Cost:
// plain data; look-ups by address are hashed (index()).  Thread-safety: immutable once made.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/addr/addr.h"
#include "core/eval/call_results.h"
#include "core/eval/file_reads.h"
#include "core/plan/actions.h"
#include "core/schema/schema.h"
#include "core/state/state.h"
#include "core/value/path.h"
#include "core/value/value.h"

namespace xplan {

enum class PlanMode : uint8_t { Normal, Destroy, RefreshOnly };

struct Change {
  Action action = Action::NoOp;
  Value before, after;  // null values of the schema's type where there is no object
  bool importing = false;
  std::string import_id;
  std::string generated_config;
  Value import_identity;                  // not null: instead of the id
  Value before_identity, after_identity;  // null where the provider gives objects none
};

struct ResourceChange {
  AbsInstance addr;
  AbsInstance prev_addr;  // differs from addr when the object was moved
  std::string deposed;    // key of the deposed object, empty for the current one
  ProviderConfigAddr provider;
  schema::SchemaPtr schema;
  Change change;
  Reason reason = Reason::None;
  std::vector<Path> required_replace;
  std::string private_data;            // planned_private
  bool create_before_destroy = false;  // as it is recorded; what is done is the action
  bool unverified = false;             // as the state has it: it was not read again
  bool moved() const { return !(prev_addr == addr); }
};

// Sorts by address, then deposed key: the order of every list of changes.
void sort_changes(std::vector<ResourceChange>& changes);

// Why something is deferred to a later plan.
enum class DeferredReason : uint8_t {
  InstanceCountUnknown,   // count or for_each, its own or that of a module around it
  ResourceConfigUnknown,  // the provider, or an import, needs a value that is not known yet
  ProviderConfigUnknown,
  AbsentPrereq,   // the provider misses something that must exist first
  DeferredPrereq  // it depends on something that is deferred itself
};
std::string_view deferred_reason_name(DeferredReason r);  // as in JSON

// What a plan defers. The change is what can be foreseen of it; nothing of it is done by this plan, and the
// state keeps its object. A partial address (one with [*]) stands for any number of instances.
struct DeferredChange {
  ResourceChange change;
  DeferredReason reason = DeferredReason::InstanceCountUnknown;
};

struct OutputChange {
  Symbol name;
  Change change;  // before/after without the output's own sensitive mark
  bool sensitive = false, was_sensitive = false;
};

struct RelevantAttribute {
  AbsInstance addr;  // key may be none for "the whole resource"
  Path path;
};

struct PlanVariable {
  Symbol name;
  Value value;             // as given, before conversion; marks stripped
  bool ephemeral = false;  // value not stored
  bool from_default = false;
  std::string origin;  // "prod.tfvars", "the option -var": what set it; empty: its default, or not known
  std::string place;   // "prod.tfvars:3:8", where a file set it
};

enum class NamedKind : uint8_t { Variable, Local, Output };

// What a variable, a local or an output of some module instance was when the plan was made: for whoever
// explains the plan. Sensitive and ephemeral parts are null there, and marked as sensitive.
struct NamedValue {
  NamedKind kind = NamedKind::Local;
  ModuleInstance module;
  Symbol name;
  Value value;
  std::optional<Value> before;  // at the last apply, where that is known
};

// An attribute that this plan changes as the last apply did already, and what it was after that.
struct RepeatedChange {
  AbsInstance addr;
  Path path;
  Value returned;
};

// What a plan without its secrets (core/review/redact.h) still says of the whole one.
struct ReviewHalf {
  std::string digest;  // of its effects (core/review/digest.h); "": not known
};

struct Plan {
  PlanMode mode = PlanMode::Normal;
  std::vector<PlanVariable> variables;
  std::vector<ResourceChange> changes;
  std::vector<ResourceChange> drift;
  std::vector<DeferredChange> deferred;  // sorted like changes; no address is in both
  bool deferral_allowed = false;
  std::vector<OutputChange> outputs;
  std::vector<std::string> targets, excludes, force_replace;
  // The option that kept something from being planned; empty: there was none.
  std::string_view limited_by() const {
    return !excludes.empty() ? "-exclude" : !targets.empty() ? "-target" : "";
  }
  std::vector<RelevantAttribute> relevant_attributes;
  std::vector<CheckResult> checks;
  std::vector<NamedValue> named;               // those that are not too large, see named_values.h
  std::vector<RepeatedChange> repeated;        // sorted by address
  std::vector<eval::FileRead> file_reads;      // by functions
  std::vector<eval::CallResult> call_results;  // of functions of providers
  bool abandoned = false;  // what there is could not be found out: nothing to show or save
  bool errored = false, complete = true, applyable = false;
  std::optional<ReviewHalf> review;  // nothing but what reviewers need: it cannot be applied
  std::string timestamp;             // RFC 3339, plantimestamp()
  std::string workspace = "default";
  std::string backend_type = "local";
  std::string backend_config_json;  // of the backend block, "" for none
  State prev_run_state;             // before refresh and moves
  State prior_state;                // refreshed, moved: what apply starts from

  const ResourceChange* find(const AbsInstance& a, std::string_view deposed = "") const;
  const DeferredChange* find_deferred(const AbsInstance& a) const;  // of the current object
  void build_index();
  std::unordered_map<AbsInstance, uint32_t> current_index;  // position of the current object's change
  std::unordered_map<AbsInstance, uint32_t> deferred_index;

  struct Counts {
    int add = 0, change = 0, destroy = 0, import = 0, forget = 0, move = 0, read = 0;
  };
  Counts counts() const;
};

}  // namespace xplan
