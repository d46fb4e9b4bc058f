// Gives providers in a state the names that they have for the configuration.
#include "core/run/provider_names.h"

#include <cstdlib>
#include <string_view>
#include <unordered_set>

#include "core/config/dialect.h"

namespace xplan::run {

void translate_providers(const config::Config& config, State& state) {
  constexpr std::string_view kOther = "registry.terraform.io";
  const Symbol here = default_provider(Symbol("x")).host;
  const char* wanted = std::getenv("OPENTOFU_STATEFILE_PROVIDER_ADDRESS_TRANSLATION");
  if (config::dialect() != config::Dialect::OpenTofu || here.sv() == kOther ||
      (wanted && std::string_view(wanted) == "0"))
    return;
  std::unordered_set<std::string> named;
  for (const auto& m : config.modules)
    for (const config::RequiredProvider& r : m->required_providers) named.insert(r.provider.text());
  for (auto& [addr, resource] : state.resources) {
    ProviderAddr& p = resource.provider.provider;
    if (p.host.sv() == kOther && !named.contains(p.text())) p.host = here;
  }
}

}  // namespace xplan::run
