#include "core/plan/import_object.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/plan/contract.h"
#include "core/plan/identity.h"
#include "core/plan/node_visit.h"
#include "core/plan/objects.h"

namespace xplan {
namespace {

bool is_declared(const World& w, const AbsInstance& addr, const config::Resource& r, Diagnostics& diags) {
  const ModuleInst* m = w.find(addr.module);
  if (m) {
    Expanded e = expand(w, ModuleScope(w, *m), r.count, r.for_each, diags);
    for (const Repetition& rep : e.instances)
      if (rep.key == addr.key) return true;
    if (e.kind == Expansion::Unknown) {
      diags.error("Instances are not known yet",
                  fmt::format("Which instances {} has depends on values that are not known yet, so {} cannot "
                              "be imported now.",
                              r.addr.text(), addr.text()),
                  r.range);
      return false;
    }
  }
  diags.error("Configuration for import target does not exist",
              fmt::format("The configuration declares no instance {}. Its block, with the right \"count\" or "
                          "\"for_each\", must be there before an object can be imported.",
                          addr.text()),
              r.range);
  return false;
}

}  // namespace

bool import_object(const config::Config& config, State& state, const AbsInstance& addr, const std::string& id,
                   const PlanOptions& options, ProviderFactory& providers,
                   const std::function<void(bool found)>& progress, Diagnostics& diags) {
  const config::Node* node = config.find(addr.module.module());
  int index = node ? node->module->find_resource(addr.resource) : -1;
  if (index < 0) {
    diags.error(
        "Configuration for import target does not exist",
        fmt::format(
            "The resource {} is not declared{}. Write its block first: resource \"{}\" \"{}\" {{ … }}.",
            addr.resource.text(), addr.module.is_root() ? "" : " in " + addr.module.module().text(),
            addr.resource.type.sv(), addr.resource.name.sv()));
    return false;
  }
  const config::Resource& r = node->module->resources[static_cast<size_t>(index)];
  if (!r.schema) return false;  // reported while loading
  if (const InstanceState* i = state.find(addr); i && i->current) {
    diags.error("Resource already managed", fmt::format("The state has an object for {} already. To import "
                                                        "another one, take it out with \"state rm\" first.",
                                                        addr.text()));
    return false;
  }
  size_t before = diags.error_count();
  auto world = evaluate_world(config, state, options, providers, diags);
  if (diags.error_count() != before || !is_declared(*world, addr, r, diags)) return false;
  const ProviderConfigAddr& paddr = node->resource_providers[static_cast<size_t>(index)];
  ConfigGraph cg;
  cg.build(config, nullptr);
  auto p = cg.provider_by_addr.find(paddr);
  auto provider = p == cg.provider_by_addr.end()
                      ? nullptr
                      : start_provider(*world, cg.providers[p->second], providers, diags);
  if (!provider) return false;
  progress(false);
  ImportResponse found = provider->import({addr.resource.type, id, {}});
  add_provider_diags(found.diags, addr, &r, diags);
  if (diags.error_count() != before) return false;
  if (found.objects.size() != 1 || !(found.objects[0].type == addr.resource.type) ||
      found.objects[0].state.is_null()) {
    diags.error(
        "Import returned no usable object",
        fmt::format(
            "For the id \"{}\" the provider returned {} objects; exactly one of type {} was expected.", id,
            found.objects.size(), addr.resource.type.sv()));
    return false;
  }
  if (Violations v = check_conforms(r.schema->block, found.objects[0].state); !v.empty()) {
    add_violations("Provider produced invalid object", "when it imported", paddr.provider, addr, v, diags);
    return false;
  }
  progress(true);
  ReadResponse read = provider->read({addr.resource.type,
                                      found.objects[0].state,
                                      found.objects[0].private_data,
                                      {},
                                      found.objects[0].identity});
  add_provider_diags(read.diags, addr, &r, diags);
  if (diags.error_count() != before) return false;
  if (read.new_state.is_null()) {
    diags.error("Cannot import an object that does not exist",
                fmt::format("The provider found nothing when it read the object with the id \"{}\" for {}. "
                            "The id must be that of an existing object.",
                            id, addr.text()));
    return false;
  }
  if (!settle_identity(found.objects[0].identity, Value(), false, "when it imported the object", addr,
                       diags) ||
      !settle_identity(read.new_identity, found.objects[0].identity, false, "when it read the object", addr,
                       diags))
    return false;
  Violations v = check_conforms(r.schema->block, read.new_state);
  for (Path& p : unknown_paths(read.new_state)) v.emplace_back(std::move(p), "the value is unknown");
  if (!v.empty()) {
    add_violations("Provider produced invalid object", "when it read", paddr.provider, addr, v, diags);
    return false;
  }
  state.ensure(addr, paddr).current =
      make_object(apply_marks(read.new_state, {}, r.schema->block), *r.schema, read.private_data, nullptr,
                  r.create_before_destroy, ObjectStatus::Ready,
                  make_identity(read.new_identity, addr.resource.type, *provider));
  return true;
}

}  // namespace xplan
