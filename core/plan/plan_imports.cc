// Plans import blocks: evaluates their targets and ids (for_each too), and imports each object before its
// instance is planned.
#include "core/plan/plan_imports.h"

#include <fmt/format.h>
#include <algorithm>

#include "core/plan/declared.h"
#include "core/plan/generate_config.h"
#include "core/plan/identity.h"
#include "core/plan/importer.h"
#include "core/plan/objects.h"

namespace xplan::planning {
namespace {

// One repetition of an import block.
class OneImport {
 public:
  OneImport(const PlanRun& run, const config::Import& block, const Repetition& r, Diagnostics& diags)
      : run_(run),
        block_(block),
        scope_(run.world, *run.world.root(), &r),
        diags_(diags),
        errors_before_(diags.error_count()) {}
  // Adds its target, unless the state has its object already.
  void resolve(std::unordered_map<AbsInstance, ImportTarget>& targets);

 private:
  InstanceKey key_of(const syntax::Expr* e, const InstanceKey& literal);
  AbsInstance address();
  const syntax::Expr& given() const { return block_.id ? *block_.id : *block_.identity; }
  bool has_errors() const { return diags_.error_count() != errors_before_; }

  const PlanRun& run_;
  const config::Import& block_;
  const ModuleScope scope_;
  Diagnostics& diags_;
  const size_t errors_before_;
};

InstanceKey OneImport::key_of(const syntax::Expr* e, const InstanceKey& literal) {
  if (!e) return literal;
  const Value k = eval::evaluate(*e, scope_, diags_).unmark_deep();
  if (k.is_string()) return InstanceKey::of(Symbol(k.as_string()));
  if (k.is_number() && k.as_number().exact_int64()) return InstanceKey::of(*k.as_number().exact_int64());
  if (!has_errors())
    diags_.error("Invalid import address",
                 "The instance keys in \"to\" must be known strings or whole numbers.", e->range);
  return InstanceKey();
}

AbsInstance OneImport::address() {
  AbsInstance addr;
  for (size_t m = 0; m < block_.to_static.module_steps.size(); ++m) {
    const auto& [name, key] = block_.to_static.module_steps[m];
    addr.module = addr.module.child(name, key_of(block_.module_keys[m], key));
  }
  addr.resource = *block_.to_static.resource;
  addr.key = key_of(block_.to_key, block_.to_static.key);
  return addr;
}

}  // namespace

bool check_imported(const config::Import& block, const Value& v, bool unknown_allowed, Diagnostics& diags) {
  const struct {
    bool wrong;
    const char* why;
  } rules[] = {
      {v.is_null(), block.id ? "is null; a string is required" : "is null; an object is required"},
      {!v.is_wholly_known() && !unknown_allowed,
       "depends on values that are only known after apply; it must be known when planning. "
       "Use -allow-deferral to defer the import to a later plan"},
      {(v.deep_marks() & kSensitive) != 0, "is sensitive; it is shown in plans, so it cannot be"},
      {(v.deep_marks() & kEphemeral) != 0, "is ephemeral; it is stored in plans, so it cannot be"},
      {v.is_string() && v.as_string().empty(),
       "is empty. Set it to the ID by which the provider identifies the object"},
  };
  for (const auto& rule : rules) {
    if (!rule.wrong) continue;
    const char* what = block.id ? "id" : "identity";
    diags.error(fmt::format("Invalid import {} argument", what),
                fmt::format("The import {} {}.", block.id ? "ID" : "identity", rule.why),
                (block.id ? block.id : block.identity)->range);
    return false;
  }
  return true;
}

namespace {

void OneImport::resolve(std::unordered_map<AbsInstance, ImportTarget>& targets) {
  const AbsInstance addr = address();
  Value value = block_.id ? eval::evaluate_as(given(), Type::string(), scope_, diags_)
                          : eval::evaluate(given(), scope_, diags_);
  if (has_errors()) return;
  const bool good = check_imported(block_, value, run_.world.deferral_allowed, diags_);
  const InstanceState* s = run_.working.find(addr);
  if (s && s->current) return;  // managed already: nothing to import
  ImportTarget target{"", Value(), &block_, good && !value.is_wholly_known(), !good};
  const bool usable = good && !target.unknown_id;
  if (usable && block_.identity)
    target.identity = std::move(value);
  else if (usable)
    target.id = value.as_string();
  if (!targets.emplace(addr, std::move(target)).second)
    diags_.error("Duplicate import configuration",
                 fmt::format("{} is imported by more than one import block.", addr.text()), block_.range);
}

// A list or a tuple repeats an import as well, by index: it makes no instances whose keys must last.
std::optional<Expanded> by_index(const World& world, const syntax::Expr& e) {
  Diagnostics ignored;  // whatever is wrong is found again by those that do not take lists
  const Value v = eval::evaluate(e, ModuleScope(world, *world.root()), ignored);
  const Type t = v.type();
  const bool shown = !v.has_mark(kSensitive) && !v.has_mark(kEphemeral);
  if (ignored.has_errors() || !shown || v.is_null() || v.is_unknown() || !(t.is_tuple() || t.is_list()))
    return std::nullopt;
  Expanded out;
  out.kind = Expansion::ForEach;
  for (const Value& element : v.elements())
    out.instances.push_back({InstanceKey::of(static_cast<int64_t>(out.instances.size())), element});
  return out;
}

}  // namespace

void Imports::connect(PlanRun& run) {
  if (run.destroying() || run.survey) return;
  for (const config::Import& i : run.config.root->module->imports) {
    if (!i.to_static.resource) continue;
    const uint32_t node = run.cg.connect_import(run.config, i);
    if (node != UINT32_MAX) {
      blocks_[node].push_back(&i);
      continue;
    }
    const ConfigResource target{i.to_static.module(), *i.to_static.resource};
    run.diags.error(
        "Configuration for import target does not exist",
        fmt::format("The resource {} is not declared{}. Add a resource block for it{}.",
                    target.resource.text(), target.module.is_root() ? "" : " in " + target.module.text(),
                    can_generate(i) ? ", or generate one by planning with -generate-config-out=FILE"
                    : i.for_each || i.to_static.has_key || i.to_key
                        ? ", with \"count\" or \"for_each\" for its instances"
                        : ""),
        i.to->range);
  }
}

void Imports::resolve(PlanRun& run, uint32_t node, NodeResult& out) const {
  auto it = blocks_.find(node);
  if (it == blocks_.end() || run.refresh_only()) return;
  for (const config::Import* i : it->second) {
    std::optional<Expanded> listed = i->for_each ? by_index(run.world, *i->for_each) : std::nullopt;
    const Expanded each = listed ? std::move(*listed)
                                 : expand(run.world, ModuleScope(run.world, *run.world.root()),
                                          {nullptr, i->for_each, nullptr, i->range}, out.diags);
    if (each.kind == Expansion::Unknown) out.imports_unknown = true;
    for (const Repetition& r : each.instances) OneImport(run, *i, r, out.diags).resolve(out.imports);
  }
}

void refuse_undeclared_imports(PlanRun& run, uint32_t node) {
  NodeResult& out = run.results[node];
  std::vector<const AbsInstance*> missing;
  for (const auto& [addr, target] : out.imports) {
    const ModuleInst* m = run.world.find(addr.module);
    if (!is_uncounted(run, addr) &&
        (!m || !m->resources[run.cg.nodes[node].index].declared.index_of(addr.key)))
      missing.push_back(&addr);
  }
  std::sort(missing.begin(), missing.end(), [](const auto* a, const auto* b) { return less(*a, *b); });
  for (const AbsInstance* a : missing)
    out.diags.error(
        "Configuration for import target does not exist",
        fmt::format("{} is to be imported, but the configuration declares no such instance.", a->text()),
        out.imports.at(*a).block->range);
}

const KnownImport* known_import(const PlanRun& run, const AbsInstance& a, const ImportTarget& t) {
  auto it = run.options.imported.find(a);
  return it != run.options.imported.end() && it->second.id == t.id &&
                 it->second.identity.raw_equal(t.identity)
             ? &it->second
             : nullptr;
}

std::optional<ObjectPtr> import_object(const PlanRun& run, const InstanceJob& j, const ImportTarget& t,
                                       InstanceResult& out) {
  ImportedObject object;
  run.hooks.import_prepare(j.addr, import_target_id(t.id, t.identity));
  if (const KnownImport* known = known_import(run, j.addr, t)) {
    const ObjectId id = object_id(known->object.state);
    run.hooks.refresh_start(j.addr, "", id);
    add_provider_diags(known->said, j.addr, j.resource, out.diags);
    run.hooks.refresh_done(j.addr, id);
    object = known->object;
  } else {
    Importer importer({j.addr, *j.resource->schema, j.provider_addr.provider, *j.provider, t.id, t.identity,
                       Value(), t.block, j.resource},
                      out.diags);
    if (!importer.ask()) {
      if (is_deferred(subject_of(run, j), importer.deferred, out.diags))
        out.deferral = reason_of(importer.deferred);
      return std::nullopt;
    }
    object = std::move(importer.object);
  }
  return make_object(apply_marks(object.state, {}, j.resource->schema->block), *j.resource->schema,
                     object.private_data, run.dependencies.at(j.node), {j.recorded_cbd, !j.resource->destroy},
                     ObjectStatus::Ready, make_identity(object.identity, j.addr.resource.type, *j.provider));
}

}  // namespace xplan::planning
