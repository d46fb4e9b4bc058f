// Where the states of a configuration live: one interface for every kind of backend, and the table of kinds.
//
// Who calls it: run and cmd (open states, list workspaces), the data source for other states, planfile (the
// form of settings). Contract: a Backend only knows where states are; it holds no lock and nothing that was
// read, and its stores do not need it any more. A new kind is a file or folder with a Kind of its own
// and a row in kKinds; only help.cc has to know it, which lists its environment variables.  Cost: opening
// costs nothing; every other call asks the place where states are, once.  Thread-safety: any thread; the
// stores as StateStore says.
#pragma once
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/settings.h"
#include "core/base/result.h"
#include "core/schema/schema.h"
#include "core/state/store.h"

namespace xplan::backend {

// Who plans and applies in a workspace: this program, or the server by itself.
struct Runs {
  bool elsewhere = false;
  bool there = false;        // the workspace is known to exist, whether or not it has a state
  bool forced_here = false;  // they would be elsewhere, but whoever starts the program has them here
  std::string place, mode;   // as messages name them; mode: "remote", "agent"
  std::string version;       // of the program that the server runs, or a constraint for it
};

class Backend {
 public:
  virtual ~Backend() = default;
  // The state of a workspace, neither locked nor read yet. What is set in `instead` replaces the files that
  // the backend would use.
  virtual std::unique_ptr<StateStore> open(const std::string& workspace,
                                           const StatePaths& instead = {}) const = 0;
  // The state as it was last written; nothing: there is none, and none begins by itself. For readers that
  // belong to another configuration: no lock, and nothing of a run that is under way.
  virtual Result<std::optional<State>> read(const std::string& workspace) const = 0;
  // False: there is "default" alone, and everything about another one is an error.
  virtual bool has_workspaces() const { return true; }
  // False: "default" is a name like others, and there may be no workspace at all.
  virtual bool has_default() const { return true; }
  // The name of the one workspace that there can be; "": there can be several.
  virtual std::string only_workspace() const { return has_workspaces() ? "" : "default"; }
  // "default" first, where there is always one; then sorted.
  virtual Result<std::vector<std::string>> workspaces() const = 0;
  virtual Result<void> create(const std::string& workspace) const = 0;
  // Whether it was created though it has no state yet; before it is locked.
  virtual bool created_without_state(const std::string& /*workspace*/) const { return false; }
  // Of the workspace that init leaves selected: makes it, or an empty state, where the reference tools do
  // that and there is none.
  virtual Result<void> begin(const std::string&) const { return {}; }
  // An error where somebody has its lock, as far as a look tells.
  virtual Result<void> unlocked(const std::string& /*workspace*/) const { return {}; }
  // What is left to remove of a workspace once its lock is released; empty: nothing.
  using Rest = std::function<Result<void>()>;
  // For whoever has its lock: removes what can go without it, journal and state, so that no run begins with
  // them. The rest is removed only if it is still as it was. `unused`: see remove_unused().
  virtual Result<Rest> remove_locked(const std::string& workspace, bool unused) const {
    return Rest([this, workspace, unused] { return unused ? remove_unused(workspace) : remove(workspace); });
  }
  // With its state, into which nobody looks, and with what belongs to that: look whether it is unlocked
  // before.
  virtual Result<void> remove(const std::string& workspace) const = 0;
  // The same of one whose state has no objects, which servers that know may see otherwise.
  virtual Result<void> remove_unused(const std::string& workspace) const { return remove(workspace); }
  // Leaves the workspace without a state, but keeps a copy that only people use.
  virtual Result<void> retire(const std::string& workspace) const = 0;
  virtual Result<Runs> runs(const std::string& /*workspace*/) const { return Runs{}; }
  // The locks of two workspaces that have no state yet exclude each other.
  virtual bool creates_one_at_a_time() const { return false; }
  // The same places, by the same connections, with states as this codec has them.
  virtual std::unique_ptr<Backend> with(std::shared_ptr<crypt::Codec> codec) const = 0;
  virtual bool keeps_backups() const { return false; }                // of what is replaced
  virtual std::string place(const std::string& workspace) const = 0;  // as messages name it
  // Equal, whatever the kinds: it is the same state.
  virtual std::string identity(const std::string& workspace) const = 0;
};

// The text of a state as `show -json` has it, for services that show states; nothing: it cannot be told, as
// objects have no schema, say. Any thread calls it.
using JsonOfState = std::function<std::optional<std::string>(std::string_view state)>;

class Clients;

// What a backend may use of the run that opens it.
struct Opening {
  std::string data_dir = ".terraform";                          // for what has to be kept on this machine
  const std::atomic<bool>* stop = nullptr;                      // set: whoever waits ends that
  std::shared_ptr<crypt::Codec> codec = crypt::Codec::plain();  // of all states that are there
  JsonOfState json_of = {};                                     // empty: nobody is to be shown anything
  std::shared_ptr<Clients> clients = {};                        // null: each backend has its own
};

struct Kind {
  std::string_view name;
  // What its block contains. Nothing is required, since settings may come from elsewhere as well. An
  // attribute with a description is one that init asks for.
  const schema::Block& (*schema)();
  // Finds out what is missing or contradictory. `settings` is an object of the schema, wholly known.
  Result<std::unique_ptr<Backend>> (*open)(const Value& settings, const Opening& opening);
  bool has_type = true;  // false: it has a block of its own, and no backend block names it
  // Arguments that only OpenTofu has. Where they are not set, records do not have them, so that the other
  // reference tool can read these.
  std::span<const std::string_view> additions = {};
  bool is_addition(std::string_view argument) const {
    return std::find(additions.begin(), additions.end(), argument) != additions.end();
  }
};
extern const Kind kLocal, kAzurerm, kConsul, kCos, kGcs, kHttp, kInmem, kKubernetes, kOss, kPg, kRemote, kS3,
    kCloud;
inline constexpr const Kind* kKinds[] = {&kLocal,      &kAzurerm, &kConsul, &kCos,    &kGcs, &kHttp, &kInmem,
                                         &kKubernetes, &kOss,     &kPg,     &kRemote, &kS3,  &kCloud};

const Kind* find_kind(std::string_view name);  // null: not supported
const Kind* find_type(std::string_view name);  // likewise, of those that a backend block can name
// Why there is none of this name: other tools have it, or nobody does.
Error unsupported(std::string_view name);
Result<std::unique_ptr<Backend>> open(const Settings& settings, const Opening& opening);

}  // namespace xplan::backend
