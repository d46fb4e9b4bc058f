// Destroying and forgetting objects.
#include <fmt/format.h>
#include <chrono>

#include "core/apply/applier.h"
#include "core/plan/contract.h"
#include "core/plan/objects.h"

namespace xplan::applying {

void Applier::run_destroy(const Destroy& d, Piece& p) {
  const ResourceChange& c = *d.changes[p.index];
  if (c.change.action == Action::CreateThenDelete && has_failed(c.addr))
    return;  // the old object is still needed
  destroy_one(c, p.out);
}

void Applier::end_destroy(const Destroy& d, NodeResult& out) {
  for (Piece& p : out.pieces) {
    const ResourceChange& c = *d.changes[p.index];
    if (!p.out.reached)
      p.out.diags.error("execution halted",
                        fmt::format("The run was interrupted before {} was destroyed.", c.addr.text()));
    out.diags.append(std::move(p.out.diags));
    out.destroyed += p.out.destroyed, out.forgotten += p.out.forgotten;
  }
  std::vector<Piece>().swap(out.pieces);
}

void Applier::destroy_one(const ResourceChange& c, InstanceResult& out) {
  InstanceState* instance = state.find(c.addr);
  if (!instance) return;
  std::string deposed = c.deposed;
  if (c.change.action == Action::CreateThenDelete) {
    std::lock_guard guard(lock);
    auto it = deposed_keys.find(c.addr);
    if (it == deposed_keys.end()) return;
    deposed = it->second;
  }
  ObjectPtr object = deposed.empty()                       ? instance->current
                     : instance->deposed.contains(deposed) ? instance->deposed.at(deposed)
                                                           : nullptr;
  if (!object) return;
  auto forget = [&] {
    if (deposed.empty())
      instance->current = nullptr;
    else
      instance->deposed.erase(deposed);
  };
  JournalRecord intent;
  intent.kind = JournalRecord::Kind::Intent, intent.addr = c.addr, intent.deposed = deposed,
  intent.action = "delete", intent.provider = c.provider;
  JournalRecord gone = intent;
  gone.kind = JournalRecord::Kind::Remove;
  if (c.change.action == Action::Forget) {
    if (record(out, gone))
      forget(), ++out.forgotten;
    else
      fail(c.addr, c.deposed);
    return;
  }
  Provider* provider = provider_for(c.provider);
  if (!provider || !c.schema) return fail(c.addr, c.deposed);
  const schema::Block& block = c.schema->block;
  const Value* value = &c.change.before;

  auto start = std::chrono::steady_clock::now();
  auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  hooks.apply_start(c.addr, deposed, Action::Delete, object_id(*value));
  // Provisioners of destroy time run for current objects only.
  const config::Resource* r = config.find(c.addr.config());
  const std::vector<config::Provisioner>* provisioners = r ? &r->provisioners : nullptr;
  const std::optional<syntax::Rest>* connection = r ? &r->connection : nullptr;
  const config::Node* scope_node = r ? config.find(c.addr.module.module()) : nullptr;
  const RemovedBlocks::Place* place = r ? nullptr : removed.find(c.addr.config());
  if (place)
    provisioners = &place->block->provisioners, connection = &place->block->connection,
    scope_node = place->node;
  if (deposed.empty() && provisioners && scope_node) {
    ModuleInst stand_in;  // such provisioners see only self, count.index and each.key
    stand_in.node = scope_node;
    stand_in.addr = c.addr.module;
    Repetition rep{c.addr.key, Value::unknown()};
    if (!provision(*provisioners, true, c.addr, ModuleScope(world, stand_in, &rep, &*value), *connection,
                   out)) {
      hooks.apply_failed(c.addr, deposed, Action::Delete, seconds());
      return fail(c.addr, c.deposed);
    }
  }
  if (!record(out, intent)) return fail(c.addr, c.deposed);
  Value nothing = Value::null(block.implied_type()), bare = value->unmark_deep(), meta;
  if (r) {  // only constants can stand there, so no instance of the module is needed
    ModuleInst stand_in;
    stand_in.node = scope_node;
    meta = provider_meta(world, &stand_in, c.provider.provider, *provider, out.diags);
  }
  std::string private_data = c.private_data;
  size_t before = out.diags.error_count();
  if (!deposed.empty() &&
      provider->plans_destroy()) {  // it was planned as a part of something else, if at all
    PlanResponse plan = provider->plan(
        {c.addr.resource.type, bare, nothing, nothing, object->private_data, meta, c.change.before_identity});
    add_provider_diags(plan.diags, c.addr, r, out.diags);
    if (out.diags.error_count() != before) {
      hooks.apply_failed(c.addr, deposed, Action::Delete, seconds());
      return fail(c.addr, c.deposed);
    }
    private_data = std::move(plan.planned_private);
  }
  ApplyResponse response = provider->apply(
      {c.addr.resource.type, bare, nothing, nothing, std::move(private_data), std::move(meta), {}});
  add_provider_diags(response.diags, c.addr, r, out.diags);
  bool ok = out.diags.error_count() == before;
  if (!response.new_state.is_null()) {
    if (ok)
      add_violations("Provider produced inconsistent result after apply", "when it destroyed",
                     c.provider.provider, c.addr, {{{}, "the object was to be absent, but is present"}},
                     out.diags);
    ok = false;
    if (check_conforms(block, response.new_state).empty() && response.new_state.is_wholly_known()) {
      ObjectPtr left = make_object(apply_marks(response.new_state, marked_paths(*value), block), *c.schema,
                                   response.private_data, object->dependencies, object->create_before_destroy,
                                   object->status, object->identity);
      if (deposed.empty())
        instance->current = left;
      else
        instance->deposed[deposed] = left;
      JournalRecord kept = intent;
      kept.kind = JournalRecord::Kind::Result, kept.object = left;
      (void)record(out, kept);
    }
  } else if (!ok) {
    JournalRecord kept = intent;  // with an error, "nothing" says nothing: the object counts as it was
    kept.kind = JournalRecord::Kind::Result, kept.object = object;
    (void)record(out, kept);
  }
  if (!ok) {
    hooks.apply_failed(c.addr, deposed, Action::Delete, seconds());
    return fail(c.addr, c.deposed);
  }
  if (!record(out, gone)) fail(c.addr, c.deposed);
  forget();
  hooks.apply_done(c.addr, deposed, Action::Delete, object_id(*value), seconds());
  ++out.destroyed;
}

}  // namespace xplan::applying
