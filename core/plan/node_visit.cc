// Visits of the nodes that all walks treat alike (module calls, named values, checks), starting and
// configuring providers, and provider_meta.
#include "core/plan/node_visit.h"

#include <fmt/format.h>

#include "core/base/command_line.h"
#include "core/plan/secrets.h"
#include "core/plan/stopper.h"
#include "core/schema/decode.h"
#include "core/schema/object_of.h"

namespace xplan {

bool describe_check(const GraphNode& g, CheckResult& out) {
  if (!g.node) return false;
  const config::Module& m = *g.node->module;
  out.module = g.node->path;
  std::string prefix = g.node->path.is_root() ? "" : g.node->path.text() + ".";
  auto named = [&](CheckKind k, std::string_view kind, Symbol name) {
    out.kind = k, out.name = name;
    out.config_addr = prefix + std::string(kind) + std::string(name.sv());
    return true;
  };
  switch (g.kind) {
    case NodeKind::Resource: {
      const config::Resource& r = m.resources[g.index];
      if (r.preconditions.empty() && r.postconditions.empty()) return false;
      out.kind = CheckKind::Resource;
      out.resource = {g.node->path, r.addr};
      out.config_addr = out.resource.text();
      return true;
    }
    case NodeKind::Output:
      return !m.outputs[g.index].preconditions.empty() &&
             named(CheckKind::Output, "output.", m.outputs[g.index].name);
    case NodeKind::Check:
      return named(CheckKind::Check, "check.", m.checks[g.index].name);
    case NodeKind::VariableCheck:
      return !m.variables[g.index].validations.empty() &&
             named(CheckKind::Variable, "var.", m.variables[g.index].name);
    case NodeKind::Expand:
    case NodeKind::Barrier:
    case NodeKind::Variable:
    case NodeKind::Local:
    case NodeKind::ModuleDone:
    case NodeKind::Provider:
    case NodeKind::Extra:
      return false;
  }
  return false;
}

namespace {

// `parent`: an instance of the calling module.
Expanded instances_of_call(World& w, const GraphNode& g, const ModuleInst& parent, Diagnostics& diags) {
  const config::ModuleCall& call = *g.node->call;
  const bool deferred = (parent.addr.partial() && (call.count || call.for_each)) ||
                        (!w.deferred_calls.empty() &&
                         w.deferred_calls.contains(parent.addr.child(call.name, InstanceKey::unknown())));
  if (deferred || w.overfull()) return {Expansion::Unknown, {}};
  return expand(w, ModuleScope(w, parent), call.repetition(), diags);
}

}  // namespace

void visit_named(World& w, const GraphNode& g, const RootValues& root, Conditions conditions,
                 NamedResult& out, const std::function<bool(const ModuleInst&)>& leaves_out) {
  bool evaluated = conditions != Conditions::Ignored;
  // What stands for any number of module instances is not an object that could be listed.
  CheckResult unlisted;
  auto check_of = [&](const ModuleInst* m) -> CheckResult& {
    if (!m->addr.partial()) return out.check;
    out.check.expanded = false;
    return unlisted;
  };
  // An interrupt ends it between two module instances.
  auto each = [&](const std::vector<ModuleInst*>& modules, auto visit) {
    for (size_t i = 0; i < modules.size(); ++i) {
      if (i && w.stopping()) return w.report_stopped(*g.node, out.diags);
      if (!leaves_out || !leaves_out(*modules[i])) visit(modules[i]);
    }
  };
  switch (g.kind) {
    case NodeKind::Expand:
      if (g.node->parent) {
        // All are counted before any is made: an instance takes a hundred times the memory of its key.
        const auto call = static_cast<uint32_t>(g.node->call - g.node->parent->module->calls.data());
        std::vector<std::pair<ModuleInst*, Expanded>> all;
        each(w.of(g.node->parent), [&](ModuleInst* parent) {
          all.emplace_back(parent, instances_of_call(w, g, *parent, out.diags));
        });
        for (auto& [parent, instances] : all) {
          if (w.overfull()) instances = {Expansion::Unknown, {}};
          if (!w.expand_call(*parent, call, std::move(instances))) {
            w.report_stopped(*g.node, out.diags);
            break;
          }
        }
      }
      break;
    case NodeKind::Variable:
      each(w.of(g.node), [&](ModuleInst* m) {
        m->variables[g.index] = evaluate_variable(w, *m, g.index, root, out.diags);
      });
      break;
    case NodeKind::VariableCheck:
      if (!evaluated || !(out.has_check = describe_check(g, out.check))) break;
      each(w.of(g.node), [&](ModuleInst* m) { validate_variable(w, *m, g.index, check_of(m), out.diags); });
      break;
    case NodeKind::Local:
      each(w.of(g.node),
           [&](ModuleInst* m) { m->locals[g.index] = evaluate_local(w, *m, g.index, out.diags); });
      break;
    case NodeKind::Output:
      out.has_check = evaluated && describe_check(g, out.check);
      each(w.of(g.node), [&](ModuleInst* m) {
        evaluate_output(w, *m, g.index, conditions, check_of(m), m->outputs[g.index], out.diags);
      });
      break;
    case NodeKind::Check:
      if (!evaluated || !(out.has_check = describe_check(g, out.check))) break;
      each(w.of(g.node),
           [&](ModuleInst* m) { evaluate_check(w, *m, g.index, conditions, check_of(m), out.diags); });
      break;
    case NodeKind::Resource:
    case NodeKind::Provider:
    case NodeKind::Barrier:
    case NodeKind::ModuleDone:
    case NodeKind::Extra:
      break;
  }
}

bool require_configuration(const ProviderNode& p, Diagnostics& diags) {
  if (!p.missing()) return true;
  diags.error(
      "Provider configuration not present",
      fmt::format(
          "The state has objects that were created with {}{}, but the configuration no longer declares "
          "these resources or this provider configuration. No other provider configuration can be "
          "used to destroy them. Restore the provider block until the objects are destroyed, or "
          "remove them from the state with {}.",
          p.addr.text(), p.used_by ? fmt::format(" (for example, {})", p.used_by->text()) : "",
          own_command("state rm")));
  return false;
}

// Where a provider without a block is asked for, and that it has none.
struct NoBlock {
  Range where;
  std::string advice;
};
NoBlock no_block_of(const ProviderNode& p) {
  NoBlock out;
  if (p.config || !p.node) return out;
  std::string name(p.addr.provider.type.sv());
  for (const config::RequiredProvider& r : p.node->module->required_providers)
    if (r.provider == p.addr.provider) out.where = r.range, name = r.local_name.sv();
  for (const config::Resource& r : p.node->module->resources)
    if (!out.where.valid() && r.provider == p.addr.provider) out.where = r.range;
  out.advice = fmt::format(
      " The configuration has no block for this provider: add a block provider \"{}\" with what it requires.",
      name);
  return out;
}

std::shared_ptr<Provider> start_provider(const World& w, const ProviderNode& p, ProviderFactory& factory,
                                         Diagnostics& diags, bool* wait) {
  if (!require_configuration(p, diags)) return nullptr;
  auto provider = factory.start_for(p.addr, diags);
  if (!provider) return nullptr;
  if (w.stopper) w.stopper->add(provider);
  const schema::Block& block = provider->schema()->provider.block;
  Value value, marked;
  size_t before = diags.error_count();
  if (p.config && !p.config->mocked && !w.of(p.node).empty()) {
    const Repetition instance{p.addr.key, p.each_value};
    const ModuleScope scope(w, *w.of(p.node).front(), p.config->for_each ? &instance : nullptr);
    marked = schema::decode(p.config->body, block, scope, diags);
    value = marked.unmark_deep();
    if (diags.error_count() != before) return nullptr;
  } else {
    std::vector<Value> none;
    for (Type t : block.implied_type().elements()) none.push_back(Value::null(t));
    value = schema::object_of(block.implied_type(), std::move(none));
  }
  ProviderDiags found = provider->validate_provider(value);
  if (wait && w.deferral_allowed) *wait |= !value.is_wholly_known();
  if (w.op != Operation::Validate && !(wait && *wait))
    for (ProviderDiag& d : provider->configure({value, w.deferral_allowed && !w.deferral_hidden}))
      found.push_back(std::move(d));
  const NoBlock none = no_block_of(p);
  Diagnostics problems;
  for (ProviderDiag& d : found) {
    Range where = p.config ? p.config->range : none.where;
    if (!p.config && d.severity == Severity::Error) d.detail += none.advice;
    if (p.config && p.config->block) where = schema::locate_or_missing(p.config->block->body, d.path);
    Diagnostic& said = d.severity == Severity::Error ? problems.error(d.summary, d.detail, where)
                                                     : problems.warn(d.summary, d.detail, where);
    said.address = p.addr.text();
  }
  hide_secrets(marked, block, problems);
  diags.append(std::move(problems));
  return diags.error_count() == before ? provider : nullptr;
}

Value provider_meta(const World& w, const ModuleInst* m, const ProviderAddr& addr, const Provider& provider,
                    Diagnostics& diags) {
  if (!m || m->node->module->provider_metas.empty()) return {};
  const schema::Block& block = provider.schema()->provider_meta.block;
  for (const config::ProviderMeta& meta : m->node->module->provider_metas) {
    bool same = false, named = false;
    for (const config::RequiredProvider& required : m->node->module->required_providers)
      if (required.local_name == meta.local_name) named = true, same = required.provider == addr;
    if (!named) same = meta.local_name == addr.type;
    if (!same) continue;
    if (!block.attributes.empty() || !block.blocks.empty())
      return schema::decode(meta.body, block, ModuleScope(w, *m), diags).unmark_deep();
    diags.error("Provider registered no schema for its metadata",
                fmt::format("Provider {} does not support provider_meta. Remove the block.", addr.text()),
                meta.range);
  }
  return {};
}

}  // namespace xplan
