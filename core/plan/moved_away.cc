// Looks up the sources of moved blocks among the instances that the configuration declares, and both ends of
// what was moved among the targets.
#include "core/plan/moved_away.h"

#include <fmt/format.h>
#include <set>

#include "core/base/command_line.h"

namespace xplan {
namespace {

// The instance of a call that a step of an address names; null: there is none.
const ModuleInst* step_into(const ModuleInst& from, const config::EndPoint& e, size_t step) {
  const int call = from.node->module->find_call(e.module_steps[step].first);
  if (call < 0) return nullptr;
  const CallSlot& slot = from.calls[static_cast<size_t>(call)];
  const std::optional<size_t> at = slot.expanded.index_of(e.module_steps[step].second);
  return at && *at < slot.instances.size() ? slot.instances[*at] : nullptr;
}

// Whether the configuration declares what a block moves, as far as it takes part.
class DeclaredSources {
 public:
  DeclaredSources(const ConfigGraph& cg, const Selection& s) : cg_(cg), selection_(s) {}

  bool source(const ModuleInst& base, const config::Moved& m) const {
    const size_t steps = m.from.module_steps.size() - !m.from.resource;
    const ModuleInst* in = &base;
    for (size_t i = 0; in && i < steps; ++i) in = step_into(*in, m.from, i);
    return in && (m.from.resource ? resource(*in, m) : module(*in, m, steps));
  }

 private:
  bool module(const ModuleInst& in, const config::Moved& m, size_t last) const {
    if (m.from.module_step_has_key[last] || m.to.module_step_has_key.back())
      return step_into(in, m.from, last);
    const int call = in.node->module->find_call(m.from.module_steps[last].first);
    return call >= 0 && takes_part(NodeKind::Expand, in.node->children[static_cast<size_t>(call)].get(), 0);
  }
  bool resource(const ModuleInst& in, const config::Moved& m) const {
    const int index = in.node->module->find_resource(*m.from.resource);
    if (index < 0) return false;
    if (!m.from.has_key && !m.to.has_key)
      return takes_part(NodeKind::Resource, in.node, static_cast<uint32_t>(index));
    return in.resources[static_cast<size_t>(index)].declared.index_of(m.from.key).has_value();
  }
  bool takes_part(NodeKind kind, const config::Node* n, uint32_t index) const {
    return selection_.nodes[cg_.node_of(kind, n, index)];
  }

  const ConfigGraph& cg_;
  const Selection& selection_;
};

}  // namespace

void require_moved_away(const World& world, const ConfigGraph& cg, const Selection& selection,
                        Diagnostics& diags) {
  const DeclaredSources declared(cg, selection);
  for (const config::Node* n : world.config.nodes)
    for (const config::Moved& m : n->module->moved)
      for (const ModuleInst* base : world.of(n)) {
        if (!declared.source(*base, m)) continue;
        const std::string in = base->addr.is_root() ? "" : base->addr.text() + ".";
        diags.error(
            "Moved object still exists",
            fmt::format("This block says that {0}{1} is now {0}{2}, but {0}{1} is still declared. Remove "
                        "that declaration, or this block.",
                        in, m.from.text(), m.to.text()),
            m.range);
      }
}

namespace {

std::string options_for(const std::set<std::string>& addresses, std::string_view option) {
  constexpr size_t kShown = 50;
  std::string out;
  size_t shown = 0;
  for (const std::string& a : addresses) {
    if (shown++ == kShown) return out + fmt::format("\n  … and {} more", addresses.size() - kShown);
    out += fmt::format("\n  -{}={}", option, shell_word(a));
  }
  return out;
}

}  // namespace

void require_whole_moves(const Moves& moves, const Selection& selection, Diagnostics& diags) {
  std::set<std::string> missing, excluded;
  for (const auto& [now, before] : moves.previous)
    for (const AbsInstance* a : {&before, &now}) {
      if (selection.targeting && !selection.targets.covers(*a)) missing.insert(a->abs_resource().text());
      if (selection.excludes.covers(*a)) excluded.insert(a->abs_resource().text());
    }
  constexpr std::string_view kMoved =
      "Objects of the state have new addresses in the configuration. A plan must include both addresses of "
      "each object, so that it shows where the object is afterwards.";
  if (!missing.empty())
    diags.error("Moved resource instances excluded by targeting",
                fmt::format("{} Plan without -target, or add these options:{}", kMoved,
                            options_for(missing, "target")));
  if (!excluded.empty())
    diags.error("Moved resource instances excluded by targeting",
                fmt::format("{} Plan without -exclude, or without excluding these addresses:{}", kMoved,
                            options_for(excluded, "exclude")));
}

}  // namespace xplan
