// Which providers a configuration and a state need, and in which versions.
//
// Who calls it: installation; the check before providers are started; `providers`.
// Rules: constraints of all modules apply together. They are shown in one order (by version, then operator)
// without repetitions, because that text is compared and kept in the dependency lock file. A pre-release is
// chosen only by a constraint that names exactly it. Cost: linear in the modules.
// Thread-safety: pure functions.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "core/config/config.h"
#include "core/config/version.h"
#include "core/state/state.h"

namespace xplan::install {

struct Requirement {
  ProviderAddr provider;
  VersionConstraints constraints;
};
using Requirements = std::map<std::string, Requirement>;  // by ProviderAddr::text()

// Sorted, without repetitions.
VersionConstraints normalized(VersionConstraints c);
bool allowed(const VersionConstraints& c, const Version& v);

// One module, without the modules that it calls. Built-in providers are left out unless `builtin`.
Requirements module_requirements(const config::Module& m, bool builtin = false);
void merge(Requirements& into, Requirements&& from);
Requirements requirements(const config::Config& c, const State* state);

}  // namespace xplan::install
