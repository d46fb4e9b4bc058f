// Session: what every command needs: streams, settings of the environment, diagnostics, configuration, state.
//
// Who calls it: the commands.  Contract: problems go into `diags`; finish() prints them and gives the exit
// code. Thread-safety: one thread, except for `io` and `stop`. Cost: configuration, state and plugins are
// opened only by the commands that ask for them.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "cmd/xplan/cli.h"
#include "cmd/xplan/streams.h"
#include "core/config/config.h"
#include "core/config/inputs.h"
#include "core/plan/plan.h"
#include "core/plan/planner.h"
#include "core/provider/schemas.h"
#include "core/state/backend.h"
#include "render/json_stream.h"
#include "render/text.h"

namespace xplan::cmd {

inline constexpr std::string_view kProgramVersion = "0.1.0";

class InstalledProviders;

// Flags that many commands share.
struct StateFlags {
  bool lock = true;
  std::string lock_timeout = "0s";
  std::string state, state_out, backup;
  void add_lock(Flags& f);
  void add_paths(Flags& f);
};
struct VariableFlags {
  std::vector<config::VariableOption> options;
  bool input = true;
  bool may_be_missing = false;  // required variables without a value are unknown then
  void add(Flags& f);
};

struct Opened {  // a state store that is open, perhaps locked
  std::unique_ptr<StateStore> store;
  State state;
  Backend backend;  // that it was found by
};

class Session {
 public:
  explicit Session(Streams& streams);
  ~Session();
  Streams& io;
  SourceTable sources;
  Diagnostics diags;
  render::HumanOptions human;
  std::string product = "xplan", program = "xplan";
  bool terraform_dialect = false, json = false;
  bool values_only = false;  // programs read what is printed: warnings go to standard error
  bool concise = false;      // progress tells only what was done
  std::string data_dir = ".terraform", cwd;
  std::unique_ptr<ProviderFactory> providers;
  std::atomic<bool> stop{false};
  std::unique_ptr<render::JsonStream>
      stream;  // where everything goes that is told, once begin_stream() was called

  // Adds -no-color and -compact-warnings, parses, and settles how things are shown. As Flags::parse: an exit
  // code when that was all.
  std::optional<int> parse(Flags& f, const std::vector<std::string>& args,
                           const std::function<void()>& before_misuse = {});

  // Prints what was found; 1 when there were errors, else `code`.
  int finish(int code = 0);
  void print_diagnostics();  // and forgets them
  void begin_stream();       // JSON lines on standard output, starting with the version

  std::unique_ptr<config::Config> load_config(bool structure_only = false, const std::string& root_dir = {},
                                              std::optional<std::string> test_dir = {},
                                              const std::string& installed_as = {});
  // Asks at the terminal what only "yes" approves. After an interrupt it is an error, which tells what
  // follows from that.
  bool approved(std::string_view question, std::string_view otherwise);
  void require_config_files(const config::Config& c);  // an error where the root module has none
  // Of the working directory, whole, by way of these files.
  std::unique_ptr<config::Config> load_config_from(Fs& files, Diagnostics& found);
  ProviderSchemas& schemas() { return *schemas_; }
  // What is given for the root module's variables, from wherever.
  config::InputValues given_values(const config::Module& root, const VariableFlags& flags);
  // Values of the root module's variables, prompting when allowed. `given` is filled for the plan.
  RootValues variables(const config::Config& c, const VariableFlags& flags, std::vector<PlanVariable>& given);
  std::string workspace() const;
  // Opens and (unless -lock=false) locks the state of the workspace where the configuration keeps it, or
  // where the flags say; false after reporting why not.
  bool open_state(const StateFlags& flags, const config::Config* c, const std::string& operation,
                  Opened& out);
  bool open_state(const StateFlags& flags, const Backend& backend, const std::string& operation, Opened& out);
  // Under the flags' conditions; tells of a long wait. False after reporting why not.
  bool lock(StateStore& store, const StateFlags& flags, const std::string& operation);
  void unlock(StateStore& store);
  // Why the state could not be saved, and the state itself if it is nowhere else.
  void report_unsaved(const StateStore& store, const Error& why);
  // When a schema was missing: whether that is because providers are not installed, which is then reported.
  bool report_missing_providers();
  schema::Lookup schema_lookup();

 private:
  void notice(std::string_view type, std::string_view text);  // of something that takes its time
  bool no_color_ = false, compact_ = false;
  InstalledProviders* installed_ = nullptr;  // what `providers` is
  std::unique_ptr<ProviderSchemas> schemas_;
};

bool parse_duration_ms(const std::string& text, int64_t& ms);  // Go form: 30s, 1m30s, 500ms

}  // namespace xplan::cmd
