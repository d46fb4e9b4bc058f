// Walks every reference of the configuration into the schema it names and warns of deprecated attributes,
// once per place.
#include "core/config/deprecated.h"
#include "core/schema/decode.h"

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
        continue;
      }
      if (const schema::Attribute* a = block->find_attribute(name); a && a->deprecated)
        diags_.warn("Deprecated attribute",
                    a->deprecation_message.empty()
                        ? "The attribute \"" + std::string(name) +
                              "\" is deprecated. See the provider's documentation for what to use instead."
                        : a->deprecation_message,
                    t.steps[step].range);
      return;
    }
  }

  const Module& m_;
  Diagnostics& diags_;
  std::unordered_set<const Traversal*> triggers_;
};

}  // namespace

void warn_of_deprecated(const Config& config, Diagnostics& diags) {
  for (const auto& m : config.modules) Finder(*m, diags).run();
}

}  // namespace xplan::config
