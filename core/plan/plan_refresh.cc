// Refreshing one object of the state while planning: what changed outside is recorded as drift, and an object
// that was read gets the dependencies and the order that the configuration gives it now.
#include <algorithm>

#include "core/plan/objects.h"
#include "core/plan/plan_run.h"

namespace xplan::planning {
namespace {

// An object that is going to change, or to end, still depends on what it was made with.
Dependencies united(const Dependencies& had, const Dependencies& now) {
  if (!had || had->empty() || had == now || (now && *had == *now)) return now;
  if (!now || now->empty()) return had;
  std::vector<ConfigResource> all = *had;
  all.insert(all.end(), now->begin(), now->end());
  std::sort(all.begin(), all.end(),
            [](const ConfigResource& a, const ConfigResource& b) { return less(a, b); });
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() == had->size()) return had;
  return std::make_shared<const std::vector<ConfigResource>>(std::move(all));
}

}  // namespace

ObjectPtr with_order(const ObjectPtr& o, const Dependencies& deps, RecordedLifecycle lifecycle) {
  const Dependencies& had = o->dependencies;
  bool same = deps == had || (deps && had && *deps == *had);
  if (same && static_cast<const RecordedLifecycle&>(*o) == lifecycle) return o;
  auto copy = std::make_shared<Object>(*o);
  copy->dependencies = deps, static_cast<RecordedLifecycle&>(*copy) = lifecycle;
  return copy;
}

std::optional<Refreshed> refresh(PlanRun& run, const Subject& s, const ProviderConfigAddr& provider,
                                 ObjectPtr& object, std::string_view deposed, bool record_drift, bool read,
                                 InstanceResult& out) {
  std::optional<Refreshed> found =
      refresh_object(s, object, run.options.refresh && read, deposed, run.hooks, out.diags);
  if (!found) return std::nullopt;
  if (found->deferral != Deferral::None) out.deferral = reason_of(found->deferral);
  if (found->changed && record_drift) {
    ResourceChange& c = out.drift.emplace_back();
    c.addr = s.addr;
    c.prev_addr = run.previous_address(s.addr);
    c.provider = provider;
    c.schema = s.schema;
    c.change.action = found->after.is_null() ? Action::Delete : Action::Update;
    c.change.before = found->before;
    c.change.after = found->after;
  }
  return found;
}

std::optional<Value> refresh_declared(PlanRun& run, const InstanceJob& j, ObjectPtr& object,
                                      std::string_view deposed, bool record_drift, InstanceResult& out) {
  const std::optional<Refreshed> found =
      refresh(run, subject_of(run, j), j.provider_addr, object, deposed, record_drift, j.read, out);
  if (!found) return std::nullopt;
  if (found->was_read && !j.deferred_upstream && object)
    object = with_order(object, united(object->dependencies, run.dependencies.at(j.node)), *object);
  return found->after;
}

}  // namespace xplan::planning
