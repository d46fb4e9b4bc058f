// The encryption of a run: of the configuration that was loaded, or of the one in the working directory where
// none is loaded yet.
//
// Who calls it: run.h, before a state is opened; cmd, before a plan file is opened.  Contract: nothing after
// reporting what is wrong with the encryption block; where there is none, all codecs are plain.  Cost: that
// of the block; without one, a look through the files for the word.  Thread-safety: one thread.
#pragma once
#include <optional>

#include "core/crypt/encryption.h"
#include "core/run/inputs.h"

namespace xplan::run {

std::optional<crypt::Encryption> configured_encryption(const Context& c, const config::Module* root,
                                                       const RootValues& variables, Diagnostics& diags);
// Reports the mistakes of the block that can be found without values.
void check_encryption(const Context& c, const config::Module& root, Diagnostics& diags);
// For commands that need no values but these: what else is wrong with the configuration is for others to
// report, unless the block itself cannot be read.
std::optional<crypt::Encryption> module_encryption(const Context& c, const config::Module& root,
                                                   const InputRequest& inputs, Diagnostics& diags);
std::optional<crypt::Encryption> directory_encryption(const Context& c, const InputRequest& inputs,
                                                      Diagnostics& diags);

}  // namespace xplan::run
