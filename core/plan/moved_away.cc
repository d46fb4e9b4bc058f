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

bool declares_module(const ModuleInst& in, const config::Moved& m, size_t last) {
  if (m.from.module_step_has_key[last] || m.to.module_step_has_key.back()) return step_into(in, m.from, last);
  return in.node->module->find_call(m.from.module_steps[last].first) >= 0;
}

bool declares_resource(const ModuleInst& in, const config::Moved& m) {
  const int index = in.node->module->find_resource(*m.from.resource);
  if (index < 0 || (!m.from.has_key && !m.to.has_key)) return index >= 0;
  return in.resources[static_cast<size_t>(index)].declared.index_of(m.from.key).has_value();
}

bool declares_source(const ModuleInst& base, const config::Moved& m) {
  const size_t steps = m.from.module_steps.size() - !m.from.resource;
  const ModuleInst* in = &base;
  for (size_t i = 0; in && i < steps; ++i) in = step_into(*in, m.from, i);
  return in && (m.from.resource ? declares_resource(*in, m) : declares_module(*in, m, steps));
}

}  // namespace

void require_moved_away(const World& world, Diagnostics& diags) {
  for (const config::Node* n : world.config.nodes)
    for (const config::Moved& m : n->module->moved)
      for (const ModuleInst* base : world.of(n)) {
        if (!declares_source(*base, m)) continue;
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
