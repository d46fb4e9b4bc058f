// Finds the objects to convert, in the order of their addresses, and asks their providers.
#include "core/plan/moved_objects.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>

#include "core/plan/config_graph.h"
#include "core/plan/objects.h"

namespace xplan {
namespace {

struct Job {
  AbsInstance addr;
  ObjectPtr* object;  // in the state
  Range where;        // of the moved block
  std::shared_ptr<Provider> provider = nullptr;
  schema::SchemaPtr schema = nullptr;
  Diagnostics found = {};
};

std::vector<Job> jobs_of(const Moves& moves, State& state) {
  std::vector<Job> jobs;
  for (const auto& [addr, where] : moves.converted) {
    InstanceState* s = state.find(addr);
    if (!s) continue;
    if (s->current && s->current->moved_from) jobs.push_back({addr, &s->current, where});
    for (auto& [key, object] : s->deposed)
      if (object->moved_from) jobs.push_back({addr, &object, where});
  }
  std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return less(a.addr, b.addr); });
  return jobs;
}

}  // namespace

WalkOutcome convert_moved_objects(const config::Config& config, const Moves& moves, State& state,
                                  ProviderFactory& providers, const WalkOptions& options, Stopper* stopper,
                                  Diagnostics& diags) {
  std::vector<Job> jobs = jobs_of(moves, state);
  std::map<std::string, const Job*> first;  // the same for all objects of a type
  for (Job& j : jobs) {
    const auto r = state.resources.find(j.addr.abs_resource());
    const ProviderAddr provider = provider_of(config, r->first, r->second).provider;
    const auto [known, is_new] =
        first.emplace(provider.text() + " " + std::string(j.addr.resource.type.sv()), &j);
    if (!is_new) {
      j.provider = known->second->provider, j.schema = known->second->schema;
      continue;
    }
    j.provider = providers.start(provider, j.found);
    if (!j.provider) continue;
    if (stopper) stopper->add(j.provider);
    j.schema = schema::find(j.provider->schema(), j.addr.resource.mode, j.addr.resource.type);
    if (!j.schema)
      j.found.error(
          "Unsupported resource type",
          fmt::format("{} is moved to the resource type \"{}\", which the provider {} does not have.",
                      j.addr.text(), j.addr.resource.type.sv(), provider.text()),
          j.where);
  }
  const WalkOutcome done = parallel_for(jobs.size(), options, [&](size_t i) {
    Job& j = jobs[i];
    if (!j.schema) return;
    if (ObjectPtr made = convert_moved(*j.object, j.addr, *j.schema, *j.provider, j.where, j.found))
      *j.object = std::move(made);
  });
  for (Job& j : jobs) diags.append(std::move(j.found));
  return done;
}

}  // namespace xplan
