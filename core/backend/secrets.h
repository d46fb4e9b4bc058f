// Which arguments of a backend are secrets that are recorded, as they were given in its block or to init.
//
// Who calls it: init and plan, which warn of it. Contract: the name of a file that contains a secret does not
// count, nor does an address without a password.  Cost: linear in the settings; a look for each that could
// name a file.  Thread-safety: pure, but for that.
#pragma once
#include <string>

#include "core/backend/settings.h"

namespace xplan::backend {

// "the argument "secret_key" of the backend "s3" is a secret"; empty: none is.
std::string secrets_text(const Settings& s);

}  // namespace xplan::backend
