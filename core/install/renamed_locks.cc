// Gives selections of Terraform's registry to the providers that take their place.
#include "core/install/renamed_locks.h"

#include "core/config/dialect.h"

namespace xplan::install {

void take_over_selections(LockFile& lock, const Requirements& needed, Diagnostics& diags) {
  const Symbol theirs("registry.terraform.io"), here = default_provider(Symbol("x")).host;
  if (config::dialect() != config::Dialect::OpenTofu || here == theirs) return;
  std::string list;
  for (const auto& [name, r] : needed) {
    const ProviderAddr& p = r.provider;
    if (p.host != here || p.ns.sv() != "hashicorp" || lock.find(p)) continue;
    const LockEntry* other = lock.find({theirs, p.ns, p.type});
    if (!other) continue;
    LockEntry taken{p, other->version, other->constraints, {}};
    list += "\n  - " + other->provider.text() + ": now " + name + ", version " + taken.version.text();
    lock.entries.emplace(name, std::move(taken));
  }
  if (list.empty()) return;
  diags.warn("Providers in the dependency lock file have new names",
             "The default registry is " + std::string(here.sv()) +
                 ", but the dependency lock file selects these providers by their names in "
                 "registry.terraform.io:" +
                 list +
                 "\n\nThe versions stay selected. The checksums do not, because the packages of the two "
                 "registries differ.");
}

}  // namespace xplan::install
