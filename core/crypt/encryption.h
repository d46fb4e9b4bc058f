// Encryption: what a configuration's encryption block, and TF_ENCRYPTION, say about states and plan files.
//
// Who calls it: run (before it opens a state), cmd (before it opens a plan file).
// Contract: make() reads the encryption blocks of the root module's terraform blocks, those of override files
// over them, and TF_ENCRYPTION over all: for each key provider, method and target the arguments of the later
// one replace those of the earlier, and "enforced" holds once anybody says so. Whatever is wrong is an error
// with its place; nothing is fetched and no program is started, so make() is quick. Where nothing is
// configured all codecs are plain. Values in the block may use input variables, local values, path and
// terraform.workspace, and functions; all of them are treated as sensitive.  Cost: linear in the blocks.
// Thread-safety: make() on one thread; the codecs on any.
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/stop.h"
#include "core/config/config.h"
#include "core/crypt/codec.h"

namespace xplan::crypt {

// What encryption may use of the run.
struct Environment {
  std::optional<std::string> tf_encryption;               // native syntax; JSON where it begins with a brace
  std::function<std::string(const char* name)> variable;  // BAO_ADDR and the like; unset: the process's own
  std::string cwd, workspace = "default";
  Stop stop = nullptr;                             // set: whoever waits for a key or for plain text ends that
  std::chrono::milliseconds program_limit{60000};  // for each run of an external program
  // Nothing but mistakes is of interest: variables have no values yet, and what is missing may come with
  // TF_ENCRYPTION.
  bool validating = false;
};

using Variables = config::VariableValues;

class Encryption {
 public:
  Encryption();  // nothing is configured
  // `root` null: there is no configuration. Nothing: after reporting what is wrong.
  static std::optional<Encryption> make(const config::Module* root, const Variables& variables,
                                        const Environment& environment, SourceTable& sources,
                                        Diagnostics& diags);

  // Codecs outlive it. Those of one target are one and the same.
  const std::shared_ptr<Codec>& state() const { return state_; }
  const std::shared_ptr<Codec>& plan() const { return plan_; }
  // Of the state that a terraform_remote_state data source reads. Its name as the block has it: "net",
  // "net[0]", "child.net"; see remote_state_name(). What is not named has the default's.
  const std::shared_ptr<Codec>& remote_state(std::string_view name) const;
  // Whether anything was made with terraform.workspace: if not, all workspaces have the same codecs.
  bool of_workspace() const { return of_workspace_; }

 private:
  std::shared_ptr<Codec> state_, plan_, remote_default_;
  std::map<std::string, std::shared_ptr<Codec>, std::less<>> remote_;
  bool of_workspace_ = false;
};

// Of the state that this data source reads, if it does. `e` null: nothing is configured.
std::shared_ptr<Codec> codec_of(const Encryption* e, const AbsInstance& data);
// The name of data.terraform_remote_state.NAME in encryption blocks.
std::string remote_state_name(const AbsInstance& data);

}  // namespace xplan::crypt
