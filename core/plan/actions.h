// Actions and their reasons: each with its number in plan files, its names in JSON and its words for people.
// One place for each: a new action or reason that has no entry here, or the number of another one, does not
// compile. What summaries say of a replacement's reason is in render/group_text.cc, what explanations find
// behind a reason in review/cause_reasons.cc.
//
// Used by: planner and apply (the enumerations), planfile (numbers), render and cmd (names and words).
// Source of numbers and names: the specification's "action_reason values" and "plan file".
// Cost: constants.  Thread-safety: immutable.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace xplan {

enum class Action : uint8_t {
  NoOp,
  Create,
  Read,
  Update,
  DeleteThenCreate,
  CreateThenDelete,
  Delete,
  Forget,
  ForgetThenCreate  // a replacement that leaves the old object alone
};
inline constexpr size_t kActions = static_cast<size_t>(Action::ForgetThenCreate) + 1;

constexpr bool is_replace(Action a) {
  return a == Action::DeleteThenCreate || a == Action::CreateThenDelete || a == Action::ForgetThenCreate;
}
// Whether an object is destroyed by it.
constexpr bool destroys(Action a) {
  return a == Action::Delete || a == Action::DeleteThenCreate || a == Action::CreateThenDelete;
}
constexpr bool forgets(Action a) {
  return a == Action::Forget || a == Action::ForgetThenCreate;
}

struct ActionFacts {
  uint32_t number;                       // in plan files
  bool has_before, has_after;            // which values a change has
  std::array<std::string_view, 2> json;  // names in plan JSON; the second may be empty
  std::string_view word;                 // in the event stream
  std::string_view outcome;              // of the object: "will be created"
  // While it is carried out; replacements are reported as their two halves.
  std::string_view doing = "Working", done = "Work", still = "working";
};

constexpr ActionFacts facts(Action a) {
  switch (a) {
    case Action::NoOp:
      return {0, true, true, {"no-op"}, "noop", "will not be changed"};
    case Action::Create:
      return {1, false, true, {"create"}, "create", "will be created", "Creating", "Creation", "creating"};
    case Action::Read:
      return {2, true, true, {"read"}, "read", "will be read during apply", "Reading", "Read", "reading"};
    case Action::Update:
      return {3,           true,
              true,        {"update"},
              "update",    "will be updated in place",
              "Modifying", "Modifications",
              "modifying"};
    case Action::DeleteThenCreate:
      return {6, true, true, {"delete", "create"}, "replace", "will be replaced (destroy before create)"};
    case Action::CreateThenDelete:
      return {7, true, true, {"create", "delete"}, "replace", "will be replaced (create before destroy)"};
    case Action::Delete:
      return {
          5,           true, false, {"delete"}, "delete", "will be destroyed", "Destroying", "Destruction",
          "destroying"};
    case Action::Forget:
      return {8, true, false, {"forget"}, "remove", "will be forgotten"};
    case Action::ForgetThenCreate:
      return {10, true, true, {"forget", "create"}, "replace", "will be replaced (without destroying it)"};
  }
  return {};
}

enum class Reason : uint8_t {
  None,
  ReplaceBecauseTainted,
  ReplaceBecauseCannotUpdate,
  ReplaceByRequest,
  ReplaceByTriggers,
  DeleteBecauseNoResourceConfig,
  DeleteBecauseNoModule,
  DeleteBecauseWrongRepetition,
  DeleteBecauseCountIndex,
  DeleteBecauseEachKey,
  DeleteBecauseEnabledFalse,
  DeleteBecauseNoMoveTarget,
  ForgotBecauseLifecycleDestroyInState,
  ForgotBecauseLifecycleDestroyInConfig,
  ReadBecauseConfigUnknown,
  ReadBecauseDependencyPending,
  ReadBecauseCheckNested,
};

struct ReasonFacts {
  uint32_t number;        // in plan files
  std::string_view name;  // in plan JSON; empty: none is written
  // In the event stream; empty: the name.
  std::string_view word = "";
  // Behind the headline of a change, in parentheses. {resource}, {module}, {index}, {key}, {repetition},
  // {from} and {to} are filled in. Empty: nothing, or the headline says it.
  std::string_view note = "";
  // In an explanation; {module} is filled in. Empty: attributes or references explain it.
  std::string_view why = "";
  // The headline of a replacement, behind the address. {replaced} and {it} ("it ", where the dialect has it)
  // are filled in.
  std::string_view replacement = "must be {replaced}";
};

constexpr ReasonFacts facts(Reason r) {
  switch (r) {
    case Reason::None:
      return {0, ""};
    case Reason::ReplaceBecauseTainted:
      return {1,
              "replace_because_tainted",
              "tainted",
              "",
              "it is tainted: its creation failed, or it was tainted by hand",
              "is tainted, so {it}must be {replaced}"};
    case Reason::ReplaceBecauseCannotUpdate:
      return {3, "replace_because_cannot_update", "cannot_update"};
    case Reason::ReplaceByRequest:
      return {2,  "replace_by_request",   "requested",
              "", "-replace requests it", "will be {replaced}, as requested"};
    case Reason::ReplaceByTriggers:
      return {9,
              "replace_by_triggers",
              "replace_triggered_by",
              "",
              "",
              "will be {replaced} due to changes in replace_triggered_by"};
    case Reason::DeleteBecauseNoResourceConfig:
      return {4, "delete_because_no_resource_config", "", "because {resource} is not in configuration",
              "its resource block is no longer in the configuration"};
    case Reason::DeleteBecauseNoModule:
      return {8, "delete_because_no_module", "", "because {module} is not in configuration",
              "{module} is no longer in the configuration"};
    case Reason::DeleteBecauseWrongRepetition:
      return {5, "delete_because_wrong_repetition", "", "because resource {repetition}",
              "count or for_each was added to or removed from its block, so this instance key is no longer "
              "valid"};
    case Reason::DeleteBecauseCountIndex:
      return {6, "delete_because_count_index", "", "because index {index} is out of range for count",
              "count is now smaller"};
    case Reason::DeleteBecauseEachKey:
      return {7, "delete_because_each_key", "", "because key [{key}] is not in for_each map",
              "for_each no longer has this key"};
    case Reason::DeleteBecauseEnabledFalse:
      return {14, "delete_because_enabled_false", "", "because enabled is false",
              "lifecycle.enabled is false now"};
    case Reason::DeleteBecauseNoMoveTarget:
      return {12, "delete_because_no_move_target", "",
              "because {from} was moved to {to}, which is not in configuration",
              "a moved block moved it to an address that the configuration does not declare"};
    case Reason::ForgotBecauseLifecycleDestroyInState:
      return {15, "forgot_because_lifecycle_destroy_in_state", "",
              "because lifecycle.destroy was false when it was last applied",
              "lifecycle.destroy was false when it was last applied"};
    case Reason::ForgotBecauseLifecycleDestroyInConfig:
      return {16, "forgot_because_lifecycle_destroy_in_config", "", "because lifecycle.destroy is false",
              "lifecycle.destroy is false"};
    case Reason::ReadBecauseConfigUnknown:
      return {10, "read_because_config_unknown", "", "config refers to values not yet known",
              "it is read during apply, because its configuration is not known before"};
    case Reason::ReadBecauseDependencyPending:
      return {11, "read_because_dependency_pending", "",
              "depends on a resource or a module with changes pending",
              "it is read during apply, after changes to its dependencies"};
    case Reason::ReadBecauseCheckNested:
      return {13, "read_because_check_nested", "", "config will be reloaded to verify a check block",
              "it is read again during apply, for the check block it belongs to"};
  }
  return {};
}

// Whether each action, or each reason, has a number of its own.
template <class E>
constexpr bool numbers_differ() {
  uint64_t seen = 1;  // 0 is the first one's, and that of all values behind the last
  for (unsigned i = 1; i <= UINT8_MAX; ++i) {
    const uint32_t number = facts(static_cast<E>(i)).number;
    if (number == 0) continue;
    if (number >= 64 || (seen >> number & 1) != 0) return false;
    seen |= uint64_t{1} << number;
  }
  return facts(E()).number == 0;
}
static_assert(numbers_differ<Action>(), "two actions have the same number in plan files");
static_assert(numbers_differ<Reason>(), "two reasons have the same number in plan files");

// Whether each reason has a name and words: those of the event stream, a note or an explanation.
constexpr bool reasons_have_words() {
  for (unsigned i = 1; i <= UINT8_MAX; ++i) {
    const ReasonFacts f = facts(static_cast<Reason>(i));
    const bool words = !f.word.empty() || !f.note.empty() || !f.why.empty();
    if ((f.number != 0) != !f.name.empty() || (f.number != 0 && !words)) return false;
  }
  return true;
}
static_assert(reasons_have_words(), "a reason has no number, no name or no words");

// The action or reason with this number in plan files; nothing: it is not known to this version.
template <class E>
constexpr std::optional<E> from_number(uint32_t number) {
  for (unsigned i = 0; i <= UINT8_MAX; ++i)
    if (facts(static_cast<E>(i)).number == number) return static_cast<E>(i);
  return std::nullopt;
}

}  // namespace xplan
