// The import command: evaluates the configuration, imports and reads one object through its provider, and
// puts it into the state.
#include "core/plan/import_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/command_line.h"
#include "core/plan/importer.h"
#include "core/plan/node_visit.h"
#include "core/plan/objects.h"
#include "core/plan/provider_choice.h"

namespace xplan {
namespace {

bool is_declared(World& w, const AbsInstance& addr, const config::Resource& r, Diagnostics& diags) {
  const ModuleInst* m = w.find(addr.module);
  if (m) {
    Expanded e = expand(w, ModuleScope(w, *m), r.repetition(), diags);
    for (const Repetition& rep : e.instances)
      if (rep.key == addr.key) return true;
    if (e.kind == Expansion::Unknown) {
      diags.error("Unknown instances",
                  fmt::format("Which instances {} has depends on values that are not known yet, so {} cannot "
                              "be imported now.",
                              r.addr.text(), addr.text()),
                  r.range);
      return false;
    }
  }
  diags.error("Configuration for import target does not exist",
              fmt::format("The configuration declares no instance {}. Its block, with a matching \"count\" "
                          "or \"for_each\", must exist before an object can be imported.",
                          addr.text()),
              r.range);
  return false;
}

// `node`: null where there is no such module.
void report_undeclared(const config::Node* node, const AbsInstance& addr, Diagnostics& diags) {
  const std::string module = addr.module.is_root() ? "the root module" : addr.module.module().text();
  std::vector<std::string> there;
  if (node)
    for (const config::Resource& r : node->module->resources) there.push_back(r.addr.text());
  const std::string_view near = did_you_mean(addr.resource.text(), {there.begin(), there.end()});
  diags.error(
      "Configuration for import target does not exist",
      node && !near.empty() ? fmt::format("The resource {} is not declared in {}. Did you mean {}?",
                                          addr.resource.text(), module, near)
      : node ? fmt::format("The resource {} is not declared in {}. Before importing, create its "
                           "configuration there, for example:\n\n  resource \"{}\" \"{}\" {{\n    # "
                           "(resource arguments)\n  }}",
                           addr.resource.text(), module, addr.resource.type.sv(), addr.resource.name.sv())
             : fmt::format("The configuration has no {}. Before importing into it, add the module call "
                           "to the configuration.",
                           module));
}

}  // namespace

bool import_object(const config::Config& config, State& state, const AbsInstance& addr, const std::string& id,
                   const PlanOptions& options, ProviderFactory& providers,
                   const std::function<void(const Value* found)>& progress, Diagnostics& diags) {
  const config::Node* node = config.find(addr.module.module());
  int index = node ? node->module->find_resource(addr.resource) : -1;
  if (index < 0) return report_undeclared(node, addr, diags), false;
  const config::Resource& r = node->module->resources[static_cast<size_t>(index)];
  if (!r.schema) return false;  // reported while loading
  if (const InstanceState* i = state.find(addr); i && i->current) {
    diags.error("Resource already managed", fmt::format("The state already has an object for {}. To import "
                                                        "another one, remove it with {} first.",
                                                        addr.text(), own_command("state rm")));
    return false;
  }
  size_t before = diags.error_count();
  auto world = evaluate_world(config, state, options, providers, diags);
  if (diags.error_count() != before || !is_declared(*world, addr, r, diags)) return false;
  const ModuleInst& m = *world->find(addr.module);
  Repetition repetition{addr.key, {}};
  for (const Repetition& x : expand(*world, ModuleScope(*world, m), r.repetition(), diags).instances)
    if (x.key == addr.key) repetition = x;
  const auto chosen = chosen_provider(*world, m, static_cast<uint32_t>(index), &repetition, diags);
  if (!chosen) return false;
  const ProviderConfigAddr& paddr = *chosen;
  ConfigGraph cg;
  cg.build(config, nullptr);
  auto p = cg.provider_by_addr.find(paddr);
  auto provider = p == cg.provider_by_addr.end()
                      ? nullptr
                      : start_provider(*world, cg.providers[p->second], providers, diags);
  if (!provider) return false;
  progress(nullptr);
  Value meta = provider_meta(*world, world->find(addr.module), paddr.provider, *provider, diags);
  Importer importer({addr, *r.schema, paddr.provider, *provider, id, Value(), std::move(meta), nullptr, &r},
                    diags);
  bool found = importer.ask();
  if (found) {
    Value told = apply_marks(importer.object.state, {}, r.schema->block);
    progress(&told);
  }
  if (!found || !importer.read()) {
    if (importer.deferred != Deferral::None)
      diags.error(
          "Provider deferred changes",
          fmt::format(
              "Provider \"{}\" deferred the import of {} to a later run, so nothing can be imported now.",
              paddr.provider.text(), addr.text()),
          r.range);
    return false;
  }
  const ImportedObject& object = importer.object;
  state.ensure(addr, paddr).current =
      make_object(apply_marks(object.state, {}, r.schema->block), *r.schema, object.private_data, nullptr,
                  {r.create_before_destroy, !r.destroy}, ObjectStatus::Ready,
                  make_identity(object.identity, addr.resource.type, *provider));
  return true;
}

}  // namespace xplan
