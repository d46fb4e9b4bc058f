// What a run works with, and who is there to be asked and told.
//
// Who makes them: a front end (cmd's Session, tests).  Contract: what a Context refers to outlives every run
// with it; of that a run changes only `sources` (texts that messages quote) and `schemas` (asked for when
// first needed). Contexts are small and copied.  Thread-safety: a FrontEnd is called from the thread of the
// run, its `slow` also from another one; the Hooks it gives are called from many (core/plan/hooks.h).
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/backend/backend.h"
#include "core/base/fs.h"
#include "core/config/config.h"
#include "core/plan/hooks.h"
#include "core/provider/schemas.h"

namespace xplan::run {

struct Context {
  Fs& files;
  SourceTable& sources;
  ProviderFactory& providers;
  ProviderSchemas& schemas;  // of these providers
  std::string cwd, data_dir = ".terraform", workspace = "default";
  std::string product = "xplan";            // as messages and generated files call it
  const std::atomic<bool>* stop = nullptr;  // set: the run ends as soon as it safely can
  // Before the first schema is asked for: whether the providers that the configuration needs are there.
  std::function<void(const config::Config&, Diagnostics&)> before_schemas = {};
  std::optional<std::string> encryption = {};          // what TF_ENCRYPTION says
  std::shared_ptr<crypt::Codec> plan_codec = nullptr;  // of plan files; null: as the configuration says
  backend::JsonOfState json_of = {};                   // for services that show states
  // Values of the root module's variables that are known before anything is planned; unset: their defaults.
  std::function<config::VariableValues(const config::Module& root, Diagnostics&)> early_variables = {};

  config::EarlyInputs early() const { return {early_variables, cwd, workspace}; }
};

enum class Step : uint8_t { Planning, Applying };
enum class Slow : uint8_t { Locking, Unlocking };  // for longer than half a second

// By itself it answers nothing and shows nothing.
class FrontEnd {
 public:
  virtual ~FrontEnd() = default;
  // The value of a required variable, as text. Nothing: nobody gives one. What went wrong with asking is an
  // error in `diags`, and nobody is asked for another one then.
  virtual std::optional<std::string> ask(const config::Variable&, Diagnostics& /*diags*/) { return {}; }
  // The step begins to look at objects; what is given hears of everything until the step is over, and then
  // goes. Null: nobody listens.
  virtual std::shared_ptr<Hooks> begin(Step) { return nullptr; }
  virtual void slow(Slow) {}
  // The lock of the state was acquired, and stays behind should the process end; "": it was released.
  virtual void locked(const std::string& /*id*/) {}
};

}  // namespace xplan::run
