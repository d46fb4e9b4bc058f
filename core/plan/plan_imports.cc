// Plans import blocks: evaluates their targets and ids (for_each too), and imports each object before its
// instance is planned.
#include <fmt/format.h>
#include <algorithm>

#include "core/plan/imported.h"
#include "core/plan/planner_impl.h"

namespace xplan::planning {
namespace {

ConfigResource target_of(const config::EndPoint& e) {
  Module m;
  for (const auto& [name, key] : e.module_steps) m = m.child(name);
  return {m, *e.resource};
}

}  // namespace

void Planner::connect_imports() {
  if (options.mode == PlanMode::Destroy || survey) return;
  for (const config::Import& i : config.root->module->imports) {
    if (!i.to_static.resource) continue;
    ConfigResource target = target_of(i.to_static);
    const config::Node* n = config.find(target.module);
    int index = n ? n->module->find_resource(target.resource) : -1;
    if (index < 0) {
      diags.error(
          "Configuration for import target does not exist",
          fmt::format("The resource {} is not declared{}. Add a resource block for it, or generate one by "
                      "planning with -generate-config-out=FILE.",
                      target.resource.text(), target.module.is_root() ? "" : " in " + target.module.text()),
          i.to->range);
      continue;
    }
    uint32_t node = cg.node_of(NodeKind::Resource, n, static_cast<uint32_t>(index));
    imports_of[node].push_back(&i);
    std::vector<const syntax::Expr*> used{i.id, i.identity, i.for_each, i.to_key};
    used.insert(used.end(), i.module_keys.begin(), i.module_keys.end());
    for (const syntax::Expr* e : used) cg.connect(node, config.root.get(), e);
  }
}

void Planner::resolve_imports(uint32_t node, NodeResult& out) {
  auto it = imports_of.find(node);
  if (it == imports_of.end() || options.mode == PlanMode::RefreshOnly) return;
  for (const config::Import* i : it->second) {
    Expanded each = expand(world, ModuleScope(world, *world.root()), nullptr, i->for_each, out.diags);
    if (each.kind == Expansion::Unknown) out.imports_unknown = true;
    for (const Repetition& r : each.instances) {
      ModuleScope scope(world, *world.root(), &r);
      AbsInstance addr;
      size_t before = out.diags.error_count();
      auto key_of = [&](const syntax::Expr* e, const InstanceKey& literal) {
        if (!e) return literal;
        Value k = eval::evaluate(*e, scope, out.diags).unmark_deep();
        if (k.is_string()) return InstanceKey::of(Symbol(k.as_string()));
        if (k.is_number() && k.as_number().exact_int64())
          return InstanceKey::of(*k.as_number().exact_int64());
        if (out.diags.error_count() == before)
          out.diags.error("Invalid import address",
                          "The instance keys in \"to\" must be known strings or whole numbers.", e->range);
        return InstanceKey();
      };
      for (size_t m = 0; m < i->to_static.module_steps.size(); ++m) {
        const auto& [name, key] = i->to_static.module_steps[m];
        addr.module = addr.module.child(name, key_of(i->module_keys[m], key));
      }
      addr.resource = *i->to_static.resource;
      addr.key = key_of(i->to_key, i->to_static.key);
      const syntax::Expr& given = i->id ? *i->id : *i->identity;
      const char* what = i->id ? "id" : "identity";
      Value value = i->id ? eval::evaluate_as(given, Type::string(), scope, out.diags)
                          : eval::evaluate(given, scope, out.diags);
      if (out.diags.error_count() != before) continue;
      auto bad = [&](std::string_view why) {
        out.diags.error(fmt::format("Invalid import {} argument", what),
                        fmt::format("The import {} {}.", what, why), given.range);
      };
      if (value.is_null()) {
        bad(i->id ? "is null; a string is required" : "is null; an object is required");
        continue;
      }
      if (!value.is_wholly_known() && !world.deferral_allowed) {
        bad("depends on values that are only known after apply; it must be known when planning");
        continue;
      }
      if (value.deep_marks() & kSensitive) {
        bad("is sensitive; it is shown in plans, so it cannot be");
        continue;
      }
      if (value.deep_marks() & kEphemeral) {
        bad("is ephemeral; it is stored in plans, so it cannot be");
        continue;
      }
      if (value.is_string() && value.as_string().empty()) {
        bad("is an empty string");
        continue;
      }
      if (working.find(addr) && working.find(addr)->current) continue;  // managed already: nothing to import
      ImportTarget target{"", Value(), i, !value.is_wholly_known()};
      if (i->identity && !target.unknown_id)
        target.identity = std::move(value);
      else if (!target.unknown_id)
        target.id = value.as_string();
      if (!out.imports.emplace(addr, std::move(target)).second)
        out.diags.error("Duplicate import configuration",
                        fmt::format("{} is imported by more than one import block.", addr.text()), i->range);
    }
  }
}

void Planner::refuse_undeclared_imports(uint32_t node) {
  NodeResult& out = results[node];
  std::vector<const AbsInstance*> missing;
  for (const auto& [addr, target] : out.imports) {
    const ModuleInst* m = world.find(addr.module);
    if (!uncounted(addr) && (!m || !m->resources[cg.nodes[node].index].declared.index_of(addr.key)))
      missing.push_back(&addr);
  }
  std::sort(missing.begin(), missing.end(), [](const auto* a, const auto* b) { return less(*a, *b); });
  for (const AbsInstance* a : missing)
    out.diags.error(
        "Configuration for import target does not exist",
        fmt::format("{} is to be imported, but the configuration declares no such instance.", a->text()),
        out.imports.at(*a).block->range);
}

const KnownImport* Planner::known_import(const AbsInstance& a, const ImportTarget& t) const {
  auto it = options.imported.find(a);
  return it != options.imported.end() && it->second.id == t.id && it->second.identity.raw_equal(t.identity)
             ? &it->second
             : nullptr;
}

std::optional<ObjectPtr> Planner::import_object(const InstanceJob& j, const ImportTarget& t,
                                                InstanceResult& out) {
  ImportedObject object;
  hooks.import_prepare(j.addr, import_target_id(t.id, t.identity));
  if (const KnownImport* known = known_import(j.addr, t)) {
    const ObjectId id = object_id(known->object.state);
    hooks.refresh_start(j.addr, "", id);
    add_provider_diags(known->said, j.addr, j.resource, out.diags);
    hooks.refresh_done(j.addr, id);
    object = known->object;
  } else {
    Importer importer({j.addr, *j.resource->schema, j.provider_addr.provider, *j.provider, t.id, t.identity,
                       Value(), t.block, j.resource},
                      out.diags);
    if (!importer.ask()) {
      defer(importer.deferred, j, out.diags);
      return std::nullopt;
    }
    object = std::move(importer.object);
  }
  return make_object(apply_marks(object.state, {}, j.resource->schema->block), *j.resource->schema,
                     object.private_data, dependencies.at(j.node), j.forced_cbd, ObjectStatus::Ready,
                     make_identity(object.identity, j.addr.resource.type, *j.provider));
}

}  // namespace xplan::planning
