// Bringing an existing object under management: configuration, variables, state, the object, the state with
// it.
#include <fmt/format.h>

#include "core/backend/configured.h"
#include "core/base/clock.h"
#include "core/plan/import_command.h"
#include "core/run/provider_names.h"
#include "core/run/run.h"

namespace xplan::run {
namespace {

// With the state open.
std::optional<Imported> import_into(const Context& c, const ImportRequest& request,
                                    const config::Config& config, PlanOptions& o, OpenState& state,
                                    Diagnostics& diags) {
  o.timestamp = utc_now();
  o.workspace = c.workspace;
  o.sources = &c.sources;
  o.cwd = c.cwd;
  o.encryption = &state.encryption;
  State next = state.state;
  if (!import_object(config, next, request.addr, request.id, o, c.providers, request.progress, diags))
    return {};
  const size_t errors = diags.error_count();
  Imported out{save(c, *state.store, next, diags)};
  if (diags.error_count() != errors && out.unsaved.empty()) return {};
  return out;
}

}  // namespace

std::optional<Imported> import_existing(const Context& c, const ImportRequest& request, FrontEnd& front,
                                        Diagnostics& diags) {
  const auto config = load(c, {.root_dir = request.root_dir}, diags);
  const Resource& r = request.addr.resource;
  if (!diags.has_errors())
    require_files(c, *config,
                  fmt::format("An object can only be imported for a resource that is declared. Create its "
                              "configuration first, for example:\n\n  resource \"{}\" \"{}\" {{\n    # "
                              "(resource arguments)\n  }}",
                              r.type.sv(), r.name.sv()),
                  diags);
  if (diags.has_errors()) return {};
  PlanOptions o;
  Inputs inputs = read_inputs(c, *config->root->module, request.inputs, front, diags);
  o.variables = std::move(inputs.values), o.given_variables = std::move(inputs.given);
  if (diags.has_errors()) return {};
  std::optional<crypt::Encryption> encryption =
      configured_encryption(c, config->root->module, o.variables, diags);
  if (!encryption) return {};
  OpenState state;
  state.encryption = std::move(*encryption);
  const auto [settings, backend] = backend::configured(config.get(), opening_of(c, state.encryption), diags);
  if (!backend || !open_state(c, request.state, *backend, "import", front, state, diags)) return {};
  translate_providers(*config, state.state);
  const std::optional<Imported> done = import_into(c, request, *config, o, state, diags);
  unlock_state(*state.store, front, diags);
  return done;
}

}  // namespace xplan::run
