// Where the states of a configuration live: one interface for every kind of backend, and the table of kinds.
//
// Who calls it: run and cmd (open states, list workspaces), the data source for other states, planfile (the
// form of settings). Contract: a Backend only knows where states are; it holds no lock and nothing that was
// read, and its stores do not need it any more. A new kind is a file or folder with a Kind of its own
// and a row in kKinds; nobody else has to know it.  Cost: opening costs nothing; every other call asks the
// place where states are, once.  Thread-safety: one thread; the stores as StateStore says.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/settings.h"
#include "core/base/result.h"
#include "core/schema/schema.h"
#include "core/state/store.h"

namespace xplan::backend {

class Backend {
 public:
  virtual ~Backend() = default;
  // The state of a workspace, neither locked nor read yet. What is set in `instead` replaces the files that
  // the backend would use.
  virtual std::unique_ptr<StateStore> open(const std::string& workspace,
                                           const StatePaths& instead = {}) const = 0;
  // The state as it was last written; nothing: there is none. For readers that belong to another
  // configuration: no lock, and nothing of a run that is under way.
  virtual Result<std::optional<State>> read(const std::string& workspace) const = 0;
  // False: there is "default" alone, and everything about another one is an error.
  virtual bool has_workspaces() const { return true; }
  // "default" first, then sorted.
  virtual Result<std::vector<std::string>> workspaces() const = 0;
  virtual Result<void> create(const std::string& workspace) const = 0;
  // With its state, into which nobody looks.
  virtual Result<void> remove(const std::string& workspace) const = 0;
  // Leaves the workspace without a state, but keeps a copy that only people use.
  virtual Result<void> retire(const std::string& workspace) const = 0;
  virtual bool keeps_backups() const { return false; }                // of what is replaced
  virtual std::string place(const std::string& workspace) const = 0;  // as messages name it
  // Equal, whatever the kinds: it is the same state.
  virtual std::string identity(const std::string& workspace) const = 0;
};

// What a backend may use of the run that opens it.
struct Opening {
  std::string data_dir = ".terraform";      // for what has to be kept on this machine
  const std::atomic<bool>* stop = nullptr;  // set: whoever waits ends that
};

struct Kind {
  std::string_view name;
  // What its block contains. Nothing is required, since settings may come from elsewhere as well.
  const schema::Block& (*schema)();
  // Finds out what is missing or contradictory. `settings` is an object of the schema, wholly known.
  Result<std::unique_ptr<Backend>> (*open)(const Value& settings, const Opening& opening);
};
extern const Kind kLocal, kHttp, kPg, kS3;
inline constexpr const Kind* kKinds[] = {&kLocal, &kHttp, &kPg, &kS3};

const Kind* find_kind(std::string_view name);  // null: not supported
// Why there is none of this name: other tools have it, or nobody does.
Error unsupported(std::string_view name);
Result<std::unique_ptr<Backend>> open(const Settings& settings, const Opening& opening);

}  // namespace xplan::backend
