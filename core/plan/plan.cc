// Functions of the Plan data: sorting and indexing changes, look-ups, the counts of the summary line, names
// of reasons.
#include "core/plan/plan.h"

#include <algorithm>

namespace xplan {

// Through positions: a change is a large thing to move about.
void sort_changes(std::vector<ResourceChange>& changes) {
  std::vector<uint32_t> order(changes.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](uint32_t x, uint32_t y) {
    const ResourceChange &a = changes[x], &b = changes[y];
    if (!(a.addr == b.addr)) return less(a.addr, b.addr);
    return a.deposed < b.deposed;
  });
  std::vector<ResourceChange> sorted;
  sorted.reserve(changes.size());
  for (uint32_t i : order) sorted.push_back(std::move(changes[i]));
  changes = std::move(sorted);
}

std::string_view deferred_reason_name(DeferredReason r) {
  switch (r) {
    case DeferredReason::InstanceCountUnknown:
      return "instance_count_unknown";
    case DeferredReason::ResourceConfigUnknown:
      return "resource_config_unknown";
    case DeferredReason::ProviderConfigUnknown:
      return "provider_config_unknown";
    case DeferredReason::AbsentPrereq:
      return "absent_prereq";
    case DeferredReason::DeferredPrereq:
      return "deferred_prereq";
  }
  return "";
}

void Plan::build_index() {
  deferred_index.clear();
  for (uint32_t i = 0; i < deferred.size(); ++i)
    if (deferred[i].change.deposed.empty()) deferred_index.emplace(deferred[i].change.addr, i);
  current_index.clear();
  current_index.reserve(changes.size());
  for (uint32_t i = 0; i < changes.size(); ++i)
    if (changes[i].deposed.empty()) current_index.emplace(changes[i].addr, i);
}

const DeferredChange* Plan::find_deferred(const AbsInstance& a) const {
  auto it = deferred_index.find(a);
  return it == deferred_index.end() ? nullptr : &deferred[it->second];
}

const ResourceChange* Plan::find(const AbsInstance& a, std::string_view deposed) const {
  if (deposed.empty()) {
    auto it = current_index.find(a);
    return it == current_index.end() ? nullptr : &changes[it->second];
  }
  for (const ResourceChange& c : changes)
    if (c.deposed == deposed && c.addr == a) return &c;
  return nullptr;
}

Plan::Counts Plan::counts() const {
  Counts n;
  for (const ResourceChange& c : changes) {
    if (c.change.importing) ++n.import;
    if (c.moved()) ++n.move;
    switch (c.change.action) {
      case Action::NoOp:
        break;
      case Action::Create:
        ++n.add;
        break;
      case Action::Read:
        ++n.read;
        break;
      case Action::Update:
        ++n.change;
        break;
      case Action::DeleteThenCreate:
      case Action::CreateThenDelete:
        ++n.add, ++n.destroy;
        break;
      case Action::Delete:
        n.destroy += c.addr.resource.mode == Mode::Managed;
        break;
      case Action::Forget:
        ++n.forget;
        break;
      case Action::ForgetThenCreate:
        ++n.add, ++n.forget;
        break;
    }
  }
  return n;
}

}  // namespace xplan
