// Collects relevant_attributes: starts from changed resources and outputs, follows sources back, and
// descends into the arguments that make up each attribute found.
#include "core/plan/relevant.h"

#include <algorithm>

#include "core/schema/parts.h"

namespace xplan {

void RelevantFinder::add_resource(const AbsInstance& a) {
  const config::Node* n = config_.find(a.module.module());
  int index = n ? n->module->find_resource(a.resource) : -1;
  // All instances of a resource have the same expressions.
  if (index < 0 || !resources_.insert(a.abs_resource()).second) return;
  const config::Resource& r = n->module->resources[static_cast<size_t>(index)];
  // Its arguments; count and for_each where these use them.
  tracer_.trace({n, a.module, r.count, r.for_each},
                std::span(r.references).subspan(r.arguments_begin, r.arguments_end - r.arguments_begin));
}

void RelevantFinder::add_output(const config::Node* n, ModuleInstance addr, uint32_t index) {
  tracer_.trace_output(n, addr, index);
}

// What the configuration makes that part of a resource of.
void RelevantFinder::trace_part(const ValueSource& s) {
  const config::Node* n = config_.find(s.addr.module.module());
  int index = n ? n->module->find_resource(s.addr.resource) : -1;
  if (index < 0 || resources_.contains(s.addr.abs_resource())) return;
  const config::Resource& r = n->module->resources[static_cast<size_t>(index)];
  if (!r.schema || !parts_[s.addr.abs_resource()].insert(s.path).second) return;
  std::vector<const syntax::Traversal*> read;
  if (schema::collect_traversals_at(r.content, r.schema->block, s.path, read))
    tracer_.trace({n, s.addr.module, r.count, r.for_each}, read);
  else
    add_resource(s.addr);
}

std::vector<RelevantAttribute> RelevantFinder::take() {
  std::vector<RelevantAttribute> found;
  for (std::vector<ValueSource> todo = tracer_.take(); !todo.empty(); todo = tracer_.take())
    for (ValueSource& s : todo) {
      trace_part(s);
      found.push_back({std::move(s.addr), std::move(s.path)});
    }
  std::sort(found.begin(), found.end(), [](const RelevantAttribute& a, const RelevantAttribute& b) {
    return a.addr == b.addr ? path_less(a.path, b.path) : less(a.addr, b.addr);
  });
  auto same = [](const RelevantAttribute& a, const RelevantAttribute& b) {
    return a.addr == b.addr && a.path == b.path;
  };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  return found;
}

}  // namespace xplan
