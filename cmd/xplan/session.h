// Session: what every command needs: streams, settings of the environment, diagnostics, configuration, state.
//
// Who calls it: the commands.  Contract: problems go into `diags`; finish() prints them and gives the exit
// code. Thread-safety: one thread, except for `io` and `stop`. Cost: configuration, state and plugins are
// opened only by the commands that ask for them.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cmd/xplan/cli.h"
#include "cmd/xplan/completion_values.h"
#include "cmd/xplan/streams.h"
#include "core/plan/planner.h"
#include "core/run/configuration.h"
#include "core/run/inputs.h"
#include "core/run/open_state.h"
#include "render/json_stream.h"
#include "render/text.h"

namespace xplan::cmd {

inline constexpr std::string_view kProgramVersion = "0.1.0";

class ApplyReport;
class InstalledProviders;
class Timings;

// Flags that many commands share.
struct StateFlags : run::StateRequest {
  std::vector<config::VariableOption> variables;  // for the encryption block
  void add_values(Flags& f);                      // of commands that need none otherwise
  void add_lock(Flags& f, std::string_view condition = {});
  void add_paths(Flags& f);
};
struct VariableFlags {
  std::vector<config::VariableOption> options;
  bool input = true;
  bool may_be_missing = false;  // required variables without a value are unknown then
  void add(Flags& f);
};

using Opened = run::OpenState;

class Session : public run::FrontEnd {
 public:
  explicit Session(Streams& streams);
  ~Session() override;
  Streams& io;
  SourceTable sources;
  Diagnostics diags;
  render::HumanOptions human;
  std::string product = "xplan";
  bool terraform_dialect = false, json = false;
  bool values_only = false;  // programs read what is printed: warnings go to standard error
  bool only_prints = false;  // the command does nothing else, so it fails where nothing can be printed
  bool concise = false;      // progress tells only what was done
  bool may_forget = false;   // destroying everything may leave objects behind that are not to be destroyed
  bool live = false;         // changes are shown as they are made, on lines that are redrawn
  std::unique_ptr<ApplyReport> report;  // of changes that are shown live
  std::string data_dir = ".terraform", cwd;
  std::unique_ptr<ProviderFactory> providers;
  std::atomic<bool> stop{false};
  StateStore* changing = nullptr;  // whose objects are changed at the moment
  std::unique_ptr<render::JsonStream>
      stream;  // where everything goes that is told, once begin_stream() was called

  // Adds -no-color and -compact-warnings (listed where there can be warnings), parses, and settles how things
  // are shown. As Flags::parse: an exit code when that was all.
  std::optional<int> parse(Flags& f, const std::vector<std::string>& args,
                           const std::function<void()>& before_misuse = {}, bool may_warn = true);

  // A shell asks what the word before the cursor may become (completion.h); then parse() offers that, and it
  // is all that a command does.
  std::optional<Completing> completing;

  // Hears of what is printed, for those who annotate files with it.
  std::function<void(const Diagnostics&)> heard;
  // Adds -diff, for commands that show plans.
  void add_diff(Flags& f);
  void add_show_sensitive(Flags& f);
  // Adds -json-into, for commands that have a stream of messages, or a document instead.
  enum class Into : unsigned char { Stream, Document };
  void add_json_into(Flags& f, Into what = Into::Stream);
  // What -json-into wants to have besides what is shown; null: nothing, or a document.
  std::unique_ptr<render::JsonStream> into;
  // Whether somebody wants the document of -json, here or in the file of -json-into, and writing it there.
  bool wants_document() const { return json || into_document_; }
  void put_document(const std::function<void(JsonWriter&)>& write, int indent = 0);
  void put_document(std::string_view text);

  // For commands whose results people read: parse() with -json and -json-into, for the same as messages.
  std::optional<int> parse_telling(Flags& f, const std::vector<std::string>& args, bool may_warn = true);
  // One line of such a command. The message of the stream has no type unless `members` writes one, and says
  // `message` where that is not the line.
  void tell(std::string_view line, const std::function<void(JsonWriter&)>& members = {},
            std::string_view message = {});

  // Before the exit code is known: whether all was written that -json-into wants.
  void end_into();
  // Prints what was found; 1 when there were errors, else `code`.
  int finish(int code = 0);
  void print_diagnostics();           // and forgets them
  void prose(std::string_view text);  // to standard output, in lines that fit the terminal
  // When the arguments have -json, which is not parsed yet.
  void begin_stream_if_asked(const std::vector<std::string>& args);
  void put_version(const render::JsonStream& to) const;  // the first line of every stream
  void begin_stream();  // JSON lines on standard output, starting with the version

  // From here on, calls of providers are recorded, and written to that file by end(). False after reporting
  // what is wrong with it.
  bool record_timings(const std::string& path);
  int end(int code);  // of the command; the exit code
  // Of a file that the command is to write: reports when another option names the same one.
  void claim(const std::string& path, std::string_view option);
  // What a run works with that this command starts.
  run::Context context();
  run::InputRequest input_request(const VariableFlags& flags) const;
  bool input_allowed() const;  // unless TF_INPUT forbids it
  // What keeps everybody from being asked: "-json", "-input=false" (`input`), "TF_INPUT=0". Empty: nothing.
  std::string unasked_by(bool input) const;
  std::unique_ptr<config::Config> load_config(bool structure_only = false, const std::string& root_dir = {},
                                              std::optional<std::string> test_dir = {},
                                              const std::string& installed_as = {});
  // Asks at the terminal what only "yes" approves. After an interrupt it is an error, which tells what
  // follows from that.
  // `unasked`: how to do without a question, for those who have nobody to answer it.
  bool approved(std::string_view question, std::string_view otherwise, std::string_view unasked = {});
  // Asks what "yes" or "no" answers. Nothing: neither came, which is an error that tells what follows from
  // that.
  std::optional<bool> yes_or_no(std::string_view question, std::string_view otherwise);
  // Of the working directory, only its structure, where problems are for somebody else to report.
  std::unique_ptr<config::Config> load_structure(Diagnostics& found);
  ProviderSchemas& schemas() { return *schemas_; }
  std::string plan_key_file;                 // of -plan-key-file, see plan_key.h
  bool plain_plans = false;                  // one that is not encrypted is only a warning, in spite of it
  std::shared_ptr<crypt::Codec> plan_codec;  // that a plan is to be written with; null: as configured
  // Values of the root module's variables, prompting when allowed.
  run::Inputs variables(const config::Config& c, const VariableFlags& flags);
  std::string workspace() const;
  // What the configuration says of encryption, or that of the directory where `c` is null; found out once.
  // `of`: the workspace, if not the selected one. Null after reporting why it cannot be told.
  const crypt::Encryption* encryption(const config::Config* c,
                                      const std::vector<config::VariableOption>& variables,
                                      const std::string& of = {});
  // The same of any workspace, found out each time. Nothing after reporting.
  std::optional<crypt::Encryption> encryption_of(const config::Config* c,
                                                 const std::vector<config::VariableOption>& variables,
                                                 const std::string& workspace, Diagnostics& out);
  backend::Opening opening(const crypt::Encryption& e) { return run::opening_of(context(), e); }
  // Opens and (unless -lock=false) locks the state of the workspace where the configuration keeps it, or
  // where the flags say; false after reporting why not.
  bool open_state(const StateFlags& flags, const config::Config* c, const std::string& operation,
                  Opened& out);
  bool open_state(const StateFlags& flags, const backend::Backend& backend, const std::string& operation,
                  Opened& out);
  // Under the flags' conditions; tells of a long wait. False after reporting why not.
  bool lock(StateStore& store, const StateFlags& flags, const std::string& operation);
  void unlock(StateStore& store);
  // Writes a changed state; false after reporting why not, with the state itself if it is nowhere else.
  bool save(StateStore& store, State& changed);
  // A state that could be written nowhere; empty: there is none.
  void print_unsaved(const std::string& text);
  // When a schema was missing: whether that is because providers are not installed, which is then reported.
  bool report_missing_providers();
  schema::Lookup schema_lookup() { return schemas_->lookup(); }

  // As a run's front end.
  std::optional<std::string> ask(const config::Variable& v, Diagnostics& diags) override;
  std::shared_ptr<Hooks> begin(run::Step step) override;
  void slow(run::Slow what) override;
  void locked(const std::string& id) override {
    std::lock_guard guard(lock_id_mutex_);
    lock_id_ = id;
  }
  // Of the lock that stays behind should the process end now; "": there is none. From any thread.
  std::string lock_id() const {
    std::lock_guard guard(lock_id_mutex_);
    return lock_id_;
  }

 private:
  void notice(std::string_view type, std::string_view text);  // of something that takes its time
  std::optional<std::string> json_of(std::string_view state) const;
  bool begin_into();
  void write_into(std::string_view text);
  bool take_deprecation();  // false after an error
  bool no_color_ = false, compact_ = false;
  std::string deprecation_;
  std::string json_into_;  // a path
  int into_file_ = -1;     // its descriptor
  bool into_document_ = false;
  int into_failed_ = 0;  // the first error in writing it
  std::mutex into_lock_;
  std::vector<config::VariableOption> given_variables_;  // of the command line
  std::vector<std::string> claimed_;                     // canonical paths
  std::string diff_;                                     // as given; empty: as the output is
  mutable std::mutex lock_id_mutex_;  // whoever tells of interrupts reads the ID beside the run
  std::string lock_id_;
  std::optional<crypt::Encryption> encryption_;
  InstalledProviders* installed_ = nullptr;  // what `providers` is
  std::unique_ptr<ProviderSchemas> schemas_;
  std::unique_ptr<Timings> timings_;
};

}  // namespace xplan::cmd
