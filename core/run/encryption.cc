// Makes the encryption of a run, and reads no more of the working directory for it than it must.
#include "core/run/encryption.h"

#include "core/config/module_files.h"

namespace xplan::run {
namespace {

bool mentions_encryption(const Fs& files) {
  const Result<std::vector<std::string>> names = files.list(".");
  if (!names) return false;
  const config::DirectoryFiles found = config::classify(*names);
  for (const auto* list : {&found.primary, &found.overrides})
    for (const std::string& name : *list)
      if (Result<std::string> text = files.read(name); text && text->find("encryption") != std::string::npos)
        return true;
  return false;
}

// Nobody is to believe that a state is encrypted.
void refuse_states(Diagnostics& diags) {
  diags.error("Encryption of states is not supported yet",
              "The encryption block has a method for the state, but states would be written as plain text. "
              "Remove the block \"state\" from the encryption block, or use the method unencrypted there. "
              "Plan files can be encrypted.");
}

// Of the working directory. What is wrong with it is for others to report.
std::unique_ptr<config::Module> root_module(const Context& c) {
  Diagnostics others_report;
  std::vector<config::LayeredBody> layered;
  return config::read_module(c.files, c.sources, ".", layered, others_report);
}

}  // namespace

std::optional<crypt::Encryption> configured_encryption(const Context& c, const config::Module* root,
                                                       const RootValues& variables, Diagnostics& diags) {
  crypt::Environment e;
  e.tf_encryption = c.encryption;
  e.cwd = c.cwd;
  e.workspace = c.workspace;
  e.stop = c.stop;
  std::optional<crypt::Encryption> out = crypt::Encryption::make(root, variables, e, c.sources, diags);
  if (!out || !out->state()->encrypts()) return out;
  refuse_states(diags);
  return std::nullopt;
}

bool states_are_plain(const Context& c, Diagnostics& diags) {
  const bool block = mentions_encryption(c.files);
  if (!block && !c.encryption) return true;
  const std::unique_ptr<config::Module> root = block ? root_module(c) : nullptr;
  if (!crypt::encrypts_states(root.get(), c.encryption, c.sources)) return true;
  return refuse_states(diags), false;
}

std::optional<crypt::Encryption> directory_encryption(const Context& c, const InputRequest& inputs,
                                                      Diagnostics& diags) {
  std::unique_ptr<config::Module> root;
  RootValues variables;
  if (mentions_encryption(c.files)) {
    Diagnostics others_report;
    root = root_module(c);
    const config::InputValues given = given_inputs(c, *root, inputs, others_report);
    variables = config::finalize_inputs(*root, given, others_report);
  }
  return configured_encryption(c, root.get(), variables, diags);
}

}  // namespace xplan::run
