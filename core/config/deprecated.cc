// Walks every reference of the configuration into the schema or the module it names and warns of what is
// deprecated there, once per place.
#include "core/config/deprecated.h"
#include "core/config/dialect.h"
#include "core/schema/decode.h"

#include <fmt/format.h>

#include <atomic>
#include <unordered_set>

namespace xplan::config {
namespace {

using syntax::Traversal;

class Finder {
 public:
  Finder(const Module& m, Diagnostics& diags) : m_(m), diags_(diags) {}

  void run() {
    for (const Resource& r : m_.resources) {
      std::vector<const Traversal*> triggers;  // name changes, not values
      for (const Expr* e : r.replace_triggered_by) syntax::collect_traversals(*e, triggers);
      triggers_.insert(triggers.begin(), triggers.end());
    }
    for (const Reference& ref : m_.references)
      if (ref.kind == RefKind::Resource && ref.traversal && !triggers_.contains(ref.traversal))
        look(*ref.traversal, ref.consumed, m_.resources[ref.index]);
    for (const Resource& r : m_.resources)
      for (const CheckRule& rule : r.postconditions)
        for (const Expr* e : {rule.condition, rule.error_message}) own(e, r);
  }

 private:
  void own(const Expr* e, const Resource& r) {
    if (!e) return;
    std::vector<const Traversal*> all;
    syntax::collect_traversals(*e, all);
    for (const Traversal* t : all)
      if (t->bound && m_.reference(*t).kind == RefKind::Self) look(*t, 0, r);
  }

  // Follows names into nested blocks until one is an argument; keys and positions lead nowhere new.
  void look(const Traversal& t, size_t step, const Resource& r) {
    if (!r.schema) return;
    const schema::Block* block = &r.schema->block;
    for (; step < t.steps.size(); ++step) {
      if (!t.steps[step].is_attr) continue;
      const std::string_view name = t.steps[step].attr.sv();
      if (const schema::NestedBlock* nested = block->find_block(name)) {
        block = nested->block.get();
        if (block->deprecated && has_additions())
          warn("Deprecated block", "block", block->deprecation_message, t.steps[step]);
        continue;
      }
      if (const schema::Attribute* a = block->find_attribute(name); a && a->deprecated)
        warn("Deprecated attribute", "attribute", a->deprecation_message, t.steps[step]);
      return;
    }
  }

  // In the provider's words, where it says anything.
  void warn(std::string_view summary, std::string_view what, const std::string& message,
            const syntax::TraversalStep& step) {
    diags_.warn(summary,
                !message.empty()
                    ? message
                    : fmt::format("The {} \"{}\" is deprecated. See the provider's documentation "
                                  "for what to use instead.",
                                  what, step.attr.sv()),
                step.range);
  }

  const Module& m_;
  Diagnostics& diags_;
  std::unordered_set<const Traversal*> triggers_;
};

std::atomic<Deprecations> told{Deprecations::All};

bool is_told(const Node& called) {
  const std::string& source = called.from.source;
  const bool local = source.starts_with("./") || source.starts_with("../");
  return told == Deprecations::All || (told == Deprecations::Local && local);
}

// What the module of a node sets and reads of those that it calls.
void warn_of_interfaces(const Node& n, Diagnostics& diags) {
  const Module& m = *n.module;
  for (size_t i = 0; i < m.calls.size(); ++i) {
    const Node* called = n.children[i].get();
    if (!called || !is_told(*called)) continue;
    for (const syntax::Attribute& a : m.calls[i].arguments)
      if (const int v = called->module->find_variable(a.name); v >= 0)
        if (const std::string& why = called->module->variables[static_cast<size_t>(v)].deprecated;
            !why.empty())
          diags.warn("Deprecated variable",
                     fmt::format("The author of the module \"{}\" has marked the variable \"{}\" as "
                                 "deprecated: {}",
                                 m.calls[i].name.sv(), a.name.sv(), why),
                     a.expr->range);
  }
  for (const Reference& ref : m.references) {
    if (ref.kind != RefKind::ModuleCall || ref.output.empty() || !ref.traversal) continue;
    const Node* called = n.children[ref.index].get();
    const int o = called && is_told(*called) ? called->module->find_output(ref.output) : -1;
    if (o < 0) continue;
    if (const std::string& why = called->module->outputs[static_cast<size_t>(o)].deprecated; !why.empty())
      diags.warn("Deprecated output value",
                 fmt::format("The author of the module \"{}\" has marked the output value \"{}\" as "
                             "deprecated: {}",
                             m.calls[ref.index].name.sv(), ref.output.sv(), why),
                 ref.traversal->range);
  }
}

}  // namespace

void tell_deprecations_of(Deprecations modules) {
  told = modules;
}

void warn_of_deprecated(const Config& config, Diagnostics& diags) {
  for (const auto& m : config.modules) Finder(*m, diags).run();
  std::unordered_set<const Module*> seen;
  for (const Node* n : config.nodes)
    if (seen.insert(n->module).second) warn_of_interfaces(*n, diags);
}

}  // namespace xplan::config
