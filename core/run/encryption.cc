// Makes the encryption of a run, and reads no more of the working directory for it than it must.
#include "core/run/encryption.h"

#include "core/base/command_line.h"
#include "core/base/text.h"
#include "core/config/module_files.h"

namespace xplan::run {
namespace {

// What cannot be read may have an encryption block: it must not be taken for one that has none.
bool may_have_encryption(const Fs& files) {
  const Result<std::vector<std::string>> names = files.list(".");
  if (!names) return true;
  const config::DirectoryFiles found = config::classify(*names);
  for (const auto* list : {&found.primary, &found.overrides})
    for (const std::string& name : *list)
      if (Result<std::string> text = files.read(name); !text || text->find("encryption") != std::string::npos)
        return true;
  return false;
}

bool is_set(const std::optional<std::string>& tf_encryption) {
  return tf_encryption && !trimmed(*tf_encryption).empty();
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
  return crypt::Encryption::make(root, variables, e, c.sources, diags);
}

void check_encryption(const Context& c, const config::Module& root, Diagnostics& diags) {
  if (!root.encryption) return;
  crypt::Environment e;
  e.tf_encryption = c.encryption;
  e.cwd = c.cwd;
  e.workspace = c.workspace;
  e.validating = true;
  (void)crypt::Encryption::make(&root, {}, e, c.sources, diags);
}

std::optional<crypt::Encryption> module_encryption(const Context& c, const config::Module& root,
                                                   const InputRequest& inputs, Diagnostics& diags) {
  const bool incomplete = root.syntax_errors || !c.files.list(".");
  if (incomplete && may_have_encryption(c.files)) {
    diags.error("Encryption block cannot be read",
                "The configuration may have an encryption block, but it has syntax errors or files that "
                "cannot be read. Without that block, an encrypted state could not be read, and a new one "
                "would be written as plain text. Correct the errors that " +
                    own_command("validate") + " reports.");
    return std::nullopt;
  }
  RootValues variables;
  if (is_set(c.encryption) || root.encryption) {
    Diagnostics others_report;
    const config::InputValues given = given_inputs(c, root, inputs, others_report);
    variables = config::finalize_inputs(root, given, others_report);
  }
  return configured_encryption(c, &root, variables, diags);
}

std::optional<crypt::Encryption> directory_encryption(const Context& c, const InputRequest& inputs,
                                                      Diagnostics& diags) {
  if (!is_set(c.encryption) && !may_have_encryption(c.files)) return crypt::Encryption();
  return module_encryption(c, *root_module(c), inputs, diags);
}

}  // namespace xplan::run
